"""The choices of the built-in players `random` and `cautious`, for many hands at once.

They are mirrors: `players.RandomPlayer` and `cautious.CautiousPlayer` say why they choose so, a test holds both equal.
Cards are compared by keys, larger is better; of equal keys the first slot wins, as the first card in hand order does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..messages import N_, Problem
from .chance import below, draws
from .shape import CARDS, FIRST_HEART, FIRST_SPADE, MARIA, NO_CARD, SUIT, Array, Shape

RANDOM, CAUTIOUS = "random", "cautious"
POLICIES = (RANDOM, CAUTIOUS)

_LOWEST_KEY = np.int16(-32768)
_SLOTS = 32
_MOON_SHARE = 0.35
_RANK = np.array([card % SUIT + 2 for card in range(CARDS)], np.int16)


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

    `lowest` is the lowest card of the suit led; `trick` the cards of the trick so far, by place in it; `killed`
    whether two pairs have killed it; `top` the highest led card that no twin cancels, or -1; `leading` the seat that
    played it. `maria_out` is how many Black Marias have not been played; `suspect` the seat that seems to shoot the
    moon, or -1.
    """

    lowest: Array
    trick: Array
    killed: Array
    top: Array
    leading: Array
    maria_out: Array
    suspect: Array
    last: bool


def pick(legal: Array, half: Array) -> Array:
    """Return the slot of one of the `legal` cards, each copy as likely; `half` are the high halves of the draws."""
    upto = legal.astype(np.int8)
    for slot in range(1, len(upto)):
        upto[slot] += upto[slot - 1]
    place = below(half, upto[-1].astype(np.uint64)).astype(np.int8)
    slots: Array = np.add.reduce(upto <= place, axis=0, dtype=np.int8)
    return slots


def best(legal: Array, key: Array) -> Array:
    """Return the slot of the legal card with the largest `key` (int16, within 1000), the first of several."""
    count = len(key)
    key *= np.int16(_SLOTS)
    key += np.arange(_SLOTS - 1, _SLOTS - 1 - count, -1, dtype=np.int16)[:, None]
    # an illegal card gets the lowest key there is
    key[~legal] = _LOWEST_KEY
    found = np.maximum.reduce(key, axis=0)
    found &= np.int16(_SLOTS - 1)
    return (np.int16(_SLOTS - 1) - found).astype(np.int8)  # type: ignore[no-any-return]


def cautious_lead(shape: Shape, hand: Array, legal: Array, unplayed: Array, maria_out: Array) -> Array:
    """Return the slot that `cautious._lead` chooses; `unplayed` counts the cards not yet played, by card and hand."""
    higher = higher_unseen(shape, hand, unplayed)
    own_maria = hand == MARIA
    unseen_maria = maria_out > np.add.reduce(own_maria, axis=0, dtype=np.int8)
    spade = (hand >= FIRST_SPADE) & (hand < FIRST_HEART)
    key = np.minimum(higher, 6).astype(np.int16)
    key *= np.int16(20)
    key -= np.int16(7) * _RANK.take(hand)
    key -= np.int16(160) * (higher == 0)
    key -= np.int16(20) * (hand >= FIRST_HEART)
    key -= np.int16(200) * (own_maria | (spade & (hand > MARIA) & unseen_maria))
    draws_it = unseen_maria & ~np.logical_or.reduce(own_maria, axis=0)
    key += np.int16(30) * (spade & (hand < MARIA) & draws_it)
    return best(legal, key)


def higher_unseen(shape: Shape, hand: Array, unplayed: Array) -> Array:
    """Return for each card of `hand` how many higher ones of its suit are in other hands or in the kitty."""
    count, size = hand.shape
    above = np.empty(unplayed.shape, np.int8)
    by_rank, table = unplayed.reshape(4, SUIT, size), above.reshape(4, SUIT, size)
    # from the count of higher cards anywhere, each suit's own cards up to its end are taken off; the slot gives them back
    for suit in range(4):
        table[suit, -1] = -np.add.reduce(hand < (suit + 1) * SUIT, axis=0, dtype=np.int8)
    for rank in range(SUIT - 2, -1, -1):
        np.add(table[:, rank + 1], by_rank[:, rank + 1], out=table[:, rank])
    places = hand.astype(np.intp)
    places *= size
    places += np.arange(size)
    higher = above.ravel().take(places)
    higher += np.arange(1, count + 1, dtype=np.int8)[:, None]
    if shape.packs == 2:
        higher[:-1] += hand[1:] == hand[:-1]
    return higher


def cautious_follow(shape: Shape, hand: Array, legal: Array, of_suit: Array, now: Played) -> Array:
    """Return the slot that `cautious._follow` chooses, or `cautious._discard` where the hand is void."""
    maria = hand == MARIA
    losing = hand < now.top
    if shape.packs == 2:
        losing |= now.killed
        for card in now.trick:
            losing |= hand == card
    rank = (hand - now.lowest).astype(np.int16)
    follow = rank + np.int16(256)
    follow += np.int16(32) * maria
    if shape.bonus != NO_CARD:
        follow -= np.int16(16) * (hand == shape.bonus)
    safe = rank if now.last else -rank
    safe -= np.int16(200) * maria
    key = np.where(losing, follow, safe)
    if np.logical_and.reduce(np.logical_or.reduce(of_suit, axis=0)):
        return best(legal, key)
    return best(legal, np.where(of_suit, key, _discard(shape, hand, maria, now)))


def _discard(shape: Shape, hand: Array, maria: Array, now: Played) -> Array:
    heart = hand >= FIRST_HEART
    rank = _RANK.take(hand)
    danger = rank + np.int16(25) * heart
    danger += np.int16(60) * ((hand > MARIA) & ~heart & (now.maria_out > 0))
    danger[maria] = 100
    if shape.bonus != NO_CARD:
        danger[hand == shape.bonus] = -1
    # the seat that wins so far is never the one to play
    stop = (now.suspect != NO_CARD) & (now.top != NO_CARD) & (now.leading == now.suspect)
    if stop.any():
        harmless = rank - np.int16(100) * (hand == shape.bonus)
        danger = np.where(stop, np.where(heart | maria, danger - np.int16(300), harmless), danger)
    return danger


def suspect(shape: Shape, seen: Array) -> Array:
    """Return the seat that holds every penalty point that all have `seen` taken, once they are many, or -1.

    `seen` are the points of hearts and Black Marias by seat and hand, without the kitty.
    """
    most = np.maximum.reduce(seen, axis=0)
    many = most >= math.ceil(_MOON_SHARE * 26 * shape.packs)
    many &= most == np.add.reduce(seen, axis=0, dtype=seen.dtype)
    if not many.any():
        return np.full(most.shape, NO_CARD, np.int8)
    return np.where(many, np.argmax(seen, axis=0), NO_CARD).astype(np.int8)


def random_pass(shape: Shape, hands: Array, key: Array) -> Array:
    """Return which cards of `hands` (by hand, seat and slot) the random player passes: those with the least numbers."""
    return _largest(~draws(key, 0, hands.shape[-1]), shape.rules.pass_count)


def cautious_pass(shape: Shape, hands: Array) -> Array:
    """Return which cards of `hands` (by hand, seat and slot) the cautious player passes: the most dangerous."""
    count = shape.rules.pass_count
    spade = (hands >= FIRST_SPADE) & (hands < FIRST_HEART)
    heart = hands >= FIRST_HEART
    few = np.add.reduce(spade & (hands < MARIA), axis=-1)[..., None] < 4
    rank = _RANK.take(hands)
    danger = rank.copy()
    for suit in range(4):
        mine = (hands >= suit * SUIT) & (hands < (suit + 1) * SUIT)
        length = np.add.reduce(mine, axis=-1, dtype=np.int16)[..., None]
        danger += (mine & (length <= count)) * (np.int16(12) - np.int16(3) * length)
    if shape.bonus != NO_CARD:
        danger[hands == shape.bonus] = 0
    danger = np.where(heart, rank + np.int16(4), danger)
    danger = np.where(spade & (hands > MARIA), np.where(few, rank + np.int16(45), np.int16(6)), danger)
    danger = np.where(hands == MARIA, np.where(few, np.int16(60), np.int16(5)), danger)
    size = hands.shape[-1]
    return _largest(danger * np.int16(_SLOTS) + np.arange(_SLOTS - 1, _SLOTS - 1 - size, -1, dtype=np.int16), count)


def _largest(key: Array, count: int) -> Array:
    """Return which are the `count` largest along the last axis, where no two are equal; `count` at least 1."""
    size = key.shape[-1]
    least = np.sort(key, axis=-1)[..., size - count]
    return key >= least[..., None]
