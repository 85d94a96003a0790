/* The card table in the browser: moves keyed nodes to the places that Python computed, and steps through frames.
   It holds no words (trait `words`), no rules (the frames say what happened), no geometry (trait `layouts`: numbers in
   thousandths of the width) and no faces (trait `faces`). Names and sentences enter the page as text, never as markup. */

const SPEEDS = { slow: 2600, normal: 1500, fast: 800 };
const GLIDE = 240, EASE = 'cubic-bezier(.3,.7,.25,1)';   // how cards run, in milliseconds
const DECKS = ['two', 'four', 'safe'];
const READ = ['h', 't', 'p', 'c'];                // keys that read aloud: hand, trick, points, cards left
const ICONS = {
  first: 'M5 4v12M16 4l-7 6 7 6z', back: 'M14 4l-7 6 7 6z', next: 'M6 4l7 6-7 6z', last: 'M15 4v12M4 4l7 6-7 6z',
  play: 'M6 3.5l10 6.5-10 6.5z', pause: 'M6 4v12M13.5 4v12', chev: 'M7 4l6 6-6 6',
  card: 'M6.5 2.5h7a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2z',
  tricks: 'M4 6.5h6a1.5 1.5 0 0 1 1.5 1.500v8a1.5 1.5 0 0 1-1.5 1.500h-6a1.5 1.5 0 0 1-1.5-1.500v-8a1.5 1.5 0 0 1 1.5-1.500zM6 3.500h8.500a2 2 0 0 1 2 2v9',
  unbroken: 'M10 16.500C6 12.5 3 10 3 7a3.6 3.6 0 0 1 7-1.200A3.6 3.6 0 0 1 17 7c0 3-3 5.5-7 9.500z',
  broken: 'M10 16.500C6 12.5 3 10 3 7a3.6 3.6 0 0 1 7-1.200A3.6 3.6 0 0 1 17 7c0 3-3 5.5-7 9.500zM10 6l-2 3 3.5 2-2 5',
  left: 'M17 10H4M9 4.500L3.5 10 9 15.5', right: 'M3 10h13M11 4.500l5.5 5.5-5.5 5.5', across: 'M10 17V4M4.5 9L10 3.5 15.5 9',
  way: 'M16.5 10a6.5 6.5 0 1 1-2.2-4.900M14.8 1.500v4h-4',
};
/* What a table can do beside replaying: other files of this folder, joined to this one, add makers here. A maker gets
   the view's tools and returns any of frame(), step(step, state), resize(), key(event) → true when used, blocked(),
   lost(), changed() and cleanup(). */
const PLUGINS = [];
const icon = name => s('svg', { class: 'ic ic-' + name, viewBox: '0 0 20 20', 'aria-hidden': 'true' }, s('path', { d: ICONS[name] }));

/* ---------- frames: later placements replace earlier ones (the same lines stand in scene.py) */
function foldTo(states, frames, step) {
  for (let i = states.length; i <= step; i++) {
    const before = states[i - 1], frame = frames[i];
    const now = { cards: before ? { ...before.cards } : {}, s: before ? { ...before.s } : {}, n: before ? { ...before.n } : {} };
    for (const [key, ...place] of frame.d || []) now.cards[key] = place;
    for (const key in frame.s || {}) if (key === 'n') Object.assign(now.n, frame.s.n); else now.s[key] = frame.s[key];
    states.push(now);
  }
  return states[step];
}
/* one word of the status in every frame, without folding the cards: a mount must not cost the whole hand */
function course(frames, key) {
  let now;
  return frames.map(({ s }) => s && key in s ? now = s[key] : now);
}
const inZone = (state, zone) => Object.keys(state.cards).filter(key => state.cards[key][1] === zone)
  .sort((a, b) => state.cards[a][3] - state.cards[b][3]);
function pairsOf(state) {
  const found = {};
  for (const key of inZone(state, 't')) for (const word of state.cards[key][4].split(' ')) if (word[0] === 'x') (found[word] = found[word] || []).push(key);
  return Object.keys(found).sort().map(word => found[word]).filter(keys => keys.length === 2);
}

/* ---------- faces: parts from Python, see faces.py */
function drawParts(list, card, data) {
  return list.flatMap(([what, ...a]) => {
    if (what === 'f') { const some = data.shared[a[0]]; return drawParts(some[card] || some[card[0]] || some[''], card, data); }
    const ink = colour => colour || 'currentColor';
    if (what === 'p') return s('path', { d: a[0], fill: ink(a[1]), stroke: ink(a[2]), 'stroke-width': a[3] });
    const move = `translate(${a[0]} ${a[1]}) scale(${a[2]})`;
    if (what === 'g') return s('g', { transform: move }, drawParts(a[3], card, data));
    const d = what === 'r' ? data.ranks[card[0]] : data.suits[card[1]];
    if (what === 's') return s('path', { d, transform: move, fill: ink(a[3]) });
    return s('path', { d, transform: move, fill: 'none', stroke: ink(a[4]), 'stroke-width': a[3] / Math.abs(a[2]) });
  });
}
function drawFace(card, form, data) {
  const forms = data.forms[form], [w, hh] = forms.box;
  return s('svg', { viewBox: `0 0 ${w} ${hh}`, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }, drawParts(forms[card[0]], card, data));
}

/* ---------- where the cards of a hand lie (the same lines stand in layout.py) */
function placesOf(hands, seat, cards) {
  const [x0, y0] = hands.at[hands.at.length > 1 ? seat : 0], per = hands.per[cards.length], out = [];
  for (let start = 0; start < cards.length; start += per) {
    const row = cards.slice(start, start + per), xs = [0];
    for (let i = 1; i < row.length; i++) xs.push(xs[i - 1] + hands.step + (row[i - 1].slice(1) !== row[i].slice(1) ? hands.gap : 0));
    const left = hands.mid ? x0 - xs[xs.length - 1] / 2 : x0;
    for (const x of xs) out.push([left + x, y0 + hands.dy * (start / per)]);
  }
  return out;
}

export default () => {
  /* One of these for each model: what the views of one table share besides the traits. */
  const store = {
    model: null, timer: 0, saving: 0, byTrick: false, views: new Set(), folds: new WeakMap(),
    speed: oneOf(['normal', 'slow', 'fast'], recall('speed')), deck: oneOf(DECKS, recall('deck')), letters: recall('letters', true) === true,
    gate: null,                                  // (replay, step) → whether one may not simply step on from there
    lost: false,                                 // whether the kernel has gone (alive.js)
    watch: null, wrong: '',                      // the watch over exceptions (dom.js), and the last one in words
  };
  function own(given) {
    if (!store.model) {
      store.watch = watched(given, error => { store.wrong = error; each('warn'); });
      store.model = store.watch.model;
    }
    return store.model;
  }
  const each = call => store.views.forEach(view => view[call]());
  const replays = () => store.model.get('replays') || [];
  const replayNow = () => { const all = replays(); return all[Math.min(Math.max(0, store.model.get('replay') | 0), all.length - 1)]; };
  const endOf = replay => replay ? replay.frames.length - 1 : 0;
  const stepNow = () => Math.min(Math.max(0, store.model.get('step') | 0), endOf(replayNow()));
  function folds(replay) {
    if (!store.folds.has(replay)) store.folds.set(replay, []);
    return store.folds.get(replay);
  }
  const stateAt = (replay, step) => foldTo(folds(replay), replay.frames, step);
  function stops(replay) {                       // where a trick is over: the step before the next one begins
    const kept = folds(replay);
    if (!kept.stops) {
      const end = endOf(replay), tricks = course(replay.frames, 'trick');
      kept.stops = tricks.map((_, i) => i).filter(i => i === 0 || i === end || tricks[i] !== tricks[i + 1]);
    }
    return kept.stops;
  }
  function save() {                              // one message for a burst of steps; without a kernel it may fail, and nothing is lost
    clearTimeout(store.saving);
    store.saving = setTimeout(() => {
      try { Promise.resolve(store.model.save_changes()).catch(() => {}); } catch { /* no kernel */ }
    }, 250);
  }
  const set = values => { for (const key in values) store.model.set(key, values[key]); save(); };
  const go = step => { if (step !== store.model.get('step')) set({ step }); };
  const shut = step => !!store.gate && store.gate(replayNow(), step);
  function ahead() {
    const now = stepNow(), end = endOf(replayNow()), to = store.byTrick ? stops(replayNow()).find(i => i > now) ?? end : Math.min(end, now + 1);
    for (let i = now; i < to; i++) if (shut(i)) return i;
    return to;
  }
  const behind = () => store.byTrick ? stops(replayNow()).filter(i => i < stepNow()).pop() ?? 0 : Math.max(0, stepNow() - 1);
  function pause() { if (store.timer) { clearTimeout(store.timer); store.timer = 0; each('controls'); } }
  function tick() {
    store.timer = setTimeout(() => {
      go(ahead());
      if (stepNow() >= endOf(replayNow()) || shut(stepNow())) { store.timer = 0; each('controls'); } else tick();
    }, SPEEDS[store.speed] * (store.byTrick ? 1.6 : 1));
  }
  const acts = {
    first: () => go(0), back: () => go(behind()), last: () => go(endOf(replayNow())),
    next: () => { if (shut(stepNow())) each('blocked'); else go(ahead()); },
    play: () => { if (stepNow() === endOf(replayNow())) go(0); if (shut(stepNow())) each('blocked'); else tick(); each('controls'); },
  };
  function act(name) {
    const was = store.timer;
    pause();
    if (!(name === 'play' && was)) acts[name]();
  }

  function initialize({ model: given }) {
    const model = own(given);
    const stop = () => pause();
    model.on('change:replays', stop);
    model.on('change:replay', stop);
    return () => { clearTimeout(store.timer); clearTimeout(store.saving); store.timer = 0; model.off('change:replays', stop); model.off('change:replay', stop); };
  }

  function render({ model: given, el }) {
    const model = own(given);
    const id = newId('chnb');
    const L = key => words.labels[key] ?? key;
    const F = (key, values) => fill(L(key), values, isolating(words.dir));
    const P = (key, n) => { const forms = words.plurals[key] || {}; return fill(forms[plural.select(n)] ?? forms.other ?? key, { n }, String); };
    const root = h('section', { class: 'chnb', role: 'region', tabindex: '-1', 'data-lm-suppress-shortcuts': 'true', style: `--t:${GLIDE}ms;--ease:${EASE}` });
    const notice = h('p', { class: 'notice', role: 'alert', hidden: true }), picker = h('div', { class: 'picker' }), body = h('div', { class: 'body' });
    const plugins = [];
    root.append(notice, picker, body);
    el.append(root);
    let words, plural, lister, replay, geo, spec, u = 0, width = 0, outer = 0, nodes, parts, shown = -1, ruleOpen = false, note = null, stills = 0;

    /* ---------- the frame of the page, once for each replay */
    function frame() {
      words = model.get('words'); plural = new Intl.PluralRules(words.lang); lister = new Intl.ListFormat(words.lang, { type: 'unit' });
      replay = replayNow();
      /* several tables of a page are told apart by what they show */
      put(root, { lang: words.lang, dir: words.dir, 'aria-label': replay && replay.title ? F('picture', { caption: replay.title }) : L('table') });
      warn(); pick();
      body.replaceChildren();
      nodes = new Map(); shown = -1; spec = null;
      if (!replay || !replay.frames.length) { parts = null; return; }
      geo = model.get('layouts')[replay.layout];
      const n = replay.seats, end = endOf(replay), own = replay.viewer !== null && replay.viewer !== undefined;
      put(root, { 'data-hands': own ? 'one' : 'all' });
      const p = parts = { state: {}, faces: new Map() };
      const cell = key => { p.state[key] = h('dd', { class: 'd-' + key }); return h('div', {}, [h('dt', {}, L(key)), p.state[key]]); };
      p.sub = h('span');
      const head = h('div', { class: 'head' }, [h('div', { class: 'ttl' }, [h('b', {}, replay.game), p.sub]),
        h('dl', { class: 'state' }, ['trick', 'hearts', 'aside', 'pass', 'way'].map(cell))]);
      p.state.way.append(icon('way'), ' ' + L('clockwise'));

      p.bed = s('g'); p.lines = s('g');
      p.felt = s('svg', { class: 'felt', 'aria-hidden': 'true' }, [p.bed, p.lines]);
      p.brackets = h('div', { class: 'brackets', 'aria-hidden': 'true' });
      p.pile = h('div', { class: 'pile' }, [h('b'), h('span'), h('span')]);
      p.list = h('ol', { class: 'trick', 'aria-label': L('trick_list') });
      p.seats = replay.names.map((name, seat) => {
        const counts = h('span', { class: 'ct', 'aria-hidden': 'true' }), read = h('span', { class: 'sr' }), tag = h('span', { class: 'stag' });
        const dealer = h('span', { class: 'dl', title: L('dealer') }, [h('span', { 'aria-hidden': 'true' }, L('dealer_short')), h('span', { class: 'sr' }, L('dealer'))]);
        const box = h('li', { class: 'seat', dir: words.dir }, [h('span', { class: 'nm' }, [h('bdi', { title: name }, name),
          seat === replay.viewer ? h('span', { class: 'yo' }, L('you')) : '', dealer]), counts, read, tag]);
        return { box, counts, read, tag, dealer };
      });
      p.stage = h('div', { class: 'stage' }, [p.felt, p.brackets, p.pile, p.list, h('ol', { class: 'seats', 'aria-label': L('seats') }, p.seats.map(seat => seat.box))]);

      p.where = h('span', { class: 'where' });
      p.live = h('p', { class: 'live', role: 'status', 'aria-live': 'polite' });
      p.say = h('div', { class: 'say' }, [p.where, p.live]);
      p.ruleName = h('b');
      p.ruleButton = h('button', { type: 'button', class: 'rb', 'aria-expanded': String(ruleOpen), 'aria-controls': id + '-rule' }, [h('span', {}, L('rule')), p.ruleName, icon('chev')]);
      p.ruleButton.addEventListener('click', () => { ruleOpen = !ruleOpen; rule(); measure(); move(true); });
      p.why = h('button', { type: 'button', class: 'wb' }, L('why'));
      p.why.addEventListener('click', () => tellNote(note && note.why ? null : { text: replay.why[stepNow()], why: true }));
      const cap = h('div', { class: 'cap' }, [p.say, h('div', { class: 'acts' }, [p.why, p.ruleButton])]);

      p.buttons = {};
      const button = name => p.buttons[name] = h('button', { type: 'button', 'data-go': name, class: name === 'play' ? 'go' : '', title: L(name) }, [icon(name), h('span', {}, L(name))]);
      const buttons = h('div', { class: 'btns', role: 'group', 'aria-label': L('step') }, ['first', 'back', 'play', 'next', 'last'].map(button));
      buttons.addEventListener('click', event => { const b = event.target.closest('button'); if (b && b.getAttribute('aria-disabled') !== 'true') act(b.dataset.go); });
      p.range = h('input', { type: 'range', id: id + '-step', min: 0, max: end, step: 1, 'aria-label': L('step') });
      p.range.addEventListener('input', () => { const to = +p.range.value; pause(); go(to); });
      p.ticks = h('div', { class: 'ticks', 'aria-hidden': 'true' });
      p.count = h('span', { class: 'cnt', dir: 'ltr', 'aria-hidden': 'true' });
      p.by = {};
      const by = (name, value) => { const input = p.by[name] = h('input', { type: 'radio', name: id + '-by', value: name });
        input.addEventListener('change', () => { store.byTrick = value; each('controls'); }); return h('label', {}, [input, L(name)]); };
      p.speed = h('select', { id: id + '-speed', 'aria-label': L('speed') }, Object.keys(SPEEDS).map(name => h('option', { value: name }, `${L('speed')}: ${L(name)}`)));
      p.speed.addEventListener('change', () => { remember('speed', store.speed = p.speed.value); each('controls'); });
      p.more = h('div', { class: 'more' }, [h('div', { class: 'sl' }, [h('label', { for: id + '-step' }, L('step')), h('div', { class: 'tr' }, [p.range, p.ticks]), p.count]),
        h('fieldset', {}, [h('legend', {}, L('by')), h('div', { class: 'seg' }, [by('by_card', false), by('by_trick', true)])]), p.speed]);
      p.bar = h('div', { class: 'bar' }, [buttons, p.more]);
      p.rule = h('div', { class: 'rule', id: id + '-rule', role: 'group', 'aria-label': L('rule'), tabindex: 0 });
      p.ruleMore = h('div', { class: 'rm' });

      p.rows = (own ? [replay.viewer] : replay.names.map((_, seat) => seat)).map(seat => {
        const cards = h('span', { class: 'sr' }), row = h('li', { dir: words.dir }, own ? cards : [h('bdi', { class: 'who' }, replay.names[seat]), cards]);
        return { seat, row, cards };
      });
      p.hands = h('ul', { class: 'hands', 'aria-label': L(own ? 'your_hand' : 'hands') }, p.rows.map(row => row.row));
      p.cards = h('div', { class: 'cards', 'aria-hidden': 'true' });
      p.board = h('div', { class: 'board' }, [p.stage, cap, p.bar, p.rule, p.hands, p.cards]);
      const key = h('div', { class: 'key' }, [h('span', {}, [icon('card'), L('key_cards')]), h('span', {}, [icon('tricks'), L('key_tricks')]),
        h('span', {}, [h('span', { class: 'dl', 'aria-hidden': 'true' }, L('dealer_short')), L('dealer')])]);
      p.foot = h('div', { class: 'foot' });
      body.append(head, p.board, key, ...sheet(), p.foot, help());
      boards.observe(p.board);
      plugins.forEach(plugin => plugin.frame?.());
      if (width) { resize(width); }
    }

    function warn() {
      if (!words) return;                          // nothing is drawn yet: `frame` comes here again
      const text = [model.get('notice'), store.wrong && F('failed', { error: store.wrong })].filter(Boolean).join('\n');
      say(notice, text);
      notice.hidden = !text;
    }
    /* a column for each player, a row for each hand, totals; the row of the hand shown fills when it is scored */
    function sheet() {
      parts.sheet = null;
      if (!replay.sheet || !replay.sheet.length) return [];
      const line = (name, values) => h('tr', {}, [h('th', { scope: 'row' }, name), ...values.map(value => h('td', {}, String(value)))]);
      const row = line(replay.hand, replay.names.map(() => '')), total = line(L('sheet_total'), replay.names.map(() => ''));
      const scored = replay.sheet.find(one => one.hand === replay.hand), before = replay.sheet.filter(one => one.hand < replay.hand);
      parts.sheet = { row, total, scored, before: before.length ? before[before.length - 1].totals : replay.names.map(() => 0) };
      return [h('table', { class: 'sheet' + (replay.seats > 6 ? ' tall' : '') }, [h('caption', {}, L('sheet')),
        h('thead', {}, h('tr', {}, [h('th', { scope: 'col' }, L('sheet_hand')), ...replay.names.map(name => h('th', { scope: 'col' }, h('bdi', { title: name }, name)))])),
        h('tbody', {}, [...before.map(one => line(one.hand, one.points)), row]), h('tfoot', {}, total)])];
    }
    function help() {
      const p = parts, key = (name, text) => h('li', {}, [h('kbd', {}, name), ' ', text]);
      p.deck = h('select', { id: id + '-deck' }, DECKS.map(name => h('option', { value: name }, L('deck_' + name))));
      p.deck.addEventListener('change', () => { remember('deck', store.deck = p.deck.value); each('controls'); });
      p.letters = h('input', { type: 'checkbox', id: id + '-letters' });
      p.letters.addEventListener('change', () => { remember('letters', store.letters = p.letters.checked); each('controls'); });
      return h('details', { class: 'help' }, [h('summary', {}, L('help')),
        h('p', {}, [h('label', { for: id + '-deck' }, L('deck')), ' ', p.deck]),
        h('p', {}, h('label', {}, [p.letters, ' ', L('letters')])),
        h('ul', {}, [...READ.map(name => key(name.toUpperCase(), L('key_' + name))), key('← →', L('key_arrows')), key(L('cap_ends'), L('key_ends')), key(L('cap_escape'), L('key_escape'))])]);
    }

    function pick() {
      const all = replays(), at = all.indexOf(replay);
      const list = all.map(one => one.title).join('\n');
      if (picker._list !== list) {
        picker._list = list;
        const about = h('p', { class: 'about' }), more = h('button', { type: 'button', class: 'tog', 'aria-expanded': 'false', hidden: true }, L('more'));
        more.addEventListener('click', () => {
          const open = about.classList.toggle('open');
          put(more, { 'aria-expanded': String(open) }); say(more, L(open ? 'less' : 'more'));
        });
        if (all.length > 1) {
          const select = h('select', { id: id + '-pick' }, all.map((one, i) => h('option', { value: i }, one.title)));
          select.addEventListener('change', () => { const to = +select.value; pause(); set({ replay: to, step: replays()[to].start | 0 }); });
          picker.replaceChildren(h('label', { for: id + '-pick' }, L('picker')), select, about, more);
        } else picker.replaceChildren(...(all.length && all[0].title ? [h('b', {}, all[0].title)] : []), about, more);
      }
      const select = picker.querySelector('select');
      if (select) select.value = at;
      say(picker.querySelector('.about'), replay && replay.about || '');
    }

    /* ---------- sizes: by the outer width, which the padding of each size does not change */
    const sizeNow = () => outer < 624 ? 's' : outer < 912 ? 'm' : 'l';
    function resize(to) {
      width = to;
      if (!parts || !width) return;
      const p = parts, size = sizeNow();
      spec = geo.sizes[size];
      u = Math.min(width, spec.max) / 1000;
      put(root, { 'data-size': size });
      p.board.style.maxWidth = spec.max + 'px';
      p.board.style.setProperty('--k', u * spec.font);
      p.stage.style.height = Math.ceil(spec.h * u) + 'px'; p.hands.style.height = Math.ceil(spec.hands.h * u) + 'px';
      put(p.felt, { viewBox: `0 0 1000 ${spec.h}` });
      if (size === 's') p.hands.after(p.more); else p.bar.append(p.more);
      bed();
      p.seats.forEach(({ box }, seat) => place(box, spec.seats[seat], spec.chip));
      p.pile.style.left = px(spec.pile.text[0]); p.pile.style.top = px(spec.pile.text[1]);
      p.pile.style.maxWidth = px(size === 's' ? 1000 - spec.chip[0] - spec.pile.text[0] - 12 : 1000);
      for (const { seat, row } of p.rows) {
        const who = row.querySelector('.who');
        if (!who) continue;
        const [x, y] = spec.hands.at[seat], [dx, w] = spec.hands.names;
        Object.assign(who.style, { left: px(x + dx), top: px(y), width: px(w) });
      }
      const about = picker.querySelector('.about');
      picker.querySelector('.tog').hidden = !about.classList.contains('open') && about.scrollHeight <= about.clientHeight + 2;
      plugins.forEach(plugin => plugin.resize?.());
      measure(); ticks(); draw(true);
    }
    const px = units => Math.round(units * u * 10) / 10 + 'px';
    const place = (box, [x, y], [w, hh]) => Object.assign(box.style, { left: px(x), top: px(y), width: px(w), height: px(hh) });
    function bed() {
      const { ellipse, rect } = spec.felt, thin = { 'vector-effect': 'non-scaling-stroke' };
      const shape = ellipse
        ? [0, 5.5].map((inset, i) => s('ellipse', { class: i ? 'in' : 'rim', cx: ellipse[0], cy: ellipse[1], rx: ellipse[2] - inset, ry: ellipse[3] - inset, ...thin }))
        : [s('rect', { class: 'rim', x: rect[0], y: rect[1], width: rect[2], height: rect[3], rx: rect[4], ...thin })];
      const k = spec.font;
      parts.bed.replaceChildren(...shape, ...spec.way.map(([x, y, turn]) =>
        s('path', { class: 'way', d: 'M-3.5-5.5l6 5.5-6 5.5', transform: `translate(${x} ${y}) rotate(${turn}) scale(${k})`, ...thin })));
    }
    function ticks() {
      const p = parts, end = endOf(replay), found = [], dead = course(replay.frames, 'dead');
      let last = 0;
      course(replay.frames, 'trick').forEach((trick, i) => {
        if (trick && trick !== last) { last = trick; found.push({ trick, at: i, dead: false }); }
        if (dead[i] && found.length) found[found.length - 1].dead = true;
      });
      const every = Math.max(1, Math.ceil(found.length * 21 / (p.room || width)));
      p.ticks.replaceChildren(...found.filter((_, i) => i % every === 0).map(({ trick, at, dead }) =>
        h('span', { class: dead ? 'dead' : '', style: `inset-inline-start:calc(8px + (100% - 16px)*${(at / Math.max(1, end)).toFixed(4)})` }, String(trick))));
    }
    /* The longest sentences are measured and taken out again at once: nothing of a later step stays in the page. They
       stand below each other meanwhile, so that the browser lays them out once and not once for each. */
    function measure() {
      const p = parts;
      if (!p || !width) return;
      const longest = (texts, count) => [...new Set(texts)].sort((a, b) => b.length - a.length).slice(0, count);
      const texts = longest([...replay.captions, ...replay.room || [], ...root.dataset.size === 'l' ? Object.values(replay.why || {}) : []], 10);
      const was = [...p.say.childNodes], tries = texts.map(text => h('div', {}, [h('span', { class: 'where' }, '.'), h('p', {}, text)]));
      p.say.replaceChildren(...tries);
      const heights = tries.map(one => one.getBoundingClientRect().height);
      p.room = p.range.clientWidth;
      p.say.replaceChildren(...was);
      p.say.style.minHeight = Math.ceil(Math.max(0, ...heights)) + 'px';
      const rules = [...new Set(replay.frames.map(f => f.r))].map(ruleOf).sort((a, b) => (b.text + b.reading).length - (a.text + a.reading).length);
      /* a heading of three lines must not push the table down either; a play may come to any rule */
      const heading = p.ruleName.textContent;
      p.ruleButton.style.minHeight = '';
      const wide = longest((replay.room ? model.get('rulebook') : rules).map(one => one.heading), 4).map(text => { say(p.ruleName, text); return p.ruleButton.getBoundingClientRect().height; });
      say(p.ruleName, heading);
      p.ruleButton.style.minHeight = Math.ceil(Math.max(0, ...wide)) + 'px';
      if (p.rule.hidden) return;
      p.rule.style.minHeight = '';
      const tall = rules.slice(0, 4).map(one => { p.rule.replaceChildren(...ruleBox(one), p.ruleMore); return p.rule.offsetHeight; });
      p.rule._key = null; rule();
      p.rule.style.minHeight = Math.max(0, ...tall) + 'px';
    }

    /* ---------- one step */
    function node(key, at) {
      const tag = h('i', { class: 'tag' }), pic = h('div', { class: 'pic' }), box = h('div', { class: 'card' }, [pic, tag]);
      const made = { box, pic, tag, face: null, form: 'small' };
      nodes.set(key, made);
      parts.cards.append(box);
      lay(made, at);
      return made;
    }
    function lay(n, { x, y, w, hh, turn = 0, z = 10, o = 1 }) {
      const st = n.box.style, tf = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) translate(-50%,-50%) rotate(${turn}deg)`;
      if (n.tf !== tf) st.transform = n.tf = tf;
      if (n.w !== w) {
        /* grows or shrinks on the way as a picture, which costs no layout for each frame as a width does */
        if (n.w && !root.classList.contains('still') && !calm.matches) n.pic.animate({ scale: [`${n.w / w} ${n.hh / hh}`, '1 1'] }, { duration: GLIDE, easing: EASE });
        n.w = w; n.hh = hh; st.width = w.toFixed(1) + 'px'; st.height = hh.toFixed(1) + 'px';
      }
      if (n.z !== z) st.zIndex = n.z = z;
      if (n.o !== o) { st.opacity = n.o = o; n.box.classList.toggle('away', !o); }
    }
    /* each face is drawn once and copied from then on: a pack has twins, and a step brings back what was seen before */
    function faceOf(card, form) {
      const drawn = parts.faces, key = card + form;
      if (!drawn.has(key)) drawn.set(key, drawFace(card, form, model.get('faces')));
      return drawn.get(key).cloneNode(true);
    }
    function paint(n, card, form, cls, tag) {
      const face = card + (n.form = form);
      if (n.face !== face) { n.face = face; n.pic.replaceChildren(...(card ? [faceOf(card, form)] : [])); n.pic.className = 'pic ' + (card ? 'suit' + card[1] : 'down'); }
      const wanted = `card ${form}${cls}${n.o ? '' : ' away'}`;
      if (n.box.className !== wanted) n.box.className = wanted;
      say(n.tag, tag);
    }
    function tagOf(mark, best) {
      const marks = mark.split(' '), out = [];
      if (marks.includes('led')) out.push(L('led'));
      if (/\bx\d/.test(mark)) out.push(L('cancelled'));
      if (marks.includes('win')) out.push(L('wins'));
      if (best) out.push(L(best));
      return out.join(' · ');
    }
    /* who would take the unfinished trick: not said while a question waits whose answer it may be */
    const bestOf = (step, f) => store.hush?.(replay, step, f.trick) ? -2 : f.best ?? -2;
    const clsOf = mark => (/\bx\d/.test(mark) ? ' x' : '') + (/\bwin\b/.test(mark) ? ' win' : '');

    function draw(still) {
      if (!parts || !spec) return;
      const step = stepNow(), state = stateAt(replay, step);
      if (step !== shown) note = null;
      const at = still || shown < 0;
      if (at) tell(step, state);                     // the places are read after the words have taken theirs
      move(at, state);
      if (!at) tell(step, state);
      shown = step;
      controls();
      plugins.forEach(plugin => plugin.step?.(step, state));
    }
    function move(still, state = stateAt(replay, stepNow())) {
      if (!spec) return;
      const p = parts, hands = spec.hands, y0 = p.handsTop = p.hands.offsetTop, top = p.stage.offsetTop, fan = spec.pile.fan;
      const goal = new Map(), away = (x, y, w) => ({ x: x * u, y: top + y * u, w: w * u, hh: w * 1.4 * u, z: 5, o: 0 });
      const chip = seat => seat < 0 ? away(spec.pile.x, spec.pile.y, spec.pile.w) : away(...spec.seats[seat], spec.pile.w * .6);
      const bySeat = {}, given = {}, best = bestOf(stepNow(), state.s);
      for (const key of inZone(state, 'p')) given[state.cards[key][2]] = (given[state.cards[key][2]] || 0) + 1;
      for (const key in state.cards) {
        const [card, zone, seat, slot, mark] = state.cards[key];
        if (zone === 'h' && (replay.viewer === null || replay.viewer === undefined || seat === replay.viewer)) (bySeat[seat] = bySeat[seat] || []).push(key);
        else if (zone === 't') {
          const t = spec.trick, [x, y] = t.rows ? t.rows[slot] : t.at[seat];
          goal.set(key, { x: x * u, y: top + y * u, w: t.w * u, hh: t.h * u, z: 40 + slot, form: t.form, cls: clsOf(mark) + (seat === best ? ' top' : ''), tag: tagOf(mark) });
        } else if (zone === 'p') {
          const q = spec.pass, [x, y] = q.at[seat], n = given[seat];
          goal.set(key, { x: x * u, y: top + (y + (slot - (n - 1) / 2) * q.dy * Math.min(1, 3 / n)) * u, w: q.w * u, hh: q.h * u, z: 30 + slot, form: q.form });
        } else if (zone === 'a') {
          const q = spec.pile, [dx, dy, turn] = fan[Math.min(slot, fan.length - 1)];
          goal.set(key, { x: (q.x + dx) * u, y: top + (q.y + dy) * u, w: q.w * u, hh: q.h * u, turn, z: 6 + Math.min(slot, 24), form: spec.trick.rows ? 'small' : 'full' });
        } else goal.set(key, chip(zone === 'g' ? -1 : seat));
      }
      for (const seat in bySeat) {
        const keys = bySeat[seat].sort((a, b) => state.cards[a][3] - state.cards[b][3]);
        const at = placesOf(hands, +seat, keys.map(key => state.cards[key][0]));
        keys.forEach((key, i) => goal.set(key, { x: at[i][0] * u, y: y0 + at[i][1] * u, w: hands.card[0] * u, hh: hands.card[1] * u, z: 100 + i, form: hands.form, cls: ' inhand' }));
      }
      root.classList.toggle('still', !!still);
      const nth = ++stills;
      let fresh = false;
      for (const [key, to] of goal) if (to.o !== 0 && !nodes.has(key)) {
        const before = shown >= 0 && stateAt(replay, shown).cards[key];
        node(key, still ? to : { ...chip(before ? before[2] : state.cards[key][1] === 'h' ? (state.s.dealer ?? -1) : state.cards[key][2]), o: 0 });
        fresh = true;
      }
      if (fresh && !still) p.cards.offsetWidth;      // let new cards start from their seat
      for (const [key, n] of nodes) {
        const to = goal.get(key);
        if (!to) { n.box.remove(); nodes.delete(key); continue; }
        lay(n, to);
        paint(n, state.cards[key][0], to.form || n.form, to.cls || '', to.tag || '');
      }
      links(state);
      /* taken off once the frame has been painted: to ask for the layout now would have it done twice */
      if (still) requestAnimationFrame(() => requestAnimationFrame(() => { if (stills === nth) root.classList.remove('still'); }));
    }
    function links(state) {
      const p = parts, rows = spec.trick.rows, wanted = new Map();
      pairsOf(state).forEach(([one, two], i) => {
        const a = state.cards[one], b = state.cards[two], pair = [a[2], b[2]].sort((x, y) => x - y).join('-');
        if (rows) {
          const t = spec.trick, y1 = rows[Math.min(a[3], b[3])][1], y2 = rows[Math.max(a[3], b[3])][1];
          wanted.set(`${state.s.trick}/${pair}/${i}`, () => { const box = h('div', { class: 'bracket' }); place(box, [t.lane - 8 - i * t.lanes, y1], [8, y2 - y1]); return [box]; });
        } else {
          const line = (replay.links[pair] || {})[root.dataset.size];
          if (line) wanted.set(`${state.s.trick}/${pair}`, () => {
            const [d, x, y] = line, r = spec.font;
            return [s('g', {}, [s('path', { class: 'link', pathLength: 1, d, style: `stroke-width:${2.2 * r}` }),
              s('g', { transform: `translate(${x} ${y}) scale(${r})` }, [s('circle', { class: 'knot', r: 9.5 }), s('path', { class: 'knotx', d: 'M-3.5-3.5l7 7m0-7l-7 7' })])])];
          });
        }
      });
      const kept = p.linked || (p.linked = new Map());
      const mode = root.dataset.size + width;
      for (const [key, els] of kept) if (!wanted.has(key) || p.linkMode !== mode) { els.forEach(el => el.remove()); kept.delete(key); }
      p.linkMode = mode;
      for (const [key, make] of wanted) if (!kept.has(key)) { const els = make(); (rows ? p.brackets : p.lines).append(...els); kept.set(key, els); }
    }
    const ruleOf = key => (model.get('rulebook') || []).find(one => one.id === key) || { heading: key, text: '', reading: '' };
    const ruleBox = r => [h('b', {}, r.heading), h('p', {}, r.text), ...(r.reading ? [h('p', { class: 'reading' }, [h('span', {}, L('reading') + ' '), r.reading])] : [])];
    function rule() {
      const p = parts, r = ruleOf(note && note.rule || replay.frames[stepNow()].r);
      p.rule.hidden = !ruleOpen;
      put(p.ruleButton, { 'aria-expanded': String(ruleOpen) });
      say(p.ruleName, r.heading);
      const key = ruleOpen ? r.heading + r.text : '';
      if (p.rule._key !== key) { p.rule._key = key; p.rule.replaceChildren(...(ruleOpen ? [...ruleBox(r), p.ruleMore] : [])); }
    }
    function tell(step, state) {
      const p = parts, f = state.s, size = root.dataset.size, names = replay.names, trick = inZone(state, 't');
      say(p.sub, [P('players', replay.seats), f.hand ? F('hand', { n: f.hand }) : ''].filter(Boolean).join(' · '));
      say(p.state.trick, !f.trick ? '–' : f.of ? F('trick_of', { a: f.trick, b: f.of }) : String(f.trick));
      const flag = (el, name, text) => { if (el._is !== name + text) { el._is = name + text; el.replaceChildren(...(ICONS[name] ? [icon(name), ' '] : []), text); } };
      flag(p.state.hearts, f.broken ? 'broken' : 'unbroken', L(f.broken ? 'broken' : 'unbroken'));
      const [count, worth, unseen] = f.aside || [0, 0, 0];
      const value = unseen === count ? L('face_down') : P('points', worth) + (unseen ? ' ' + P('unseen', unseen) : '');
      p.state.aside.parentNode.hidden = !f.aside;
      flag(p.state.aside, '', !count ? L('nothing') : size === 'l' ? `${P('cards', count)} · ${value}` : P('cards', count));
      p.state.pass.parentNode.hidden = !f.pass;     // a few tricks do not tell how their hand began
      if (f.pass) flag(p.state.pass, f.pass, L('pass_' + f.pass));
      const [one, two, three] = p.pile.children;
      const best = bestOf(step, f), none = f.dead || best === -1;
      put(p.pile, { class: `pile${count || none ? ' on' : ''}${none ? ' dead' : ''}` });
      say(one, none ? L(f.dead ? 'nobody' : 'nobody_yet') : count ? P('cards', count) : '');
      say(two, !count ? '' : none ? `${P('cards', count)}, ${value}` : L('aside_short'));
      say(three, count && !none ? value : '');
      p.seats.forEach((seat, i) => {
        const [cards, tricks, taken, plus] = state.n[i] || [0, 0, 0, 0], key = [cards, tricks, taken, plus, f.dealer === i, size].join();
        if (seat.key !== key) {
          seat.key = key;
          seat.counts.replaceChildren(h('span', {}, [icon('card'), h('b', {}, String(cards))]), h('span', {}, [icon('tricks'), h('b', {}, String(tricks))]),
            h('span', { class: 'pt' }, [h('b', { dir: 'ltr' }, taken + (plus ? '+' : '')), h('span', {}, ' ' + L(root.dataset.size === 's' ? 'pts_short' : 'pts'))]));
          say(seat.read, [P('cards_left', cards), P('tricks_taken', tricks), P('points_taken', taken) + (plus ? ' ' + L('plus_unseen') : '')].join(', '));
          seat.dealer.hidden = f.dealer !== i;
        }
        const won = f.won === i, on = f.turn === i && !won, top = best === i, total = f.totals && !trick.length && f.won < 0 && f.turn < 0 && f.turn !== undefined;
        const tag = won ? L(size === 's' ? 'takes_short' : 'takes') : on ? L(f.ask === 'pass' ? 'to_pass' : f.ask === 'moon' ? 'to_choose' : trick.length ? 'to_play' : 'to_lead') : top ? L(size === 's' ? 'best_short' : 'best') : total ? F('total', { n: f.totals[i] }) : '';
        const cls = `seat${won ? ' win' : on ? ' on' : top ? ' top' : ''}${tag ? ' tagged' : ''}${total ? ' total' : ''}`;
        if (seat.box.className !== cls) seat.box.className = cls;
        put(seat.box, { 'aria-current': on ? 'true' : null });
        if (tag) say(seat.tag, tag);
        put(seat.tag, { 'aria-hidden': tag ? null : 'true' });
      });
      /* the trick as a list: seen in the narrow size, read in all */
      const rows = spec.trick.rows, sig = trick.map(key => key + state.cards[key].join()).join('|') + size + width + best;
      if (p.list._sig !== sig) {
        p.list._sig = sig;
        const pairs = pairsOf(state).length, said = named(trick.map(key => state.cards[key][0]));
        p.list.replaceChildren(...trick.map(key => {
          const [card, , seat, slot, mark] = state.cards[key], top = seat === best, tag = tagOf(rows && /\bx\d/.test(mark) ? mark.replace('led', '') : mark, top && (rows ? 'best_short' : 'best'));
          const li = h('li', { class: clsOf(mark) + (top ? ' top' : '') }, [h('bdi', {}, names[seat]), h('span', { class: 'sr' }, ': ' + said.shift()), tag ? h('span', { class: 'm' }, [h('span', { class: 'sr' }, ', '), tag]) : '']);
          if (rows) {
            const t = spec.trick, [x, w] = t.names;
            place(li, [x, rows[slot][1] - t.row / 2], [w - (pairs ? 6 + t.lanes * pairs : 0), t.row]);
          }
          return li;
        }));
      }
      for (const { seat, row, cards } of p.rows) {
        say(cards, ' ' + (lister.format(heldBy(state, seat)) || L('no_cards')));
        row.classList.toggle('on', f.turn === seat);
      }
      say(p.where, replay.where[step] || '');
      put(p.live, { 'aria-live': store.timer ? 'off' : 'polite' });
      say(p.live, note ? note.text : replay.captions[step] || '');
      put(p.live, { 'data-tone': note ? note.tone : null });
      put(p.why, { 'data-off': replay.why && replay.why[step] ? null : true, 'aria-pressed': String(!!(note && note.why)) });
      if (p.sheet) {
        const { row, total, scored, before } = p.sheet, own = scored && f.totals ? scored : null;
        replay.names.forEach((_, seat) => {
          say(row.children[seat + 1], own ? String(own.points[seat]) : '');
          say(total.children[seat + 1], String((own ? own.totals : before)[seat]));
        });
      }
      rule();
    }
    /* card names for a listener: the twin of a card named before is told apart */
    function named(cards) {
      const met = new Set();
      return cards.map(card => {
        const name = words.cards[card] || L('down'), twin = card && met.has(card);
        met.add(card);
        return twin ? F('second_copy', { card: name }) : name;
      });
    }
    const heldBy = (state, seat) => named(inZone(state, 'h').filter(key => state.cards[key][2] === seat).map(key => state.cards[key][0]));
    function aloud(key) {
      const state = stateAt(replay, stepNow()), names = replay.names, by = text => lister.format(names.map((name, seat) => F('says_entry', { name, n: text(seat) })));
      if (key === 'h') {
        const seat = replay.viewer ?? (state.s.turn >= 0 ? state.s.turn : 0);
        return F('says_hand', { name: names[seat], cards: lister.format(heldBy(state, seat)) || L('no_cards') });
      }
      if (key === 't') {
        const cards = [...parts.list.children].map(li => li.textContent);
        return cards.length ? F('says_trick', { cards: lister.format(cards) }) : L('says_no_trick');
      }
      if (key === 'p') return state.s.totals ? F('says_totals', { list: by(seat => state.s.totals[seat]) }) : F('says_points', { list: by(seat => (state.n[seat] || [0, 0, 0])[2]) });
      return F('says_left', { list: by(seat => (state.n[seat] || [0])[0]) });
    }

    function controls() {
      if (!parts || !replayNow()) return;
      put(root, { 'data-deck': store.deck });
      parts.deck.value = store.deck; parts.letters.checked = store.letters;
      plugins.forEach(plugin => plugin.changed?.());
      const p = parts, step = stepNow(), end = endOf(replay);
      p.range.value = step;
      put(p.range, { 'aria-valuetext': [F('step_of', { a: step, b: end }), replay.where[step]].filter(Boolean).join('. ') });
      say(p.count, `${step} / ${end}`);
      for (const name in p.buttons) {
        const off = name === 'first' || name === 'back' ? step === 0 : name === 'play' ? false : step === end;
        put(p.buttons[name], { 'aria-disabled': off ? 'true' : null });
      }
      const what = store.timer ? 'pause' : 'play', b = p.buttons.play;
      if (b._is !== what) { b._is = what; b.title = L(what); b.replaceChildren(icon(what), h('span', {}, L(what))); }
      p.by.by_card.checked = !store.byTrick; p.by.by_trick.checked = store.byTrick;
      p.speed.value = store.speed;
    }

    /* ---------- keys stay here; arrows step unless the control has its own use for them */
    root.addEventListener('keydown', event => {
      event.stopPropagation();
      if (parts && plugins.some(plugin => plugin.key?.(event))) return;
      if (event.ctrlKey || event.altKey || event.metaKey || !parts) return;
      if (event.key === 'Escape') {
        if (note) tellNote(null); else if (ruleOpen) tools.openRule(false);
        return;
      }
      if (event.shiftKey || /^(SELECT|TEXTAREA)$/.test(event.target.tagName) || event.target.tagName === 'INPUT' && !/^(checkbox|radio)$/.test(event.target.type)) return;
      const letter = event.key.toLowerCase();
      if (store.letters && READ.includes(letter)) { event.preventDefault(); pause(); tellNote({ text: aloud(letter) }); return; }
      if (event.target.tagName === 'INPUT') return;
      const forward = words.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
      const name = event.key === 'Home' ? 'first' : event.key === 'End' ? 'last' : event.key === forward ? 'next' : /^Arrow(Left|Right)$/.test(event.key) ? 'back' : '';
      if (name) { event.preventDefault(); act(name); }
    });
    for (const type of ['keyup', 'keypress']) root.addEventListener(type, event => event.stopPropagation());

    const calm = matchMedia('(prefers-reduced-motion: reduce)');
    /* in the next frame: an observer that changes what it observes makes the browser report an error */
    let asked = 0;
    const look = () => {
      if (!root.isConnected) return;
      const now = Math.floor(body.clientWidth);
      outer = root.offsetWidth;
      if (now && now !== width) resize(now);
      else if (parts && spec && parts.hands.offsetTop !== parts.handsTop) move(true);
    };
    const soon = () => { cancelAnimationFrame(asked); asked = requestAnimationFrame(look); };
    const sizes = new ResizeObserver(soon), boards = new ResizeObserver(soon);
    const view = { controls, warn, blocked: () => plugins.forEach(plugin => plugin.blocked?.()), lost: () => plugins.forEach(plugin => plugin.lost?.()), redraw: () => draw() };
    /* a sentence in place of the step's own, until the next step: { text, rule, tone } */
    const tellNote = said => { note = said; if (parts) tell(stepNow(), stateAt(replay, stepNow())); };
    const tools = {
      id, root, body, model, store, L, F, P, named, each, shut, stateAt, stepNow, endOf, go, pause, act, px, place, draw, move, ruleOf, ruleBox, tellNote,
      get words() { return words; }, get replay() { return replay; }, get parts() { return parts; }, get spec() { return spec; },
      get u() { return u; }, get nodes() { return nodes; }, get size() { return root.dataset.size; },
      openRule(open) { ruleOpen = open; rule(); measure(); move(true); },
      /* a play goes on: frames were added at the end of the replay shown, or taken away there */
      grown() {
        if (!parts) return;
        const end = endOf(replay);
        parts.range.max = end;
        if (shown > end) { shown = end; note = null; }   // what was said of a step that is no more
        ticks(); controls();
      },
    };
    plugins.push(...PLUGINS.map(make => make(tools)));
    if (!store.views.size) store.watch.start();
    store.views.add(view);
    model.on('change:notice', warn);
    const onStep = () => draw(), onFrame = () => { boards.disconnect(); frame(); };
    const onReplay = () => { if (replayNow() !== replay) onFrame(); };
    model.on('change:step', onStep);
    model.on('change:replay', onReplay);
    for (const name of ['replays', 'layouts', 'words', 'rulebook', 'pages', 'files', 'faces']) model.on('change:' + name, onFrame);
    let unthemed;
    store.watch.guard(() => {
      unthemed = themed(root);
      outer = root.offsetWidth;                    // asked while the page is still empty, and costs nothing
      put(root, { 'data-size': sizeNow() });
      width = Math.floor(body.clientWidth);
      frame();
    })();
    sizes.observe(body);
    return () => {
      store.views.delete(view);
      if (!store.views.size) { pause(); store.watch.stop(); }
      plugins.forEach(plugin => plugin.cleanup?.());
      cancelAnimationFrame(asked); sizes.disconnect(); boards.disconnect(); unthemed();
      model.off('change:notice', warn); model.off('change:step', onStep); model.off('change:replay', onReplay);
      for (const name of ['replays', 'layouts', 'words', 'rulebook', 'pages', 'files', 'faces']) model.off('change:' + name, onFrame);
      root.remove();
    };
  }
  return { initialize, render };
};
