"""What is counted while hands are played: points, penalty cards, what waits, dead tricks, pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .shape import Array, Shape

NOBODY = -1


@dataclass
class Tally:
    """What is counted while a block is played, for each hand of it.

    `seen` are the points of hearts and Black Marias taken in tricks by each seat, `penalties` how many such cards;
    `waiting_seen` and `waiting_penalties` lie in dead tricks. The kitty is apart: its points and penalty cards, and the
    seat that took it, -1 while it waits. `bonus_taker` won the bonus card.
    """

    seen: Array
    penalties: Array
    waiting_seen: Array
    waiting_penalties: Array
    kitty_seen: Array
    kitty_penalties: Array
    kitty_taker: Array
    bonus_taker: Array
    dead: Array
    first_dead: Array
    last_dead: Array
    pairs: Array
    first_points: Array
    lost: Array


def empty_tally(shape: Shape, size: int) -> Tally:
    """Return the tally of `size` hands before anything is played, without a kitty."""

    def none(kind: type, *more: int) -> Array:
        return np.zeros((*more, size), kind)

    return Tally(
        seen=none(np.int16, shape.seats), penalties=none(np.int8, shape.seats),
        waiting_seen=none(np.int16), waiting_penalties=none(np.int8),
        kitty_seen=none(np.int16), kitty_penalties=none(np.int8),
        kitty_taker=np.full(size, NOBODY, np.int8), bonus_taker=np.full(size, NOBODY, np.int8),
        dead=none(np.int8), first_dead=none(bool), last_dead=none(bool), pairs=none(np.int8),
        first_points=none(np.int16), lost=none(np.int16),
    )  # fmt: skip


def lost_points(tally: Tally) -> Array:
    """Return the points of hearts and Black Marias that nobody collected, by hand, the kitty's among them."""
    waits = tally.kitty_taker == NOBODY
    return tally.waiting_seen + tally.kitty_seen * waits  # type: ignore[no-any-return]
