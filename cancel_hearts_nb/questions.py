"""Questions of a lesson: data files that a teacher can write, read with every fault named, and judged by the engine.

A question rests on a position in an example record (`record`, `trick`, `at`, `what`), or on a table (`game`, `seats`,
`what`), and then the engine says which answer is right; or it has `choices` of which it says itself what is right.
Both may be mixed: a question with a position and choices gives every choice a value, and the engine picks the right
one. Texts are catalog keys.
"""

from __future__ import annotations

import tomllib
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import course, predict, seeds
from .faults import not_toml
from .i18n import Words, words
from .messages import N_, Problem
from .questionreader import Choice, Question, QuizError, Spot, read, report
from .rulebook import rule

__all__ = [
    "Choice",
    "Question",
    "QuizError",
    "Spot",
    "from_engine",
    "judged",
    "load",
    "loads",
    "of_lesson",
    "report",
    "ruled",
]

_RULED = N_("The rule is “%(rule)s”.")
_NOBODY = N_("Nobody")


def load(path: str | Path) -> tuple[Question, ...]:
    """Return the questions in the file `path`, in their order. Raises QuizError with everything that is wrong.

    >>> load(course.question_file("04_cancellation"))[0].rules
    ('trick.pairs_cancel', 'trick.highest')
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise QuizError(path.name, [("", Problem(N_("The file cannot be read as UTF-8 text.")))]) from None
    return loads(text, path.name)


def loads(text: str, source: str = "questions") -> tuple[Question, ...]:
    """Return the questions that `text` (TOML) holds; `source` is what errors call it. Raises QuizError.

    >>> loads("format = 1")
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.questionreader.QuizError: questions: There is no [[question]] in this file; write it with two brackets, once for each question.
    """
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise QuizError(source, [("", not_toml(text, error))]) from None
    return read(document, source)


def of_lesson(name: str) -> tuple[Question, ...]:
    """Return the questions of lesson `name`, () when it has none. Raises UnknownLesson and QuizError.

    >>> len(of_lesson("04_cancellation")) >= 3, of_lesson("00_start_here")
    (True, ())
    """
    path = course.question_file(name)
    return load(path) if path.is_file() else ()


def judged(question: Question, language: Words | None = None) -> dict[str, Any]:
    """Return `question` in words, with every answer judged beforehand, as JSON-able values; English by default.

    Keys: "id", "form" ("one", "many" or "number"), "text", "rules" (ids, the one that decides first), "reply" (why the
    right answer is right), "ruled" (a sentence that names the rule, "" without one); "choices" ("text", "ok", "say" to
    whoever chooses wrongly, "card" for a card, "name" when the text is a name), or for "number" the "answer" and "hints"
    by wrong number.

    >>> [choice["ok"] for choice in judged(of_lesson("04_cancellation")[0])["choices"]].count(True)
    1
    """
    w = language or words()
    made: dict[str, Any]
    if question.choices or question.spot is None or question.ask is None:
        right = sum([choice.right for choice in question.choices])
        choices = [
            {"text": w.plain(one.text), "ok": one.right, **({"say": w.plain(one.reply)} if one.reply else {})}
            for one in seeds.shuffled(question.choices, zlib.crc32(question.id.encode()))
        ]
        made = {
            "form": "one" if right == 1 else "many",
            "text": w.plain(question.text),
            "choices": choices,
            "reply": w.plain(question.reply),
            "rules": list(question.rules),
        }
    else:
        spot = question.spot
        asked = predict.questions(spot.events, spot.rules, spot.names, [question.ask], None, w)[0]
        made = from_engine(asked, spot.names, w)
        if question.text:
            made["text"] = w.plain(question.text)
        if question.reply:
            made["reply"] += " " + w.plain(question.reply)
        # a text of its own asks for something of its own
        order = [*question.rules, *made["rules"]] if question.text else [*made["rules"], *question.rules]
        made["rules"] = list(dict.fromkeys(order))
    return {"id": question.id, **made, "ruled": ruled(made["rules"][0], w) if made["rules"] else ""}


def from_engine(asked: Mapping[str, Any], names: Sequence[str], w: Words) -> dict[str, Any]:
    """Return what `predict.questions` made as a question of a quiz: "form", "text", "reply", "rules" and its answers.

    >>> from .i18n import words
    >>> from_engine({"what": "points", "text": "?", "rule": "score.hand", "reply": "!", "answer": 3, "hints": {}}, (), words())["form"]
    'number'
    """
    made: dict[str, Any] = {"text": asked["text"], "reply": asked["reply"], "rules": [asked["rule"]]}
    if asked["what"] == "points":
        return {"form": "number", **made, "answer": asked["answer"], "hints": asked["hints"]}
    choices = []
    for one in asked["choices"]:
        found = {"ok": one["ok"], **({"say": one["say"]} if "say" in one else {})}
        if asked["what"] == "legal":
            found |= {"text": one["v"], "card": one["v"]}
        elif one["v"] < 0:
            found |= {"text": w.text(_NOBODY)}
        else:
            found |= {"text": names[one["v"]], "name": True}
        choices.append(found)
    return {"form": "many" if asked["what"] == "legal" else "one", **made, "choices": choices}


def ruled(id: str, w: Words) -> str:
    """Return the sentence that names the rule of this id.

    >>> ruled("lead.winner", words())
    'The rule is “The winner leads”.'
    """
    return w.text(_RULED, rule=w.text(rule(id).title))
