"""Every option and every value has words of its own, and belongs to a rule of the page."""

from __future__ import annotations

import pytest

from cancel_hearts_nb import optiontexts as texts
from cancel_hearts_nb.rulebook import BY_ID
from cancel_hearts_nb.ruleset import CHOICES, NUMBERS, OPTIONS, PRESETS, ruleset


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_has_a_title_a_rule_and_a_sentence_for_each_value(name: str) -> None:
    assert texts.option_text(name)
    assert texts.RULES[name] in BY_ID
    values = [0, 1, 3] if name in NUMBERS else list(CHOICES[name])
    sentences = [texts.value_text(name, value) for value in values]
    assert len(set(sentences)) == len(values)
    assert all(sentence.endswith(".") for sentence in sentences)
    assert name in NUMBERS or set(texts.VALUES[name]) == set(CHOICES[name])


def test_one_card_and_one_point_are_said_in_the_singular() -> None:
    assert texts.value_text("pass_count", 1) == "Each player passes 1 card."
    assert texts.value_text("pass_count", 0) == "No cards are passed."


@pytest.mark.parametrize(("game", "seats"), [("cancellation", 8), ("hearts", 4), ("omnibus", 5)])
def test_only_options_that_mean_something_here_are_listed(game: str, seats: int) -> None:
    rules = ruleset(game, seats)
    listed = {one["option"]: one["text"] for one in texts.in_force(rules)}
    assert ("dead_rule" in listed) is (game == "cancellation")
    assert ("omnibus" in listed) is (game != "cancellation")
    assert listed["target"] == texts.value_text("target", rules.target)


def test_each_preset_has_a_title() -> None:
    assert set(texts.PRESET_TITLES) == set(PRESETS)
