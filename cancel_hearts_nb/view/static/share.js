/* One seat's view, links, saving and opening records. What tells every card is asked from the kernel, unless all hands
   are shown and it came along. */
PLUGINS.push(tools => {
  const { L, F, model, store, id } = tools;
  const waiting = new Map();
  let count = 0;
  const heard = said => { if (said && waiting.has(said.reply)) { waiting.get(said.reply)(said); waiting.delete(said.reply); } };
  model.on('msg:custom', heard);

  /* one question to the kernel; without an answer the reader is told so */
  function request(kind, data = {}) {
    return new Promise((done, fail) => {
      const key = `${id}-${++count}`, timer = setTimeout(() => { waiting.delete(key); tell(L('no_kernel')); fail(); }, 8000);
      waiting.set(key, said => { clearTimeout(timer); if (said.failed) fail(); else done(said); });
      try { model.send({ kind, id: key, replay: model.get('replay'), ...data }); } catch { clearTimeout(timer); waiting.delete(key); tell(L('no_kernel')); fail(); }
    });
  }
  const tell = text => tools.tellNote({ text });
  const quiet = promise => promise.catch(error => { if (error) throw error; });   // without an error the reader has been told

  /* JupyterLab's address of a notebook, turned into Voilà's: only there a link is read */
  const page = () => new URL(location.pathname.replace(/\/(?:lab|notebooks|doc)(?:\/workspaces\/[^/]+)?(?:\/tree)?\/(?=.*\.ipynb$)/, '/voila/render/'), location.href);
  async function code() { return tools.replay.code || (await request('link')).code; }
  async function address(file, word, value) {
    const path = pathOf(file), made = path ? new URL(location.pathname, location.href) : file ? new URL(file + '.ipynb', page()) : page();
    made.search = new URLSearchParams({ ...path && { path }, hand: await code(), [word]: value });
    return made.href;
  }
  const here = () => address('', 'step', tools.stepNow());
  /* the play goes on after the events shown */
  const onward = () => address('07_play_a_hand', 'at', tools.stepNow() + 1);

  let copied, gone;
  async function copy(made, said) {
    const text = await made();
    try { await navigator.clipboard.writeText(text); tell(L(said)); copied.hidden = true; } catch {
      copied.hidden = false;
      const field = copied.querySelector('input');
      field.value = text; field.focus(); field.select();
    }
  }
  async function save() {
    const file = (model.get('files') || [])[tools.replay.file] || (await request('save')).file;
    const link = h('a', { href: URL.createObjectURL(new Blob([file.text], { type: 'application/toml' })), download: fileName(file.name) + '.toml' });
    tools.root.append(link);
    link.click(); link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
  const fileName = title => title.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '').slice(0, 60).toLowerCase() || 'record';
  async function load(input, faults) {
    const file = input.files[0];
    input.value = '';
    faults.replaceChildren();
    if (!file) return;
    if (file.size > 1e6) { faults.append(h('p', {}, L('too_large'))); return; }
    let text;
    try { text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()); } catch { faults.append(h('p', {}, L('not_utf8'))); return; }
    const said = await request('open', { name: file.name, text });
    if (said.faults) faults.append(h('p', {}, L('faulty')), h('ul', {}, said.faults.map(text => h('li', {}, text))));
    else tell(L('opened'));
  }

  function frame() {
    const { parts, replay } = tools, live = model.get('live'), able = replay.code || live;
    const button = (name, call) => { const b = h('button', { type: 'button', class: 'quiet', 'data-do': name }, L(name)); b.addEventListener('click', () => quiet(call())); return b; };
    const kids = [], web = /^http/.test(location.protocol);
    if (live) {
      const select = h('select', { id: id + '-view' }, [h('option', { value: '' }, L('view_all')), ...replay.names.map((name, seat) => h('option', { value: seat }, F('view_one', { name })))]);
      select.value = replay.viewer ?? '';
      select.addEventListener('change', () => {
        tools.pause();
        quiet(request('viewer', { viewer: select.value === '' ? null : +select.value }).catch(error => { select.value = tools.replay.viewer ?? ''; throw error; }));
      });
      kids.push(h('span', { class: 'vw' }, [h('label', { for: id + '-view' }, L('view')), select]));
    }
    if (able && web && replay.lesson !== undefined && model.get('live')) {
      const go = h('a', { class: 'quiet', href: '#', 'data-do': 'play_on' }, L('play_on'));
      go.addEventListener('click', event => { event.preventDefault(); quiet(onward().then(to => location.assign(to))); });
      kids.push(button('link', () => copy(here, 'link_copied')), go, button('exercise', () => copy(onward, 'exercise_copied')));
    }
    if ((model.get('files') || [])[replay.file] || (live && able)) kids.push(button('save', save));
    const faults = h('div', { class: 'faults', role: 'alert' });
    if (live) {
      const input = h('input', { type: 'file', accept: '.toml', class: 'sr', id: id + '-open' });
      input.addEventListener('change', () => quiet(load(input, faults)));
      kids.push(h('label', { class: 'quiet', for: id + '-open' }, [input, L('open')]));
    }
    copied = h('p', { class: 'copied', hidden: true }, [h('label', { for: id + '-link' }, L('link_here')), ' ', h('input', { type: 'text', readonly: true, id: id + '-link', dir: 'ltr' })]);
    parts.foot.append(...kids);
    gone = h('p', { class: 'gone', role: 'status', hidden: true });
    parts.foot.after(gone, copied, faults);
    lost();
  }
  /* the steps are all here; only what stands below the table needs the kernel */
  function lost() {
    if (!gone || !model.get('live')) return;
    say(gone, store.lost ? L('no_kernel') : '');
    gone.hidden = !store.lost;
  }
  return { frame, lost, cleanup: () => model.off('msg:custom', heard) };
});
