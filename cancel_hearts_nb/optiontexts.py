"""Every option of a ruleset in words: a title, one sentence for each value, and the rule that it changes.

The form for a new game and the rules panel say the same words, and both find them here.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import ruleset as rs
from .i18n import Words, words
from .messages import N_, NN_, Problem
from .ruleset import Ruleset, option_names

TITLES = {
    "pass_count": N_("Cards passed"),
    "pass_cycle": N_("Where cards are passed"),
    "opening": N_("First lead"),
    "first_discard_ban": N_("Discards on the first trick"),
    "lead_heart_over_bm": N_("Only hearts and Black Marias in hand"),
    "bm_breaks": N_("What breaks hearts"),
    "dead_rule": N_("When nobody wins a trick"),
    "dead_lead": N_("Lead after a dead trick"),
    "last_dead": N_("A dead last trick"),
    "moon_scope": N_("What a moon needs"),
    "moon_points": N_("What a moon is worth"),
    "moon_choice": N_("Who decides what a moon does"),
    "score_floor": N_("Totals below zero"),
    "omnibus": N_("Bonus card"),
    "omnibus_slam": N_("The bonus card and the moon"),
    "target": N_("Target"),
    "tie": N_("A tie for the lowest total"),
}
VALUES: dict[str, dict[str, str]] = {
    "pass_cycle": {
        "LR": N_("Cards are passed to the left in the first hand, to the right in the second, and so on in turn."),
        "LRAN": N_(
            "Cards are passed to the left, then to the right, then across; the fourth hand is played without a pass."
        ),
        "none": N_("No cards are passed."),
    },
    "opening": {
        "dealer_left": N_("The player on the dealer’s left leads the first trick."),
        "low_club": N_("The player who holds the lowest club leads it to the first trick."),
    },
    "first_discard_ban": {
        "off": N_("On the first trick a player without the suit led may discard any card."),
        "on": N_("On the first trick nobody may discard a heart or a Black Maria while holding any other card."),
    },
    "lead_heart_over_bm": {
        "off": N_("While hearts are not broken, a leader with only hearts and Black Marias must lead a Black Maria."),
        "on": N_("While hearts are not broken, a leader with only hearts and Black Marias may also lead a heart."),
    },
    "bm_breaks": {
        "on": N_("The first heart or Black Maria that is played breaks hearts."),
        "off": N_("Only a heart breaks hearts; a Black Maria does not."),
    },
    "dead_rule": {
        "two_pairs": N_(
            "A trick is dead when two pairs of any suit are in it, or when every card of the suit led is cancelled."
        ),
        "no_led": N_("A trick is dead only when no card of the suit led is left; two pairs alone do not kill it."),
    },
    "dead_lead": {
        "same_leader": N_("After a trick that nobody wins, the same player leads again."),
        "left_of_leader": N_("After a trick that nobody wins, the player on the leader’s left leads."),
    },
    "last_dead": {
        "nobody": N_("If nobody wins the last trick, nobody takes its cards, nor anything that still waits."),
        "trick_leader": N_("If nobody wins the last trick, the player who led it takes its cards and all that waits."),
        "second_of_top_pair": N_(
            "If nobody wins the last trick, the player who completed its highest pair of the suit led (without one, its highest pair) takes its cards and all that waits."
        ),
    },
    "moon_scope": {
        "pack": N_("A moon needs every heart and every Black Maria of the pack."),
        "collected": N_(
            "A moon needs every heart and every Black Maria that somebody took; cards that nobody took do not count."
        ),
    },
    "moon_points": {
        "26": N_("A moon is worth 26 points."),
        "52": N_("A moon is worth 52 points."),
    },
    "moon_choice": {
        "player": N_("Whoever shoots the moon chooses: points off their own score, or points for every other player."),
        "add_to_others": N_("After a moon every other player always gets the points."),
        "subtract": N_("After a moon the points always come off the score of the player who shot it."),
    },
    "score_floor": {
        "none": N_("A total may fall below zero."),
        "0": N_("No total falls below zero."),
    },
    "omnibus": {
        "off": N_("There is no bonus card."),
        "TD": N_("Whoever takes the 10♦ scores 10 points less."),
        "JD": N_("Whoever takes the J♦ scores 10 points less."),
    },
    "omnibus_slam": {
        "needs_bonus": N_("A moon needs the bonus card too."),
        "hearts_and_queen": N_(
            "A moon needs the hearts and the Black Maria; the bonus card is not needed, and still counts for whoever took it."
        ),
    },
    "tie": {
        "shared": N_("Players who share the lowest total share the win."),
        "play_on": N_("While several players share the lowest total, another hand is played."),
    },
}
_COUNTED = {
    "pass_count": NN_("Each player passes %(count)d card.", "Each player passes %(count)d cards."),
    "target": NN_("The match is played to %(count)d point.", "The match is played to %(count)d points."),
}
RULES = {
    "pass_count": "pass.count",
    "pass_cycle": "pass.direction",
    "opening": "lead.opening",
    "first_discard_ban": "follow.first_trick",
    "lead_heart_over_bm": "lead.heart_over_bm",
    "bm_breaks": "lead.breaking",
    "dead_rule": "trick.dead",
    "dead_lead": "lead.after_dead",
    "last_dead": "trick.last_dead",
    "moon_scope": "score.moon",
    "moon_points": "score.moon_choice",
    "moon_choice": "score.moon_choice",
    "score_floor": "score.floor",
    "omnibus": "score.bonus",
    "omnibus_slam": "score.bonus",
    "target": "match.target",
    "tie": "match.tie",
}
"""The rule that each option changes."""

PRESET_TITLES = {
    "printed": N_("The printed page"),
    "pagat": N_("As pagat.com describes it"),
    "wikipedia": N_("As Wikipedia describes it"),
    "bicycle": N_("As the Bicycle card makers describe it"),
}
_QUOTED = N_("“%(text)s”")
_NUMBER_WRONG = N_("“%(title)s” must be a whole number from %(least)d to %(most)d, not “%(value)s”.")
_CHOICE_WRONG = N_("“%(title)s” cannot be “%(value)s”. Choose one of these: %(fitting)s")
# An error about a whole table: its option, the values that do not fit, and the sentence about both
_TABLE_WRONG = {
    rs.NOBODY_ACROSS: (
        "pass_cycle", ("LRAN",),
        N_("With %(seats)d players nobody sits across. So “%(title)s” must be one of these: %(fitting)s"),
    ),
    rs.TWO_LOWEST: (
        "opening", ("low_club",),
        N_("With two packs two players may hold the lowest club. So “%(title)s” must be this: %(fitting)s"),
    ),
    rs.ONE_PACK: (
        "omnibus", ("TD", "JD"),
        N_("A bonus card belongs to a game with one pack. So “%(title)s” must be this: %(fitting)s"),
    ),
    rs.TOO_MANY_PASSED: (
        "pass_count", (), N_("A hand has %(size)d cards here. So “%(title)s” can be at most %(size)d.")
    ),
}  # fmt: skip
_ONLY_CANCELLATION = ("dead_rule", "dead_lead", "last_dead")
_ONLY_OMNIBUS = ("omnibus", "omnibus_slam")


def option_text(name: str, language: Words | None = None) -> str:
    """Return the title of the option `name`, as a heading or a form says it; English by default.

    Raises KeyError for an unknown option.

    >>> option_text("dead_rule")
    'When nobody wins a trick'
    """
    return (language or words()).text(TITLES[name])


def value_text(name: str, value: str | int, language: Words | None = None) -> str:
    """Return one whole sentence that says what `value` of the option `name` means; English by default.

    `value` is written as in a record: a text, or a whole number for "pass_count" and "target". Raises KeyError for an
    unknown option or value.

    >>> value_text("dead_lead", "same_leader"), value_text("target", 150)
    ('After a trick that nobody wins, the same player leads again.', 'The match is played to 150 points.')
    """
    w = language or words()
    if name == "pass_count" and int(value) == 0:
        return w.text(VALUES["pass_cycle"]["none"])
    if name in _COUNTED:
        return w.count(_COUNTED[name], int(value))
    return w.text(VALUES[name][str(value)])


def problem_text(problem: Problem, language: Words | None = None) -> tuple[str, str]:
    """Return an error of `ruleset()` in the words of a form, and the name of the option that it is about.

    The option is called by its title and its values by their sentences. Any other error is said as it is, with "" for
    the option; English by default.

    >>> try:
    ...     rs.ruleset("hearts", 4, pass_count=14)
    ... except Problem as problem:
    ...     problem_text(problem)
    ('A hand has 13 cards here. So “Cards passed” can be at most 13.', 'pass_count')
    """
    w = language or words()

    def quoted(name: str, values: Iterable[str]) -> str:
        return w.join(w.text(_QUOTED, text=value_text(name, value, w)) for value in values)

    given = problem.params
    if problem.message in _TABLE_WRONG:
        name, wrong, message = _TABLE_WRONG[problem.message]
        fitting = quoted(name, (value for value in VALUES.get(name, ()) if value not in wrong))
        return w.text(message, **given, title=option_text(name, w), fitting=fitting), name
    if problem.message in (rs.NO_NUMBER, rs.NO_CHOICE):
        name = given["key"]
        if problem.message == rs.NO_NUMBER:
            return w.text(_NUMBER_WRONG, **given, title=option_text(name, w)), name
        return w.text(_CHOICE_WRONG, **given, title=option_text(name, w), fitting=quoted(name, VALUES[name])), name
    return w.problem(problem), ""


def options_of(game: str) -> tuple[str, ...]:
    """Return the names of the options that mean something in `game`, in the order of the Ruleset's fields.

    >>> "dead_rule" in options_of("hearts"), "omnibus" in options_of("omnibus")
    (False, True)
    """
    without = _ONLY_OMNIBUS if game == "cancellation" else _ONLY_CANCELLATION
    return tuple(name for name in option_names() if name not in without)


def in_force(rules: Ruleset, language: Words | None = None) -> list[dict[str, str]]:
    """Return the options of `rules` in words: "option", "value", "title", "text" (a sentence) and "rule" (an id).

    >>> from .ruleset import ruleset
    >>> in_force(ruleset("cancellation", 8))[0]["text"]
    'Each player passes 3 cards.'
    """
    found = []
    for name in options_of(rules.name):
        value = getattr(rules, name)
        found.append(
            {
                "option": name,
                "value": str(value),
                "title": option_text(name, language),
                "text": value_text(name, value, language),
                "rule": RULES[name],
            }
        )
    return found
