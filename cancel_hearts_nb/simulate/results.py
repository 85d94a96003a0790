"""What many simulated hands came to: exact sums, so that parts add up to the same whatever their number and order.

>>> part = Sums.of({"dead_tricks": np.array([0, 2, 1])})
>>> (part + part).count, (part + part).estimate("dead_tricks")
(6, Estimate(mean=1.0, error=0.3651483716701107, samples=6))
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..messages import N_, Problem
from ..ruleset import Ruleset
from .outcome import Outcome
from .shape import Array

BY_SEAT = ("entered", "taken")
"""What is measured for each seat: points entered on the score sheet, and card points taken."""
BY_HAND = (
    "dead_tricks", "first_dead", "last_dead", "pairs", "moons", "first_points", "kitty_points", "first_and_kitty",
    "lost_points", "all_entered",
)  # fmt: skip
"""What is measured for each hand: dead tricks; whether the first, and the last, one was dead; cancelled pairs; whether
there was a moon; the card points in the first trick, in the kitty, in both, and lost because nobody collected them; the
points entered for all seats together."""
MEASURES = (*BY_SEAT, *BY_HAND)


class MeasureError(Problem):
    """Something is asked of a result that was not measured."""


class Estimate(NamedTuple):
    """A mean, its standard error, and the number of values behind it; not a number (nan) where there are too few."""

    mean: float
    error: float
    samples: int


@dataclass(frozen=True)
class Sums:
    """For `count` values of each measure: their `totals` and the totals of their `squares`, whole numbers."""

    count: int
    totals: Mapping[str, int]
    squares: Mapping[str, int]

    @classmethod
    def of(cls, values: Mapping[str, Array]) -> Sums:
        """Return the sums of `values`, as many of each measure."""
        wide = {name: some.astype(np.int64) for name, some in values.items()}
        return cls(
            len(next(iter(wide.values()))),
            {name: int(some.sum()) for name, some in wide.items()},
            {name: int((some * some).sum()) for name, some in wide.items()},
        )

    def __add__(self, other: Sums) -> Sums:
        if not self.count or not other.count:
            return self if self.count else other
        return Sums(
            self.count + other.count,
            {name: total + other.totals[name] for name, total in self.totals.items()},
            {name: total + other.squares[name] for name, total in self.squares.items()},
        )

    def estimate(self, name: str, per: int = 1) -> Estimate:
        """Return mean and standard error of the measure `name`, divided by `per`."""
        n = self.count
        if n == 0:
            return Estimate(math.nan, math.nan, 0)
        total, squares = self.totals[name], self.squares[name]
        # whole numbers up to the division: nothing is lost however many hands there are
        error = math.sqrt((n * squares - total * total) / (n * n * (n - 1))) if n > 1 else math.nan
        return Estimate(total / n / per, error / per, n)


NOTHING = Sums(0, {}, {})


@dataclass(frozen=True)
class Result:
    """What `run` found: `hands` hands of the match `seed`, from hand `first` on, which may be fewer than were `asked`.

    `policy` has one name a seat. `outcome` holds the values of each hand (see `Outcome`) when they were to be kept.
    """

    ruleset: Ruleset
    policy: tuple[str, ...]
    seed: int
    first: int
    asked: int
    sums: Sums
    outcome: Outcome | None = None

    @property
    def hands(self) -> int:
        """How many hands are in it."""
        return self.sums.count

    @property
    def complete(self) -> bool:
        """Whether all hands that were asked for are in it; not after an interruption."""
        return self.hands == self.asked

    def estimate(self, measure: str, seat: int | None = None, per: int = 1) -> Estimate:
        """Return mean and standard error of one of MEASURES a hand, divided by `per`; those of BY_SEAT need a `seat`.

        Raises MeasureError.

        >>> from ..ruleset import ruleset
        >>> from .runs import run
        >>> round(run(ruleset("hearts", 4), 1000, seed=7).estimate("entered", seat=2).mean, 3)
        6.425
        """
        name = measure if seat is None else _of_seat(measure, seat)
        if measure not in MEASURES or (measure in BY_SEAT) != (seat in range(self.ruleset.seats)):
            raise MeasureError(
                N_("“%(name)s” is not measured. For a seat there are: %(by_seat)s; for the hand: %(by_hand)s."),
                name=name[:40], by_seat=", ".join(BY_SEAT), by_hand=", ".join(BY_HAND),
            )  # fmt: skip
        return self.sums.estimate(name, per)

    def as_mapping(self) -> dict[str, list[object]]:
        """Return columns of equal length, as a data frame takes them: measure, seat (None: the hand), mean, error, samples."""
        rows: list[tuple[str, int | None]] = [(name, s) for name in BY_SEAT for s in range(self.ruleset.seats)]
        rows += [(name, None) for name in BY_HAND]
        found = [self.estimate(name, seat) for name, seat in rows]
        return {
            "measure": [name for name, _ in rows],
            "seat": [seat for _, seat in rows],
            "mean": [each.mean for each in found],
            "error": [each.error for each in found],
            "samples": [each.samples for each in found],
        }


def _of_seat(measure: str, seat: int) -> str:
    return f"{measure}.{seat}"


def measured(outcome: Outcome) -> Sums:
    """Return the sums of all MEASURES of `outcome`."""
    values = {
        _of_seat(name, seat): getattr(outcome, name)[:, seat]
        for name in BY_SEAT
        for seat in range(outcome.entered.shape[1])
    }
    values |= {
        "dead_tricks": outcome.dead, "first_dead": outcome.first_dead, "last_dead": outcome.last_dead,
        "pairs": outcome.pairs, "moons": outcome.shooter >= 0, "first_points": outcome.first_points,
        "kitty_points": outcome.kitty_points, "first_and_kitty": outcome.first_points + outcome.kitty_points,
        "lost_points": outcome.lost, "all_entered": outcome.entered.sum(axis=1),
    }  # fmt: skip
    return Sums.of(values)
