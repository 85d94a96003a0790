"""What a notebook calls: one short call, one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import course, explain, record
from ..faults import RecordError, failed, report
from ..game import Game
from ..i18n import Words, chosen
from ..messages import N_
from ..record import Record
from .labels import LABELS
from .links import Linked, claim, linked
from .replay import code, replays, table_rules, toml
from .sheet import Story
from .table import TableWidget
from .words import table_words

Shown = str | Path | Record | Game
_STORY = N_("Step by step")


def gallery(language: str | None = None) -> TableWidget:
    """Return a table with the example records of the first page (`course.gallery`): pick one, and step through it.

    `language` None is the one chosen for the whole dashboard (`i18n.chosen`). The hand of a link (`?hand=CODE&step=7`
    in the page's address) is shown first, as `show` tells. Raises UnknownLanguage.

    >>> len(gallery().replays) >= 8
    True
    """
    return _table([record.load(record.example(name)) for name in course.gallery()], language, None, link=True)


def show(
    what: Shown | Sequence[Shown], viewer: int | None = None, language: str | None = None, *, link: bool = True
) -> TableWidget:
    """Return a table that replays `what`: a record file, a loaded record, a game as far as it was played, or a list of these.

    `viewer` is the seat whose cards are shown; None shows all hands. `language` None is the one chosen for the whole
    dashboard (`i18n.chosen`). `link`: whether this table may follow a link in the page's address. Of all tables of a
    page one does: the first that holds the linked hand, or else the first, which then shows it before its own. Raises
    RecordError and UnknownLanguage.

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


def story(what: Shown, language: str | None = None) -> Story:
    """Return every step of `what`, as `show` takes it, as one sentence with the id of its rule.

    Raises RecordError and UnknownLanguage.

    >>> print(str(story(record.example("02_one_pair"))).splitlines()[3])
    3. Goran leads.  [play.lead]
    """
    w, notice = chosen(language)
    loaded = _loaded(what)
    game = loaded.game
    lines = [(explain.event(event, game.names, game.ruleset, w), str(event.rule)) for event in game.events]  # type: ignore[attr-defined]
    return Story(w.plain(loaded.title) or w.text(_STORY), lines, [notice] if notice else (), language=w)


def read_record(text: str, language: str | None = None) -> TableWidget | Story:
    """Return a table that replays the record written in `text`; when something is wrong with it, what, and where.

    Raises UnknownLanguage.

    >>> print(read_record("format = 1"))
    This record cannot be used:
    1. “ruleset” is missing: cancellation, hearts or omnibus.
    2. “players” is missing: a list of names, one for each seat.
    3. There is no [[hand]] in this record; write it with two brackets, once for each hand.
    """
    w, notice = chosen(language)
    try:
        loaded = record.loads(text, "")
    except RecordError as error:
        return Story(
            w.text(LABELS["faulty"]),
            [(sentence, "") for sentence in report(error, w)],
            [notice] if notice else (),
            language=w,
        )
    return _table([loaded], language, None, link=True)


def _table(records: Sequence[Record], language: str | None, viewer: int | None, *, link: bool) -> TableWidget:
    w, notice = chosen(language)
    shelf = _Shelf(records, w, viewer)
    table = TableWidget.of(shelf.replays(), table_words(w), shelf.rules())
    table.notice = notice
    table.live = True
    shelf.serve(table)
    if link:
        shelf.follow(linked(language=w), table)
    return table


class _Shelf:
    """The records that one table shows, each as one seat or nobody in particular sees it; answers what the table asks."""

    def __init__(self, records: Sequence[Record], w: Words, viewer: int | None) -> None:
        self.w = w
        self.fill(records, viewer)

    def fill(self, records: Sequence[Record], viewer: int | None = None) -> None:
        """Put `records` in the place of those that were here."""
        self.records: list[tuple[Record, int | None]] = [(one, viewer) for one in records]
        self.made: list[list[dict[str, Any]]] = [replays(one, self.w, viewer) for one in records]

    def replays(self) -> list[dict[str, Any]]:
        return [replay for hands in self.made for replay in hands]

    def rules(self) -> list[dict[str, str]]:
        return table_rules(list(dict.fromkeys(one.game.ruleset.name for one, _ in self.records)), self.w)

    def follow(self, asked: Linked, table: TableWidget) -> None:
        """Show the linked hand, after adding it in front when it is none of ours; unless another table does."""
        if asked.record is None and not asked.notice:
            return
        before = table.notice
        codes = [replay["code"] for replay in self.replays()]
        at = codes.index(asked.code) if asked.record and asked.code in codes else -1

        def give_back() -> None:
            found = next((i for i, (one, _) in enumerate(self.records) if one is asked.record), None)
            if found is not None:
                del self.records[found], self.made[found]
            table.rulebook = self.rules()
            table.replace(self.replays(), replay=0, step=self.made[0][0]["start"])
            table.notice = before

        if not claim(asked.code, at >= 0, give_back):
            return
        if asked.record:
            if at < 0:
                self.add(asked.record)
                table.rulebook = self.rules()
            shown = self.replays()[max(0, at)]
            step = shown["start"] if asked.step is None else asked.step
            table.replace(self.replays(), replay=max(0, at), step=min(step, len(shown["frames"]) - 1))
        table.notice = " ".join(filter(None, (before, asked.notice)))

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
