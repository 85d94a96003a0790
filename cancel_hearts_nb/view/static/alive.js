/* Whether the kernel still answers. A page whose kernel has gone looks alive until somebody asks it something. So while a
   table is on the screen and somebody is at the page, it asks now and then with the smallest of messages, and `store.lost`
   says what came of it. Without anybody there it is silent, so that whoever ends forgotten kernels may do so. */
const ASK_EVERY = 4000, ANSWER_WITHIN = 5000, AWAY_AFTER = 600_000;

function minding(store, model, each) {
  if (store.minding) return store.minding;
  const seen = new Set();
  let timer, patience, asked = 0, touched = Date.now();
  const tell = lost => { if (store.lost !== lost) { store.lost = lost; each('lost'); } };
  const heard = () => { clearTimeout(patience); patience = 0; tell(false); };
  const late = () => {
    patience = 0;
    /* what somebody has asked may take the kernel longer, and play.js waits for that; and when this comes far too late
       itself, the whole machine slept, and nobody could answer */
    if (!store.playing?.pending && Date.now() - asked < 2 * ANSWER_WITHIN) tell(true);
    ask();
  };
  function ask() {
    if (patience || !seen.size || document.hidden || Date.now() - touched > AWAY_AFTER) return;
    asked = Date.now();
    patience = setTimeout(late, ANSWER_WITHIN);
    try { model.send({ kind: 'ping', id: asked }); } catch { clearTimeout(patience); patience = 0; tell(true); }
  }
  const touch = () => { const away = Date.now() - touched > AWAY_AFTER; touched = Date.now(); if (away) ask(); };
  const sights = new IntersectionObserver(list => list.forEach(one => seen[one.isIntersecting ? 'add' : 'delete'](one.target)));
  const hooks = [[document, 'visibilitychange', ask], [window, 'online', ask], ...['pointerdown', 'pointermove', 'keydown'].map(type => [document, type, touch])];
  let count = 0;
  return store.minding = {
    tell,
    add(root) {
      sights.observe(root);
      if (count++) return;
      timer = setInterval(ask, ASK_EVERY);
      model.on('msg:custom', heard);
      for (const [where, type, call] of hooks) where.addEventListener(type, call, { passive: true, capture: true });
    },
    end(root) {
      sights.unobserve(root); seen.delete(root);
      if (--count) return;
      clearInterval(timer); clearTimeout(patience); patience = 0;
      model.off('msg:custom', heard);
      for (const [where, type, call] of hooks) where.removeEventListener(type, call, { capture: true });
    },
  };
}

PLUGINS.push(tools => {
  const { store, model, root } = tools;
  if (!model.get('live') && model.get('form') === undefined) return {};
  const mind = minding(store, model, tools.each);
  mind.add(root);
  return { cleanup: () => mind.end(root) };
});
