/* The head of a lesson: where one is in the course, the lessons around it, and how many questions are answered rightly.
   The numbers come from the browser's own memory, which quiz.js fills. */

export default () => {
  function render({ model: given, el }) {
    const words = given.get('words'), L = key => words.labels[key] ?? key, F = (key, values) => fill(L(key), values, isolating(words.dir));
    const { line, model, guard, start, stop } = noticed(given, words.notice, error => F('failed', { error }));
    const lessons = model.get('lessons'), here = lessons.findIndex(one => one.name === model.get('lesson'));
    const now = lessons[here], plain = lessons.filter(one => !one.exam), scores = {};
    const root = h('nav', { class: 'chnb-lesson', lang: words.lang, dir: words.dir, 'aria-label': L('course') }, line);
    el.append(root);
    const read = name => { const found = recall('quiz:' + name, {}); return found && typeof found === 'object' ? found : {}; };
    for (const one of lessons) scores[one.name] = read(one.name);
    const doneOf = one => one.exam ? Math.min(scores[one.name].best | 0, one.count) : one.questions.filter(id => scores[one.name][id] === 1).length;
    const stateOf = one => { const done = doneOf(one); return !one.count ? '' : done === one.count ? 'all' : done ? 'some' : 'none'; };
    const countOf = one => one.count ? F(one.exam ? 'best' : 'done', { n: doneOf(one), all: one.count }) : L('no_questions');
    const a = (one, kids, attrs) => { const href = hrefOf(one.name); return h(href ? 'a' : 'span', { ...attrs, href }, kids); };
    const step = (one, key) => one ? a(one, [h('span', { class: 'd' }, L(key)), h('span', { class: 't' }, one.title)], { class: 'go ' + key, rel: key }) : h('span', { class: 'go ' + key });
    function draw() {
      const held = root.contains(document.activeElement) ? [...root.querySelectorAll('a,summary')].indexOf(document.activeElement) : -1, open = root.querySelector('details')?.open;
      root.replaceChildren(line,
        step(lessons[here - 1], 'prev'),
        h('p', { class: 'mid' }, [h('b', {}, now.title), h('span', {}, [now.exam ? '' : F('of', { n: here + 1, all: plain.length }), F('minutes', { n: now.minutes })].filter(Boolean).join(' · '))]),
        step(lessons[here + 1], 'next'),
        h('details', { open }, [h('summary', {}, [h('span', { class: 'bar', 'aria-hidden': 'true' }, lessons.map((one, i) => h('i', { 'data-state': stateOf(one), 'data-here': i === here }))), h('span', { class: 'sum' }, F('progress', { n: plain.reduce((sum, one) => sum + doneOf(one), 0), all: plain.reduce((sum, one) => sum + one.count, 0) }))]),
          h('ol', {}, lessons.map((one, i) => h('li', { 'data-state': stateOf(one), 'aria-current': i === here ? 'page' : null }, [i === here ? h('b', {}, one.title) : a(one, one.title, {}), h('span', {}, countOf(one))])))]));
      if (held >= 0) root.querySelectorAll('a,summary')[held]?.focus();
    }
    const onScore = event => { if (event.detail.lesson in scores) { scores[event.detail.lesson] = event.detail.scores; draw(); } };
    const onStore = event => { if (!event.key || event.key.startsWith('chnb:quiz:')) { for (const one of lessons) { delete kept['quiz:' + one.name]; scores[one.name] = read(one.name); } draw(); } };
    addEventListener('chnb:score', onScore); addEventListener('storage', onStore);
    let unthemed;
    start();
    guard(() => { unthemed = themed(root); draw(); })();
    return () => { stop(); unthemed(); removeEventListener('chnb:score', onScore); removeEventListener('storage', onStore); root.remove(); };
  }
  return { initialize() {}, render };
};
