/* What every widget of this folder needs: elements, texts, memory, and the theme around it. Other files are joined to it. */

const NS = 'http://www.w3.org/2000/svg';
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
const s = (tag, attrs, kids) => put(document.createElementNS(NS, tag), attrs, kids);
const say = (el, text) => { if (el.textContent !== text) el.textContent = text; };
const fill = (text, values) => String(text).replace(/%\((\w+)\)s/g, (whole, key) => key in values ? values[key] : whole);

/* What a reader chose is remembered by the browser where it allows that, else for as long as the page lives. */
const kept = {};
function recall(name, fallback) {
  if (!(name in kept)) try { kept[name] = JSON.parse(localStorage.getItem('chnb:' + name)); } catch { kept[name] = null; }
  return kept[name] ?? fallback;
}
function remember(name, value) {
  kept[name] = value;
  try { localStorage.setItem('chnb:' + name, JSON.stringify(value)); } catch { /* not allowed here */ }
}
/* Ids that no other view on the page has: every widget loads its own copy of its files, so a count in a file is no good. */
const unique = kind => kind + (globalThis.chnbViews = (globalThis.chnbViews ?? 0) + 1);
const oneOf = (list, value) => list.includes(value) ? value : list[0];

/* The theme: JupyterLab's and Voilà's own word first, then the system's wish. Returns what ends the watching. */
function themed(root) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    const told = document.body.dataset.jpThemeLight;
    put(root, { 'data-theme': (told ? told === 'false' : system.matches) ? 'dark' : 'light' });
  };
  const watch = new MutationObserver(set);
  watch.observe(document.body, { attributes: true, attributeFilter: ['data-jp-theme-light'] });
  system.addEventListener('change', set);
  set();
  return () => { watch.disconnect(); system.removeEventListener('change', set); };
}

/* Another lesson stands beside this page, wherever the address says which notebook is shown; null where it does not. */
const NOTEBOOK = /\/(voila\/render|voici\/render|tree|notebooks|edit)\//;
function hrefOf(name) {
  const page = /\.html$/.test(location.pathname);
  return page || NOTEBOOK.test(location.pathname) || location.protocol === 'file:' ? name + (page ? '.html' : '.ipynb') : null;
}
