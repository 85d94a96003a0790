"""The part of the benchmark that looks at the simulator: its hands beside OpenSpiel's, and beside its own.

Of OpenSpiel there are two: its loop in Python, as the benchmark of the engine has it, and its random rollouts in C++, the
evaluator of its tree search. Those begin when the cards are dealt, so the deal, which ours and the loop do, is not in
them, which favours them. Everything is measured in turns, ratios are taken within a round.
"""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import Any

from .i18n import Words
from .messages import N_
from .ruleset import Ruleset, ruleset

FEW, MANY, SHARED, MOST = 1_000, 100_000, 400_000, 1_000_000
"""How many hands a measurement plays: few at a time, many, for two workers, and while memory is watched."""
ROLLOUTS = 500
SEATS = range(6, 12)

# What each figure is called in the table; the keys are those of the JSON form
LABELS = {
    "hearts_4": N_("Simulated four-player Hearts by chance, hands per second"),
    "openspiel": N_("OpenSpiel’s loop beside it, hands per second"),
    "rollouts": N_("OpenSpiel’s rollouts in C++ beside it, hands per second, their deal left out"),
    "ratio_openspiel": N_("Simulated hands for each hand of OpenSpiel’s loop"),
    "ratio_rollouts": N_("Simulated hands for each rollout of OpenSpiel in C++"),
    "cautious_4": N_("Simulated four-player Hearts with care, hands per second"),
    "ratio_cautious": N_("Simulated hands with care for each by chance, four-player Hearts"),
    "cancellation_8": N_("Simulated eight-player Cancellation Hearts by chance, hands per second"),
    "cautious_8": N_("Simulated eight-player Cancellation Hearts with care, hands per second"),
    "ratio_seats": N_("Hands of the slowest table of 6 to 11 players for each of 8 players"),
    "ratio_few": N_("Cost of a hand among 1000 for each of 100000"),
    "ratio_workers": N_("Hands of two workers for each of one"),
    "memory": N_("Memory at its highest for 1000000 hands, MiB"),
}
_AIMS: dict[str, tuple[str, str, float]] = {
    "ratio_openspiel": (
        N_("Aim reached: at least %(aim)s simulated hands for each of OpenSpiel’s loop."),
        N_("Aim missed: at least %(aim)s simulated hands for each of OpenSpiel’s loop."),
        25,
    ),
    "ratio_rollouts": (
        N_("Aim reached: at least %(aim)s simulated hands for each rollout of OpenSpiel in C++."),
        N_("Aim missed: at least %(aim)s simulated hands for each rollout of OpenSpiel in C++."),
        1.3,
    ),
    "ratio_cautious": (
        N_("Aim reached: with care at least %(aim)s times as many hands as by chance."),
        N_("Aim missed: with care at least %(aim)s times as many hands as by chance."),
        0.6,
    ),
    "ratio_seats": (
        N_("Aim reached: the slowest table plays at least %(aim)s times as many hands as that of 8."),
        N_("Aim missed: the slowest table plays at least %(aim)s times as many hands as that of 8."),
        0.8,
    ),
    "ratio_few": (
        N_("Aim reached: a hand among 1000 costs at most %(aim)s times one among 100000."),
        N_("Aim missed: a hand among 1000 costs at most %(aim)s times one among 100000."),
        1.5,
    ),
    "ratio_workers": (
        N_("Aim reached: two workers play at least %(aim)s times as many hands as one."),
        N_("Aim missed: two workers play at least %(aim)s times as many hands as one."),
        1.5,
    ),
    "memory": (
        N_("Aim reached: a million hands take at most %(aim)s MiB."),
        N_("Aim missed: a million hands take at most %(aim)s MiB."),
        150,
    ),
}
_AT_MOST = {"ratio_few", "memory"}
NO_NUMPY = N_("The simulator is not measured: numpy is not installed; “%(command)s” installs it.")
INSTALL = "pip install cancel_hearts_nb[course]"


def measure(rounds: int, seconds: float, loop: Iterator[Any] | None) -> tuple[dict[str, list[float]], str]:
    """Return the values of each figure, one a round, and what is missing ("" or "numpy").

    `loop` yields hands of OpenSpiel's loop in Python; None where OpenSpiel is missing, and then nothing is compared with it.
    """
    try:
        from . import simulate
    except ImportError:
        return {}, "numpy"
    found: dict[str, list[float]] = {}
    rollouts = None if loop is None else _rollouts()
    hearts, tables = ruleset("hearts", 4), {seats: ruleset("cancellation", seats) for seats in SEATS}

    def keep(name: str, value: float) -> float:
        found.setdefault(name, []).append(value)
        return value

    with ProcessPoolExecutor(2) as executor:
        # once unmeasured: workers start, caches fill
        _rate(simulate, hearts, "random", FEW * 4, 0, executor, FEW)
        for _ in range(rounds):
            many = _rate(simulate, hearts, "random", MANY, seconds)
            few = _rate(simulate, hearts, "random", FEW, seconds)
            keep("ratio_few", many / few)
            keep("hearts_4", many)
            if loop is not None and rollouts is not None:
                keep("ratio_openspiel", many / keep("openspiel", _per_second(lambda: next(loop), 1, seconds)))
                keep("ratio_rollouts", many / keep("rollouts", _per_second(rollouts, ROLLOUTS, seconds)))
            keep("ratio_cautious", keep("cautious_4", _rate(simulate, hearts, "cautious", MANY, seconds)) / many)
            by_seats = {
                seats: _rate(simulate, rules, "random", MANY // 4, seconds / 3) for seats, rules in tables.items()
            }
            keep("cancellation_8", by_seats[8])
            keep("ratio_seats", min(by_seats.values()) / by_seats[8])
            keep("cautious_8", _rate(simulate, tables[8], "cautious", MANY // 4, seconds))
            alone = _rate(simulate, hearts, "random", SHARED, 0)
            keep("ratio_workers", _rate(simulate, hearts, "random", SHARED, 0, executor) / alone)
    memory = _memory()
    if memory is not None:
        keep("memory", memory)
    return found, ""


def _rate(
    simulate: Any, rules: Ruleset, policy: str, hands: int, seconds: float, executor: Executor | None = None,
    chunk: int | None = None,
) -> float:  # fmt: skip
    seed = iter(range(1, 1_000_000))
    chunk = chunk or simulate.CHUNK

    def play() -> None:
        simulate.run(rules, hands, next(seed), policy=policy, executor=executor, chunk=chunk)

    return _per_second(play, hands, seconds)


def _per_second(do: Callable[[], object], each: int, seconds: float) -> float:
    """Return how many hands a second `do` plays, `each` hands a call, in at least that many seconds."""
    done, start = 0, time.perf_counter()
    while True:
        do()
        done += each
        spent = time.perf_counter() - start
        if spent >= seconds:
            return done / spent


def _rollouts() -> Callable[[], object]:
    """Return what makes OpenSpiel play ROLLOUTS hands by chance in C++, from the deal on, each call from another deal.

    A tree search of one simulation asks its evaluator once, about its root.
    """
    spiel = importlib.import_module("pyspiel")
    game = spiel.load_game("hearts")
    evaluator = spiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = spiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)

    def play() -> object:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(random.choice(state.chance_outcomes())[0])
        return bot.mcts_search(state)

    return play


def _memory() -> float | None:
    """Return how many MiB a new process holds at its highest while it plays MOST hands; None where nobody counts them."""
    home = str(Path(__file__).resolve().parent.parent)
    code = (
        f"import sys; sys.path.append({home!r})\n"
        "import resource\n"
        "from cancel_hearts_nb.ruleset import ruleset\n"
        "from cancel_hearts_nb.simulate import run\n"
        f"run(ruleset('cancellation', 8), {MOST}, 1)\n"
        "most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "sys.stdout.write(str(most / 2**20 if sys.platform == 'darwin' else most / 2**10))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return float(done.stdout) if done.returncode == 0 else None


def reached(figures: Mapping[str, Mapping[str, float]]) -> dict[str, bool]:
    """Return for each aim whether the median of its figure reaches it; figures that were not measured are left out.

    >>> reached({"ratio_few": {"median": 1.2}, "ratio_seats": {"median": 0.7}})
    {'ratio_seats': False, 'ratio_few': True}
    """
    found = {}
    for name, (_, _, aim) in _AIMS.items():
        if name in figures:
            median = figures[name]["median"]
            found[name] = median <= aim if name in _AT_MOST else median >= aim
    return found


def verdicts(simulation: Mapping[str, Any], w: Words) -> Iterator[str]:
    """Yield a sentence for each aim, or one that says why nothing was measured; `simulation`: as in the benchmark's JSON."""
    if simulation["missing"]:
        yield w.text(NO_NUMPY, command=INSTALL)
    for name, good in simulation["reached"].items():
        fine, missed, aim = _AIMS[name]
        yield w.text(fine if good else missed, aim=f"{aim:g}")


__all__ = ["LABELS", "measure", "reached", "verdicts"]
