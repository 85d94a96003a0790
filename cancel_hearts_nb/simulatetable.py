"""The command `simulate`: many hands at one or several tables, and a table of what they came to."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from .commandline import UsageError
from .i18n import Words
from .messages import N_, NN_
from .rules.deal import seats_allowed
from .ruleset import DeadRule, Ruleset, ruleset

if TYPE_CHECKING:
    from .simulate.questions import PriceOfMaria
    from .simulate.results import Estimate, Result

HANDS, MOST_HANDS, MOST_WORKERS = 10_000, 1_000_000_000, 256
# Leading a Black Maria is tried out in two ways a hand, so fewer of them are played
PRICE_SHARE = 4


class Found(NamedTuple):
    """What was simulated at one table: under its own reading, under both by `dead_rule`, and the price of a queen led.

    `complete` is false after an interruption.
    """

    result: Result
    readings: dict[str, Result]
    price: PriceOfMaria | None
    complete: bool


Row = tuple[str, Callable[[Found], "Estimate | None"], int]


def tables(game: str, seats: str | None) -> list[Ruleset]:
    """Return the rulesets of `game` for `seats`, "8" or "6..11" (None: all it can be played with). Raises UsageError.

    >>> [rules.seats for rules in tables("cancellation", "6..8")]
    [6, 7, 8]
    """
    if seats is None:
        # of a game that does not exist `ruleset` says so
        allowed = seats_allowed(game)
        return [ruleset(game, count) for count in allowed]
    found = re.fullmatch(r"([0-9]{1,3})(?:\.\.([0-9]{1,3}))?", seats)
    if not found or int(found[2] or found[1]) < int(found[1]):
        raise UsageError(
            N_("“%(option)s” must be a number of players such as 8, or from one to another such as 6..11, not “%(given)s”."),
            option="--seats", given=seats[:40],
        )  # fmt: skip
    return [ruleset(game, count) for count in range(int(found[1]), int(found[2] or found[1]) + 1)]


def main(rules: list[Ruleset], hands: int, seed: int, policy: str, workers: int, w: Words) -> None:
    """Simulate `hands` hands at each table of `rules` and show the table. Raises KeyboardInterrupt once it is shown."""
    from . import simulate
    from .simulate import questions

    # a bar is for somebody who watches
    progress = sys.stderr.isatty()
    pool: Any = ProcessPoolExecutor(workers) if workers > 1 else nullcontext()
    found: list[Found] = []
    with pool as executor:
        for each in rules:
            found.append(_simulated(simulate, questions, each, hands, seed, policy, executor, progress))
            if not found[-1].complete:
                break
    sys.stdout.writelines(line + "\n" for line in lines(found, w))
    if not found[-1].complete:
        raise KeyboardInterrupt


def _simulated(
    simulate: Any, questions: Any, rules: Ruleset, hands: int, seed: int, policy: str, executor: Executor | None, progress: bool
) -> Found:  # fmt: skip
    how = {"policy": policy, "executor": executor}
    if rules.packs == 1:
        result = simulate.run(rules, hands, seed, progress=progress, **how)
        return Found(result, {}, None, result.complete)
    found = questions.readings(rules, hands, seed, progress=progress, **how)
    result = found.get(str(rules.dead_rule)) or next(iter(found.values()))
    if not all(each.complete for each in found.values()):
        return Found(result, found, None, False)
    try:
        price = questions.price_of_maria(rules, max(hands // PRICE_SHARE, 1), seed, **how)
    except KeyboardInterrupt:
        return Found(result, found, None, False)
    return Found(result, found, price, True)


def lines(found: list[Found], w: Words) -> Iterator[str]:
    """Yield the lines of the table of what was `found`, one column a table size, in the language of `w`."""
    result = found[-1].result
    yield w.count(
        NN_(
            "%(count)d hand of the match %(seed)d at each table, played by the policy “%(policy)s”; mean ± standard error.",
            "%(count)d hands of the match %(seed)d at each table, played by the policy “%(policy)s”; mean ± standard error.",
        ),
        result.asked, seed=result.seed, policy=result.policy[0],
    )  # fmt: skip
    if not found[-1].complete:
        yield w.count(
            NN_(
                "It was interrupted: the last column holds %(count)d hand.",
                "It was interrupted: the last column holds %(count)d hands.",
            ),
            result.hands,
        )
    yield ""
    rows = [(w.text(N_("Players")), *[str(each.result.ruleset.seats) for each in found])]
    for label, value, scale in _ROWS:
        cells = [value(each) for each in found]
        if any(cell is not None for cell in cells):
            rows.append((w.text(label), *[_shown(cell, scale, w) for cell in cells]))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for label, *numbers in rows:
        cells_shown = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        yield "  ".join([label.ljust(widths[0]), *cells_shown])


def _shown(estimate: Estimate | None, scale: int, w: Words) -> str:
    """As many digits as the error leaves any meaning."""
    if estimate is None or math.isnan(estimate.mean):
        return ""
    mean, error = estimate.mean * scale, estimate.error * scale
    digits = max(0, 1 - math.floor(math.log10(error))) if error > 0 else 1
    shown = 0.0 if math.isnan(error) else error
    return w.text(N_("%(mean)s ± %(error)s"), mean=f"{mean:.{digits}f}", error=f"{shown:.{digits}f}")


def _death(reading: DeadRule, which: int) -> Callable[[Found], Estimate | None]:
    def value(found: Found) -> Estimate | None:
        from .simulate.questions import deaths

        result = found.readings.get(str(reading))
        return None if result is None else deaths(result)[which]

    return value


def _first(which: int) -> Callable[[Found], Estimate | None]:
    def value(found: Found) -> Estimate | None:
        from .simulate.questions import first_trick

        if which == 1 and not found.result.ruleset.kitty_size:
            return None
        return first_trick(found.result)[which]

    return value


def _price(which: int) -> Callable[[Found], Estimate | None]:
    return lambda found: None if found.price is None else found.price[which]


def _points(found: Found) -> Estimate:
    return found.result.estimate("all_entered", per=found.result.ruleset.seats)


def _pairs(found: Found) -> Estimate | None:
    return found.result.estimate("pairs") if found.result.ruleset.packs == 2 else None


_ROWS: tuple[Row, ...] = (
    (N_("Points entered in a hand, mean of all seats"), _points, 1),
    (N_("Hands with a moon, in 1000"), lambda found: found.result.estimate("moons"), 1000),
    (N_("Tricks that die, in 100, if two pairs kill them"), _death(DeadRule.TWO_PAIRS, 0), 100),
    (N_("First tricks that die, in 100, if two pairs kill them"), _death(DeadRule.TWO_PAIRS, 1), 100),
    (N_("Last tricks that die, in 100, if two pairs kill them"), _death(DeadRule.TWO_PAIRS, 2), 100),
    (N_("Tricks that die, in 100, if they die without a led card alone"), _death(DeadRule.NO_LED, 0), 100),
    (N_("First tricks that die, in 100, if they die without a led card alone"), _death(DeadRule.NO_LED, 1), 100),
    (N_("Last tricks that die, in 100, if they die without a led card alone"), _death(DeadRule.NO_LED, 2), 100),
    (N_("Pairs that cancel in a hand"), _pairs, 1),
    (N_("Points in the first trick"), _first(0), 1),
    (N_("Points in the first trick with the leftovers"), _first(1), 1),
    (N_("Points in a later trick"), _first(2), 1),
    (N_("Black Maria led: points more than by the policy’s own lead"), _price(0), 1),
    (N_("Black Maria led: its twin cancels it, in 100"), _price(1), 100),
    (N_("Black Maria led: it wins the trick, in 100"), _price(2), 100),
)
