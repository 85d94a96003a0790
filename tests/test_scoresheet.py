"""What a score sheet is told of the rules: the same as the rules say, for every table and every choice of options."""

from __future__ import annotations

import itertools
import json

import pytest

from cancel_hearts_nb.rules import deal, passing
from cancel_hearts_nb.ruleset import CHOICES, ruleset
from cancel_hearts_nb.scoresheet import catalogue, option_values, sheet_rules

CATALOGUE = catalogue()
TABLES = [(game, seats) for game in deal.GAMES for seats in deal.seats_allowed(game)]


def merged(table, options):
    """What the page does: the changes of each option, put into the rules of the table."""
    made = dict(table["rules"])
    for name, pairs in table["options"].items():
        made.update(dict(pairs)[options[name]])
    return made


def test_every_table_of_every_game_is_there():
    assert [(game, int(seats)) for game, sizes in CATALOGUE.items() for seats in sizes] == TABLES


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_any_choice_of_options_put_together_is_what_the_rules_say(game, seats):
    table = CATALOGUE[game][str(seats)]
    names = list(table["options"])
    for values in itertools.product(*option_values(game, seats).values()):
        options = dict(zip(names, values, strict=True))
        assert merged(table, options) == sheet_rules(ruleset(game, seats, **options)), options


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_usual_value_comes_first_and_changes_nothing(game, seats):
    usual = ruleset(game, seats)
    for name, pairs in CATALOGUE[game][str(seats)]["options"].items():
        assert pairs[0] == [getattr(usual, name), {}]
        assert len({json.dumps(change) for _, change in pairs}) == len(pairs)


def test_which_options_a_score_sheet_knows():
    """All that change what is written down, and no others; which values look alike is found, not listed."""
    assert option_values("cancellation", 8) == {
        "pass_cycle": ["LR", "LRAN", "none"],
        "last_dead": ["nobody", "trick_leader"],
        "moon_scope": ["pack", "collected"],
        "moon_points": ["26", "52"],
        "moon_choice": ["player", "add_to_others", "subtract"],
        "score_floor": ["none", "0"],
        "tie": ["shared", "play_on"],
    }
    # nobody sits across at an odd table, no card is lost with one pack, and no bonus card means no question about it
    assert option_values("cancellation", 7)["pass_cycle"] == ["LR", "none"]
    assert set(option_values("hearts", 4)) == {
        "pass_cycle", "opening", "moon_points", "moon_choice", "score_floor", "tie"
    }  # fmt: skip
    assert set(option_values("omnibus", 4)) - set(option_values("hearts", 4)) == {"omnibus", "omnibus_slam"}
    assert option_values("omnibus", 4)["omnibus"] == ["TD", "JD"]


@pytest.mark.parametrize(("game", "points", "cards"), [("cancellation", 52, [26, 2, 0]), ("hearts", 26, [13, 1, 0]), ("omnibus", 16, [13, 1, 1])])  # fmt: skip
def test_what_a_hand_must_add_up_to(game, points, cards):
    for table in CATALOGUE[game].values():
        rules = table["rules"]
        assert (rules["points"], rules["cards"]) == (points, cards)
        assert sum(n * worth for n, worth in zip(cards, rules["worth"], strict=True)) == points


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_passing_goes_round_as_the_rules_say(game, seats):
    for cycle in option_values(game, seats)["pass_cycle"]:
        rules = ruleset(game, seats, pass_cycle=cycle)
        passes = sheet_rules(rules)["passes"]
        for number in range(1, 30):
            way, step = passes[(number - 1) % len(passes)]
            assert way == passing.direction(rules, number)
            for seat in range(seats):
                to = None if step is None else (seat + step) % seats
                assert to == passing.receiver(rules, number, seat)


def test_no_cards_are_passed_when_none_are_to_be():
    assert sheet_rules(ruleset("hearts", 4, pass_count=0))["passes"] == [["none", None]]


def test_who_leads():
    assert (sheet_rules(ruleset("cancellation", 6))["lead"], sheet_rules(ruleset("hearts", 4))["lead"]) == (1, None)
    assert [sheet_rules(ruleset("hearts", seats))["low_club"] for seats in (3, 4, 5, 6, 7)] == ["2C", "2C", "3C", "2C", "2C"]  # fmt: skip


def test_a_moon_in_each_game():
    two, one = sheet_rules(ruleset("cancellation", 6)), sheet_rules(ruleset("hearts", 4))
    assert (two["moon_needed"], two["moon_bonus"], one["moon_needed"], one["moon_bonus"]) == (28, False, 14, False)
    assert sheet_rules(ruleset("cancellation", 6, moon_scope="collected"))["moon_needed"] is None
    omnibus = [sheet_rules(ruleset("omnibus", 4, omnibus_slam=slam)) for slam in ("needs_bonus", "hearts_and_queen")]
    assert [(r["moon_needed"], r["moon_bonus"], r["moon_after"]) for r in omnibus] == [
        (14, True, [0, 0, 0]), (14, False, [0, 0, -10])
    ]  # fmt: skip
    assert sheet_rules(ruleset("hearts", 4, moon_points="52"))["moon_moves"] == {
        "subtract": [-52, 0], "add_to_others": [0, 52]
    }  # fmt: skip


def test_the_data_are_plain_and_small():
    text = json.dumps(CATALOGUE, separators=(",", ":"))
    assert json.loads(text) == CATALOGUE
    assert len(text) < 20_000


def test_every_option_is_one_that_a_ruleset_has():
    assert {name for game, seats in TABLES for name in option_values(game, seats)} <= set(CHOICES)
