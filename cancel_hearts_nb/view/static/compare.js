/* One deal at two tables: what to change is chosen here, everything shown was made in Python. */
export default () => {
  function render({ model: given, el }) {
    const id = newId('chnbc');
    const words = given.get('words'), L = key => words.labels[key] ?? key;
    const { line, model, guard, start, stop } = noticed(given, words.notice, error => fill(L('failed'), { error }, isolating(words.dir)));
    const change = h('select', { id: id + '-change' }, model.get('choices').map((one, n) => h('option', { value: n }, one)));
    const seats = h('select', { id: id + '-seats' }, model.get('seats').map(n => h('option', { value: n }, n)));
    const seed = h('input', { id: id + '-seed', inputmode: 'numeric', maxlength: 18, autocomplete: 'off', dir: 'ltr' });
    const buttons = ['deal', 'another', 'find'].map(kind => { const b = h('button', { type: 'button', 'data-do': kind }, L(kind)); b.addEventListener('click', () => ask(kind)); return b; });
    const field = (key, control) => h('p', { class: 'field ' + key }, [h('label', { for: control.id }, L(key)), control]);
    const says = h('div', { class: 'says', role: 'status', 'aria-live': 'polite' }), note = h('p', { class: 'note', role: 'status', 'aria-live': 'polite' });
    const tricks = h('table', {}), points = h('table', {});
    const chosen = h('p', { class: 'chosen' });
    const root = h('section', { class: 'chnb-compare', lang: words.lang, dir: words.dir, 'aria-labelledby': id + '-title' }, [
      line, h('p', { class: 'title', id: id + '-title' }, L('title')),
      model.get('live') ? h('div', { class: 'desk' }, [field('change', change), field('seats', seats), field('seed', seed), h('div', { class: 'acts' }, buttons)]) : null,
      chosen,
      note, says, h('div', { class: 'both' }, [tricks, points]), h('p', { class: 'key' }, L('differs'))]);
    el.append(root);

    const kernel = asking(model, { id, tell: text => say(note, text), busy: L('playing'), lost: L('no_kernel'), buttons, done: () => draw() });
    function ask(kind) {
      const text = seed.value.trim();
      kernel.ask({ kind, change: +change.value, seats: +seats.value, seed: /^\d+$/.test(text) ? text : model.get('now').seed });
    }
    function fillTable(table, label, head, rows) {
      table.replaceChildren(
        h('caption', {}, label),
        h('thead', {}, h('tr', {}, head.map(one => h('th', { scope: 'col' }, one)))),
        h('tbody', {}, rows.map(([name, here, there, same]) => h('tr', {}, [h('th', { scope: 'row' }, name), ...[here, there].map(one => h('td', {}, same ? one : h('strong', {}, one)))]))));
    }
    function draw() {
      const t = model.get('told'), now = model.get('now');
      change.value = now.change; seats.value = now.seats; seed.value = now.seed;
      say(chosen, model.get('choices')[now.change]);
      says.replaceChildren(...t.says.map(one => h('p', {}, one)));
      fillTable(tricks, L('tricks'), t.head, t.tricks);
      fillTable(points, L('points'), t.points_head, t.points);
    }
    /* a new change is played at once, with the same deal */
    for (const one of [change, seats]) one.addEventListener('change', () => ask('deal'));
    seed.addEventListener('keydown', event => { if (event.key === 'Enter') ask('deal'); });
    for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, event => { if (event.key !== 'Tab') event.stopPropagation(); });
    model.on('change:told', draw); model.on('change:now', draw);
    let unthemed;
    start();
    guard(() => { unthemed = themed(root); draw(); })();
    return () => { stop(); kernel.end(); unthemed(); model.off('change:told', draw); model.off('change:now', draw); root.remove(); };
  }
  return { initialize() {}, render };
};
