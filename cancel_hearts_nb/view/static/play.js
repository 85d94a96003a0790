
/* ---------- playing: the set-up form, the person's hand, and what is asked. The trait `play` says what is asked and
   `form` which fields there are; frames come as messages and are added to the replay that runs. Whatever is answered
   carries the stamp of its question, and Python judges it: here are no rules. */
const PACE = { Played: .42, Passed: .18, Received: .22, HandStarted: .3, Dealt: .6, LeadAssigned: .25, HeartsBroken: .5, PairCancelled: .8, TrickWon: .9, TrickDead: 1.1, AsideTaken: .8 };
const LOST_AFTER = 8000;

/* One of these for each model: what the views of one table share while it is played. */
function playing(store, model, go, mind) {
  if (store.playing) return store.playing;
  const live = store.playing = { views: new Set(), timer: 0, from: 0, at: 0, pending: 0, count: 0, waiting: 0, later: null, chosen: new Set(), stamp: null, hint: [], bars: {}, sheet: false, setup: false, open: {} };
  live.confirm = recall('confirm', false) === true;
  const all = () => model.get('replays') || [], state = () => model.get('play') || {};
  const paint = () => live.views.forEach(view => view.paint());
  const last = replay => replay.frames.length - 1;
  live.state = state;
  live.running = () => all()[all().length - 1];
  live.shows = () => !!state().on && all().length > 0 && (model.get('replay') | 0) === all().length - 1;
  /* the frames and the question that follows them come one after the other: only both together are an offer to act */
  live.ready = () => live.shows() && !live.timer && (model.get('step') | 0) >= last(live.running()) && (state().count || [])[all().length - 1] === live.running().frames.length;
  const save = () => { try { Promise.resolve(model.save_changes()).catch(() => {}); } catch { /* no kernel */ } };

  /* One intent at a time. The form's latest word waits for its turn, so that "start" pressed while the form is still
     being renewed is not lost. A hint changes nothing, and the next question may be here before the word that ends the
     answer to the last one: what is pressed then waits, too. Anything else is meant for a question that is already
     answered, and is dropped. */
  live.taken = () => live.pending > 0 && live.doing !== 'hint' && state().stamp === live.asked;
  live.send = intent => {
    if (live.pending) {
      if (/^(form|start)$/.test(intent.do) && live.doing !== 'start') live.queued = intent.do;
      else if (!live.taken() && (live.doing !== 'hint' || intent.do !== 'hint')) live.later = { ...intent, stamp: state().stamp };
      return false;
    }
    live.doing = intent.do;
    live.asked = state().stamp;
    live.later = null;
    const id = live.pending = ++live.count;
    clearTimeout(live.waiting);
    live.waiting = setTimeout(() => { if (live.pending === id) { live.pending = 0; live.later = null; mind.tell(true); paint(); } }, LOST_AFTER);
    try { model.send({ kind: 'play', stamp: state().stamp, ...intent, id }); } catch { clearTimeout(live.waiting); live.pending = 0; mind.tell(true); }
    paint();
    return true;
  };
  live.act = (what, more) => live.send({ do: what, ...more });

  /* the new frames, one after the other; a click, a key or a step of one's own ends it */
  live.run = () => {
    clearTimeout(live.timer); live.timer = 0;
    live.from = live.at = model.get('step') | 0;
    const next = () => {
      live.timer = 0;
      const replay = live.running(), step = model.get('step') | 0;
      if (!live.shows() || step !== live.at || step >= last(replay)) return rest();
      live.at = step + 1;
      live.timer = setTimeout(next, SPEEDS[store.speed] * (PACE[replay.frames[step + 1].e] ?? .6));
      go(step + 1);
    };
    next();
  };
  const rest = () => { live.views.forEach(view => view.rest()); paint(); };
  live.skip = () => {
    if (!live.timer) return;
    clearTimeout(live.timer); live.timer = 0;
    go(last(live.running()));
    rest();
  };
  live.home = () => {                             // from wherever one looked back to what is asked now
    clearTimeout(live.timer); live.timer = 0;
    const end = last(live.running());
    model.set('step', end); model.set('replay', all().length - 1); save(); paint();
  };

  const grown = () => live.views.forEach(view => view.grown());
  const hear = {
    more(m) {
      const replay = all()[m.replay];
      if (!replay || replay.frames.length !== m.from) return live.sync();
      for (const name of ['frames', 'captions', 'where']) replay[name].push(...m[name]);
      replay.links = { ...replay.links, ...m.links };
      replay.why = { ...replay.why, ...m.why };
      const folds = store.folds.get(replay);
      if (folds) folds.stops = undefined;
      grown();
      if ((model.get('replay') | 0) === m.replay && !live.timer) live.run();
    },
    cut(m) {
      const replay = all()[m.replay];
      if (!replay || replay.frames.length < m.to) return live.sync();
      clearTimeout(live.timer); live.timer = 0;
      for (const name of ['frames', 'captions', 'where']) replay[name].length = m.to;
      for (const step in replay.why) if (+step >= m.to) delete replay.why[step];
      store.folds.delete(replay);
      grown();
      if ((model.get('replay') | 0) === m.replay) go(m.to - 1);
    },
    hand(m) {
      all().push(m.replay);
      model.set('step', m.replay.start | 0); model.set('replay', all().length - 1); save();
      live.run();
    },
    note(m) {
      live.asked = null;                          // this is the answer: nothing has changed, and the question is open again
      live.hint = m.cards || []; live.bars = m.bars || {};
      live.views.forEach(view => view.note(m));
    },
  };
  live.sync = () => { live.pending = 0; live.send({ do: 'sync' }); };
  live.check = () => { const count = state().count; if (count && (count.length !== all().length || count.some((n, i) => n !== all()[i].frames.length))) live.sync(); };
  const onMessage = m => {
    if (m && hear[m.type]) hear[m.type](m);
    else if (m && 'reply' in m) {                 // the end of an answer; what failed stands in the table's notice
      if (m.reply === live.pending) { clearTimeout(live.waiting); live.pending = 0; }
      paint();
      const next = live.queued, later = live.later;
      if (later && !live.pending) { live.later = null; if (later.stamp === state().stamp) live.send(later); }
      if (next && !live.pending) { live.queued = ''; live.views.forEach(view => view.ask(next)); }
    }
  };
  const onPlay = () => {
    const now = state(), other = live.match && live.match !== now.match;
    live.match = now.match;
    if (live.stamp !== now.stamp) {
      const first = live.stamp === null;
      live.stamp = now.stamp; live.chosen.clear(); live.hint = []; live.bars = {};
      if (first) chosenBefore(now);
    }
    live.keep();
    if (other) onReplays(); else begin();         // a match that is dealt like the one before has the same replays
  };
  const onReplays = () => {                       // another match, or this one from its beginning
    clearTimeout(live.timer); live.timer = 0;
    live.setup = live.sheet = false;
    live.fresh = true;
    begin();
  };
  const begin = () => {
    if (live.fresh && live.shows()) {
      live.fresh = false;
      live.views.forEach(view => view.seat());
      // the step of the match before may be later than this one's last
      if ((model.get('step') | 0) > last(live.running())) model.set('step', last(live.running()));
      if ((model.get('step') | 0) < last(live.running())) live.run();
    }
    paint();
  };
  /* A dashboard's address keeps the game and the cards chosen so far, so that a reload goes on with them, and so does a
     site's. A notebook's address is not ours. */
  live.keep = () => {
    const { code } = state();
    if (!code || !('voila' in document.body.dataset || 'chnbSite' in document.body.dataset)) return;
    try {
      const url = new URL(location.href);
      for (const name of ['hand', 'at', 'step', 'chosen']) url.searchParams.delete(name);
      url.searchParams.set('play', code);
      if (live.chosen.size) url.searchParams.set('chosen', [...live.chosen].join('.'));
      history.replaceState(history.state, '', url);
    } catch { /* a page without an address of its own */ }
  };
  const chosenBefore = ({ code, ask }) => {
    const asked = new URLSearchParams(location.search);
    if (!code || asked.get('play') !== code || !('voila' in document.body.dataset)) return;
    for (const key of (asked.get('chosen') || '').split('.')) if (ask.legal?.includes(key) && live.chosen.size < (ask.count || 1)) live.chosen.add(key);
  };
  const onForm = () => live.views.forEach(view => view.form());
  const hooks = [['msg:custom', onMessage], ['change:play', onPlay], ['change:replays', onReplays], ['change:form', onForm]];
  live.start = () => { for (const [name, call] of hooks) model.on(name, call); onPlay(); };
  live.stop = () => { for (const [name, call] of hooks) model.off(name, call); clearTimeout(live.timer); clearTimeout(live.waiting); live.timer = live.pending = 0; };
  return live;
}

PLUGINS.push(tools => {
  const { root, model, store, L, F } = tools;
  if (model.get('form') === undefined) return {};
  const live = playing(store, model, tools.go, minding(store, model, tools.each));
  const button = (name, call, attrs) => { const b = h('button', { type: 'button', class: 'pb', 'data-play': name, ...attrs }, attrs && attrs.text ? '' : L(name)); b.addEventListener('click', call); return b; };
  /* Where the focus stood here when something was asked, it goes on with what is asked next, since what it stood on may
     be gone by then; until somebody presses something else. */
  let going = false;
  const act = (what, more) => { going = root.contains(document.activeElement); return live.act(what, more); };
  const elsewhere = () => { going = false; };
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, elsewhere, true);
  function follow(ready) {
    const now = document.activeElement, prompt = desk.text.closest('.prompt');
    if (!going || live.taken() || now !== document.body && now !== prompt && !desk.more.contains(now) && now.checkVisibility()) return;
    (ready && buttons.get(at) || onward(ready && live.state().ask.kind)).focus({ preventScroll: true });
  }
  /* without a card to choose, the way goes on with what is to be pressed, else with the question itself */
  const onward = kind => kind === 'moon' ? desk.moon.querySelector('button') : kind === 'next' ? desk.next : desk.text.closest('.prompt');
  const inHand = () => parts && hand && hand.contains(document.activeElement);
  let parts, desk, hand, buttons = new Map(), at = '', painted = '', untold = false, sitting = false;

  /* ---------- the form: any fields, as Python lists them */
  const box = h('form', { class: 'setup', novalidate: true });
  const nobody = h('p', { class: 'gone', role: 'alert', hidden: true });
  root.prepend(nobody, box);
  box.addEventListener('submit', event => { event.preventDefault(); askForm('start'); });
  box.addEventListener('change', ({ target }) => { if (target.dataset.renew || target.ariaInvalid) askForm('form'); });
  box.addEventListener('toggle', event => { if (event.target.dataset && event.target.dataset.group) live.open[event.target.dataset.group] = event.target.open; }, true);
  let told = {};                                  // what Python knows of each field here: one that differs from it was changed since
  const askForm = what => { live.asking = box; const now = values(); if (act(what, { values: now })) told = now; };
  const values = () => {
    const found = { ...(model.get('form').kept || {}) };
    for (const field of box.elements) if (field.name) found[field.name] = field.type === 'checkbox' ? field.checked : field.value;
    return found;
  };
  const changedSince = () => { const now = values(); return Object.fromEntries(Object.entries(now).filter(([name, value]) => name in told && told[name] !== value)); };
  /* Somebody may be typing while a renewed form comes: what is the same in both stays on the page, with its focus and its caret. */
  let drawn = new Map();
  function field(one) {
    const fid = `${tools.id}-f-${one.id}`, help = one.help ? h('small', { id: fid + '-help' }, one.help) : '';
    const common = { id: fid, name: one.id, 'data-renew': one.renew ? '1' : null };
    const label = h('label', { for: fid }, one.label);
    if (one.kind === 'check') {
      const input = h('input', { type: 'checkbox', ...common });
      return { input, node: h('div', { class: 'fd check' }, [input, label, help]) };
    }
    let input;
    if (one.kind === 'select') {
      input = h('select', common, one.options.map(([value, text]) => h('option', { value }, text)));
    } else {
      input = h('input', one.kind === 'number' ? { type: 'number', min: one.least, max: one.most, ...common }
        : { type: 'text', maxlength: one.most, inputmode: one.digits ? 'numeric' : null, autocomplete: 'off', dir: one.digits ? 'ltr' : 'auto', ...common });
    }
    /* a closed list cuts long sentences off, so the chosen one stands below, for the eye alone */
    const whole = one.options && !one.help && one.options.some(([, text]) => text.length > 30) ? h('small', { 'aria-hidden': 'true' }) : '';
    const tell = () => { if (whole) say(whole, input.selectedOptions[0]?.text || ''); };
    input.addEventListener('change', tell);
    return { input, tell, node: h('div', { class: 'fd' }, [label, input, help, whole]) };
  }
  function group(one) {
    const fields = h('div', { class: 'fds' });
    if (!one.fold) return { fields, node: h('fieldset', {}, [h('legend', { class: 'sr' }, one.title), fields]) };
    return { fields, node: h('details', { 'data-group': one.id, open: !!live.open[one.id] }, [h('summary', {}, one.title), fields]) };
  }
  const title = h('b', { class: 'h' }), start = h('button', { type: 'submit', class: 'pb main', 'data-play': 'start' });
  const fault = h('p', { class: 'fault', role: 'alert', tabindex: '-1', id: tools.id + '-fault' });
  const back = h('button', { type: 'button', class: 'pb', 'data-play': 'back_to_table' }), acts = h('div', { class: 'acts' }, [start, back]);
  back.addEventListener('click', () => { live.setup = false; going = true; paint(); tools.draw(true); });
  function form() {
    const given = model.get('form'), focused = box.contains(document.activeElement) ? document.activeElement.name || '' : null;
    if (!given || !given.groups) return;
    const since = changedSince(), next = new Map();
    const stay = (key, like, make) => {
      const before = drawn.get(key), text = JSON.stringify(like), it = before && before.text === text ? before.it : make();
      next.set(key, { text, it });
      return it;
    };
    say(title, L('setup')); say(start, L('start')); say(back, L('back_to_table'));
    arrange(box, [title, fault, ...given.groups.map(({ fields, ...about }) => {
      const here = stay('group ' + about.id, about, () => group(about));
      arrange(here.fields, fields.map(({ value, ...one }) => {
        const { input, node, tell } = stay(one.id, one, () => field(one)), wrong = one.id === given.faulty;
        const wish = one.id in since ? since[one.id] : value, set = to => { if (input.value !== to) input.value = to; };
        if (one.kind === 'check') input.checked = wish;
        else { set(wish); if (input.value !== wish) set(value); tell(); }     // a wish may be no longer on the list
        told[one.id] = one.id in since ? value : one.kind === 'check' ? input.checked : input.value;
        put(input, { 'aria-describedby': [one.help ? input.id + '-help' : '', wrong ? fault.id : ''].join(' ').trim() || null, 'aria-invalid': wrong ? 'true' : null });
        if (wrong && about.fold) here.node.open = true;
        return node;
      }));
      return here.node;
    }), acts]);
    drawn = next;
    say(fault, given.fault || '');
    if (focused !== null && given.fault && !focused) fault.focus();
    else if (focused !== null && !box.contains(document.activeElement)) (box.elements[focused] || start).focus();
    paint();
  }

  /* ---------- what stands between the table and the hand */
  function frame() {
    parts = tools.parts;
    const row = parts.rows[0] && tools.replay.viewer !== null ? parts.rows[0] : null;
    if (!row) { desk = hand = null; return; }
    const d = desk = {};
    d.icon = h('span', { class: 'to', 'aria-hidden': 'true' });
    d.text = h('span', { class: 'pq' });
    d.count = h('span', { class: 'cn' });
    d.moon = h('div', { class: 'moon', role: 'group' });
    d.commit = button('commit_play', commit, { class: 'pb main' });
    d.next = button('next_hand', () => act('next'), { class: 'pb main' });
    d.skip = button('skip', () => live.skip());
    d.home = button('back_to_game', live.home, { class: 'pb main' });
    d.over = [button('new_deal', () => act('new'), { class: 'pb main' }), button('start_again', () => act('match'))];
    d.hint = button('hint', () => act('hint'));
    d.undo = button('undo', () => act('undo'));
    d.sheetButton = button('sheet', () => { live.sheet = !live.sheet; all(); }, { 'aria-expanded': 'false', 'aria-controls': tools.id + '-sheet' });
    d.look = button('look_back', () => { d.looking = !d.looking; paint(); }, { 'aria-expanded': 'false' });
    d.confirm = h('input', { type: 'checkbox', id: tools.id + '-confirm' });
    d.confirm.addEventListener('change', () => {
      remember('confirm', live.confirm = d.confirm.checked);
      live.chosen.clear(); live.keep(); all();
    });
    d.again = [button('same_deal', () => act('hand')), button('start_again', () => act('match')), button('new_deal', () => act('new')),
      button('change_table', () => { live.setup = true; all(); box.querySelector('select, input')?.focus(); })];
    d.more = h('details', { class: 'again' }, [h('summary', { class: 'pb' }, L('more_acts')), h('div', { class: 'acts' }, [...d.again, d.look,
      h('span', { class: 'check' }, [d.confirm, h('label', { for: d.confirm.id }, L('confirm'))])])]);
    parts.sub.after(d.seed = h('span', { class: 'seed' }));
    d.more.addEventListener('click', event => {
      if (!event.target.closest('.acts button')) return;
      d.more.open = false;
      const now = document.activeElement;
      if (now === document.body || d.more.contains(now)) d.more.firstChild.focus({ preventScroll: true });
    });
    d.warning = h('p', { class: 'fault' });
    d.box = h('div', { class: 'desk', role: 'group', 'aria-label': L('desk') }, [h('p', { class: 'prompt', tabindex: '-1' }, [d.icon, d.text, d.count]), d.moon,
      h('div', { class: 'acts' }, [d.commit, d.next, ...d.over, d.home, d.skip, d.hint, d.undo, d.sheetButton, d.more]), d.warning]);
    d.sheet = h('div', { class: 'scores', id: tools.id + '-sheet' });
    parts.hands.before(d.box);
    d.box.after(d.sheet);
    hand = h('div', { class: 'hand' });
    hand.addEventListener('click', event => { const b = event.target.closest('button'); if (b) tap(b.dataset.key, event.detail); });
    hand.addEventListener('keyup', event => { if (event.key === ' ') event.preventDefault(); });
    for (const [name, on] of [['pointerover', 1], ['pointerout', 0]]) hand.addEventListener(name, event => { const b = event.target.closest('button'); if (b) { b.dataset.hot = on ? '1' : ''; marks(); } });
    for (const name of ['focusin', 'focusout']) hand.addEventListener(name, event => { if (name === 'focusin' && event.target.dataset.key) rove(event.target.dataset.key); marks(); });
    row.row.append(hand, h('span', { id: tools.id + '-came', hidden: true }, L('received')));
    buttons = new Map(); at = ''; painted = '';
  }
  const all = () => live.views.forEach(view => view.paint());

  /* ---------- the hand: one tab stop, real buttons over the drawn cards */
  function held() {
    const state = tools.stateAt(tools.replay, tools.stepNow()), me = tools.replay.viewer;
    return inZone(state, 'h').filter(key => state.cards[key][2] === me && state.cards[key][0]).map(key => [key, state.cards[key][0]]);
  }
  const got = cards => {                           // what came in the pass stays marked until the person has played
    const replay = tools.replay, step = tools.stepNow(), state = tools.stateAt(replay, step);
    if (state.s.trick > 1 || !state.n[replay.viewer]) return new Set();
    for (let i = step; i > 0; i--) {
      const frame = replay.frames[i];
      if (frame.e === 'Played' && frame.d.some(([, , zone, seat]) => zone === 't' && seat === replay.viewer)) return new Set();
      if (frame.e !== 'Received') continue;
      const before = tools.stateAt(replay, i - 1).cards;
      const came = cards.map(([key]) => key).filter(key => before[key] && before[key][1] === 'p' && tools.stateAt(replay, i).cards[key][1] === 'h');
      if (came.length) return new Set(came);
    }
    return new Set();
  };
  function lay() {
    const u = tools.u, spec = tools.spec.hands, cards = held();
    const had = inHand(), was = [...buttons.keys()].indexOf(at);
    const places = placesOf(spec, tools.replay.viewer, cards.map(([, card]) => card));
    for (const [key, b] of buttons) if (!cards.some(([k]) => k === key)) { b.remove(); buttons.delete(key); }
    const seen = new Set(), before = buttons;
    buttons = new Map();
    cards.forEach(([key, card], i) => {
      const b = before.get(key) || h('button', { type: 'button', 'data-key': key, tabindex: '-1' });
      if (hand.children[i] !== b) hand.insertBefore(b, hand.children[i] || null);
      const [x, y] = places[i], [w, hh] = spec.card;
      Object.assign(b.style, { left: tools.px(x - w / 2), top: tools.px(y - hh / 2), width: tools.px(w), height: tools.px(hh) });
      const next = places[i + 1];                  // what the next card leaves free of this one
      b.style.setProperty('--free', tools.px(next && next[1] === y ? Math.min(w, Math.abs(next[0] - x)) : w));
      const name = tools.words.cards[card] || card;
      put(b, { 'aria-label': seen.has(card) ? F('second_copy', { card: name }) : name });
      seen.add(card);
      buttons.set(key, b);
    });
    const keys = [...buttons.keys()];
    if (!buttons.has(at)) at = keys[Math.min(Math.max(0, was), keys.length - 1)] || '';
    for (const [key, b] of buttons) put(b, { tabindex: key === at ? '0' : '-1' });
    if (had && !inHand()) (buttons.get(at) || desk.box.querySelector('.prompt')).focus({ preventScroll: true });
    return cards;
  }
  function rove(key) {
    if (!buttons.has(key)) return;
    buttons.get(at)?.setAttribute('tabindex', '-1');
    at = key;
    buttons.get(at).setAttribute('tabindex', '0');
  }
  function marks() {
    if (!hand || !tools.spec) return;
    const ready = live.ready(), ask = live.state().ask || {}, came = live.shows() ? got(held()) : new Set();
    const focused = inHand() && document.activeElement.matches(':focus-visible') ? document.activeElement.dataset.key : '';
    for (const [key, n] of tools.nodes) {
      const b = buttons.get(key), said = [];
      if (b && live.shows()) {
        const refused = ready && ask.kind === 'play' && ask.refused[key];
        if (ready && ask.kind === 'play') said.push(refused ? 'no' : 'yes');
        if (ready && live.chosen.has(key)) said.push('pick');
        if (ready && live.hint.includes(key)) said.push('hint');
        if (came.has(key)) said.push('got');
        if (b.dataset.hot) said.push('hot');
        if (focused === key) said.push('foc');
        const bar = ready && live.bars[key];
        const listbox = ready && (ask.kind === 'pass' || live.confirm && ask.kind === 'play');
        put(b, { 'aria-disabled': refused ? 'true' : null, role: listbox ? 'option' : null, 'aria-selected': listbox ? String(live.chosen.has(key)) : null,
          'aria-describedby': came.has(key) && !bar ? tools.id + '-came' : null, 'aria-description': bar ? bar[2] : null, title: bar ? bar[2] : null });
        if (!bar) b.replaceChildren();
        else if (!b.firstChild || b.firstChild.textContent !== bar[1]) { const one = h('span', { class: 'exp', 'aria-hidden': 'true' }, bar[1]); one.style.setProperty('--part', bar[0]); b.replaceChildren(one); }
      }
      const mark = said.join(' ');
      if ((n.box.dataset.mark || '') !== mark) { if (mark) n.box.dataset.mark = mark; else delete n.box.dataset.mark; }
    }
    const passing = ready && ask.kind === 'pass', listbox = passing || ready && live.confirm && ask.kind === 'play';
    put(hand, { role: listbox ? 'listbox' : 'toolbar', 'aria-multiselectable': passing ? 'true' : null, 'aria-orientation': 'horizontal', 'aria-label': L(passing ? 'my_pass' : 'my_hand') });
  }

  function tap(key, detail) {
    rove(key);
    if (live.timer) return void (detail > 1 || early());   // a double click means the card, not the moves that follow
    const ask = live.state().ask;
    if (live.taken() || !live.ready()) return void (detail > 1 || tools.tellNote({ text: L('wait') }));
    if (live.pending && detail > 1) return;        // a double click means the question that its first click has answered
    if (ask.kind === 'pass') return choose(key);
    if (ask.kind !== 'play') return tools.tellNote({ text: ask.text });
    const refused = ask.refused[key];
    if (refused) {
      tools.tellNote({ text: refused[0], rule: refused[1], tone: 'no' });
      const el = tools.nodes.get(key)?.box;
      if (el) { el.classList.remove('shake'); el.offsetWidth; el.classList.add('shake'); setTimeout(() => el.classList.remove('shake'), 400); }
    } else if (live.confirm) choose(key);
    else play(key);
  }
  /* A card tried before its time is not refused by any rule: the moves are shown to their end, and it is said whose turn
     it was at the step that stood there, and whether it is one's own now. */
  function early() {
    const { replay } = tools, end = tools.endOf(replay);
    let whose = -1;
    for (let i = tools.stepNow(); whose < 0 && i < end; i++) whose = tools.stateAt(replay, i).s.turn ?? -1;
    live.skip();
    const mine = live.ready() && /^(pass|play)$/.test(live.state().ask.kind), other = whose >= 0 && whose !== replay.viewer;
    const name = other ? (mine ? 'was_turn_now_yours' : 'was_turn') : mine ? 'early_now_yours' : 'early';
    tools.tellNote({ text: other ? F(name, { name: replay.names[whose] }) : L(name) });
    if (!untold) announce();                       // else paint does, when the question has come
  }
  const play = key => act('play', { cards: [key] });
  function choose(key) {
    const ask = live.state().ask, had = live.chosen.has(key);
    if (ask.kind === 'play') live.chosen.clear();
    if (had) live.chosen.delete(key);
    else if (ask.kind === 'play' || live.chosen.size < ask.count) live.chosen.add(key);
    else return tools.tellNote({ text: ask.text, tone: 'no' });
    live.keep();
    tools.tellNote(null);
    all();
  }
  function commit() {
    const ask = live.state().ask || {};
    if (!live.ready() || live.taken()) return;
    if (ask.kind === 'pass' && live.chosen.size === ask.count) act('pass', { cards: [...live.chosen] });
    else if (ask.kind === 'play' && live.chosen.size === 1) act('play', { cards: [...live.chosen] });
    else tools.tellNote({ text: ask.text, tone: 'no' });
  }
  function key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const used = () => { event.preventDefault(); return true; };
    const name = event.key, mine = hand && hand.contains(event.target);
    if (live.timer && (mine || !event.target.closest('button, input, select, summary')) && /^( |Enter|Escape)$/.test(name)) { if (!mine || name === 'Escape') live.skip(); else if (!event.repeat) early(); return used(); }
    if (name === 'Escape' && desk && desk.more.open && desk.more.contains(event.target)) { desk.more.open = false; desk.more.firstChild.focus(); return used(); }
    if (!mine) return false;
    const keys = [...buttons.keys()], i = keys.indexOf(at), suit = j => tools.stateAt(tools.replay, tools.stepNow()).cards[keys[j]][0][1];
    let to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: keys.length - 1 }[name];
    if (name === 'ArrowDown') { to = i; while (to < keys.length - 1 && suit(to) === suit(i)) to++; }
    if (name === 'ArrowUp') { to = i; while (to > 0 && suit(to) === suit(i)) to--; while (to > 0 && suit(to - 1) === suit(to)) to--; }
    if (to !== undefined) { buttons.get(keys[(to + keys.length) % keys.length]).focus(); return used(); }
    if (name === 'Escape' && live.chosen.size) { live.chosen.clear(); live.keep(); all(); return used(); }
    const ask = live.state().ask || {};
    if (name === ' ') {
      if (live.ready() && ask.kind === 'play' && !ask.refused[at] && !live.taken()) choose(at); else tap(at, 1);
      return used();
    }
    if (name === 'Enter') {
      if (event.repeat) return used();
      if (live.ready() && !live.taken() && ask.kind === 'pass' && live.chosen.size === ask.count) commit();
      else if (live.ready() && !live.taken() && ask.kind === 'play' && live.chosen.has(at)) commit();
      else tap(at, 1);
      return used();
    }
    return false;
  }
  const onClick = event => { if (live.timer && !event.target.closest('button, input, select, summary, label, details, a')) live.skip(); };
  root.addEventListener('click', onClick);

  /* ---------- what is asked, in words and buttons */
  const gone = state => L(!('voila' in document.body.dataset) ? 'lost_here' : state.code ? 'lost' : 'lost_empty');
  function paint() {
    const state = live.state(), setup = !state.on || live.setup;
    put(root, { 'data-play': setup ? 'form' : 'live' });
    box.hidden = !setup;
    back.hidden = !state.on;
    say(nobody, store.lost && setup ? gone(state) : '');
    nobody.hidden = !nobody.textContent;
    if (!desk || !parts || !tools.spec || !state.on) return;
    const d = desk, ask = state.ask || {}, ready = live.ready(), shows = live.shows(), looking = !ready && !live.timer && !live.pending && !(shows && tools.stepNow() >= tools.endOf(tools.replay));
    const one = (el, on) => { if (el.hidden === !!on) el.hidden = !on; };
    const passing = ready && ask.kind === 'pass', play = ready && ask.kind === 'play';
    put(d.text, { role: store.lost ? 'alert' : null });
    say(d.text, store.lost ? gone(state) : looking ? L('looking') : ready ? ask.text || '' : L('others_play'));
    put(d.box, { 'data-lost': store.lost ? '1' : null });
    const way = passing && !store.lost ? ask.way : '';
    if (d.way !== way) { d.way = way; d.icon.replaceChildren(...(way ? [icon(way)] : [])); }
    say(d.count, store.lost ? '' : passing ? F('chosen_of', { a: live.chosen.size, b: ask.count }) : play && got(held()).size ? L('received_note') : '');
    const choices = ready && ask.kind === 'moon' ? ask.choices : [], sig = JSON.stringify(choices);
    if (d.sig !== sig) { d.sig = sig; d.moon.replaceChildren(...choices.map(([value, text]) => { const b = button('moon', () => act('moon', { choice: value }), { class: 'pb main', text: 1, 'data-choice': value }); b.append(text); return b; })); }
    one(d.moon, choices.length);
    one(d.commit, passing || play && (live.confirm || live.chosen.size));
    say(d.commit, L(passing ? 'commit_pass' : 'commit_play'));
    put(d.commit, { 'aria-disabled': live.chosen.size === (passing ? ask.count : 1) ? null : 'true' });
    one(d.next, ready && ask.kind === 'next');
    one(d.skip, live.timer);
    one(d.home, looking);
    one(d.hint, state.lessons && !looking && !/next|over/.test(ask.kind)); one(d.undo, state.lessons && !looking);
    for (const b of [d.hint, d.undo]) put(b, { 'aria-disabled': ready ? null : 'true' });
    d.confirm.checked = live.confirm;
    say(d.seed, state.seed ? F('seed_is', { n: state.seed }) : '');
    say(d.warning, state.warning || ''); one(d.warning, state.warning);
    put(d.look, { 'aria-expanded': String(!!d.looking) });
    root.classList.toggle('looking', !!d.looking || looking);
    const over = ready && /next|over/.test(ask.kind);
    for (const b of d.over) one(b, ready && ask.kind === 'over');
    put(root, { 'data-over': over || ready && ask.kind === 'moon' ? '1' : null });
    sheet(over || live.sheet); one(d.sheetButton, !over);
    parts.rows[0].cards.hidden = shows && !looking;
    hand.hidden = !shows || looking;
    if (!hand.hidden) lay();
    parts.seats.forEach((seat, i) => put(seat.box, { 'data-to': passing && ask.to === i ? '1' : null }));
    marks();
    if (ready && untold) announce();
    const mode = ready + ask.kind + state.stamp;
    if (ready && painted !== mode && painted) after(ask);
    painted = mode;
    if (!setup) follow(ready);
    bring();
  }
  function after(ask) {                            // the hand is played out: the way goes on with the next button
    if (!buttons.size && (document.activeElement === document.body || desk.box.contains(document.activeElement))) onward(ask.kind).focus({ preventScroll: true });
  }
  function sheet(open) {
    const d = desk, data = live.state().sheet || { rows: [], totals: [], winners: [] }, names = tools.replay.names;
    put(d.sheetButton, { 'aria-expanded': String(!!open) });
    d.sheet.hidden = !open;
    const sig = open ? JSON.stringify(data) : '';
    if (d.sheetSig === sig) return;
    d.sheetSig = sig;
    if (!open) return d.sheet.replaceChildren();
    const cell = (tag, text, attrs) => h(tag, attrs || {}, text);
    d.sheet.replaceChildren(h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': L('sheet') }, h('table', { class: names.length > 5 ? 'many' : '' }, [
      h('caption', { class: 'sr' }, L('sheet')),
      h('thead', {}, h('tr', {}, [cell('th', L('sheet_hand'), { scope: 'col' }), ...names.map((name, i) => h('th', { scope: 'col', class: i === live.state().seat ? 'me' : '' }, [h('bdi', {}, name), data.winners.includes(i) ? h('small', {}, L('winner')) : '']))])),
      h('tbody', {}, data.rows.map(([number, points]) => h('tr', {}, [cell('th', String(number), { scope: 'row' }), ...points.map(n => cell('td', String(n), { dir: 'ltr' }))]))),
      h('tfoot', {}, h('tr', {}, [cell('th', L('sheet_total'), { scope: 'row' }), ...data.totals.map((n, i) => cell('td', String(n), { dir: 'ltr', class: data.winners.includes(i) ? 'won' : '' }))])),
    ])));
  }

  const view = {
    paint, form, ask: what => { if (live.asking === box) askForm(what); },
    grown: () => tools.grown(),
    note: said => { tools.tellNote(said); marks(); },
    rest() { untold = true; },
    seat() { sitting = true; },
  };
  /* a match has begun: table and hand are brought on the screen, or where both do not fit the hand and what is above it */
  function bring() {
    if (!sitting || !hand?.offsetHeight) return;
    sitting = false;
    const under = one => one.getBoundingClientRect().bottom, top = root.getBoundingClientRect().top;
    const asking = desk.text.closest('.prompt'), lowest = under(hand) > under(asking) ? hand : asking;
    if (top >= 0 && under(lowest) <= innerHeight) return;
    if (under(lowest) - top <= innerHeight) root.scrollIntoView({ block: 'start' }); else lowest.scrollIntoView({ block: 'end' });
  }
  /* the steps of the others were shown without a word to listeners: now they are told at once, in one piece */
  function announce() {
    untold = false;
    const end = tools.stepNow(), early = tools.replay.captions.slice(live.from + 1, end).join(' '), ask = live.state().ask;
    put(parts.live, { 'aria-live': 'polite' });
    if (early) parts.live.prepend(h('span', { class: 'sr' }, early + ' '));
    parts.live.append(h('span', { class: 'sr' }, ' ' + ask.text));
  }
  live.views.add(view);
  if (live.views.size === 1) live.start();
  queueMicrotask(() => { form(); paint(); live.check(); });
  return {
    frame, key,
    lost() { if (!store.lost && !live.pending) live.check(); paint(); },
    step() { if (live.timer) put(parts.live, { 'aria-live': 'off' }); paint(); },
    cleanup() { live.views.delete(view); if (!live.views.size) { live.stop(); store.playing = null; } root.removeEventListener('click', onClick); for (const type of ['pointerdown', 'keydown']) removeEventListener(type, elsewhere, true); },
  };
});
