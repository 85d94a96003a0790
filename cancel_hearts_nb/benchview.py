"""The part of the benchmark that looks at the table by itself: a mount and steps in Chromium, and what is sent.

Nothing is served and no kernel runs: a stand-in for anywidget's model does what a host does. Every round starts with a
new page, so a step is measured as a reader first takes it. Beside it stands what one picture of a step costs; the whole
comparison with the usual way is in `benchusual`. `cancel-hearts bench` runs both; this part alone is run with

    python -c "from cancel_hearts_nb import benchview; print(benchview.measure(3, 0.5))"
"""

from __future__ import annotations

import gzip
import importlib
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .game import Game
from .i18n import Words
from .messages import N_
from .names import NAMES
from .players import RandomPlayer, play
from .ruleset import ruleset

SEATS = 11
ROUNDS = 3
STEPS_PER_SECOND = 400
"""How many steps are taken a round for each second that a round of hands is given: 0.5 seconds make a whole hand."""

AIM_STEP_MS = 16
AIM_MOUNT_MS = 100
AIM_HAND_BYTES = 60_000
AIM_ASSET_BYTES = 60_000

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
ARGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
# What a replay holds that a reader reads: all else are frames, lines between cards, and numbers
_WORDS = {
    "title",
    "about",
    "game",
    "names",
    "captions",
    "where",
    "why",
    "lesson",
    "page",
    "asks",
    "code",
    "file",
    "sheet",
}

# What each figure is called in the table; the keys are those of the JSON form
LABELS = {
    "step_script_ms": N_("A step of the table, 11 seats: script, milliseconds"),
    "step_script_ms_p95": N_("A step of the table: script, 95 of 100 steps within, milliseconds"),
    "step_layout_ms": N_("A step of the table: script and layout, milliseconds"),
    "step_layout_ms_p95": N_("A step of the table: script and layout, 95 of 100 steps within, milliseconds"),
    "step_frame_ms": N_("From the click to the next frame of the screen, milliseconds"),
    "step_frame_ms_p95": N_("From the click to the next frame, 95 of 100 steps within, milliseconds"),
    "picture_draw_ms": N_("A fresh SVG picture of a step, drawn in Python, milliseconds"),
    "picture_insert_ms": N_("That picture put into the page, with layout, milliseconds"),
    "mount_ms": N_("From mounting the table to its first card, milliseconds"),
    "hand_bytes": N_("A whole hand for 11 seats: frames and places without words, bytes"),
    "frame_bytes": N_("A whole hand for 11 seats: the frames alone, bytes"),
    "all_bytes": N_("A whole hand for 11 seats: everything sent, with words and rules, bytes"),
    "picture_bytes": N_("The same hand as one SVG picture for each step, bytes"),
    "asset_bytes": N_("JavaScript (packed), CSS and card faces as a table sends them, bytes"),
    "asset_plain_bytes": N_("JavaScript (unpacked), CSS and card faces as the browser reads them, bytes"),
    "asset_gzip_bytes": N_("JavaScript (packed), CSS and card faces, each compressed with gzip, bytes"),
    "play_asset_bytes": N_("The same of a table to play at, as it sends them, bytes"),
}
_AIMS: dict[str, tuple[str, str, int]] = {
    "step_script_ms_p95": (
        N_("Aim reached: 95 of 100 steps of the table take at most %(most)d milliseconds of script."),
        N_("Aim missed: 95 of 100 steps of the table take at most %(most)d milliseconds of script."),
        AIM_STEP_MS,
    ),
    "mount_ms": (
        N_("Aim reached: the first card is there at most %(most)d milliseconds after mounting."),
        N_("Aim missed: the first card is there at most %(most)d milliseconds after mounting."),
        AIM_MOUNT_MS,
    ),
    "hand_bytes": (
        N_("Aim reached: a whole hand without words takes at most %(most)d bytes."),
        N_("Aim missed: a whole hand without words takes at most %(most)d bytes."),
        AIM_HAND_BYTES,
    ),
    "asset_bytes": (
        N_("Aim reached: JavaScript, CSS and card faces, as a table sends them, take at most %(most)d bytes."),
        N_("Aim missed: JavaScript, CSS and card faces, as a table sends them, take at most %(most)d bytes."),
        AIM_ASSET_BYTES,
    ),
}
NOT_MEASURED = {
    "chromium": N_("The table is not measured: no Chromium was found."),
    "playwright": N_("The table is not measured: Playwright is not installed; “%(command)s” installs it."),
    "failed": N_("The table is not measured: Chromium gave up. It said: %(problem)s"),
}
INSTALL = "pip install playwright"

_PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>table</title><main id="host"></main></html>'
# A stand-in for anywidget's model, then what a host does: style, module, initialize, render. The state comes as text,
# since a host has to read it too.
_MOUNT = """
async ([source, css, text]) => {
  const next = () => new Promise(done => requestAnimationFrame(done)), host = document.getElementById('host');
  await next();
  const start = performance.now(), state = JSON.parse(text), calls = {};
  const style = document.createElement('style'); style.textContent = css; document.head.append(style);
  const model = window.model = {
    get: key => state[key],
    set(key, value) { if (state[key] !== value) { state[key] = value; [...(calls['change:' + key] || [])].forEach(call => call()); } },
    on(event, call) { (calls[event] = calls[event] || new Set()).add(call); },
    off(event, call) { calls[event]?.delete(call); },
    save_changes() {}, send() {},
  };
  const made = (await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))).default;
  const widget = typeof made === 'function' ? await made() : made;
  await widget.initialize({ model });
  await widget.render({ model, el: host });
  while (!host.querySelector('.card svg')?.getBoundingClientRect().width) {
    await next();
    if (performance.now() - start > 20000) throw new Error('no card came');
  }
  return [performance.now() - start, host.querySelectorAll('.card').length];
}
"""
_STEPS = """
async count => {
  const next = () => new Promise(done => requestAnimationFrame(done)), found = [];
  const host = document.getElementById('host'), button = name => host.querySelector(`[data-go=${name}]`);
  button('first').click();
  for (let i = 0; i < 30; i++) await next();
  const forward = button('next');
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    forward.click();
    const script = performance.now() - start;
    host.getBoundingClientRect();
    const layout = performance.now() - start;
    await next();
    found.push([script, layout, performance.now() - start]);
    await next();
  }
  if (model.get('step') !== count) throw new Error(`at step ${model.get('step')}, not ${count}`);
  return found;
}
"""
_INSERT = """
async svg => {
  const host = document.getElementById('host'), start = performance.now();
  host.innerHTML = svg;
  host.firstElementChild.getBoundingClientRect();
  const spent = performance.now() - start;
  await new Promise(done => requestAnimationFrame(done));
  return spent;
}
"""

Figures = Mapping[str, Mapping[str, float]]


def chromium(*first: str) -> str | None:
    """Return the path of a Chromium: what the variable CHROMIUM names, else one of `first`, else one of BROWSERS; None without one.

    >>> chromium() is None or isinstance(chromium(), str)
    True
    """
    for name in filter(None, (os.environ.get("CHROMIUM"), *first, *BROWSERS)):
        if found := shutil.which(name):
            return found
    return None


def measure(rounds: int, seconds: float) -> tuple[dict[str, list[float]], str, str]:
    """Return the figures by name, a value for each round, or why there are none: a key of NOT_MEASURED and a detail.

    rounds: 1 or more, at most ROUNDS are taken; seconds: decides how many steps of the hand are taken.
    """
    return apart("benchview", rounds=min(rounds, ROUNDS), steps=max(2, int(seconds * STEPS_PER_SECOND)))


def apart(module: str, *, rounds: int, steps: int) -> tuple[dict[str, list[float]], str, str]:
    """Return what `main` of a module of this package measures in a process of its own, or what it lacks and a detail.

    Playwright starts only once in a thread and never beside an event loop. module: its name; rounds, steps: passed on.
    """
    if chromium() is None:
        return {}, "chromium", ""
    if importlib.util.find_spec("playwright") is None:
        return {}, "playwright", ""
    home = str(Path(__file__).resolve().parent.parent)
    code = f"import sys; sys.path.append({home!r}); from cancel_hearts_nb import {module}; {module}.main(sys.argv[1:])"
    command = [sys.executable, "-c", code, str(rounds), str(steps)]
    try:
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=600
        )
        found: dict[str, list[float]] = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError) as error:
        said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        # Playwright writes a log of calls below what went wrong
        named = [line for line in said if "Error" in line] or said
        return {}, "failed", named[-1][:300] if named else type(error).__name__
    return found, "", ""


def main(argv: Sequence[str]) -> None:
    """Measure and write the figures as JSON; `argv`: how many rounds, and how many steps a round at most."""
    rounds, steps = map(int, argv)
    sys.stdout.write(json.dumps(_measured(chromium() or "chromium", rounds, steps)) + "\n")


def table() -> Any:
    """A table with one hand of eleven players, 99 cards dealt, all hands open: the most that a table has to move."""
    from .view.panels import show

    game = play(Game(ruleset("cancellation", SEATS), NAMES, seed=7, hands=1), [RandomPlayer()] * SEATS)
    return show(game, link=False)


def _size(data: Any) -> int:
    return len(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode())


def _sizes(shown: Any, state: Mapping[str, Any]) -> dict[str, list[float]]:
    from .view.play import PlayWidget

    def sent(widget: Any) -> list[bytes]:
        return [part.encode() for part in (widget._esm, widget._css, faces)]

    faces = json.dumps(state["faces"], separators=(",", ":"), ensure_ascii=False)
    replay = state["replays"][0]
    wordless = {key: value for key, value in replay.items() if key not in _WORDS}
    return {
        "hand_bytes": [_size(wordless) + _size(state["layouts"])],
        "frame_bytes": [_size(replay["frames"])],
        "all_bytes": [_size({key: value for key, value in state.items() if key != "faces"})],
        "asset_bytes": [sum(map(len, sent(shown)))],
        "asset_plain_bytes": [len(shown._module.encode()) + sum(map(len, sent(shown)[1:]))],
        "asset_gzip_bytes": [sum(len(gzip.compress(part, mtime=0)) for part in sent(shown))],
        "play_asset_bytes": [sum(map(len, sent(PlayWidget)))],
    }


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed.

    >>> p95(range(1, 101))
    95
    """
    return sorted(values)[-(-len(values) * 95 // 100) - 1]


def _measured(path: str, rounds: int, steps: int) -> dict[str, list[float]]:
    from .view.svg import draw
    from .view.table import SENT
    from .view.words import ENGLISH

    shown = table()
    replay, words = shown.replays[0], ENGLISH | shown.words
    layout = shown.layouts[replay["layout"]]
    count = min(steps, len(replay["frames"]) - 1)
    state = {name: getattr(shown, name) for name in SENT} | {"live": False, "step": replay["start"]}
    text, css = json.dumps(state), str(shown._css)
    found: dict[str, list[float]] = {name: [] for name in LABELS}
    found |= _sizes(shown, state)
    # once unmeasured: the first drawing fills caches
    found["picture_bytes"] = [sum(len(draw(replay, i, words, layout).encode()) for i in range(len(replay["frames"])))]
    with importlib.import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGS)

        def page() -> Any:
            made = browser.new_page(viewport={"width": 1280, "height": 900})
            made.set_content(_PAGE)
            return made

        for _ in range(rounds):
            ours = page()
            spent, cards = ours.evaluate(_MOUNT, [str(shown._esm), css, text])
            if cards < replay["seats"] * 9:
                raise RuntimeError(f"only {cards} cards on the table")
            found["mount_ms"].append(spent)
            for name, values in zip(
                ("step_script_ms", "step_layout_ms", "step_frame_ms"),
                zip(*ours.evaluate(_STEPS, count), strict=True),
                strict=True,
            ):
                found[name].append(statistics.median(values))
                found[name + "_p95"].append(p95(values))
            ours.close()
            pictures, drawn, inserted = page(), [], []
            for step in range(1, count + 1):
                start = time.perf_counter()
                picture = draw(replay, step, words, layout)
                drawn.append((time.perf_counter() - start) * 1000)
                inserted.append(pictures.evaluate(_INSERT, picture))
            pictures.close()
            found["picture_draw_ms"].append(statistics.median(drawn))
            found["picture_insert_ms"].append(statistics.median(inserted))
        browser.close()
    return found


def reached(figures: Figures) -> dict[str, bool]:
    """Return for each aim whether the median of its figure reaches it; without figures nothing.

    >>> reached({"mount_ms": {"median": 80.0}, "hand_bytes": {"median": 70_000.0}})
    {'mount_ms': True, 'hand_bytes': False}
    """
    found = {}
    for name, (_, _, aim) in _AIMS.items():
        if name in figures:
            found[name] = figures[name]["median"] <= aim
    return found


def verdicts(table: Mapping[str, Any], w: Words) -> Iterator[str]:
    """Yield a sentence for each aim, or one that says why nothing was measured; `table`: as in the benchmark's JSON.

    >>> from .i18n import words
    >>> list(verdicts({"missing": "chromium", "detail": ""}, words()))
    ['The table is not measured: no Chromium was found.']
    """
    if table["missing"]:
        yield w.text(NOT_MEASURED[table["missing"]], command=INSTALL, problem=table["detail"])
        return
    for name, (good, bad, aim) in _AIMS.items():
        yield w.text(good if table["reached"][name] else bad, most=aim)


__all__ = [
    "BROWSERS",
    "LABELS",
    "NOT_MEASURED",
    "apart",
    "chromium",
    "main",
    "measure",
    "p95",
    "reached",
    "table",
    "verdicts",
]
