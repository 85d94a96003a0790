"""The hands behind exercise 6: what is kept is current, the verdict is honest, and trouble in the middle of a hand is told."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cancel_hearts_nb import checks, record, tasks
from cancel_hearts_nb.cards import Card, Suit, parse
from cancel_hearts_nb.rules import scoring
from cancel_hearts_nb.tasks import hands


def cautious(hand: Any, legal: Any, trick: Any, unseen: Any, cautious: Card) -> Card:
    return cautious


def choose(function: Any) -> checks.Result:
    return checks.exercise("06_player").choose.check(function)


def test_what_the_cautious_player_gets_is_kept_as_it_is_played_now() -> None:
    played = [hands.points(number, lambda turn: turn.cautious) for number in range(1, 101)]
    assert played == list(hands.kept()[:100]), "run `poe cautious-hands`"
    assert len(hands.kept()) == hands.HANDS == 1000


def test_a_hand_from_memory_and_one_played_anew_bring_the_same() -> None:
    answer = lambda turn: turn.legal[0]  # noqa: E731
    remembered = [hands.points(number, answer) for _ in range(2) for number in range(1, 13)]
    hands._known.clear()
    anew = [hands.points(number, answer) for number in range(1, 13)]
    assert remembered == anew * 2


def test_a_turn_holds_what_the_seat_may_see_and_no_more() -> None:
    turns: list[hands.Turn] = []
    hands.points(8, lambda turn: turns.append(turn) or turn.cautious)  # type: ignore[func-returns-value]
    assert len(turns) == 17
    game = record.loads(turns[4].before()).game
    state, (seat, played) = game.state, (8 % 6, [card for trick in game.state.tricks for card in trick.cards])
    seen = Counter([*turns[4].hand, *played, *turns[4].trick])
    assert Counter(turns[4].unseen) + seen == Counter(game.ruleset.pack)
    assert game.asked is not None and game.asked.seat == seat and turns[4].hand == state.hands[seat]
    assert set(turns[4].legal) == set(game.legal_cards())


@pytest.mark.parametrize(
    ("saved", "passed", "key", "says"),
    [
        ([0] * 50, False, "same", "no better and no worse"),
        # mean 0.5, standard deviation 1.5076, standard error 0.1508 in 100 hands
        (
            [2, -1] * 50,
            True,
            "",
            "saves 0.50 points a hand, with a standard error of 0.15. That is 3.3 standard errors",
        ),
        ([2, -1] * 8, False, "not shown", "saves 0.50 points a hand, but the standard error is 0.39"),
        ([-2, 1] * 8, False, "not shown", "costs 0.50 points a hand more, with a standard error of 0.39"),
        ([-2, 1] * 50, False, "worse", "costs 0.50 points a hand more than the cautious player"),
    ],
)
def test_the_verdict_heeds_the_standard_error(saved: list[int], passed: bool, key: str, says: str) -> None:
    found = hands._verdict(saved, None)
    assert (found.passed, found.key) == (passed, key)
    assert says in found.message % dict(found.params)


def test_an_illegal_card_is_named_with_its_rule_and_shown() -> None:
    found = choose(lambda hand, legal, trick, unseen, cautious: next((c for c in hand if c not in legal), cautious))
    assert found.key == "illegal" and "forbids" in found.sentence, found
    assert any(f"`{rule}`" in found.sentence for rule in ("follow.suit", "lead.opening_free", "lead.hearts_unbroken"))
    assert record.loads(found.record).game.asked is not None
    found = choose(lambda hand, legal, trick, unseen, cautious: unseen[0] if len(hand) < 3 else cautious)
    assert found.key == "illegal" and "not in the hand" in found.sentence, found


def test_trouble_in_the_middle_of_a_hand_is_told_as_anywhere_else() -> None:
    def late(trouble: Any) -> Any:
        return lambda hand, legal, trick, unseen, cautious: trouble(hand, cautious) if len(hand) == 2 else cautious

    assert choose(late(lambda hand, card: hand[5])).key == "raised"
    assert choose(late(lambda hand, card: [one for one in range(10**9) if one < 0])).key == "endless"
    assert choose(late(lambda hand, card: card.code)).key == "type"
    assert choose(late(lambda hand, card: hand.clear() or card)).key == "changed"
    assert choose(late(lambda hand, card: None)).key == "nothing"
    answers = iter([False] * 60)
    assert choose(late(lambda hand, card: card if next(answers, True) else 1)).state == "failed"


def test_nothing_written_is_not_attempted() -> None:
    def untouched(hand: Any, legal: Any, trick: Any, unseen: Any, cautious: Any) -> Any:
        raise NotImplementedError

    assert choose(untouched).state is checks.State.NOT_ATTEMPTED


def test_a_player_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "ALL_LINES", 100)
    found = choose(cautious)
    assert found.key == "slow" and "takes too long" in found.sentence


@pytest.mark.parametrize("name", ["hearts_broken", "aside", "taken"])
def test_the_engine_agrees_with_the_answers_on_the_pile(name: str) -> None:
    part = next(part for part in tasks.task("04_pile").parts if part.name == name)
    for case in part.cases():
        state, right = record.loads(case.fragment()).game.state, part.answer(*case.args)
        if name == "hearts_broken":
            assert state.hearts_broken is right
        elif name == "taken":
            assert [Counter(some) for some in state.taken] == [Counter(some) for some in right]
        elif case.rule != "trick.last_dead":
            assert Counter(state.aside) == Counter(right)


def test_the_engine_agrees_with_what_was_taken() -> None:
    for name, at in (("points", None), ("shooter", 0)):
        part = next(part for part in tasks.task("05_scoring").parts if part.name == name)
        for case in part.cases():
            game = record.loads(case.fragment()).game
            seat = next(seat for seat, some in enumerate(game.state.taken) if some)
            given = case.args[0] if at is None else case.args[0][seat]
            assert Counter(game.state.taken[seat]) == Counter(given)
            if at is None:
                assert part.answer(given) == scoring.points_of(game.ruleset, game.state.taken[seat])


def test_only_a_whole_moon_is_one() -> None:
    shooter = next(part for part in tasks.task("05_scoring").parts if part.name == "shooter").answer
    hearts = [card for card in hands.start(1)[0].ruleset.pack if card.suit is Suit.HEARTS]
    queen = parse("QS")
    assert shooter([[], [*hearts, queen, queen]]) == 1
    assert shooter([[queen], [*hearts, queen]]) is None
    assert shooter([[], [*hearts[::2], queen]]) is None
