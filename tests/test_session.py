"""A person's match: whatever is answered, nothing breaks, nothing hidden gets out, and it can be kept and gone on with."""

from __future__ import annotations

import contextlib
import json
import random
from typing import Any

import pytest
from sizes import ends_of_each

from cancel_hearts_nb import events as ev
from cancel_hearts_nb import frames, hints, playcode, record
from cancel_hearts_nb.cards import Card
from cancel_hearts_nb.game import Game, PassCards, PlayCard
from cancel_hearts_nb.names import GameError
from cancel_hearts_nb.playcode import BrokenCode
from cancel_hearts_nb.players import UnknownPlayer, view
from cancel_hearts_nb.ruleset import ruleset
from cancel_hearts_nb.seeds import new_seed
from cancel_hearts_nb.session import Session, SessionError

TABLES = [(game, seats) for game in ("hearts", "omnibus") for seats in range(3, 8)]
TABLES += [("cancellation", seats) for seats in range(6, 12)]
NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()


def session(game: str = "hearts", seats: int = 4, seat: int = 2, seed: int = 7, **options: Any) -> Session:
    lessons = options.pop("lessons", True)
    return Session(ruleset(game, seats, **options), NAMES[:seats], seat, "random", seed, lessons=lessons)


def right(one: Session, chance: random.Random) -> dict[str, Any]:
    """An answer to what is asked."""
    ask = one.ask()
    intent: dict[str, Any] = {"do": ask["kind"], "stamp": one.stamp}
    if ask["kind"] == "pass":
        intent["cards"] = chance.sample(ask["legal"], ask["count"])
    elif ask["kind"] == "play":
        intent["cards"] = [chance.choice(ask["legal"])]
    elif ask["kind"] == "moon":
        intent["choice"] = chance.choice(ask["choices"])[0]
    return intent


def wrong(one: Session, chance: random.Random) -> Any:
    """An answer of which nothing may come."""
    ask = one.ask()
    hand = [*ask.get("legal", ()), *ask.get("refused", ())]
    choices: list[Any] = [
        None, [], "play", 7, {}, {"do": "play"}, {"do": ask["kind"]}, {"do": "dance", "stamp": one.stamp},
        {**right(one, chance), "stamp": one.stamp - 1}, {**right(one, chance), "stamp": True},
        {**right(one, chance), "stamp": str(one.stamp)}, {**right(one, chance), "stamp": None},
        {"do": "play", "stamp": one.stamp, "cards": ["k999"]}, {"do": "play", "stamp": one.stamp, "cards": []},
        {"do": "play", "stamp": one.stamp, "cards": [["k1"]]}, {"do": "play", "stamp": one.stamp, "cards": [*hand[:2], "k"]},
        {"do": "play", "stamp": one.stamp, "cards": "k1"}, {"do": "pass", "stamp": one.stamp, "cards": hand[:1] * 3},
        {"do": "pass", "stamp": one.stamp, "cards": hand[:4]}, {"do": "moon", "stamp": one.stamp, "choice": ["x"]},
        {"do": "moon", "stamp": one.stamp, "choice": "everything"}, {"do": "play", "stamp": one.stamp, "cards": {"a": 1}},
    ]  # fmt: skip
    choices += [{"do": "play", "stamp": one.stamp, "cards": [key]} for key in ask.get("refused", ())]
    if len(hand) > 1:
        choices.append({"do": "play", "stamp": one.stamp, "cards": hand[:2]})
    if ask["kind"] != "next":
        choices.append({"do": "next", "stamp": one.stamp})
    if ask["kind"] != "play" and hand:
        choices.append({"do": "play", "stamp": one.stamp, "cards": hand[:1]})
    return chance.choice(choices)


def place(one: Session) -> Any:
    return (one.stamp, one.ask(), one.sheet(), one.seen(), one.code())


@pytest.mark.parametrize(("game", "seats"), ends_of_each(TABLES))
def test_whatever_is_answered_a_match_goes_on_to_its_end(game: str, seats: int) -> None:
    chance = random.Random(seats)
    one = session(game, seats, seat=seats - 1, target=20)
    shown = 0
    for _ in range(2000):
        before = place(one)
        reply = one.act(wrong(one, chance))
        assert not reply.changed
        assert place(one) == before
        ask = one.ask()
        assert ask["text"].strip()
        if ask["kind"] == "over":
            break
        for sentence, rule in ask.get("refused", {}).values():
            assert sentence.endswith(".") and rule
            shown += 1
        answer = right(one, chance)
        assert one.act(answer).changed
        assert not one.act(answer).changed, "the same answer came twice"
    else:
        pytest.fail("the match does not end")
    assert one.sheet()["winners"]
    assert len(one.sheet()["rows"]) == one.hands
    assert shown


@pytest.mark.parametrize(("game", "seats"), [("hearts", 4), ("omnibus", 5), ("cancellation", 6), ("cancellation", 11)])
def test_nothing_leaves_that_the_person_may_not_know(game: str, seats: int) -> None:
    """Deal the hidden cards anew: up to the first card that shows the difference, everything that leaves is the same."""
    chance = random.Random(3)
    one = session(game, seats, seat=1, target=30)
    while one.ask()["kind"] != "over":
        for hand in range(one.hands):
            known = may_know(one, hand)
            for event in one.seen(hand).events:
                for card in cards_in(event):
                    assert card in known, event
            text = json.dumps(frames.to_json(frames.frames(one.seen(hand).events, one.ruleset, 1)))
            for card in set(one.ruleset.pack) - known:
                assert f'"{card.code}"' not in text
        hidden = set(one.ruleset.pack) - may_know(one, one.hands - 1)
        said = json.dumps([one.ask(), one.sheet(), one.hint()], ensure_ascii=False)
        for card in hidden:
            assert card.symbol not in said
            assert f'"{card.code}"' not in said
        one.act(right(one, chance))


def cards_in(event: Any) -> list[Card]:
    found: list[Card] = []

    def look(value: Any) -> None:
        if isinstance(value, Card):
            found.append(value)
        elif isinstance(value, tuple):
            for item in value:
                look(item)

    for name in event.__slots__:
        look(getattr(event, name))
    return found


def may_know(one: Session, hand: int) -> set[Card]:
    """The faces that the person has held, received or seen played, told from the whole truth."""
    known: set[Card] = set()
    for event in record.hands_of(one._game.events)[hand]:
        if isinstance(event, ev.Dealt):
            known |= set(event.hands[one.seat])
        elif isinstance(event, ev.Received) and event.seat == one.seat:
            known |= set(event.cards)
        elif isinstance(event, ev.Played):
            known.add(event.card)
    return known


def test_the_next_hand_is_dealt_unseen_and_shown_only_when_asked_for() -> None:
    chance = random.Random(1)
    one = session()
    while one.ask()["kind"] != "next":
        one.act(right(one, chance))
    assert one._game.state.number == 2
    assert one.hands == 1
    assert isinstance(one.seen().events[-1], ev.HandScored)
    assert one.sheet()["rows"][0][0] == 1
    assert "legal" not in one.ask()
    assert one.act({"do": "next", "stamp": one.stamp}).changed
    assert one.seen().events[0].number == 2  # type: ignore[attr-defined]


def test_refused_cards_are_named_only_on_the_persons_turn() -> None:
    chance = random.Random(2)
    one = session(seat=3)
    assert one.ask()["refused"] == {}
    while one.ask()["kind"] == "pass" or not one.ask().get("refused"):
        one.act(right(one, chance))
    ask = one.ask()
    assert set(ask["legal"]).isdisjoint(ask["refused"])
    key, (sentence, rule) = next(iter(ask["refused"].items()))
    reply = one.act({"do": "play", "stamp": one.stamp, "cards": [key]})
    assert (reply.changed, reply.text, reply.rule) == (False, sentence, rule)


@pytest.mark.parametrize(("game", "seats"), [("hearts", 4), ("omnibus", 3), ("cancellation", 8)])
def test_a_code_brings_every_decision_back(game: str, seats: int) -> None:
    chance = random.Random(5)
    one = session(game, seats, seat=1, target=40)
    while True:
        again = Session.resume(one.code())
        assert again.ask() == one.ask()
        assert [again.seen(i) for i in range(again.hands)] == [one.seen(i) for i in range(one.hands)]
        assert (again.sheet(), again.code(), again.lessons, again.players) == (
            one.sheet(), one.code(), one.lessons, one.players,
        )  # fmt: skip
        if one.ask()["kind"] == "over":
            break
        one.act(right(one, chance))
    assert len(one.code()) < 1500


def test_a_code_keeps_what_was_set_up() -> None:
    one = Session(
        ruleset("cancellation", 6, "pagat", target=60, pass_count=2), ["Zoë", *NAMES[:5]], 0,
        ["random", "cautious"] * 3, 2**63 - 1, lessons=False,
    )  # fmt: skip
    again = Session.resume(one.code())
    assert (again.ruleset, again.names, again.seat, again.players, again.seed, again.lessons) == (
        one.ruleset, one.names, 0, ("random", "cautious") * 3, 2**63 - 1, False,
    )  # fmt: skip


def test_a_broken_code_says_so() -> None:
    chance = random.Random(8)
    one = session()
    for _ in range(8):
        one.act(right(one, chance))
    code = one.code()
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    broken = ["", "1", "2" + code[1:], code[:-1], code[:20], code + "AA", "♥", "1" * 20_000, code.replace(code[9], "!")]
    for at in range(len(code)):
        letter = chance.choice([c for c in letters if c != code[at]])
        broken.append(code[:at] + letter + code[at + 1 :])
    for text in broken:
        # one letter more than a code needs, or one that zlib does not look at, may still be the same game
        with contextlib.suppress(BrokenCode):
            assert Session.resume(text).code() == code, text


def packed(*head: Any, steps: Any = ()) -> str:
    return playcode.encode(list(head), steps)


GOOD = ("hearts", 4, {}, NAMES[:4], 7, 2, "random", 1, [], "", 0)


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (0, "whist"), (0, 3), (1, 12), (1, "4"), (2, []), (2, {"dance": 1}), (2, {"target": -1}), (3, "Al"), (3, [1, 2, 3, 4]),
        (3, ["Al"] * 4), (4, "7"), (4, -1), (4, 2**70), (4, None), (5, 4), (5, True), (5, -1), (6, "bold"), (6, ["random"]),
        (8, 5), (8, [3]), (8, ["x"]), (9, "1abc"), (9, 5), (10, 2), (10, "1"),
    ],
)  # fmt: skip
def test_a_well_packed_code_with_nonsense_in_it_is_broken_too(at: int, value: Any) -> None:
    assert Session.resume(packed(*GOOD)).ask()["kind"] == "pass"
    with pytest.raises(BrokenCode):
        Session.resume(packed(*GOOD[:at], value, *GOOD[at + 1 :]))
    with pytest.raises(BrokenCode):
        Session.resume(packed(*GOOD[:-1]))


def test_a_code_cannot_hold_more_steps_than_there_are() -> None:
    for steps in ([(0, 286)] * 3 + [(5, 7)] * 300, [(285, 286)] * 5):
        with pytest.raises(BrokenCode):
            Session.resume(packed(*GOOD, steps=steps))
    assert playcode.encode(["x"], [(1, 2)] * (playcode.MOST_ACTIONS + 1)) == ""


def test_every_action_has_a_number_and_comes_back_from_it() -> None:
    chance = random.Random(4)
    game = Game(ruleset("cancellation", 6, target=60), NAMES[:6], seed=9)
    while (asked := game.asked) is not None:
        count = playcode.count(game)
        actions = [playcode.action(game, number) for number in chance.sample(range(count), min(count, 5))]
        for action in actions:
            number, of = playcode.step(game, action)
            assert of == count
            again = playcode.action(game, number)
            if isinstance(action, PassCards):
                assert isinstance(again, PassCards) and sorted(again.cards) == sorted(action.cards)
            else:
                assert again == action
        if asked.kind == "play":
            assert {playcode.action(game, i) for i in range(count)} == {
                PlayCard(asked.seat, card) for card in game.legal_cards()
            }
        with pytest.raises(BrokenCode):
            playcode.action(game, count)
        game.submit(chance.choice(actions))
    with pytest.raises(BrokenCode):
        playcode.action(game, 0)


def test_the_same_card_named_twice_is_one_card_even_where_its_twin_is_held() -> None:
    one = session("cancellation", 6, seat=0)
    held = one._cards()
    key = next(key for key, card in held.items() if list(held.values()).count(card) == 2)
    other = next(other for other, card in held.items() if card is not held[key])
    reply = one.act({"do": "pass", "stamp": one.stamp, "cards": [key, key, other]})
    assert (reply.changed, reply.rule) == (False, "pass.count")


def test_taking_back_leads_to_the_persons_last_decision_and_no_further_than_this_hand() -> None:
    chance = random.Random(6)
    one = session(seat=1)
    asked = [place(one)[1:]]
    for _ in range(5):
        one.act(right(one, chance))
        asked.append(place(one)[1:])
    for before in reversed(asked[:-1]):
        stamp = one.stamp
        assert one.act({"do": "undo", "stamp": stamp}).changed
        assert one.stamp != stamp
        assert place(one)[1:] == before
    reply = one.act({"do": "undo", "stamp": one.stamp})
    assert not reply.changed and reply.text
    while one.ask()["kind"] != "next":
        one.act(right(one, chance))
    one.act({"do": "undo", "stamp": one.stamp})
    assert one.ask()["kind"] in ("play", "moon")
    while one.ask()["kind"] != "next":
        one.act(right(one, chance))
    one.act({"do": "next", "stamp": one.stamp})
    assert not one.undo().changed


def test_without_lessons_nothing_is_taken_back_and_no_hint_given() -> None:
    one = session(lessons=False)
    one.act(right(one, random.Random(1)))
    before = place(one)
    assert not one.undo().changed and one.undo().text
    assert set(one.hint()) == {"text"}
    assert place(one) == before


@pytest.mark.parametrize(("game", "seats"), [("hearts", 4), ("cancellation", 8)])
def test_a_hint_is_a_legal_choice_and_one_sentence(game: str, seats: int) -> None:
    chance = random.Random(9)
    one = session(game, seats, seat=1, target=20)
    while (kind := one.ask()["kind"]) != "over":
        hint = one.hint()
        if kind == "next":
            assert set(hint) == {"text"}
            one.act(right(one, chance))
            continue
        assert hint["text"].endswith(".")
        before = one.stamp
        answer = {"do": kind, "stamp": one.stamp, **{k: hint[k] for k in ("cards", "choice") if k in hint}}
        assert one.act(answer).changed
        assert one.stamp != before


def test_a_hint_sees_what_the_person_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    one = session()
    seen: list[Any] = []
    real = hints.hint
    monkeypatch.setattr(hints, "hint", lambda view, stream: (seen.append(view), real(view, stream))[1])
    one.hint()
    assert seen == [view(one._game)]
    assert seen[0].seat == one.seat


def test_the_same_cards_can_be_played_again() -> None:
    chance = random.Random(2)
    one = session(seat=0)
    first = one.ask(), one.seen()
    while one.ask()["kind"] != "next":
        one.act(right(one, chance))
    one.act({"do": "next", "stamp": one.stamp})
    second = one.ask(), one.seen()
    one.act(right(one, chance))
    one.act({"do": "hand", "stamp": one.stamp})
    assert (one.ask(), one.seen()) == second
    assert one.hands == 2
    one.act({"do": "match", "stamp": one.stamp})
    assert (one.ask(), one.seen()) == first
    assert one.sheet()["rows"] == []


def test_going_on_from_a_link_starts_at_that_step_at_the_seat_to_act() -> None:
    game = Game(ruleset("cancellation", 6), NAMES[:6], seed=11)
    other = Session(game.ruleset, game.names, 0, "random", 11)
    while other.ask()["kind"] != "next":
        other.act(right(other, random.Random(1)))
    whole = other._game
    events = record.hands_of(whole.events)[0]
    code = record.encode(whole, 1)
    for at in (0, 2, 5, 20, 60, len(events) - 3):
        one = Session.from_link(code, at)
        assert one.seat == (one._game.asked.seat if one.ask()["kind"] in ("pass", "play", "moon") else 0)
        truth = one._game.events
        assert truth[:at] == events[:at]
        before = place(one)[1:]
        again = Session.resume(one.code())
        assert place(again)[1:] == before
        assert not one.undo().changed
        if one.ask()["kind"] in ("pass", "play"):
            one.act(right(one, random.Random(2)))
            one.act({"do": "match", "stamp": one.stamp})
            assert place(one)[1:] == before


def test_going_on_from_every_example_ends_well() -> None:
    for path in record.examples():
        game = record.load(path).game
        code = record.encode(game, game.number)
        one = Session.from_link(code, 3)
        chance = random.Random(1)
        for _ in range(100):
            if one.ask()["kind"] in ("next", "over"):
                break
            one.act(right(one, chance))
        assert one.ask()["kind"] in ("next", "over"), path


@pytest.mark.parametrize("at", [-1, None, "3", True])
def test_a_link_with_a_strange_step_is_refused(at: Any) -> None:
    code = record.encode(Game(ruleset("hearts", 4), NAMES[:4], seed=1))
    with pytest.raises(SessionError):
        Session.from_link(code, at)
    with pytest.raises(record.RecordError):
        Session.from_link("1broken", 1)


def test_what_cannot_be_set_up_says_why() -> None:
    rules = ruleset("hearts", 4)
    for seat in (-1, 4, None, "0"):
        with pytest.raises(SessionError):
            Session(rules, NAMES[:4], seat, "random", 1)  # type: ignore[arg-type]
    with pytest.raises(SessionError):
        Session(rules, NAMES[:4], 0, ["random"], 1)
    with pytest.raises(UnknownPlayer):
        Session(rules, NAMES[:4], 0, "bold", 1)
    with pytest.raises(GameError):
        Session(rules, NAMES[:3], 0, "random", 1)


def test_seeds_are_short() -> None:
    assert all(1 <= new_seed() <= 999_999 for _ in range(50))
