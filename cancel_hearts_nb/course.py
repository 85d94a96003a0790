"""The course as data: its lessons in order, and which lesson teaches which rule by which example."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import resources
from .messages import N_, Problem

FORMAT = 1
EXAM_QUESTIONS = 20


class UnknownLesson(Problem):
    """There is no lesson of that name."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson: `name` of its notebook, `title` (a catalog key), `minutes` to read; `rules` maps ids to example records."""

    name: str
    title: str
    minutes: int
    rules: Mapping[str, str] = field(default_factory=dict)
    exam: bool = False


@functools.cache
def lessons() -> tuple[Lesson, ...]:
    """Return the lessons in order; the last one is the exam.

    >>> [lesson.name for lesson in lessons()][4:6]
    ['04_cancellation', '05_scoring']
    """
    return tuple([Lesson(**one) for one in _file()["lesson"]])


def gallery() -> tuple[str, ...]:
    """Return the names of the example records that the first page offers, in their order.

    >>> gallery()[0]
    '01_plain_trick'
    """
    return tuple(_file()["gallery"])


def _file() -> dict[str, Any]:
    with (resources.path("data") / "course.toml").open("rb") as file:
        return tomllib.load(file)


def lesson(name: str) -> Lesson:
    """Return the lesson called `name`, the name of its notebook without “.ipynb”. Raises UnknownLesson.

    >>> lesson("02_passing").title
    'Passing'
    >>> lesson("02")
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.course.UnknownLesson: There is no lesson “02”. The lessons are: 00_start_here, 01_cards_and_deal, 02_passing, 03_following_suit, 04_cancellation, 05_scoring, 06_read_a_record, 07_play_a_hand, 08_how_often, 09_your_own_rules, 10_exam.
    """
    for one in lessons():
        if one.name == name:
            return one
    raise UnknownLesson(
        N_("There is no lesson “%(name)s”. The lessons are: %(known)s."),
        name=str(name)[:40],
        known=", ".join([one.name for one in lessons()]),
    )


def teaches(rule: str) -> Lesson | None:
    """Return the lesson that teaches the rule of this id, or None when no lesson does.

    >>> teaches("trick.dead").name
    '04_cancellation'
    """
    return next((one for one in lessons() if rule in one.rules), None)


_ID = re.compile(r'^id = "(\w+)"$', re.MULTILINE)


def question_file(name: str) -> Path:
    """Return where the questions of lesson `name` are or would be. Raises UnknownLesson.

    >>> question_file("02_passing").name
    '02_passing.toml'
    """
    return resources.path("questions") / f"{lesson(name).name}.toml"


def question_ids(name: str) -> tuple[str, ...]:
    """Return the ids of the questions of lesson `name` in their order, () when it has none. Raises UnknownLesson.

    Every lesson counts the questions of all of them, and to read them whole for that would take as long as the rest of
    the page; whoever shows them does so (`questions.of_lesson`). Here an id is what stands alone in a line as `id = "…"`.

    >>> len(question_ids("04_cancellation")) >= 3, question_ids("00_start_here")
    (True, ())
    """
    path = question_file(name)
    return tuple(_ID.findall(path.read_text("utf-8"))) if path.is_file() else ()
