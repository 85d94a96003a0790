"""Record files: a match, a hand or a few tricks as TOML that a teacher can write by hand, and a short code for links.

A record is actions and claims. Loading plays the actions through the engine and checks every claim, so each record is
also a test. Whatever is wrong is collected and reported together, each with its place, and nothing is half-loaded.
Text from outside is data: sizes are limited, and names are checked before they are shown anywhere.
"""

from __future__ import annotations

import base64
import binascii
import difflib
import json
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import events as ev
from . import loader, resources
from .cards import PACK
from .cards import text as cards_text
from .faults import QUOTED, Fault, Place, RecordError, failed, not_toml, report, shown, text_problem
from .game import Game
from .messages import N_
from .predict import Ask
from .ruleset import given_options

MOST_BYTES = 4_000_000
MOST_CODE = 8_000
MOST_HANDS = loader.MOST_HANDS
_MOST_DOTS = 100


@dataclass(frozen=True, slots=True)
class Record:
    """A loaded record: the `game` it replays to, `title` and `about` (may be ""), the `preset` it names, its questions."""

    game: Game
    title: str = ""
    about: str = ""
    preset: str = "printed"
    asks: tuple[Ask, ...] = ()

    @property
    def hands(self) -> tuple[tuple[ev.Event, ...], ...]:
        """The events of each hand, in order."""
        return hands_of(self.game.events)


def hands_of(events: Sequence[ev.Event]) -> tuple[tuple[ev.Event, ...], ...]:
    """Return `events` cut into hands, each starting with its HandStarted.

    >>> len(hands_of((ev.HandStarted(1, 0), ev.PassSkipped(), ev.HandStarted(2, 1))))
    2
    """
    starts = [i for i, event in enumerate(events) if isinstance(event, ev.HandStarted)]
    return tuple(tuple(events[a:b]) for a, b in zip(starts, [*starts[1:], len(events)], strict=True))


def load(path: str | Path) -> Record:
    """Return the record in the file `path`, at most 4 MB of UTF-8. Raises RecordError."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise failed(
            path.name or str(path), N_("The file cannot be read (%(why)s)."), why=error.strerror or "?"
        ) from None
    if len(data) > MOST_BYTES:
        raise failed(path.name, N_("The file is larger than %(most)d bytes, which no record needs."), most=MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise failed(
            path.name, N_("The file is not text in UTF-8 (byte %(at)d); save it as UTF-8 text."), at=error.start
        ) from None
    return loads(text, path.name)


def loads(text: str, source: str = "record") -> Record:
    """Return the record that `text` holds (TOML, at most 4 MB); `source` is what errors call it, "" for a text without a name. Raises RecordError.

    >>> loads("format = 2")
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.faults.RecordError: record: The line “format = 1” is missing or different; records begin with it.
    record: “ruleset” is missing: cancellation, hearts or omnibus.
    record: “players” is missing: a list of names, one for each seat.
    record: There is no [[hand]] in this record; write it with two brackets, once for each hand.
    """
    if len(text) > MOST_BYTES:
        raise failed(source, N_("The file is larger than %(most)d bytes, which no record needs."), most=MOST_BYTES)
    # tomllib needs time squared in the parts of one dotted key
    if any(QUOTED.sub("", line).count(".") > _MOST_DOTS for line in text.splitlines() if line.count(".") > _MOST_DOTS):
        raise failed(source, loader.TOO_DEEP)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecordError(source, [Fault(Place(), "", not_toml(text, error))]) from None
    except RecursionError:
        raise failed(source, loader.TOO_DEEP) from None
    except ValueError:
        # tomllib lets Python's own limit on the digits of a number through
        raise failed(source, loader.TOO_LARGE) from None
    return Record(*loader.read(document, source))


def document(
    game: Game, title: str = "", about: str = "", hand: int | None = None, asks: Sequence[Ask] = ()
) -> dict[str, Any]:
    """Return what a record of `game` holds, as plain values; with `hand`, that hand number alone.

    `asks` are the questions that its tricks ask, as `Record.asks` holds them. Raises RecordError for a fragment whose
    tricks are not all played, for a hand that is not there, for too many hands, and for a title that no record can have.

    >>> from .ruleset import ruleset
    >>> document(Game(ruleset("hearts", 3), ["Al", "Beth", "Charlie"], seed=7))["hand"][0]["unfinished"]
    True
    """
    hands = [found for found in hands_of(game.events) if hand is None or found[0].number == hand]  # type: ignore[attr-defined]
    if len(hands) > MOST_HANDS:
        raise failed("game", N_("A record holds at most %(most)d hands."), most=MOST_HANDS)
    if not hands:
        raise failed("game", N_("There is no hand %(hand)d in this game."), hand=hand)
    found: dict[str, Any] = {"format": loader.FORMAT, "ruleset": game.ruleset.name, "players": list(game.names)}
    for key, text in (("title", title), ("about", about)):
        problem = text_problem(key, text)
        if problem:
            raise failed("game", problem.message, **problem.params)
        if text:
            found[key] = text
    if game.seed is not None:
        found["seed"] = game.seed
    options = given_options(game.ruleset)
    if options:
        found["options"] = options
    found["hand"] = [_hand_document(game, events, asks) for events in hands]
    return found


def _hand_document(game: Game, events: Sequence[Any], asks: Sequence[Ask]) -> dict[str, Any]:
    names = game.names
    started: ev.HandStarted = events[0]
    middle = started.middle
    out: dict[str, Any] = {"number": started.number, "dealer": names[started.dealer]}
    tricks: list[dict[str, Any]] = []
    passed: list[str] = []
    scored = False
    for e in events[1:]:
        if isinstance(e, ev.Dealt) and not middle:
            out["deal"] = [cards_text(hand) for hand in e.hands]
        elif isinstance(e, ev.KittySet):
            out["kitty"] = cards_text(e.cards)
        elif isinstance(e, ev.Passed):
            passed.append(cards_text(e.cards))
        elif isinstance(e, ev.LeadAssigned):
            tricks.append({"leader": names[e.seat], "cards": ""})
        elif isinstance(e, ev.Played):
            tricks[-1]["cards"] = f"{tricks[-1]['cards']} {e.card}".strip()
        elif isinstance(e, ev.TrickWon):
            tricks[-1]["winner"] = names[e.seat]
        elif isinstance(e, ev.TrickDead):
            tricks[-1]["winner"] = "none"
        elif isinstance(e, ev.MoonChosen):
            out["moon"] = e.choice
        elif isinstance(e, ev.HandScored):
            out["points"] = list(e.points)
            scored = True
    if tricks and not tricks[-1]["cards"]:
        tricks.pop()
    for ask in asks:
        if ask.hand == started.number and 0 < ask.trick <= len(tricks):
            tricks[ask.trick - 1].setdefault("ask", []).append({"at": ask.at, "what": str(ask.what)})
    if passed:
        out["passed"] = passed
    if middle:
        if len(tricks) < middle.tricks or "winner" not in tricks[-1]:
            raise failed(
                "game", N_("These tricks are shown without the rest of the hand; play them to the end before saving.")
            )
        out |= {"partial": True, "first_trick": middle.first_trick}
        out |= {"hearts_broken": True} if middle.hearts_broken else {}
        out |= {"aside": cards_text(middle.aside)} if middle.aside else {}
        out |= {"last": True} if middle.last else {}
    elif not scored:
        out["unfinished"] = True
    out["tricks"] = tricks
    order = (
        "number",
        "dealer",
        "partial",
        "first_trick",
        "hearts_broken",
        "last",
        "deal",
        "kitty",
        "aside",
        "passed",
        "tricks",
    )
    return {key: out[key] for key in (*order, "moon", "points", "unfinished") if key in out}


def dumps(game: Game, title: str = "", about: str = "", asks: Sequence[Ask] = ()) -> str:
    """Return the record of `game`, finished or not, as TOML text that `loads` reads back. Raises RecordError.

    `asks` are the questions that its tricks ask.

    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 3), ["Al", "Beth", "Charlie"], seed=7)
    >>> loads(dumps(game)).game.events == game.events
    True
    """
    import tomlkit
    from tomlkit.items import Array, InlineTable

    def lines(items: Sequence[Any]) -> Array:
        array = tomlkit.array()
        array.extend(items)
        return array.multiline(True)

    def inline(entry: Mapping[str, Any]) -> InlineTable:
        table = tomlkit.inline_table()
        for key, value in entry.items():
            if key == "ask":
                asked = tomlkit.array()
                asked.extend([inline(one) for one in value])
                table[key] = asked
            else:
                table[key] = value
        return table

    plain = document(game, title, about, asks=asks)
    out = tomlkit.document()
    for key, value in plain.items():
        if key not in ("options", "hand"):
            out[key] = value
    if "options" in plain:
        out["options"] = plain["options"]
    tables = tomlkit.aot()
    for hand in plain["hand"]:
        table = tomlkit.table()
        for key, value in hand.items():
            if key in ("deal", "passed"):
                table[key] = lines(value)
            elif key == "tricks":
                table[key] = lines([inline(entry) for entry in value])
            else:
                table[key] = value
        tables.append(table)
    out["hand"] = tables
    return tomlkit.dumps(out)


def dump(game: Game, path: str | Path, title: str = "", about: str = "", asks: Sequence[Ask] = ()) -> None:
    """Write the record of `game` to the file `path`. Raises RecordError, and OSError when it cannot be written."""
    text = dumps(game, title, about, asks)
    Path(path).write_text(text, encoding="utf-8", newline="\n")


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TO_LETTER = {card.code: letter for card, letter in zip(PACK, _LETTERS, strict=True)}
_FROM_LETTER = {letter: code for code, letter in _TO_LETTER.items()}
_CARD_KEYS = ("deal", "kitty", "aside", "passed", "cards")
_MARK = "1"


def encode(game: Game, hand: int | None = None, asks: Sequence[Ask] = ()) -> str:
    """Return a short text for links that holds one hand of `game`: number `hand`, or the latest. Raises RecordError.

    It is made of letters, digits, "-" and "_" only.

    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 3), ["Al", "Beth", "Charlie"], seed=7)
    >>> decode(encode(game)).game.events == game.events
    True
    """
    plain = document(game, hand=game.state.number if hand is None else hand, asks=asks)
    only = plain["hand"][0]
    # what the engine finds out again is left out; a fragment must still say who leads first
    for index, trick in enumerate(only["tricks"]):
        trick.pop("winner", None)
        if index or not only.get("partial"):
            del trick["leader"]
    only.pop("points", None)
    text = json.dumps(_packed(plain, pack=True), separators=(",", ":"), ensure_ascii=False)
    return _MARK + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def decode(code: str) -> Record:
    """Return the record that a link's `code` holds. Raises RecordError with a clear sentence for a broken code."""
    broken = N_("This code is broken or incomplete. Copy the whole link again.")
    code = code.strip()
    if len(code) > MOST_CODE or not code.startswith(_MARK) or not code.isascii():
        raise failed("code", broken)
    try:
        data = base64.b64decode(code[1:] + "=" * (-len(code[1:]) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data, 100_000)
        if not unpacker.eof or unpacker.unused_data:
            raise failed("code", broken)
        plain = _packed(json.loads(text), pack=False)
    except (binascii.Error, zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise failed("code", broken) from None
    if not isinstance(plain, dict):
        raise failed("code", broken)
    return Record(*loader.read(plain, "code"))


def _packed(value: Any, pack: bool, key: str = "") -> Any:
    """Return `value` with every text of cards written as one letter a card, or back."""
    if isinstance(value, dict):
        return {name: _packed(item, pack, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_packed(item, pack, key) for item in value]
    if key not in _CARD_KEYS:
        return value
    if pack:
        return "".join(_TO_LETTER[code] for code in value.split())
    return " ".join(_FROM_LETTER[letter] for letter in value)


def examples() -> Iterator[Path]:
    """Yield the example records of the course, in the order of their file names.

    >>> all(path.suffix == ".toml" for path in examples())
    True
    """
    yield from sorted(resources.path("records").glob("*.toml"))


def example(name: str) -> Path:
    """Return the path of the example record called `name`, its file name without “.toml”. Raises RecordError.

    >>> example("03_two_pairs").name
    '03_two_pairs.toml'
    >>> example("two_pairs")
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.faults.RecordError: two_pairs: There is no example record of this name. Did you mean “03_two_pairs”?
    """
    known = {path.stem: path for path in examples()}
    if name not in known:
        near = difflib.get_close_matches(str(name), known, n=1, cutoff=0)
        raise failed(shown(name), N_("There is no example record of this name. Did you mean “%(near)s”?"), near=near[0])
    return known[name]


__all__ = [
    "Fault", "Place", "Record", "RecordError", "decode", "document", "dump", "dumps", "encode", "example", "examples", "hands_of",
    "load", "loads", "report",
]  # fmt: skip
