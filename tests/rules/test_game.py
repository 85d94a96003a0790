"""The game as a whole: what it refuses without changing anything, what cannot be set up, undo, and given deals."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from cancel_hearts_nb import events as ev
from cancel_hearts_nb import explain
from cancel_hearts_nb.cards import cards, in_order, parse
from cancel_hearts_nb.game import (
    ChooseMoon,
    Game,
    GameError,
    Given,
    IllegalAction,
    PassCards,
    PlayCard,
    State,
    fold,
)
from cancel_hearts_nb.players import RandomPlayer, play, view
from cancel_hearts_nb.rulebook import BY_ID
from cancel_hearts_nb.ruleset import MoonChoice, ruleset
from cancel_hearts_nb.seeds import Stream, key

from .tables import TwinPlayer, arranged, moon_hands, names, replay, shoot, split, twins_apart

RULES = ruleset("cancellation", 8)
HEARTS = ruleset("hearts", 4)


def snapshot(game: Game) -> Any:
    """All that could change, copied."""
    return (
        game.events,
        game.actions,
        game.asked,
        {name: copy.deepcopy(getattr(game.state, name)) for name in State.__slots__},
    )


def refused(game: Game, action: Any) -> str:
    """The rule of the refusal; the game must be as before, and the error, the refusal and the sentence must agree."""
    before = snapshot(game)
    with pytest.raises(IllegalAction) as caught:
        game.submit(action)
    assert snapshot(game) == before
    refusal = caught.value.refusal
    assert refusal == game.refusal(action)
    assert refusal.rule in BY_ID
    assert str(caught.value) == explain.refusal(refusal, game.names)
    assert "%(" not in str(caught.value) and str(caught.value).endswith(".")
    assert snapshot(game) == before
    return refusal.rule


def passing() -> Game:
    return Game(RULES, names(8), 7, dealer=7)


def playing(rules: Any = RULES) -> Game:
    game = Game(rules, names(rules.seats), 7, dealer=rules.seats - 1)
    while game.asked is not None and game.asked.kind == "pass":
        game.submit(PassCards(game.asked.seat, game.state.hands[game.asked.seat][:3]))  # type: ignore[arg-type]
    return game


def moon() -> Game:
    held, kitty = moon_hands(RULES, 2)
    return shoot(arranged(RULES, held, kitty, 1, hands=1))


def over() -> Game:
    return play(Game(RULES, names(8), 7, hands=1), [RandomPlayer()] * 8)


class TestRefusedWhilePassing:
    def test_wrong_moment(self) -> None:
        game = passing()
        assert refused(game, PlayCard(0, game.state.hands[0][0])) == "play.moment"
        assert refused(game, ChooseMoon(0, MoonChoice.SUBTRACT)) == "play.moment"

    def test_wrong_seat(self) -> None:
        game = passing()
        assert refused(game, PassCards(1, game.state.hands[1][:3])) == "play.turn"
        game.submit(PassCards(0, game.state.hands[0][:3]))
        assert refused(game, PassCards(0, game.state.hands[0][:3])) == "play.turn"

    @pytest.mark.parametrize("seat", [-1, 8, 99, 2**70])
    def test_no_such_seat(self, seat: int) -> None:
        game = passing()
        assert refused(game, PassCards(seat, game.state.hands[0][:3])) == "play.seat"

    @pytest.mark.parametrize("count", [0, 1, 2, 4, 13])
    def test_another_number_of_cards(self, count: int) -> None:
        game = passing()
        assert refused(game, PassCards(0, game.state.hands[0][:count])) == "pass.count"

    def test_a_card_not_held(self) -> None:
        game = passing()
        hand = game.state.hands[0]
        absent = next(card for card in RULES.pack if card not in hand)
        assert refused(game, PassCards(0, (*hand[:2], absent))) == "pass.held"
        assert str(absent.symbol) in explain.refusal(game.refusal(PassCards(0, (*hand[:2], absent))), game.names)  # type: ignore[arg-type]

    def test_one_copy_twice(self) -> None:
        game = passing()
        single = [card for card, n in Counter(game.state.hands[0]).items() if n == 1]
        assert refused(game, PassCards(0, (single[0], single[0], single[1]))) == "pass.held"
        assert refused(game, PassCards(0, (single[0],) * 3)) == "pass.held"

    def test_both_copies_may_go(self) -> None:
        game = Game(RULES, names(8), 7, dealer=7, deals=[split(RULES, RULES.pack)])
        assert game.state.hands[0][:2] == cards("2C 2C")
        game.submit(PassCards(0, cards("2C 2C 3C")))
        assert game.asked == ("pass", 1)


class TestRefusedWhilePlaying:
    def test_wrong_moment(self) -> None:
        game = playing()
        assert refused(game, PassCards(0, game.state.hands[0][:3])) == "play.moment"
        assert refused(game, ChooseMoon(0, MoonChoice.SUBTRACT)) == "play.moment"

    def test_wrong_seat(self) -> None:
        game = playing()
        for seat in range(1, 8):
            assert refused(game, PlayCard(seat, game.state.hands[seat][0])) == "play.turn"  # type: ignore[arg-type]

    @pytest.mark.parametrize("seat", [-1, 8, 2**70])
    def test_no_such_seat(self, seat: int) -> None:
        game = playing()
        assert refused(game, PlayCard(seat, game.state.hands[0][0])) == "play.seat"  # type: ignore[arg-type]

    def test_a_card_not_held(self) -> None:
        game = playing()
        absent = next(card for card in RULES.pack if card not in game.state.hands[0])
        assert refused(game, PlayCard(0, absent)) == "play.held"

    def test_a_second_card_to_the_same_trick(self) -> None:
        game = playing()
        game.submit(PlayCard(0, game.legal_cards()[0]))
        assert refused(game, PlayCard(0, game.state.hands[0][0])) == "play.turn"  # type: ignore[arg-type]

    def test_a_card_played_already(self) -> None:
        game = playing()
        card = next(card for card in game.legal_cards() if game.state.hands[0].count(card) == 1)
        game.submit(PlayCard(0, card))
        while game.asked is None or game.asked.seat != 0:
            assert game.asked is not None
            game.submit(PlayCard(game.asked.seat, game.legal_cards()[0]))
        assert refused(game, PlayCard(0, card)) == "play.held"

    def test_a_revoke(self) -> None:
        game = playing()
        for _ in range(60):
            position = game.position
            suit = position.trick.suit
            follows = [card for card in position.hand if card.suit is suit]
            if suit is not None and follows and len(follows) < len(position.hand):
                wrong = next(card for card in position.hand if card.suit is not suit)
                assert refused(game, PlayCard(position.seat, wrong)) == "follow.suit"
                return
            game.submit(PlayCard(position.seat, game.legal_cards()[0]))
        raise AssertionError("nobody could revoke")

    def test_the_opening_lead(self) -> None:
        game = playing(HEARTS)
        seat = game.position.seat
        wrong = next(card for card in game.position.hand if str(card) != "2C")
        assert refused(game, PlayCard(seat, wrong)) == "lead.low_club"

    def test_penalty_cards_on_the_first_trick(self) -> None:
        hands = [in_order(cards(text)) for text in ("2C 5D", "4D QS 9H", "3C 5C")]
        game = arranged_middle(ruleset("hearts", 3), hands, first=1)
        game.submit(PlayCard(0, parse("2C")))
        assert refused(game, PlayCard(1, parse("QS"))) == "follow.first_trick"
        assert refused(game, PlayCard(1, parse("9H"))) == "follow.first_trick"

    def test_a_heart_led_too_early(self) -> None:
        hands = [in_order(cards(text)) for text in ("2C 5H", "4D QS", "3C 5C")]
        game = arranged_middle(ruleset("hearts", 3), hands, first=2)
        assert refused(game, PlayCard(0, parse("5H"))) == "lead.hearts_unbroken"


def arranged_middle(rules: Any, hands: list[Any], first: int) -> Game:
    return Game(
        rules,
        names(rules.seats),
        None,
        rules.seats - 1,
        [Given(tuple(hands), (), ev.Middle(first, False, (), 2, False), 0)],
    )


class TestRefusedAtTheMoonAndAfter:
    def test_a_choice_that_is_none(self) -> None:
        game = moon()
        for choice in (MoonChoice.PLAYER, "player", "both", "", None):
            assert refused(game, ChooseMoon(2, choice)) == "score.moon_choice"  # type: ignore[arg-type]

    def test_wrong_seat_and_moment(self) -> None:
        game = moon()
        assert refused(game, ChooseMoon(3, MoonChoice.SUBTRACT)) == "play.turn"
        assert refused(game, ChooseMoon(9, MoonChoice.SUBTRACT)) == "play.seat"
        assert refused(game, PlayCard(2, parse("2C"))) == "play.moment"

    def test_a_choice_as_text_is_taken(self) -> None:
        game = moon()
        game.submit(ChooseMoon(2, "subtract"))  # type: ignore[arg-type]
        assert any(e == ev.MoonChosen(2, "subtract") for e in game.events)

    def test_when_all_is_over(self) -> None:
        game = over()
        assert game.asked is None
        for action in (PlayCard(0, parse("2C")), PassCards(0, cards("2C 3C 4C")), ChooseMoon(0, MoonChoice.SUBTRACT)):
            assert refused(game, action) == "play.moment"


@pytest.mark.parametrize("make", [passing, playing, moon, over])
@pytest.mark.parametrize("thing", [None, (), "QS", 7, (0, "QS"), Ellipsis, {"seat": 0}, ev.PassSkipped()], ids=repr)
def test_an_object_that_is_no_action(make: Callable[[], Game], thing: Any) -> None:
    assert refused(make(), thing) == "play.moment"


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_refused_changes_nothing_and_whatever_is_legal_is_accepted(seed: int) -> None:
    chance = Stream(key(seed, 0))
    rules = chance.pick([RULES, HEARTS, ruleset("cancellation", 11), ruleset("omnibus", 3)])
    game = Game(rules, names(rules.seats), seed, hands=1)
    for _ in range(chance.below(70)):
        if game.asked is not None:
            game.submit(RandomPlayer().choose(view(game), game.stream(game.asked.seat)))
    for _ in range(40):
        seat = chance.below(rules.seats + 2) - 1
        some = tuple(chance.pick(rules.pack) for _ in range(chance.below(6)))
        if game.asked is not None and chance.below(2):
            # nearly right is more of a trial than quite wrong
            seat = game.asked.seat
            some = tuple(chance.pick(game.state.hands[seat] or rules.pack) for _ in range(3))  # type: ignore[misc]
        action = chance.pick(
            [
                PassCards(seat, some),
                PlayCard(seat, (*some, rules.pack[0])[0]),
                ChooseMoon(seat, chance.pick(list(MoonChoice))),
            ]
        )
        if game.refusal(action) is not None:
            refused(game, action)
            continue
        assert game.asked is not None and action.seat == game.asked.seat
        assert not isinstance(action, PlayCard) or action.card in game.legal_cards()
        before = game.events
        assert game.submit(action)
        game.undo()
        assert game.events == before


# What is not typed as it should be must be refused like anything else, and change nothing.
CARELESS = {
    "a seat that is no whole number": (playing, lambda game: PlayCard(0.0, game.legal_cards()[0])),  # type: ignore[arg-type]
    "a seat that is True or False": (playing, lambda game: PlayCard(False, game.legal_cards()[0])),
    "a card that is a text": (playing, lambda game: PlayCard(0, str(game.legal_cards()[0]))),  # type: ignore[arg-type]
    "no card": (playing, lambda game: PlayCard(0, None)),  # type: ignore[arg-type]
    "cards that are texts": (passing, lambda game: PassCards(0, tuple(map(str, game.state.hands[0][:3])))),
    "cards that are None": (passing, lambda game: PassCards(0, (None,) * 3)),  # type: ignore[arg-type]
    "no cards at all": (passing, lambda game: PassCards(0, None)),  # type: ignore[arg-type]
    "one text": (passing, lambda game: PassCards(0, "2C3")),  # type: ignore[arg-type]
    "lists": (passing, lambda game: PassCards(0, ([], [], []))),  # type: ignore[arg-type]
    "a choice that is a list": (moon, lambda game: ChooseMoon(2, [])),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", CARELESS)
def test_a_careless_action_is_refused_and_changes_nothing(what: str) -> None:
    make, action = CARELESS[what]
    game = make()
    before = snapshot(game)
    with pytest.raises(IllegalAction) as caught:
        game.submit(action(game))
    assert snapshot(game) == before
    assert str(caught.value)


def test_cards_from_a_generator_are_cards() -> None:
    game = passing()
    hand = game.state.hands[0]
    game.submit(PassCards(0, (card for card in hand[:3])))  # type: ignore[arg-type]
    assert game.events[-1] == ev.Passed(0, 1, hand[:3])


def test_a_given_deal_in_any_order_is_a_hand_in_order() -> None:
    deal = split(HEARTS, HEARTS.pack)
    game = Game(HEARTS, names(4), None, 0, [Given(tuple(list(reversed(hand)) for hand in deal.hands))], number=4)  # type: ignore[arg-type]
    assert game.events[1] == ev.Dealt(deal.hands)
    rules = ruleset("cancellation", 6)
    hands, kitty = (deal := twins_apart(rules, 3)).hands, deal.kitty
    game = Game(rules, names(6), None, 0, [Given(hands, tuple(reversed(kitty)))])
    assert game.events[2] == ev.KittySet(kitty) and kitty[0] is not kitty[1]


@pytest.mark.parametrize("wrong", [{"number": 0}, {"number": -1}, {"hands": 0}], ids=str)
def test_numbers_count_from_one(wrong: dict[str, int]) -> None:
    with pytest.raises(GameError):
        Game(HEARTS, names(4), 7, **wrong)  # type: ignore[arg-type]


# --- setting up -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"names": names(7)}, "deal.players"),
        ({"names": names(9)}, "deal.players"),
        ({"names": ["Al"] * 8}, ""),
        ({"names": [*names(7), ""]}, ""),
        ({"seed": -1}, ""),
        ({"seed": 2**63}, ""),
        ({"seed": 1.5}, ""),
        ({"seed": "7"}, ""),
        ({"seed": True}, ""),
        ({"seed": None}, ""),
        ({"seed": None, "dealer": 0}, ""),
        ({"seed": None, "deals": [split(RULES, RULES.pack)]}, ""),
        ({"dealer": 8}, "deal.dealer"),
        ({"dealer": -1}, "deal.dealer"),
        ({"dealer": "Al"}, "deal.dealer"),
        ({"deals": [Given(split(RULES, RULES.pack).hands[:7])]}, "deal.even"),
        ({"deals": [Given((RULES.pack[:12], *split(RULES, RULES.pack).hands[1:]), RULES.pack[12:13])]}, "deal.even"),
        ({"deals": [Given((cards("2C") * 13, *split(RULES, RULES.pack).hands[1:]))]}, "deal.packs"),
        ({"deals": [Given(split(RULES, RULES.pack).hands, cards("2C"))]}, "deal.packs"),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_set_up(change: dict[str, Any], rule: str) -> None:
    usual: dict[str, Any] = {"names": names(8), "seed": 7, "dealer": None, "deals": ()}
    with pytest.raises(GameError) as caught:
        Game(RULES, **{**usual, **change})
    assert caught.value.rule == rule
    assert str(caught.value)
    Game(RULES, **usual)


def test_a_missing_and_a_doubled_card_are_named() -> None:
    deal = split(HEARTS, HEARTS.pack)
    wrong = Given((in_order([*deal.hands[0][1:], parse("AH")]), *deal.hands[1:]))
    with pytest.raises(GameError, match="too many “AH”, missing “2C”"):
        Game(HEARTS, names(4), None, 0, [wrong])


def test_no_position_when_no_card_is_to_be_played() -> None:
    for game in (passing(), moon(), over()):
        with pytest.raises(GameError) as caught:
            _ = game.position
        assert caught.value.rule == "play.moment"
        with pytest.raises(GameError):
            game.legal_cards()
    with pytest.raises(GameError):
        view(over())


# --- fragments ------------------------------------------------------------------------------------------------------


def fragment(last: bool, tricks: int, *texts: str, aside: str = "", kitty: str = "") -> Game:
    """A fragment of six seats led by seat 0, each hand written as a text; its first trick is played."""
    rules = ruleset("cancellation", 6)
    hands = tuple(in_order(cards(text)) for text in texts)
    game = Game(
        rules, names(6), None, 5, [Given(hands, cards(kitty), ev.Middle(4, True, cards(aside), tricks, last), 0)]
    )
    for seat, text in enumerate(texts):
        game.submit(PlayCard(seat, cards(text)[0]))
    return game


DEAD = ("5D", "5D", "KC", "AS", "7H", "2C")


def test_a_fragment_ends_with_its_last_trick_and_scores_nothing() -> None:
    game = fragment(False, 1, *DEAD)
    assert game.asked is None
    assert game.events[-1] == ev.TrickDead(0, cards(" ".join(DEAD)), "trick.none_left")
    assert list(game.state.aside) == list(cards(" ".join(DEAD)))
    assert game.state.trick_number == 4 and not game.state.scored
    assert refused(game, PlayCard(0, parse("2C"))) == "play.moment"


def test_the_last_trick_of_a_hand_in_a_fragment() -> None:
    game = fragment(True, 1, *DEAD, aside="8C 8C", kitty="KH 2D")
    assert game.asked is None
    assert game.events[-1] == ev.AsideLost((*cards("2D KH 8C 8C"), *cards(" ".join(DEAD))), kitty=2)
    assert not any(isinstance(e, ev.HandScored) for e in game.events)


def test_a_fragment_may_end_before_the_hands_are_empty() -> None:
    more = [f"{one} {two}" for one, two in zip(DEAD, ("3D", "4D", "4C", "4S", "8H", "3C"), strict=True)]
    game = fragment(False, 1, *more)
    assert game.asked is None and all(len(hand) == 1 for hand in game.state.hands)
    game = fragment(False, 2, *more)
    assert game.asked == ("play", 0) and game.events[-1] == ev.LeadAssigned(0, "lead.after_dead")
    last = fragment(True, 2, *more)
    assert not any(isinstance(e, ev.AsideLost) for e in last.events)


def test_a_fragment_has_no_pass_and_starts_where_it_says() -> None:
    game = fragment(False, 2, *[f"{card} 2S" for card in DEAD])
    kinds = {type(e) for e in game.events}
    assert not kinds & {ev.PassSkipped, ev.Passed, ev.Received, ev.HeartsBroken}
    assert game.events[2] == ev.LeadAssigned(0, "play.lead")
    middle = ev.Middle(1, False, (), 1, False)
    rules = ruleset("cancellation", 6)
    first = Game(rules, names(6), None, 5, [Given(tuple(cards(c) for c in DEAD), (), middle, 0)])
    assert first.events[-1] == ev.LeadAssigned(0, "lead.opening")


# --- undo -----------------------------------------------------------------------------------------------------------


def test_undo_to_the_start_and_again() -> None:
    game = play(Game(HEARTS, names(4), 3, hands=2), [RandomPlayer()] * 4)
    events, actions = game.events, game.actions
    start = Game(HEARTS, names(4), 3, hands=2)
    for left in range(len(actions) - 1, -1, -1):
        assert game.undo()
        assert len(game.actions) == left
    assert not game.undo()
    assert game.events == start.events and game.asked == start.asked
    replay(game, actions)
    assert game.events == events


def test_undo_over_the_end_of_a_hand() -> None:
    game = play(Game(RULES, names(8), 3, hands=1), [RandomPlayer()] * 8)
    longer = Game(RULES, names(8), 3, hands=2)
    replay(longer, game.actions)
    assert longer.state.number == 2 and longer.asked == ("pass", 0)
    totals = longer.state.totals
    assert any(totals)
    last = longer.actions[-1]
    assert longer.undo()
    assert longer.state.number == 1 and longer.state.totals == (0,) * 8 and not longer.state.scored
    assert longer.asked == ("play", last.seat)
    assert longer.legal_cards() == longer.state.hands[last.seat] == (last.card,)  # type: ignore[union-attr]
    came = longer.submit(last)
    assert longer.state.number == 2 and longer.state.totals == totals
    assert [type(e) for e in came][-2:] == [ev.HandStarted, ev.Dealt]


def test_undo_the_last_pass_takes_back_what_was_received() -> None:
    game = passing()
    for seat in range(8):
        game.submit(PassCards(seat, game.state.hands[seat][:3]))
    assert game.asked == ("play", 0)
    game.undo()
    assert game.asked == ("pass", 7)
    assert not any(isinstance(e, ev.Received) for e in game.events)
    assert [len(hand) for hand in game.state.hands] == [10] * 7 + [13]


def test_undo_a_moon_choice_and_choose_the_other() -> None:
    game = moon()
    game.submit(ChooseMoon(2, MoonChoice.SUBTRACT))
    assert game.state.points[2] == -26
    game.undo()
    assert game.asked == ("moon", 2) and game.state.choice is None and game.state.points == ()
    game.submit(ChooseMoon(2, MoonChoice.ADD_TO_OTHERS))
    assert game.state.points == tuple(0 if seat == 2 else 26 for seat in range(8))


def test_undo_the_end_of_the_match() -> None:
    game = play(Game(ruleset("hearts", 3, target=1), names(3), 2), [RandomPlayer()] * 3)
    assert game.state.winners
    assert game.undo()
    assert game.state.winners == () and game.asked is not None
    assert not any(isinstance(e, ev.MatchWon) for e in game.events)


def test_another_card_after_undo() -> None:
    game = playing()
    first, second = tuple(dict.fromkeys(game.legal_cards()))[:2]
    game.submit(PlayCard(0, first))
    game.undo()
    game.submit(PlayCard(0, second))
    assert game.state.trick is not None and game.state.trick.cards == (second,)
    assert game.actions[-1] == PlayCard(0, second)


# --- given deals, numbers, dealers ----------------------------------------------------------------------------------


def test_given_deals_come_first_and_the_seed_deals_the_rest() -> None:
    given_deals = (twins_apart(RULES), split(RULES, RULES.pack))
    game = play(Game(RULES, names(8), 3, deals=given_deals, hands=3), [TwinPlayer()] * 8)
    dealt = [e.hands for e in game.events if isinstance(e, ev.Dealt)]
    assert dealt[:2] == [given_deals[0].hands, given_deals[1].hands]
    seeded = play(Game(RULES, names(8), 3, hands=3), [RandomPlayer()] * 8)
    assert dealt[2] == [e.hands for e in seeded.events if isinstance(e, ev.Dealt)][2]


def test_without_a_seed_the_game_ends_with_the_last_given_hand() -> None:
    given_deals = (twins_apart(HEARTS), split(HEARTS, HEARTS.pack))
    game = play(Game(HEARTS, names(4), None, 1, given_deals), [RandomPlayer()] * 4)
    assert game.asked is None and game.state.number == 2 and game.state.scored
    assert not any(isinstance(e, ev.MatchWon) for e in game.events)


def test_a_kitty_is_given_too() -> None:
    rules = ruleset("cancellation", 7)
    deal = twins_apart(rules)
    game = Game(rules, names(7), None, 0, [deal])
    assert game.events[2] == ev.KittySet(deal.kitty) and len(deal.kitty) == 6
    assert game.state.aside == list(deal.kitty)


@pytest.mark.parametrize(("number", "to"), [(1, 1), (2, 3), (3, 2), (4, None), (5, 1), (8, None)])
def test_the_number_of_the_first_hand_decides_the_pass(number: int, to: int | None) -> None:
    game = Game(HEARTS, names(4), 7, dealer=1, number=number)
    assert game.events[0] == ev.HandStarted(number, 1)
    if to is None:
        assert game.asked is not None and game.asked.kind == "play"
    else:
        came = game.submit(PassCards(0, game.state.hands[0][:3]))  # type: ignore[arg-type]
        assert came[0].to == to  # type: ignore[attr-defined]


def test_hands_follow_on_from_the_first_number() -> None:
    game = play(Game(HEARTS, names(4), 7, dealer=2, number=4, hands=3), [RandomPlayer()] * 4)
    started = [(e.number, e.dealer) for e in game.events if isinstance(e, ev.HandStarted)]
    assert started == [(4, 2), (5, 3), (6, 0)]
    scored = [e for e in game.events if isinstance(e, ev.HandScored)]
    assert len(scored) == 3 and game.asked is None
    total = (0, 0, 0, 0)
    for event in scored:
        total = tuple(a + b for a, b in zip(total, event.points, strict=True))  # type: ignore[assignment]
        assert event.totals == total


def test_hands_limits_the_match() -> None:
    for hands in (1, 2):
        game = play(Game(RULES, names(8), 7, hands=hands), [RandomPlayer()] * 8)
        assert sum(isinstance(e, ev.HandScored) for e in game.events) == hands
        assert game.asked is None


@pytest.mark.parametrize("dealer", range(8))
def test_the_dealer_given_deals_first(dealer: int) -> None:
    game = Game(RULES, names(8), 7, dealer=dealer)
    assert game.events[0] == ev.HandStarted(1, dealer)
    for seat in range(8):
        game.submit(PassCards(seat, game.state.hands[seat][:3]))
    assert game.asked == ("play", (dealer + 1) % 8)


def test_the_first_dealer_is_drawn_by_lot() -> None:
    drawn = Counter(Game(RULES, names(8), seed).state.dealer for seed in range(400))
    assert set(drawn) == set(range(8))
    assert min(drawn.values()) > 20
    assert Game(RULES, names(8), 5).state.dealer == Game(RULES, names(8), 5).state.dealer


def test_names_do_not_change_the_game() -> None:
    one = play(Game(HEARTS, names(4), 9, hands=1), [RandomPlayer()] * 4)
    other = play(Game(HEARTS, ["א", "ب", "O'zbek", "Հայ"], 9, hands=1), [RandomPlayer()] * 4)
    assert one.events == other.events


def test_the_stream_of_a_choice_depends_on_nothing_played_before() -> None:
    """A player draws the same numbers for the same trick, whatever others have done."""
    one, other = playing(), playing()
    one.submit(PlayCard(0, one.legal_cards()[0]))
    other.submit(PlayCard(0, other.legal_cards()[-1]))
    assert one.stream(1).draw() == other.stream(1).draw()
    assert one.stream(1).draw() != one.stream(2).draw()


def test_the_state_is_the_fold_of_the_events_at_every_moment() -> None:
    game = Game(ruleset("cancellation", 9), names(9), 4, hands=1)
    while game.asked is not None:
        folded = fold(game.ruleset, game.events)
        for name in State.__slots__:
            assert getattr(folded, name) == getattr(game.state, name), name
        game.submit(TwinPlayer().choose(view(game), game.stream(game.asked.seat)))


def test_events_returned_are_the_events_added() -> None:
    game = Game(HEARTS, names(4), 4, hands=1)
    collected = list(game.events)
    while game.asked is not None:
        collected += game.submit(RandomPlayer().choose(view(game), game.stream(game.asked.seat)))
    assert tuple(collected) == game.events


def test_events_and_cards_cannot_be_changed() -> None:
    game = passing()
    with pytest.raises(AttributeError):
        game.events[0].number = 3  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        game.state.hands[0][0].rank = 3  # type: ignore[union-attr, misc, assignment]
