"""Chance that can be repeated: one small counter-based generator (SplitMix64), the same on every machine and Python.

One seed gives every hand its own key, and every use in it (the deal, each seat's choices) its own stream, so that a
hand can be dealt and played alone and nothing depends on what was drawn before. Whole numbers only: no floats.
"""

from __future__ import annotations

import functools
import random
import struct
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

DEAL = 0
FIRST_DEALER = 1
SEAT = 2
DRAWS_PER_CHOICE = 64

MOST_SEED = 999_999
"""New seeds are 1 to this, short enough to tell a friend."""

_MASK = (1 << 64) - 1
_GOLD = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """Return the SplitMix64 output for the state `z`, both 0 to 2**64 - 1.

    >>> hex(mix(0x9E3779B97F4A7C15))
    '0xe220a8397b1dcdaf'
    """
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


# the game asks for the same key at every choice of a seat in a hand
@functools.lru_cache(maxsize=64)
def key(seed: int, *parts: int) -> int:
    """Return the key (64 bits) of the stream that belongs to `seed` and `parts`, such as hand number and use.

    >>> key(7, 1, DEAL) != key(7, 2, DEAL) != key(8, 2, DEAL)
    True
    """
    z = mix(seed & _MASK)
    for part in parts:
        z = mix((z + _GOLD * (part + 1)) & _MASK)
    return z


class Stream:
    """The numbers of one use: draw number i depends on the key and i alone.

    >>> a, b = Stream(key(7, 1, DEAL)), Stream(key(7, 1, DEAL))
    >>> [a.below(6) for _ in range(3)] == [b.below(6) for _ in range(3)]
    True
    """

    __slots__ = ("_state",)

    def __init__(self, key: int, start: int = 0) -> None:
        self._state = key + start * _GOLD

    def draw(self) -> int:
        """Return the next number, 0 to 2**64 - 1."""
        self._state = state = (self._state + _GOLD) & _MASK
        return mix(state)

    def below(self, count: int) -> int:
        """Return the next whole number from 0 to `count` - 1 (`count` up to 2**32; uneven by less than 1 in 2**25)."""
        return ((self.draw() >> 32) * count) >> 32

    def pick(self, items: Sequence[T]) -> T:
        """Return one of `items`, each as likely; a single item is returned without a draw."""
        return items[self.below(len(items))] if len(items) > 1 else items[0]

    def sample(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """Return `count` different places of `items`, every choice as likely, in the order of `items`."""
        numbers = _numbers(self._state, len(items))
        self._state += len(items) * _GOLD
        order = sorted(range(len(items)), key=numbers.__getitem__)
        return tuple([items[i] for i in sorted(order[:count])])


def shuffled(items: Sequence[T], seed: int, *parts: int) -> list[T]:
    """Return `items` in the order that the stream of `seed` and `parts` gives: each gets a number, then they are sorted.

    >>> sorted(shuffled("abcd", 7, 1, DEAL))
    ['a', 'b', 'c', 'd']
    """
    numbers = _numbers(key(seed, *parts), len(items))
    return [items[i] for i in sorted(range(len(items)), key=numbers.__getitem__)]


def _numbers(z: int, count: int) -> tuple[int, ...]:
    """Return the next `count` numbers of the stream whose state is `z`.

    >>> stream = Stream(key(7, 1, DEAL))
    >>> _numbers(key(7, 1, DEAL), 3) == (stream.draw(), stream.draw(), stream.draw())
    True
    """
    # `mix` for all of them at once, as a deal takes up to 104: each number has a lane of 128 bits in one long whole
    # number, wide enough for a product of two numbers, and the mask takes away what a shift or a product leaves beyond
    ones, steps, mask, unpack = _lanes(count)
    y = ((z & _MASK) * ones + steps) & mask
    y = ((y ^ (y >> 30)) & mask) * 0xBF58476D1CE4E5B9 & mask
    y = ((y ^ (y >> 27)) & mask) * 0x94D049BB133111EB & mask
    y = (y ^ (y >> 31)) & mask
    return unpack(y.to_bytes(16 * count, "little"))[::2]


@functools.lru_cache(maxsize=32)
def _lanes(count: int) -> tuple[int, int, int, Callable[[bytes], tuple[int, ...]]]:
    """Return what `_numbers` needs for `count` lanes: a 1 in each, each one's step, 64 bits in each, and how to unpack."""
    ones = sum([1 << 128 * lane for lane in range(count)])
    steps = sum([((lane + 1) * _GOLD & _MASK) << 128 * lane for lane in range(count)])
    return ones, steps, ones * _MASK, struct.Struct(f"<{2 * count}Q").unpack


def new_seed() -> int:
    """Return a seed by chance, 1 to MOST_SEED.

    >>> 1 <= new_seed() <= MOST_SEED
    True
    """
    return random.SystemRandom().randint(1, MOST_SEED)
