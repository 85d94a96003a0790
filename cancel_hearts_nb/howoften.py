"""How often tricks die, and how dangerous the first one is: what many simulated hands came to, stored and played anew.

The stored results are in `data/how_often.toml`, so that a lesson shows them at once and without numpy; `poe how-often`
plays and writes them, and a test plays some of them again. All are of Cancellation Hearts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from . import resources
from .rules.deal import seats_allowed
from .ruleset import DeadRule, ruleset

FORMAT = 1
FILE = "how_often.toml"
SEATS = tuple(seats_allowed("cancellation"))
PLAYERS = ("cautious", "random")
"""How everybody at the table plays: with care, or any card that is allowed."""
MEASURES = ("every", "first", "last", "alone", "with_kitty", "later")
"""Shares of 1 of all, the first and the last tricks that die; points in the first trick alone, with the kitty, and in a later trick."""
_DIGITS = 6


class Measured(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float


class Row(NamedTuple):
    """What was measured at one table: how many `seats`, which `players`, under which `reading` (the option dead_rule)."""

    seats: int
    players: str
    reading: str
    measured: dict[str, Measured]


class Results(NamedTuple):
    """Rows, all of `hands` hands of the match `seed`; `made` is the day on which they were played, or ""."""

    seed: int
    hands: int
    made: str
    rows: tuple[Row, ...]

    def row(self, seats: int, players: str, reading: str) -> Row:
        """Return the row of one table. Raises LookupError when it was not played."""
        for row in self.rows:
            if row[:3] == (seats, players, reading):
                return row
        raise LookupError(f"no row {seats} {players} {reading}")


def stored() -> Results:
    """Return the results that came with the package.

    >>> stored().row(8, "random", "no_led").measured["every"].mean < 0.01
    True
    """
    with (resources.path("data") / FILE).open("rb") as file:
        found = tomllib.load(file)
    rows = [_row(one) for one in found["row"]]
    return Results(found["seed"], found["hands"], found["made"], tuple(rows))


def _row(one: dict[str, Any]) -> Row:
    return Row(one["seats"], one["players"], one["reading"], {name: Measured(*one[name]) for name in MEASURES})


def play(
    hands: int, seed: int, *, seats: Sequence[int] = SEATS, players: Sequence[str] = PLAYERS, made: str = ""
) -> Results:
    """Simulate `hands` hands of the match `seed` at each table, and return what they came to. It needs numpy.

    Raises NumpyMissing and RunError.

    >>> found = play(200, 7, seats=[8], players=["random"])
    >>> [row.reading for row in found.rows], found.rows[0].measured["every"].mean > 0.1
    (['two_pairs', 'no_led'], True)
    """
    rows = [row for count in seats for how in players for row in _played(hands, seed, count, how)]
    return Results(seed, hands, made, tuple(rows))


def _played(hands: int, seed: int, seats: int, players: str) -> Iterator[Row]:
    from .simulate import questions

    found = questions.readings(ruleset("cancellation", seats), hands, seed, policy=players)
    for reading in DeadRule:
        deaths, first = questions.deaths(found[reading]), questions.first_trick(found[reading])
        values = [*deaths, *first]
        measured = {
            name: Measured(round(one.mean, _DIGITS), round(one.error, _DIGITS))
            for name, one in zip(MEASURES, values, strict=True)
        }
        yield Row(seats, players, str(reading), measured)


def dumps(results: Results) -> str:
    """Return `results` as the text of the file that `stored` reads."""
    lines = [
        "# How often tricks die, and the points in the first trick: mean and standard error of many simulated hands.",
        "# Made by `poe how-often`; do not edit by hand.",
        f"format = {FORMAT}",
        f"seed = {results.seed}",
        f"hands = {results.hands}",
        f'made = "{results.made}"',
    ]
    for row in results.rows:
        lines += ["", "[[row]]", f"seats = {row.seats}", f'players = "{row.players}"', f'reading = "{row.reading}"']
        lines += [f"{name} = [{one.mean}, {one.error}]" for name, one in row.measured.items()]
    return "\n".join(lines) + "\n"
