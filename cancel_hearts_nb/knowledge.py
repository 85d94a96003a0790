"""What a seat can know of the cards it does not see: how many lie where, which are certain, and what a seat cannot hold.

Only sound conclusions are drawn, those that the rules of this very table force: a card that could not have been played
beside another says that the other is not there. Which card could be played is asked of `rules.legality`, so that every
option is heeded without being named here. How a player tends to play says nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from .cards import Card, Hand, Rank, Suit, in_order
from .players import SeatView
from .rules import lead, legality, passing
from .rules import trick as tricks
from .rules.nouns import Position, Trick
from .ruleset import BLACK_MARIA, Ruleset

# Rules tell cards apart by suit, and the Black Maria from the other spades: every kind has a card to ask with
KINDS = (
    Card(Rank.ACE, Suit.CLUBS),
    Card(Rank.ACE, Suit.DIAMONDS),
    Card(Rank.ACE, Suit.SPADES),
    BLACK_MARIA,
    Card(Rank.ACE, Suit.HEARTS),
)
_OF_SUIT = {suit: [i for i, card in enumerate(KINDS) if card.suit is suit] for suit in Suit}
ALL_KINDS = frozenset(range(len(KINDS)))

KITTY = -1
GONE = -2


def kind(card: Card) -> int:
    """Return the kind of `card`, its place in KINDS.

    >>> [kind(card) for card in (BLACK_MARIA, Card(Rank.KING, Suit.SPADES), Card(Rank.TWO, Suit.HEARTS))]
    [3, 2, 4]
    """
    return 3 if card is BLACK_MARIA else _OF_SUIT[card.suit][0]


class Place(NamedTuple):
    """Somewhere unseen cards lie: a `seat` (or KITTY, or GONE: played before a fragment begins).

    `size` counts the cards of which it is open which they are; `certain` ones come on top. `may` are the kinds that the
    open ones can be of.
    """

    seat: int
    size: int
    certain: Hand
    may: frozenset[int]


class Knowledge(NamedTuple):
    """The `unseen` cards that are nowhere for certain, in hand order, and the `places` that share them out.

    `taker` is the seat that has taken the kitty, None while it waits or when there is none.
    """

    unseen: Hand
    places: tuple[Place, ...]
    taker: int | None


def knowledge(view: SeatView) -> Knowledge:
    """Return what the seat of `view`, asked to pass or to play, knows of the cards that it does not see.

    >>> from .game import Game
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> found = knowledge(view(Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)))
    >>> len(found.unseen), [place.size for place in found.places]
    (39, [13, 13, 13])
    """
    rules, me = view.ruleset, view.seat
    may = [set(ALL_KINDS) for _ in range(rules.seats)]
    for seat, excluded in _excluded(view):
        may[seat] -= excluded
    played = [Counter[Card]() for _ in range(rules.seats)]
    for trick in (*view.tricks, view.trick):
        for play in trick.plays:
            played[play.seat][play.card] += 1
    left = Counter(rules.pack)
    left.subtract(view.hand)
    for cards in played:
        left.subtract(cards)
    left.subtract(_before(view))
    certain = _still_held(view, played)
    left.subtract(certain)
    left = +left

    acted = {play.seat for play in view.trick.plays}
    places = []
    for seat in range(rules.seats):
        if seat != me:
            sure: Hand = in_order(certain.elements()) if seat == _receiver(view) else ()
            size = len(view.hand) - (seat in acted) - len(sure)
            places.append(Place(seat, size, sure, frozenset(may[seat])))
    elsewhere = left.total() - sum(place.size for place in places)
    # of a fragment only those cards are dealt that are played in it
    whole = len(view.hand) + len(view.tricks) == rules.hand_size
    kitty = view.kitty or (elsewhere if whole else 0)
    for where, size in ((KITTY, kitty), (GONE, elsewhere - kitty)):
        if size:
            places.append(Place(where, size, (), ALL_KINDS))
    return Knowledge(in_order(left.elements()), tuple(places), None if view.kitty or not kitty else _first_winner(view))


def _receiver(view: SeatView) -> int | None:
    return passing.receiver(view.ruleset, view.number, view.seat) if view.given else None


def _still_held(view: SeatView, played: list[Counter[Card]]) -> Counter[Card]:
    """The cards this seat passed on that their receiver must still hold: of each face the copies it has not played."""
    to = _receiver(view)
    return Counter[Card]() if to is None else Counter(view.given) - played[to]


def _before(view: SeatView) -> Counter[Card]:
    """The cards of dead tricks before a fragment begins, as long as they lie open."""
    waiting = Counter[Card]()
    for trick in view.tricks:
        if tricks.winner(view.ruleset, trick) is None:
            waiting.update(trick.cards)
        else:
            waiting.clear()
    return Counter(view.aside) - waiting


def _first_winner(view: SeatView) -> int | None:
    for trick in view.tricks:
        winner = tricks.winner(view.ruleset, trick)
        if winner is not None:
            return tricks.aside_taker(winner.seat)
    return None


def _excluded(view: SeatView) -> list[tuple[int, set[int]]]:
    """What each play so far rules out, as seats and kinds."""
    rules = view.ruleset
    first = view.trick_number - len(view.tricks)
    # how it stood before a fragment begins is not in the view: then hearts count as broken, which excludes least
    broken = first > 1
    found = []
    for number, trick in enumerate((*view.tricks, view.trick), first):
        for i, (seat, card) in enumerate(trick.plays):
            before = Trick(trick.leader, trick.plays[:i])
            if i and card.suit is trick.plays[0].card.suit:
                asked: Hand = ()
            elif i:
                asked = KINDS if number == 1 else tuple([KINDS[k] for k in _OF_SUIT[trick.plays[0].card.suit]])
            else:
                asked = KINDS if number == 1 or not broken else ()
            excluded = {
                kind(other) for other in asked if not _together(rules, seat, card, other, before, number, broken)
            }
            if excluded:
                found.append((seat, excluded))
            broken = broken or lead.breaks_hearts(rules, card)
    return found


def _together(rules: Ruleset, seat: int, card: Card, other: Card, trick: Trick, number: int, broken: bool) -> bool:
    """Whether a hand that held `other` too could have played `card`: more cards can only forbid more, never less."""
    return card in legality.legal_cards(Position(rules, seat, in_order((card, other)), trick, number, broken))


__all__ = ["ALL_KINDS", "GONE", "KINDS", "KITTY", "Knowledge", "Place", "kind", "knowledge"]
