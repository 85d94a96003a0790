"""The head of a lesson: its place in the course, the lessons around it, and what is answered so far."""

from __future__ import annotations

from html import escape
from typing import Any

import traitlets

from .. import course
from ..i18n import Words, chosen
from ..messages import N_
from .assets import joined, packed
from .labels import FAILED
from .still import Still

LESSON_LABELS: dict[str, str] = {
    "course": N_("The course"),
    "of": N_("Lesson %(n)s of %(all)s"),
    "minutes": N_("about %(n)s minutes"),
    "prev": N_("Before"),
    "next": N_("Next"),
    "done": N_("%(n)s of %(all)s"),
    "best": N_("best: %(n)s of %(all)s"),
    "no_questions": N_("no questions"),
    "progress": N_("In the whole course: %(n)s of %(all)s questions answered rightly"),
    "failed": FAILED,
}


class LessonHead(Still):
    """A slim line at the top of a lesson. Made by `lesson`. Traits: `lessons` (the whole course), `lesson`, `words`."""

    _module = joined("js", "dom", "lesson")
    _esm = packed(_module)
    _css = joined("css", "lesson")

    lessons: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    lesson = traitlets.Unicode("").tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __repr__(self) -> str:
        labels: dict[str, str] = self.words["labels"]
        names = [one["name"] for one in self.lessons]
        here = names.index(self.lesson)
        now = self.lessons[here]
        parts = [now["title"]]
        if not now["exam"]:
            parts.append(labels["of"] % {"n": here + 1, "all": sum([not one["exam"] for one in self.lessons])})
        return " · ".join([*parts, labels["minutes"] % {"n": now["minutes"]}])

    def _html(self) -> str:
        """One line of text."""
        return f'<p lang="{escape(self.words["lang"])}" dir="{escape(self.words["dir"])}">{escape(repr(self))}</p>'


def lesson(name: str, language: str | None = None) -> LessonHead:
    """Return the head of lesson `name` (the name of its notebook): place, lessons before and after, progress.

    `language` None is the one chosen for the whole dashboard (`i18n.chosen`). Raises UnknownLesson, UnknownLanguage.

    >>> lesson("04_cancellation")
    Cancellation · Lesson 5 of 10 · about 15 minutes
    """
    w, notice = chosen(language)
    return LessonHead(
        lesson=course.lesson(name).name, lessons=[_told(one, w) for one in course.lessons()], words=_words(w, notice)
    )


def _told(one: course.Lesson, w: Words) -> dict[str, Any]:
    ids = [] if one.exam else [*course.question_ids(one.name)]
    return {
        "name": one.name,
        "title": w.plain(one.title),
        "minutes": one.minutes,
        "exam": one.exam,
        "questions": ids,
        "count": course.EXAM_QUESTIONS if one.exam else len(ids),
    }


def _words(w: Words, notice: str) -> dict[str, Any]:
    labels = {key: w.plain(text) for key, text in LESSON_LABELS.items()}
    return {"lang": w.language.replace("_", "-"), "dir": w.direction, "labels": labels, "notice": notice}
