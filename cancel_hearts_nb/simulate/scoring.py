"""The end of a hand, for many hands at once: moons, their choice, and the points entered, as in `rules.scoring`."""

from __future__ import annotations

import numpy as np

from ..rules.scoring import BONUS
from ..ruleset import MoonChoice, MoonScope, OmnibusSlam, Ruleset, ScoreFloor, Tie
from .shape import NO_CARD, Array, Shape

SUBTRACT, ADD = 0, 1


def shooters(shape: Shape, penalties: Array, bonus_taker: Array) -> Array:
    """Return the seat that shot the moon in each hand, or -1; `penalties` counts the penalty cards by seat and hand."""
    rules = shape.rules
    if rules.moon_scope is MoonScope.PACK:
        needed = np.full(penalties.shape[1:], 14 * rules.packs, penalties.dtype)
    else:
        needed = np.add.reduce(penalties, axis=0, dtype=penalties.dtype)
    all_of_them = (penalties == needed) & (needed > 0)
    found = np.where(all_of_them.any(axis=0), np.argmax(all_of_them, axis=0), NO_CARD)
    if shape.bonus != NO_CARD and rules.omnibus_slam is OmnibusSlam.NEEDS_BONUS:
        found = np.where(bonus_taker == found, found, NO_CARD)
    return found.astype(np.int8)


def entered(shape: Shape, choice: Array, shooter: Array, bonus_taker: Array) -> Array:
    """Return the points entered after moons, by hand and seat; `choice` is 0 to subtract and 1 to add to the others."""
    rules = shape.rules
    count = len(shooter)
    row = np.arange(count)
    points = np.zeros((count, shape.seats), np.int16)
    if shape.bonus != NO_CARD and rules.omnibus_slam is OmnibusSlam.HEARTS_AND_QUEEN:
        won = bonus_taker != NO_CARD
        points[row[won], bonus_taker[won]] = BONUS
    moved = int(rules.moon_points)
    points += (moved * (choice == ADD)).astype(np.int16)[:, None]
    points[row, shooter] -= moved
    return points


def fixed_choice(rules: Ruleset) -> int | None:
    """Return the choice that the table made beforehand, or None when the shooter chooses."""
    return {MoonChoice.SUBTRACT: SUBTRACT, MoonChoice.ADD_TO_OTHERS: ADD}.get(rules.moon_choice)


def cautious_choice(shape: Shape, shooter: Array, bonus_taker: Array, totals: Array) -> Array:
    """Return what `cautious.moon_choice` chooses; `totals` are those before the hand, by hand and seat."""
    rules = shape.rules
    row = np.arange(len(shooter))
    ends, wins = [], []
    for choice in (SUBTRACT, ADD):
        after = totals + entered(shape, np.full(len(shooter), choice), shooter, bonus_taker)
        if rules.score_floor is ScoreFloor.ZERO:
            after = np.maximum(after, 0)
        least = after.min(axis=1)
        over = after.max(axis=1) >= rules.target
        if rules.tie is Tie.PLAY_ON:
            over &= (after == least[:, None]).sum(axis=1) == 1
        ends.append(over)
        wins.append(over & (after[row, shooter] == least))
    below_floor = totals[row, shooter] < int(rules.moon_points)
    otherwise = ADD if rules.score_floor is ScoreFloor.ZERO else SUBTRACT
    return np.select(
        [wins[SUBTRACT], wins[ADD], ends[SUBTRACT] & ~ends[ADD], ends[ADD] & ~ends[SUBTRACT], below_floor],
        [SUBTRACT, ADD, ADD, SUBTRACT, otherwise],
        SUBTRACT,
    )
