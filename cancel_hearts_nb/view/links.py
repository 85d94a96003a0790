"""Links to a hand: what the address of a page asks for, read with care, since anybody can write an address.

`?hand=CODE&step=7` opens that hand at that step; the other lessons read their own words from the same address. However
many tables a page has, one of them follows the link (`claim`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..faults import RecordError
from ..i18n import Words, words
from ..messages import N_
from ..record import Record, decode
from .address import query

_NO_STEP = N_("The link asks for step “%(step)s”, which is no number; the hand is shown from its beginning.")


# A kernel serves one page: the codes that are followed there, each with what takes it from a table whose hand it is not
_claims: dict[str, Callable[[], None] | None] = {}


class Linked(NamedTuple):
    """What a link asks for: a `record` with one hand or None, its `code`, the `step` or None, and a `notice` or ""."""

    record: Record | None = None
    code: str = ""
    step: int | None = None
    notice: str = ""


def linked(asked: Mapping[str, str] | None = None, language: Words | None = None) -> Linked:
    """Return what the words `asked` of an address (None: those of this page) want shown; English by default.

    A broken code or step gives a notice for the page, never an error.

    >>> linked({"hand": "1broken", "step": "7"}).notice
    'This code is broken or incomplete. Copy the whole link again.'
    """
    w = language or words()
    found = query() if asked is None else asked
    if not found.get("hand"):
        return Linked()
    try:
        record = decode(found["hand"])
    except RecordError as error:
        return Linked(notice=" ".join(fault.sentence(w) for fault in error.faults[:3]))
    step = found.get("step", "")
    if step and not (step.isascii() and step.isdecimal() and len(step) <= 6):
        return Linked(record, found["hand"].strip(), None, w.text(_NO_STEP, step=step[:20]))
    return Linked(record, found["hand"].strip(), int(step) if step else None)


def claim(code: str, own: bool, give_back: Callable[[], None]) -> bool:
    """Return whether a table may follow the link to `code`: the first of the page that holds this hand, or any first one.

    A lesson's tables are made from top to bottom, so a table without the hand (`own` False) follows the link only until
    one comes that holds it; then its `give_back` is called, which must bring back what it showed before.

    >>> claim("1abc", False, lambda: print("given back")), claim("1abc", False, print)
    (True, False)
    >>> claim("1abc", True, print), claim("1abc", True, print)
    given back
    (True, False)
    """
    if code not in _claims:
        _claims[code] = None if own else give_back
        return True
    before = _claims[code]
    if not own or before is None:
        return False
    _claims[code] = None
    before()
    return True
