"""A notebook opened in a real JupyterLab and run there, waited for by what Lab says of it and by no fixed time."""

from __future__ import annotations

import time
from typing import Any

# Lab's own word that the kernel has answered once: what is run before that may be lost
_READY = """() => { const panel = window.jupyterapp?.shell.currentWidget, kernel = panel?.sessionContext?.session?.kernel;
  window.book = panel;  // later another panel may be the current one
  if (!panel?.content?.model?.cells.length || !jupyterapp.commands.hasCommand('notebook:run-all-cells') || kernel?.status !== 'idle') return false;
  kernel.info.then(() => { window.answered = kernel.id; });
  return window.answered === kernel.id; }"""
_STATE = """() => { const code = book.content.widgets.filter(one => one.model.type === 'code');
  // a notebook may come with the numbers of an earlier run
  if (window.ran && !window.running && code.every(one => one.model.executionCount)) return 'done';
  return window.running || code.some(one => one.promptNode?.textContent.includes('*')) ? 'busy' : 'still'; }"""
_RUN = """() => { window.ran = window.running = true;
  const over = () => { window.running = false; };
  jupyterapp.commands.execute('notebook:run-all-cells').then(over, over); }"""


def open_notebook(page: Any, address: str, path: str, timeout: float = 120) -> None:
    """Open the notebook at `path` of the Lab at `address` and wait until its kernel answers."""
    page.goto(f"{address}/lab/tree/{path}?reset", timeout=timeout * 1000)
    page.wait_for_function(_READY, timeout=timeout * 1000)


def run_all(page: Any, timeout: float = 120) -> None:
    """Run every cell of the notebook in `page` once, and wait until each has its number.

    The cells are run again only when none of them was taken up: a second run would replace what the first one shows.
    """
    deadline = time.monotonic() + timeout
    while (state := page.evaluate(_STATE)) != "done":
        if time.monotonic() > deadline:
            raise AssertionError("the cells did not run: " + page.locator(".jp-Notebook").inner_text()[-2000:])
        if state == "still":
            page.evaluate(_RUN)
        page.wait_for_timeout(100)
