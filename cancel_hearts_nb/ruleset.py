"""Every choice that a table makes before it plays, in one frozen value; the three games and the readings of others.

A variant fills in values, it never overrides a method. Option names and values are those that a record file uses.
`printed` is the page as we read it; `pagat`, `wikipedia` and `bicycle` are what other rule pages say instead.
"""

from __future__ import annotations

import dataclasses
import difflib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .cards import Card, Hand, Rank, Suit, parse
from .messages import N_, Problem
from .rules import deal


class RulesetError(Problem):
    """A ruleset that cannot be: an unknown name, a table size that does not fit, an option that does not fit."""


class DeadRule(StrEnum):
    """When a trick is dead, so that nobody wins it (Q2)."""

    TWO_PAIRS = "two_pairs"
    NO_LED = "no_led"


class DeadLead(StrEnum):
    """Who leads after a dead trick (Q5)."""

    SAME_LEADER = "same_leader"
    LEFT_OF_LEADER = "left_of_leader"


class LastDead(StrEnum):
    """Who takes the cards when the last trick is dead (Q9)."""

    NOBODY = "nobody"
    TRICK_LEADER = "trick_leader"
    SECOND_OF_TOP_PAIR = "second_of_top_pair"


class MoonScope(StrEnum):
    """Which cards a moon needs: all of the pack, or all that anyone collected (Q10)."""

    PACK = "pack"
    COLLECTED = "collected"


class MoonPoints(StrEnum):
    """How many points a moon moves (Q22)."""

    P26 = "26"
    P52 = "52"


class MoonChoice(StrEnum):
    """Who decides what a moon does: the player, or the table beforehand (Q25)."""

    PLAYER = "player"
    ADD_TO_OTHERS = "add_to_others"
    SUBTRACT = "subtract"


class ScoreFloor(StrEnum):
    """Whether a total may go below zero (Q26)."""

    NONE = "none"
    ZERO = "0"


class Tie(StrEnum):
    """What a tie for the lowest total means (Q28)."""

    SHARED = "shared"
    PLAY_ON = "play_on"


class PassCycle(StrEnum):
    """Where cards are passed, hand by hand: L left, R right, A across, N not at all (Q32-Q34)."""

    LR = "LR"
    LRAN = "LRAN"
    NONE = "none"


class Opening(StrEnum):
    """Who leads the first trick: the dealer's left, or the holder of the lowest club (Q36, Q39)."""

    DEALER_LEFT = "dealer_left"
    LOW_CLUB = "low_club"


class Switch(StrEnum):
    """An option that is on or off."""

    OFF = "off"
    ON = "on"


# short names, also because looking a member up in its enumeration costs ten times as much
OFF, ON = Switch


class Omnibus(StrEnum):
    """The bonus card that takes ten points off: none, the ten or the jack of diamonds (Q40)."""

    OFF = "off"
    TD = "TD"
    JD = "JD"


_BONUS_CARDS = {option: None if option is Omnibus.OFF else parse(option) for option in Omnibus}


class OmnibusSlam(StrEnum):
    """Whether a moon needs the bonus card too (Q40)."""

    NEEDS_BONUS = "needs_bonus"
    HEARTS_AND_QUEEN = "hearts_and_queen"


BLACK_MARIA = Card(Rank.QUEEN, Suit.SPADES)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ruleset:
    """The rules of one table; build it with `ruleset()`, which fills what depends on the game and its size.

    `seats` is the number of players; `packs` 1 or 2; `removed` the cards left out; `points` the card points in the
    pack (52, 26, or 16 with a bonus card). The other fields are options: see rules Q2 to Q40 for their meaning.
    """

    name: str
    packs: int
    seats: int
    removed: Hand
    pass_count: int
    pass_cycle: PassCycle
    opening: Opening
    first_discard_ban: Switch
    lead_heart_over_bm: Switch
    bm_breaks: Switch
    dead_rule: DeadRule
    dead_lead: DeadLead
    last_dead: LastDead
    points: int
    moon_scope: MoonScope
    moon_points: MoonPoints
    moon_choice: MoonChoice
    score_floor: ScoreFloor
    omnibus: Omnibus
    omnibus_slam: OmnibusSlam
    target: int
    tie: Tie

    @property
    def pack(self) -> Hand:
        """All cards in play, in hand order."""
        return deal.pack(self.packs, self.removed)

    @property
    def hand_size(self) -> int:
        """How many cards each player is dealt, which is the number of tricks in a hand."""
        return deal.hand_size(52 * self.packs - len(self.removed), self.seats)

    @property
    def kitty_size(self) -> int:
        """How many cards are left over."""
        return deal.kitty_size(52 * self.packs - len(self.removed), self.seats)

    @property
    def bonus_card(self) -> Card | None:
        """The card that takes ten points off, or None."""
        return _BONUS_CARDS[self.omnibus]


CHOICES: dict[str, type[StrEnum]] = {
    "pass_cycle": PassCycle,
    "opening": Opening,
    "first_discard_ban": Switch,
    "lead_heart_over_bm": Switch,
    "bm_breaks": Switch,
    "dead_rule": DeadRule,
    "dead_lead": DeadLead,
    "last_dead": LastDead,
    "moon_scope": MoonScope,
    "moon_points": MoonPoints,
    "moon_choice": MoonChoice,
    "score_floor": ScoreFloor,
    "omnibus": Omnibus,
    "omnibus_slam": OmnibusSlam,
    "tie": Tie,
}
NUMBERS = ("pass_count", "target")
MOST_TARGET = 1_000_000
OPTIONS = (*CHOICES, *NUMBERS)

PRINTED: dict[str, Any] = {
    "pass_count": 3,
    "pass_cycle": PassCycle.LR,
    "opening": Opening.DEALER_LEFT,
    "first_discard_ban": Switch.OFF,
    "lead_heart_over_bm": Switch.OFF,
    "bm_breaks": Switch.ON,
    "dead_rule": DeadRule.TWO_PAIRS,
    "dead_lead": DeadLead.SAME_LEADER,
    "last_dead": LastDead.NOBODY,
    "moon_scope": MoonScope.PACK,
    "moon_points": MoonPoints.P26,
    "moon_choice": MoonChoice.PLAYER,
    "score_floor": ScoreFloor.NONE,
    "omnibus": Omnibus.OFF,
    "omnibus_slam": OmnibusSlam.NEEDS_BONUS,
    "tie": Tie.SHARED,
}
_HEARTS: dict[str, Any] = {"opening": Opening.LOW_CLUB, "first_discard_ban": Switch.ON}
VARIANTS: dict[str, dict[str, Any]] = {
    "cancellation": {},
    "hearts": _HEARTS,
    "omnibus": {**_HEARTS, "omnibus": Omnibus.TD},
}
GAME_NAMES = {
    "cancellation": N_("Cancellation Hearts"),
    "hearts": N_("Hearts"),
    "omnibus": N_("Omnibus Hearts"),
}
PRESETS: dict[str, dict[str, Any]] = {
    "printed": {},
    "pagat": {"dead_rule": DeadRule.NO_LED},
    "wikipedia": {"dead_rule": DeadRule.NO_LED, "last_dead": LastDead.TRICK_LEADER},
    "bicycle": {"dead_rule": DeadRule.NO_LED, "pass_cycle": PassCycle.NONE},
}
PRESET_TEXTS = {
    "printed": N_("The printed page, as this course reads it."),
    "pagat": N_("A trick is dead only when no card of the suit led is left; two pairs alone do not kill it."),
    "wikipedia": N_(
        "A trick is dead only when no card of the suit led is left, and a dead last trick goes to the player who led it. There the holder of a certain low card, in a pack made even for all players, leads first; that is left out here."
    ),
    "bicycle": N_(
        "No cards are passed, and a trick is dead only when no card of the suit led is left. Its words “all cards paired” do not say what happens when the only two cards of the suit led cancel each other; no card could win such a trick, so it is dead here."
    ),
}
ADVISED_TARGET = {"cancellation": 100, "hearts": 50, "omnibus": 50}


def default_target(name: str) -> int:
    """Return the points to which the game `name` is played unless another target is agreed (match.target: C28, H18, Q31).

    >>> default_target("cancellation"), default_target("hearts")
    (150, 100)
    """
    return 150 if name == "cancellation" else 100


def ruleset(name: str, seats: int, preset: str = "printed", **options: Any) -> Ruleset:
    """Return the rules of the game `name` for `seats` players, read as in `preset`, with `options` on top.

    `name` is "cancellation" (6 to 11 seats), "hearts" or "omnibus" (3 to 7). An option is given as its text
    ("no_led"), as its Enum member, or, for `target` (1 and up) and `pass_count` (0 to the hand size), as a whole
    number. Raises RulesetError for anything that does not fit.

    >>> ruleset("hearts", 4).pass_cycle, ruleset("cancellation", 8, preset="pagat").dead_rule
    (<PassCycle.LRAN: 'LRAN'>, <DeadRule.NO_LED: 'no_led'>)
    >>> ruleset("cancellation", 5)
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.ruleset.RulesetError: 5 players cannot play “cancellation”: it is for 6 to 11.
    """
    _known(name, deal.GAMES, N_("There is no game “%(given)s”. The games are: %(known)s."))
    allowed = deal.seats_allowed(name)
    if type(seats) is not int or seats not in allowed:
        raise RulesetError(
            N_("%(seats)s players cannot play “%(name)s”: it is for %(least)d to %(most)d."),
            rule="deal.players", seats=str(seats), name=name, least=allowed[0], most=allowed[-1],
        )  # fmt: skip
    _known(preset, PRESETS, N_("There is no preset “%(given)s”. The presets are: %(known)s."))
    if preset != "printed" and name != "cancellation":
        raise RulesetError(
            N_("The preset “%(preset)s” is a reading of Cancellation Hearts; with “%(name)s” only “printed” exists."),
            preset=preset, name=name,
        )  # fmt: skip
    for key in options:
        _known(key, OPTIONS, N_("There is no option “%(given)s”. Did you mean “%(near)s”? The options are: %(known)s."))
    values = {**PRINTED, "target": default_target(name), **VARIANTS[name], **PRESETS[preset]}
    if name != "cancellation" and seats == 4:
        values["pass_cycle"] = PassCycle.LRAN
    values.update((key, _choice(key, value)) for key, value in options.items())
    packs = deal.pack_count(name)
    points = 52 if packs == 2 else 26 if values["omnibus"] is Omnibus.OFF else 16
    made = Ruleset(name=name, packs=packs, seats=seats, removed=deal.removed(name, seats), points=points, **values)
    _check(made)
    return made


def given_options(rules: Ruleset, preset: str = "printed") -> dict[str, str | int]:
    """Return the options in which `rules` differs from its game's `preset`, as a record file writes them.

    >>> given_options(ruleset("hearts", 4, target=50))
    {'target': 50}
    """
    usual = ruleset(rules.name, rules.seats, preset)
    changed = {key: getattr(rules, key) for key in OPTIONS if getattr(rules, key) != getattr(usual, key)}
    return {key: value if key in NUMBERS else str(value) for key, value in changed.items()}


def _known(given: Any, known: Any, message: str) -> None:
    if not isinstance(given, str) or given not in known:
        near = difflib.get_close_matches(str(given), known, n=1, cutoff=0)
        raise RulesetError(message, given=str(given)[:40], near=near[0], known=", ".join(known))


# By these `optiontexts` knows an error again, which says it in the words of the options
NO_NUMBER = N_("The option “%(key)s” must be a whole number from %(least)d to %(most)d, not %(value)s.")
NO_CHOICE = N_("The option “%(key)s” cannot be “%(value)s”. It can be: %(known)s.")
NOBODY_ACROSS = N_("With %(seats)d players nobody sits across, so “pass_cycle” cannot be LRAN; use LR or none.")
TWO_LOWEST = N_("With two packs two players may hold the lowest club, so “opening” must be dealer_left.")
ONE_PACK = N_("Omnibus Hearts is played with one pack, so “omnibus” must be off here.")
TOO_MANY_PASSED = N_("A hand has %(size)d cards here, so “pass_count” can be at most %(size)d.")


def _choice(key: str, value: Any) -> Any:
    if key in NUMBERS:
        least = 0 if key == "pass_count" else 1
        if type(value) is not int or not least <= value <= MOST_TARGET:
            raise RulesetError(NO_NUMBER, key=key, least=least, most=MOST_TARGET, value=str(value)[:40])
        return value
    kind = CHOICES[key]
    # moon_points and score_floor read like numbers, so a number is taken for its text; True is no number here
    text = str(value) if type(value) is int else value
    try:
        return kind(text)
    except ValueError:
        raise RulesetError(NO_CHOICE, key=key, value=str(value)[:40], known=", ".join(kind)) from None


def _check(rules: Ruleset) -> None:
    if rules.pass_cycle is PassCycle.LRAN and rules.seats % 2:
        raise RulesetError(NOBODY_ACROSS, rule="pass.direction", seats=rules.seats)
    if rules.opening is Opening.LOW_CLUB and rules.packs == 2:
        raise RulesetError(TWO_LOWEST, rule="lead.low_club")
    if rules.omnibus is not Omnibus.OFF and rules.packs == 2:
        raise RulesetError(ONE_PACK, rule="score.bonus")
    if rules.pass_count > rules.hand_size:
        raise RulesetError(TOO_MANY_PASSED, rule="pass.count", size=rules.hand_size)


def option_names() -> tuple[str, ...]:
    """Return the names of all options, in the order of the `Ruleset` fields.

    >>> "dead_rule" in option_names()
    True
    """
    return tuple(field.name for field in dataclasses.fields(Ruleset) if field.name in OPTIONS)
