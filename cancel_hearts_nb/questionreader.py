"""Reading questions: a document is held against the records and tables that it names, and every fault is noted.

What a question rests on the engine plays and judges here, so that a question that was read has its right answers.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from . import events as ev
from . import predict
from . import record as records
from .cards import CardError, cards
from .faults import RecordError, shown, text_problem
from .i18n import Words, words
from .messages import N_, Problem
from .predict import Ask, What
from .rulebook import BY_ID
from .rules import deal, passing
from .ruleset import Ruleset, RulesetError, ruleset

FORMAT = 1
MOST_CHOICES = 12
_KEYS = (
    "id", "rules", "text", "reply", "choices", "what",
    "record", "hand", "trick", "at", "player", "game", "seats", "options",
)  # fmt: skip
_CHOICE = ("text", "right", "value", "reply")
_ASKED = ("winner", "legal", "points")
AT_A_TRICK = (*_ASKED, "leader")
AT_AN_END = ("score", "total", "moon")
AT_A_TABLE = ("hand_size", "kitty_size", "packs", "removed", "pass_count", "direction", "target")
NOBODY = "none"


class QuizError(Exception):
    """A file of questions that cannot be used: `source` is its name, `faults` pairs of a question's id ("") and a Problem."""

    def __init__(self, source: str, faults: Sequence[tuple[str, Problem]]) -> None:
        super().__init__(source, tuple(faults))
        self.source = source
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join(report(self))


_LINE = N_("%(source)s: %(what)s")
_LINE_OF = N_("%(source)s, question “%(id)s”: %(what)s")
_LINE_RULED = N_("%(line)s [rule %(rule)s]")


def report(error: QuizError, language: Words | None = None) -> list[str]:
    """Return one line for each fault of `error`: the file, the question, what is wrong; English by default.

    >>> report(QuizError("x.toml", [("ace", Problem("There is no text."))]))
    ['x.toml, question “ace”: There is no text.']
    """
    w = language or words()
    lines = []
    for id, problem in error.faults:
        line = w.text(_LINE_OF if id else _LINE, source=error.source, id=id, what=w.problem(problem))
        lines.append(w.text(_LINE_RULED, line=line, rule=problem.rule) if problem.rule else line)
    return lines


class Choice(NamedTuple):
    """One answer to choose: its `text`, whether it is `right`, and the `reply` to whoever chooses it ("" for none)."""

    text: str
    right: bool
    reply: str


class Spot(NamedTuple):
    """A position to show: all `events` of its hand, the table, the `step` at which is asked, and the one that tells.

    `viewer` is the seat whose hand is shown, None for no hand.
    """

    events: tuple[Any, ...]
    rules: Ruleset
    names: tuple[str, ...]
    step: int
    reveal: int
    viewer: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its `id`, the ids of the `rules` it trains (or none), `text` and `reply` (catalog keys), and the answers.

    Without `choices` the engine asks, judges and replies (`what` is "winner", "legal" or "points", `ask` its place);
    else the right ones of `choices` are right. `spot` is the position to show, None for none.
    """

    id: str
    rules: tuple[str, ...]
    text: str
    reply: str
    what: str
    choices: tuple[Choice, ...]
    spot: Spot | None
    ask: Ask | None


def read(document: Mapping[str, Any], source: str) -> tuple[Question, ...]:
    """Return the questions of a `document` as TOML gives it; `source` is what errors call it. Raises QuizError.

    >>> read({"format": 1}, "x.toml")
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.questionreader.QuizError: x.toml: There is no [[question]] in this file; write it with two brackets, once for each question.
    """
    return _Reader(source).read(document)


class _Stop(Exception):
    """Raised after a fault was noted, where going on with this question would say nothing new."""


class _Reader:
    """Reads one document; `faults` takes everything that is wrong."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.faults: list[tuple[str, Problem]] = []
        self.id = ""

    def note(self, message: str, rule: str = "", **params: Any) -> None:
        self.faults.append((self.id, Problem(message, rule=rule, **params)))

    def stop(self, message: str, **params: Any) -> _Stop:
        self.note(message, **params)
        return _Stop()

    def read(self, document: Mapping[str, Any]) -> tuple[Question, ...]:
        if document.get("format") != FORMAT:
            self.note(
                N_("The line “format = %(format)d” is missing or different; files of questions begin with it."),
                format=FORMAT,
            )
        self.keys(document, ("format", "question"))
        given = document.get("question")
        if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
            self.note(N_("There is no [[question]] in this file; write it with two brackets, once for each question."))
            given = []
        found: list[Question] = []
        for index, one in enumerate(given):
            self.id = shown(one.get("id") or f"#{index + 1}")
            try:
                found.append(self.question(one))
            except _Stop:
                continue
            if found[-1].id in [other.id for other in found[:-1]]:
                self.note(N_("There is a question of this id already; each needs its own."))
        if self.faults:
            raise QuizError(self.source, self.faults)
        return tuple(found)

    def question(self, one: Mapping[str, Any]) -> Question:
        before = len(self.faults)
        self.keys(one, _KEYS)
        id = one.get("id")
        if not isinstance(id, str) or not id.replace("_", "").isalnum() or not id.isascii() or len(id) > 40:
            self.note(N_("“id” must be a short name of letters, digits and “_”."))
        trains = one.get("rules")
        if not isinstance(trains, list):
            self.note(
                N_("“rules” must be a list of rule ids, the one that matters most first; [] where no rule decides.")
            )
            trains = []
        for rule_id in trains:
            if rule_id not in BY_ID:
                self.note(N_("There is no rule “%(id)s”."), id=shown(rule_id, 60))
        text, reply = self.text(one, "text"), self.text(one, "reply")
        what = one.get("what", "")
        if len(self.faults) > before:
            raise _Stop
        spot, ask, truth = self.ground(one, what)
        if "choices" in one:
            if not text or not reply:
                self.note(
                    N_("A question with choices needs a “text”, and a “reply” that says why the right answer is right.")
                )
            choices = self.choices(one["choices"], what, truth)
        else:
            choices = ()
            if what not in _ASKED or ask is None:
                self.note(
                    N_("A question needs “choices”, or a “record”, “trick”, “at” and “what”: winner, legal or points.")
                )
        if len(self.faults) > before:
            raise _Stop
        return Question(str(id), tuple(trains), text, reply, str(what), choices, spot, ask)

    def ground(self, one: Mapping[str, Any], what: Any) -> tuple[Spot | None, Ask | None, Any]:
        """What the question rests on: the position to show, the mark for `predict`, and what the engine says is true."""
        if "record" in one:
            return self.position(one, what)
        if "game" in one:
            return None, None, self.at_a_table(one, what)
        for key in ("what", "hand", "trick", "at", "player", "seats", "options"):
            if key in one:
                raise self.stop(N_("“%(key)s” says nothing without a “record” or a “game”."), key=key)
        return None, None, None

    def position(self, one: Mapping[str, Any], what: Any) -> tuple[Spot | None, Ask | None, Any]:
        name = one["record"]
        try:
            game = _record(records.example(name)).game
        except RecordError as error:
            raise self.stop(N_("The record cannot be used: %(why)s"), why=str(error)) from None
        hands = records.hands_of(game.events)
        first = hands[0][0].number  # type: ignore[attr-defined]
        number = self.whole(one, "hand", first)
        events: tuple[Any, ...] = next((some for some in hands if some[0].number == number), ())  # type: ignore[attr-defined]
        if not events:
            raise self.stop(N_("There is no hand %(hand)d in this record."), hand=number)
        if what in AT_AN_END:
            return None, None, self.at_the_end(one, what, events, game.names)
        if "trick" not in one and not what:
            return None, None, None
        trick, at = self.whole(one, "trick", 0), self.whole(one, "at", 0)
        if what and what not in AT_A_TRICK:
            known = ", ".join((*AT_A_TRICK, *AT_AN_END))
            raise self.stop(N_("In a record “what” can be: %(known)s."), known=known)
        steps = _steps(events, trick)
        if steps is None or at >= len(steps):
            raise self.stop(
                N_("In this record there is no trick %(trick)d with %(at)d cards; tricks count from 1 as shown there."),
                trick=trick, at=at,
            )  # fmt: skip
        end = _end(events, trick)
        viewer = None
        truth: Any = None
        reveal = steps[at]
        ask = Ask(number, trick, at, What(what)) if what in _ASKED else None
        if what in ("winner", "leader"):
            if end is None:
                raise self.stop(N_("This trick is not complete."))
            over = events[end]
            truth = game.names[over.seat] if isinstance(over, ev.TrickWon) else NOBODY
            reveal = end
            if what == "leader":
                lead = next((i for i in range(end, len(events)) if isinstance(events[i], ev.LeadAssigned)), None)
                if lead is None:
                    raise self.stop(N_("No trick follows this one, so nobody leads next."))
                truth = game.names[events[lead].seat]
        elif what:
            asked = predict.questions(events, game.ruleset, game.names, [ask] if ask else [])
            if not asked:
                raise self.stop(N_("This cannot be asked here: the cards for it are not known."))
            if what == "legal":
                viewer = asked[0]["seat"]
                truth = {choice["v"]: choice["ok"] for choice in asked[0]["choices"]}
            else:
                truth = asked[0]["answer"]
        return Spot(events, game.ruleset, game.names, steps[at], reveal, viewer), ask, truth

    def at_the_end(self, one: Mapping[str, Any], what: str, events: tuple[Any, ...], names: tuple[str, ...]) -> Any:
        player = one.get("player")
        scored = next((e for e in events if isinstance(e, ev.HandScored)), None)
        if scored is None:
            raise self.stop(N_("This hand is not played to its end, so it has no score."))
        if what == "moon":
            return next((names[e.seat] for e in events if isinstance(e, ev.MoonShot)), NOBODY)
        if player not in names:
            raise self.stop(N_("“player” must be one of these players: %(names)s."), names=", ".join(names))
        return (scored.points if what == "score" else scored.totals)[names.index(player)]

    def at_a_table(self, one: Mapping[str, Any], what: Any) -> Any:
        options = one.get("options", {})
        try:
            rules = ruleset(one["game"], one.get("seats"), **(options if isinstance(options, dict) else {}))  # type: ignore[arg-type]
        except RulesetError as error:
            self.faults.append((self.id, error))
            raise _Stop from None
        if what not in AT_A_TABLE:
            raise self.stop(N_("At a table “what” can be: %(known)s."), known=", ".join(AT_A_TABLE))
        return {
            "hand_size": rules.hand_size,
            "kitty_size": rules.kitty_size,
            "packs": rules.packs,
            "removed": frozenset(deal.removed(rules.name, rules.seats)),
            "pass_count": rules.pass_count,
            "direction": str(passing.direction(rules, self.whole(one, "hand", 1))),
            "target": rules.target,
        }[what]

    def choices(self, given: Any, what: Any, truth: Any) -> tuple[Choice, ...]:
        if (
            not isinstance(given, list)
            or not 2 <= len(given) <= MOST_CHOICES
            or not all(isinstance(c, dict) for c in given)
        ):
            raise self.stop(N_('“choices” must be a list of 2 to %(most)d answers, each as in { text = "…", reply = "…" }.'), most=MOST_CHOICES)  # fmt: skip
        found = []
        for one in given:
            self.keys(one, _CHOICE)
            text = self.text(one, "text")
            if not text:
                self.note(N_("Every choice needs a “text”."))
            if what and "right" in one:
                self.note(
                    N_("Here the engine says what is right: give every choice a “value” and no “right” (“%(text)s”)."),
                    text=shown(text),
                )
            if what and "value" not in one:
                self.note(N_("The choice “%(text)s” needs a “value” that the engine can judge."), text=shown(text))
            if not what and "value" in one:
                self.note(N_("“%(key)s” says nothing without a “record” or a “game”."), key="value")
            right = self.judge(one["value"], truth) if what and "value" in one else one.get("right", False)
            if not isinstance(right, bool):
                self.note(N_("“%(key)s” must be true or false."), key="right")
            reply = self.text(one, "reply")
            if right is False and not reply:
                self.note(
                    N_("The wrong answer “%(text)s” needs a “reply” that says what is wrong with it."), text=shown(text)
                )
            found.append(Choice(text, bool(right), reply))
        if not any(choice.right for choice in found):
            self.note(N_("None of the choices is right."))
        if len({choice.text for choice in found}) < len(found):
            self.note(N_("Two choices have the same text."))
        return tuple(found)

    def judge(self, value: Any, truth: Any) -> bool:
        """Whether `value`, as written, is what the engine found."""
        if isinstance(truth, dict | frozenset):
            try:
                some = cards(value) if isinstance(value, str) else ()
            except CardError as error:
                self.faults.append((self.id, error))
                return False
            if isinstance(truth, frozenset):
                return frozenset(some) == truth
            if not some or any(card.code not in truth for card in some):
                self.note(N_("“value” must name cards of this hand, not “%(value)s”."), value=shown(value))
            return bool(some) and all(truth.get(card.code, False) for card in some)
        return type(value) is type(truth) and bool(value == truth)

    def keys(self, table: Mapping[str, Any], known: Sequence[str]) -> None:
        for key in table:
            if key not in known:
                self.note(
                    N_("The key “%(key)s” is not known here. Possible are: %(known)s."),
                    key=shown(key),
                    known=", ".join(known),
                )

    def text(self, table: Mapping[str, Any], key: str) -> str:
        value = table.get(key, "")
        problem = text_problem(key, value)
        if problem is None and any(unicodedata.category(c) == "Cc" for c in value):
            problem = Problem(N_("“%(key)s” must be one line."), key=key)
        if problem is not None:
            self.faults.append((self.id, problem))
            return ""
        return str(value)

    def whole(self, table: Mapping[str, Any], key: str, otherwise: int) -> int:
        value = table.get(key, otherwise)
        if type(value) is not int or not 0 <= value < 10_000:
            raise self.stop(N_("“%(key)s” must be a whole number."), key=key)
        return value


@functools.lru_cache(maxsize=64)
def _record(path: Path) -> records.Record:
    return records.load(path)


def _steps(events: Sequence[Any], trick: int) -> list[int] | None:
    """The step after each number of cards of the `trick` (from 1): index 0 is before the lead; None without such a trick.

    Unlike a replay's questions these are asked before a pair is named: seeing it is the question.
    """
    leads = [i for i, e in enumerate(events) if isinstance(e, ev.LeadAssigned)]
    if not 1 <= trick <= len(leads):
        return None
    steps = [leads[trick - 1]]
    for i in range(leads[trick - 1] + 1, len(events)):
        if isinstance(events[i], ev.LeadAssigned | ev.TrickWon | ev.TrickDead):
            break
        if isinstance(events[i], ev.Played):
            steps.append(i)
    return steps


def _end(events: Sequence[Any], trick: int) -> int | None:
    ends = [i for i, e in enumerate(events) if isinstance(e, ev.TrickWon | ev.TrickDead)]
    return ends[trick - 1] if 1 <= trick <= len(ends) else None
