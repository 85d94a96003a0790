"""Names of players: text from outside, checked once, before it is shown or written anywhere."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence
from typing import Any

from .messages import N_, Problem

# By these a form knows an error again, which says at which seat it is
NOT_VISIBLE = N_("A player’s name has 1 to 40 visible characters, unlike “%(name)s”.")
MISTAKEN = N_("“%(name)s” cannot be a player’s name: it would be taken for a seat or for nobody.")
DOUBLED = N_("Two players are called “%(name)s”; each needs a name of their own.")

NAMES = ("Al", "Beth", "Charlie", "Dave", "Eve", "Fay", "Guy", "Hal", "Iris", "Jon", "Kate")
"""For players of whom nothing is known: as many as a table can have, told apart by their first letter."""


class GameError(Problem):
    """A game that cannot be set up: wrong names, seed, dealer or dealt cards."""


def check_names(names: Sequence[Any]) -> tuple[str, ...]:
    """Return the names of the players, trimmed. Raises GameError for a name that could be mistaken or that harms a page.

    A name has 1 to 40 visible characters, is neither a number nor "none", and differs from the others in more than
    capital letters: records use names and seat numbers side by side.

    >>> check_names([" Al", "Beth"])
    ('Al', 'Beth')
    """
    known: dict[str, str] = {}
    for given in names:
        if not isinstance(given, str):
            raise GameError(N_("A player’s name must be a text, not %(given)s."), given=str(given)[:40])
        name = unicodedata.normalize("NFC", given.strip())
        # no printable character is a control, so most names need no closer look
        plain = name.isprintable()
        shown = name[:40] if plain else "".join(c for c in name[:40] if c.isprintable())
        seen = name.isascii() or any(_is_seen(c) for c in name)
        if not name or not seen or len(name) > 40 or (not plain and any(_is_control(c) for c in name)):
            raise GameError(NOT_VISIBLE, name=shown)
        folded = name.casefold() if plain else name.casefold().translate(_JOINERS)
        if folded == "none" or _is_number(name):
            raise GameError(MISTAKEN, name=shown)
        if folded in known:
            raise GameError(DOUBLED, name=shown)
        known[folded] = name
    return tuple(known.values())


# They belong to the spelling of names in some scripts, and cannot be seen
_JOINERS = {0x200C: None, 0x200D: None}
# Letters and signs by their category that show nothing
_BLANK = "\u115f\u1160\u3164\uffa0\u2800"


def _is_seen(c: str) -> bool:
    return unicodedata.category(c)[0] in "LNSP" and c not in _BLANK


def _is_control(c: str) -> bool:
    kind = unicodedata.category(c)
    # joiners belong to the spelling of names in some scripts; every other format character could turn the text around
    return kind in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or (kind == "Cf" and ord(c) not in _JOINERS)


# asked again for every game of the same table, and a name that is no number costs a raised exception
@functools.lru_cache(maxsize=64)
def _is_number(name: str) -> bool:
    try:
        float(name.replace(" ", ""))
    except ValueError:
        return False
    return True
