"""Checks of the exercises: `check`, `hint`, `solution`, and `grade` for a graded cell. They live here, so a lost cell costs nothing.

A check has three results: passed, failed, not attempted. A failed one names the rule and the smallest case that went
wrong, but not the right answer; whoever errs as many do meets a hint for just that mistake.
"""

from __future__ import annotations

import copy
import difflib
import enum
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, NoReturn

from . import course, tasks, trial
from .answers import call_text, kinds, plain, shown_value, wanted
from .cards import Card, parse
from .faults import shown
from .i18n import Words, chosen
from .messages import N_, NN_, Problem
from .rulebook import rule
from .tasks import Case, Part, Task

# The kinds of `trial.Outcome` in which `value` is what came back
_ANSWERS = ("answer", "printed")
# After the first wrong answer the other cases only help to find out which mistake it is
_MOST_CASES = 400

_HEADS = {"passed": N_("Passed."), "failed": N_("Not yet."), "not attempted": N_("Not attempted.")}
_PASSED = NN_("`%(name)s` is right, in %(count)d case.", "`%(name)s` is right, in all %(count)d cases.")
_QUIET = N_("It also prints something. A function that others use keeps quiet and only returns its answer.")
_ABSENT = N_("There is no `%(name)s` yet: write it in its cell, run that cell, and then check again.")
_UNREADY = N_("There is nothing in `%(name)s` yet: put your own lines where `raise NotImplementedError()` or `pass` stands, run the cell, and then check again.")  # fmt: skip
_WRONG = N_("`%(call)s` gives `%(given)s`, which is not what the rule “%(rule)s” (%(id)s) says.")
_UNRULED = N_("`%(call)s` gives `%(given)s`, which is not what was asked for.")
_TYPE = N_("`%(call)s` gives `%(given)s`, a value of type `%(type)s`.")
_NOTHING = N_("`%(call)s` gives nothing. Is there a way through the function that ends without `return`?")
_KEEPS = N_(
    "Called once more with the same values, it answers differently. Does it keep something from one call to the next, such as a list made outside the function?"
)
_PRINTED = N_("It printed:")
# By the kind of `trial.Outcome`
_SAID = {
    "function": N_("`%(name)s` is not a function but `%(given)s`. Its cell must begin with `def %(name)s(`."),
    "parameters": N_("`%(name)s` must take as many values as it is given, here %(count)d, but it is written as `%(name)s%(given)s`."),
    "async": N_("`%(name)s` must be a plain function: leave out the words `async` and `await`."),
    "lazy": N_("`%(call)s` gives a `%(type)s`, which holds nothing yet. Use `return` instead of `yield`, or put `list(…)` around it."),
    "raised": N_("`%(call)s` stops in line %(line)d of the cell, `%(code)s`, with %(error)s."),
    "raised unseen": N_("`%(call)s` stops in line %(line)d of the cell with %(error)s."),
    "raised nowhere": N_("`%(call)s` stops with %(error)s."),
    "recursion": N_("`%(call)s` calls itself again and again without end."),
    "endless": N_("`%(call)s` does not come to an end: it was stopped after %(steps)d lines. Is there a loop that never ends, or a list that grows while you go through it?"),
    "slow": N_("`%(call)s` takes too long, or does not come to an end: it was stopped after %(seconds)d seconds."),
    "slow in all": N_("`%(name)s` is too slow: the check stopped after %(seconds)d seconds, at `%(call)s`, case %(at)d of %(all)d. Does it wait for something, or go through far more than it needs?"),
    "asked": N_("`%(name)s` asks for input, but nobody is there to answer. All it needs comes as its parameters."),
    "printed": N_("`%(call)s` prints its answer but gives nothing back. Write `return` where you wrote `print`."),
    "changed": N_("`%(call)s` changes the list that was passed in: afterwards it is `%(now)s`. The list belongs to whoever calls; work on a copy, such as `list(…)` or `sorted(…)`."),
}  # fmt: skip


class UnknownExercise(Problem):
    """There is no exercise of that name."""


class NoNumber(Problem):
    """A hint was asked for with something else than a whole number."""


class State(enum.StrEnum):
    """The three results of a check."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_ATTEMPTED = "not attempted"


class NotPassed(AssertionError):
    """A graded cell was run and its function does not pass; shown as one sentence, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        # pages of feedback cut off what does not fit into a line
        return [part for line in str(self).splitlines() for part in textwrap.wrap(line, 96) or [""]]


@dataclass(frozen=True)
class Result:
    """What a check found: its `state`, the `sentence` about it, a `hint` or "", and the `record` (TOML) of the case, or of the worked example.

    `key` tells which known mistake was met, or what else went wrong; "" for none. `printed` is what the function printed.
    """

    state: State
    sentence: str
    record: str
    hint: str = ""
    key: str = ""
    printed: str = ""
    words: Words | None = None

    def __repr__(self) -> str:
        lines = [" ".join(filter(None, (self._say(_HEADS[self.state]), self.sentence))), self.hint]
        if self.printed:
            lines += [self._say(_PRINTED), self.printed.rstrip()]
        return "\n".join(filter(None, lines))

    def _repr_html_(self) -> str:
        """The same, with code in a face of its own."""
        parts = [f"<p><strong>{escape(self._say(_HEADS[self.state]))}</strong> {_coded(self.sentence)}</p>"]
        if self.hint:
            parts.append(f"<p>{_coded(self.hint)}</p>")
        if self.printed:
            parts.append(f'<p>{escape(self._say(_PRINTED))}</p><pre dir="auto">{escape(self.printed.rstrip())}</pre>')
        return _framed("".join(parts), self.words)

    def _say(self, message: str) -> str:
        return self.words.plain(message) if self.words else message


@dataclass(frozen=True)
class Told:
    """A text for a learner: a hint, or, then in `code`, a solution."""

    text: str
    code: str = ""
    words: Words | None = None

    def __repr__(self) -> str:
        return "\n".join(filter(None, (self.text, self.code)))

    def _repr_html_(self) -> str:
        """The same, with code in a face of its own."""
        code = f'<pre dir="ltr"><code>{escape(self.code)}</code></pre>' if self.code else ""
        return _framed((f"<p>{_coded(self.text)}</p>" if self.text else "") + code, self.words)


def _coded(text: str) -> str:
    """`text` as HTML, what stands between backticks as code."""
    parts = escape(text).split("`")
    return "".join([f'<code dir="ltr">{part}</code>' if i % 2 else part for i, part in enumerate(parts)])


def _framed(html: str, w: Words | None) -> str:
    language, direction = (w.language.replace("_", "-"), w.direction) if w else ("en", "ltr")
    return f'<div lang="{escape(language)}" dir="{direction}">{html}</div>'


def _alike(one: Any, other: Any) -> bool:
    """Return whether two answers read alike: a number that is none (nan) is not even equal to itself."""
    return repr(plain(one)) == repr(plain(other))


class PartCheck:
    """One function of an exercise, to be checked: `exercise.winner`."""

    def __init__(self, task: Task, part: Part, words: Words) -> None:
        self.part = part
        self._task = task
        self._words = words

    def __repr__(self) -> str:
        return self._words.plain(self.part.ask)

    def check(self, function: object = None) -> Result:
        """Return whether `function`, or for None what the caller calls by the part's name, is right; and if not, why not.

        Never raises on account of the function.

        >>> exercise("03_winner").highest.check(lambda trick: max(trick)).state
        <State.FAILED: 'failed'>
        """
        return self._checked(self._found(function, sys._getframe(1)))

    def grade(self, function: object = None) -> None:
        """Write that `function`, found as `check` finds it, passes; otherwise raise NotPassed with what `check` says. For graded cells."""
        result = self._checked(self._found(function, sys._getframe(1)))
        if result.state is not State.PASSED:
            raise NotPassed(repr(result))
        sys.stdout.write(f"{result}\n")

    def hint(self, number: int = 1) -> Told:
        """Return a hint, the next one for 2, and so on to the last; they grow. Raises NoNumber."""
        if not isinstance(number, int):
            raise NoNumber(
                N_("A hint has a number: `hint(1)` is the first, `hint(2)` the next. “%(given)s” is no whole number."),
                given=shown(repr(number)),
            )
        hints = self.part.hints
        at = max(1, min(number, len(hints)))
        said = self._words.text(N_("Hint %(at)d of %(all)d."), at=at, all=len(hints))
        return Told(f"{said} {self._words.plain(hints[at - 1])}", words=self._words)

    def solution(self) -> Told:
        """Return one plain right answer as the text of a cell."""
        return Told("", self.part.solution.strip("\n"), self._words)

    def _found(self, function: object, frame: Any) -> object:
        if function is not None:
            return function
        name = self.part.name
        # None is what a learner may have put there; nothing at all is another matter
        return frame.f_locals.get(name, frame.f_globals.get(name, _ABSENT))

    def _checked(self, function: object) -> Result:
        if function is _ABSENT:
            return self._result(State.NOT_ATTEMPTED, self._words.text(_ABSENT, name=self.part.name), key="absent")
        cases = self.part.cases()
        rights = [self.part.answer(*case.args) for case in cases]
        fine, printed, answered, clock = wanted(rights), "", False, trial.Clock()
        for at, (case, right) in enumerate(zip(cases, rights, strict=True)):
            outcome = trial.run(function, case.args, seconds=clock.left)
            printed = printed or outcome.printed
            if outcome.kind == "slow" and clock.over:
                facts = {"seconds": clock.seconds, "at": at + 1, "all": len(cases)}
                return self._stopped(case, outcome._replace(kind="slow in all", facts=facts))
            # None may be the answer, and what is printed beside it is no answer then
            if outcome.kind != "answer" and not (outcome.kind == "printed" and (right is None or answered)):
                return self._stopped(case, outcome)
            answered = answered or outcome.value is not None
            given = plain(outcome.value)
            if not kinds(given) <= fine:
                return self._wrong_type(case, outcome)
            if not self._fits(given, right):
                return self._wrong(function, cases, rights, at, outcome, clock)
        if self.part.judge is not None:
            return self._judged(self.part.judge, function, fine, clock)
        said = self._words.count(_PASSED, len(cases), name=self.part.name)
        note = self._words.text(_QUIET) if printed.strip() else ""
        return self._result(State.PASSED, said, hint=note, printed=printed)

    def _judged(self, judge: Any, function: object, fine: set[str], clock: trial.Clock) -> Result:
        verdict = judge(function, clock)
        if verdict.case is not None:
            outcome = trial.run(function, verdict.case.args)
            if outcome.kind != "answer":
                return self._stopped(verdict.case, outcome)
            if not kinds(plain(outcome.value)) <= fine:
                return self._wrong_type(verdict.case, outcome)
        state = State.PASSED if verdict.passed else State.NOT_ATTEMPTED if verdict.key == "unready" else State.FAILED
        said = self._words.text(verdict.message, **dict(verdict.params))
        return self._result(state, said, verdict.record, self._words.plain(verdict.hint), verdict.key)

    def _stopped(self, case: Case, outcome: trial.Outcome) -> Result:
        w, name = self._words, self.part.name
        if outcome.kind == "unready":
            return self._result(
                State.NOT_ATTEMPTED, w.text(_UNREADY, name=name), key="unready", printed=outcome.printed
            )
        facts = dict(outcome.facts)
        if outcome.kind == "changed":
            facts = {"now": shown_value(facts["now"])}
        # what stands between backticks is shown as code
        facts = {key: one.replace("`", "'") if isinstance(one, str) else one for key, one in facts.items()}
        kind = outcome.kind
        if kind == "raised" and not facts["code"]:
            # the text of a cell may be out of reach, and an error may come from where no line of the learner's is
            kind = "raised unseen" if facts["line"] else "raised nowhere"
        said = w.text(_SAID[kind], name=name, call=self._call(case), **facts)
        return self._result(State.FAILED, said, case.fragment(), key=outcome.kind, printed=outcome.printed)

    def _wrong_type(self, case: Case, outcome: trial.Outcome) -> Result:
        call = self._call(case)
        if outcome.value is None:
            key, said = "nothing", self._words.text(_NOTHING, call=call)
        else:
            key, kind = "type", shown(type(outcome.value).__name__)
            said = self._words.text(_TYPE, call=call, given=shown_value(outcome.value), type=kind)
        right = self._words.plain(self.part.wanted)
        return self._result(State.FAILED, f"{said} {right}", case.fragment(), key=key, printed=outcome.printed)

    def _wrong(
        self, function: object, cases: Any, rights: Any, at: int, outcome: trial.Outcome, clock: trial.Clock
    ) -> Result:
        case = cases[at]
        facts = {"call": self._call(case), "given": shown_value(outcome.value)}
        if case.rule:
            title = self._words.plain(rule(case.rule).title)
            said = self._words.text(_WRONG, **facts, rule=title, id=case.rule)
        else:
            said = self._words.text(_UNRULED, **facts)
        # an earlier case was answered rightly
        before = [(cases[0], rights[0])] if at else []
        for one, answer in [*before, (case, outcome.value)]:
            again = trial.run(function, one.args, seconds=clock.left)
            if clock.over:
                # there is no time to find out more
                return self._result(State.FAILED, said, case.fragment(), printed=outcome.printed)
            same = self._fits(plain(again.value), answer) or _alike(again.value, answer)
            if again.kind not in _ANSWERS or not same:
                keeps = self._words.text(_KEEPS)
                return self._result(State.FAILED, said, case.fragment(), keeps, "keeps", outcome.printed)
        met = self._met(function, cases[at : at + _MOST_CASES], rights[at : at + _MOST_CASES], clock)
        hint, key = (self._words.plain(met.hint), met.key) if met else ("", "")
        return self._result(State.FAILED, said, case.fragment(), hint, key, outcome.printed)

    def _met(self, function: object, cases: Any, rights: Any, clock: trial.Clock) -> tasks.Mistake | None:
        """Return the known mistake that explains the wrong answers best: it makes the first, and most of the others."""
        scores = {mistake.key: 0 for mistake in self.part.mistakes}
        possible = list(self.part.mistakes)
        wrong = 0
        for case, right in zip(cases, rights, strict=True):
            outcome = trial.run(function, case.args, seconds=clock.left)
            given = plain(outcome.value)
            if outcome.kind not in _ANSWERS:
                break
            failed = not self._fits(given, right)
            wrong += failed
            for mistake in possible:
                same = self._errs(mistake, case, given)
                # an answer that is right tells little: most mistakes are right most of the time
                scores[mistake.key] += 1000 * same if failed else same
            if wrong == 1 and failed:
                possible = [mistake for mistake in possible if scores[mistake.key] >= 1000]
        best = max(possible, key=lambda mistake: scores[mistake.key], default=None)
        return best if best and scores[best.key] // 1000 * 2 > wrong else None

    def _errs(self, mistake: tasks.Mistake, case: Case, given: Any) -> bool:
        return self._fits(given, mistake.function(*copy.deepcopy(case.args)))

    def _fits(self, given: Any, right: Any) -> bool:
        """Return whether the plain `given` counts as `right`; what cannot be compared with it does not."""
        try:
            return self.part.fits(given, plain(right))
        except Exception:
            return False

    def _call(self, case: Case) -> str:
        return call_text(self.part.name, case.args, self.part.answer)

    def _result(
        self, state: State, said: str, record: str = "", hint: str = "", key: str = "", printed: str = ""
    ) -> Result:
        return Result(state, said, record or self._example(), hint, key, printed, self._words)

    def _example(self) -> str:
        from .record import example

        return example(self._task.example).read_text(encoding="utf-8")


class Exercise:
    """One exercise, made by `exercise`: its functions are its attributes, and `check()` checks them all."""

    def __init__(self, task: Task, words: Words) -> None:
        self.task = task
        self._words = words
        self.parts = {part.name: PartCheck(task, part, words) for part in task.parts}

    def __getattr__(self, name: str) -> PartCheck:
        parts: dict[str, PartCheck] = self.__dict__.get("parts", {})
        if name in parts:
            return parts[name]
        message = N_("There is no function “%(name)s” in this exercise. Its functions are: %(known)s.")
        raise AttributeError(message % {"name": shown(name), "known": ", ".join(parts)})

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *self.parts])

    def check(self) -> tuple[Result, ...]:
        """Return the results of all functions, each found by its name where the caller is."""
        frame = sys._getframe(1)
        return tuple([one._checked(one._found(None, frame)) for one in self.parts.values()])

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        """A heading line, and a list of the functions."""
        head, *rest = self._lines()
        items = "".join([f"<li>{_coded(line)}</li>" for line in rest])
        return _framed(f"<p><strong>{escape(head)}</strong></p><ul>{items}</ul>", self._words)

    def _lines(self) -> Iterator[str]:
        task, w = self.task, self._words
        yield w.text(
            N_("%(title)s · about %(minutes)d minutes · %(points)d points · after the lesson “%(lesson)s”"),
            title=w.plain(task.title), minutes=task.minutes, points=task.points,
            lesson=w.plain(course.lesson(task.lesson).title),
        )  # fmt: skip
        for part in task.parts:
            titles = w.join([f"{w.plain(rule(id).title)} ({id})" for id in part.rules])
            yield w.count(
                NN_("`%(name)s`, %(count)d point: %(rules)s", "`%(name)s`, %(count)d points: %(rules)s"),
                part.points, name=part.name, rules=titles,
            )  # fmt: skip


def exercise(name: str, language: str | None = None) -> Exercise:
    """Return the exercise called `name`, the name of its notebook; `language` None is the one chosen for the whole dashboard.

    Raises UnknownExercise and UnknownLanguage.

    >>> exercise("03_winner").winner.check(lambda trick: None).state
    <State.NOT_ATTEMPTED: 'not attempted'>
    >>> exercise("03_winer")
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.checks.UnknownExercise: There is no exercise “03_winer”. Did you mean “03_winner”?
    """
    if name not in tasks.NAMES:
        _unknown(name)
    return Exercise(tasks.task(name), chosen(language).words)


def _unknown(name: str) -> NoReturn:
    near = difflib.get_close_matches(str(name), tasks.NAMES, n=1, cutoff=0)
    raise UnknownExercise(
        N_("There is no exercise “%(name)s”. Did you mean “%(near)s”?"), name=shown(name), near=near[0]
    )


def cards(text: str) -> list[Card]:
    """Return the cards named in `text` as a list, as the checks pass them. Raises CardError.

    >>> cards("QS 9H 9H")
    [QS, 9H, 9H]
    """
    return [parse(word) for word in text.split()]
