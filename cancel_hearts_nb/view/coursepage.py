"""A lesson as one file: its text, and its widgets as they work in a browser with nothing behind it.

Replays, predictions and questions come along whole. What needs a kernel is left out, and a sentence says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import anywidget

from .. import record
from ..i18n import Words
from ..messages import N_
from .assets import STATIC, lean
from .comparison import CompareDeal
from .export import MODEL, data, document, factory
from .often import HowOften
from .panels import show
from .play import PlayWidget
from .quiz import QuizWidget, exam

EXAMS = range(1, 9)
"""The seeds of the exams that come along; the page begins with the first one."""
COMMAND = "cancel-hearts"
_WHOLE_HAND, _SEAT = "12_whole_hand", 7
_TITLE = N_("%(lesson)s · Cancellation Hearts")
_ABOUT = N_(
    "This page works as it is, without a network and without a program behind it. Some things need that program: to play yourself, to turn over all cards but one player’s, to open a record, and to copy a link. Where the course is installed, the command “%(command)s” opens it with all of this."
)
_PLAY = N_(
    "Here you cannot play: that needs a program behind the page. Where the course is installed, the command “%(command)s” opens it, and its page “Play a hand” has a seat for you. This is what you will see there: a whole hand, as %(name)s saw it. Step through it, and say each time which card you would play."
)
_OFTEN = N_(
    "Here no hands can be played anew: that needs a program behind the page. The picture shows the stored hands. Where the course is installed, the command “%(command)s” opens it with that program."
)
_COMPARE = N_(
    "Here no other deal can be compared: that needs a program behind the page. Where the course is installed, the command “%(command)s” opens it with that program."
)
_LACKING = N_(
    "The exam that the address asks for is not in this copy: it has those of the seeds %(first)d to %(last)d. Here is the first of them."
)
_EXAM = N_(
    "Here no exam can be drawn: that needs a program behind the page. The exams of the seeds %(first)d to %(last)d have come along, and “New exam” at the end goes on to the next one. Where the course is installed, the command “%(command)s” opens it with that program."
)


class Text(NamedTuple):
    """A piece of a lesson's text, as HTML from which everything harmful has been taken."""

    html: str


class _Shown(NamedTuple):
    """A widget as it is shown here, what is said `before` and `after` it, by trait the values of further exams, and what is said when the one asked for is `lacking`."""

    widget: anywidget.AnyWidget
    before: str = ""
    after: str = ""
    spare: tuple[dict[str, Any], ...] = ()
    lacking: str = ""


def lesson_page(title: str, parts: Sequence[Any], w: Words) -> str:
    """Return a lesson as an HTML page: each of `parts` is Text or what a cell of its notebook shows.

    `title` is a catalog key. Equal parts give equal pages.

    >>> from ..i18n import words
    >>> "Deal &amp; play" in lesson_page("Deal & play", [Text("<h1>Deal</h1>")], words())
    True
    """
    body: list[str] = []
    shown: list[_Shown] = []
    # the lessons are written in English, whatever language the widgets speak
    text = "" if w.language == "en" else ' lang="en" dir="ltr"'
    for part in parts:
        if isinstance(part, Text):
            body.append(f'<div class="text"{text}>{part.html}</div>')
        elif isinstance(part, anywidget.AnyWidget):
            one = _apart(part, w)
            view = f'<div class="view" id="view-{len(shown)}">{_still(one.widget)}</div>'
            # what holds for several widgets of a page is said once
            body += [note for note in (_note(one.before), view, _note(one.after)) if note not in body]
            shown.append(one)
        else:
            html = getattr(part, "_repr_html_", None)
            body.append(f'<div class="view">{html() if html else f"<pre>{escape(repr(part))}</pre>"}</div>')
    about = escape(w.text(_ABOUT, command=COMMAND))
    return document(
        w.text(_TITLE, lesson=w.plain(title)),
        w.language.replace("_", "-"),
        w.direction,
        "\n".join([_asset("course.css"), *_styles(shown)]),
        f"<main>{''.join(body)}</main><footer><p>{about}</p></footer>",
        _state(shown),
        _script(shown),
    )


def _note(text: str) -> str:
    return f'<p class="apart">{escape(text)}</p>' if text else ""


def _apart(widget: anywidget.AnyWidget, w: Words) -> _Shown:
    """What stands here for `widget`, and what is said of it."""
    if isinstance(widget, PlayWidget):
        found = record.load(record.example(_WHOLE_HAND))
        table = show(found, viewer=_SEAT, language=w.language, link=False)
        return _Shown(table, before=w.text(_PLAY, command=COMMAND, name=found.game.names[_SEAT]))
    if isinstance(widget, HowOften):
        return _Shown(widget, after=w.text(_OFTEN, command=COMMAND))
    if isinstance(widget, CompareDeal):
        return _Shown(widget, after=w.text(_COMPARE, command=COMMAND))
    if isinstance(widget, QuizWidget) and widget.exam:
        # the questions come last: their change is what the page waits for
        names = ("seed", "rulebook", "questions")
        drawn = [exam(seed, w.language) for seed in EXAMS]
        spare = tuple([{name: getattr(one, name) for name in names} for one in drawn])
        said = w.text(_EXAM, first=EXAMS[0], last=EXAMS[-1], command=COMMAND)
        lacking = w.text(_LACKING, first=EXAMS[0], last=EXAMS[-1])
        return _Shown(drawn[0], before=said, spare=spare, lacking=lacking)
    return _Shown(widget)


def _still(widget: Any) -> str:
    """What is read where no script runs."""
    return str(widget._repr_mimebundle_()[0]["text/html"])


def _traits(one: _Shown) -> dict[str, Any]:
    widget = one.widget
    names = set(type(widget).class_trait_names(sync=True)) - set(anywidget.AnyWidget.class_trait_names(sync=True))
    found = {name: getattr(widget, name) for name in sorted(names) if not name.startswith("_")}
    # nobody answers, but an exam has others beside it
    return found | ({"live": bool(one.spare)} if "live" in names else {})


def _state(shown: Sequence[_Shown]) -> dict[str, Any]:
    """The values of all traits, each once, and by widget where its own are among them: they share faces and words."""
    # by their JSON text: True equals 1 in Python and not in a browser
    values: dict[str, Any] = {}
    places: dict[str, int] = {}

    def kept(traits: dict[str, Any]) -> dict[str, int]:
        texts = {name: data(value) for name, value in traits.items()}
        for name, text in texts.items():
            values.setdefault(text, traits[name])
            places.setdefault(text, len(places))
        return {name: places[text] for name, text in texts.items()}

    views = [
        {
            "kind": type(one.widget).__name__,
            "traits": kept(_traits(one)),
            "spare": [kept(some) for some in one.spare],
            "lacking": one.lacking,
        }
        for one in shown
    ]
    return {"values": list(values.values()), "views": views}


def _styles(shown: Sequence[_Shown]) -> list[str]:
    found = list(dict.fromkeys([str(one.widget._css) for one in shown]))
    return [one for one in found if not any(one != other and one in other for other in found)]


def _script(shown: Sequence[_Shown]) -> str:
    modules = {type(one.widget).__name__: str(one.widget._module) for one in shown}
    kinds = "".join(
        f"{name}: (() => {{\n{factory(module)}\nreturn factory;\n}})(),\n" for name, module in modules.items()
    )
    return f"const KINDS = {{\n{kinds}}};{MODEL}{_asset('course.js')}\n"


def _asset(name: str) -> str:
    return lean((STATIC / name).read_text(encoding="utf-8"))


__all__ = ["COMMAND", "EXAMS", "Text", "lesson_page"]
