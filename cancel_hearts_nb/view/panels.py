"""What a notebook calls: one short call, one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import course, record
from ..faults import RecordError, failed, report
from ..game import Game
from ..i18n import Words, words
from ..messages import N_
from ..record import Record
from .links import Linked, linked
from .replay import code, replays, table_rules, table_words, toml
from .table import TableWidget

Shown = str | Path | Record | Game


def gallery(language: str = "en") -> TableWidget:
    """Return a table with the example records of the first page (`course.gallery`): pick one, and step through it.

    The hand of a link (`?hand=CODE&step=7` in the page's address) is shown first. Raises UnknownLanguage.

    >>> len(gallery().replays) >= 8
    True
    """
    return _table([record.load(record.example(name)) for name in course.gallery()], language, None, link=True)


def show(
    what: Shown | Sequence[Shown], viewer: int | None = None, language: str = "en", *, link: bool = True
) -> TableWidget:
    """Return a table that replays `what`: a record file, a loaded record, a game as far as it was played, or a list of these.

    `viewer` is the seat whose cards are shown; None shows all hands. `link`: whether the hand of a link in the page's
    address is shown instead, which only one table of a page should do. Raises RecordError and UnknownLanguage.

    >>> from ..ruleset import ruleset
    >>> show(Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7), viewer=2).replays[0]["viewer"]
    2
    >>> len(show([record.example("20_black_maria_led"), record.example("22_only_hearts")]).replays)
    2
    """
    # a Path or a text is one thing, whatever it can be iterated over
    given = [what] if isinstance(what, str | Path | Record | Game) else list(what)
    if not given:
        raise failed("show", N_("The list is empty: there is no record to show."))
    return _table([_loaded(one) for one in given], language, viewer, link=link)


def _loaded(what: Shown) -> Record:
    if isinstance(what, Record):
        return what
    return Record(what) if isinstance(what, Game) else record.load(what)


def _table(records: Sequence[Record], language: str, viewer: int | None, *, link: bool) -> TableWidget:
    shelf = _Shelf(records, words(language), viewer)
    asked = linked(language=shelf.w) if link else Linked()
    at = shelf.find(asked)
    table = TableWidget.of(shelf.replays(), table_words(shelf.w), shelf.rules(), replay=at)
    if asked.record:
        step = table.replays[at]["start"] if asked.step is None else asked.step
        table.step = min(step, len(table.replays[at]["frames"]) - 1)
    table.notice = asked.notice
    table.live = True
    shelf.serve(table)
    return table


class _Shelf:
    """The records that one table shows, each as one seat or nobody in particular sees it; answers what the table asks."""

    def __init__(self, records: Sequence[Record], w: Words, viewer: int | None) -> None:
        self.w = w
        self.records: list[tuple[Record, int | None]] = [(one, viewer) for one in records]
        self.made: list[list[dict[str, Any]]] = [replays(one, w, viewer) for one in records]

    def replays(self) -> list[dict[str, Any]]:
        return [replay for hands in self.made for replay in hands]

    def rules(self) -> list[dict[str, str]]:
        return table_rules(list(dict.fromkeys(one.game.ruleset.name for one, _ in self.records)), self.w)

    def find(self, asked: Linked) -> int:
        """Return which replay shows the linked hand, after adding it in front when it is none of ours; 0 without one."""
        if asked.record is None:
            return 0
        for at, replay in enumerate(self.replays()):
            if replay["code"] == asked.code:
                return at
        self.add(asked.record)
        return 0

    def add(self, new: Record) -> None:
        made = replays(new, self.w)
        self.records.insert(0, (new, None))
        self.made.insert(0, made)

    def serve(self, table: TableWidget) -> None:
        def place(content: Mapping[str, Any]) -> tuple[int, int]:
            """Which record and which of its hands a message speaks of."""
            at = content["replay"]
            for index, hands in enumerate(self.made):
                if 0 <= at < len(hands):
                    return index, at
                at -= len(hands)
            raise LookupError(f"there is no replay {content['replay']}")

        def viewer(content: Mapping[str, Any]) -> dict[str, Any]:
            index, _ = place(content)
            one = self.records[index][0]
            seat = content["viewer"]
            if seat is not None and seat not in range(one.game.ruleset.seats):
                raise LookupError(f"there is no seat {seat}")
            self.records[index] = (one, seat)
            self.made[index] = replays(one, self.w, seat)
            table.replace(self.replays())
            return {}

        def link(content: Mapping[str, Any]) -> dict[str, Any]:
            index, hand = place(content)
            one = self.records[index][0]
            return {"code": code(one.game, self.made[index][hand]["hand"], one.asks)}

        def save(content: Mapping[str, Any]) -> dict[str, Any]:
            one = self.records[place(content)[0]][0]
            return {"file": {"name": one.title, "text": toml(one.game, one.title, one.about, one.asks)}}

        def load(content: Mapping[str, Any]) -> dict[str, Any]:
            try:
                new = record.loads(str(content["text"]), str(content["name"])[:80])
            except RecordError as error:
                return {"faults": report(error, self.w)}
            self.add(new)
            table.rulebook = self.rules()
            table.replace(self.replays(), replay=0, step=self.made[0][0]["start"])
            return {}

        table.answers |= {"viewer": viewer, "link": link, "save": save, "open": load}
