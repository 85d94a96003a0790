/* What every widget of this folder needs: elements, sentences, memory, the theme around it, and the watch over exceptions.
   Python joins this file before the others. */

/* ---------- elements: attributes that are null or false are taken away, kids may be texts */
function put(el, attrs, kids) {
  for (const key in attrs) {
    const value = attrs[key];
    if (value === null || value === undefined || value === false) el.removeAttribute(key);
    else if (el.getAttribute(key) !== String(value)) el.setAttribute(key, value === true ? '' : value);
  }
  if (kids !== undefined) el.append(...[].concat(kids).filter(kid => kid !== null && kid !== undefined && kid !== ''));
  return el;
}
const h = (tag, attrs, kids) => put(document.createElement(tag), attrs, kids);
const NS = 'http://www.w3.org/2000/svg';
const s = (tag, attrs, kids) => put(document.createElementNS(NS, tag), attrs, kids);
/* `kids` become all there is in `el`. Those that stand there already, in this order, are not moved: what has the focus keeps it. */
function arrange(el, kids) {
  for (const old of [...el.childNodes]) if (!kids.includes(old)) old.remove();
  kids.forEach((kid, i) => { if (el.childNodes[i] !== kid) el.insertBefore(kid, el.childNodes[i] || null); });
}
const say = (el, text) => { if (el.textContent !== text) el.textContent = text; };
/* Each widget of a page has a copy of this module, so a count alone would give all of them the same ids. */
const COPY = Math.random().toString(36).slice(2, 8);
let views = 0;
const newId = kind => `${kind}-${COPY}-${++views}`;

/* ---------- sentences: what is filled in cannot turn the writing around it (`i18n.Words.isolate` in Python) */
const TURNING = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;
const isolating = dir => text => dir === 'rtl' || TURNING.test(text) ? '\u2068' + text + '\u2069' : text;
const fill = (text, values, alone) => String(text).replace(/%\((\w+)\)s/g, (whole, key) => key in values ? alone(String(values[key])) : whole);

/* ---------- memory: what a reader chose is remembered by the browser where it allows that, else for as long as the page lives.
   It is read anew each time, since another tab may have written meanwhile. */
const kept = {};
function recall(name, fallback) {
  try { kept[name] = JSON.parse(localStorage.getItem('chnb:' + name)) ?? kept[name]; } catch { /* not allowed here */ }
  return kept[name] ?? fallback;
}
function remember(name, value) {
  kept[name] = value;
  try { localStorage.setItem('chnb:' + name, JSON.stringify(value)); } catch { /* not allowed here */ }
}
const oneOf = (list, value) => list.includes(value) ? value : list[0];

/* ---------- theme: JupyterLab's and Voilà's own word first, then the system's wish. Returns what ends the watching. */
function themed(...roots) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    const told = document.body.dataset.jpThemeLight;
    for (const root of roots) put(root, { 'data-theme': (told ? told === 'false' : system.matches) ? 'dark' : 'light' });
  };
  const watch = new MutationObserver(set);
  watch.observe(document.body, { attributes: true, attributeFilter: ['data-jp-theme-light'] });
  system.addEventListener('change', set);
  set();
  return () => { watch.disconnect(); system.removeEventListener('change', set); };
}

/* ---------- other lessons: each stands beside this page, wherever the address says which notebook is shown; null where it does not. */
const NOTEBOOK = /\/(voila\/render|voici\/render|tree|notebooks|edit)\//;
/* A site without a server has one page for all notebooks, and names them in its address. Returns the path of the lesson called `name`, or of the one shown; null elsewhere. */
function pathOf(name) {
  const path = new URLSearchParams(location.search).get('path');
  return path?.endsWith('.ipynb') ? (name ? `notebooks/${name}.ipynb` : path) : null;
}
function hrefOf(name) {
  if (pathOf(name)) return '?' + new URLSearchParams({ path: pathOf(name) });
  const page = /\.html$/.test(location.pathname);
  return page || NOTEBOOK.test(location.pathname) || location.protocol === 'file:' ? name + (page ? '.html' : '.ipynb') : null;
}

/* ---------- exceptions: told to the reader by `tell`, and still errors for the console and for tests
   Whatever the browser calls (handlers, timers, observers, promises) is known by the address of this module. What the
   model calls is wrapped, since a widget manager keeps its exceptions to itself. */
function watched(given, tell) {
  const here = import.meta.url, wrapped = new WeakMap();
  const known = error => error instanceof Error && String(error.stack).includes(here);
  const said = error => tell(error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : String(error).slice(0, 200));
  const onError = event => { if (event.error && (event.filename === here || known(event.error))) said(event.error); };
  const onReject = event => { if (known(event.reason)) said(event.reason); };
  const guard = call => (...what) => { try { return call(...what); } catch (error) { said(error); throw error; } };
  const wrap = call => { if (!wrapped.has(call)) wrapped.set(call, guard(call)); return wrapped.get(call); };
  return {
    guard,
    model: {
      get: name => given.get(name), set: (name, value) => given.set(name, value),
      save_changes: () => given.save_changes(), send: content => given.send(content),
      on: (name, call) => given.on(name, wrap(call)), off: (name, call) => given.off(name, wrap(call)),
    },
    start() { addEventListener('error', onError); addEventListener('unhandledrejection', onReject); },
    stop() { removeEventListener('error', onError); removeEventListener('unhandledrejection', onReject); },
  };
}
/* The same with a line of its own for what the reader must know: `text`, and below it the last exception in words. */
function noticed(given, text, failed) {
  const line = h('p', { class: 'notice', role: 'alert', hidden: true });
  const show = wrong => { say(line, [text, wrong].filter(Boolean).join('\n')); line.hidden = !line.textContent; };
  show('');
  return { line, ...watched(given, error => show(failed(error))) };
}

/* ---------- one question to the kernel at a time: `tell` says that it works at it, what failed, or that nothing answers */
function asking(model, { id, tell, busy, lost, buttons = [], done = () => {} }) {
  let waits = null, timer, count = 0;
  function free(text) {
    clearTimeout(timer);
    waits = null;
    tell(text);
    for (const b of buttons) put(b, { 'aria-disabled': null });
  }
  function ask(content) {
    if (waits) return;
    waits = `${id}-${++count}`;
    tell(busy);
    for (const b of buttons) put(b, { 'aria-disabled': 'true' });
    timer = setTimeout(() => free(lost), 8000);
    try { model.send({ ...content, id: waits }); } catch { free(lost); }
  }
  const heard = said => {
    if (!said || !waits) return;
    if (said.begun === waits) clearTimeout(timer);
    if (said.done === waits) { done(said); free(said.failed || ''); }
  };
  model.on('msg:custom', heard);
  return { ask, end() { clearTimeout(timer); model.off('msg:custom', heard); } };
}
