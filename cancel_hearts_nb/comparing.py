"""The same deal at two tables that differ in their rules: what moves, trick by trick and in the points.

Both hands come from one seed and are played by the same careful players, so that every difference comes
from the rules: first directly, and from then on because the hand has taken another way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from . import events as ev
from .cards import Card, Hand
from .game import Game
from .names import NAMES
from .players import play, player
from .rules import scoring
from .ruleset import Ruleset

PLAYER = "cautious"


class TrickEnd(NamedTuple):
    """How one trick went: who led, the `cards` in order of play, who won it or None, and the points that lay in it."""

    leader: int
    cards: Hand
    winner: int | None
    points: int


class Both(NamedTuple):
    """One trick at the two tables; `same` when leader, cards and winner are."""

    number: int
    here: TrickEnd
    there: TrickEnd

    @property
    def same(self) -> bool:
        """Whether nothing of it differs."""
        return self.here == self.there


class Comparison(NamedTuple):
    """The two games, each played for one hand, and their tricks beside each other."""

    here: Game
    there: Game
    tricks: tuple[Both, ...]

    @property
    def moved(self) -> bool:
        """Whether anything differs, in a trick or in the points."""
        return self.alike < len(self.tricks) or points(self.here) != points(self.there)

    @property
    def alike(self) -> int:
        """How many tricks from the first on are the same."""
        return next((i for i, one in enumerate(self.tricks) if not one.same), len(self.tricks))


def compare(here: Ruleset, there: Ruleset, seed: int) -> Comparison:
    """Return the first hand of the match `seed` at both tables, which must have the same game and size.

    Raises GameError for a seed that cannot be.

    >>> from .ruleset import ruleset
    >>> found = compare(ruleset("cancellation", 8), ruleset("cancellation", 8, dead_rule="no_led"), 1)
    >>> found.moved, found.tricks[0].here.winner, found.tricks[0].there.winner
    (True, None, 1)
    """
    games = [
        play(Game(rules, NAMES[: rules.seats], seed, hands=1), [player(PLAYER)] * rules.seats)
        for rules in (here, there)
    ]
    ends = [tricks(game) for game in games]
    both = [Both(number, a, b) for number, (a, b) in enumerate(zip(*ends, strict=True), 1)]
    return Comparison(games[0], games[1], tuple(both))


def tricks(game: Game) -> Iterator[TrickEnd]:
    """Yield how each finished trick of `game` went."""
    leader = 0
    cards: list[Card] = []
    for event in game.events:
        if isinstance(event, ev.LeadAssigned):
            leader, cards = event.seat, []
        elif isinstance(event, ev.Played):
            cards.append(event.card)
        elif isinstance(event, ev.TrickWon | ev.TrickDead):
            winner = event.seat if isinstance(event, ev.TrickWon) else None
            yield TrickEnd(leader, tuple(cards), winner, scoring.points_of(game.ruleset, cards))


def points(game: Game) -> tuple[int, ...]:
    """Return what is entered for each seat after the one hand of `game`."""
    return next(event.points for event in game.events if isinstance(event, ev.HandScored))
