"""What the simulator has to know of a ruleset, worked out once: sizes, tables by card, options as plain values.

A card is its `index` of 0 to 51 (clubs, diamonds, spades, hearts, each from low to high) in an int8, so that comparing
cards of a suit compares ranks.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..rules import lead, passing
from ..ruleset import BLACK_MARIA, Opening, PassCycle, Ruleset, Switch

Array = npt.NDArray[Any]

FIRST_SPADE, MARIA, FIRST_HEART, CARDS = 26, BLACK_MARIA.index, 39, 52
SUIT = 13
NO_CARD = -1
_LONGEST_CYCLE = len(PassCycle.LRAN)


@dataclass(frozen=True)
class Shape:
    """The facts of one ruleset: `pack` holds the card of each place of the pack, `held` how often each card is in it."""

    rules: Ruleset
    seats: int
    tricks: int
    packs: int
    pack: Array
    held: Array
    kitty: int
    bonus: int
    low_club: int
    ban: bool
    over_bm: bool
    bm_breaks: bool
    steps: tuple[int | None, ...]

    @property
    def by_lowest_club(self) -> bool:
        """Whether the lowest club opens, or the dealer's left."""
        return self.rules.opening is Opening.LOW_CLUB


@functools.lru_cache(maxsize=16)
def shape(rules: Ruleset) -> Shape:
    """Return the facts of `rules`; `steps` are how far each hand of the pass cycle passes, None for not at all.

    >>> from ..ruleset import ruleset
    >>> found = shape(ruleset("hearts", 4))
    >>> found.tricks, found.steps, found.low_club
    (13, (1, 3, 2, None), 0)
    """
    pack = np.array([card.index for card in rules.pack], np.int8)
    to = [passing.receiver(rules, number, 0) for number in range(1, _LONGEST_CYCLE + 1)]
    return Shape(
        rules=rules,
        seats=rules.seats,
        tricks=rules.hand_size,
        packs=rules.packs,
        pack=pack,
        held=np.bincount(pack, minlength=CARDS).astype(np.int8),
        kitty=rules.kitty_size,
        bonus=NO_CARD if rules.bonus_card is None else rules.bonus_card.index,
        low_club=lead.low_club(rules).index,
        ban=rules.first_discard_ban is Switch.ON,
        over_bm=rules.lead_heart_over_bm is Switch.ON,
        bm_breaks=rules.bm_breaks is Switch.ON,
        steps=tuple(to),
    )
