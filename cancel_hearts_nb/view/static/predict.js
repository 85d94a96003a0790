/* Questions on the way: at steps that a record marks the replay waits for an answer, or for the skip button. The
   questions come with every answer judged and every reply written (predict.py), so this works without a kernel. */
PLUGINS.push(tools => {
  const { store, L, F } = tools;
  /* shared by the views of one table: what was answered, { right, text } or { skipped } by the name of the question */
  const asked = store.asked || (store.asked = {});
  const name = (replay, i) => `${replay.lesson}#${replay.hand}#${i}`;
  const lesson = () => `score:${location.pathname}:${tools.replay.lesson}`;
  const scores = () => { const found = recall(lesson(), {}); return found && typeof found === 'object' ? found : {}; };
  const at = (replay, step) => (replay.asks || []).map((q, i) => [q, i]).filter(([q]) => q.step === step);
  const waiting = (replay, step) => at(replay, step).find(([, i]) => !asked[name(replay, i)]);
  store.gate = (replay, step) => !!waiting(replay, step);
  store.hush = (replay, step, trick) => (replay.asks || []).some((q, i) => q.what === 'winner' && q.step >= step && !asked[name(replay, i)] && tools.stateAt(replay, q.step).s.trick === trick);
  let box = null, shown = '', inputs = [];

  function frame() {
    box = null;
    if (!(tools.replay.asks || []).length) return;
    box = h('div', { class: 'ask', role: 'group', 'aria-label': L('ask') });
    tools.parts.bar.after(box);
    shown = '';
  }
  function score() {
    const { replay, model } = tools, known = scores();
    const names = model.get('replays').filter(one => one.lesson === replay.lesson).flatMap(one => (one.asks || []).map((_, i) => name(one, i)));
    return h('p', { class: 'score' }, F('ask_score', { right: names.filter(one => known[one] === 1).length, all: names.length }));
  }
  const button = (text, call, cls = '') => { const b = h('button', { type: 'button', class: cls }, text); b.addEventListener('click', call); return b; };

  function question(q, i) {
    const { replay, words, id } = tools;
    const skip = button(L('ask_skip'), () => { asked[name(replay, i)] = { skipped: true }; tools.act('next'); tools.each('controls'); }, 'quiet');
    const commit = () => button(L('ask_commit'), () => answer(q, i), 'go');
    inputs = [];
    if (q.what === 'points') {
      inputs = [h('input', { type: 'number', id: id + '-points', step: 1, inputmode: 'numeric', min: -999, max: 999 })];
      return [h('label', { for: id + '-points' }, L('ask_points')), inputs[0], commit(), skip];
    }
    if (q.what === 'winner') return [...q.choices.map(one => button(one.v < 0 ? L('ask_nobody') : h('bdi', {}, replay.names[one.v]), () => answer(q, i, one.v))), skip];
    inputs = q.choices.map(one => h('input', { type: 'checkbox', value: one.v, 'aria-label': words.cards[one.v] || one.v }));
    return [...q.choices.map((one, n) => h('label', { class: 'pick suit' + one.v[1] }, [inputs[n], h('span', { 'aria-hidden': 'true' }, words.short[one.v] || one.v)])), commit(), skip];
  }
  function answer(q, i, chosen) {
    const { replay, words } = tools;
    let right, why = '', refused = false;
    if (q.what === 'points') {
      if (inputs[0].value === '') { inputs[0].focus(); return; }
      right = +inputs[0].value === q.answer;
      why = q.hints[String(+inputs[0].value)] || '';
    } else {
      const taken = new Set(q.what === 'winner' ? [String(chosen)] : inputs.filter(one => one.checked).map(one => one.value));
      const wrong = q.choices.filter(one => one.ok !== taken.has(String(one.v)));
      right = !wrong.length;
      const first = wrong.find(one => !one.ok) || wrong[0];
      refused = !right && q.what === 'legal' && !first.ok;
      if (!right) why = first.say || (q.what === 'legal' ? F('ask_too', { card: words.short[first.v] || first.v }) : '');
    }
    /* a refused card says the whole reason itself */
    const text = [L(right ? 'ask_right' : 'ask_wrong'), right ? '' : why, !right && refused ? '' : q.reply, q.ruled].filter(Boolean).join(' ');
    asked[name(replay, i)] = { right, text };
    remember(lesson(), { ...scores(), [name(replay, i)]: right ? 1 : 0 });
    tools.each('redraw');
    listen(text);
    tools.parts.buttons.next.focus({ preventScroll: true });
  }
  /* said to who listens, in the one live region; who looks reads it in the box */
  function listen(text) {
    const live = tools.parts.live;
    live.querySelector('.sr')?.remove();
    live.append(h('span', { class: 'sr' }, ' ' + text));
  }
  function redraw() {
    if (!box) return;
    const { replay } = tools, step = tools.stepNow(), here = at(replay, step), open = waiting(replay, step);
    const last = [...here].reverse().find(([, i]) => asked[name(replay, i)]?.text), done = last && asked[name(replay, last[1])];
    const key = `${step}/${open ? open[1] : ''}/${done ? done.text : ''}/${JSON.stringify(scores())}`;
    if (key === shown) return;
    shown = key;
    box.replaceChildren(...content(open, done));
  }
  function arrive() {
    const open = box && waiting(tools.replay, tools.stepNow());
    if (!open) return;
    listen(open[0].text);
    /* only while somebody is stepping here: a page that opens at a question must not jump */
    if ((tools.root.contains(document.activeElement) || store.timer) && box.getBoundingClientRect().bottom > innerHeight) box.scrollIntoView({ block: 'end' });
  }
  const content = (open, done) => open ? [done ? h('p', { class: 'reply' }, done.text) : '', h('p', { class: 'q' }, open[0].text), h('div', { class: 'answers', role: 'group', 'aria-label': open[0].text }, question(...open)), score()].filter(Boolean)
    : [done ? h('p', { class: 'reply', 'data-right': String(done.right) }, done.text) : '', score(), again()].filter(Boolean);
  function again() {
    const { replay } = tools;
    if (!Object.keys(asked).some(one => one.startsWith(replay.lesson + '#'))) return '';
    return button(L('ask_again'), () => {
      for (const one of Object.keys(asked)) if (one.startsWith(replay.lesson + '#')) delete asked[one];
      remember(lesson(), {});
      tools.each('redraw');
    }, 'quiet');
  }
  /* room for the tallest question, and where there is space for the longest reply too, so that nothing below moves */
  function resize() {
    if (!box) return;
    box.style.minHeight = '';
    const { asks } = tools.replay, length = q => q.reply.length + q.ruled.length + Math.max(0, ...(q.choices || []).map(one => (one.say || '').length));
    const filler = 'n '.repeat(Math.max(...asks.map(length)) / 2 + 8);
    /* of two questions at one step the reply to the first stays above the second */
    const heights = asks.map((q, i) => {
      box.replaceChildren(...content([q, i], i && asks[i - 1].step === q.step && { text: filler }));
      return box.getBoundingClientRect().height;
    });
    box.replaceChildren(h('p', { class: 'reply' }, filler), score(), button(L('ask_again'), () => {}, 'quiet'));
    box.style.minHeight = Math.ceil(Math.max(tools.size === 's' ? 0 : box.getBoundingClientRect().height, ...heights)) + 'px';
    shown = '';
    redraw();
  }
  return {
    frame, resize, changed: redraw, step() { redraw(); arrive(); },
    blocked() { if (box) { listen(L('ask_first')); box.querySelector('.answers button, .answers input')?.focus(); } },
    key(event) {
      if (event.key !== 'Enter' || !box || event.target.type !== 'number' || !box.contains(event.target)) return false;
      const open = waiting(tools.replay, tools.stepNow());
      event.preventDefault();                            // the focus moves to a button, which this key must not press
      if (open) answer(...open);
      return true;
    },
  };
});
