/* A score sheet for people with real cards. It holds no words (`words`) and no rules: `catalogue` says as numbers what
   Python found by asking the rules, and this file adds columns, compares numbers and finds the lowest total.
   Names and links are untrusted: they enter the page as text, never as markup. */

const KEPT = 'chnb-score-sheet', BEFORE = KEPT + '-before', MARK = 'sheet=';
const ARROWS = { left: '←', right: '→', across: '↑', none: '·' };
const MOST_NAME = 40, MOST_TARGET = 9999, MOST_HANDS = 200, BLANK_ROWS = 16;

/* ---------- arithmetic on the data from Python */
const sum = numbers => numbers.reduce((a, b) => a + b, 0);
const dot = (counts, worth) => sum(counts.map((n, kind) => n * worth[kind]));

/** The data for one table: what its options replace, put into its rules. */
export function chosen(table, options, target) {
  const made = { ...table.rules };
  for (const name in table.options) Object.assign(made, (table.options[name].find(([value]) => value === options[name]) || [])[1]);
  if (target) made.target = target;
  return made;
}

/** What a hand adds up to. `taken`: for each seat, and last for what is lost, how many cards of each kind. */
export function scored(rules, seats, taken, choice) {
  const players = taken.slice(0, seats), penalties = players.map(([hearts, queens]) => hearts + queens);
  const lacking = rules.cards.map((n, kind) => n - sum(taken.map(counts => counts[kind])));
  const needed = rules.moon_needed ?? sum(penalties);
  let shooter = needed ? penalties.indexOf(needed) : -1;
  if (shooter >= 0 && rules.moon_bonus && !players[shooter][2]) shooter = -1;
  if (shooter < 0) return { shooter, lacking, points: players.map(counts => dot(counts, rules.worth)) };
  choice = rules.moon_choices.includes(choice) ? choice : rules.moon_choices[0];
  const [own, others] = rules.moon_moves[choice];
  return { shooter, choice, lacking, points: players.map((counts, seat) => dot(counts, rules.moon_after) + (seat === shooter ? own : others)) };
}

/** All hands one after the other: points and totals after each, where the match ended (or -1), and who has won it. */
export function settled(rules, seats, hands) {
  let totals = Array(seats).fill(0), end = -1;
  const rows = hands.map((hand, i) => {
    const row = scored(rules, seats, hand.t, hand.c);
    if (end >= 0) return { ...row, late: true };
    totals = totals.map((total, seat) => { const now = total + row.points[seat]; return rules.floor === null ? now : Math.max(rules.floor, now); });
    const lows = lowest(totals);
    row.tied = Math.max(...totals) >= rules.target && rules.play_on && lows.length > 1;
    if (Math.max(...totals) >= rules.target && !row.tied) end = i;
    return { ...row, totals };
  });
  return { rows, totals, end, low: lowest(totals) };
}
const lowest = totals => { const least = Math.min(...totals); return totals.flatMap((total, seat) => total === least ? [seat] : []); };

/* ---------- the sheet as text, for the address and for the browser's memory; whatever comes back is looked at closely */
const packed = taken => taken.map(counts => counts === null ? '' : counts.join('.').replace(/(\.0)+$/, '')).join(',');
const unpacked = text => text.split(',').map(part => part === '' ? null : [...part.split('.').map(Number), 0, 0].slice(0, 3));
export function written(state) {
  const { g, n, d, o, t, on, h, e, p } = state;
  const all = { v: 1, g, n, d, o, t, on: on ? 1 : 0, h: h.map(hand => packed(hand.t) + (hand.c ? ';' + hand.c : '')) };
  const entry = one => [one.at, packed(one.t), one.c || ''];
  if (e) all.e = entry(e);
  if (p) all.p = entry(p);
  const bytes = new TextEncoder().encode(JSON.stringify(all));
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
/** The sheet that `text` holds, or null when any of it is not as it must be. */
export function readBack(text, catalogue) {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0));
    const all = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const own = (table, key) => Object.prototype.hasOwnProperty.call(table, key) ? table[key] : undefined;
    const whole = (n, most) => Number.isInteger(n) && n >= 0 && n <= most;
    if (all.v !== 1 || !Array.isArray(all.n) || !Array.isArray(all.h) || all.h.length > MOST_HANDS) return null;
    const seats = all.n.length, table = own(own(catalogue, all.g) || {}, String(seats));
    if (!table || !whole(all.d, seats - 1) || !whole(all.t, MOST_TARGET) || !all.t) return null;
    if (!all.n.every(name => typeof name === 'string')) return null;
    const n = all.n.map(clean), o = usual(table);
    for (const key in o) { const given = own(all.o || {}, key); if (valuesOf(table, key).includes(given)) o[key] = given; }
    const state = { g: all.g, n, d: all.d, o, t: all.t, on: !!all.on && !twice(n), h: [], e: null, p: null };
    const rules = chosen(table, o, all.t);
    const fits = (taken, empty) => taken.length === seats + 1
      && taken.every(counts => counts === null ? empty : counts.every((one, kind) => whole(one, rules.cards[kind])));
    const move = choice => own(rules.moon_moves, choice || '') ? choice : null;
    for (const one of all.h) {
      const [part, choice] = one.split(';'), t = unpacked(part);
      if (!fits(t, false) || scored(rules, seats, t).lacking.some(Boolean)) return null;
      state.h.push({ t, c: move(choice) });
    }
    for (const key of ['e', 'p']) if (Array.isArray(all[key]) && state.on) {
      const [at, given, choice] = all[key], t = unpacked(String(given));
      if (!fits(t, true) || !whole(at, state.h.length)) return null;
      state[key] = { at, t, c: move(choice), who: 0 };
    }
    // a new hand waits only while an earlier one is corrected
    if (state.p && (state.p.at < state.h.length || !state.e || state.e.at === state.h.length)) state.p = null;
    return state;
  } catch { return null; }
}
const valuesOf = (table, option) => table.options[option].map(([value]) => value);
const usual = table => Object.fromEntries(Object.keys(table.options).map(option => [option, valuesOf(table, option)[0]]));
/* no control or format character: it could turn the writing around it (joiners belong to some scripts) */
const clean = name => [...name.normalize('NFC').replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')].slice(0, MOST_NAME).join('').trim();
function twice(names) {
  const known = new Set();
  return names.find(name => name && (known.has(name.toLowerCase()) || !known.add(name.toLowerCase())));
}

/* ---------- small tools (others stand in dom.js) */
const number = n => String(n).replace('-', '−');

export default () => ({
  render({ model: given, el, address = false }) {
    const id = newId('chss');
    const guards = watched(given, error => { say(alert, L('failed', { error })); root.prepend(alert); }), { model } = guards;
    const words = model.get('words'), catalogue = model.get('catalogue'), plural = new Intl.PluralRules(words.lang);
    const rtl = words.dir === 'rtl', alone = isolating(words.dir), filled = (text, values) => fill(text, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typeof value === 'number' ? number(value) : value])), alone);
    const L = (key, values = {}) => filled(words.labels[key] ?? key, values);
    const P = (key, n, values = {}) => { const forms = words.plurals[key] || {}; return filled(forms[plural.select(Math.abs(n))] ?? forms.other ?? key, { n, ...values }); };
    const H = level => 'h' + (address ? level : level + 1);
    const list = items => items.map(alone).join(words.labels.list);

    let state, note = '', editing = false, saving = 0, other = null;
    /* an entry may be folded away, and waits (`state.p`) while an earlier hand is corrected */
    let folded = false;
    const entering = () => state.e && !folded;
    const root = h('section', { class: 'chss', lang: words.lang, dir: words.dir, 'aria-label': L('sheet'), 'data-lm-suppress-shortcuts': 'true' });
    const body = h('div', { class: 'body' }), live = h('p', { class: 'sr', role: 'status', 'aria-live': 'polite' });
    const alert = h('p', { class: 'note', role: 'alert' });
    root.append(body, live);
    el.append(root);

    /* ---------- what follows from the state */
    const seats = () => state.n.length;
    const table = () => catalogue[state.g][seats()];
    const rules = () => chosen(table(), state.o, state.t);
    const name = seat => seat === seats() ? L('lost_of') : state.n[seat] || L('player', { n: seat + 1 });
    const dealer = hand => (state.d + hand * rules().next_dealer) % seats();
    const passing = hand => { const all = rules().passes; return all[hand % all.length]; };
    const hasLost = () => rules().lost || state.h.some(hand => hand.t[seats()].some(Boolean));
    const card = code => words.short[code] || code;

    /* ---------- keeping it */
    const memory = (key, value) => {
      try { if (value === undefined) return localStorage.getItem(key); localStorage.setItem(key, value); } catch { /* not allowed here: the address still holds it */ }
      return null;
    };
    const inAddress = () => { const at = address ? location.hash.indexOf(MARK) : -1; return at < 0 ? '' : location.hash.slice(at + MARK.length).split('&')[0]; };
    function keep() {
      clearTimeout(saving);
      saving = 0;
      const text = written(state);
      memory(KEPT, text);
      if (address) { try { history.replaceState(null, '', '#' + MARK + text); } catch { /* the memory holds it */ } }
      else if (model.get('state') !== text) { model.set('state', text); try { Promise.resolve(model.save_changes()).catch(() => {}); } catch { /* no kernel */ } }
    }
    const soon = () => { clearTimeout(saving); saving = setTimeout(keep, 250); };
    function fresh(game = Object.keys(catalogue)[0], count = 0) {
      const sizes = Object.keys(catalogue[game]), size = sizes.includes(String(count)) ? count : Number(sizes[game === 'cancellation' ? 2 : Math.min(1, sizes.length - 1)]);
      const made = catalogue[game][size];
      return { g: game, n: Array(size).fill(''), d: 0, o: usual(made), t: made.rules.target, on: false, h: [], e: null, p: null };
    }
    function open() {
      const link = inAddress(), own = memory(KEPT) || '';
      const text = link || (!address && model.get('state')) || own;
      state = text ? readBack(text, catalogue) : null;
      note = words.notice || null; other = null;
      if (!state && text) { note = link ? L('broken') : null; state = readBack(own, catalogue); }
      else if (link && own && own !== link) {
        const mine = readBack(own, catalogue);
        if (mine && (mine.on || mine.n.some(Boolean))) { memory(BEFORE, own); other = mine; note = L('other'); }
      }
      state = state || fresh();
      editing = folded = false;
    }

    const tell = text => { live.textContent = live.textContent === text ? text + '\u00a0' : text; };
    /* a button that is not ready keeps the focus; `told` says why when it is pressed, others do nothing */
    const button = (label, act, attrs = {}, told = null) => { const made = h('button', { type: 'button', ...attrs }, label); made.addEventListener('click', () => { if (made.getAttribute('aria-disabled') !== 'true') act(made); else if (told) told(); }); return made; };
    const radio = (group, value, on, label, act, attrs = {}) => {
      const input = h('input', { type: 'radio', name: id + '-' + group, value, ...attrs });
      input.checked = on;
      input.addEventListener('change', () => act(value));
      return h('label', {}, [input, ...[].concat(label)]);
    };
    const choice = (legend, group, kids, attrs = {}) => h('fieldset', attrs, [h('legend', {}, legend), h('div', { class: group }, kids)]);

    /* ---------- the whole page anew; `to` names what gets the focus */
    let parts = {};
    function draw(to) {
      const setup = !state.on || editing, left = parts.box ? parts.box.scrollLeft : 0;
      parts = {};
      put(root, { 'data-view': setup ? 'setup' : entering() ? 'entry' : 'sheet', 'data-many': seats() > 7 });
      const kids = [h(H(1), {}, [L('sheet'), state.on && !editing ? h('span', {}, L('to_points', { game: words.games[state.g], n: state.t })) : ''])];
      if (note) kids.push(h('p', { class: 'note' }, [note, ' ', other ? button(L('other_open'), () => { state = other; other = null; note = ''; keep(); draw('main'); }) : '']));
      if (setup) kids.push(setUp());
      else kids.push(now(), entering() ? entry() : '');
      kids.push(scores());
      if (!setup) kids.push(tools());
      body.replaceChildren(...kids.filter(Boolean));
      if (parts.box) parts.box.scrollLeft = left;
      if (entering() && !setup) patch();
      const target = to && root.querySelector(`[data-at="${to}"]`);
      if (target) { target.focus({ preventScroll: to !== 'main' }); if (to === 'entry') target.closest('.entry').scrollIntoView({ block: 'start' }); }
    }

    /* ---------- names and choices */
    function setUp() {
      const form = h('form', { class: 'setup', novalidate: true }), fixed = state.h.length > 0;
      const wide = table();
      if (!editing) form.append(h('p', { class: 'soft' }, L('intro')));
      const again = (game, count) => {
        const names = state.n, made = fresh(game, count), kept = state.g === game;
        made.n = made.n.map((_, i) => names[i] ?? '');
        made.d = Math.min(state.d, made.n.length - 1);
        if (kept) { made.t = state.t; for (const key in made.o) if (valuesOf(catalogue[game][made.n.length], key).includes(state.o[key])) made.o[key] = state.o[key]; }
        state = made; note = '';
        if (!editing) keep();
        draw(); focusOn(kept ? 'seats' : 'game');
      };
      const focusOn = group => root.querySelector(`input[name="${id}-${group}"]:checked`)?.focus();
      if (!fixed) form.append(
        choice(L('game'), 'seg', Object.keys(catalogue).map(game => radio('game', game, game === state.g, words.games[game], value => again(value, seats())))),
        choice(L('seats'), 'seg nums', Object.keys(catalogue[state.g]).map(count => radio('seats', count, Number(count) === seats(), count, value => again(state.g, Number(value))))));
      const r = rules(), facts = h('p', { class: 'soft' });
      say(facts, [r.removed.length ? L('remove', { cards: list(r.removed.map(card)) }) : '', P('cards_each', r.hand_size), r.kitty ? P('kitty', r.kitty) : ''].filter(Boolean).join(' '));
      form.append(facts);

      const error = h('p', { class: 'err', id: id + '-err', hidden: true });
      const wrong = (input, text) => { say(error, text); error.hidden = false; tell(text); put(input, { 'aria-invalid': 'true', 'aria-describedby': id + '-err' }); input.focus(); };
      const fine = input => { put(input, { 'aria-invalid': null, 'aria-describedby': null }); error.hidden = true; };
      const inputs = state.n.map((given, seat) => {
        const input = h('input', { type: 'text', id: `${id}-n${seat}`, 'data-at': seat ? null : 'main', maxlength: MOST_NAME, placeholder: L('player', { n: seat + 1 }), 'aria-label': L('name_of', { n: seat + 1 }), autocomplete: 'off', autocapitalize: 'words', spellcheck: 'false', enterkeyhint: 'next', dir: 'auto' });
        input.value = given;
        input.addEventListener('input', () => { state.n[seat] = clean(input.value); fine(input); put(inputs[seat]._deals, { 'aria-label': L('deals_first_of', { name: name(seat) }) }); heads(); if (!editing) soon(); });
        return input;
      });
      const rows = inputs.map((input, seat) => {
        const first = radio('deals', seat, seat === state.d, h('span', { 'aria-hidden': 'true' }, L('deals_first')), () => { state.d = seat; if (!editing) soon(); }, { 'aria-label': L('deals_first_of', { name: name(seat) }) });
        input._deals = first.querySelector('input');
        put(first, { class: 'first' });
        return h('li', {}, [h('span', { class: 'no', 'aria-hidden': 'true' }, String(seat + 1)), input, first]);
      });
      form.append(h('fieldset', { class: 'names' }, [h('legend', {}, L('names')), h('ol', {}, rows),
        button(L('lots'), () => { state.d = Math.floor(Math.random() * seats()); inputs[state.d]._deals.checked = true; tell(L('lots_fell', { name: name(state.d) })); if (!editing) soon(); }, { class: 'plain' })]));

      const target = h('input', { type: 'number', id: id + '-t', min: 1, max: MOST_TARGET, step: 1, inputmode: 'numeric' });
      target.value = state.t;
      target.addEventListener('input', () => fine(target));
      form.append(h('p', { class: 'tgt' }, [h('label', { for: id + '-t' }, L('target')), target]));
      form.append(h('details', { open: Object.keys(state.o).some(key => state.o[key] !== usual(wide)[key]) }, [h('summary', {}, L('options')), ...Object.keys(wide.options).map(key =>
        choice(words.options[key].title, 'ways', valuesOf(wide, key).map(value =>
          radio('o-' + key, value, value === state.o[key], h('span', {}, words.options[key].values[value]), picked => { state.o[key] = picked; if (!editing) soon(); }))))]));
      const before = editing;
      form.append(error, h('div', { class: 'acts' }, [h('button', { type: 'submit', class: 'go' }, L(editing ? 'keep' : 'start')),
        editing ? button(L('cancel'), () => { state = before; editing = false; keep(); draw('main'); }) : '']));
      form.addEventListener('keydown', event => {
        const at = inputs.indexOf(event.target);
        if (event.key === 'Enter' && at >= 0 && !event.isComposing) { event.preventDefault(); (inputs[at + 1] || target).focus(); }
      });
      form.addEventListener('submit', event => {
        event.preventDefault();
        const all = state.n.map((_, seat) => name(seat)), double = twice(all), goal = Number(target.value);
        if (double) return wrong(inputs[all.map(one => one.toLowerCase()).lastIndexOf(double.toLowerCase())], L('same_names', { name: double }));
        if (!Number.isInteger(goal) || goal < 1 || goal > MOST_TARGET) return wrong(target, L('bad_target'));
        Object.assign(state, { n: all, t: goal, on: true });
        editing = false; note = ''; other = null;
        keep(); draw('main'); tell(announcement());
      });
      return form;
    }

    /* ---------- this hand: who deals, where to pass, who leads; or who has won */
    const passText = hand => { const [way] = passing(hand), r = rules(); return way === 'none' ? L('pass_none') : P('pass_' + way, r.pass_count); };
    const leadText = hand => { const r = rules(); return r.lead === null ? L('low_club_leads', { card: words.cards[r.low_club] }) : L('leads', { name: name((dealer(hand) + r.lead) % seats()) }); };
    const announcement = () => { const hand = state.h.length; return [L('hand_said', { n: hand + 1 }), L('deals', { name: name(dealer(hand)) }), passText(hand), leadText(hand)].join(' '); };
    const result = now => L(now.low.length > 1 ? 'shares' : 'wins', { names: list(now.low.map(name)), points: P('points', Math.min(...now.totals)) });
    function now() {
      const sheet = settled(rules(), seats(), state.h), hand = state.h.length, box = h('section', { class: 'now' });
      if (sheet.end >= 0) {
        box.append(h(H(2), { class: 'won', tabindex: '-1', 'data-at': 'won' }, result(sheet)));
        if (sheet.end < hand - 1) box.append(h('p', {}, L('ended_before', { n: sheet.end + 1 })));
        if (!entering()) box.append(button(L('again'), anew, { class: 'go', 'data-at': 'main' }));
        return box;
      }
      const [way] = passing(hand);
      box.append(h(H(2), {}, L('hand_n', { n: hand + 1 })),
        h('p', { class: 'pass way-' + way }, [way === 'none' ? '' : h('span', { class: 'arrow', 'aria-hidden': 'true' }, ARROWS[way]), h('span', {}, passText(hand))]),
        h('p', { class: 'who' }, [h('span', {}, L('deals', { name: name(dealer(hand)) })), ' ', h('span', {}, leadText(hand))]));
      if (hand && sheet.rows[hand - 1].tied) box.append(h('p', { class: 'tied' }, L('tied')));
      if (hand) {
        const entry = seat => L('score_of', { name: name(seat), points: number(sheet.totals[seat]) }), most = Math.max(...sheet.totals);
        box.append(h('p', { class: 'soft' }, L(sheet.low.length > 3 ? 'highest' : 'standing', { low: list(sheet.low.map(entry)), high: list(sheet.totals.flatMap((total, seat) => total === most ? [entry(seat)] : [])), target: state.t })));
      }
      if (!entering()) box.append(button(L(state.e ? 'enter_again' : 'enter', { n: hand + 1 }), () => begin(hand), { class: 'go', 'data-at': 'main' }));
      return box;
    }
    const anew = () => { state = { ...state, n: [...state.n], d: (state.d + state.h.length * rules().next_dealer) % seats(), on: false, h: [], e: null, p: null }; keep(); draw('main'); };

    /* ---------- what each player took */
    const nothing = () => [0, 0, 0];
    const counts = () => state.e.t.map(one => one || nothing());
    const columns = () => Array.from({ length: seats() + (hasLost() || (state.e && (state.e.t[seats()] || []).some(Boolean)) ? 1 : 0) }, (_, seat) => seat);
    function begin(at) {
      const hand = state.h[at];
      if (hand && state.e && state.e.at === state.h.length) state.p = state.e;
      if (hand || !state.e) state.e = hand ? { at, t: hand.t.map(one => [...one]), c: hand.c, who: 0 } : { at, t: Array(seats() + 1).fill(null), c: null, who: 0 };
      folded = false;
      keep(); draw('entry');
    }
    function leave_entry() { state.e = state.p; state.p = null; folded = true; }
    function entry() {
      const r = rules(), old = state.e.at < state.h.length, p = parts;
      const box = h('section', { class: 'entry', 'aria-labelledby': id + '-eh' });
      p.chips = columns().map(seat => {
        const points = h('b'), detail = h('small'), label = radio('who', seat, seat === state.e.who, [h('span', { class: 'nm', 'aria-hidden': 'true' }, name(seat)), h('span', { class: 'pt', 'aria-hidden': 'true' }, [detail, points])], () => { state.e.who = seat; patch(); });
        put(label, { class: 'chip' + (seat === seats() ? ' lost' : '') });
        return { seat, label, input: label.querySelector('input'), points, detail };
      });
      p.taker = h(H(3), {}), p.takerBox = h('div', { class: 'what' }, [p.taker, h('span', { class: 'soft', 'aria-hidden': 'true' }, L('hearts'))]);
      const kind = (group, which, label, most) => {
        const field = choice(label, 'seg', Array.from({ length: most + 1 }, (_, n) => radio(group, n, false, String(n), () => set(which, n))), { class: 'kind' });
        return { field, inputs: [...field.querySelectorAll('input')] };
      };
      p.queens = kind('queens', 1, L(r.cards[1] > 1 ? 'queens' : 'queen'), r.cards[1]);
      p.bonus = r.cards[2] ? kind('bonus', 2, card(r.bonus_card), r.cards[2]) : null;
      p.pad = Array.from({ length: r.cards[0] + 1 }, (_, n) => button(String(n), () => { set(0, n); onward(); }, { 'data-n': n, tabindex: '-1', 'aria-pressed': 'false' }));
      const pad = h('div', { class: 'pad', role: 'toolbar' }, p.pad);
      let typed = '', timer = 0;
      pad.addEventListener('keydown', event => {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        if (event.key === 'Enter' || event.key === ' ') typed = '';
        const at = p.pad.indexOf(event.target), across = p.pad.filter(one => one.offsetTop === p.pad[0].offsetTop).length;
        let to = { ArrowRight: at + (rtl ? -1 : 1), ArrowLeft: at + (rtl ? 1 : -1), ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: p.pad.length - 1 }[event.key];
        if (/^\d$/.test(event.key)) {              // 1 and 2 go to the number 12, as letters do in a list
          clearTimeout(timer); timer = setTimeout(() => { typed = ''; }, 900);
          typed = Number(typed + event.key) < p.pad.length ? typed + event.key : event.key;
          to = Number(typed);
        }
        if (to === undefined) return;
        event.preventDefault();
        if (p.pad[to]) rove(to, true);
      });
      p.padBox = pad;
      p.rest = button('', rest, { class: 'plain' });
      p.clear = button(L('clear'), () => { state.e.t = Array(seats() + 1).fill(null); state.e.c = null; state.e.who = 0; patch(); tell(L('cleared')); p.chips[0].input.focus(); }, { class: 'plain' });
      p.check = h('p', { class: 'check' });
      p.moon = h('div', { class: 'moon' });
      p.save = button(L(old ? 'save_again' : 'save'), save, { class: 'go', 'data-at': 'save' }, save);
      box.append(h('div', { class: 'top' }, [h(H(2), { id: id + '-eh', tabindex: '-1', 'data-at': 'entry' }, L(old ? 'correcting' : 'what_took', { n: state.e.at + 1 })),
        button(L(old ? 'cancel' : 'close'), () => { const at = state.e.at; if (old || !state.e.t.some(Boolean)) leave_entry(); else folded = true; keep(); draw(old ? 'row' + at : 'main'); }, { class: 'plain' })]),
        h('fieldset', { class: 'chips' }, [h('legend', { class: 'sr' }, L('whose')), ...p.chips.map(chip => chip.label)]),
        h('div', { class: 'taker' }, [p.takerBox, p.queens.field, p.bonus && p.bonus.field]), pad,
        h('div', { class: 'acts' }, [p.rest, p.clear]), p.moon,
        h('div', { class: 'foot' }, [p.check, p.save]));
      return box;
    }
    function rove(to, focus) {
      parts.pad.forEach((one, n) => put(one, { tabindex: n === to ? '0' : '-1' }));
      if (focus) parts.pad[to].focus();
    }
    function set(which, n) {
      const one = state.e.t[state.e.who] = [...(state.e.t[state.e.who] || nothing())];
      one[which] = n;
      const said = said_of(state.e.who);
      patch();
      if (which) tell([said, ...checked().said].join(' '));
    }
    const said_of = seat => L('chip_said', { name: name(seat), points: P('points', dot(state.e.t[seat] || nothing(), rules().worth)) });
    function onward() {
      const from = state.e.who, found = checked();
      if (!found.done) {
        const order = columns(), next = [...order.slice(from + 1), ...order.slice(0, from)].find(seat => !state.e.t[seat]);
        if (next !== undefined) state.e.who = next;
      }
      patch();
      tell([said_of(from), state.e.who === from ? '' : L('turn', { name: name(state.e.who) }), ...found.said].filter(Boolean).join(' '));
      if (found.done) (found.shooter >= 0 && rules().moon_choices.length > 1 && !state.e.c ? parts.moon.querySelector('input') : parts.save).focus({ preventScroll: true });
      if (found.done) parts.save.scrollIntoView({ block: 'nearest' });
    }
    function rest() {
      const { lacking } = checked(), one = state.e.t[state.e.who] || nothing();
      state.e.t[state.e.who] = one.map((n, kind) => n + lacking[kind]);
      onward();
    }
    /* The difference, by kind of card: equal points can hide thirteen hearts taken for a queen. */
    function checked() {
      const r = rules(), row = scored(r, seats(), counts(), state.e.c), lacking = row.lacking, points = dot(lacking, r.worth);
      const said = [];
      const kinds = (n, key) => { if (n) said.push(P(key + (n > 0 ? '_missing' : '_many'), Math.abs(n))); };
      if (points) said.push(P(points > 0 ? 'missing' : 'many', Math.abs(points)));
      else if (lacking.some(Boolean)) said.push(L('cards_differ'));
      else said.push(L('all_there'));
      if (lacking.some(Boolean)) { kinds(lacking[0], 'hearts'); kinds(lacking[1], 'queens'); if (lacking[2]) said.push(L(lacking[2] > 0 ? 'bonus_missing' : 'bonus_many')); }
      return { ...row, said, done: !lacking.some(Boolean), over: lacking.some(n => n < 0) };
    }
    function patch() {
      const p = parts, e = state.e, r = rules(), found = checked(), who = name(e.who);
      for (const chip of p.chips) {
        const one = e.t[chip.seat], points = one ? dot(one, r.worth) : 0;
        chip.input.checked = chip.seat === e.who;
        put(chip.input, { 'aria-label': one ? L('chip', { name: chip.seat === seats() ? L('lost_long') : name(chip.seat), points: P('points', points) }) : L('chip_open', { name: chip.seat === seats() ? L('lost_long') : name(chip.seat) }) });
        say(chip.points, one ? number(points) : '–');
        say(chip.detail, one && (one[1] || one[2]) ? [one[0] ? one[0] + '♥\ufe0e' : '', one[1] ? (one[1] > 1 ? one[1] + '×' : '') + 'Q♠\ufe0e' : '', one[2] ? card(r.bonus_card) : ''].filter(Boolean).join(' ') : '');
      }
      say(p.taker, e.who === seats() ? L('lost_long') : L('took', { name: who }));
      put(p.padBox, { 'aria-label': e.who === seats() ? L('lost_long') + ' · ' + L('hearts') : L('hearts_of', { name: who }) });
      const one = e.t[e.who] || nothing();
      p.queens.inputs.forEach((input, n) => { input.checked = n === one[1]; });
      p.bonus?.inputs.forEach((input, n) => { input.checked = n === one[2]; });
      p.pad.forEach((key, n) => put(key, { 'aria-pressed': String(!!e.t[e.who] && n === one[0]), class: n && n === one[0] + found.lacking[0] ? 'all' : null }));
      if (!p.pad.includes(document.activeElement)) rove(one[0], false);
      say(p.rest, L('rest', { name: e.who === seats() ? L('lost_of') : who }));
      put(p.rest, { 'aria-disabled': found.done || found.over ? 'true' : null });
      say(p.check, found.said.join(' '));
      put(p.check, { 'data-state': found.done ? 'right' : found.over ? 'over' : 'open' });
      const ask = found.done && found.shooter >= 0 ? found.shooter : -1;
      if (p.asked !== ask) {
        if (p.asked !== undefined) e.c = null;
        p.asked = ask;
        if (ask < 0) p.moon.replaceChildren();
        else if (r.moon_choices.length > 1) p.moon.replaceChildren(choice(L('moon_ask', { name: name(ask) }), 'ways', r.moon_choices.map(move =>
          radio('moon', move, move === e.c, h('span', {}, moveText(move, ask)), value => { e.c = value; patch(); tell(moveText(value, ask)); }))));
        else p.moon.replaceChildren(h('p', {}, moveText(r.moon_choices[0], ask, 'moon_')));
      }
      put(p.save, { 'aria-disabled': found.done && (ask < 0 || r.moon_choices.length < 2 || e.c) ? null : 'true' });
      soon();
    }
    const moveText = (move, shooter, key = '') => L(key + move, { name: name(shooter), points: Math.max(...rules().moon_moves[move].map(Math.abs)) });
    function save() {
      const e = state.e, found = checked(), old = e.at < state.h.length;
      if (!found.done) return tell(found.said.join(' '));
      if (found.shooter >= 0 && rules().moon_choices.length > 1 && !e.c) { tell(L('moon_first')); return parts.moon.querySelector('input').focus(); }
      state.h[e.at] = { t: counts(), c: found.shooter >= 0 ? found.choice : null };
      leave_entry();
      keep();
      const after = settled(rules(), seats(), state.h);
      draw(after.end >= 0 ? 'won' : old ? 'row' + e.at : 'main');
      tell([L(old ? 'corrected' : 'entered', { n: e.at + 1 }), after.end >= 0 ? result(after) : after.rows[state.h.length - 1].tied ? L('tied') : announcement()].join(' '));
      if (!old) root.scrollIntoView({ block: 'start' });
    }

    /* ---------- the sheet: a column for each player, a row for each hand */
    const cell = (text, attrs) => h('td', attrs, h('span', { class: 'n' }, text));
    function heads() {
      parts.heads?.forEach((head, seat) => say(head, seat < seats() && !state.on && !state.n[seat] ? '' : name(seat)));
    }
    function scores() {
      const r = rules(), sheet = settled(r, seats(), state.h), n = state.h.length, lost = hasLost(), all = Array.from({ length: seats() }, (_, seat) => seat);
      const running = state.on && sheet.end < 0;
      parts.heads = [];
      const head = seat => { const text = h('span', { class: 'hn' }); parts.heads.push(text); return text; };
      const first = (hand, text) => { const [way] = r.passes[hand % r.passes.length]; return [text, h('span', { class: 'wy' }, [h('span', { 'aria-hidden': 'true' }, ARROWS[way]), h('span', { class: 'sr' }, L('way_' + way))]), h('span', { class: 'dn' }, state.on ? name(dealer(hand)) : '')]; };
      const top = h('tr', {}, [h('th', { scope: 'col', class: 'st' }, L('hand')), ...all.map(seat => h('th', { scope: 'col', title: state.on ? name(seat) : null }, [head(seat),
        running && seat === dealer(n) ? h('small', {}, L('deals_now')) : running && r.lead !== null && seat === (dealer(n) + r.lead) % seats() ? h('small', {}, L('leads_now')) : ''])), lost ? h('th', { scope: 'col', class: 'lost' }, L('lost_head')) : '']);
      const rows = state.h.map((hand, i) => {
        const row = sheet.rows[i];
        const correct = button([h('b', {}, String(i + 1)), h('span', { class: 'sr' }, ' ' + L('correct', { n: i + 1 }))], () => begin(i), { 'data-at': 'row' + i, 'aria-label': L('correct', { n: i + 1 }) });
        return h('tr', { class: row.late ? 'late' : null }, [h('th', { scope: 'row', class: 'st' }, first(i, correct)),
          ...all.map(seat => h('td', { class: seat === row.shooter ? 'shot' : null }, [h('span', { class: 'n' }, number(row.points[seat])), seat === row.shooter ? h('small', {}, L('moon_short')) : row.late && !seat ? h('small', { class: 'sr' }, L('not_counted')) : ''])),
          lost ? cell(number(dot(hand.t[seats()], r.worth)), { class: 'lost' }) : '']);
      });
      const blanks = Array.from({ length: Math.max(3, BLANK_ROWS - n) }, (_, i) => h('tr', { class: 'blank' }, [h('th', { scope: 'row', class: 'st' }, first(n + i, h('b', {}, String(n + i + 1)))), ...all.map(() => h('td')), lost ? h('td') : '']));
      const foot = h('tr', {}, [h('th', { scope: 'row', class: 'st' }, L('total')), ...all.map(seat => h('td', { class: n && sheet.low.includes(seat) ? 'low' : null }, [h('span', { class: 'n' }, n ? number(sheet.totals[seat]) : ''),
        n && sheet.low.includes(seat) ? h('small', {}, L('lowest_mark')) : ''])), lost ? h('td', { class: 'lost' }) : '']);
      parts.box = h('div', { class: 'box', tabindex: '0', role: 'region', 'aria-label': L('scores') }, h('table', {}, [h('caption', {}, L('to_points', { game: words.games[state.g], n: state.t })), h('thead', {}, top), h('tbody', {}, [...rows, ...blanks]), h('tfoot', {}, foot)]));
      heads();
      const said = r.floor === null ? '' : h('p', { class: 'soft' }, L('floor'));
      return h('section', { class: 'scores' + (state.on && n ? '' : ' empty') }, [parts.box, said]);
    }

    /* ---------- undo, names, text, link, print, again */
    function asText() {
      const r = rules(), sheet = settled(r, seats(), state.h), lost = hasLost(), line = (head, cells) => [head, ...cells].join('\t');
      const rows = state.h.map((hand, i) => line(`${i + 1} ${ARROWS[passing(i)[0]]}`, [...sheet.rows[i].points.map((points, seat) => number(points) + (seat === sheet.rows[i].shooter ? ' ' + L('moon_short') : '')), ...(lost ? [number(dot(hand.t[seats()], r.worth))] : [])]));
      return [L('to_points', { game: words.games[state.g], n: state.t }), '', line(L('hand'), [...state.n, ...(lost ? [L('lost_head')] : [])]), ...rows, line(L('total'), sheet.totals.map(number)), '',
        sheet.end >= 0 ? result(sheet) : announcement()].join('\n') + '\n';
    }
    const theLink = () => address ? location.href.split('#')[0] + '#' + MARK + written(state) : '#' + MARK + written(state);
    async function copy(text, area) {
      let fine = false;
      try { await navigator.clipboard.writeText(text); fine = true; } catch { /* not allowed: what is selected can still be copied */ }
      if (!fine) { area.select(); try { fine = document.execCommand('copy'); } catch { /* nothing more to try */ } }
      tell(L(fine ? 'copied' : 'not_copied'));
      say(parts.copied, L(fine ? 'copied' : 'not_copied'));
    }
    function tools() {
      const n = state.h.length, box = h('section', { class: 'tools' }), ended = n && settled(rules(), seats(), state.h).end >= 0;
      const acts = h('div', { class: 'acts' });
      if (n && !state.e) acts.append(button(L('undo', { n }), () => {
        const hand = state.h.pop();
        folded = false;
        state.e = { at: n - 1, t: hand.t.map(one => [...one]), c: hand.c, who: 0 };
        state.p = null;
        keep(); draw('entry'); tell(L('undone', { n }));
      }, { class: 'plain' }));
      acts.append(button(L('edit'), () => { const kept = { ...state, n: [...state.n], o: { ...state.o } }; editing = kept; state = { ...kept, n: [...kept.n], o: { ...kept.o } }; draw('main'); }, { class: 'plain' }));
      if (!ended) {
        const sure = h('div', { class: 'sure', hidden: true }, [h('p', {}, L('sure')), button(L('sure_yes'), anew, { class: 'plain' }), button(L('cancel'), () => { sure.hidden = true; ask.focus(); }, { class: 'plain' })]);
        const ask = button(L('again'), () => { if (!n) return anew(); sure.hidden = false; sure.querySelector('button').focus(); }, { class: 'plain' });
        acts.append(ask, sure);
      }
      acts.append(button(L(n ? 'print' : 'print_empty'), () => window.print(), { class: 'plain' }));
      const text = h('textarea', { readonly: true, rows: Math.min(12, n + 6), wrap: 'off', 'aria-label': L('text'), dir: 'auto' }), link = h('textarea', { readonly: true, rows: 2, 'aria-label': L('link'), dir: 'ltr' });
      parts.copied = h('p', { class: 'soft' });
      const share = h('details', { class: 'share' }, [h('summary', {}, L('text')), text, button(L('copy_text'), () => copy(text.value, text), { class: 'plain' }),
        ...(address ? [link, button(L('copy_link'), () => copy(link.value, link), { class: 'plain' })] : []), parts.copied]);
      text.value = asText(); link.value = theLink();
      share.addEventListener('toggle', () => { text.value = asText(); link.value = theLink(); });
      box.append(acts, share);
      return box;
    }

    /* ---------- keys stay here: a notebook has its own use for them */
    for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, event => event.stopPropagation());
    let unthemed;
    const moved = () => { if (inAddress() && inAddress() !== written(state)) { open(); if (!note) keep(); draw(); } };
    const changed = () => { const text = model.get('state'), found = text && text !== written(state) ? readBack(text, catalogue) : null; if (found) { state = found; editing = false; draw(); } };
    const leave = () => { if (saving) keep(); };
    if (address) addEventListener('hashchange', moved); else model.on('change:state', changed);
    addEventListener('pagehide', leave);
    guards.start();
    guards.guard(() => { unthemed = themed(root, ...(address ? [document.body] : [])); open(); draw(); })();
    return () => {
      leave();
      guards.stop();
      unthemed(); removeEventListener('hashchange', moved); removeEventListener('pagehide', leave);
      if (!address) model.off('change:state', changed);
      root.remove();
    };
  },
});
