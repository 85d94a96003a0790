"""Which cards of a hand may be played, as in `rules.legality`: each restriction works on what the earlier ones left.

A hand is a stack of sorted cards: the first axis its slots, the last the hands of a block. Legal cards are a mask.
"""

from __future__ import annotations

import numpy as np

from .shape import FIRST_HEART, MARIA, SUIT, Array, Shape


def narrow(legal: Array, keep: Array) -> Array:
    """Return what `keep` leaves of `legal`; where that is nothing, the restriction is dropped (play.waived)."""
    kept = legal & keep
    kept |= legal & ~np.logical_or.reduce(kept, axis=0)
    return kept


def penalty(hand: Array) -> Array:
    """Return which cards are hearts or Black Marias."""
    return (hand >= FIRST_HEART) | (hand == MARIA)  # type: ignore[no-any-return]


def to_lead(shape: Shape, hand: Array, trick_number: int, broken: Array) -> Array:
    """Return which cards may be led (lead.low_club, lead.opening_free, lead.hearts_unbroken)."""
    legal = np.ones(hand.shape, bool)
    if trick_number == 1:
        legal = narrow(legal, hand == shape.low_club if shape.by_lowest_club else ~penalty(hand))
    free = broken
    if shape.over_bm:
        free = free | ~np.logical_or.reduce(legal & ~penalty(hand), axis=0)
    return narrow(legal, (hand < FIRST_HEART) | free)


def to_follow(shape: Shape, hand: Array, lowest: Array, trick_number: int) -> tuple[Array, Array]:
    """Return which cards may be played to a lead (follow.suit, follow.void, follow.first_trick), and which are of its suit.

    `lowest` is the lowest card of the suit led.
    """
    suit = hand - lowest
    # one comparison does for both ends: below the suit the difference wraps round to something large
    of_suit = suit.view(np.uint8) < SUIT
    void = ~np.logical_or.reduce(of_suit, axis=0)
    if trick_number == 1 and shape.ban:
        rest = narrow(np.ones(hand.shape, bool), ~penalty(hand))
        rest &= void
        return of_suit | rest, of_suit
    return of_suit | void, of_suit
