/* The rules page under the table: every rule of this game in page order, the options in force, what others play, and
   for each rule the steps in which it acted. All texts come from Python. */
PLUGINS.push(tools => {
  const { L, F, P } = tools;
  let panel, open = false, marked = null;
  const acting = () => tools.replay.frames[tools.stepNow()].r;

  function frame() {
    const { parts, replay, model } = tools;
    panel = null;
    if ((model.get('pages') || [])[replay.page] === undefined) return;
    const button = () => {
      const b = h('button', { type: 'button', class: 'quiet all', 'aria-expanded': String(open) }, L(open ? 'rules_close' : 'rules'));
      b.addEventListener('click', () => show(b.parentNode === parts.foot ? !open : true, acting()));
      return b;
    };
    parts.ruleMore.append(button());
    parts.foot.append(button());
    panel = h('div', { class: 'page', role: 'group', 'aria-label': L('rules'), hidden: true });
    parts.foot.after(panel);
    if (open) show(true);
  }
  function fillIn() {
    const { replay, model } = tools, page = model.get('pages')[replay.page], steps = {};
    replay.frames.forEach((f, i) => (steps[f.r] = steps[f.r] || []).push(i));
    let heading = '';
    for (const id of page.ids) {
      const rule = tools.ruleOf(id), here = page.options.filter(one => one.rule === id), acted = steps[id] || [];
      if (rule.section !== heading) panel.append(h('h3', {}, heading = rule.section));
      const jumps = h('span', { class: 'jumps' }, acted.map(step => {
        const b = h('button', { type: 'button', 'aria-label': F('goto', { n: step, where: replay.where[step] }) }, String(step));
        b.addEventListener('click', () => { tools.pause(); tools.go(step); tools.parts.board.scrollIntoView({ block: 'nearest' }); });
        return b;
      }));
      panel.append(h('article', { 'data-rule': id, tabindex: -1 }, [h('h4', {}, rule.heading), h('p', { class: 'now' }, L('acts')), h('p', {}, rule.text),
        rule.reading ? h('p', { class: 'reading' }, [h('span', {}, L('reading') + ' '), rule.reading]) : '',
        ...here.map(one => h('p', { class: 'opt' }, [h('span', {}, L(one.changed ? 'here_changed' : 'here') + ' '), one.text])),
        acted.length > 12 ? h('details', {}, [h('summary', {}, P('acted_steps', acted.length)), jumps])
          : acted.length ? h('p', { class: 'acted' }, [L('acted') + ' ', jumps]) : '']));
    }
    if (page.others.length) panel.append(h('h3', {}, L('others')), ...page.others.map(one => h('article', {}, [h('h4', {}, one.title), h('p', {}, one.text)])));
  }
  function show(yes, id) {
    open = yes;
    if (yes && !panel.firstChild) fillIn();
    panel.hidden = !yes;
    for (const b of [...tools.parts.foot.querySelectorAll('.all'), ...tools.parts.ruleMore.children]) {
      put(b, { 'aria-expanded': String(yes) });
      if (b.parentNode === tools.parts.foot) say(b, L(yes ? 'rules_close' : 'rules'));
    }
    marked = null;
    mark();
    const at = yes && id && panel.querySelector(`[data-rule="${id}"]`);
    if (at) { at.scrollIntoView({ block: 'center' }); at.focus({ preventScroll: true }); }
  }
  function mark() {
    if (!panel || panel.hidden || marked === acting()) return;
    marked = acting();
    for (const one of panel.querySelectorAll('article')) put(one, { 'aria-current': one.dataset.rule === marked ? 'true' : null });
  }
  return { frame, step: mark };
});
