"""Everything that can happen, one frozen value each, with the id of the rule that made it happen; and who may see what.

Events are the only door to the state. Hidden cards are taken out of events (`redact`), never out of views: players,
frames and widgets get redacted events. In a redacted event a card that the viewer may not know is None.
"""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass, field
from typing import Any

from .cards import Card, Hand
from .rules.nouns import Pair

Seen = tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. Every event has a `rule`: the id of the rule behind it."""

    @property
    def name(self) -> str:
        """The name of the event as records and frames write it, such as "TrickWon"."""
        return type(self).__name__


@dataclass(frozen=True, slots=True)
class Middle:
    """Where a fragment starts: in the middle of a hand of which only a few tricks are shown.

    `first_trick` is the number of the first trick shown; `aside` the cards of earlier dead tricks; `tricks` how many
    tricks are shown; `last` whether the last of them is the last of the hand.
    """

    first_trick: int
    hearts_broken: bool
    aside: Hand
    tricks: int
    last: bool


@dataclass(frozen=True, slots=True)
class HandStarted(Event):
    """Hand `number` (from 1) begins; `dealer` deals. `middle` is set for a fragment only."""

    number: int
    dealer: int
    rule: str = "deal.dealer"
    middle: Middle | None = field(default=None, metadata={"inner": True})


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Every seat has its hand, in hand order."""

    hands: tuple[Seen, ...]
    rule: str = "deal.even"


@dataclass(frozen=True, slots=True)
class KittySet(Event):
    """The cards left over lie face down on the table."""

    cards: Seen
    rule: str = "deal.kitty"


@dataclass(frozen=True, slots=True)
class PassSkipped(Event):
    """Nobody passes in this hand."""

    rule: str = "pass.none"


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """`seat` has put `cards` face down before seat `to`."""

    seat: int
    to: int
    cards: Seen
    rule: str = "pass.direction"


@dataclass(frozen=True, slots=True)
class Received(Event):
    """`seat` takes up the cards passed to it; this comes only after every seat has passed."""

    seat: int
    cards: Seen
    rule: str = "pass.blind"


@dataclass(frozen=True, slots=True)
class LeadAssigned(Event):
    """`seat` leads the next trick."""

    seat: int
    rule: str


@dataclass(frozen=True, slots=True)
class Played(Event):
    """`seat` plays `card`; `rule` is what allows it."""

    seat: int
    card: Card
    rule: str


# for every play and lead, of which there are a few hundred kinds: each is made once, and looked up from then on
played = functools.lru_cache(maxsize=None, typed=True)(Played)
lead_assigned = functools.lru_cache(maxsize=None, typed=True)(LeadAssigned)


@dataclass(frozen=True, slots=True)
class HeartsBroken(Event):
    """From now on hearts may be led: `seat` has played `card`."""

    seat: int
    card: Card
    rule: str = "lead.breaking"


@dataclass(frozen=True, slots=True)
class PairCancelled(Event):
    """The twins of `card` cancel each other; `seats` played them, in that order."""

    card: Card
    seats: tuple[int, int]
    rule: str = "trick.pairs_cancel"


@dataclass(frozen=True, slots=True)
class TrickWon(Event):
    """`seat` wins the trick with `card` and takes its `cards` (in the order of play)."""

    seat: int
    card: Card
    cards: Hand
    rule: str = "trick.highest"


@dataclass(frozen=True, slots=True)
class TrickDead(Event):
    """Nobody wins the trick that `leader` led; its `cards` are set aside."""

    leader: int
    cards: Hand
    rule: str


@dataclass(frozen=True, slots=True)
class AsideTaken(Event):
    """`seat` takes everything that waited; the first `kitty` of the `cards` are leftovers that nobody has seen."""

    seat: int
    cards: Seen
    rule: str
    kitty: int = field(default=0, metadata={"inner": True})


@dataclass(frozen=True, slots=True)
class AsideLost(Event):
    """The last trick is dead and nobody takes what waits; the first `kitty` of the `cards` are unseen leftovers."""

    cards: Seen
    rule: str = "trick.last_dead"
    kitty: int = field(default=0, metadata={"inner": True})


@dataclass(frozen=True, slots=True)
class MoonShot(Event):
    """`seat` has taken every penalty card."""

    seat: int
    rule: str = "score.moon"


@dataclass(frozen=True, slots=True)
class MoonChosen(Event):
    """The moon of `seat` is entered as `choice`: "subtract" or "add_to_others"."""

    seat: int
    choice: str
    rule: str = "score.moon_choice"


@dataclass(frozen=True, slots=True)
class HandScored(Event):
    """The hand is over: card points `taken`, `points` entered on the score sheet, and `totals`, each by seat."""

    taken: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    rule: str = "score.hand"


@dataclass(frozen=True, slots=True)
class MatchWon(Event):
    """The match is over; `seats` have the lowest of the `totals`."""

    seats: tuple[int, ...]
    totals: tuple[int, ...]
    rule: str = "match.lowest"


EVENTS: tuple[type[Event], ...] = (
    HandStarted, Dealt, KittySet, PassSkipped, Passed, Received, LeadAssigned, Played, HeartsBroken, PairCancelled,
    TrickWon, TrickDead, AsideTaken, AsideLost, MoonShot, MoonChosen, HandScored, MatchWon,
)  # fmt: skip


def redact(event: Any, viewer: int | None) -> Any:
    """Return `event` as seat `viewer` may see it: unknown cards are None, counts stay. `viewer` None sees everything.

    Decides trick.pile (C17, H20, Q7, Q42): a seat sees its own hand, the cards it passes and receives, every card
    played to a trick and so the dead tricks set aside; never another hand, and nobody sees the kitty, not even who
    takes it.

    >>> from .cards import cards
    >>> redact(Passed(0, 1, cards("QS AH KH")), viewer=1)
    Passed(seat=0, to=1, cards=(None, None, None), rule='pass.direction')
    """
    if viewer is None:
        return event
    kind = type(event)
    if kind is Dealt:
        hands = tuple(hand if seat == viewer else _hidden(hand) for seat, hand in enumerate(event.hands))
        return dataclasses.replace(event, hands=hands)
    if kind is KittySet:
        return dataclasses.replace(event, cards=_hidden(event.cards))
    if kind is Passed or kind is Received:
        return event if event.seat == viewer else dataclasses.replace(event, cards=_hidden(event.cards))
    if (kind is AsideTaken or kind is AsideLost) and event.kitty:
        seen = _hidden(event.cards[: event.kitty]) + event.cards[event.kitty :]
        return dataclasses.replace(event, cards=seen)
    return event


def _hidden(cards: Seen) -> Seen:
    return (None,) * len(cards)


def to_json(event: Event) -> dict[str, Any]:
    """Return `event` as JSON-able values: its name, its rule, then its fields; cards as "QS", hidden cards as null.

    >>> from .cards import cards, parse
    >>> to_json(TrickWon(3, parse("JD"), cards("KD JD")))
    {'event': 'TrickWon', 'rule': 'trick.highest', 'seat': 3, 'card': 'JD', 'cards': ['KD', 'JD']}
    """
    fields = [f for f in dataclasses.fields(event) if f.name != "rule" and not f.metadata.get("inner")]
    values = {f.name: _plain(getattr(event, f.name)) for f in fields}
    return {"event": event.name, "rule": event.rule, **values}  # type: ignore[attr-defined]


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return value.code
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


__all__ = [kind.__name__ for kind in EVENTS] + ["EVENTS", "Event", "Middle", "Pair", "redact", "to_json"]
