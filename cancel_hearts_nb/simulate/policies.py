"""The choices of the built-in players `random` and `cautious`, for many hands at once.

They are mirrors: `players.RandomPlayer` and `cautious.CautiousPlayer` say why they choose so, a test holds both equal.
Cards are compared by keys above 0, larger is better; of equal keys the first slot wins, as the first card in hand order
does. Keys have the order of the values that the players compare, not their size: they must fit a byte, and whatever is
true or false counts as 1 or 0 of that size, because numpy is many times as fast on bytes and where no type changes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..messages import N_, Problem
from .chance import below, draws
from .shape import CODES, FIRST_HEART, FIRST_SPADE, MARIA, NO_CARD, RANK, SUIT, Array, Shape

RANDOM, CAUTIOUS = "random", "cautious"
POLICIES = (RANDOM, CAUTIOUS)

_MOON_SHARE = 0.35
_BYTE, _WORD = np.int8, np.int16
# an even longer suit and a longer pass cannot make a key of the pass smaller than this below 0
_LOWEST_PASS_KEY = 40


class UnknownPolicy(Problem):
    """There is no policy of that name, or not one for each seat."""


def by_seat(shape: Shape, policy: str | Sequence[str]) -> tuple[bool, ...]:
    """Return whether each seat is cautious; `policy` is one name for all or one for each seat. Raises UnknownPolicy."""
    named = (policy,) * shape.seats if isinstance(policy, str) else tuple(policy)
    for name in named:
        if name not in POLICIES:
            raise UnknownPolicy(
                N_("There is no policy “%(name)s” in the simulator. There are: %(known)s."),
                name=str(name)[:40], known=", ".join(POLICIES),
            )  # fmt: skip
    if len(named) != shape.seats:
        raise UnknownPolicy(
            N_("This table has %(seats)d seats, but there are %(given)d policies."), seats=shape.seats, given=len(named)
        )
    return tuple([name == CAUTIOUS for name in named])


class Played(NamedTuple):
    """What a cautious seat looks at beside its hand, for each hand of the block.

    `lowest` is the lowest code of the suit led; `killed` whether two pairs have killed the trick, None where they
    cannot; `top` the highest led card that no twin cancels, or -1. `maria_out` is how many Black Marias have not been
    played. `stop` is whether the seat that wins so far seems to shoot the moon, None when none does. `last` is whether
    nobody plays after this seat.
    """

    lowest: Array
    killed: Array | None
    top: Array
    maria_out: Array
    stop: Array | None
    last: bool


def ones(mask: Array) -> Array:
    """Return a mask as bytes of 1 and 0, without copying it."""
    return mask.view(_BYTE)


def pick(legal: Array, half: Array) -> Array:
    """Return the slot of one of the `legal` cards, each copy as likely; `half` are the high halves of the draws."""
    upto = ones(legal).copy()
    for slot in range(1, len(upto)):
        upto[slot] += upto[slot - 1]
    place = below(half, upto[-1].astype(np.uint64)).astype(_BYTE)
    slots: Array = np.add.reduce(ones(upto <= place), axis=0, dtype=_BYTE)
    return slots


def best(key: Array) -> Array:
    """Return the slot with the largest `key`, the first of several; keys of cards that may not be played are 0."""
    count = len(key)
    found = ones(key == np.maximum.reduce(key, axis=0))
    found *= np.arange(count, 0, -1, dtype=_BYTE)[:, None]
    return _BYTE(count) - np.maximum.reduce(found, axis=0)  # type: ignore[no-any-return]


def cautious_lead(shape: Shape, hand: Array, legal: Array, unplayed: Array, maria_out: Array) -> Array:
    """Return the slot that `cautious._lead` chooses; `unplayed` counts the cards not yet played, by code and hand."""
    higher = higher_unseen(shape, hand, unplayed)
    own_maria = hand == MARIA
    marias = np.add.reduce(ones(own_maria), axis=0, dtype=_BYTE)
    unseen_maria = maria_out > marias
    spade = (hand >= FIRST_SPADE) & (hand < FIRST_HEART)
    key = np.minimum(higher, _BYTE(6)).astype(_WORD)
    key *= _WORD(20)
    rank = (hand & RANK).astype(_WORD)
    rank *= _WORD(7)
    key -= rank
    # what is dear comes in multiples of ten, which a byte holds
    dear = ones(higher == 0) * _BYTE(16)
    dear += ones(hand >= FIRST_HEART) * _BYTE(2)
    dear += ones(own_maria | (spade & (hand > MARIA) & unseen_maria)) * _BYTE(20)
    dear -= ones(spade & (hand < MARIA) & (unseen_maria & (marias == 0))) * _BYTE(3)
    dearer = dear.astype(_WORD)
    dearer *= _WORD(10)
    key -= dearer
    key += _WORD(1000)
    key *= legal.astype(_WORD)
    return best(key)


def higher_unseen(shape: Shape, hand: Array, unplayed: Array) -> Array:
    """Return for each card of `hand` how many higher ones of its suit are in other hands or in the kitty."""
    count, size = hand.shape
    above = np.empty(unplayed.shape, _BYTE)
    by_rank, table = unplayed.reshape(4, SUIT, size), above.reshape(4, SUIT, size)
    # from the count of higher cards anywhere, the own cards up to the end of the suit are taken off; the slot gives them back
    for suit in range(4):
        table[suit, -2] = -np.add.reduce(ones(hand < (suit + 1) * SUIT), axis=0, dtype=_BYTE)
    for rank in range(SUIT - 3, 1, -1):
        np.add(table[:, rank + 1], by_rank[:, rank + 1], out=table[:, rank])
    places = hand.astype(np.intp)
    places *= size
    places += np.arange(size)
    higher = above.ravel().take(places)
    higher += np.arange(1, count + 1, dtype=_BYTE)[:, None]
    if shape.packs == 2:
        higher[:-1] += ones(hand[1:] == hand[:-1])
    return higher


def cautious_follow(shape: Shape, hand: Array, legal: Array, of_suit: Array, now: Played) -> Array:
    """Return the slot that `cautious._follow` chooses, or `cautious._discard` where the hand is void."""
    maria = ones(hand == MARIA)
    # a card that lies in the trick alone is the top or below it, and of a pair that cancelled there is no third
    losing = hand <= now.top
    if now.killed is not None:
        losing |= now.killed
    lost = ones(losing)
    # losing cards from 60 up, the highest rank first, a Black Maria before all; then those that may win, it last
    rank = hand - now.lowest
    if now.last:
        key = lost * _BYTE(60)
        key += rank
        key += maria * (lost * _BYTE(22) - _BYTE(19))
        key += _BYTE(30)
    else:
        rank += maria * _BYTE(3)
        key = rank + rank
        key += _BYTE(60)
        key *= lost
        key -= rank
        key += _BYTE(20)
    if shape.bonus != NO_CARD:
        key -= ones(hand == shape.bonus) * lost * _BYTE(20)
    key *= ones(of_suit)
    rest = legal ^ of_suit
    if rest.any():
        key += _discard(shape, hand, maria, now) * ones(rest)
    return best(key)


def _discard(shape: Shape, hand: Array, maria: Array, now: Played) -> Array:
    """Return the keys of `cautious._discard`: by rank, then hearts, then spades above a Black Maria that is out, then it."""
    heart = ones(hand >= FIRST_HEART)
    rank = hand & RANK
    key = heart * _BYTE(15)
    key += rank
    key += ones((hand > MARIA) & (hand < FIRST_HEART) & (now.maria_out > 0)) * _BYTE(30)
    key += maria * _BYTE(50)
    if shape.bonus != NO_CARD:
        key -= ones(hand == shape.bonus) * (rank - _BYTE(1))
    if now.stop is not None:
        harmless = rank + _BYTE(80)
        if shape.bonus != NO_CARD:
            harmless -= ones(hand == shape.bonus) * _BYTE(15)
        key = np.where(now.stop & ~(heart | maria).view(bool), harmless, key)
    return key


def suspect(shape: Shape, seen: Array) -> Array | None:
    """Return the seat that holds every penalty point that all have `seen` taken, once they are many, or -1; None for none.

    `seen` are the points of hearts and Black Marias by seat and hand, without the kitty.
    """
    most = np.maximum.reduce(seen, axis=0)
    many = most >= math.ceil(_MOON_SHARE * 26 * shape.packs)
    many &= most == np.add.reduce(seen, axis=0, dtype=seen.dtype)
    if not many.any():
        return None
    found = np.full(most.shape, NO_CARD, np.intp)
    found[many] = np.argmax(seen[:, many], axis=0)
    return found


def random_pass(shape: Shape, hands: Array, key: Array) -> Array:
    """Return which cards of `hands` (by hand, seat and slot) the random player passes: those with the least numbers."""
    numbers = draws(key, 0, hands.shape[-1])
    count = shape.rules.pass_count
    most = np.partition(numbers, count - 1, axis=-1)[..., count - 1]
    return numbers <= most[..., None]  # type: ignore[no-any-return]


def cautious_pass(shape: Shape, hands: Array) -> Array:
    """Return which cards of `hands` (by hand, seat and slot) the cautious player passes: the most dangerous."""
    count = shape.rules.pass_count
    size, seats, slots = hands.shape
    maria = ones(hands == MARIA)
    heart = ones(hands >= FIRST_HEART)
    high = ones((hands > MARIA) & (hands < FIRST_HEART))
    low_spades = np.add.reduce(ones((hands >= FIRST_SPADE) & (hands < MARIA)), axis=-1, dtype=_BYTE)
    few = ones(low_spades < 4)[..., None]
    rank = hands & RANK
    key = rank.copy()
    for suit in range(3):
        of_suit = ones((hands & _BYTE(CODES - SUIT)) == suit * SUIT)
        length = np.add.reduce(of_suit, axis=-1, dtype=_BYTE)
        extra = (_BYTE(12) - _BYTE(3) * length) * ones(length <= count)
        key += of_suit * extra[..., None]
    if shape.bonus != NO_CARD:
        key[hands == shape.bonus] = 0
    key += heart * _BYTE(4)
    special = maria | high
    key *= _BYTE(1) - special
    key += maria * (few * _BYTE(55) + _BYTE(5))
    key += high * (few * (rank + _BYTE(39)) + _BYTE(6))
    # one row of numbers a hand, because short rows are slow to sort: the seat, the key, and how early the slot is
    row = key.astype(np.uint16)
    row += np.uint16(_LOWEST_PASS_KEY)
    row *= np.uint16(32)
    row += np.arange(31, 31 - slots, -1, dtype=np.uint16)
    row += (np.arange(seats, dtype=np.uint16) << np.uint16(12))[:, None]
    ordered = np.sort(row.reshape(size, seats * slots), axis=-1).reshape(size, seats, slots)
    return row >= ordered[..., slots - count, None]  # type: ignore[no-any-return]

