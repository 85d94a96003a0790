"""The form in which a person sets up a match: its fields as plain values for the browser, and what they mean.

The browser draws any such form and knows none of its fields. Whatever it sends back is read here and never trusted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..i18n import Words
from ..messages import N_, NN_, Problem
from ..names import DOUBLED, MISTAKEN, NAMES, NOT_VISIBLE, check_names
from ..optiontexts import PRESET_TITLES, option_text, options_of, problem_text, value_text
from ..playerlist import offered
from ..rules import deal
from ..ruleset import ADVISED_TARGET, CHOICES, GAME_NAMES, NUMBERS, PRESET_TEXTS, Ruleset, ruleset
from ..seeds import new_seed

MY_NAME = N_("Robin")
PLAYER_TITLES = {"random": N_("by chance"), "cautious": N_("cautious"), "sampling": N_("looking ahead")}
_MOST_TARGET = 1000
_LONGEST = 40
_MOST_SEATS = max(seats for game in GAME_NAMES for seats in deal.seats_allowed(game))
# Of a longer text this much is looked at, enough to see that it is too long
_MOST_TEXT = 80

_TABLE = N_("The table")
_RULES = N_("The rules of this table")
_GAME = N_("Game")
_SEATS = N_("Players")
_SEAT = N_("My seat")
_SEAT_NUMBER = N_("seat %(number)d")
_NAME = N_("My name")
_NAMES_OF_OTHERS = N_("Names")
_NAME_OF = N_("Name at seat %(number)d")
_NAME_MISSING = N_("Whoever sits at seat %(number)d needs a name.")
# What is wrong with one name, as `check_names` finds it, said of its seat
_NAME_WRONG = {
    NOT_VISIBLE: N_("The name at seat %(number)d must have 1 to 40 visible characters, unlike “%(name)s”."),
    MISTAKEN: N_("“%(name)s” cannot be the name at seat %(number)d: it would be taken for a seat or for nobody."),
}
_NAME_TWICE = N_("Seats %(other)d and %(number)d are both called “%(name)s”; each needs a name of their own.")
_OTHERS = N_("How the others play")
_EACH = N_("one by one")
_NOT_AHEAD = N_(
    "Nobody here looks ahead, and hints tell no expected points: both need numpy, which the Python behind this page does not have."
)
_PRESET = N_("Read as")
_SEED = N_("Seed")
_SEED_HELP = N_(
    "The deck is not fixed: this seed decides how the cards fall. The same seed deals the same cards again."
)
_LESSONS = N_("A lesson: I can take cards back and ask for hints")
_SEED_WRONG = N_("The seed must be a whole number from 0 to 9223372036854775807.")
_NUMBER_WRONG = N_("“%(title)s” must be a whole number.")
_ADVICE = NN_(
    "The rule pages advise to play to at least %(count)d point.",
    "The rule pages advise to play to at least %(count)d points.",
)


class Setup(NamedTuple):
    """A match as the form says it: what `Session` takes."""

    rules: Ruleset
    names: tuple[str, ...]
    seat: int
    players: tuple[str, ...]
    seed: int
    lessons: bool


class Form(NamedTuple):
    """The form with its `fields` filled in, the `setup` it means, and what is wrong with it ("" if nothing).

    `fields` name the field that is wrong as "faulty".
    """

    fields: dict[str, Any]
    setup: Setup | None
    fault: str


class _Fault(Exception):
    """Something is wrong at `field`; `said` says it."""

    def __init__(self, said: str, field: str) -> None:
        super().__init__(said, field)
        self.said = said
        self.field = field


def form(given: Any, w: Words) -> Form:
    """Return the form for the values `given` (by field id; missing or strange ones are replaced), in the words of `w`.

    >>> from ..i18n import words
    >>> form({"game": "hearts", "seats": "4"}, words()).setup.rules.target
    100
    """
    values = given if isinstance(given, Mapping) else {}

    def text(name: str, usual: str) -> str:
        value = values.get(name, usual)
        return str(value)[:_MOST_TEXT] if isinstance(value, str | int) and type(value) is not bool else usual

    game = text("game", "cancellation")
    game = game if game in GAME_NAMES else "cancellation"
    sizes = deal.seats_allowed(game)
    usual = 8 if game == "cancellation" else 4
    seats = _number(text("seats", str(usual)), usual)
    seats = seats if seats in sizes else usual
    seat = _number(text("seat", "0"), 0)
    seat = seat if 0 <= seat < seats else 0
    preset = text("preset", "printed")
    presets = PRESET_TITLES if game == "cancellation" else {"printed": PRESET_TITLES["printed"]}
    preset = preset if preset in presets else "printed"
    me = text("name", w.text(MY_NAME))
    others = text("others", "cautious")
    kinds = {name: w.text(PLAYER_TITLES[name]) for name in offered()}
    others = others if others in (*kinds, "each") else "cautious"
    lessons = values.get("lessons", True) is True
    seed = text("seed", str(new_seed()))

    # a name that the form itself has given is no wish of anybody's: it may give way
    wished = {i: text(f"name{i}", "") for i in range(seats) if f"name{i}" in values}
    wished = {i: name for i, name in wished.items() if name != text(f"was_name{i}", "") or not name} | {seat: me}
    kept = {i: text(f"was_name{i}", "") for i in range(seats) if i not in wished}
    # a name that was chosen for a seat comes back with it
    waiting = {
        f"name{i}": name
        for i in range(_MOST_SEATS)
        if (i >= seats or i == seat) and (name := text(f"name{i}", "")) not in ("", text(f"was_name{i}", ""))
    }
    names = _names(wished, kept, seats)
    players = [others if others in kinds else text(f"player{i}", "cautious") for i in range(seats)]
    players = [name if name in kinds else "cautious" for name in players]
    # the options of another game, table size or preset are not those that were looked at
    same = all(
        values.get("was_" + name) == str(now) for name, now in (("game", game), ("seats", seats), ("preset", preset))
    )
    plain = ruleset(game, seats, preset)
    options = {
        name: text(name, str(getattr(plain, name))) if same else str(getattr(plain, name)) for name in options_of(game)
    }

    fault, faulty, setup = "", "", None
    try:
        checked = _checked(names, seat, w)
        number = _number(seed, -1)
        if not 0 <= number < 2**63:
            raise _Fault(w.text(_SEED_WRONG), "seed")
        rules = _ruleset(game, seats, preset, options, w)
        setup = Setup(rules, checked, seat, tuple(players), number, lessons)
    except _Fault as found:
        fault, faulty = found.said, found.field

    table: list[dict[str, Any]] = [
        _select("game", w.text(_GAME), game, {key: w.text(title) for key, title in GAME_NAMES.items()}, renew=True),
        _select("seats", w.text(_SEATS), str(seats), {str(n): str(n) for n in sizes}, renew=True),
        {"id": "name", "kind": "text", "label": w.text(_NAME), "value": me, "most": _LONGEST},
        _select("seat", w.text(_SEAT), str(seat), {str(i): w.text(_SEAT_NUMBER, number=i + 1) for i in range(seats)}, renew=True),
        {
            **_select("others", w.text(_OTHERS), others, {**kinds, "each": w.text(_EACH)}, renew=True),
            **({} if "sampling" in kinds else {"help": w.text(_NOT_AHEAD)}),
        },
    ]  # fmt: skip
    if others == "each":
        table += [_select(f"player{i}", names[i], players[i], kinds) for i in range(seats) if i != seat]
    table.append(
        {"id": "seed", "kind": "text", "label": w.text(_SEED), "value": seed, "most": 19, "digits": True, "help": w.text(_SEED_HELP)}
    )  # fmt: skip
    table.append({"id": "lessons", "kind": "check", "label": w.text(_LESSONS), "value": lessons})
    rows = []
    if len(presets) > 1:
        rows.append(
            {
                **_select(
                    "preset", w.text(_PRESET), preset, {key: w.text(t) for key, t in presets.items()}, renew=True
                ),
                "help": w.text(PRESET_TEXTS[preset]),
            }
        )
    rows += [_option_field(name, options[name], game, w) for name in options_of(game)]
    others_named: list[dict[str, Any]] = [
        {"id": f"name{i}", "kind": "text", "label": w.text(_NAME_OF, number=i + 1), "value": names[i], "most": _LONGEST}
        for i in range(seats)
        if i != seat
    ]
    fields = {
        "groups": [
            {"id": "table", "title": w.text(_TABLE), "fold": False, "fields": table},
            {"id": "names", "title": w.text(_NAMES_OF_OTHERS), "fold": True, "fields": others_named},
            {"id": "rules", "title": w.text(_RULES), "fold": True, "fields": rows},
        ],
        "kept": {
            "was_game": game, "was_seats": str(seats), "was_preset": preset,
            **{f"was_name{i}": name for i, name in enumerate(names) if i not in wished},
            **waiting,
        },
        "fault": fault,
        "faulty": faulty,
    }  # fmt: skip
    return Form(fields, setup, fault)


def _names(wished: Mapping[int, str], kept: Mapping[int, str], seats: int) -> list[str]:
    """The names by seat: as wished, else as before, else the next of the usual ones, none of them twice."""
    taken = {name.strip().casefold() for name in wished.values()}
    found = dict(wished)
    for i in range(seats):
        if i not in found and (name := kept.get(i, "")) in NAMES and name.casefold() not in taken:
            found[i] = name
            taken.add(name.casefold())
    free = iter([name for name in (*NAMES, "Liv") if name.casefold() not in taken])
    return [found[i] if i in found else next(free) for i in range(seats)]


def _checked(names: Sequence[str], seat: int, w: Words) -> tuple[str, ...]:
    fine: tuple[str, ...] = ()
    for i, name in enumerate(names):
        field = "name" if i == seat else f"name{i}"
        if not name.strip():
            raise _Fault(w.text(_NAME_MISSING, number=i + 1), field)
        try:
            fine = check_names([*fine, name])
        except Problem as problem:
            shown = problem.params.get("name", "")
            if problem.message != DOUBLED:
                raise _Fault(w.text(_NAME_WRONG[problem.message], name=shown, number=i + 1), field) from None
            other = next(j for j in range(i) if _doubled(names[j], name))
            # the person's own name was chosen first
            field = f"name{other}" if i == seat else field
            raise _Fault(w.text(_NAME_TWICE, name=shown, other=other + 1, number=i + 1), field) from None
    return fine


def _doubled(one: str, two: str) -> bool:
    try:
        check_names([one, two])
    except Problem:
        return True
    return False


def _ruleset(game: str, seats: int, preset: str, options: Mapping[str, str], w: Words) -> Ruleset:
    given: dict[str, Any] = {}
    for name, value in options.items():
        if name in NUMBERS and not (value.isascii() and value.isdigit()):
            raise _Fault(w.text(_NUMBER_WRONG, title=option_text(name, w)), name)
        given[name] = int(value) if name in NUMBERS else value
    try:
        return ruleset(game, seats, preset, **given)
    except Problem as problem:
        raise _Fault(*problem_text(problem, w)) from None


def _number(text: str, usual: int) -> int:
    return int(text) if text.isascii() and text.isdigit() else usual


def _select(name: str, label: str, value: str, options: Mapping[str, str], renew: bool = False) -> dict[str, Any]:
    listed = [[key, text] for key, text in options.items()]
    return {"id": name, "kind": "select", "label": label, "value": value, "options": listed, "renew": renew}


def _option_field(name: str, value: str, game: str, w: Words) -> dict[str, Any]:
    label = option_text(name, w)
    if name not in NUMBERS:
        return _select(name, label, value, {str(one): value_text(name, str(one), w) for one in CHOICES[name]})
    field: dict[str, Any] = {
        "id": name, "kind": "number", "label": label, "value": value,
        "least": 0 if name == "pass_count" else 1, "most": 17 if name == "pass_count" else _MOST_TARGET,
    }  # fmt: skip
    advised = ADVISED_TARGET[game]
    if name == "target" and 0 < _number(value, advised) < advised:
        field["help"] = w.count(_ADVICE, advised)
    if name == "target":
        field["renew"] = True
    return field
