"""A Chromium page that mounts the table without Jupyter: a small stand-in for anywidget's model, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anywidget
import pytest

import cancel_hearts_nb.view.table as table_module
from cancel_hearts_nb.view.table import SENT, TableWidget

STATIC = Path(table_module.__file__).parent / "static"
TRAITS = [*SENT, "live"]
MOUNT = """
async ([source, css, state, options]) => {
  const style = document.createElement('style'); style.textContent = css; document.head.append(style);
  const listeners = {}, data = { ...state };
  const model = {
    saves: 0, sets: [],
    get: key => data[key],
    set(key, value) {
      if (data[key] === value) return;
      data[key] = value; this.sets.push([key, value]);
      for (const call of [...(listeners['change:' + key] || [])]) call();
    },
    on(event, call) { (listeners[event] = listeners[event] || new Set()).add(call); },
    off(event, call) { (listeners[event] || new Set()).delete(call); },
    save_changes() { this.saves++; if (options.dead) throw new Error('no kernel'); },
    sent: [],
    send(content) {
      if (content.kind !== 'ping') this.sent.push(content);
      if (options.dead) throw new Error('no kernel');
      if (content.kind === 'ping') this.hear({ reply: content.id });
    },
    hear(content) { for (const call of [...(listeners['msg:custom'] || [])]) call(content, []); },
    listening: () => Object.values(listeners).reduce((sum, set) => sum + set.size, 0),
  };
  window.model = model; window.keys = []; window.errors = [];
  addEventListener('error', event => window.errors.push(String(event.message)));
  addEventListener('unhandledrejection', event => window.errors.push(String(event.reason)));
  document.addEventListener('keydown', event => window.keys.push(event.key));
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const factory = (await import(url)).default;
  const widget = typeof factory === 'function' ? await factory() : factory;
  await widget.initialize({ model });
  window.cleanups = [];
  for (let i = 0; i < (options.views || 1); i++) {
    const el = document.createElement('div'); document.getElementById('host').append(el);
    window.cleanups.push(await widget.render({ model, el }));
  }
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}
"""
# What JupyterLab and Voilà set around an output: the table must not care.
HOST_CSS = "body{margin:0}" + "".join(
    f".jp-RenderedHTMLCommon {rule}"
    for rule in (
        "dl{width:100%}",
        "dl dt{font-weight:bold;float:left;width:20%}",
        "dl dd{float:left;width:80%}",
        "ul:not(.list-inline),.jp-RenderedHTMLCommon ol:not(.list-inline){padding-left:2em}",
        "ol,.jp-RenderedHTMLCommon ul{margin-bottom:1em}",
        "ul{list-style:disc}",
        "ol{list-style:decimal}",
        "p{text-align:left;margin:0;margin-bottom:1em}",
        "img,.jp-RenderedHTMLCommon svg{max-width:100%;height:auto}",
    )
)
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>table</title><style>%s</style></head><body%s><main id="host" class="jp-RenderedHTMLCommon"></main></body></html>"""


@pytest.fixture
def mount(browser: Any) -> Iterator[Callable[..., Any]]:
    """`mount(table, width, height=800, dark=False, views=1, dead=False, reduced=True, …)` gives the page of a widget."""
    contexts = []

    def made(
        table: Any,
        width: int = 1280,
        height: int = 800,
        *,
        dark: bool = False,
        views: int = 1,
        dead: bool = False,
        reduced: bool = True,
        forced: bool = False,
        clock: bool = False,
        url: str = "",
        stored: dict[str, str] | None = None,
    ) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if reduced else "no-preference",
            forced_colors="active" if forced else "none",
        )
        contexts.append(context)
        page = context.new_page()
        if clock:
            page.clock.install()
        content = PAGE % (HOST_CSS, ' style="background:#111"' if dark else "")
        if url:  # an address, so that the page may remember things
            page.route(url + "**", lambda route: route.fulfill(body=content, content_type="text/html"))
            page.goto(url)
            page.evaluate("stored => Object.assign(localStorage, stored)", stored or {})
        else:
            page.set_content(content)
        # of another widget all that it sends itself
        own = [n for n in table.traits(sync=True) if n[0] != "_" and not hasattr(anywidget.AnyWidget, n)]
        if isinstance(table, TableWidget):
            own = TRAITS
        state = {name: getattr(table, name) for name in own}
        page.evaluate(
            MOUNT,
            [
                str(table._esm),
                str(table._css),
                state,
                {"views": views, "dead": dead},
            ],
        )
        return page

    yield made
    for context in contexts:
        context.close()
