"""A table at which a person plays: set up, played, kept in the page's address, and taken up again from there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import traitlets

from ..i18n import Words, chosen
from ..messages import N_
from ..seeds import new_seed
from .address import query
from .assets import packed, script, style
from .faces import faces
from .setupform import form
from .table import TableWidget
from .words import table_words

if TYPE_CHECKING:
    from .match import Match

_FALLBACK = N_("Here you play a match against the computer. Run this page, or open it as a dashboard, to sit down.")


class PlayWidget(TableWidget):
    """A table with one person at it. Made by `play_table`; the person's intents come as messages.

    Besides those of a table it has two traits: `play`, what is asked now, and `form`, the set-up form. The frames of
    the running hand reach the browser as messages, to be added to its copy of `replays`.
    """

    _module = script("play")
    _esm = packed(_module)
    _css = style("play")

    play = traitlets.Dict().tag(sync=True)
    form = traitlets.Dict().tag(sync=True)

    @classmethod
    def at(cls, language: Words, query: Mapping[str, str]) -> Self:
        """Return a table in the words of `language`, at the game that `query` (an address's) names, or at the form."""
        table = cls(words=table_words(language), faces=faces())
        table._w = language
        table._values = {}
        table._match = None
        table.answers["play"] = table._answer
        fault = ""
        if query.get("play") or query.get("hand"):
            table._values, fault = table._seated().resume(query)
        table._fill(table._values, fault)
        if not table.play:
            table.play = {"on": False}
        return table

    _w: Words
    _values: dict[str, Any]
    _match: Match | None

    def _seated(self) -> Match:
        # the engine comes when somebody sits down: a form can be read, and thirty at once, without it
        from .match import Match

        self._match = self._match or Match(self, self._w, self._told)
        return self._match

    def _told(self, asked: dict[str, Any]) -> None:
        self.play = asked

    def __repr__(self) -> str:
        return super().__repr__() if self.replays else self._w.text(_FALLBACK)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None or self.replays:
            return bundle
        data, metadata = bundle
        return {**data, "text/plain": repr(self)}, metadata

    # -- messages

    def _answer(self, content: Mapping[str, Any]) -> dict[str, Any]:
        self._do(content)
        return {"type": "done"}

    def _do(self, intent: Mapping[str, Any]) -> None:
        what, match = intent.get("do"), self._match
        if what == "form":
            self._fill(intent.get("values"))
        elif what == "start":
            self._start(intent.get("values"))
        elif what == "sync":
            self.send_state(["replays", "layouts", "play"])
        elif match is None or match.session is None:
            return
        elif not match.answers(intent):
            match.tell()
        elif what == "new":
            self._start({**self._values, "seed": str(new_seed())})
        else:
            match.act(intent)

    # -- the form

    def _fill(self, values: Any, fault: str = "") -> None:
        made = form(values, self._w)
        self.form = {**made.fields, "fault": fault or made.fault}

    def _start(self, values: Any) -> None:
        made = form(values, self._w)
        if made.setup is None:
            self.form = {**made.fields, "tries": self.form.get("tries", 0) + 1}
            return
        self._values = dict(values)
        self.form = made.fields
        self._seated().begin(made.setup)


def play_table(language: str | None = None) -> PlayWidget:
    """Return a table at which a person sets up and plays a match against the computer.

    `language` None is the one chosen for the whole dashboard (`i18n.chosen`). In a dashboard the page's address may
    name a game to go on with. Raises UnknownLanguage.

    >>> play_table().play["on"]
    False
    """
    w, notice = chosen(language)
    table = PlayWidget.at(w, query())
    table.notice = notice
    return table


__all__ = ["PlayWidget", "play_table"]
