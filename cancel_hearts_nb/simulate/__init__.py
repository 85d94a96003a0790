"""Many whole hands at once: dealt, passed, played and scored with numpy, batched over the hands.

A mirror of `rules` and `game`, never a source: the same seed and hand number give the same deal, passes, plays, winners,
dead tricks and points as the readable engine with the same players, and a test holds both equal. `run` plays hands from
their deal, `play_out` from their middle. It needs numpy (extra `course`).
"""

from __future__ import annotations

from . import need as _need
from .outcome import Outcome
from .playout import Start, StartError, play_out
from .policies import POLICIES, UnknownPolicy
from .results import BY_HAND, BY_SEAT, MEASURES, Estimate, MeasureError, Result, Sums
from .runs import CHUNK, RunError, run

__all__ = [
    "BY_HAND", "BY_SEAT", "CHUNK", "MEASURES", "POLICIES", "Estimate", "MeasureError", "Outcome", "Result", "RunError", "Start", "StartError",
    "Sums", "UnknownPolicy", "play_out", "run",
]  # fmt: skip

del _need
