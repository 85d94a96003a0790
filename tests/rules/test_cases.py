"""Every worked case through the real engine, one test a case, and the proof that the cases leave no option and no rule out."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from cancel_hearts_nb.rulebook import BY_ID
from cancel_hearts_nb.ruleset import CHOICES, OPTIONS, PRESETS

from .casework import Case, CaseError, check, load, observed, rules_of, wanted_keys
from .prose import PROSE

CASES = load()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_case(case: Case) -> None:
    check(case)


def test_all_64_given_cases_are_here_and_seven_are_prose() -> None:
    given = [case for case in CASES if case["given"]]
    prose = {case["id"] for case in given if any(step["kind"] == "prose" for step in case["step"])}
    assert len(given) == 64
    assert prose == set(PROSE)
    assert len(prose) == 7


@pytest.mark.parametrize(
    ("change", "place"),
    [({"winner": 99}, None), ({"loser": 1}, None), ({}, "typo"), ({"points": "0"}, None)],
    ids=["wrong winner", "unknown key", "unknown step key", "wrong type"],
)
def test_the_runner_notices(change: dict[str, Any], place: str | None) -> None:
    case = next(case for case in CASES if case["id"] == "T45")
    step = dict(case["step"][0], want=[{**case["step"][0]["want"][0], **change}])
    if place:
        step[place] = 1
    unknown = place or "loser" in change
    with pytest.raises(CaseError if unknown else AssertionError):
        check({**case, "step": [step]})


def _changed() -> dict[tuple[str, str], list[str]]:
    """For each option value the cases whose outcome differs between the table's own value and that value (both directions)."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for case in CASES:
        for index, step in enumerate(case["step"]):
            for want in step.get("want", ()):
                if len(want.get("under", {})) != 1 or "preset" in want or step["kind"] == "setup":
                    continue
                ((option, value),) = want["under"].items()
                usual = {key: each for key, each in want.items() if key != "under"}
                one, other = observed(case, index, usual), observed(case, index, want)
                if any(one.get(key) != other[key] for key in wanted_keys(want)):
                    found[option, str(value)].append(case["id"])
                    more = {"target": step["target"]} if option == "target" and "target" in step else {}
                    found[option, str(getattr(rules_of(case, usual, **more), option))].append(case["id"])
    return found


def test_every_option_value_changes_an_outcome() -> None:
    changed = _changed()
    assert {option for option, _ in changed} == set(OPTIONS)
    missing = [
        (option, str(value))
        for option, kind in CHOICES.items()
        for value in kind
        if not changed.get((option, str(value)))
    ]
    assert not missing


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "printed"])
def test_every_preset_changes_an_outcome(preset: str) -> None:
    changed = []
    for case in CASES:
        for index, step in enumerate(case["step"]):
            for want in step.get("want", ()):
                if want.get("preset") == preset and step["kind"] != "setup":
                    usual = {key: value for key, value in want.items() if key != "preset"}
                    one, other = observed(case, index, usual), observed(case, index, want)
                    changed += [key for key in wanted_keys(want) if one[key] != other[key]]
    # a preset is more than one option, so each of them must show
    assert len(set(changed)) >= len(PRESETS[preset])


def test_every_rule_has_a_case_and_every_case_names_known_rules() -> None:
    named = {rule for case in CASES for rule in case["rules"]}
    assert named == set(BY_ID)
    assert all(case["rules"] for case in CASES)
