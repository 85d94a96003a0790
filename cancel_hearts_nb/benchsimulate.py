"""The part of the benchmark that looks at the simulator: its hands beside OpenSpiel's, and beside its own.

Of OpenSpiel there are two: its loop in Python, as the benchmark of the engine has it, and its random rollouts in C++, the
evaluator of its tree search. Those begin when the cards are dealt, so the deal, which ours and the loop do, is not in
them, which favours them. Everything is measured little by little in turns, in the time that the processor spends on it
(but for two workers, who are timed by the clock), and ratios are taken within a round.
"""

from __future__ import annotations

import importlib
import itertools
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from .i18n import Words
from .messages import N_
from .ruleset import Ruleset, ruleset

FEW, MANY, SHARED, MOST = 1_000, 100_000, 400_000, 1_000_000
"""How many hands a measurement plays: few at a time, many, for two workers, and while memory is watched."""
ROLLOUTS = 500
SEATS = range(6, 12)
_TURN = 0.05

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
    seeds = itertools.count(1)

    def player(rules: Ruleset, policy: str, hands: int, calls: int = 1, **more: Any) -> Piece:
        def play() -> None:
            for _ in range(calls):
                simulate.run(rules, hands, next(seeds), policy=policy, **more)

        return play, hands * calls

    hearts, tables = ruleset("hearts", 4), {seats: ruleset("cancellation", seats) for seats in SEATS}
    pieces = {
        "hearts_4": player(hearts, "random", MANY),
        "few": player(hearts, "random", FEW, MANY // FEW),
        "cautious_4": player(hearts, "cautious", MANY),
        "cautious_8": player(tables[8], "cautious", MANY // 4),
    }
    pieces |= {f"seats_{seats}": player(rules, "random", MANY // 4) for seats, rules in tables.items()}
    if loop is not None:
        pieces |= {"openspiel": (lambda: next(loop), 1), "rollouts": (_rollouts(), ROLLOUTS)}
    found: dict[str, list[float]] = {}
    with ProcessPoolExecutor(2) as executor:
        # once unmeasured: workers start, caches fill
        player(hearts, "random", 4 * FEW, executor=executor, chunk=FEW)[0]()
        alone, shared = player(hearts, "random", SHARED), player(hearts, "random", SHARED, executor=executor)
        for _ in range(rounds):
            rates = _in_turns(pieces, seconds, time.process_time)
            # several processes work, so the clock on the wall counts
            wall = _in_turns({"alone": alone, "shared": shared}, 0, time.perf_counter)
            for name, value in _figures(rates, wall).items():
                found.setdefault(name, []).append(value)
    memory = _memory()
    if memory is not None:
        found["memory"] = [memory]
    return found, ""


Piece = tuple[Callable[[], object], int]
"""A piece of work, and how many hands it plays."""


def _figures(rates: Mapping[str, float], wall: Mapping[str, float]) -> dict[str, float]:
    ours, seats = rates["hearts_4"], [rates[f"seats_{seats}"] for seats in SEATS]
    found = {
        "hearts_4": ours, "cautious_4": rates["cautious_4"], "ratio_cautious": rates["cautious_4"] / ours,
        "cancellation_8": rates["seats_8"], "cautious_8": rates["cautious_8"],
        "ratio_seats": min(seats) / rates["seats_8"], "ratio_few": ours / rates["few"],
        "ratio_workers": wall["shared"] / wall["alone"],
    }  # fmt: skip
    for name in ("openspiel", "rollouts"):
        if name in rates:
            found |= {name: rates[name], f"ratio_{name}": ours / rates[name]}
    return found


def _in_turns(pieces: Mapping[str, Piece], seconds: float, clock: Callable[[], float]) -> dict[str, float]:
    """Return how many hands a second each of `pieces` plays, in at least that many seconds each, little by little in turns."""
    spent, done = dict.fromkeys(pieces, 0.0), dict.fromkeys(pieces, 0)
    while not all(done.values()) or any(each < seconds for each in spent.values()):
        for name, (play, hands) in pieces.items():
            if done[name] and spent[name] >= seconds:
                continue
            start = clock()
            now = 0.0
            # the smallest pieces are shorter than what a clock can tell
            while now == 0 or now < min(seconds, _TURN):
                play()
                done[name] += hands
                now = clock() - start
            spent[name] += now
    return {name: done[name] / spent[name] for name in pieces}


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
