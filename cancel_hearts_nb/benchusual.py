"""The part of the benchmark that compares: our table and the same replay built the usual way, both served with a kernel.

The usual way is python-chess's: `interact` with a slider, and for each step a fresh SVG picture that the kernel draws and
the page shows in place of the last one. A leaner form of it, which the kernel answers with one message, puts the
picture into an HTML widget. All three are opened in Chromium from one Voilà, each with a kernel of its own on this
machine, and are stepped with the arrow key in turns of a few steps, so that whatever else the machine does slows all
alike. A step is taken twice: from the key to the new step laid out, and from the key to the first task after the frame
in which it was painted, which waits for the screen. `cancel-hearts bench` runs it; alone it is run with

    python -c "from cancel_hearts_nb import benchusual; print(benchusual.measure(3, 20))"
"""

from __future__ import annotations

import importlib
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import benchview, serve
from .i18n import Words, words
from .messages import N_

ROUNDS = 3
STEPS = 20
"""How many steps are taken a round at most: the usual way takes its time."""
TURN = 5
PAUSE_MS = 300
"""How long nobody touches anything after a step, in milliseconds, so that the next one begins from rest: cards have
arrived, and the kernel has said what it had to. It is not part of a step."""

AIM_RATIO = 10

# What each figure is called in the table; the keys are those of the JSON form
LABELS = {
    "table_laid_ms": N_("Served with a kernel, the table: from the key to the step laid out, milliseconds"),
    "usual_laid_ms": N_("Served, slider and a fresh SVG from the kernel: the same, milliseconds"),
    "html_laid_ms": N_("Served, slider and that SVG in an HTML widget: the same, milliseconds"),
    "table_ms": N_("Served, the table: from the key to the step painted, milliseconds"),
    "table_ms_p95": N_("Served, the table: 95 of 100 steps painted within, milliseconds"),
    "usual_ms": N_("Served, slider and a fresh SVG: from the key to the step painted, milliseconds"),
    "usual_ms_p95": N_("Served, slider and a fresh SVG: 95 of 100 steps painted within, milliseconds"),
    "html_ms": N_("Served, slider and HTML widget: from the key to the step painted, milliseconds"),
    "html_ms_p95": N_("Served, slider and HTML widget: 95 of 100 steps painted within, milliseconds"),
    "letter_ms": N_("Served, a key that changes one letter: from the key to its painting, milliseconds"),
    "ratio": N_("Slider and a fresh SVG: how many times as long until painted"),
    "ratio_p95": N_("Slider and a fresh SVG: how many times as long until 95 of 100 are painted"),
    "ratio_html": N_("Slider and HTML widget: how many times as long until painted"),
    "ratio_laid": N_("Slider and a fresh SVG: how many times as long until laid out"),
    "ratio_laid_html": N_("Slider and HTML widget: how many times as long until laid out"),
    "table_bytes": N_("Served, the table: bytes over the socket for each step"),
    "usual_bytes": N_("Served, slider and a fresh SVG: bytes over the socket for each step"),
    "html_bytes": N_("Served, slider and HTML widget: bytes over the socket for each step"),
}
GOOD = N_("Aim reached: from the key to its painting a step is at least %(most)d times as fast as the usual way.")
BAD = N_("Aim missed: from the key to its painting a step is at least %(most)d times as fast as the usual way.")
NOT_MEASURED = {
    "chromium": N_(
        "The table is not compared with the usual way: no Chromium was found. Debian’s package is called chromium."
    ),
    "playwright": N_(
        "The table is not compared with the usual way: Playwright is not installed; “%(command)s” installs it."
    ),
    "voila": N_("The table is not compared with the usual way: Voilà is not installed; “%(course)s” installs it."),
    "failed": N_("The table is not compared with the usual way: something gave up. It said: %(problem)s"),
}
COURSE = "pip install 'cancel_hearts_nb[course]'"

_OURS = """
from cancel_hearts_nb import benchview
table = benchview.table()
table.step = 0
table
"""
_PICTURES = """
import ipywidgets
from IPython.display import SVG, display
from cancel_hearts_nb import benchview
from cancel_hearts_nb.view.svg import draw
from cancel_hearts_nb.view.words import ENGLISH
table = benchview.table()
replay, words = table.replays[0], ENGLISH | table.words
def picture(step):
    svg = draw(replay, step, words, table.layouts[replay["layout"]])
    return svg.replace("<svg ", f'<svg data-step="{step}" ', 1)
slider = ipywidgets.IntSlider(value=0, min=0, max=len(replay["frames"]) - 1)
"""
_USUAL = (
    _PICTURES
    + """
ipywidgets.interact(lambda step: display(SVG(picture(step))), step=slider)
"""
)
_HTML = (
    _PICTURES
    + """
box = ipywidgets.HTML(picture(0))
slider.observe(lambda change: setattr(box, "value", picture(change["new"])), "value")
ipywidgets.VBox([slider, box])
"""
)
# For each page: what it is made of, what takes the key, what changes with a step, and how to read which step it shows
_PAGES = {
    "table": (_OURS, ".chnb [data-go=next]", ".chnb .cnt", "box => parseInt(box.textContent)"),
    # JupyterLab shows an SVG output as an image whose address is the picture
    "usual": (
        _USUAL, ".noUi-handle", ".widget-output",
        "box => parseInt(/data-step%3D%22(\\d+)/.exec(box.querySelector('img')?.src)?.[1])",
    ),
    "html": (
        _HTML, ".noUi-handle", ".widget-html-content:has(svg)",
        "box => parseInt(box.querySelector('svg')?.dataset.step)",
    ),
}  # fmt: skip
_WATCH = """
([where, read]) => {
  const box = document.querySelector(where), step = eval(read);
  let began = 0, done = null;
  addEventListener('keydown', event => { began = event.timeStamp; }, true);
  const painted = call => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = call;
    channel.port2.postMessage(0);
  });
  let seen = step(box);
  window.arm = () => { window.stepped = new Promise(resolve => { done = resolve; }); };
  new MutationObserver(async () => {
    const now = step(box), start = began;
    if (now === seen || !Number.isInteger(now)) return;
    seen = now;
    await box.querySelector('img')?.decode();
    document.body.getBoundingClientRect();
    const laid = performance.now() - start;
    painted(() => done([now, laid, performance.now() - start]));
  }).observe(box, { childList: true, characterData: true, subtree: true });
  /* the least that any step can take here: the same way from key to paint, for one changed letter */
  const letter = document.createElement('button');
  letter.id = 'letter'; letter.textContent = '0'; letter.style.cssText = 'position:fixed;left:0;bottom:0';
  letter.addEventListener('keydown', event => {
    event.stopPropagation();
    letter.textContent = 1 - letter.textContent;
    painted(() => done([0, 0, performance.now() - event.timeStamp]));
  });
  document.body.append(letter);
}
"""


def measure(rounds: int, steps: int = STEPS) -> tuple[dict[str, list[float]], str, str]:
    """Return the figures by name, a value for each round, or why there are none: a key of NOT_MEASURED and a detail.

    rounds: 1 or more, at most ROUNDS are taken; steps: of the hand in each round, at most STEPS. It takes about half a
    minute a round.
    """
    if not serve.available():
        return {}, "voila", ""
    return benchview.apart("benchusual", rounds=min(rounds, ROUNDS), steps=max(1, min(steps, STEPS)))


def main(argv: Sequence[str]) -> None:
    """Measure and write the figures as JSON; `argv`: how many rounds, and how many steps a round."""
    rounds, steps = map(int, argv)
    sys.stdout.write(json.dumps(_measured(benchview.chromium() or "chromium", rounds, steps)) + "\n")


def notebook(source: str) -> str:
    """Return the text of a notebook with one code cell, in which this very package is found.

    >>> notebook("1 + 1").count("cell_type")
    1
    """
    home = str(Path(__file__).resolve().parent.parent)  # of this very package
    source = f"import sys\nsys.path.append({home!r})\n{source}"
    cell: dict[str, Any] = {
        "cell_type": "code", "id": "only", "metadata": {}, "outputs": [], "execution_count": None,
        "source": source,
    }  # fmt: skip
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


@contextmanager
def _served() -> Iterator[str]:
    """Voilà on the notebooks, in a folder that goes away with it: the address of its pages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for page, (source, *_) in _PAGES.items():
            (folder / f"{page}.ipynb").write_text(notebook(source), encoding="utf-8")
        with serve.serving(folder, words()) as place:
            yield f"{place.root}voila/render/"


class _Page:
    """One of the pages, opened and ready to be stepped: what steps took and how many bytes they sent."""

    def __init__(self, context: Any, address: str, name: str) -> None:
        _, self.handle, where, read = _PAGES[name]
        self.laid: list[float] = []
        self.painted: list[float] = []
        self.letter: list[float] = []
        self.sent = 0
        self.page = context.new_page()
        wire = context.new_cdp_session(self.page)
        for event in ("Network.webSocketFrameReceived", "Network.webSocketFrameSent"):
            wire.on(event, self._count)
        wire.send("Network.enable")
        # on a busy machine a kernel takes its time to start
        self.page.goto(f"{address}{name}.ipynb", timeout=120_000)
        self.page.locator(where).first.wait_for(timeout=120_000)
        self.page.evaluate(_WATCH, [where, read])
        # until the kernel has nothing more to say about the opening
        before = -1
        while before != self.sent:
            before = self.sent
            self.page.wait_for_timeout(700)
        self.sent = 0

    def _count(self, event: Mapping[str, Any]) -> None:
        response = event["response"]
        text = response["payloadData"]
        # what is not text comes in base64
        self.sent += len(text.encode()) if response["opcode"] == 1 else len(text) * 3 // 4

    def _press(self, handle: str) -> tuple[int, float, float]:
        self.page.focus(handle)
        self.page.evaluate("arm()")
        self.page.keyboard.press("ArrowRight")
        step, laid, painted = self.page.evaluate("stepped")
        self.page.wait_for_timeout(PAUSE_MS)
        return step, laid, painted

    def walk(self, count: int) -> None:
        self.page.bring_to_front()
        self.page.wait_for_timeout(PAUSE_MS)
        self.letter.append(self._press("#letter")[2])
        for _ in range(count):
            step, laid, painted = self._press(self.handle)
            self.laid.append(laid)
            self.painted.append(painted)
            if step != len(self.laid):
                raise RuntimeError(f"at step {step}, not {len(self.laid)}")

    def close(self) -> int:
        self.page.wait_for_timeout(1000)  # what a step still tells the kernel
        self.page.close()
        return self.sent


def _measured(path: str, rounds: int, steps: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {name: [] for name in LABELS}
    playwright = importlib.import_module("playwright.sync_api").sync_playwright
    with _served() as address, playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=benchview.ARGS)
        for _ in range(rounds):
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            pages = {name: _Page(context, address, name) for name in _PAGES}
            for start in range(0, steps, TURN):
                for page in pages.values():
                    page.walk(min(TURN, steps - start))
            for name, page in pages.items():
                found[f"{name}_bytes"].append(page.close() / steps)
                found[f"{name}_laid_ms"].append(statistics.median(page.laid))
                found[f"{name}_ms"].append(statistics.median(page.painted))
                found[f"{name}_ms_p95"].append(benchview.p95(page.painted))
            found["letter_ms"].append(statistics.median([one for page in pages.values() for one in page.letter]))
            for ratio, name, kind in (
                ("ratio", "usual", "ms"), ("ratio_p95", "usual", "ms_p95"), ("ratio_html", "html", "ms"),
                ("ratio_laid", "usual", "laid_ms"), ("ratio_laid_html", "html", "laid_ms"),
            ):  # fmt: skip
                found[ratio].append(found[f"{name}_{kind}"][-1] / found[f"table_{kind}"][-1])
            context.close()
        browser.close()
    return found


def reached(figures: benchview.Figures) -> dict[str, bool]:
    """Return whether the median ratio reaches its aim; without figures nothing.

    >>> reached({"ratio": {"median": 7.0}})
    {'ratio': False}
    """
    return {"ratio": figures["ratio"]["median"] >= AIM_RATIO} if "ratio" in figures else {}


def verdicts(usual: Mapping[str, Any], w: Words) -> Iterator[str]:
    """Yield the sentence on the aim, or one that says why nothing was measured; `usual`: as in the benchmark's JSON.

    >>> COURSE in next(verdicts({"missing": "voila", "detail": ""}, words()))
    True
    """
    if usual["missing"]:
        said = NOT_MEASURED[usual["missing"]]
        yield w.text(said, command=benchview.INSTALL, course=COURSE, problem=usual["detail"])
    else:
        yield w.text(GOOD if usual["reached"]["ratio"] else BAD, most=AIM_RATIO)


__all__ = ["LABELS", "NOT_MEASURED", "main", "measure", "notebook", "reached", "verdicts"]
