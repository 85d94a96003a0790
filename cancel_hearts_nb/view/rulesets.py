"""Games and rule pages side by side, option by option, in the words of the package."""

from __future__ import annotations

from ..explain import setup
from ..i18n import Words, chosen
from ..messages import N_, NN_
from ..optiontexts import PRESET_TITLES, option_text, options_of, value_text
from ..rulebook import rule
from ..rules.deal import seats_allowed
from ..ruleset import GAME_NAMES, PRESET_TEXTS, PRESETS, Ruleset, option_names, ruleset
from .sheet import Cell, Sheet

_PAGES = N_("What four rule pages say of Cancellation Hearts")
_OPTION = N_("What the table agrees on")
_ALIKE = N_(
    "Bold type marks what differs from the printed page. Where nothing is listed, and where one of these pages is silent, all four are played as printed here."
)
_MORE = N_("%(page)s: %(text)s")
_GAMES = N_("Three games side by side")
_PLAYERS, _HAND, _WORTH = N_("Players"), N_("Cards in a hand"), N_("Points in all cards")
_FROM_TO = N_("%(least)d to %(most)d")
_AT = N_("%(game)s (%(seats)d players)")
_POINTS = NN_("%(count)d point", "%(count)d points")
_NOT_HERE = N_("This cannot arise: no card is there twice.")
_NO_BONUS = N_("There is no bonus card.")
_DEPENDS = N_("Cards in a hand and where they are passed depend on how many play; here the usual tables are compared.")
_USUAL = {"cancellation": 8, "hearts": 4, "omnibus": 4}
# said by a sentence of the set-up, by rule
_FACTS = ("deal.packs",)


def compare_pages(language: str | None = None) -> Sheet:
    """Return the readings of four rule pages side by side: the printed one, pagat.com, Wikipedia and Bicycle.

    Only options in which they differ are listed. Raises UnknownLanguage.

    >>> [row[0].text for row in compare_pages().rows]
    ['Where cards are passed', 'When nobody wins a trick', 'A dead last trick']
    """
    w, notice = chosen(language)
    tables = {name: ruleset("cancellation", 8, name) for name in PRESETS}
    rows = []
    for option in option_names():
        values = [getattr(rules, option) for rules in tables.values()]
        if len(set(values)) > 1:
            cells = [Cell(value_text(option, value, w), value != values[0]) for value in values]
            rows.append([Cell(option_text(option, w)), *cells])
    titles = [w.text(PRESET_TITLES[name]) for name in tables]
    # pagat's text says no more than its cell does
    more = [
        w.text(_MORE, page=w.text(PRESET_TITLES[name]), text=w.text(PRESET_TEXTS[name]))
        for name in ("wikipedia", "bicycle")
    ]
    return Sheet(w.text(_PAGES), [w.text(_OPTION), *titles], rows, [w.text(_ALIKE), *more, *filter(None, [notice])], w)


def compare_games(language: str | None = None) -> Sheet:
    """Return Cancellation Hearts, Hearts and Omnibus Hearts side by side, in what they differ. Raises UnknownLanguage.

    >>> compare_games().rows[0][1].text, compare_games().rows[0][2].text
    ('6 to 11', '3 to 7')
    """
    w, notice = chosen(language)
    tables = [ruleset(name, seats) for name, seats in _USUAL.items()]
    rows = [
        [w.text(_PLAYERS), *[_players(rules, w) for rules in tables]],
        *[[w.text(rule(id).title), *[dict(setup(rules, w))[id] for rules in tables]] for id in _FACTS],
        [w.text(_HAND), *[str(rules.hand_size) for rules in tables]],
        [w.text(_WORTH), *[w.count(_POINTS, rules.points) for rules in tables]],
    ]
    for option in option_names():
        said = [_said(rules, option, w) for rules in tables]
        if len(set(said)) > 1:
            rows.append([option_text(option, w), *said])
    head = [w.text(_AT, game=w.text(GAME_NAMES[rules.name]), seats=rules.seats) for rules in tables]
    cells = [[Cell(text) for text in row] for row in rows]
    return Sheet(w.text(_GAMES), [w.text(_OPTION), *head], cells, [w.text(_DEPENDS), *filter(None, [notice])], w)


def _players(rules: Ruleset, w: Words) -> str:
    allowed = seats_allowed(rules.name)
    return w.text(_FROM_TO, least=allowed[0], most=allowed[-1])


def _said(rules: Ruleset, option: str, w: Words) -> str:
    if option in options_of(rules.name) or option == "omnibus":
        if option == "omnibus_slam" and rules.bonus_card is None:
            return w.text(_NO_BONUS)
        return value_text(option, getattr(rules, option), w)
    return w.text(_NO_BONUS if option == "omnibus_slam" else _NOT_HERE)
