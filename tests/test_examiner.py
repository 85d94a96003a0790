"""The exam: one seed, one exam; every kind in it; every answer found again in another way."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from cancel_hearts_nb import course, examiner
from cancel_hearts_nb import events as ev
from cancel_hearts_nb.cards import parse
from cancel_hearts_nb.names import GameError
from cancel_hearts_nb.rulebook import BY_ID
from cancel_hearts_nb.rules import passing

SEEDS = [0, 1, 7, 2026, 999_999, 2**63 - 1]


@cache
def drawn(seed: int) -> dict[str, examiner.Drawn]:
    return {question["id"]: (question, spot) for question, spot in examiner.draw(seed)}


def right(question: dict[str, Any]) -> list[str]:
    return [choice["text"] for choice in question["choices"] if choice["ok"]]


def winner(cards: list[Any], names: list[str]) -> tuple[str, int]:
    """Who takes a trick by the printed page, written once more and as plainly as can be, and how many pairs lie in it."""
    counts = Counter(cards)
    pairs = sum(count == 2 for count in counts.values())
    left = [(card.rank, name) for card, name in zip(cards, names, strict=True) if counts[card] == 1 and card.suit is cards[0].suit]  # fmt: skip
    return ("Nobody" if pairs > 1 or not left else max(left)[1]), pairs


@pytest.mark.parametrize("seed", SEEDS)
def test_twenty_questions_of_every_kind_in_the_order_of_the_course(seed: int) -> None:
    found = drawn(seed)
    assert tuple(found) == examiner.ORDER
    assert len(found) == examiner.COUNT == 20
    for question, _ in found.values():
        assert question["text"]
        assert question["reply"]
        assert all(rule in BY_ID and course.teaches(rule) for rule in question["rules"])
        assert question["form"] == "number" or right(question)


def test_the_same_seed_draws_the_same_exam_and_another_one_another() -> None:
    assert examiner.draw(7) == examiner.draw(7)
    texts = [[question["reply"] for question, _ in examiner.draw(seed)] for seed in (7, 8)]
    assert sum(a == b for a, b in zip(*texts, strict=True)) < 10


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("kind", "pairs", "dead"),
    [
        ("plain", range(1), False),
        ("one_pair", range(1, 2), False),
        ("two_pairs", range(2, 3), True),
        ("off_suit_pair", range(2, 3), True),
        ("three_pairs", range(3, 6), True),
        ("none_left", range(1, 2), True),
    ],
)
def test_the_winner_is_who_the_printed_page_says(seed: int, kind: str, pairs: range, dead: bool) -> None:
    question, spot = drawn(seed)[kind]
    assert spot is not None
    played = [e for e in spot.events if isinstance(e, ev.Played)]
    assert [e.seat for e in played] == [e.seat for e in played[:1]] + [(played[0].seat + i) % len(played) for i in range(1, len(played))]  # fmt: skip
    name, count = winner([e.card for e in played], [spot.names[e.seat] for e in played])
    assert right(question) == [name]
    assert count in pairs
    assert (name == "Nobody") is dead
    assert spot.events[spot.step] is played[-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_points_are_those_of_all_cards_that_lie_there(seed: int) -> None:
    for kind in ("points", "pile"):
        question, spot = drawn(seed)[kind]
        assert spot is not None
        started: Any = spot.events[0]
        cards = [e.card for e in spot.events if isinstance(e, ev.Played)] + list(started.middle.aside)
        assert bool(started.middle.aside) is (kind == "pile")
        codes = [card.code for card in cards]
        assert question["answer"] == sum(code[1] == "H" for code in codes) + 13 * codes.count("QS")


@pytest.mark.parametrize("seed", SEEDS)
def test_legal_cards_are_asked_of_the_kind_of_play_that_is_named(seed: int) -> None:
    wanted = {
        "opening_lead": "lead.opening_free",
        "follow": "follow.suit",
        "void": "follow.void",
        "unbroken": "lead.hearts_unbroken",
        "first_trick_ban": "follow.first_trick",
    }
    for kind, rule in wanted.items():
        question, spot = drawn(seed)[kind]
        assert spot is not None
        assert question["form"] == "many"
        assert rule in question["rules"]
        legal = [parse(code) for code in right(question)]
        # whoever played there played one of them
        following: Any = spot.events[spot.step + 1]
        assert following.seat == spot.viewer
        assert following.card in legal
        assert (len(legal) == len(question["choices"])) is (kind == "void")


def test_only_hearts_has_a_ban_on_the_first_trick() -> None:
    spot = drawn(7)["first_trick_ban"][1]
    assert spot is not None
    assert spot.rules.name == "hearts"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_next_lead_follows_from_who_won(seed: int) -> None:
    question, spot = drawn(seed)["next_lead"]
    assert spot is not None
    over: Any = spot.events[spot.reveal]
    assert right(question) == [spot.names[over.seat if isinstance(over, ev.TrickWon) else over.leader]]


@pytest.mark.parametrize("seed", range(12))
def test_situations_are_judged_by_the_rules(seed: int) -> None:
    found = drawn(seed)
    question, spot = found["passing"]
    assert spot is not None
    number = spot.events[0].number
    giver = next(i for i, name in enumerate(spot.names) if name not in [c["text"] for c in question["choices"]])
    to = passing.receiver(spot.rules, number, giver)
    assert right(question) == ["To nobody" if to is None else spot.names[to]]
    moon = found["moon"][0]
    assert right(moon) == ["Yes." if "26 hearts and both" in moon["text"] else "No."]


def test_seeds_differ_in_what_the_situations_say() -> None:
    for kind in ("size", "passing", "score", "moon", "moon_choice", "target"):
        assert len({drawn(seed)[kind][0]["text"] for seed in range(12)}) > 3, kind
    ends = {drawn(seed)["target"][0]["rules"][0] for seed in range(12)}
    assert ends == {"match.end", "match.lowest", "match.tie"}


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7", True])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(GameError):
        examiner.draw(seed)


def test_the_exam_is_said_in_a_language(make_language: Any) -> None:
    words = make_language("xx", lambda form, _: "ø" + form)
    assert all(question["text"].startswith("ø") for question, _ in examiner.draw(7, words))
