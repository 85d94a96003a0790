"""Dealing and passing for many hands at once: the mirror of `rules.deal`, `rules.passing` and `game`."""

from __future__ import annotations

import numpy as np

from .. import seeds
from ..ruleset import Ruleset
from . import policies
from .chance import below, draws, keys, seat_keys, seeds_of
from .playout import BLOCK
from .shape import CODE, FIRST_HEART, MARIA, Array, Shape, shape
from .table import Block, Trace, empty_tally, empty_unplayed


def deal(found: Shape, seed: Array, number: Array) -> tuple[Array, Array]:
    """Return the cards of hand `number` of each `seed`: by hand, seat and slot, sorted; and the kitty by hand and slot."""
    count = len(found.pack)
    order = np.argsort(draws(keys(seed, number, np.array([seeds.DEAL])), 0, count), axis=-1)
    dealt = found.seats * found.tricks
    cards = found.pack.take(order)
    return _grouped(found, cards[:, :dealt], np.repeat(np.arange(found.seats), found.tricks)), cards[:, dealt:]


def _grouped(found: Shape, cards: Array, owner: Array) -> Array:
    """Return the `cards` of each hand by `owner`, sorted; each seat owns as many. One long row is quick to sort."""
    row = owner.astype(np.int16) << np.int16(7)
    ordered = np.sort(row + cards, axis=-1)
    ordered &= np.int16(127)
    return ordered.astype(np.int8).reshape(-1, found.seats, found.tricks)


def deal_counts(ruleset: Ruleset, seed: int, first: int, hands: int) -> tuple[Array, Array]:
    """Return hands `first` + 1, … of the match `seed` as dealt, counted: (hands, seats, 52) and the kitty (hands, 52).

    >>> from ..ruleset import ruleset
    >>> dealt, kitty = deal_counts(ruleset("cancellation", 7), seed=7, first=0, hands=3)
    >>> dealt.sum(axis=2).tolist()[0], kitty.sum(axis=1).tolist()
    ([14, 14, 14, 14, 14, 14, 14], [6, 6, 6])
    """
    found = shape(ruleset)
    cards, kitty = deal(found, seeds_of(seed, hands), np.arange(first + 1, first + hands + 1))
    return counted(cards), counted(kitty)


def counted(cards: Array) -> Array:
    """Return how often each of the 52 cards is among `cards` (codes, along the last axis), by index, as uint8."""
    return np.add.reduce(cards[..., None] == CODE, axis=-2, dtype=np.uint8)  # type: ignore[no-any-return]


def dealers(found: Shape, seed: Array, number: Array) -> Array:
    """Return the dealer of hand `number` of each `seed`: the first by lot, then clockwise."""
    key = keys(seed, np.zeros(1, np.uint64), np.array([seeds.FIRST_DEALER]))
    half = draws(key, 0, 1)[..., 0] >> np.uint64(32)
    first = below(half, np.full(1, found.seats, np.uint64)).astype(np.intp)
    return (first + number - 1) % found.seats


def passed(found: Shape, hands: Array, number: Array, key: Array, cautious: tuple[bool, ...]) -> Array:
    """Return `hands` after the pass; `key` are the keys of the seats' choices, by seat and hand."""
    steps = np.array([0 if step is None else step for step in found.steps])[(number - 1) % len(found.steps)]
    if not steps.any():
        return hands
    gives = _given(found, hands, key, cautious)
    seat = np.arange(found.seats, dtype=np.int8)
    to = ((seat + steps[:, None]) % found.seats).astype(np.int8)
    owner = seat[:, None] + (to - seat)[..., None] * gives.view(np.int8)
    return _grouped(found, hands.reshape(len(hands), -1), owner.reshape(len(hands), -1))


def _given(found: Shape, hands: Array, key: Array, cautious: tuple[bool, ...]) -> Array:
    by_chance = None if all(cautious) else policies.random_pass(found, hands, key.T)
    if by_chance is not None and not any(cautious):
        return by_chance
    careful = policies.cautious_pass(found, hands)
    return careful if by_chance is None else np.where(np.array(cautious)[:, None], careful, by_chance)


def block(found: Shape, seed: Array, number: Array, cautious: tuple[bool, ...], trace: Trace | None = None) -> Block:
    """Return hand `number` of each `seed`, dealt and passed, with the first leader to play."""
    size, seats = len(seed), found.seats
    cards, kitty = deal(found, seed, number)
    key = seat_keys(seed, number, seats)
    hands = passed(found, cards, number, key, cautious)
    if found.by_lowest_club:
        leader = np.argmax(np.logical_or.reduce(hands == found.low_club, axis=-1), axis=-1)
    else:
        leader = (dealers(found, seed, number) + 1) % seats
    tally = empty_tally(found, size)
    if found.kitty:
        hearts = np.add.reduce(kitty >= FIRST_HEART, axis=-1, dtype=np.int8)
        marias = np.add.reduce(kitty == MARIA, axis=-1, dtype=np.int8)
        tally.kitty_seen[:] = hearts + marias * np.int16(13)
        tally.kitty_penalties[:] = hearts + marias
    seat = (leader + np.arange(seats)[:, None]) % seats
    turned = hands.reshape(size * seats, -1).take(np.arange(size) * seats + seat, axis=0)
    return Block(
        shape=found, hands=np.ascontiguousarray(turned.transpose(0, 2, 1)), leader=leader, broken=np.zeros(size, bool),
        unplayed=empty_unplayed(found, size), keys=key, cautious=cautious, tally=tally, trace=trace,
    )  # fmt: skip


__all__ = ["BLOCK", "block", "counted", "deal", "deal_counts", "dealers", "passed"]
