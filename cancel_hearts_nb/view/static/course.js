/* A lesson as a file: its widgets get their state from the page. KINDS and modelOf stand before this (coursepage.py). */
/* the widgets follow what the body says of the theme; paper is light */
const dark = matchMedia('(prefers-color-scheme: dark)'), paper = matchMedia('print');
const light = () => { document.body.dataset.jpThemeLight = String(paper.matches || !dark.matches); };
for (const one of [dark, paper]) one.addEventListener('change', light);
light();

const { values, views } = JSON.parse(document.getElementById('state').textContent);
const stateOf = traits => Object.fromEntries(Object.entries(traits).map(([name, at]) => [name, values[at]]));
views.forEach(({ kind, traits, spare, lacking }, n) => {
  /* an exam is the one that the address asks for, if that came along, and then goes round all that did */
  const seed = new URLSearchParams(location.search).get('seed'), asked = spare.findIndex(one => values[one.seed] === seed);
  const notice = spare.length && seed !== null && asked < 0 ? { notice: lacking } : {};
  const model = modelOf({ ...stateOf({ ...traits, ...spare[asked] }), ...notice }), host = document.getElementById('view-' + n), widget = KINDS[kind]();
  let next = Math.max(asked, 0) + 1;
  model.send = said => {
    if (said.kind !== 'new' || !spare.length) throw new Error('nobody answers');
    const found = stateOf(spare[next++ % spare.length]);
    for (const [name, value] of Object.entries({ notice: '', answers: {}, over: false, ...found })) model.set(name, value);
    model.hear({ done: said.id });
  };
  /* a widget that fails must not take the others with it */
  try {
    widget.initialize?.({ model });
    host.replaceChildren();
    widget.render({ model, el: host });
  } catch (error) { reportError(error); }
});
