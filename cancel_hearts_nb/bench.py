"""The benchmark, `cancel-hearts bench`: hands per second beside OpenSpiel, imports, frames, simulator, table, lessons.

The table in a browser is measured by `benchview` (a mount, steps, bytes) and `benchusual` (beside the same replay built
the usual way, both served by Voilà with a kernel), the lessons by `benchlessons`; without Chromium, Playwright or Voilà
a sentence says what to install.

Everything is measured in rounds taken in turns (A B C A B C …), so that whatever else the machine does slows all of
them alike. Ratios are taken within a round. It is a command for people, never a test: how fast a machine is on a
given day says nothing about whether the code is right.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from . import benchlessons, benchsimulate, benchusual, benchview, frames
from .game import Game
from .i18n import Words, words
from .messages import N_, NN_, Problem
from .names import NAMES
from .players import Player, RandomPlayer, play
from .ruleset import Ruleset, ruleset

ROUNDS = 9
SECONDS = 0.5
AIM_RATIO = 1.0
AIM_IMPORT_MS = 60.0
AIM_FRAME_BYTES = 60_000

_EVERYTHING = "from cancel_hearts_nb import Game, RandomPlayer, play"
# What each figure is called in the table; the keys are those of the JSON form
LABELS = {
    "hands_per_second.hearts_4": N_("Four-player Hearts, hands per second"),
    "hands_per_second.cancellation_8": N_("Eight-player Cancellation Hearts, hands per second"),
    "hands_per_second.openspiel": N_("OpenSpiel’s Hearts, chance by random.choice, hands per second"),
    "hands_per_second.openspiel_numpy": N_("OpenSpiel’s Hearts, chance by numpy.random.choice, hands per second"),
    "ratio.openspiel": N_("Our hands for each hand of OpenSpiel with random.choice"),
    "ratio.openspiel_numpy": N_("Our hands for each hand of OpenSpiel with numpy.random.choice"),
    "import_ms.bare": N_("Python alone, milliseconds"),
    "import_ms.package": N_("Importing the package, milliseconds on top"),
    "import_ms.game": N_("Importing all that a game needs, milliseconds on top"),
    "frame_bytes.all_open": N_("Frames of an eight-player hand, all hands open, bytes"),
    "frame_bytes.one_seat": N_("Frames of an eight-player hand, seen from one seat, bytes"),
}
_AIMS: dict[str, tuple[str, str]] = {
    "ratio": (
        N_("Aim reached: at least as many hands as OpenSpiel’s loop with random.choice."),
        N_("Aim missed: at least as many hands as OpenSpiel’s loop with random.choice."),
    ),
    "ratio_numpy": (
        N_(
            "Aim reached: at least as many hands as OpenSpiel’s loop the way its own example is written, with numpy.random.choice."
        ),
        N_(
            "Aim missed: at least as many hands as OpenSpiel’s loop the way its own example is written, with numpy.random.choice."
        ),
    ),
    "import_ms": (
        N_("Aim reached: all that a game needs is imported within %(most)d milliseconds."),
        N_("Aim missed: all that a game needs is imported within %(most)d milliseconds."),
    ),
    "frame_bytes": (
        N_("Aim reached: the frames of an eight-player hand take at most %(most)d bytes."),
        N_("Aim missed: the frames of an eight-player hand take at most %(most)d bytes."),
    ),
}
NO_OPEN_SPIEL = N_("OpenSpiel is not installed, so nothing is compared with it; “%(command)s” installs it.")
INSTALL = "pip install cancel_hearts_nb[bench]"

Figure = dict[str, float]


class BenchError(Problem):
    """A benchmark that cannot be run as asked."""


def hands(rules: Ruleset, first: int = 0) -> Iterator[Game]:
    """Yield whole hands without end, each a game of its own with events, played by the random player.

    They go round hand numbers 1 to 4, so that four players pass in three hands of four, as in OpenSpiel's game.

    >>> game = next(hands(ruleset("hearts", 4)))
    >>> game.asked, len(game.state.tricks)
    (None, 13)
    """
    names = NAMES[: rules.seats]
    players: list[Player] = [RandomPlayer()] * rules.seats
    seed = first
    while True:
        yield play(Game(rules, names, seed, number=seed % 4 + 1, hands=1), players)
        seed += 1


def openspiel_hands(sample: Callable[[Any], int]) -> Iterator[Any]:
    """Yield whole hands of OpenSpiel's Hearts without end, played as in its own example.py; `sample` decides chance.

    Raises ImportError without open_spiel.
    """
    # by name, so that reading this file does not look as if the package needed it
    game = importlib.import_module("pyspiel").load_game("hearts")
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action = sample(state.chance_outcomes())
            else:
                action = random.choice(state.legal_actions(state.current_player()))
            state.apply_action(action)
        yield state


def choose_plainly(outcomes: Sequence[tuple[int, float]]) -> int:
    """Return one of `outcomes`, each as likely (as they are in Hearts): the cheap way.

    >>> choose_plainly([(7, 1.0)])
    7
    """
    return random.choice(outcomes)[0]


def _choose_as_in_example() -> Callable[[Any], int]:
    choice = importlib.import_module("numpy").random.choice

    def sample(outcomes: Sequence[tuple[int, float]]) -> int:
        actions, chances = zip(*outcomes, strict=True)
        found: int = choice(actions, p=chances)
        return found

    return sample


def _rate(some: Iterator[Any], seconds: float) -> float:
    """Return how many of `some` are made per second, in at least that many seconds."""
    done, start = 0, time.perf_counter()
    while True:
        next(some)
        done += 1
        spent = time.perf_counter() - start
        if spent >= seconds:
            return done / spent


def _start_ms(code: str, *options: str) -> tuple[float, str]:
    """Return how long a new interpreter takes for `code`, and what it writes to its error output."""
    # at the end of the path: this very package is found without hiding anything of the standard library
    home = str(Path(__file__).resolve().parent.parent)
    command = [sys.executable, *options, "-c", f"import sys; sys.path.append({home!r}); {code}"]
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8", errors="replace")
    return (time.perf_counter() - start) * 1000, done.stderr


def slowest(report: str, count: int = 5) -> list[tuple[str, float]]:
    """Return the modules that took longest by themselves, in milliseconds, from the `report` of `python -X importtime`.

    >>> slowest("import time:      1200 |       1500 | json")
    [('json', 1.2)]
    """
    found = []
    for line in report.splitlines():
        spent, _, rest = line.removeprefix("import time:").partition("|")
        if spent.strip().isdecimal():
            found.append((rest.rpartition("|")[2].strip(), int(spent) / 1000))
    return sorted(found, key=lambda item: -item[1])[:count]


def frame_bytes(game: Game, viewer: int | None) -> int:
    """Return how many bytes the frames of `game` take as compact JSON, as seat `viewer` sees them (None: all open).

    >>> game = next(hands(ruleset("cancellation", 8)))
    >>> frame_bytes(game, 0) < frame_bytes(game, None)
    True
    """
    data = frames.to_json(frames.frames(game.events, game.ruleset, viewer))
    return len(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode())


def _figure(values: Iterable[float]) -> Figure:
    some = list(values)
    return {"median": statistics.median(some), "least": min(some), "most": max(some)}


def measure(rounds: int = ROUNDS, seconds: float = SECONDS) -> dict[str, Any]:
    """Return everything measured, as JSON-able values: `rounds` rounds, each kind of hand played for `seconds` a round."""
    cancellation = ruleset("cancellation", 8)
    runs: dict[str, Iterator[Any]] = {"hearts_4": hands(ruleset("hearts", 4))}
    version = _openspiel_version()
    if version is not None:
        runs["openspiel"] = openspiel_hands(choose_plainly)
        runs["openspiel_numpy"] = openspiel_hands(_choose_as_in_example())
    runs["cancellation_8"] = hands(cancellation)
    starts = {"bare": "pass", "package": "import cancel_hearts_nb", "game": _EVERYTHING}
    # once unmeasured: the first import compiles files, the first hand fills caches
    for some in runs.values():
        next(some)
    for code in starts.values():
        _start_ms(code)
    rates: dict[str, list[float]] = {name: [] for name in runs}
    times: dict[str, list[float]] = {name: [] for name in starts}
    for _ in range(rounds):
        for name, some in runs.items():
            rates[name].append(_rate(some, seconds))
        for name, code in starts.items():
            times[name].append(_start_ms(code)[0])
    ratios = {
        name: _figure(ours / theirs for ours, theirs in zip(rates["hearts_4"], rates[name], strict=True))
        for name in rates if name.startswith("openspiel")
    }  # fmt: skip
    imports = {
        name: _figure(
            spent if name == "bare" else spent - bare for spent, bare in zip(times[name], times["bare"], strict=True)
        )
        for name in times
    }
    played = [game for game, _ in zip(hands(cancellation), range(max(rounds, 4)), strict=False)]
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": _machine(),
        "open_spiel": version,
        "rounds": rounds,
        "seconds": seconds,
        "hands_per_second": {name: _figure(values) for name, values in rates.items()},
        "ratio": ratios,
        "import_ms": imports,
        "frame_bytes": {
            "all_open": _figure(frame_bytes(game, None) for game in played),
            "one_seat": _figure(frame_bytes(game, 0) for game in played),
        },
        "slowest_imports": [],
    }
    found["reached"] = _reached(found)
    found["simulation"] = _simulation(rounds, seconds, version)
    found["table"] = _part(benchview, benchview.measure(rounds, seconds))
    found["usual"] = _part(benchusual, benchusual.measure(rounds, int(seconds * benchview.STEPS_PER_SECOND)))
    found["lessons"] = _part(benchlessons, benchlessons.measure(rounds))
    if not found["reached"]["import_ms"]:
        found["slowest_imports"] = slowest(_start_ms(_EVERYTHING, "-X", "importtime")[1])
    return found


def _reached(found: dict[str, Any]) -> dict[str, bool]:
    reached = {
        "import_ms": found["import_ms"]["game"]["median"] <= AIM_IMPORT_MS,
        "frame_bytes": found["frame_bytes"]["all_open"]["median"] <= AIM_FRAME_BYTES,
    }
    if found["ratio"]:
        reached["ratio"] = found["ratio"]["openspiel"]["median"] >= AIM_RATIO
        reached["ratio_numpy"] = found["ratio"]["openspiel_numpy"]["median"] >= AIM_RATIO
    return reached


def _simulation(rounds: int, seconds: float, version: str | None) -> dict[str, Any]:
    """The simulator: figures and aims, or under "missing" what it lacks to be measured."""
    loop = None if version is None else openspiel_hands(choose_plainly)
    values, missing = benchsimulate.measure(rounds, seconds, loop)
    figures = {name: _figure(values[name]) for name in benchsimulate.LABELS if name in values}
    return {"figures": figures, "reached": benchsimulate.reached(figures), "missing": missing}


def _part(part: Any, measured: tuple[dict[str, list[float]], str, str]) -> dict[str, Any]:
    """What a part in a browser has measured: figures and aims, or under "missing" what it lacks to be measured."""
    values, missing, detail = measured
    figures = {name: _figure(some) for name, some in values.items()}
    return {"figures": figures, "reached": part.reached(figures), "missing": missing, "detail": detail}


def _openspiel_version() -> str | None:
    try:
        importlib.import_module("pyspiel")
        return importlib.import_module("importlib.metadata").version("open_spiel")  # type: ignore[no-any-return]
    except ImportError:
        return None


def _machine() -> str:
    return f"{platform.system()} {platform.machine()} × {os.cpu_count() or 1}"


def _shown(value: float) -> str:
    """Three digits that mean something, no more: the machine is not quieter than that."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def lines(found: dict[str, Any], w: Words) -> Iterator[str]:
    """Yield the lines of the report on what `measure` found, in the language of `w`."""
    yield w.count(
        NN_(
            "Measured in one round on %(machine)s with Python %(python)s.",
            "Measured in %(count)d rounds, taken in turns, on %(machine)s with Python %(python)s.",
        ),
        found["rounds"], machine=found["machine"], python=found["python"],
    )  # fmt: skip
    if found["open_spiel"] is None:
        yield w.text(NO_OPEN_SPIEL, command=INSTALL)
    yield ""
    rows = [("", w.text(N_("median")), w.text(N_("lowest")), w.text(N_("highest")))]
    for key, label in LABELS.items():
        group, _, name = key.partition(".")
        figure = found[group].get(name)
        if figure:
            rows.append((w.text(label), _shown(figure["median"]), _shown(figure["least"]), _shown(figure["most"])))
    for part, labels in (
        ("simulation", benchsimulate.LABELS),
        ("table", benchview.LABELS),
        ("usual", benchusual.LABELS),
        ("lessons", benchlessons.LABELS),
    ):
        for name, figure in found[part]["figures"].items():
            label = w.text(labels[name])
            rows.append((label, _shown(figure["median"]), _shown(figure["least"]), _shown(figure["most"])))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for label, *numbers in rows:
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        yield "  ".join([label.ljust(widths[0]), *cells])
    yield ""
    for key, (good, bad) in _AIMS.items():
        if key in found["reached"]:
            yield w.text(good if found["reached"][key] else bad, **_MOST.get(key, {}))
    yield from benchsimulate.verdicts(found["simulation"], w)
    yield from benchview.verdicts(found["table"], w)
    yield from benchusual.verdicts(found["usual"], w)
    yield from benchlessons.verdicts(found["lessons"], w)
    for name, spent in found["slowest_imports"]:
        yield w.text(N_("%(module)s takes %(spent)s milliseconds by itself."), module=name, spent=_shown(spent))


_MOST: dict[str, dict[str, int]] = {
    "import_ms": {"most": int(AIM_IMPORT_MS)},
    "frame_bytes": {"most": AIM_FRAME_BYTES},
}


def main(argv: Sequence[str] = (), language: Words | None = None) -> int:
    """Measure and show a table, or with `--json` the figures; `--rounds N` and `--seconds S` say how long.

    Returns 0. Raises BenchError for an option that is unknown or does not fit.

    >>> main(["--rounds", "none"])
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.bench.BenchError: “--rounds” must be a whole number of at least 1, not “none”.
    """
    w = language or words()
    rounds, seconds, as_json = _read(argv)
    found = measure(rounds, seconds)
    if as_json:
        if found["open_spiel"] is None:
            sys.stderr.write(w.text(NO_OPEN_SPIEL, command=INSTALL) + "\n")
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    else:
        sys.stdout.writelines(line + "\n" for line in lines(found, w))
    return 0


def _read(argv: Sequence[str]) -> tuple[int, float, bool]:
    rounds, seconds, as_json = ROUNDS, SECONDS, False
    rest = iter(argv)
    for word in rest:
        name, equals, value = word.partition("=")
        if name == "--json" and not equals:
            as_json = True
        elif name == "--rounds":
            rounds = _rounds(value if equals else next(rest, ""))
        elif name == "--seconds":
            seconds = _seconds(value if equals else next(rest, ""))
        else:
            raise BenchError(
                N_("The benchmark has no option “%(given)s”; it has --rounds, --seconds and --json."), given=word[:40]
            )
    return rounds, seconds, as_json


def _rounds(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 7 and int(text) >= 1):
        raise BenchError(N_("“--rounds” must be a whole number of at least 1, not “%(given)s”."), given=text[:40])
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 3600:
        raise BenchError(N_("“--seconds” must be a number above 0, at most 3600, not “%(given)s”."), given=text[:40])
    return seconds


__all__ = ["BenchError", "frame_bytes", "hands", "lines", "main", "measure", "slowest"]
