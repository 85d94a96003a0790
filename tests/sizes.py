"""Which of many sizes are tried."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any


def ends(every: Sequence[Any]) -> Sequence[Any]:
    """The first and the last of `every`; all of it with ALL_PAGES=1 in the environment, which takes longer."""
    return every if os.environ.get("ALL_PAGES") else (every[0], every[-1])
