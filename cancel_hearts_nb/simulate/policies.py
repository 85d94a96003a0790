"""The choices of the built-in players `random` and `cautious`, for many hands at once.

They are mirrors: `players.RandomPlayer` and `cautious.CautiousPlayer` say why they choose so, a test holds both equal.
Cards are compared by keys, larger is better; of equal keys the first slot wins, as the first card in hand order
does. Keys have the order of the values that the players compare, not their size: they must fit a byte, and whatever is
true or false counts as 1 or 0 of that size, because numpy is many times as fast on bytes and where no type changes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np

from ..messages import N_, Problem
from .chance import below, draws
from .shape import CODES, FIRST_HEART, FIRST_SPADE, MARIA, NO_CARD, RANK, SUIT, Array, Shape, ones

RANDOM, CAUTIOUS = "random", "cautious"
POLICIES = (RANDOM, CAUTIOUS)

_MOON_SHARE = 0.35
# a suit of one card and one of two lack two and one to this
_SHORT = 3
_BYTE, _WORD = np.int8, np.int16
# where clubs, diamonds and spades end
_ENDS = np.arange(SUIT, CODES, SUIT, dtype=np.int8)[:, None, None]
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


def pick(legal: Array, half: Array, together: bool) -> Array:
    """Return the slot of one of the `legal` cards, each copy as likely; `half` are the high halves of the draws.

    `together` says that the legal cards of each hand stand side by side, which is quicker.
    """
    ours = ones(legal)
    slots = ours.shape[-2]
    if together:
        count = np.add.reduce(ours, axis=-2, dtype=_BYTE)
        first = _BYTE(slots) - np.maximum.reduce(ours * _from(slots), axis=-2)
        first += below(half, count.astype(np.uint64)).astype(_BYTE)
        return first  # type: ignore[no-any-return]
    upto = ours.copy()
    for slot in range(1, slots):
        upto[..., slot, :] += upto[..., slot - 1, :]
    place = below(half, upto[..., -1, :].astype(np.uint64)).astype(_BYTE)
    passed_over: Array = np.add.reduce(ones(upto <= place[..., None, :]), axis=-2, dtype=_BYTE)
    return passed_over


@functools.lru_cache(maxsize=32)
def _from(slots: int) -> Array:
    """From `slots` down to 1: multiplied with a mask, its largest number tells the first slot of the mask."""
    return np.arange(slots, 0, -1, dtype=_BYTE)[:, None]


def best(key: Array) -> Array:
    """Return the slot with the largest `key`, the first of several; cards that may not be played have the least."""
    count = len(key)
    found = ones(key == np.maximum.reduce(key, axis=0))
    found *= _from(count)
    return _BYTE(count) - np.maximum.reduce(found, axis=0)  # type: ignore[no-any-return]


def cautious_lead(shape: Shape, hand: Array, legal: Array, unplayed: Array, maria_out: Array) -> Array:
    """Return the slot that `cautious._lead` chooses; `unplayed` counts the cards not yet played, by code and hand."""
    higher = higher_unseen(shape, hand, unplayed)
    own_maria = hand == MARIA
    unseen_maria = maria_out > np.add.reduce(ones(own_maria), axis=0, dtype=_BYTE)
    # all but the rank comes in tens, which a byte holds
    tens = np.minimum(higher, _BYTE(6))
    tens += tens
    tens -= ones(higher == 0) * _BYTE(16)
    tens -= ones(hand >= FIRST_HEART) * _BYTE(2)
    tens -= ones(own_maria | (within(hand, MARIA + 1, FIRST_HEART) & unseen_maria)) * _BYTE(20)
    draws_it = unseen_maria & ~np.logical_or.reduce(own_maria, axis=0)
    tens += ones(within(hand, FIRST_SPADE, MARIA) & draws_it) * _BYTE(3)
    tens -= ones(~legal) * _BYTE(80)
    rank = hand & RANK
    rank *= _BYTE(7)
    key = tens.astype(_WORD)
    key *= _WORD(10)
    key -= rank
    key += lacking(hand) * _BYTE(14)
    return best(key)


def lacking(hands: Array) -> Array:
    """Return by how many cards the suit of each card in its hand is shorter than three; `hands` by (place,) slot and hand."""
    suit = hands & _BYTE(CODES - SUIT)
    found = np.full(hands.shape, _SHORT - 1, _BYTE)
    # a hand is sorted: a suit of three or more has two neighbours within two slots of each of its cards
    for apart in range(1, min(_SHORT, hands.shape[-2])):
        same = ones(suit[..., apart:, :] == suit[..., :-apart, :])
        found[..., apart:, :] -= same
        found[..., :-apart, :] -= same
    return np.maximum(found, _BYTE(0), out=found)


def within(hand: Array, lowest: int, end: int) -> Array:
    """Return which codes are from `lowest` up to `end`, which is not one of them."""
    # below the lowest the difference wraps round to something large
    return (hand - _BYTE(lowest)).view(np.uint8) < end - lowest


def higher_unseen(shape: Shape, hand: Array, unplayed: Array) -> Array:
    """Return for each card of `hand` how many higher ones of its suit are in other hands or in the kitty."""
    count, size = hand.shape
    above = np.empty(unplayed.shape, _BYTE)
    by_rank, table = unplayed.reshape(4, SUIT, size), above.reshape(4, SUIT, size)
    # from the count of higher cards anywhere, the own cards up to the end of the suit are taken off; the slot gives them back
    np.negative(np.add.reduce(ones(hand < _ENDS), axis=1, dtype=_BYTE), out=table[:3, -2])
    table[3, -2] = -count
    for rank in range(SUIT - 3, 1, -1):
        np.add(table[:, rank + 1], by_rank[:, rank + 1], out=table[:, rank])
    places = hand * np.intp(size)
    places += np.arange(size)
    higher = above.ravel().take(places)
    higher += np.arange(1, count + 1, dtype=_BYTE)[:, None]
    if shape.packs == 2:
        higher[:-1] += ones(hand[1:] == hand[:-1])
    return higher


class Followers:
    """The cautious seats that follow in one trick: what does not depend on each other's cards is worked out for all at once.

    `hands` are by place, slot and hand; `legal` and `of_suit` as `legality.to_follow` returns them for the suit whose
    lowest code is `lowest`. The last of them ends the trick.
    """

    def __init__(self, shape: Shape, hands: Array, legal: Array, of_suit: Array, lowest: Array) -> None:
        self._shape = shape
        self._hands = hands
        follows, rest = ones(of_suit), ones(legal ^ of_suit)
        self._rest = rest
        self._follows = follows
        maria = ones(hands == MARIA)
        self._own_maria = maria
        bonus = self._bonus = None if shape.bonus == NO_CARD else ones(hands == shape.bonus)
        # `_follow`: losing cards from 62 up, the highest rank first, a Black Maria before all, the bonus card after all;
        # below 20 those that may win, the lowest rank first, a Black Maria last
        self._rank = hands - lowest
        rank = self._rank.copy()
        rank += maria * _BYTE(3)
        self._safe = _BYTE(20) - rank
        self._if_losing = rank + rank
        self._if_losing += _BYTE(60)
        # where nobody plays any more, of those that win the highest rank first
        last = self._rank[-1]
        self._safe[-1] = last + (_BYTE(30) - maria[-1] * _BYTE(19))
        self._if_losing[-1] = _BYTE(60) + maria[-1] * _BYTE(22)
        if bonus is not None:
            self._if_losing -= bonus * _BYTE(20)
        self._if_losing *= follows
        self._safe *= follows
        # `_discard`: by rank, then hearts, then spades above a Black Maria that is out, then itself; the bonus card last
        key = hands & RANK
        # the same for all cards of a suit, so that it can be added to those too whose order it does not change
        lack = lacking(hands)
        key += lack + lack
        if bonus is not None:
            key -= bonus * (key - _BYTE(1))
        key += ones(hands >= FIRST_HEART) * _BYTE(20)
        key += maria * _BYTE(50)
        key *= rest
        self._safe += key
        self._high_spades = ones((hands > MARIA) & (hands < FIRST_HEART)) * (rest * _BYTE(30))

    def choose(
        self, at: int, best_led: Array, killed: Array | None, maria_out: Array, stop: Array | None,
        harmless: Array | None, fed: Array | None,
    ) -> Array:  # fmt: skip
        """Return the slot that the follower `at` (from 0) chooses, as `cautious._follow` and `cautious._discard` do.

        `best_led` is one more than the highest led card that no twin cancels, 0 for none; `killed` whether two pairs have killed the trick, None
        where they cannot; `maria_out` how many Black Marias have not been played; `stop` are the hands in which the seat
        that wins so far seems to shoot the moon, None when there are none. `harmless` says, where nobody can add penalty
        cards to the trick any more, in which hands it brings none so far; `fed` those of `stop` in which it brings some
        and this seat is the last to play; None otherwise.
        """
        # a card that lies in the trick alone is the best or below it, and of a pair that cancelled there is no third
        losing = self._hands[at] < best_led
        if killed is not None:
            losing |= killed
        key = self._if_losing[at] * ones(losing)
        key += self._safe[at]
        key += self._high_spades[at] * ones(maria_out > 0)
        if stop is not None:
            key[:, stop] = self._stopping(at, key[:, stop], stop)
        if harmless is not None:
            # the highest, unless the seat itself could give a Black Maria; the bonus card last
            own = np.logical_or.reduce(self._follows[at] & self._own_maria[at], axis=0)
            free = self._follows[at] * ones(harmless & ~own)
            wanted = self._rank[at] + _BYTE(30)
            if self._bonus is not None:
                wanted -= self._bonus[at] * _BYTE(20)
            key += free * (wanted - key)
        if fed is not None:
            wins = self._follows[at][:, fed].view(bool) & ~losing[:, fed]
            key[:, fed] = np.where(wins, _BYTE(127) - self._rank[at][:, fed], key[:, fed])
        return best(key)

    def _stopping(self, at: int, key: Array, stop: Array) -> Array:
        """Put what costs nothing before all else, by rank, the bonus card last."""
        hand = self._hands[at][:, stop]
        harmless = (hand & RANK) + _BYTE(80)
        if self._shape.bonus != NO_CARD:
            harmless -= ones(hand == self._shape.bonus) * _BYTE(15)
        penalty = (hand >= FIRST_HEART) | (hand == MARIA)
        return np.where(self._rest[at][:, stop].view(bool) & ~penalty, harmless, key)


def suspects(shape: Shape, seen: Array) -> tuple[Array, Array] | None:
    """Return the hands in which one seat holds every penalty point that all have `seen` taken, once they are many, and it.

    `seen` are the points of hearts and Black Marias by seat and hand, without the kitty. None when there is no such hand.
    """
    most = np.maximum.reduce(seen, axis=0)
    many = most >= math.ceil(_MOON_SHARE * 26 * shape.packs)
    many &= most == np.add.reduce(seen, axis=0, dtype=seen.dtype)
    rows = np.flatnonzero(many)
    return (rows, np.argmax(seen[:, rows], axis=0)) if len(rows) else None


def random_pass(shape: Shape, hands: Array, key: Array) -> Array:
    """Return which cards of `hands` (by hand, seat and slot) the random player passes: those with the least numbers."""
    numbers = draws(key, 0, hands.shape[-1])
    count = shape.rules.pass_count
    most = np.partition(numbers, count - 1, axis=-1)[..., count - 1]
    return numbers <= most[..., None]


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
    return row >= ordered[..., slots - count, None]
