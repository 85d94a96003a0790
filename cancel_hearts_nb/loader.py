"""Reading a record: from plain values to a game that has been played, with every fault noted on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .faults import Notes, Place, RecordError, failed, shown, text_problem
from .game import Game, GameError
from .handreader import HAND_KEYS, PARTIAL_KEYS, HandReader, ReadHand, Unplayable
from .messages import N_
from .names import check_names
from .predict import Ask
from .ruleset import OPTIONS, Ruleset, RulesetError, ruleset

FORMAT = 1
MOST_HANDS = 2000
_MOST_LEVELS = 8

_TOP = ("format", "ruleset", "preset", "players", "title", "about", "seed", "options", "hand")
TOO_DEEP = N_("This is nested too deep; a record needs only a few levels.")
TOO_LARGE = N_("A number is too large; no number in a record has more than 19 digits.")


class Loaded(NamedTuple):
    """What a document held: the `game` it replays to, its `title`, `about` and `preset`, and the questions it asks."""

    game: Game
    title: str
    about: str
    preset: str
    asks: tuple[Ask, ...]


def read(document: Any, source: str) -> Loaded:
    """Return what `document` (plain values, as TOML or JSON give them) holds; `source` is what errors call it.

    Raises RecordError with everything that is wrong. Nesting and numbers are looked at first, since Python can show
    neither a very deep list nor a huge number.
    """
    level = [document]
    for _ in range(_MOST_LEVELS):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict | list):
                below.extend(value.values() if isinstance(value, dict) else value)
            elif isinstance(value, int) and not -(2**63) <= value < 2**63:
                raise failed(source, TOO_LARGE)
        level = below
    if level:
        raise failed(source, TOO_DEEP)
    return _Loader(source).read(document)


class _Loader:
    """Turns a document into what it holds; `notes` takes every fault found on the way."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.notes = Notes()

    def read(self, document: Mapping[str, Any]) -> Loaded:
        """Return what `document` holds. Raises RecordError with all that is wrong."""
        self.notes.keys(document, _TOP, Place())
        if document.get("format") != FORMAT or type(document.get("format")) is not int:
            self.notes.note(
                Place(),
                N_("The line “format = %(format)d” is missing or different; records begin with it."),
                format=FORMAT,
            )
        title = self._text(document, "title")
        about = self._text(document, "about")
        preset = document.get("preset", "printed")
        seed = document.get("seed")
        if seed is not None and (type(seed) is not int or seed < 0):
            self.notes.note(Place(), N_("The seed must be a whole number from 0 to 9223372036854775807."))
        rules = self._rules(document, preset)
        hands = document.get("hand", [])
        if not isinstance(hands, list) or not all(isinstance(hand, dict) for hand in hands) or not hands:
            self.notes.note(
                Place(), N_("There is no [[hand]] in this record; write it with two brackets, once for each hand.")
            )
            hands = []
        if len(hands) > MOST_HANDS:
            self.notes.note(Place(), N_("A record holds at most %(most)d hands."), most=MOST_HANDS)
            hands = []
        read = []
        before: HandReader | None = None
        for index, hand in enumerate(hands):
            if rules is None:
                self.notes.keys(hand, PARTIAL_KEYS if hand.get("partial") is True else HAND_KEYS, Place(index + 1))
                continue
            before = HandReader(self.notes, rules, hands, index, before)
            try:
                read.append(before.read())
            except Unplayable:
                continue
        if self.notes.faults or rules is None:
            raise RecordError(self.source, self.notes.faults)
        asks = tuple([ask for hand in read for ask in hand.asks])
        return Loaded(self._game(rules, seed, read), title, about, str(preset), asks)

    def _game(self, rules: Ruleset, seed: int | None, hands: list[ReadHand]) -> Game:
        unfinished = hands[-1].unfinished
        try:
            game = Game(
                rules, self.notes.names, seed, hands[0].dealer, [hand.given for hand in hands],
                number=hands[0].number, hands=None if unfinished and seed is not None else len(hands),
            )  # fmt: skip
        except GameError as error:
            self.notes.note(Place(), problem=error)
            raise RecordError(self.source, self.notes.faults) from None
        for hand in hands:
            if game.state.number != hand.number:
                self.notes.note(
                    Place(hand.place),
                    N_("The match was over before this hand: the target was reached."),
                    rule="match.end",
                )
                raise RecordError(self.source, self.notes.faults)
            for action in hand.actions:
                game.submit(action)
        return game

    def _rules(self, document: Mapping[str, Any], preset: Any) -> Ruleset | None:
        """Return the rules to read the hands with, the nearest that can be had when something is wrong; None without any."""
        name, players, options = document.get("ruleset"), document.get("players"), document.get("options", {})
        noted = self.notes.noted
        if name is None:
            self.notes.note(Place(), N_("“ruleset” is missing: cancellation, hearts or omnibus."))
        if players is None:
            self.notes.note(Place(), N_("“players” is missing: a list of names, one for each seat."))
        elif not isinstance(players, list):
            self.notes.note(Place(), N_("“players” must be a list of names, one for each seat."))
        else:
            self._players(players)
        if isinstance(options, dict):
            self.notes.keys(options, OPTIONS, Place())
            options = {key: value for key, value in options.items() if key in OPTIONS}
        else:
            self.notes.note(Place(), N_("[options] must be a table of options and their values."))
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
        self.notes.sure = self.notes.noted == noted
        return rules

    def _ruleset(self, name: Any, seats: int, preset: Any, **options: Any) -> Ruleset | None:
        try:
            return ruleset(name, seats, preset, **options)
        except RulesetError as error:
            self.notes.note(Place(), problem=error)
            return None

    def _players(self, players: Sequence[Any]) -> None:
        fine: tuple[str, ...] = ()
        names = []
        for seat, given in enumerate(players[:20]):
            try:
                fine = check_names([*fine, given])
                names.append(fine[-1])
            except GameError as error:
                self.notes.note(Place(), problem=error)
                names.append(shown(given).strip() or str(seat))
        self.notes.names = tuple(names)

    def _text(self, document: Mapping[str, Any], key: str) -> str:
        value = document.get(key, "")
        problem = text_problem(key, value)
        if problem:
            self.notes.note(Place(), problem=problem)
        return value if isinstance(value, str) else ""
