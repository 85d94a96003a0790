"""The pseudo-language of the tests, in a module of its own: the name `conftest` belongs to more than one file."""

from __future__ import annotations

import math
from collections.abc import Callable

from cancel_hearts_nb.i18n import Words

OPEN, CLOSE = "⟦", "⟧"
MakeLanguage = Callable[..., Words]


def pseudo(message: str) -> str:
    """Return `message` 60 % longer and in brackets, its placeholders untouched."""
    return f"{OPEN}{message}{'~' * math.ceil(len(message) * 0.6)}{CLOSE}"
