"""What became of a block of hands: points taken and entered, moons, kitty, dead tricks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..rules.scoring import BONUS
from . import scoring
from .chance import below, choice_draw
from .shape import NO_CARD, Array
from .table import Block
from .tally import NOBODY, lost_points


class Outcome(NamedTuple):
    """By hand: points `entered` and card points `taken` by hand and seat, and what else a question may need.

    `shooter` is the seat that shot the moon, or -1. `dead` counts dead tricks, `first_dead` and `last_dead` say
    whether those were, `pairs` counts cancelled pairs. `first_points` are the points in the first trick; `kitty_points`
    those in the kitty, `kitty_taker` who took it, or -1; `lost` the points that nobody collected. `marias` are the Black
    Marias taken, by hand and seat.
    """

    entered: Array
    taken: Array
    shooter: Array
    dead: Array
    first_dead: Array
    last_dead: Array
    pairs: Array
    first_points: Array
    kitty_points: Array
    kitty_taker: Array
    lost: Array
    marias: Array


def outcome(block: Block, totals: Array | None = None) -> Outcome:
    """Return what became of `block`, all of whose tricks are played; `totals` are those before, by hand and seat (none: 0)."""
    shape, tally = block.shape, block.tally
    size = len(block.leader)
    row = np.arange(size)
    taken = tally.seen.copy()
    if shape.kitty:
        won = tally.kitty_taker != NOBODY
        taken[tally.kitty_taker[won], row[won]] += tally.kitty_seen[won]
        tally.penalties[tally.kitty_taker[won], row[won]] += tally.kitty_penalties[won]
    # a heart is one point and one penalty card, a Black Maria thirteen points and one card
    marias = np.ascontiguousarray(((taken - tally.penalties) // 12).T)
    if shape.bonus != NO_CARD:
        won = tally.bonus_taker != NOBODY
        taken[tally.bonus_taker[won], row[won]] += BONUS
    shooter = scoring.shooters(shape, tally.penalties, tally.bonus_taker)
    points = np.ascontiguousarray(taken.T)
    entered = points.copy()
    moons = np.flatnonzero(shooter != NOBODY)
    if len(moons):
        entered[moons] = _after_moons(block, moons, shooter[moons], totals)
    return Outcome(
        entered, points, shooter, tally.dead, tally.first_dead, tally.last_dead, tally.pairs, tally.first_points,
        tally.kitty_seen, tally.kitty_taker, lost_points(tally), marias,
    )  # fmt: skip


def _after_moons(block: Block, moons: Array, shooter: Array, totals: Array | None) -> Array:
    shape, bonus_taker = block.shape, block.tally.bonus_taker[moons]
    before = np.zeros((len(moons), shape.seats), np.int64) if totals is None else totals[moons]
    fixed = scoring.fixed_choice(shape.rules)
    if fixed is not None:
        choice = np.full(len(moons), fixed)
    else:
        careful = scoring.cautious_choice(shape, shooter, bonus_taker, before)
        half = choice_draw(block.keys[shooter, moons], shape.tricks + 1)
        by_chance = below(half, np.full(1, 2, np.uint64)).astype(np.int64)
        choice = np.where(np.array(block.cautious)[shooter], careful, by_chance)
    return scoring.entered(shape, choice, shooter, bonus_taker)
