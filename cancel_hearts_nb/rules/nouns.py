"""The nouns that the rules speak of: a play, a trick, the position of the seat to play, a pair, a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..cards import PACK, Card, Hand, Suit, cards
from ..ruleset import Ruleset


class Play(NamedTuple):
    """One card, played by one seat (0 to seats - 1)."""

    seat: int
    card: Card


class Trick(NamedTuple):
    """The cards played so far to one trick, in order; `leader` is the seat that led or will lead.

    >>> trick(0, "TS 9H 9H", seats=6).suit
    <Suit.SPADES: 'S'>
    """

    leader: int
    plays: tuple[Play, ...] = ()

    @property
    def suit(self) -> Suit | None:
        """The suit led, or None before the lead."""
        return self.plays[0].card.suit if self.plays else None

    @property
    def cards(self) -> Hand:
        """The cards in the order of play."""
        return tuple([play.card for play in self.plays])


# A named tuple made by its name runs Python code; these are made at every play, so there is a shorter way to each:
# a play is looked up by seat and `Card.index`, the others are `made(Trick, (leader, plays))`, every field in order.
PLAYS = tuple([tuple([Play(seat, card) for card in PACK]) for seat in range(11)])
made = tuple.__new__


class Pair(NamedTuple):
    """Two equal cards in one trick: the face, and the two seats in the order of play."""

    card: Card
    seats: tuple[int, int]


class Position(NamedTuple):
    """What the seat to play knows for certain; an exercise can build one by hand.

    `hand` holds 1 or more cards; `trick_number` counts from 1; `hearts_broken` is as before this play.
    """

    ruleset: Ruleset
    seat: int
    hand: Hand
    trick: Trick
    trick_number: int
    hearts_broken: bool


class Refusal(NamedTuple):
    """Why something may not be done: the id of the rule, and the facts for the sentence."""

    rule: str
    params: Mapping[str, Any]


def trick(leader: int, text: str, seats: int) -> Trick:
    """Return the trick in which the cards of `text` were played clockwise from `leader` at a table of `seats`.

    >>> [play.seat for play in trick(4, "TS 9H 9H", seats=6).plays]
    [4, 5, 0]
    """
    return Trick(leader, tuple(Play((leader + i) % seats, card) for i, card in enumerate(cards(text))))
