/* A figure of what many hands came to: picture, sentence and numbers as Python made them, and a button that asks for new ones. */
export default () => {
  function render({ model: given, el }) {
    const id = newId('chnbo');
    const words = given.get('words'), L = key => words.labels[key] ?? key;
    const { line, model, guard, start, stop } = noticed(given, words.notice, error => fill(L('failed'), { error }, isolating(words.dir)));
    const picture = h('img', { class: 'plot' }), title = h('h3', {}), says = h('p', { class: 'says' }), from = h('p', { class: 'from', role: 'status', 'aria-live': 'polite' });
    const table = h('table', {}), note = h('p', { class: 'note', role: 'status', 'aria-live': 'polite' });
    const select = h('select', { id: id + '-hands' }, model.get('sizes').map(n => h('option', { value: n }, String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f'))));
    select.selectedIndex = Math.min(1, select.options.length - 1);
    const button = (key, kind) => { const b = h('button', { type: 'button', 'data-do': kind }, L(key)); b.addEventListener('click', () => ask(kind)); return b; };
    const again = button('again', 'play'), stored = button('stored', 'stored');
    stored.hidden = true;
    const desk = select.options.length ? h('div', { class: 'desk' }, [h('label', { for: id + '-hands' }, L('hands')), select, again, stored]) : h('p', { class: 'none' }, L('no_numpy'));
    const box = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': `${id}-title ${id}-numbers` }, table);
    const root = h('section', { class: 'chnb-often', lang: words.lang, dir: words.dir, 'aria-labelledby': id + '-title' }, [
      line, put(title, { id: id + '-title' }), picture,
      h('div', { class: 'side' }, [says, from, h('p', { class: 'bars' }, L('bars')), model.get('live') ? desk : null, note]),
      h('details', {}, [h('summary', { id: id + '-numbers' }, L('numbers')), box])]);
    el.append(root);

    let asked = '';
    const kernel = asking(model, {
      id, tell: text => say(note, text), busy: L('playing'), lost: L('no_kernel'), buttons: [again, stored],
      done(said) {
        if (said.failed) return;
        if (asked === 'stored' && document.activeElement === stored) again.focus();
        stored.hidden = asked === 'stored';
      },
    });
    function ask(kind) { asked = kind; kernel.ask({ kind, hands: +select.value }); }
    function draw() {
      const t = model.get('told');
      put(picture, { src: 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(model.get('picture')), alt: t.alt });
      say(title, t.title); say(says, t.says); say(from, t.from);
      table.replaceChildren(
        h('thead', {}, h('tr', {}, t.head.map(one => h('th', { scope: 'col' }, one)))),
        h('tbody', {}, t.rows.map(([first, ...rest]) => h('tr', {}, [h('th', { scope: 'row' }, first), ...rest.map(one => h('td', {}, one))]))));
    }
    for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, event => { if (event.key !== 'Tab') event.stopPropagation(); });
    model.on('change:told', draw); model.on('change:picture', draw);
    let unthemed;
    start();
    guard(() => { unthemed = themed(root); draw(); })();
    return () => { stop(); kernel.end(); unthemed(); model.off('change:told', draw); model.off('change:picture', draw); root.remove(); };
  }
  return { initialize() {}, render };
};
