"""Which of many sizes are tried: those at the ends, and all of them with ALL_PAGES=1 in the environment, which takes longer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import groupby
from typing import Any


def ends(every: Sequence[Any]) -> Sequence[Any]:
    """The first and the last of `every`."""
    return every if _all() else (every[0], every[-1])


def ends_of_each(tables: Sequence[tuple[str, int]]) -> Sequence[tuple[str, int]]:
    """The smallest and the largest table of each game."""
    return [one for _, game in groupby(tables, lambda table: table[0]) for one in ends(list(game))]


def more(others: Sequence[Any]) -> Sequence[Any]:
    """Those of `others` that are tried, too: none of them, as a rule."""
    return others if _all() else ()


def _all() -> bool:
    return bool(os.environ.get("ALL_PAGES"))
