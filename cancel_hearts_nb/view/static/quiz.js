/* Questions one at a time, a quiz or an exam. They come with every answer judged and every reply written (questions.py, examiner.py),
   so this works without a kernel. A position is shown by the table of table.js, which Python joins to this file as
   `makeTable`; it stands still at the step asked for, and goes on to its answer once that is known. */

export default () => {
  function render({ model: given, el }) {
    const id = newId('chnbq');
    const words = given.get('words'), L = key => words.quiz[key] ?? key, F = (key, values) => fill(L(key), values, isolating(words.dir));
    const { line, model, guard, start, stop } = noticed(given, '', error => F('failed', { error }));
    const exam = model.get('exam'), memory = () => 'quiz:' + model.get('lesson');
    const root = h('section', { class: 'chnb quiz', lang: words.lang, dir: words.dir, 'aria-label': L(exam ? 'exam' : 'quiz'), 'data-lm-suppress-shortcuts': 'true', tabindex: -1 });
    const head = h('div', { class: 'qhead' }), body = h('div', { class: 'qbody' }), live = h('p', { class: 'sr', role: 'status', 'aria-live': 'polite' });
    root.append(line, head, body, live);
    el.append(root);
    let at = 0, table = null, over = model.get('over');

    const all = () => model.get('questions'), one = () => all()[at];
    const answers = () => model.get('answers') || {}, answer = q => answers()[q.id];
    const scores = () => { const found = recall(memory(), {}); return found && typeof found === 'object' ? found : {}; };
    const right = () => all().filter(q => exam ? answer(q)?.right : scores()[q.id] === 1).length;
    const done = q => exam ? !!answer(q) : scores()[q.id] === 1;
    function save() { try { Promise.resolve(model.save_changes()).catch(() => {}); } catch { /* no kernel: what is shown stays */ } }
    function set(values) { for (const key in values) model.set(key, values[key]); save(); }
    function keep(values) {
      remember(memory(), values);
      dispatchEvent(new CustomEvent('chnb:score', { detail: { lesson: model.get('lesson'), scores: values } }));
    }
    const button = (key, call, cls = '') => { const b = h('button', { type: 'button', class: cls }, L(key)); b.addEventListener('click', call); return b; };
    const name = text => h('bdi', {}, text);
    const shortOf = card => words.short[card] || card;

    /* ---------- the position */
    function show(q, told) {
      table?.end(); table = null;
      if (!q.table) return null;
      const box = h('div', { class: 'qtable', 'data-state': String(q.state) });
      const values = { replays: [q.table], layouts: [q.layout], rulebook: [], pages: [], files: [], notice: '', live: false, faces: model.get('faces'), replay: 0, step: told ? q.reveal : q.step,
        words: { ...words, labels: { ...words.labels, table: F('position', { n: at + 1 }), picture: F('position', { n: at + 1 }) } } };
      const calls = {};
      /* what the table asks for by keys is not done: it shows one step */
      const still = { get: key => values[key], set() {}, save_changes() {}, on(event, call) { (calls[event] = calls[event] || new Set()).add(call); }, off(event, call) { calls[event]?.delete(call); } };
      const made = makeTable(), stop = made.initialize({ model: still });
      let drop = null;
      table = {
        begin() { drop = made.render({ model: still, el: box }); },
        go(step) { if (values.step !== step) { values.step = step; [...(calls['change:step'] || [])].forEach(call => call()); } },
        end() { drop?.(); stop?.(); },
      };
      return box;
    }

    /* ---------- one question */
    function inputs(q, given, locked, told) {
      if (q.form === 'number') {
        const input = h('input', { type: 'number', id: id + '-n', inputmode: 'numeric', step: 1, min: -9999, max: 9999, value: given ?? null, disabled: locked });
        return { box: h('p', { class: 'qn' }, [h('label', { for: id + '-n' }, L('number')), input]), read: () => input.value === '' ? null : +input.value, first: input };
      }
      const made = q.choices.map((choice, i) => h('input', { type: q.form === 'many' ? 'checkbox' : 'radio', name: id + '-c' + at, value: i, checked: (given || []).includes(i), disabled: locked,
        'aria-label': choice.card ? words.cards[choice.card] : null }));
      const mark = (choice, i) => !locked ? null : choice.ok ? (told ? 'right' : null) : (given || []).includes(i) ? 'wrong' : null;
      const cards = q.choices.some(choice => choice.card), short = q.choices.every(choice => choice.name || choice.text.length < 14);
      const rows = q.choices.map((choice, i) => h('label', { class: (choice.card ? 'pick suit' + choice.card[1] : 'qc'), 'data-mark': mark(choice, i) }, [made[i],
        choice.card ? h('span', { 'aria-hidden': 'true' }, shortOf(choice.card)) : h('span', {}, choice.name ? name(choice.text) : choice.text),
        mark(choice, i) ? h('span', { class: 'sr' }, ' ' + L(mark(choice, i) === 'right' ? 'is_right' : 'is_wrong')) : '']));
      const box = h('div', { class: 'qcs' + (cards ? ' qcards' : short ? ' short' : ''), role: q.form === 'many' ? 'group' : 'radiogroup', 'aria-labelledby': id + '-q' }, rows);
      return { box, read: () => { const found = made.map((input, i) => input.checked ? i : -1).filter(i => i >= 0); return found.length ? found : null; }, first: made[0] };
    }
    function judge(q, given) {
      if (q.form === 'number') return { right: given === q.answer, why: q.hints[String(given)] || '' };
      const wrong = q.choices.map((choice, i) => [choice, choice.ok !== given.includes(i)]).filter(([, bad]) => bad).map(([choice]) => choice);
      const first = wrong.find(choice => !choice.ok) || wrong[0];
      return { right: !wrong.length, why: !first ? '' : !first.ok ? first.say || '' : L('ask_more') };
    }
    const textOf = (q, given) => given === null || given === undefined ? L('no_answer') : q.form === 'number' ? String(given) : given.map(i => q.choices[i].card ? shortOf(q.choices[i].card) : q.choices[i].text).join(L('list')) || L('no_answer');
    const rightOf = q => q.form === 'number' ? String(q.answer) : textOf(q, q.choices.map((choice, i) => choice.ok ? i : -1).filter(i => i >= 0));

    function printed(q) {
      if (!q.rules.length) return '';
      return h('details', { class: 'qrule' }, [h('summary', {}, L('printed')), ...q.rules.map(key => model.get('rulebook')[key]).filter(Boolean).map(rule => h('div', {}, [h('b', {}, rule.title), h('p', {}, rule.text),
        rule.reading ? h('p', { class: 'reading' }, [h('span', {}, L('reading') + ' '), rule.reading]) : '',
        rule.lesson && rule.lesson !== model.get('lesson') ? h('p', { class: 'rl' }, link(rule)) : '']))]);
    }
    function link(rule) {
      const href = hrefOf(rule.lesson), text = F('in_lesson', { lesson: rule.lesson_title });
      return href ? h('a', { href }, text) : text;
    }
    function reply(q, said) {
      const { right, why } = judge(q, said.given), told = right || said.shown;
      const text = [L(right ? 'right' : said.shown ? 'answer_is' : 'wrong'), right || said.shown ? '' : why, told ? q.reply : '', q.ruled].filter(Boolean).join(' ');
      const box = h('div', { class: 'qreply', 'data-right': String(right) }, [h('p', {}, text), printed(q)]);
      const buttons = told ? [] : [button('retry', () => tryAgain(q), 'plain'), button('show_answer', () => commit(q, said.given, true), 'quiet')];
      return { box, buttons, text };
    }
    function commit(q, given, shown = false) {
      const { right } = judge(q, given);
      set({ answers: { ...answers(), [q.id]: { given, right, shown } } });
      if (!exam && (right || !(q.id in scores()))) keep({ ...scores(), [q.id]: right ? 1 : 0 });
      draw();
      say(live, root.querySelector('.qreply p')?.textContent || '');
      (root.querySelector('.qacts button:not([disabled])') || root).focus({ preventScroll: true });
    }
    function tryAgain(q) {
      const { [q.id]: gone, ...others } = answers();
      set({ answers: others });
      draw();
      root.querySelector('.qbody input')?.focus();
    }
    function go(to) {
      at = Math.min(Math.max(0, to), all().length - 1);
      draw();
      root.querySelector('.qt')?.focus({ preventScroll: true });
      if (root.getBoundingClientRect().top < 0) root.scrollIntoView();
    }

    /* ---------- the whole */
    function draw() {
      const q = one();
      if (!q) { head.replaceChildren(); body.replaceChildren(h('p', {}, L('none'))); return; }
      const ended = exam && over;
      head.replaceChildren(...[
        model.get('notice') ? h('p', { class: 'qnotice', role: 'alert' }, model.get('notice')) : '',
        h('p', { class: 'qtitle' }, [h('b', {}, L(exam ? 'exam' : 'quiz')), ' ', h('span', { class: 'qscore' }, exam && !over ? F('answered', { n: all().filter(answer).length, all: all().length }) : F('score', { n: right(), all: all().length })),
          exam && model.get('seed') ? h('span', { class: 'qseed' }, F('seed', { n: model.get('seed') })) : '']),
        h('ol', { class: 'qnav', 'aria-label': L('all_questions') }, all().map((other, i) => {
          const state = ended ? (answer(other)?.right ? 'right' : 'wrong') : done(other) ? (exam ? 'given' : 'right') : answer(other) ? 'wrong' : '';
          const b = h('button', { type: 'button', 'aria-current': i === at && !(ended && result) ? 'true' : null, 'data-state': state, 'aria-label': F(state ? 'nav_' + state : 'nav', { n: i + 1 }) }, String(i + 1));
          b.addEventListener('click', () => { result = false; go(i); });
          return h('li', {}, b);
        })),
      ].filter(Boolean));
      if (ended && result) { table?.end(); table = null; body.replaceChildren(...results()); return; }
      const said = answer(q), told = ended || (!exam && said && (said.right || said.shown));
      const locked = ended || (!exam && !!said);
      const choose = inputs(q, said?.given, locked, told);
      const place = show(q, !!told);
      const parts = [h('p', { class: 'qof' }, F('of', { n: at + 1, all: all().length })), h('p', { class: 'qt', id: id + '-q', tabindex: -1 }, q.text), place];
      const acts = h('div', { class: 'qacts' });
      const form = h('form', { class: 'qform', novalidate: true }, [choose.box]);
      const next = at < all().length - 1 ? button('next', () => go(at + 1), 'plain') : null;
      if (!locked) {
        const send = h('button', { type: 'submit', class: 'go' }, L(exam ? (at < all().length - 1 ? 'give_next' : 'give') : 'give'));
        form.addEventListener('submit', event => {
          event.preventDefault();
          const given = choose.read();
          if (given === null) { say(live, L('choose_first')); hint.hidden = false; choose.first.focus(); return; }
          if (!exam) { commit(q, given); return; }
          set({ answers: { ...answers(), [q.id]: { given, right: judge(q, given).right } } });
          if (at < all().length - 1) go(at + 1); else { draw(); root.querySelector('.qacts .finish')?.focus({ preventScroll: true }); }
        });
        acts.append(send);
      }
      const hint = h('p', { class: 'qhint', hidden: true }, L('choose_first'));
      let below = [];
      if (ended) below = [verdict(q, said)];
      else if (!exam && said) { const made = reply(q, said); below = [made.box]; acts.append(...made.buttons); }
      if (!exam && next) acts.append(next);
      if (exam) {
        if (at > 0) acts.append(button('back', () => go(at - 1), 'quiet'));
        if (next) acts.append(button(ended ? 'next' : 'skip', () => go(at + 1), 'quiet'));
        if (!over) { const end = button('finish', finish, 'plain finish'); if (all().some(answer)) acts.append(end); } else acts.append(button('to_result', () => { result = true; draw(); root.querySelector('.qt')?.focus(); }, 'plain'));
      } else if (Object.keys(scores()).length || Object.keys(answers()).length) acts.append(button('again', () => { set({ answers: {} }); keep({}); go(0); }, 'quiet'));
      form.append(hint, ...below, acts);
      body.replaceChildren(...parts.filter(Boolean), form);
      if (table) table.begin();
    }

    /* ---------- the end of an exam */
    let result = true, sure = false;
    const verdict = (q, said) => h('div', { class: 'qreply', 'data-right': String(!!said?.right) }, [h('p', {}, [L(said?.right ? 'right' : 'wrong'), said && !said.right ? judge(q, said.given).why : '', q.reply, q.ruled].filter(Boolean).join(' ')), printed(q)]);
    function finish() {
      const open = all().filter(q => !answer(q)).length;
      if (open && !sure) { sure = true; const note = h('p', { class: 'qhint' }, F('open', { n: open })); root.querySelector('.qhint')?.replaceWith(note); say(live, note.textContent); return; }
      over = result = true; sure = false;
      set({ over: true });
      const best = Math.max(right(), scores().best | 0);
      keep({ best, last: right(), all: all().length });
      draw();
      root.querySelector('.qt')?.focus({ preventScroll: true });
      root.scrollIntoView?.({ block: 'start' });
    }
    function results() {
      const wrong = all().filter(q => !answer(q)?.right), lessons = new Map();
      for (const q of wrong) for (const key of q.rules.slice(0, 1)) {
        const rule = model.get('rulebook')[key];
        if (!rule || !rule.lesson) continue;
        if (!lessons.has(rule.lesson)) lessons.set(rule.lesson, new Map());
        lessons.get(rule.lesson).set(key, rule);
      }
      const parts = [h('p', { class: 'qt', tabindex: -1 }, F('result', { n: right(), all: all().length })), h('p', { class: 'qsay' }, L(wrong.length ? 'result_wrong' : 'result_all'))];
      if (lessons.size) parts.push(h('p', { class: 'qsub' }, L('revisit')), h('ul', { class: 'qrevisit' }, [...lessons].map(([, rules]) => {
        const some = [...rules.values()];
        return h('li', {}, [h('span', {}, link(some[0])), h('span', {}, some.map(rule => rule.title).join(L('list')))]);
      })));
      if (wrong.length) parts.push(h('p', { class: 'qsub' }, L('wrong_ones')), h('ol', { class: 'qwrong' }, wrong.map(q => h('li', { value: all().indexOf(q) + 1 }, [h('p', { class: 'w' }, q.text),
        h('p', {}, F('yours', { a: textOf(q, answer(q)?.given) })), h('p', {}, F('rights', { a: rightOf(q) })), h('p', { class: 'why' }, [q.reply, q.ruled].join(' ')),
        (() => { const b = button('look', () => { result = false; go(all().indexOf(q)); }, 'quiet'); put(b, { 'aria-label': F('look_at', { n: all().indexOf(q) + 1 }) }); return b; })()]))));
      const acts = h('div', { class: 'qacts' }, [button('same_again', () => { over = false; result = true; set({ over: false, answers: {} }); go(0); }, 'plain')]);
      if (model.get('live')) acts.prepend(button('new_exam', fresh, 'go'));
      parts.push(acts, h('p', { class: 'qhint', hidden: true }));
      return parts;
    }
    /* the note is drawn anew with each result, so it is looked for when there is something to say */
    const tell = text => { const note = root.querySelector('.qbody>.qhint'); if (note) { note.hidden = !text; say(note, text); say(live, text); } };
    const kernel = asking(model, { id, tell, busy: L('drawing'), lost: L('no_kernel') });
    const fresh = () => kernel.ask({ kind: 'new' });
    const onNew = () => { over = model.get('over'); result = true; at = 0; draw(); root.querySelector('.qt')?.focus({ preventScroll: true }); };
    const onAnswers = () => { if (!root.contains(document.activeElement)) draw(); };
    const onOver = () => { if (over !== model.get('over')) { over = model.get('over'); draw(); } };
    model.on('change:questions', onNew); model.on('change:answers', onAnswers); model.on('change:over', onOver);
    /* what is typed here is meant for the questions, not for the notebook around them */
    for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, event => { if (event.key !== 'Tab') event.stopPropagation(); });

    let unthemed;
    start();
    guard(() => {
      unthemed = themed(root);
      at = Math.max(0, exam ? all().findIndex(q => !answer(q)) : all().findIndex(q => !done(q)));
      draw();
    })();
    return () => {
      stop(); table?.end(); kernel.end(); unthemed();
      model.off('change:questions', onNew); model.off('change:answers', onAnswers); model.off('change:over', onOver);
      root.remove();
    };
  }
  return { initialize() {}, render };
};
