/* What the table and the score sheet share; Python joins this file before either. */

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
const say = (el, text) => { if (el.textContent !== text) el.textContent = text; };

/* ---------- sentences: what is filled in cannot turn the writing around it (`i18n.Words.isolate` in Python) */
const TURNING = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;
const isolating = dir => text => dir === 'rtl' || TURNING.test(text) ? '\u2068' + text + '\u2069' : text;
const fill = (text, values, alone) => String(text).replace(/%\((\w+)\)s/g, (whole, key) => key in values ? alone(String(values[key])) : whole);

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
