"""Following: the suit led, void hands, and discards on the first trick (C14 C15, H13, Q11 Q13 Q19)."""

from __future__ import annotations

from ..cards import HEARTS, Hand
from ..ruleset import BLACK_MARIA, OFF
from .nouns import Position, Trick


def keep_suit(position: Position, hand: Hand) -> Hand:
    """Return the cards of `hand` that follow the suit led (follow.suit: C14, H13, Q19).

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> keep_suit(Position(ruleset("cancellation", 6), 1, (), trick(0, "9C", 6), 2, True), cards("3C KC QS"))
    (3C, KC)
    """
    suit = position.trick.plays[0].card.suit
    return tuple([c for c in hand if c.suit is suit])


def keep_first_discard(position: Position, hand: Hand) -> Hand:
    """Return the cards of `hand` that follow.first_trick allows as a discard on the first trick (H13, Q11).

    With `first_discard_ban=on`, a hand that is void in the suit led may discard neither a heart nor a Black Maria.

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> keep_first_discard(Position(ruleset("hearts", 4), 1, (), trick(0, "2C", 4), 1, False), cards("4D QS 9H"))
    (4D,)
    """
    if position.trick_number != 1 or position.ruleset.first_discard_ban is OFF:
        return hand
    return tuple([c for c in hand if c.suit is not HEARTS and c is not BLACK_MARIA])


def is_void(trick: Trick, hand: Hand) -> bool:
    """Return whether `hand` has no card of the suit led, so that any card may be played (follow.void: C15, H13).

    >>> from ..cards import cards
    >>> from .nouns import trick
    >>> is_void(trick(0, "9C", 6), cards("QS 9H"))
    True
    """
    suit = trick.plays[0].card.suit
    for card in hand:
        if card.suit is suit:
            return False
    return True
