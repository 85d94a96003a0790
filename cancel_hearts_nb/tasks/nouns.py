"""The nouns of the exercises: a case to be tried, a mistake that learners make, one function to write, one exercise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .. import trial
from ..cards import Card


@dataclass(frozen=True, slots=True)
class Case:
    """One call: its `args`, the id of the `rule` that decides it or "", and `fragment`, which makes the record that shows it (TOML)."""

    args: tuple[Any, ...]
    rule: str
    fragment: Callable[[], str]


def smallest_first(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return `cases` by how many cards there are in their arguments, equal ones as they were."""
    return tuple(sorted(cases, key=lambda case: _size(case.args)))


def _size(value: object) -> int:
    return sum(map(_size, value)) if isinstance(value, list | tuple) else int(isinstance(value, Card))


@dataclass(frozen=True, slots=True)
class Mistake:
    """What learners really get wrong: a `key`, the `hint` for whoever does (a catalog key), and a `function` that errs so."""

    key: str
    hint: str
    function: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge of its own says of a function: whether it `passed`, and, whole, in catalog keys and values, why not.

    `key` is that of the mistake met, `record` the record (TOML) that shows it. `case` is a call at which the function
    stopped or gave something of the wrong kind; if it does so again, that is what is said instead.
    """

    passed: bool
    message: str = ""
    params: tuple[tuple[str, Any], ...] = ()
    hint: str = ""
    key: str = ""
    record: str = ""
    case: Case | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One function to write: `name` it has, `points` it brings, `rules` it trains, `ask`: what to write (a catalog key).

    `answer` gives the right answer for the arguments of each of `cases`, which begin with the smallest. `wanted` says
    what must come back (a catalog key), `hints` grow, `solution` is the text of one plain answer, `mistakes` are
    compared with a wrong answer in their order. `fits` says whether an answer counts as the right one. A part that
    cannot be judged case by case has a `judge` too, which gets the learner's function after the cases.
    """

    name: str
    points: int
    rules: tuple[str, ...]
    ask: str
    wanted: str
    answer: Callable[..., Any]
    cases: Callable[[], Sequence[Case]]
    hints: tuple[str, ...]
    solution: str
    mistakes: tuple[Mistake, ...] = ()
    fits: Callable[[Any, Any], bool] = lambda given, right: bool(given == right)
    judge: Callable[[object, trial.Clock], Verdict] | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One exercise: `name` of its notebook, `title` (a catalog key), the `lesson` before it, `level` 1 to 3, `minutes`, `parts`.

    `example` is the worked example: the name of an example record.
    """

    name: str
    title: str
    lesson: str
    level: int
    minutes: int
    example: str
    parts: tuple[Part, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that it trains, each once, in the order of its parts."""
        return tuple(dict.fromkeys([rule for part in self.parts for rule in part.rules]))

    @property
    def points(self) -> int:
        """What all its parts bring together."""
        return sum([part.points for part in self.parts])
