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

__all__ = ["POLICIES", "Outcome", "Start", "StartError", "UnknownPolicy", "play_out"]

del _need
