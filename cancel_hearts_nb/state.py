"""Everything true at one moment, and how each event changes it. Nothing but events ever changes a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .cards import Card, in_order
from .events import (
    AsideLost,
    AsideTaken,
    Dealt,
    Event,
    HandScored,
    HandStarted,
    HeartsBroken,
    KittySet,
    LeadAssigned,
    MatchWon,
    Middle,
    MoonChosen,
    MoonShot,
    PairCancelled,
    Passed,
    PassSkipped,
    Played,
    Received,
    TrickDead,
    TrickWon,
)
from .rules.nouns import PLAYS, Trick, made
from .ruleset import MoonChoice, Ruleset

Held = tuple[Card | None, ...]


class State:
    """Everything true at one moment, as far as the events it was folded from tell it; hidden cards are None.

    Lists are by seat. `aside` is the one pile of cards that nobody has won yet, its first `kitty` cards are the
    leftovers; `lost` are the cards nobody collected. `taken` holds the cards won, `tricks` the finished tricks.
    """

    __slots__ = (
        "ruleset", "number", "dealer", "middle", "hands", "kitty", "aside", "passed", "received", "skipped",
        "trick", "trick_number", "tricks", "to_play", "hearts_broken", "won", "dead", "taken", "counts", "lost",
        "shooter", "choice", "points", "totals", "winners", "scored",
    )  # fmt: skip

    def __init__(self, rules: Ruleset) -> None:
        self.ruleset = rules
        self.totals: tuple[int, ...] = (0,) * rules.seats
        self.winners: tuple[int, ...] = ()
        self._new_hand(0, 0, None)

    def _new_hand(self, number: int, dealer: int, middle: Middle | None) -> None:
        seats = self.ruleset.seats
        self.number = number
        self.dealer = dealer
        self.middle = middle
        self.hands: list[Held] = [()] * seats
        self.kitty = 0
        self.aside: list[Card | None] = list(middle.aside) if middle else []
        self.passed: dict[int, Held] = {}
        self.received: dict[int, Held] = {}
        self.skipped = False
        self.trick: Trick | None = None
        self.trick_number = middle.first_trick - 1 if middle else 0
        self.tricks: list[Trick] = []
        self.to_play: int | None = None
        self.hearts_broken = bool(middle and middle.hearts_broken)
        self.won: int | None = None
        self.dead = False
        self.taken: list[list[Card | None]] = [[] for _ in range(seats)]
        self.counts = [0] * seats
        self.lost: list[Card | None] = []
        self.shooter: int | None = None
        self.choice: MoonChoice | None = None
        self.points: tuple[int, ...] = ()
        self.scored = False


def apply(state: State, event: Any) -> None:
    """Change `state` by one event; nothing else ever changes a state.

    >>> from .ruleset import ruleset
    >>> state = State(ruleset("hearts", 4))
    >>> apply(state, HandStarted(1, 2))
    >>> state.number, state.dealer
    (1, 2)
    """
    APPLY[type(event)](state, event)


def fold(rules: Ruleset, events: Sequence[Event]) -> State:
    """Return the state after `events`, redacted or not.

    >>> from .ruleset import ruleset
    >>> fold(ruleset("hearts", 4), ()).number
    0
    """
    state = State(rules)
    for event in events:
        apply(state, event)
    return state


def _without(hand: Held, card: Card | None) -> Held:
    # `find` written out: every card that is played comes by here
    for at, held in enumerate(hand):
        if held is card:
            return hand[:at] + hand[at + 1 :]
    # a card that is played from a hand the viewer cannot see takes a hidden card away
    at = hand.index(None)
    return hand[:at] + hand[at + 1 :]


def _sorted(hand: Sequence[Card | None]) -> Held:
    known = [card for card in hand if card is not None]
    return in_order(known) + (None,) * (len(hand) - len(known))


def _hand_started(s: State, e: HandStarted) -> None:
    s._new_hand(e.number, e.dealer, e.middle)


def _dealt(s: State, e: Dealt) -> None:
    s.hands = list(e.hands)


def _kitty_set(s: State, e: KittySet) -> None:
    s.kitty = len(e.cards)
    s.aside = [*e.cards, *s.aside]


def _pass_skipped(s: State, e: PassSkipped) -> None:
    s.skipped = True


def _passed(s: State, e: Passed) -> None:
    hand = s.hands[e.seat]
    for card in e.cards:
        hand = _without(hand, card)
    s.hands[e.seat] = hand
    s.passed[e.seat] = e.cards


def _received(s: State, e: Received) -> None:
    s.hands[e.seat] = _sorted(s.hands[e.seat] + e.cards)
    s.received[e.seat] = e.cards


def _lead_assigned(s: State, e: LeadAssigned) -> None:
    s.trick = made(Trick, (e.seat, ()))
    s.trick_number += 1
    s.to_play = e.seat
    s.won = None
    s.dead = False


def _played(s: State, e: Played) -> None:
    seat, card = e.seat, e.card
    s.hands[seat] = _without(s.hands[seat], card)
    leader, plays = s.trick  # type: ignore[misc]
    plays += (PLAYS[seat][card.index],)
    s.trick = made(Trick, (leader, plays))
    seats = s.ruleset.seats
    s.to_play = (seat + 1) % seats if len(plays) < seats else None


def _hearts_broken(s: State, e: HeartsBroken) -> None:
    s.hearts_broken = True


def _pair_cancelled(s: State, e: PairCancelled) -> None:
    """Changes nothing: what cancels follows from the cards of the trick."""


def _trick_won(s: State, e: TrickWon) -> None:
    s.taken[e.seat].extend(e.cards)
    s.counts[e.seat] += 1
    s.won = e.seat
    _trick_over(s)


def _trick_dead(s: State, e: TrickDead) -> None:
    s.aside.extend(e.cards)
    s.dead = True
    _trick_over(s)


def _trick_over(s: State) -> None:
    assert s.trick is not None
    s.tricks.append(s.trick)
    s.trick = None
    s.to_play = None


def _aside_taken(s: State, e: AsideTaken) -> None:
    s.taken[e.seat].extend(e.cards)
    s.aside = []
    s.kitty = 0


def _aside_lost(s: State, e: AsideLost) -> None:
    s.lost.extend(e.cards)
    s.aside = []
    s.kitty = 0


def _moon_shot(s: State, e: MoonShot) -> None:
    s.shooter = e.seat


def _moon_chosen(s: State, e: MoonChosen) -> None:
    s.choice = MoonChoice(e.choice)


def _hand_scored(s: State, e: HandScored) -> None:
    s.points = e.points
    s.totals = e.totals
    s.scored = True


def _match_won(s: State, e: MatchWon) -> None:
    s.winners = e.seats


APPLY: dict[type, Callable[[State, Any], None]] = {
    HandStarted: _hand_started, Dealt: _dealt, KittySet: _kitty_set, PassSkipped: _pass_skipped, Passed: _passed,
    Received: _received, LeadAssigned: _lead_assigned, Played: _played, HeartsBroken: _hearts_broken,
    PairCancelled: _pair_cancelled, TrickWon: _trick_won, TrickDead: _trick_dead, AsideTaken: _aside_taken,
    AsideLost: _aside_lost, MoonShot: _moon_shot, MoonChosen: _moon_chosen, HandScored: _hand_scored,
    MatchWon: _match_won,
}  # fmt: skip
