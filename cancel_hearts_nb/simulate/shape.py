"""What the simulator has to know of a ruleset, worked out once: sizes, tables by card, options as plain values.

Inside, a card is a code in an int8: 16 times the suit (clubs, diamonds, spades, hearts) and the rank of 2 to 14. So codes
stand in hand order, comparing cards of a suit compares ranks, and suit and rank are one operation away. What goes in and
out are counts by `Card.index`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cards import PACK
from ..rules import lead, passing
from ..ruleset import BLACK_MARIA, Opening, PassCycle, Ruleset, Switch

Array = npt.NDArray[Any]

CARDS = 52
SUIT, CODES = 16, 64
RANK = np.int8(SUIT - 1)
"""The bits of a code that are the rank."""
CODE = np.array([(card.index // 13) * SUIT + card.rank for card in PACK], np.int8)
"""The code of each card, by index."""
INDEX = np.zeros(CODES, np.int8)
INDEX[CODE] = np.arange(CARDS)
FIRST_SPADE, FIRST_HEART, MARIA = 2 * SUIT, 3 * SUIT, int(CODE[BLACK_MARIA.index])
NO_CARD = -1
_LONGEST_CYCLE = len(PassCycle.LRAN)


@dataclass(frozen=True)
class Shape:
    """The facts of one ruleset: `pack` holds the code of each place of the pack, `held` how often each code is in it."""

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
    (13, (1, 3, 2, None), 2)
    """
    pack = CODE[[card.index for card in rules.pack]]
    to = [passing.receiver(rules, number, 0) for number in range(1, _LONGEST_CYCLE + 1)]
    return Shape(
        rules=rules,
        seats=rules.seats,
        tricks=rules.hand_size,
        packs=rules.packs,
        pack=pack,
        held=np.bincount(pack, minlength=CODES).astype(np.int8),
        kitty=rules.kitty_size,
        bonus=NO_CARD if rules.bonus_card is None else int(CODE[rules.bonus_card.index]),
        low_club=int(CODE[lead.low_club(rules).index]),
        ban=rules.first_discard_ban is Switch.ON,
        over_bm=rules.lead_heart_over_bm is Switch.ON,
        bm_breaks=rules.bm_breaks is Switch.ON,
        steps=tuple(to),
    )
