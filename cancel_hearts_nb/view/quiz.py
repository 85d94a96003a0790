"""The questions of a lesson, and the exam, as widgets: everything judged beforehand, so that both work without a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Self

import traitlets

from .. import course, examiner, questions
from ..explain import rule_text
from ..i18n import Words, chosen, words
from ..messages import N_, NN_
from ..questions import Spot
from ..rulebook import rule
from .address import query
from .assets import joined, packed, style
from .faces import faces
from .labels import FAILED
from .replay import replay_of
from .still import Still
from .table import traits_of
from .words import as_text, short, table_words

QUIZ_LABELS: dict[str, str] = {
    "quiz": N_("Questions"),
    "exam": N_("The exam"),
    "of": N_("Question %(n)s of %(all)s"),
    "position": N_("Card table of question %(n)s"),
    "all_questions": N_("All questions"),
    "nav": N_("Question %(n)s"),
    "nav_right": N_("Question %(n)s, answered rightly"),
    "nav_wrong": N_("Question %(n)s, not answered rightly"),
    "nav_given": N_("Question %(n)s, answered"),
    "score": N_("%(n)s of %(all)s answered rightly"),
    "answered": N_("%(n)s of %(all)s answered"),
    "seed": N_("Seed %(n)s"),
    "number": N_("Your answer, a number"),
    "give": N_("That is my answer"),
    "give_next": N_("Answer and go on"),
    "choose_first": N_("Choose an answer first."),
    "right": N_("That is right."),
    "wrong": N_("Not quite."),
    "answer_is": N_("Here is the answer."),
    "is_right": N_("(the right answer)"),
    "is_wrong": N_("(your answer)"),
    "ask_more": N_("There are more right answers than you chose."),
    "printed": N_("Read the printed rule"),
    "reading": N_("How it is read here"),
    "in_lesson": N_("Taught in “%(lesson)s”"),
    "retry": N_("Try again"),
    "show_answer": N_("Show the answer"),
    "next": N_("Next question"),
    "back": N_("Question before"),
    "skip": N_("Leave it open for now"),
    "again": N_("Start again"),
    "finish": N_("Finish the exam"),
    "open": N_("Questions still open: %(n)s. They count as wrong; press once more to finish all the same."),
    "to_result": N_("Back to the result"),
    "result": N_("%(n)s of %(all)s are right."),
    "result_all": N_("Every answer is right: you know the rules of this game."),
    "result_wrong": N_("Nobody knows everything at once. Below are the rules to read again, and where each is taught."),
    "revisit": N_("Worth another visit"),
    "wrong_ones": N_("Where it went wrong"),
    "yours": N_("Your answer: %(a)s"),
    "rights": N_("Right: %(a)s"),
    "no_answer": N_("none"),
    "look": N_("See the question"),
    "look_at": N_("See question %(n)s"),
    "new_exam": N_("New exam"),
    "same_again": N_("Same questions again"),
    "drawing": N_("New questions are being drawn."),
    "no_kernel": N_("Nothing answers: the page has lost the program behind it. Reload the page for a new exam."),
    "none": N_("There are no questions here yet."),
    "list": N_(", "),
    "still": N_("Run this page, or open it as a dashboard, to answer."),
    "failed": FAILED,
}
_STILL_EXAM = NN_(
    "%(count)d question, drawn anew for you. Run this page, or open it as a dashboard, to take the exam.",
    "%(count)d questions, drawn anew for you. Run this page, or open it as a dashboard, to take the exam.",
)

_NO_SEED = N_("The link asks for the exam of seed “%(seed)s”, which is no whole number; here is a new exam.")


def module() -> str:
    """The JavaScript of a quiz: the table without its plugins, and the questions around it.

    >>> module().count("export default ")
    1
    """
    table = joined("js", "dom", "table").replace("export default ", "const makeTable = ")
    return "\n".join((table, joined("js", "quiz")))


class QuizWidget(Still):
    """Questions, one at a time, with the position that each is about.

    Made by `quiz` and `exam`. Traits, all JSON and all sent to the browser: `questions` (each with its own replay and
    layout), `rulebook` by rule id, `words`, `faces`, `lesson` (a name, under which the browser keeps the score), `exam`
    (whether answers are judged at the end only), `seed`, `notice` (a sentence for the page, or "") and `live`. Kept in step both ways: `answers` (by question id:
    "given", "right"), and `over`.
    """

    _module = module()
    _esm = packed(_module)
    _css = style("quiz")

    questions: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    rulebook = traitlets.Dict().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    faces = traitlets.Dict().tag(sync=True)
    lesson = traitlets.Unicode("").tag(sync=True)
    exam = traitlets.Bool(False).tag(sync=True)
    # as text: browsers round large numbers
    seed = traitlets.Unicode("").tag(sync=True)
    notice = traitlets.Unicode("").tag(sync=True)
    live = traitlets.Bool(True).tag(sync=True)
    answers = traitlets.Dict().tag(sync=True, echo_update=False)
    over = traitlets.Bool(False).tag(sync=True, echo_update=False)

    _language: Words

    @classmethod
    def of(
        cls, lesson: str, asked: Sequence[tuple[Mapping[str, Any], Spot | None]], language: Words, **traits: Any
    ) -> Self:
        """Return a quiz of `asked`: judged questions, as `questions.judged` makes them, each with its position or None."""
        return cls(
            lesson=lesson,
            words=_words(language),
            faces=faces(),
            **_asked(asked, language),
            _language=language,
            **traits,
        )

    def __init__(self, _language: Words | None = None, **traits: Any) -> None:
        super().__init__(**traits)
        self._language = _language or words()
        self.on_msg(self._heard)

    @property
    def score(self) -> tuple[int, int]:
        """How many questions are answered rightly here, and how many there are."""
        given: dict[str, Any] = self.answers
        return sum([bool(one.get("right")) for one in given.values()]), len(self.questions)

    def _heard(self, widget: Any, content: Any, buffers: Any) -> None:
        """Draw a new exam; whatever goes wrong is said on the page."""
        if self.exam and isinstance(content, dict) and content.get("kind") == "new":
            self._reply(content, self._new, self._language, QUIZ_LABELS["failed"])

    def _new(self, content: Mapping[str, Any]) -> dict[str, Any]:
        seed = examiner.new_seed()
        # drawn before anything is changed, so that a failure leaves the exam that was there
        drawn = _asked(examiner.draw(seed, self._language), self._language)
        with self.hold_sync(), self.hold_trait_notifications():
            self.seed = str(seed)
            self.answers = {}
            self.over = False
            self.notice = ""
            for name, value in drawn.items():
                setattr(self, name, value)
        return {}

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        """What can be read where nothing runs: the questions and the answers to choose from, and not which is right."""
        w = self._language
        labels: dict[str, str] = self.words["quiz"]
        if self.exam:
            return [labels["exam"], w.count(_STILL_EXAM, len(self.questions))]
        lines = [labels["quiz"], labels["still"]]
        for number, one in enumerate(self.questions, 1):
            lines.append(f"{number}. {one['text']}")
            lines += [
                f"   – {short(self.words, c['card']) if 'card' in c else c['text']}" for c in one.get("choices", ())
            ]
        return lines

    def _html(self) -> str:
        """The questions as text, without any answer given away."""
        lines = self._lines()
        html = f"<p><strong>{escape(lines[0])}</strong></p><p>{escape(lines[1])}</p>"
        if not self.exam:
            items = []
            for one in self.questions:
                choices = [
                    f"<li>{escape(short(self.words, c['card']) if 'card' in c else c['text'])}</li>"
                    for c in one.get("choices", ())
                ]
                inner = f"<ul>{''.join(choices)}</ul>" if choices else ""
                items.append(f"<li>{escape(one['text'])}{inner}</li>")
            html += f"<ol>{''.join(items)}</ol>"
        html = f'<div lang="{escape(self.words["lang"])}" dir="{escape(self.words["dir"])}">{html}</div>'
        return html


def _words(w: Words) -> dict[str, Any]:
    return {**table_words(w), "quiz": {key: w.plain(text) for key, text in QUIZ_LABELS.items()}}


def _asked(asked: Sequence[tuple[Mapping[str, Any], Spot | None]], w: Words) -> dict[str, Any]:
    """The traits `questions` and `rulebook`."""
    ids: dict[str, None] = {}
    found = []
    for one, spot in asked:
        ids.update(dict.fromkeys(one["rules"]))
        made = dict(one)
        made["text"], made["reply"] = as_text(made["text"]), as_text(made["reply"])
        if spot is not None:
            made |= _table(spot, w)
        found.append(made)
    return {"questions": found, "rulebook": {id: _rule(id, w) for id in ids}}


def _rule(id: str, w: Words) -> dict[str, str]:
    said = rule_text(rule(id), w)
    taught = course.teaches(id)
    return {
        "title": said["title"],
        "text": as_text(said["text"]),
        "reading": as_text(said["reading"]),
        "lesson": taught.name if taught else "",
        "lesson_title": w.plain(taught.title) if taught else "",
    }


def _table(spot: Spot, w: Words) -> dict[str, Any]:
    """What the browser's table needs to stand at `spot` and to go on to the answer, and nothing of what comes after."""
    made = replay_of(spot.events[: spot.reveal + 1], spot.names, spot.rules, w, spot.viewer, "", "")
    steps = made["frames"]
    if spot.reveal > spot.step:
        _unmark(steps, spot.step)
    waits = any(frame.get("s", {}).get("aside", [0])[0] for frame in steps[: spot.step + 1])
    # nobody reads captions here: the question and its reply stand beside the table
    sent = traits_of([{**made, "why": {}, "captions": [""] * len(steps), "where": [""] * len(steps)}])
    return {
        "table": {**sent["replays"][0], "layout": 0},
        "layout": sent["layouts"][0],
        "step": spot.step,
        "reveal": spot.reveal,
        "state": spot.viewer is not None or waits,
    }


def _unmark(steps: list[dict[str, Any]], asked: int) -> None:
    """Take the marks of pairs out of all frames up to the one `asked` about, and put them into the last: seeing a pair is the question."""
    hidden: dict[str, list[Any]] = {}
    for frame in steps[: asked + 1]:
        for placed in frame.get("d", []):
            key, *_, mark = placed
            hidden.pop(key, None)
            if any(word.startswith("x") for word in mark.split()):
                hidden[key] = list(placed)
                placed[-1] = " ".join([word for word in mark.split() if not word.startswith("x")])
    last = steps[-1]
    moved = {placed[0] for frame in steps[asked + 1 :] for placed in frame.get("d", [])}
    last["d"] = [*[placed for key, placed in hidden.items() if key not in moved], *last.get("d", [])]


def quiz(lesson: str, language: str | None = None) -> QuizWidget:
    """Return the questions of `lesson` (the name of its notebook), to be answered one at a time.

    They are in `data/questions/LESSON.toml`. `language` None is the one chosen for the whole dashboard (`i18n.chosen`).
    Raises UnknownLesson, UnknownLanguage and QuizError.

    >>> print(str(quiz("02_passing")).splitlines()[2])
    1. It is the first hand of Cancellation Hearts, with eight players. To whom do you pass three cards?
    """
    w, notice = chosen(language)
    found = questions.of_lesson(lesson)
    return QuizWidget.of(lesson, [(questions.judged(one, w), one.spot) for one in found], w, notice=notice)


def exam(seed: int | None = None, language: str | None = None) -> QuizWidget:
    """Return 20 questions drawn from `seed` (0 to 2**63 - 1; None: that of the page’s address, or a new one).

    They are judged by the engine. The seed is shown; the same seed gives the same exam, and an address that ends in
    `?seed=7` asks for that of seed 7. `language` None is the one chosen for the whole dashboard (`i18n.chosen`).
    Raises GameError and UnknownLanguage.

    >>> print(exam(7))
    The exam
    20 questions, drawn anew for you. Run this page, or open it as a dashboard, to take the exam.
    """
    w, notice = chosen(language)
    if seed is None:
        seed, fault = _linked_seed(query().get("seed", ""), w)
        notice = " ".join(filter(None, (notice, fault)))
    found = examiner.draw(seed, w)
    return QuizWidget.of("10_exam", found, w, exam=True, seed=str(seed), notice=notice)


def _linked_seed(asked: str, w: Words) -> tuple[int, str]:
    """The seed that an address asks for, or a new one, and what is to be said of it."""
    if asked.isascii() and asked.isdecimal() and len(asked) < 20 and int(asked) < 2**63:
        return int(asked), ""
    return examiner.new_seed(), w.text(_NO_SEED, seed=asked[:20]) if asked else ""
