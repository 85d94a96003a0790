"""What can be wrong with a record: each fault with its place, the rule behind it, and its sentence in any language."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import explain
from .i18n import Words, words
from .messages import N_, Problem
from .rules.nouns import Refusal

MOST_FAULTS = 100
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|#.*')
"""The texts and comments of a line of TOML, in which a dot joins no keys."""
_LINE = re.compile(r"at line (\d+)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a record something is wrong: `hand` and `trick` count from 1, 0 is none; `seat` is a player's name or ""."""

    hand: int = 0
    trick: int = 0
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: its `place`, the `rule` id behind it or "", and what is to be said of it."""

    place: Place
    rule: str
    problem: Problem | None = None
    refusal: Refusal | None = None
    names: tuple[str, ...] = ()

    def sentence(self, language: Words | None = None) -> str:
        """Return what is wrong and what would be right, without the place; English by default."""
        w = language or words()
        if self.refusal is not None:
            return explain.refusal(self.refusal, self.names, w)
        assert self.problem is not None
        return w.problem(self.problem)


class RecordError(Exception):
    """A record that cannot be used; `faults` are all that could be found, `source` the name of the file or ""."""

    def __init__(self, source: str, faults: Sequence[Fault]) -> None:
        super().__init__(source, tuple(faults))
        self.source = source
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join(report(self))


_PLACES = (
    N_("%(source)s: %(what)s"),
    N_("%(source)s, hand %(hand)d: %(what)s"),
    N_("%(source)s, hand %(hand)d, trick %(trick)d: %(what)s"),
)
_SEAT_PLACES = (
    N_("%(source)s, %(seat)s: %(what)s"),
    N_("%(source)s, hand %(hand)d, %(seat)s: %(what)s"),
    N_("%(source)s, hand %(hand)d, trick %(trick)d, %(seat)s: %(what)s"),
)
# Without a file
_BARE_PLACES = (
    "",
    N_("Hand %(hand)d: %(what)s"),
    N_("Hand %(hand)d, trick %(trick)d: %(what)s"),
)
_BARE_SEAT_PLACES = (
    N_("%(seat)s: %(what)s"),
    N_("Hand %(hand)d, %(seat)s: %(what)s"),
    N_("Hand %(hand)d, trick %(trick)d, %(seat)s: %(what)s"),
)
_RULED = N_("%(line)s [rule %(rule)s]")


def report(error: RecordError, language: Words | None = None) -> list[str]:
    """Return one line for each fault of `error`: file, hand, trick, seat, what is wrong, and the rule; English by default.

    A record that does not come from a file has "" as its source, and no file is named.

    >>> fault = Fault(Place(2), "", Problem("There is no deal."))
    >>> report(RecordError("lesson.toml", [fault]))
    ['lesson.toml, hand 2: There is no deal.']
    >>> report(RecordError("", [fault]))
    ['Hand 2: There is no deal.']
    """
    w = language or words()
    anywhere, at_seat = (_PLACES, _SEAT_PLACES) if error.source else (_BARE_PLACES, _BARE_SEAT_PLACES)
    lines = []
    for fault in error.faults:
        at = fault.place
        depth = 2 if at.trick else 1 if at.hand else 0
        message = (at_seat if at.seat else anywhere)[depth]
        line = what = fault.sentence(w)
        if message:
            line = w.text(message, source=error.source, hand=at.hand, trick=at.trick, seat=at.seat, what=what)
        lines.append(w.text(_RULED, line=line, rule=fault.rule) if fault.rule else line)
    return lines


def shown(value: Any, most: int = 40) -> str:
    """Return `value` as a short text without control characters, fit to be quoted in a sentence."""
    return "".join(c if c.isprintable() else "\ufffd" for c in str(value)[:most])


def failed(source: str, message: str, **params: Any) -> RecordError:
    """Return an error with one fault that concerns the whole of `source`.

    >>> str(failed("lesson.toml", "There is no hand %(hand)d.", hand=3))
    'lesson.toml: There is no hand 3.'
    """
    return RecordError(source, [Fault(Place(), "", Problem(message, **params))])


# They turn the writing of whatever follows them, also outside the text in which they stand
_OVERRIDES = "\u202a\u202b\u202c\u202d\u202e"


def text_problem(key: str, value: Any) -> Problem | None:
    """Return what is wrong with `value` as the title or description (`key`) of a record, or None.

    >>> text_problem("title", "Two pairs") is None
    True
    """
    if not isinstance(value, str) or len(value) > 500:
        return Problem(N_("“%(key)s” must be a text of at most 500 characters."), key=key)
    if any((unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t") or c in _OVERRIDES for c in value):
        return Problem(N_("“%(key)s” has a control character in it, which would garble a page."), key=key)
    return None


def not_toml(text: str, error: Exception) -> Problem:
    """Return what is to be said of a `text` that `tomllib` refuses with `error`: two usual slips in words of their own.

    >>> str(not_toml("title = “Ours”", ValueError("Invalid value (at line 1, column 9)")))
    'This is not TOML: line 1 has the quotation marks of a word processor; write straight ones, as in "Dave".'
    """
    why, at, lines = shown(error, 200), _LINE.search(str(error)), text.rstrip().split("\n")
    line = min(int(at[1]), len(lines)) if at else len(lines)
    if at and any(mark in QUOTED.sub("", lines[line - 1]) for mark in "“”„‟«»‘’"):
        said = N_("This is not TOML: line %(line)d has the quotation marks of a word processor; write straight ones, as in \"Dave\".")  # fmt: skip
        return Problem(said, line=line)
    if "Unclosed" in str(error):
        said = N_("This is not TOML: in line %(line)d or above it a comma is missing, or what closes a text or a list (%(why)s).")  # fmt: skip
        return Problem(said, line=line, why=why)
    return Problem(N_("This is not TOML: %(why)s."), why=why)


class Notes:
    """Where the readers of a record write down what is wrong; kept are the first 100 `faults`, `noted` counts them all.

    `names` are the players'. `sure` is False when names or options are wrong: then hands are looked at, not played.
    """

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.noted = 0
        self.names: tuple[str, ...] = ()
        self.sure = True

    def keys(self, table: Mapping[str, Any], known: Sequence[str], place: Place) -> None:
        """Note every key of `table` that is not `known`."""
        for key in table:
            if key not in known and len(self.faults) <= MOST_FAULTS:
                given = shown(key)
                if "partial" in known and key in ("deal", "passed", "moon", "points", "unfinished"):
                    self.note(place, N_("A hand with “partial” shows a few tricks only; it has no “%(key)s”."), key=key)
                    continue
                near = difflib.get_close_matches(key, known, n=1)
                if near:
                    self.note(
                        place,
                        N_("The key “%(key)s” is not known here. Did you mean “%(near)s”?"),
                        key=given,
                        near=near[0],
                    )
                else:
                    self.note(
                        place,
                        N_("The key “%(key)s” is not known here. Possible are: %(known)s."),
                        key=given,
                        known=", ".join(known),
                    )

    def note(
        self,
        place: Place,
        message: str = "",
        rule: str = "",
        problem: Problem | None = None,
        refusal: Refusal | None = None,
        **params: Any,
    ) -> None:
        """Keep one fault: a message with its params, or a problem, or a refusal of the engine."""
        self.noted += 1
        if len(self.faults) == MOST_FAULTS:
            more = Problem(N_("There are more faults; these are the first %(most)d."), most=MOST_FAULTS)
            self.faults.append(Fault(Place(), "", more))
        if len(self.faults) > MOST_FAULTS:
            return
        if refusal is not None:
            self.faults.append(Fault(place, refusal.rule, refusal=refusal, names=self.names))
            return
        if problem is not None:
            # the values in it come from the file
            message, rule = problem.message, problem.rule
            params = {
                key: shown(value, 200) if isinstance(value, str) else value for key, value in problem.params.items()
            }
        self.faults.append(Fault(place, rule, Problem(message, rule=rule, **params)))
