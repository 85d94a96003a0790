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
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import events as ev
from . import explain
from .cards import PACK, Card, CardError, Hand, in_order, missing, parse
from .cards import text as cards_text
from .game import Action, ChooseMoon, Game, GameError, Given, PassCards, PlayCard, check_names
from .i18n import Words, words
from .messages import N_, Problem
from .rules import lead, passing
from .rules import trick as rules_of_trick
from .rules.nouns import Play, Refusal, Trick
from .ruleset import OPTIONS, MoonChoice, Opening, Ruleset, RulesetError, given_options, ruleset

FORMAT = 1
MOST_BYTES = 1_000_000
MOST_CODE = 8_000
MOST_HANDS = 200
MOST_FAULTS = 100
_MOST_LEVELS = 8
_MOST_DOTS = 100

_TOP = ("format", "ruleset", "preset", "players", "title", "about", "seed", "options", "hand")
_HAND = ("number", "dealer", "deal", "kitty", "passed", "tricks", "moon", "points", "unfinished")
_PARTIAL = ("number", "dealer", "kitty", "tricks", "partial", "first_trick", "hearts_broken", "aside", "last")
_TRICK = ("leader", "cards", "winner")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a record something is wrong: `hand` and `trick` count from 1, 0 is none; `seat` is a player's name or ""."""

    hand: int = 0
    trick: int = 0
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: its `place`, the `rule` id behind it or "", and what is to be said of it."""

    place: Place
    rule: str
    problem: Problem | None = None
    refusal: Refusal | None = None
    names: tuple[str, ...] = ()

    def sentence(self, language: Words | None = None) -> str:
        """Return what is wrong and what would be right, without the place; English by default."""
        w = language or words()
        if self.refusal is not None:
            return explain.refusal(self.refusal, self.names, w)
        assert self.problem is not None
        return w.problem(self.problem)


class RecordError(Exception):
    """A record that cannot be used; `faults` are all that could be found, `source` the name of the file."""

    def __init__(self, source: str, faults: Sequence[Fault]) -> None:
        super().__init__(source, tuple(faults))
        self.source = source
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join(report(self))


_PLACES = (
    N_("%(source)s: %(what)s"),
    N_("%(source)s, hand %(hand)d: %(what)s"),
    N_("%(source)s, hand %(hand)d, trick %(trick)d: %(what)s"),
)
_SEAT_PLACES = (
    N_("%(source)s, %(seat)s: %(what)s"),
    N_("%(source)s, hand %(hand)d, %(seat)s: %(what)s"),
    N_("%(source)s, hand %(hand)d, trick %(trick)d, %(seat)s: %(what)s"),
)
_RULED = N_("%(line)s [rule %(rule)s]")


def report(error: RecordError, language: Words | None = None) -> list[str]:
    """Return one line for each fault of `error`: file, hand, trick, seat, what is wrong, and the rule; English by default.

    >>> fault = Fault(Place(2), "", Problem("There is no deal."))
    >>> report(RecordError("lesson.toml", [fault]))
    ['lesson.toml, hand 2: There is no deal.']
    """
    w = language or words()
    lines = []
    for fault in error.faults:
        at = fault.place
        depth = 2 if at.trick else 1 if at.hand else 0
        message = (_SEAT_PLACES if at.seat else _PLACES)[depth]
        line = w.text(message, source=error.source, hand=at.hand, trick=at.trick, seat=at.seat, what=fault.sentence(w))
        lines.append(w.text(_RULED, line=line, rule=fault.rule) if fault.rule else line)
    return lines


@dataclass(frozen=True, slots=True)
class Record:
    """A loaded record: the `game` it replays to, its `title` and `about` (may be ""), and the `preset` it names."""

    game: Game
    title: str = ""
    about: str = ""
    preset: str = "printed"

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
    """Return the record in the file `path`, at most 1 MB of UTF-8. Raises RecordError."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _failed(path.name, N_("The file cannot be read (%(why)s)."), why=error.strerror or "?") from None
    if len(data) > MOST_BYTES:
        raise _failed(path.name, N_("The file is larger than %(most)d bytes, which no record needs."), most=MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _failed(
            path.name, N_("The file is not text in UTF-8 (byte %(at)d); save it as UTF-8 text."), at=error.start
        ) from None
    return loads(text, path.name)


def loads(text: str, source: str = "record") -> Record:
    """Return the record that `text` holds (TOML, at most 1 MB); `source` is what errors call it. Raises RecordError.

    >>> loads("format = 2")
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.record.RecordError: record: The format must be 1.
    record: “ruleset” is missing: cancellation, hearts or omnibus.
    record: “players” is missing: a list of names, one for each seat.
    record: There is no [[hand]] in this record.
    """
    if len(text) > MOST_BYTES:
        raise _failed(source, N_("The file is larger than %(most)d bytes, which no record needs."), most=MOST_BYTES)
    # tomllib needs time squared in the parts of one dotted key
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines() if not line.lstrip().startswith("#")):
        raise _failed(source, _TOO_DEEP)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _failed(source, N_("This is not TOML: %(why)s."), why=_shown(error, 200)) from None
    except RecursionError:
        raise _failed(source, _TOO_DEEP) from None
    except ValueError:
        # tomllib lets Python's own limit on the digits of a number through
        raise _failed(source, _TOO_LARGE) from None
    return _checked(document, source)


_TOO_DEEP = N_("This is nested too deep; a record needs only a few levels.")
_TOO_LARGE = N_("A number is too large; no number in a record has more than 19 digits.")


def _checked(document: Any, source: str) -> Record:
    """Read `document` after a look at its nesting and numbers: Python shows neither a deep list nor a huge number."""
    level = [document]
    for _ in range(_MOST_LEVELS):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict | list):
                below.extend(value.values() if isinstance(value, dict) else value)
            elif isinstance(value, int) and not -(2**63) <= value < 2**63:
                raise _failed(source, _TOO_LARGE)
        level = below
    if level:
        raise _failed(source, _TOO_DEEP)
    return _Loader(source).read(document)


def _shown(value: Any, most: int = 40) -> str:
    """Return `value` as a short text without control characters, fit to be quoted in a sentence."""
    return "".join(c if c.isprintable() else "\ufffd" for c in str(value)[:most])


def _failed(source: str, message: str, **params: Any) -> RecordError:
    return RecordError(source, [Fault(Place(), "", Problem(message, **params))])


class _Wrong(Exception):
    """Raised inside the loader after a fault has been noted, where going on would say nothing new."""


class _Loader:
    """Turns a document into a Record, noting every fault on the way.

    `sure` is False when names or options are wrong: then hands are looked at, but not played. `noted` counts the
    faults, also those beyond the number that is kept.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.faults: list[Fault] = []
        self.noted = 0
        self.names: tuple[str, ...] = ()
        self.sure = True

    def read(self, document: Mapping[str, Any]) -> Record:
        self.keys(document, _TOP, Place())
        if document.get("format") != FORMAT or type(document.get("format")) is not int:
            self.note(Place(), N_("The format must be %(format)d."), format=FORMAT)
        title = self._text(document, "title")
        about = self._text(document, "about")
        preset = document.get("preset", "printed")
        seed = document.get("seed")
        if seed is not None and (type(seed) is not int or seed < 0):
            self.note(Place(), N_("The seed must be a whole number from 0 to 9223372036854775807."))
        rules = self._rules(document, preset)
        hands = document.get("hand", [])
        if not isinstance(hands, list) or not all(isinstance(hand, dict) for hand in hands) or not hands:
            self.note(Place(), N_("There is no [[hand]] in this record."))
            hands = []
        if len(hands) > MOST_HANDS:
            self.note(Place(), N_("A record holds at most %(most)d hands."), most=MOST_HANDS)
            hands = []
        read = []
        before: _HandReader | None = None
        for index, hand in enumerate(hands):
            if rules is None:
                self.keys(hand, _PARTIAL if hand.get("partial") is True else _HAND, Place(index + 1))
                continue
            before = _HandReader(self, rules, hands, index, before)
            try:
                read.append(before.read())
            except _Wrong:
                continue
        if self.faults or rules is None:
            raise RecordError(self.source, self.faults)
        return Record(self._game(rules, seed, read), title, about, str(preset))

    def _game(self, rules: Ruleset, seed: int | None, hands: list[_Hand]) -> Game:
        unfinished = hands[-1].unfinished
        try:
            game = Game(
                rules, self.names, seed, hands[0].dealer, [hand.given for hand in hands],
                number=hands[0].number, hands=None if unfinished and seed is not None else len(hands),
            )  # fmt: skip
        except GameError as error:
            self.note(Place(), problem=error)
            raise RecordError(self.source, self.faults) from None
        for hand in hands:
            if game.state.number != hand.number:
                self.note(
                    Place(hand.place),
                    N_("The match was over before this hand: the target was reached."),
                    rule="match.end",
                )
                raise RecordError(self.source, self.faults)
            for action in hand.actions:
                game.submit(action)
        return game

    def _rules(self, document: Mapping[str, Any], preset: Any) -> Ruleset | None:
        """Return the rules to read the hands with, the nearest that can be had when something is wrong; None without any."""
        name, players, options = document.get("ruleset"), document.get("players"), document.get("options", {})
        noted = self.noted
        if name is None:
            self.note(Place(), N_("“ruleset” is missing: cancellation, hearts or omnibus."))
        if players is None:
            self.note(Place(), N_("“players” is missing: a list of names, one for each seat."))
        elif not isinstance(players, list):
            self.note(Place(), N_("“players” must be a list of names, one for each seat."))
        else:
            self._players(players)
        if isinstance(options, dict):
            self.keys(options, OPTIONS, Place())
            options = {key: value for key, value in options.items() if key in OPTIONS}
        else:
            self.note(Place(), N_("[options] must be a table of options and their values."))
            options = {}
        # tried apart, so that a wrong preset does not hide wrong options, nor these each other
        if self._ruleset("cancellation", 8, preset) is None:
            preset = "printed"
        rules = self._ruleset(name, len(players), "printed") if name is not None and isinstance(players, list) else None
        if rules is not None:
            if self._ruleset(rules.name, rules.seats, preset) is None:
                preset = "printed"
            fine = {
                key: value
                for key, value in options.items()
                if self._ruleset(rules.name, rules.seats, preset, **{key: value})
            }
            rules = self._ruleset(rules.name, rules.seats, preset, **fine) or rules
        self.sure = self.noted == noted
        return rules

    def _ruleset(self, name: Any, seats: int, preset: Any, **options: Any) -> Ruleset | None:
        try:
            return ruleset(name, seats, preset, **options)
        except RulesetError as error:
            self.note(Place(), problem=error)
            return None

    def _players(self, players: Sequence[Any]) -> None:
        fine: tuple[str, ...] = ()
        names = []
        for seat, given in enumerate(players[:20]):
            try:
                fine = check_names([*fine, given])
                names.append(fine[-1])
            except GameError as error:
                self.note(Place(), problem=error)
                names.append(_shown(given).strip() or str(seat))
        self.names = tuple(names)

    def _text(self, document: Mapping[str, Any], key: str) -> str:
        value = document.get(key, "")
        if not isinstance(value, str) or len(value) > 500:
            self.note(Place(), N_("“%(key)s” must be a text of at most 500 characters."), key=key)
            return ""
        if any((unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t") or c in _OVERRIDES for c in value):
            self.note(Place(), N_("“%(key)s” has a control character in it, which would garble a page."), key=key)
        return value

    def keys(self, table: Mapping[str, Any], known: Sequence[str], place: Place) -> None:
        """Note every key of `table` that is not `known`."""
        for key in table:
            if key not in known and len(self.faults) <= MOST_FAULTS:
                shown = _shown(key)
                near = difflib.get_close_matches(key, known, n=1)
                if near:
                    self.note(
                        place,
                        N_("The key “%(key)s” is not known here. Did you mean “%(near)s”?"),
                        key=shown,
                        near=near[0],
                    )
                else:
                    self.note(
                        place,
                        N_("The key “%(key)s” is not known here. Possible are: %(known)s."),
                        key=shown,
                        known=", ".join(known),
                    )

    def note(
        self,
        place: Place,
        message: str = "",
        rule: str = "",
        problem: Problem | None = None,
        refusal: Refusal | None = None,
        **params: Any,
    ) -> None:
        """Keep one fault: a message with its params, or a problem, or a refusal of the engine."""
        self.noted += 1
        if len(self.faults) == MOST_FAULTS:
            more = Problem(N_("There are more faults; these are the first %(most)d."), most=MOST_FAULTS)
            self.faults.append(Fault(Place(), "", more))
        if len(self.faults) > MOST_FAULTS:
            return
        if refusal is not None:
            self.faults.append(Fault(place, refusal.rule, refusal=refusal, names=self.names))
            return
        if problem is not None:
            # the values in it come from the file
            message, rule = problem.message, problem.rule
            params = {
                key: _shown(value, 200) if isinstance(value, str) else value for key, value in problem.params.items()
            }
        self.faults.append(Fault(place, rule, Problem(message, rule=rule, **params)))


# They turn the writing of whatever follows them, also outside the text in which they stand
_OVERRIDES = "\u202a\u202b\u202c\u202d\u202e"


@dataclass(frozen=True, slots=True)
class _Hand:
    """A hand that has been read and played through."""

    place: int
    number: int
    dealer: int
    given: Given
    actions: tuple[Action, ...]
    unfinished: bool


@dataclass(frozen=True, slots=True)
class _Trick:
    """One trick as written; `leader` None when not said or not known, `fine` False when it cannot be played."""

    leader: int | None
    cards: Hand
    winner: int | None
    claimed: bool
    fine: bool


class _HandReader:
    """Reads one hand and plays it through a game of its own, so that a fault in one hand hides none in the next."""

    def __init__(
        self,
        loader: _Loader,
        rules: Ruleset,
        hands: Sequence[Mapping[str, Any]],
        index: int,
        before: _HandReader | None,
    ) -> None:
        self.loader = loader
        self.rules = rules
        self.table = hands[index]
        self.index = index
        self.is_last = index == len(hands) - 1
        self.alone = len(hands) == 1
        self.before = before
        self.at = Place(index + 1)
        self.number = 1
        self.dealer: int | None = None
        self.playable = loader.sure
        """False when something is wrong without which the hand cannot be played"""

    def read(self) -> _Hand:
        noted = self.loader.noted
        partial = self._flag("partial")
        self.loader.keys(self.table, _PARTIAL if partial else _HAND, self.at)
        if partial and not self.alone:
            self.note(N_("A hand with “partial” must be the only one in its record."))
        self.number = self._number()
        self.dealer = self._dealer(needed=not partial)
        tricks = self._tricks()
        kitty = self._cards("kitty")
        hand = self._fragment(kitty, tricks) if partial else self._whole(kitty, tricks)
        if hand is None or self.loader.noted > noted:
            raise _Wrong
        return hand

    # what both kinds share

    def note(self, message: str = "", trick: int = 0, seat: int | None = None, **params: Any) -> None:
        name = "" if seat is None else self.loader.names[seat]
        self.loader.note(Place(self.at.hand, trick, name), message, **params)

    def _flag(self, key: str) -> bool:
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            self.note(N_("“%(key)s” must be true or false."), key=key)
            return False
        return value

    def _number(self) -> int:
        expected = self.before.number + 1 if self.before else 1
        number = self.table.get("number", expected)
        if type(number) is not int or not 1 <= number <= 9999:
            self.note(N_("“number” must be a whole number from 1 to 9999."))
            self.playable = self.before is not None and self.playable
            return expected
        if self.before and number != expected:
            self.note(N_("Hands follow on: this one is number %(number)d."), number=expected)
            # read on as if it were the right one, so that only this is reported
            return expected
        return number

    def _dealer(self, needed: bool) -> int | None:
        seats, before = self.rules.seats, self.before
        expected = None if before is None or before.dealer is None else (before.dealer + 1) % seats
        if "dealer" not in self.table:
            if needed and before is None:
                self.note(N_("“dealer” is missing: the name or seat of the player who deals."), rule="deal.dealer")
            dealer = expected
        else:
            dealer = self._seat(self.table["dealer"], "dealer")
            if dealer is not None and expected is not None and dealer != expected:
                self.note(
                    N_("The deal moves to the left, so %(dealer)s deals this hand."),
                    rule="deal.dealer", dealer=self.loader.names[expected],
                )  # fmt: skip
                dealer = expected
        if needed and dealer is None:
            self.playable = False
        return dealer

    def _seat(self, value: Any, key: str, trick: int = 0) -> int | None:
        names = self.loader.names
        if type(value) is int and 0 <= value < len(names):
            return value
        name = unicodedata.normalize("NFC", value.strip()) if isinstance(value, str) else ""
        if name in names:
            return names.index(name)
        if not self.loader.sure:
            # the names themselves may be what is wrong
            return None
        near = difflib.get_close_matches(name, names, n=1) or [
            other for other in names if other.casefold() == name.casefold()
        ]
        if near:
            self.note(
                N_("“%(key)s”: there is no player “%(value)s”. Did you mean “%(near)s”?"),
                trick, key=key, value=_shown(value), near=near[0],
            )  # fmt: skip
        else:
            self.note(
                N_("“%(key)s” must be a player’s name or a seat from 0 to %(last)d, not “%(value)s”."),
                trick, key=key, value=_shown(value), last=len(names) - 1,
            )  # fmt: skip
        return None

    def _parse(self, text: Any, key: str, trick: int = 0, seat: int | None = None) -> Hand | None:
        """Return the cards in `text`, or None when it has been noted that there is something else in it."""
        if not isinstance(text, str):
            self.note(N_('“%(key)s” must be cards in quotation marks, as in "QS 9H".'), trick, seat, key=key)
            return None
        found: list[Card] = []
        words = text.split()[:200]
        for word in words:
            try:
                found.append(parse(word))
            except CardError as error:
                self.note("", trick, seat, problem=error)
        return tuple(found) if len(found) == len(words) else None

    def _cards(self, key: str) -> Hand | None:
        cards = self._parse(self.table.get(key, ""), key)
        if cards is None:
            self.playable = False
        return cards

    def _list(self, key: str) -> list[Any] | None:
        """Return the list `key`, or None when there is none or, then not playable, something else."""
        value = self.table.get(key)
        if value is not None and not isinstance(value, list):
            self.note(N_("“%(key)s” must be a list in square brackets."), key=key)
            self.playable = False
            return None
        return value

    def _tricks(self) -> list[_Trick]:
        found = []
        for number, entry in enumerate(self._list("tricks") or [], 1):
            if not isinstance(entry, dict):
                self.note(N_('A trick is written as { leader = …, cards = "…", winner = … }.'), number)
                found.append(_Trick(None, (), None, False, False))
                continue
            self.loader.keys(entry, _TRICK, Place(self.at.hand, number))
            leader = self._seat(entry["leader"], "leader", number) if "leader" in entry else None
            winner = None
            claimed = "winner" in entry
            if claimed and entry["winner"] != "none":
                winner = self._seat(entry["winner"], "winner", number)
                claimed = winner is not None
            cards = self._parse(entry.get("cards", ""), "cards", number)
            fine = cards is not None
            if cards and len(cards) > self.rules.seats:
                self._incomplete(number, len(cards))
                fine = False
            found.append(_Trick(leader, cards or (), winner, claimed, fine))
        return found

    def _incomplete(self, number: int, count: int) -> None:
        self.note(
            N_("A trick has one card from each of the %(seats)d players, here are %(count)d."),
            number, rule="play.turn", seats=self.rules.seats, count=count,
        )  # fmt: skip

    def _copies(self, cards: Sequence[Card]) -> None:
        pack = Counter(self.rules.pack)
        for card, count in Counter(cards).items():
            most = pack[card]
            if count > most:
                self.note(
                    N_("The card %(card)s is there %(count)d times; this pack has it %(most)d times."),
                    rule="deal.packs" if most else "deal.removed", card=card, count=count, most=most,
                )  # fmt: skip

    def _play(self, game: Game, tricks: list[_Trick]) -> bool:
        """Play the tricks through `game` and check what is claimed; return False when an illegal card ended it."""
        for number, entry in enumerate(tricks, 1):
            if not entry.fine:
                return False
            asked = game.asked
            if asked is None or asked.kind != "play":
                self.note(N_("The hand is over before this trick."), number)
                return False
            if entry.leader is not None and entry.leader != asked.seat:
                self._led_by(number, asked.seat, entry.leader, game.events[-1].rule)  # type: ignore[attr-defined]
                return False
            mark = len(game.events)
            for card in entry.cards:
                turn = game.asked
                assert turn is not None
                action = PlayCard(turn.seat, card)
                refused = game.refusal(action)
                if refused is not None:
                    self.note("", number, turn.seat, refusal=refused)
                    return False
                game.submit(action)
            ended = [e for e in game.events[mark:] if isinstance(e, ev.TrickWon | ev.TrickDead)]
            if entry.claimed and not ended:
                self.note(N_("A winner is claimed, but the trick is not complete."), number)
            elif entry.claimed:
                self._winner(number, entry.winner, ended[0])
            if not ended and number < len(tricks):
                self._incomplete(number, len(entry.cards))
                return False
        return True

    def _led_by(self, number: int, leader: int, given: int, rule: str) -> None:
        self.note(
            N_("This trick is led by %(leader)s, not by %(given)s."),
            number, rule=rule, leader=self.loader.names[leader], given=self.loader.names[given],
        )  # fmt: skip

    def _winner(self, number: int, claimed: int | None, ended: ev.TrickWon | ev.TrickDead) -> None:
        names = self.loader.names
        if isinstance(ended, ev.TrickDead):
            if claimed is not None:
                self.note(
                    N_("Nobody wins this trick, but the record says that %(claimed)s does."),
                    number, rule=ended.rule, claimed=names[claimed],
                )  # fmt: skip
        elif claimed is None:
            self.note(
                N_("%(winner)s wins this trick with the %(card)s, but the record says that nobody does."),
                number, rule=ended.rule, winner=names[ended.seat], card=ended.card,
            )  # fmt: skip
        elif claimed != ended.seat:
            self.note(
                N_("%(winner)s wins this trick with the %(card)s, not %(claimed)s."),
                number, rule=ended.rule, winner=names[ended.seat], card=ended.card, claimed=names[claimed],
            )  # fmt: skip

    # a whole hand

    def _whole(self, kitty: Hand | None, tricks: list[_Trick]) -> _Hand | None:
        unfinished = self._flag("unfinished")
        if unfinished and not self.is_last:
            self.note(N_("Only the last hand of a record can be unfinished."))
        hands = self._deal(kitty)
        given = self._passed(unfinished)
        choice = self._moon()
        if not self.playable or self.dealer is None:
            return None
        deal = Given(hands, kitty or ())
        game = Game(self.rules, self.loader.names, None, self.dealer, [deal], number=self.number, hands=1)
        if self._pass(game, given) and self._play(game, tricks):
            self._end(game, choice, unfinished)
        return _Hand(self.index + 1, self.number, self.dealer, deal, game.actions, unfinished)

    def _deal(self, kitty: Hand | None) -> tuple[Hand, ...]:
        """Return the hands dealt; when anything is wrong with them or the `kitty`, the hand is not playable."""
        rules = self.rules
        noted = self.loader.noted
        lines = self._list("deal")
        if "deal" not in self.table:
            self.note(
                N_("“deal” is missing: a list of %(seats)d hands, one for each seat."),
                seats=rules.seats,
                rule="deal.even",
            )
        elif lines is not None and len(lines) != rules.seats:
            self.note(
                N_("“deal” must hold %(seats)d hands, one for each seat, not %(count)d."),
                rule="deal.even", seats=rules.seats, count=len(lines),
            )  # fmt: skip
        hands = []
        unread = kitty is None or lines is None or len(lines) != rules.seats
        for seat, line in enumerate((lines or [])[: rules.seats]):
            cards = self._parse(line, "deal", 0, seat)
            hands.append(in_order(cards or ()))
            if cards is None:
                unread = True
            elif len(cards) != rules.hand_size:
                self.note(
                    N_("Each player is dealt %(size)d cards, here are %(count)d."),
                    seat=seat, rule="deal.even", size=rules.hand_size, count=len(cards),
                )  # fmt: skip
        if kitty is not None and len(kitty) != rules.kitty_size:
            self.note(
                N_("The kitty has %(size)d cards at this table, here are %(count)d."),
                rule="deal.kitty", size=rules.kitty_size, count=len(kitty),
            )  # fmt: skip
        dealt = [card for hand in hands for card in hand] + list(kitty or ())
        self._copies(dealt)
        lacking = missing(rules.pack, dealt)
        if lacking and not unread:
            self.note(
                N_("These cards are missing from the deal: %(cards)s."), rule="deal.packs", cards=cards_text(lacking)
            )
        if self.loader.noted > noted:
            self.playable = False
        return tuple(hands)

    def _passed(self, unfinished: bool) -> list[Hand]:
        noted = self.loader.noted
        seats = self.rules.seats
        lines = self._list("passed")
        if not self.loader.sure:
            # whether and how many cards are passed is an option
            return []
        if passing.direction(self.rules, self.number) is passing.Direction.NONE:
            if "passed" in self.table:
                self.note(N_("In this hand nobody passes, so “passed” must be left out."), rule="pass.none")
            return []
        if lines is None:
            if "passed" not in self.table and not unfinished:
                self.note(N_("“passed” is missing: what each seat passes."), rule="pass.count")
                self.playable = False
            return []
        if len(lines) > seats or (len(lines) < seats and not unfinished):
            self.note(
                N_("“passed” must hold what each of the %(seats)d seats passes, in seat order."),
                rule="pass.count", seats=seats,
            )  # fmt: skip
        given = []
        for seat, line in enumerate(lines[:seats]):
            cards = self._parse(line, "passed", 0, seat)
            given.append(in_order(cards or ()))
            refused = None if cards is None else passing.count_refusal(self.rules, seat, cards)
            if refused is not None:
                self.note("", seat=seat, refusal=refused)
        if self.loader.noted > noted:
            self.playable = False
        return given

    def _pass(self, game: Game, given: list[Hand]) -> bool:
        fine = True
        for seat, cards in enumerate(given):
            held: Any = game.state.hands[seat]
            refused = passing.held_refusal(seat, held, cards)
            if refused is not None:
                self.note("", seat=seat, refusal=refused)
                fine = False
            elif fine:
                game.submit(PassCards(seat, cards))
        asked = game.asked
        if fine and asked is not None and asked.kind == "pass" and self.table.get("tricks"):
            self.note(N_("Tricks are played only after every seat has passed."), rule="pass.blind")
            return False
        return fine

    def _moon(self) -> MoonChoice | None:
        choice = self.table.get("moon")
        if choice is None:
            return None
        if choice not in (MoonChoice.SUBTRACT, MoonChoice.ADD_TO_OTHERS):
            self.note(N_('“moon” must be "subtract" or "add_to_others".'), rule="score.moon_choice")
            return None
        return MoonChoice(choice)

    def _end(self, game: Game, choice: MoonChoice | None, unfinished: bool) -> None:
        asked = game.asked
        shooter = game.state.shooter
        if asked is not None and asked.kind == "moon" and choice is not None:
            game.submit(ChooseMoon(asked.seat, choice))
        elif choice is not None and shooter is None:
            self.note(N_("“moon” is given, but nobody has shot the moon."), rule="score.moon")
        elif choice is not None and game.state.choice not in (None, choice):
            self.note(
                N_("“moon” does not fit: this table decided beforehand for “%(choice)s”."),
                rule="score.moon_choice", choice=str(game.state.choice),
            )  # fmt: skip
        asked = game.asked
        points = self.table.get("points")
        if asked is None:
            if unfinished:
                self.note(N_("The hand is marked as unfinished, but it is complete."))
            # 1 is the same as 1.0 and true for Python, but not on a score sheet
            whole = isinstance(points, list) and all(type(entry) is int for entry in points)
            if points is not None and (not whole or tuple(points) != game.state.points):
                self.note(
                    N_("The points do not fit: entered are %(right)s."),
                    rule="score.hand", right=", ".join(str(p) for p in game.state.points),
                )  # fmt: skip
            return
        if asked.kind == "moon" and not unfinished:
            if "moon" not in self.table:
                self.note(
                    N_("%(name)s has shot the moon, so “moon” is needed: \"subtract\" or \"add_to_others\"."),
                    rule="score.moon_choice", name=self.loader.names[asked.seat],
                )  # fmt: skip
            return
        if points is not None:
            self.note(N_("Points are claimed, but the hand is not complete."), rule="score.hand")
        if not unfinished:
            self.note(N_("The hand stops early. If that is meant, write “unfinished = true”."))

    # a fragment

    def _fragment(self, kitty: Hand | None, tricks: list[_Trick]) -> _Hand | None:
        rules = self.rules
        first = self.table.get("first_trick", 2)
        if type(first) is not int or not 1 <= first <= 99:
            self.note(N_("“first_trick” must be a whole number from 1 to 99."))
            self.playable = False
        broken, last, aside = self._flag("hearts_broken"), self._flag("last"), self._cards("aside")
        if first == 1 and (broken or aside):
            self.note(
                N_("Before the first trick hearts are not broken and no trick is set aside."), rule="lead.breaking"
            )
        if not self.table.get("tricks"):
            self.note(N_("“tricks” is missing: the tricks to show."))
        for index, entry in enumerate(tricks, 1):
            if entry.fine and len(entry.cards) < rules.seats:
                self._incomplete(index, len(entry.cards))
            if not entry.fine or len(entry.cards) != rules.seats:
                self.playable = False
        self._copies([card for entry in tricks for card in entry.cards] + list(kitty or ()) + list(aside or ()))
        if tricks and tricks[0].leader is None:
            if tricks[0].fine and "leader" not in self.table["tricks"][0]:
                self.note(N_("The first trick needs its leader."), 1)
            self.playable = False
        if not tricks or not self.playable:
            return None
        leader = tricks[0].leader or 0
        shown, hands = self._attributed(tricks, leader)
        dealer = (leader - 1) % rules.seats if self.dealer is None else self.dealer
        if first == 1:
            opens = lead.opening_leader(rules, dealer, hands)
            low_club = rules.opening is Opening.LOW_CLUB
            if opens is None:
                self.note(
                    N_("The first trick is opened with the %(card)s, which is not shown here."),
                    1, rule="lead.low_club", card=lead.low_club(rules),
                )  # fmt: skip
            elif opens != leader:
                self._led_by(1, opens, leader, "lead.low_club" if low_club else "lead.opening")
        middle = ev.Middle(first, broken, aside or (), shown, last)
        given = Given(hands, kitty or (), middle, leader)
        game = Game(rules, self.loader.names, None, dealer, [given], number=self.number, hands=1)
        self._play(game, tricks[:shown])
        return _Hand(self.index + 1, self.number, dealer, given, game.actions, False)

    def _attributed(self, tricks: list[_Trick], leader: int) -> tuple[int, tuple[Hand, ...]]:
        """Return how many tricks are led by whom the rules say, and the hands: each seat holds what it plays in them.

        Who plays which card follows from who leads, so here the tricks are played once with every card allowed.
        """
        rules = self.rules
        held: list[list[Card]] = [[] for _ in range(rules.seats)]
        rule = ""
        for index, entry in enumerate(tricks):
            if entry.leader not in (None, leader):
                self._led_by(index + 1, leader, entry.leader or 0, rule)
                return index, tuple([in_order(cards) for cards in held])
            plays = tuple(Play((leader + i) % rules.seats, card) for i, card in enumerate(entry.cards))
            for seat, card in plays:
                held[seat].append(card)
            trick = Trick(leader, plays)
            won = rules_of_trick.winner(rules, trick)
            leader = lead.after_dead(rules, trick) if won is None else lead.after_won(won.seat)
            rule = "lead.after_dead" if won is None else "lead.winner"
        return len(tricks), tuple([in_order(cards) for cards in held])


def document(game: Game, title: str = "", about: str = "", hand: int | None = None) -> dict[str, Any]:
    """Return what a record of `game` holds, as plain values; with `hand`, that hand number alone.

    Raises RecordError for a fragment whose tricks are not all played, and for a hand that is not there.

    >>> from .ruleset import ruleset
    >>> document(Game(ruleset("hearts", 3), ["Al", "Beth", "Charlie"], seed=7))["hand"][0]["unfinished"]
    True
    """
    hands = [found for found in hands_of(game.events) if hand is None or found[0].number == hand]  # type: ignore[attr-defined]
    if not hands:
        raise _failed("game", N_("There is no hand %(hand)d in this game."), hand=hand)
    found: dict[str, Any] = {"format": FORMAT, "ruleset": game.ruleset.name, "players": list(game.names)}
    if title:
        found["title"] = title
    if about:
        found["about"] = about
    if game.seed is not None:
        found["seed"] = game.seed
    options = given_options(game.ruleset)
    if options:
        found["options"] = options
    found["hand"] = [_hand_document(game, events) for events in hands]
    return found


def _hand_document(game: Game, events: Sequence[Any]) -> dict[str, Any]:
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
    if passed:
        out["passed"] = passed
    if middle:
        if len(tricks) < middle.tricks or "winner" not in tricks[-1]:
            raise _failed(
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


def dumps(game: Game, title: str = "", about: str = "") -> str:
    """Return the record of `game`, finished or not, as TOML text that `loads` reads back. Raises RecordError.

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
        table.update(entry)
        return table

    plain = document(game, title, about)
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


def dump(game: Game, path: str | Path, title: str = "", about: str = "") -> None:
    """Write the record of `game` to the file `path`. Raises RecordError, and OSError when it cannot be written."""
    text = dumps(game, title, about)
    Path(path).write_text(text, encoding="utf-8", newline="\n")


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TO_LETTER = {card.code: letter for card, letter in zip(PACK, _LETTERS, strict=True)}
_FROM_LETTER = {letter: code for code, letter in _TO_LETTER.items()}
_CARD_KEYS = ("deal", "kitty", "aside", "passed", "cards")
_MARK = "1"


def encode(game: Game, hand: int | None = None) -> str:
    """Return a short text for links that holds one hand of `game`: number `hand`, or the latest. Raises RecordError.

    It is made of letters, digits, "-" and "_" only.

    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 3), ["Al", "Beth", "Charlie"], seed=7)
    >>> decode(encode(game)).game.events == game.events
    True
    """
    plain = document(game, hand=game.state.number if hand is None else hand)
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
        raise _failed("code", broken)
    try:
        data = base64.b64decode(code[1:] + "=" * (-len(code[1:]) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data, 100_000)
        if not unpacker.eof or unpacker.unused_data:
            raise _failed("code", broken)
        plain = _packed(json.loads(text), pack=False)
    except (binascii.Error, zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _failed("code", broken) from None
    if not isinstance(plain, dict):
        raise _failed("code", broken)
    return _checked(plain, "code")


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
    yield from sorted((Path(__file__).parent / "data" / "records").glob("*.toml"))
