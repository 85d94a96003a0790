"""What a learner's function gives back: made plain so that it can be compared, and written as a learner would write it."""

from __future__ import annotations

import enum
import inspect
import numbers
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

from .cards import Card
from .cards import text as cards_text
from .faults import shown

_MOST_CALL = 300
_MOST_SHOWN = 120
_MOST_LEVELS = 6
_MOST_ITEMS = 5_000


class _Unplain:
    """Stands for a value that no answer is like: of a class of the learner's own, too deep, or too long."""


UNPLAIN = _Unplain()


def plain(value: Any, levels: int = _MOST_LEVELS) -> Any:
    """Return `value` of Python's own types alone: tuples as lists, numbers of any kind as int or float; UNPLAIN for anything else.

    >>> plain((1, 2.0, "x", None, {3}))
    [1, 2.0, 'x', None, {3}]
    """
    if (
        value is None
        or type(value) in (bool, str, float, Card)
        or (isinstance(value, enum.Enum) and not isinstance(value, int))
    ):
        return value
    # by what it is made of: a class of the learner's own may count and go through its things in its own way
    base: Any = next((kind for kind in (list, tuple, set, frozenset, dict) if issubclass(type(value), kind)), None)
    if base is not None:
        if levels == 0 or base.__len__(value) > _MOST_ITEMS:
            return UNPLAIN
        if base is dict:
            made = {k: plain(v, levels - 1) for k, v in dict.items(value)}
            return UNPLAIN if any(one is UNPLAIN for one in made.values()) else made
        if base in (set, frozenset):
            return set(value)
        items = [plain(one, levels - 1) for one in base.__iter__(value)]
        return UNPLAIN if any(one is UNPLAIN for one in items) else items
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(type(value), numpy.generic):
        return plain(value.item(), levels - 1) if levels else UNPLAIN
    try:
        if isinstance(value, numbers.Real | Decimal) and not isinstance(value, numbers.Integral):
            return float(value)
        # the values of an enumeration of numbers
        return int(operator.index(value))
    except Exception:
        return UNPLAIN


def kinds(value: Any) -> set[str]:
    """Return what kinds of things a plain `value` is made of, down to the last level.

    >>> sorted(kinds([1, "x"]))
    ['list', 'list of number', 'list of str']
    """
    own = _kind(value)
    if own in ("list", "set"):
        return {own} | {f"{own} of {kind}" for one in value for kind in kinds(one)}
    return {own}


def _kind(value: Any) -> str:
    if value is UNPLAIN:
        return "unplain"
    # a fraction is not of the wrong type, it is the wrong number
    return "number" if type(value) in (int, float) else type(value).__name__


def wanted(rights: Iterable[Any]) -> set[str]:
    """Return what kinds of things an answer may be made of, when these are all the right ones.

    >>> kinds([]) <= wanted([["a"]]), kinds("a") <= wanted([["a"]]), kinds([1]) <= wanted([["a"]])
    (True, False, False)
    """
    return {kind for right in rights for kind in kinds(plain(right))}


def call_text(name: str, args: Sequence[Any], function: Callable[..., Any]) -> str:
    """Return the call of `name` with `args`, as a learner would type it, at most 300 characters.

    What is true or false gets the name that it has as a parameter of `function`.

    >>> from .cards import cards
    >>> call_text("lead", [list(cards("QS 9H")), 2, True], lambda hand, seat, first_trick: None)
    'lead(cards("QS 9H"), 2, first_trick=True)'
    """
    names = list(inspect.signature(function).parameters)
    told = [f"{names[i]}={arg}" if isinstance(arg, bool) else _code(arg) for i, arg in enumerate(args)]
    return _short(f"{name}({', '.join(told)})", _MOST_CALL)


def shown_value(value: Any) -> str:
    """Return `value` as Python shows it, at most 120 characters without control characters.

    >>> shown_value(("QS", None))
    "('QS', None)"
    """
    try:
        return _short(repr(value), _MOST_SHOWN)
    except BaseException:
        return shown(type(value).__name__)


def _short(text: str, most: int) -> str:
    text = text.replace("`", "'")
    return shown(text, most) + ("…" if len(text) > most else "")


def _code(value: Any) -> str:
    if isinstance(value, Card):
        return f'parse("{value}")'
    if isinstance(value, list | tuple):
        if value and all(isinstance(one, Card) for one in value):
            return f'cards("{cards_text(value)}")'
        inner = ", ".join([_code(one) for one in value])
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return "{" + ", ".join([f"{_code(key)}: {_code(one)}" for key, one in value.items()]) + "}"
    return str(value) if isinstance(value, enum.Enum) else repr(value)
