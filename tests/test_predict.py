"""The questions that a record asks: read, refused with a sentence, kept, and judged by the engine."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from cancel_hearts_nb import Game, RandomPlayer, play, predict, record
from cancel_hearts_nb import events as ev
from cancel_hearts_nb.predict import Ask, What, questions
from cancel_hearts_nb.rulebook import BY_ID
from cancel_hearts_nb.ruleset import ruleset
from cancel_hearts_nb.state import fold

EXAMPLES = list(record.examples())
NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()
LESSON = """
format = 1
ruleset = "cancellation"
players = ["Al", "Beth", "Charlie", "Dave", "Eve", "Fay", "Guy"]

[[hand]]
partial = true
first_trick = 1
dealer = "Guy"
kitty = "5C AD 8S QS 3H KH"
tricks = [
  { leader = "Al", cards = "4C 9C 4C KC 9C 7C 2C", winner = "none" },
  { leader = "Al", cards = "3D 8D TD 5D JD 6D 2D", winner = "Eve" },
]
"""


def asking(asks: str, trick: str = '"none"') -> str:
    return LESSON.replace(f"winner = {trick} }}", f"winner = {trick}, ask = {asks} }}")


def sentences(text: str) -> list[tuple[int, str]]:
    with pytest.raises(record.RecordError) as caught:
        record.loads(text)
    return [(fault.place.trick, fault.sentence()) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("asks", "said"),
    [
        ('[{ at = 7, what = "winer" }]', "Did you mean “winner”?"),
        ('[{ at = 7, what = "who" }]', "must be one of winner, legal, points, not “who”"),
        ("[{ at = 7 }]", "not “None”"),
        ('[{ at = 8, what = "winner" }]', "0 to 7, not “8”"),
        ('[{ at = -1, what = "winner" }]', "0 to 7, not “-1”"),
        ('[{ at = true, what = "winner" }]', "0 to 7, not “True”"),
        ('[{ what = "winner" }]', "0 to 7, not “None”"),
        ('[{ at = 7, what = "legal" }]', "nobody is left whose legal cards"),
        ('[{ at = 7, what = "points" }]', "the kitty still waits"),
        ('[{ at = 7, what = "winner" }, { at = 7, what = "winner" }]', "asked twice"),
        ('[{ at = 7, waht = "winner" }]', "Did you mean “what”?"),
        ('{ at = 7, what = "winner" }', "must be a list of questions"),
        ('["winner"]', "must be a list of questions"),
        ("[" + ", ".join(f'{{ at = {i % 7}, what = "{w}" }}' for w in ("winner", "legal") for i in range(7)) + "]", "at most 12"),
    ],
)  # fmt: skip
def test_a_wrong_question_is_refused_with_a_sentence(asks: str, said: str) -> None:
    found = sentences(asking(asks))
    assert any(said in sentence for _, sentence in found), found
    assert all(trick in (0, 1) for trick, _ in found)


def test_a_trick_that_is_not_complete_cannot_be_asked_about() -> None:
    game = Game(ruleset("hearts", 4), NAMES[:4], seed=7)
    while len(game.state.tricks) < 1 or len(game.state.trick.plays) < 2:  # type: ignore[union-attr]
        game.submit(_any(game))
    text = record.dumps(game)
    last = text.rindex('cards = "')
    end = text.index("}", last)
    for asks, said in (
        ('{ at = 2, what = "winner" }', "not complete"),
        ('{ at = 3, what = "points" }', "Only 2 cards"),
    ):
        changed = f"{text[:end].rstrip()}, ask = [{asks}]{text[end:]}"
        assert any(said in sentence for _, sentence in sentences(changed))
    fine = f'{text[:end].rstrip()}, ask = [{{ at = 2, what = "legal" }}]{text[end:]}'
    loaded = record.loads(fine)
    asked = questions(loaded.hands[0], loaded.game.ruleset, loaded.game.names, loaded.asks)
    assert {choice["v"] for choice in asked[0]["choices"] if choice["ok"]} == {c.code for c in game.legal_cards()}


def _any(game: Game) -> Any:
    from cancel_hearts_nb.game import PassCards, PlayCard

    asked = game.asked
    assert asked is not None
    if asked.kind == "pass":
        hand: Any = game.state.hands[asked.seat]
        return PassCards(asked.seat, hand[:3])
    return PlayCard(asked.seat, game.legal_cards()[0])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_records_and_link_codes_keep_the_questions(path: Any) -> None:
    loaded = record.load(path)
    again = record.loads(record.dumps(loaded.game, loaded.title, loaded.about, loaded.asks))
    assert again.asks == loaded.asks
    for hand in loaded.hands:
        number = hand[0].number  # type: ignore[attr-defined]
        of_hand = tuple(ask for ask in loaded.asks if ask.hand == number)
        assert record.decode(record.encode(loaded.game, number, loaded.asks)).asks == of_hand


def test_at_least_eight_examples_ask_and_none_too_much() -> None:
    counts = [len(record.load(path).asks) for path in EXAMPLES]
    assert sum(count > 0 for count in counts) >= 8
    assert max(counts) <= predict.MOST_ASKS
    kinds = {ask.what for path in EXAMPLES for ask in record.load(path).asks}
    assert kinds == set(What)


def every_ask(events: Any, seats: int) -> list[Ask]:
    number, tricks = events[0].number, sum(isinstance(e, ev.LeadAssigned) for e in events)
    return [Ask(number, t, at, what) for t in range(1, tricks + 1) for at in range(seats + 1) for what in What]


@pytest.mark.parametrize(("name", "seats"), [("cancellation", 6), ("cancellation", 11), ("hearts", 3), ("omnibus", 4)])
def test_every_answer_is_what_the_game_did(name: str, seats: int) -> None:
    """Asked at every card of whole hands, with what happens next in the game itself as the judge."""
    game = play(Game(ruleset(name, seats), NAMES[:seats], seed=5, hands=1), [RandomPlayer()] * seats)
    events, rules = game.events, game.ruleset
    asked = questions(events, rules, game.names, every_ask(events, seats))
    assert {q["what"] for q in asked} == {"winner", "legal", "points"}
    for q in asked:
        after = events[q["step"] + 1 :]
        assert q["rule"] in BY_ID
        assert BY_ID[q["rule"]].title in q["ruled"]
        assert q["reply"].endswith((".", "?"))
        state = fold(rules, events[: q["step"] + 1])
        if q["what"] == "winner":
            end = next(e for e in after if isinstance(e, ev.TrickWon | ev.TrickDead))
            right = [end.seat if isinstance(end, ev.TrickWon) else -1]
            assert [c["v"] for c in q["choices"] if c["ok"]] == right
            assert [c["v"] for c in q["choices"]] == [*range(seats), -1]
            assert all(c.get("say") for c in q["choices"] if not c["ok"])
        elif q["what"] == "legal":
            played = next(e for e in after if isinstance(e, ev.Played))
            assert q["seat"] == played.seat
            assert played.card.code in {c["v"] for c in q["choices"] if c["ok"]}
            assert all(("say" in c) is not c["ok"] for c in q["choices"])
        else:
            cards = [*(play.card for play in state.trick.plays), *state.aside]  # type: ignore[union-attr]
            worth = sum(13 if c.code == "QS" else c.code[1] == "H" for c in cards)
            assert q["answer"] == worth - 10 * (name == "omnibus" and any(c.code == "TD" for c in cards))
            assert str(q["answer"]) not in q["hints"]
    steps = [q["step"] for q in asked]
    assert all(a <= b for a, b in pairwise(steps))


def test_what_a_seat_cannot_see_is_not_asked() -> None:
    game = play(Game(ruleset("cancellation", 7), NAMES[:7], seed=5, hands=1), [RandomPlayer()] * 7)
    asks = every_ask(game.events, 7)
    seen = questions(game.events, game.ruleset, game.names, asks, viewer=2)
    assert {q["seat"] for q in seen if q["what"] == "legal"} == {2}
    for q in seen:
        state = fold(game.ruleset, game.events[: q["step"] + 1])
        if q["what"] == "winner":
            assert len(state.trick.plays) == 7  # type: ignore[union-attr]
        if q["what"] == "points":
            assert state.kitty == 0
    everybody = questions(game.events, game.ruleset, game.names, asks)
    assert all(fold(game.ruleset, game.events[: q["step"] + 1]).kitty == 0 for q in everybody if q["what"] == "points")


def test_a_question_comes_after_what_its_last_card_brought_about() -> None:
    loaded = record.load(next(path for path in EXAMPLES if path.stem.startswith("07")))
    q = questions(loaded.hands[0], loaded.game.ruleset, loaded.game.names, [Ask(1, 1, 5, What.WINNER)])[0]
    assert isinstance(loaded.hands[0][q["step"]], ev.PairCancelled)
    assert isinstance(loaded.hands[0][q["step"] + 1], ev.Played)
