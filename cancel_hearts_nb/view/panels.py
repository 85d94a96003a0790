"""What a notebook calls: one short call, one table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .. import record
from ..game import Game
from ..i18n import words
from .replay import hand_replays, table_rules, table_words
from .replay import replays as replays_of
from .table import TableWidget


def gallery(language: str = "en") -> TableWidget:
    """Return a table with the example records of the course: pick one, and step through it.

    Raises UnknownLanguage.

    >>> len(gallery().replays) >= 8
    True
    """
    return _table([record.load(path) for path in record.examples()], language, None)


def show(what: str | Path | record.Record | Game, viewer: int | None = None, language: str = "en") -> TableWidget:
    """Return a table that replays `what`: a record file, a loaded record, or a game as far as it was played.

    `viewer` is the seat whose cards are shown; None shows all hands. Raises RecordError and UnknownLanguage.

    >>> from ..ruleset import ruleset
    >>> show(Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7), viewer=2).replays[0]["viewer"]
    2
    """
    if isinstance(what, Game):
        w = words(language)
        return TableWidget.of(hand_replays(what, w, viewer), table_words(w), table_rules([what.ruleset.name], w))
    loaded = what if isinstance(what, record.Record) else record.load(what)
    return _table([loaded], language, viewer)


def _table(records: Iterable[record.Record], language: str, viewer: int | None) -> TableWidget:
    w = words(language)
    loaded = list(records)
    shown = [replay for one in loaded for replay in replays_of(one, w, viewer)]
    games = list(dict.fromkeys(one.game.ruleset.name for one in loaded))
    return TableWidget.of(shown, table_words(w), table_rules(games, w))
