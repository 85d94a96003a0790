"""Leading: who leads, what may be led, and what breaks hearts (C12 C13 C18-C20, H11 H12 H15, Q5 Q12 Q14-Q18 Q36 Q39).

The restrictions here only say which of the cards still allowed a rule would keep. That a rule which would keep none
is dropped is decided once, in `legality`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..cards import CLUBS, HEARTS, Card, Hand, find
from ..ruleset import BLACK_MARIA, OFF, ON, DeadLead, Opening, Ruleset
from .nouns import Position, Trick


def opening_leader(rules: Ruleset, dealer: int, hands: Sequence[Sequence[Card | None]]) -> int | None:
    """Return the seat that leads the first trick: the dealer's left, or the holder of the lowest club.

    Decides lead.opening (C12, Q38, Q39). None when the lowest club is needed and in no hand that is shown.

    >>> from ..ruleset import ruleset
    >>> opening_leader(ruleset("cancellation", 8), 7, [()] * 8)
    0
    """
    if rules.opening is Opening.DEALER_LEFT:
        return (dealer + 1) % rules.seats
    card = low_club(rules)
    return next((seat for seat, hand in enumerate(hands) if find(card, hand) >= 0), None)


def low_club(rules: Ruleset) -> Card:
    """Return the lowest club in the pack, which opens with `opening=low_club` (lead.low_club: H11, H12, Q36).

    >>> from ..ruleset import ruleset
    >>> low_club(ruleset("hearts", 4)), low_club(ruleset("hearts", 5))
    (2C, 3C)
    """
    return next(card for card in rules.pack if card.suit is CLUBS)


def after_won(winner: int) -> int:
    """Return who leads after a trick that `winner` took: the winner (lead.winner: C18, H14).

    >>> after_won(3)
    3
    """
    return winner


def after_dead(rules: Ruleset, trick: Trick) -> int:
    """Return who leads after the dead `trick`: the same leader again, or the leader's left (lead.after_dead: Q5).

    >>> from ..ruleset import ruleset
    >>> after_dead(ruleset("cancellation", 6), Trick(5)), after_dead(ruleset("cancellation", 6, dead_lead="left_of_leader"), Trick(5))
    (5, 0)
    """
    return trick.leader if rules.dead_lead is DeadLead.SAME_LEADER else (trick.leader + 1) % rules.seats


def keep_low_club(position: Position, hand: Hand) -> Hand:
    """Return the cards of `hand` that lead.low_club allows as the first lead of a hand (H11, H12).

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> keep_low_club(Position(ruleset("hearts", 4), 0, (), Trick(0), 1, False), cards("2C 7D"))
    (2C,)
    """
    rules = position.ruleset
    if position.trick_number != 1 or rules.opening is not Opening.LOW_CLUB:
        return hand
    card = low_club(rules)
    return tuple([c for c in hand if c is card])


def keep_free_opening(position: Position, hand: Hand) -> Hand:
    """Return the cards of `hand` that lead.opening_free allows as the first lead: no heart, no Black Maria (C13, Q18).

    With `lead_heart_over_bm`, a hand of hearts and Black Marias alone may choose among all of them (Q15).

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> keep_free_opening(Position(ruleset("cancellation", 8), 0, (), Trick(0), 1, False), cards("5C QS 2H AD"))
    (5C, AD)
    """
    if position.trick_number != 1 or position.ruleset.opening is not Opening.DEALER_LEFT:
        return hand
    return tuple([c for c in hand if c.suit is not HEARTS and c is not BLACK_MARIA])


def keep_unbroken(position: Position, hand: Hand) -> Hand:
    """Return the cards of `hand` that lead.hearts_unbroken allows: no heart until hearts are broken (C19, H15).

    The Black Maria may be led at any time, so it stays (lead.black_maria: C20), and a hand of hearts and Black Marias
    alone must lead one, unless `lead_heart_over_bm` lets it lead a heart instead (lead.heart_over_bm: Q15).

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> keep_unbroken(Position(ruleset("cancellation", 7), 0, (), Trick(0), 2, False), cards("4D QS 7H"))
    (4D, QS)
    """
    if position.hearts_broken or heart_over_bm(position.ruleset, hand):
        return hand
    return tuple([c for c in hand if c.suit is not HEARTS])


def heart_over_bm(rules: Ruleset, hand: Hand) -> bool:
    """Return whether a hand of hearts and Black Marias alone may lead a heart all the same (lead.heart_over_bm: Q15).

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> heart_over_bm(ruleset("cancellation", 7, lead_heart_over_bm="on"), cards("QS 7H AH"))
    True
    """
    if rules.lead_heart_over_bm is OFF:
        return False
    return all(c.suit is HEARTS or c is BLACK_MARIA for c in hand)


def breaks_hearts(rules: Ruleset, card: Card) -> bool:
    """Return whether playing `card` breaks hearts: a heart does, and a Black Maria unless `bm_breaks=off`.

    Decides lead.breaking (C19, H15, Q16). It is asked of cards played to a trick, dead or not, led or discarded,
    and never of the kitty or of passed cards (Q17).

    >>> from ..ruleset import ruleset
    >>> breaks_hearts(ruleset("cancellation", 6), BLACK_MARIA)
    True
    """
    return card.suit is HEARTS or (card is BLACK_MARIA and rules.bm_breaks is ON)
