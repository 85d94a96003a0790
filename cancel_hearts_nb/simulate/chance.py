"""The numbers of `seeds`, for many hands at once: the same keys and the same draws, as arrays of 64 bits."""

from __future__ import annotations

import numpy as np

from .. import seeds
from .shape import Array

GOLD = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_BY_30, _BY_27, _BY_31, _HALF = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


def mix(z: Array) -> Array:
    """Return the SplitMix64 outputs for the states `z` (uint64), and overwrite them.

    >>> hex(mix(np.array([0x9E3779B97F4A7C15], np.uint64))[0])
    '0xe220a8397b1dcdaf'
    """
    other = z >> _BY_30
    z ^= other
    z *= _FIRST
    np.right_shift(z, _BY_27, out=other)
    z ^= other
    z *= _SECOND
    np.right_shift(z, _BY_31, out=other)
    z ^= other
    return z


def seeds_of(seed: int | Array, count: int) -> Array:
    """Return `seed`, one number or one for each of `count` hands, as 64 bits each; negative ones as `seeds.key` takes them."""
    if isinstance(seed, int):
        return np.full(count, seed & 0xFFFFFFFFFFFFFFFF, np.uint64)
    return np.ascontiguousarray(seed).astype(np.uint64)


def keys(seed: Array, *parts: Array) -> Array:
    """Return `seeds.key` of each seed (uint64) and parts (whole numbers from 0), which are broadcast.

    >>> int(keys(seeds_of(7, 1), np.array([3]), np.array([seeds.DEAL]))[0]) == seeds.key(7, 3, seeds.DEAL)
    True
    """
    z = mix(seed.copy())
    for part in parts:
        z = mix(z + GOLD * (part.astype(np.uint64) + np.uint64(1)))
    return z


def draws(key: Array, first: int, count: int) -> Array:
    """Return `count` draws of each stream, those after the first `first`, along a new last axis."""
    steps = GOLD * np.arange(first + 1, first + count + 1, dtype=np.uint64)
    return mix(key[..., None] + steps)


def choice_draw(key: Array, choice: int) -> Array:
    """Return the high halves of the one draw that a choice among few takes: choice 0 is the pass, then the tricks."""
    step = GOLD * np.array([choice * seeds.DRAWS_PER_CHOICE + 1], np.uint64)
    return mix(key + step) >> _HALF


def below(half: Array, count: Array) -> Array:
    """Return which of `count` (uint64) things each high half picks, 0 to `count` - 1."""
    return (half * count) >> _HALF


def seat_keys(seed: Array, number: Array, seats: int) -> Array:
    """Return the keys of the choices of each seat in hand `number` of each `seed`, by seat and hand."""
    return keys(seed, number, (np.arange(seats) + seeds.SEAT)[:, None])
