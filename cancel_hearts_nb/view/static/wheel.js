/* The passing wheel: chips and arrows where Python put them, one hand at a time; sentences beside them. */

export default () => {
  function render({ model: given, el }) {
    const id = newId('chnbw');
    const words = given.get('words'), L = key => words.labels[key] ?? key, F = (key, values) => fill(L(key), values, isolating(words.dir));
    const { line, model, guard, start, stop } = noticed(given, words.notice, error => F('failed', { error }));
    const hands = model.get('hands'), last = hands.length - 1, [w, hh] = model.get('box');
    const now = () => Math.min(Math.max(0, model.get('hand') | 0), last);
    const arrows = s('g', { class: 'arrows' });
    const chips = model.get('seats').map(({ name, at, chip }) => s('g', { transform: `translate(${at[0]} ${at[1]})` }, [
      s('rect', { x: -chip[0] / 2, y: -chip[1] / 2, width: chip[0], height: chip[1], rx: 7 }), s('text', { 'text-anchor': 'middle', dy: '.35em' }, name)]));
    const picture = s('svg', { viewBox: `0 0 ${w} ${hh}`, 'aria-hidden': 'true', direction: 'ltr' }, [arrows, ...chips]);
    const text = h('p', { class: 'told', role: 'status', 'aria-live': 'polite' }), list = h('ul', { 'aria-label': L('list') });
    const range = h('input', { type: 'range', id, min: 1, max: last + 1, step: 1, 'aria-label': L('hand') }), count = h('output', { for: id });
    const button = (key, by) => { const b = h('button', { type: 'button' }, L(key)); b.addEventListener('click', () => go(now() + by)); return b; };
    const back = button('back', -1), next = button('next', 1);
    const root = h('section', { class: 'chnb-wheel', lang: words.lang, dir: words.dir, 'aria-label': model.get('title') }, [line,
      h('p', { class: 'title' }, model.get('title')), picture,
      h('div', { class: 'side' }, [text, h('div', { class: 'turn' }, [back, next, range, count]), list])]);
    el.append(root);
    function go(to) {
      model.set('hand', Math.min(Math.max(0, to), last));
      try { Promise.resolve(model.save_changes()).catch(() => {}); } catch { /* no kernel */ }
    }
    function draw() {
      const hand = hands[now()];
      put(root, { 'data-way': hand.way });
      arrows.replaceChildren(...hand.arrows.map(({ line, head }) => s('g', {}, [s('path', { d: line }), s('path', { d: head })])));
      say(text, hand.text); say(count, F('hand_n', { n: now() + 1 }));
      list.replaceChildren(...hand.list.map(one => h('li', {}, one)));
      range.value = now() + 1;
      put(range, { 'aria-valuetext': F('hand_n', { n: now() + 1 }) });
      put(back, { 'aria-disabled': now() === 0 ? 'true' : null }); put(next, { 'aria-disabled': now() === last ? 'true' : null });
    }
    range.addEventListener('input', () => go(+range.value - 1));
    for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, event => { if (event.key !== 'Tab') event.stopPropagation(); });
    model.on('change:hand', draw);
    let unthemed;
    start();
    guard(() => { unthemed = themed(root); draw(); })();
    return () => { stop(); unthemed(); model.off('change:hand', draw); root.remove(); };
  }
  return { initialize() {}, render };
};
