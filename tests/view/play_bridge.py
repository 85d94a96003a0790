"""A played table in a browser without Jupyter: anywidget's model in the page, its messages and traits tied to a real widget.

What the widget sends and sets is passed on in order, as a kernel would do it, and everything sent is kept to be looked at.
"""

from __future__ import annotations

import copy
from typing import Any

from cancel_hearts_nb.view.play import PlayWidget

# what a kernel sends to a page that shows the widget
TRAITS = (
    "replays", "layouts", "rulebook", "pages", "files", "words", "faces", "notice", "live", "replay", "step", "play", "form",
)  # fmt: skip

MOUNT = """
async ([source, state, views]) => {
  const listeners = {}, data = state, changed = {};
  const fire = (name, ...what) => { for (const call of [...(listeners[name] || [])]) call(...what); };
  const model = {
    get: key => data[key],
    set(key, value) { if (data[key] === value) return; data[key] = value; changed[key] = value; fire('change:' + key); },
    on(event, call) { (listeners[event] = listeners[event] || new Set()).add(call); },
    off(event, call) { (listeners[event] || new Set()).delete(call); },
    save_changes() { const now = { ...changed }; for (const key in changed) delete changed[key]; if (!window.dead) window.pySet(now); },
    async send(content) {
      window[content.kind === 'ping' ? 'pings' : 'sent'].push(content);
      if (window.dead) return;
      hear(await window.pySend(content));
    },
    listening: () => Object.values(listeners).reduce((sum, set) => sum + set.size, 0),
  };
  const hear = news => {
    for (let i = 0; i < news.length; i++) {
      if (news[i][0] === 'msg') { fire('msg:custom', news[i][1], []); continue; }
      const names = [];
      for (; i < news.length && news[i][0] === 'set'; i++) {
        const [, name, value] = news[i], same = JSON.stringify(data[name]) === JSON.stringify(value);
        data[name] = value;
        if (!same) names.push(name);
      }
      i--;
      for (const name of new Set(names)) fire('change:' + name);
    }
  };
  Object.assign(window, { model, hear, sent: [], pings: [], errors: [], cleanups: [], dead: false });
  addEventListener('error', event => window.errors.push(String(event.message)));
  addEventListener('unhandledrejection', event => window.errors.push(String(event.reason)));
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const widget = await (await import(url)).default();
  await widget.initialize({ model });
  window.show = async () => { const el = document.createElement('div'); document.getElementById('host').append(el); window.cleanups.push(await widget.render({ model, el })); };
  for (let i = 0; i < views; i++) await window.show();
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}
"""
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>play</title><style>body{margin:0}%s</style></head><body data-voila="voila"><main id="host"></main></body></html>"""


class Bridge:
    """Ties `table` to `page` and keeps everything that reached the page."""

    def __init__(self, page: Any, table: PlayWidget, views: int = 1, css: str = "") -> None:
        self.page, self.table = page, table
        self.news: list[Any] = []
        self.everything: list[Any] = []
        table.send = self._sent  # type: ignore[method-assign]
        table.send_state = self._state  # type: ignore[method-assign]
        page.expose_function("pySend", self._hear)
        page.expose_function("pySet", self._set)
        state = {name: copy.deepcopy(getattr(table, name)) for name in TRAITS}
        self.everything.append(state)
        page.route(
            "http://play.test/**",
            lambda route: route.fulfill(body=PAGE % (str(table._css) + css), content_type="text/html"),
        )
        page.goto("http://play.test/")
        page.evaluate(MOUNT, [str(table._esm), state, views])

    def _sent(self, content: Any, buffers: Any = None) -> None:
        self.news.append(["msg", copy.deepcopy(content)])

    def _state(self, key: Any = None) -> None:
        names = [key] if isinstance(key, str) else sorted(self.table.keys if key is None else key)
        for name in [name for name in TRAITS if name in names]:
            self.news.append(["set", name, copy.deepcopy(getattr(self.table, name))])

    def _set(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            setattr(self.table, name, value)
        self.news.clear()

    def _hear(self, content: Any) -> list[Any]:
        self.news.clear()
        self.table._heard(self.table, content, [])
        found = list(self.news)
        self.news.clear()
        self.everything.append(found)
        return found
