"""The part of the benchmark that opens the lessons as Voilà serves them: how long until everything of a page is there.

Every lesson is opened in Chromium beside a notebook that says hello and nothing else, all served by one Voilà, in
rounds taken in turns. A page is ready when each of its code cells shows what it made. What a lesson takes on top of the
page that says hello is what it takes after its kernel has started, the browser's work included. `cancel-hearts bench`
runs it; alone it is run with

    python -c "from cancel_hearts_nb import benchlessons; print(benchlessons.measure(3))"
"""

from __future__ import annotations

import importlib
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import benchusual, benchview, resources, serve
from .i18n import Words, words
from .messages import N_

ROUNDS = 3
AIM_SECONDS = 3
HELLO = "hello"

# What each figure is called in the table; the keys are those of the JSON form
LABELS = {
    "hello_s": N_("A page that says hello, from its address to all of it, seconds"),
    "lesson_s": N_("A lesson in the middle of all: the same, seconds"),
    "slowest_s": N_("The slowest lesson: the same, seconds"),
    "slowest_more_s": N_("The slowest lesson: after its kernel has started, seconds"),
}
GOOD = N_("Aim reached: every lesson is ready within %(most)d seconds after its kernel has started.")
BAD = N_("Aim missed: every lesson is ready within %(most)d seconds after its kernel has started.")
NOT_MEASURED = {
    "chromium": N_("The lessons are not measured: no Chromium was found."),
    "playwright": N_("The lessons are not measured: Playwright is not installed; “%(command)s” installs it."),
    "voila": N_("The lessons are not measured: Voilà is not installed; “%(course)s” installs it."),
    "failed": N_("The lessons are not measured: something gave up. It said: %(problem)s"),
}
_SHOWN = """
count => {
  const shown = [...document.querySelectorAll('.jp-OutputArea-output')].filter(one => one.offsetHeight > 10);
  return shown.length >= count;
}
"""


def measure(rounds: int, most: int = 99) -> tuple[dict[str, list[float]], str, str]:
    """Return the figures by name, a value for each round, or why there are none: a key of NOT_MEASURED and a detail.

    rounds: 1 or more, at most ROUNDS are taken, of about half a minute each; most: how many lessons, from the first on.
    """
    if not serve.available():
        return {}, "voila", ""
    return benchview.apart("benchlessons", rounds=min(rounds, ROUNDS), steps=most)


def main(argv: Sequence[str]) -> None:
    """Measure and write the figures as JSON; `argv`: how many rounds, and how many lessons at most."""
    rounds, most = map(int, argv)
    sys.stdout.write(json.dumps(_measured(benchview.chromium() or "chromium", rounds, most)) + "\n")


def cells(path: Path) -> int:
    """Return how many code cells the notebook at `path` has. Raises OSError.

    >>> cells(resources.path("notebooks") / "07_play_a_hand.ipynb") > 1
    True
    """
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return sum([cell["cell_type"] == "code" for cell in notebook["cells"]])


@contextmanager
def _served(most: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Voilà on a copy of the notebooks: the address of its pages, and how many code cells the measured ones have."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "notebooks"
        shutil.copytree(resources.path("notebooks"), folder)
        (folder / f"{HELLO}.ipynb").write_text(benchusual.notebook("'hello'"), encoding="utf-8")
        lessons = sorted(path for path in folder.glob("*.ipynb") if path.stem != HELLO)[:most]
        with serve.serving(folder, words()) as place:
            yield f"{place.root}voila/render/", {path.stem: cells(path) for path in lessons} | {HELLO: 1}


def _seconds(context: Any, address: str, count: int) -> float:
    page = context.new_page()
    page.set_default_timeout(120_000)
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_function(_SHOWN, arg=count, polling="raf")
    spent = time.perf_counter() - start
    page.close(run_before_unload=True)
    return spent


def _measured(path: str, rounds: int, most: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {name: [] for name in LABELS}
    playwright = importlib.import_module("playwright.sync_api").sync_playwright
    with _served(most) as (address, pages), playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=benchview.ARGS)
        # once unmeasured: the first page fills caches of server and browser
        for _ in range(2):
            with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
                _seconds(context, f"{address}{HELLO}.ipynb", 1)
        for _ in range(rounds):
            with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
                spent = {page: _seconds(context, f"{address}{page}.ipynb", count) for page, count in pages.items()}
            hello = spent.pop(HELLO)
            slowest = max(spent, key=lambda page: spent[page])
            found["hello_s"].append(hello)
            found["lesson_s"].append(statistics.median(spent.values()))
            found["slowest_s"].append(spent[slowest])
            found["slowest_more_s"].append(spent[slowest] - hello)
        browser.close()
    return found


def reached(figures: benchview.Figures) -> dict[str, bool]:
    """Return whether the slowest lesson reaches its aim; without figures nothing.

    >>> reached({"slowest_more_s": {"median": 1.2}})
    {'slowest_more_s': True}
    """
    name = "slowest_more_s"
    return {name: figures[name]["median"] <= AIM_SECONDS} if name in figures else {}


def verdicts(lessons: Mapping[str, Any], w: Words) -> Iterator[str]:
    """Yield the sentence on the aim, or one that says why nothing was measured; `lessons`: as in the benchmark's JSON.

    >>> next(verdicts({"missing": "chromium", "detail": ""}, words()))
    'The lessons are not measured: no Chromium was found.'
    """
    if lessons["missing"]:
        said = NOT_MEASURED[lessons["missing"]]
        yield w.text(said, command=benchview.INSTALL, course=benchusual.COURSE, problem=lessons["detail"])
    else:
        yield w.text(GOOD if lessons["reached"]["slowest_more_s"] else BAD, most=AIM_SECONDS)


__all__ = ["LABELS", "NOT_MEASURED", "cells", "main", "measure", "reached", "verdicts"]
