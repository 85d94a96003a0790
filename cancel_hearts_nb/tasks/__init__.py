"""The exercises: for each what is to be written, the right answers, and the mistakes that learners make.

Each is a module that defines `TASK`. They are loaded when they are asked for.
"""

from __future__ import annotations

import importlib

from .nouns import Case, Mistake, Part, Task, Verdict

__all__ = ["NAMES", "Case", "Mistake", "Part", "Task", "Verdict", "task"]

NAMES = ("01_cards", "02_legal", "03_winner", "04_pile", "05_scoring", "06_player")


def task(name: str) -> Task:
    """Return the exercise of this `name`, one of NAMES.

    >>> task("03_winner").points
    10
    """
    found: Task = importlib.import_module(f".t{name}", __name__).TASK
    return found
