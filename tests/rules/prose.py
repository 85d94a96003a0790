"""The seven cases of cases.toml that are written in words, as code; `PROSE` finds each by its id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from cancel_hearts_nb import events as ev
from cancel_hearts_nb import explain
from cancel_hearts_nb.cards import Card, Hand, cards, in_order, parse
from cancel_hearts_nb.events import Middle
from cancel_hearts_nb.game import Game, Given, IllegalAction, PassCards, PlayCard
from cancel_hearts_nb.players import RandomPlayer, play, view
from cancel_hearts_nb.ruleset import Ruleset, RulesetError, ruleset

from .tables import names


def refused(game: Game, action: Any) -> str:
    """The rule by which `game` refuses `action`; it must change nothing and say a sentence."""
    before = (game.events, game.actions, game.asked, list(game.state.hands), game.state.trick, game.state.totals)
    try:
        game.submit(action)
    except IllegalAction as error:
        assert error.refusal == game.refusal(action)
        assert str(error) == explain.refusal(error.refusal, game.names) != ""
        assert before == (
            game.events,
            game.actions,
            game.asked,
            list(game.state.hands),
            game.state.trick,
            game.state.totals,
        )
        return error.refusal.rule
    raise AssertionError(f"{action} was not refused")


def dealt(rules: Ruleset, first: Hand, **more: Any) -> Game:
    """A game in which seat 0 holds the cards `first` and otherwise no card of those faces; hands are filled from the pack."""
    rest = [card for card in rules.pack if card not in first]
    left = (Counter(rules.pack) - Counter(first) - Counter(rest)).elements()
    size = rules.hand_size
    own = [*first, *rest[: size - len(first)]]
    others = [*left, *rest[size - len(first) :]]
    hands = [in_order(own)] + [in_order(others[i * size : i * size + size]) for i in range(rules.seats - 1)]
    return Game(
        rules,
        names(rules.seats),
        None,
        rules.seats - 1,
        [Given(tuple(hands), in_order(others[size * (rules.seats - 1) :]))],
        **more,
    )


def t12() -> None:
    for seats in (5, 12):
        _no_table("cancellation", seats)
    for seats in (2, 8):
        _no_table("hearts", seats)
    for seats in (6, 7):
        assert {ruleset(game, seats).name for game in ("cancellation", "hearts")} == {"cancellation", "hearts"}


def _no_table(game: str, seats: int) -> None:
    try:
        ruleset(game, seats)
    except RulesetError as error:
        assert error.rule == "deal.players" and str(error)
    else:
        raise AssertionError(f"{game} with {seats}")


def t23() -> None:
    rules = ruleset("cancellation", 8)
    game = dealt(rules, cards("QS 4D"))
    assert refused(game, PassCards(0, cards("QS 4D"))) == "pass.count"
    assert refused(game, PassCards(0, game.state.hands[0][:4])) == "pass.count"
    absent = next(card for card in rules.pack if card not in game.state.hands[0])
    assert refused(game, PassCards(0, (*cards("QS 4D"), absent))) == "pass.held"
    assert refused(game, PassCards(0, cards("QS QS 4D"))) == "pass.held"
    both = dealt(rules, cards("QS QS 4D"))
    assert both.submit(PassCards(0, cards("QS QS 4D"))) == (ev.Passed(0, 1, cards("4D QS QS")),)


def t24() -> None:
    for game_name, seats in (("cancellation", 8), ("hearts", 4)):
        rules = ruleset(game_name, seats)
        game = Game(rules, names(seats), 11, dealer=0)
        at_deal = game.state.hands[:]
        for seat in range(seats):
            seen = view(game)
            assert seen.received == () and Counter(seen.hand) == Counter(at_deal[seat])
            assert not any(isinstance(e, ev.Received) for e in game.events)
            came = game.state.passed.get((seat - 1) % seats, ())
            fresh = next((card for card in came if card is not None and card not in at_deal[seat]), None)
            if fresh is not None:
                # what has been passed to this seat cannot be passed on
                assert refused(game, PassCards(seat, (fresh, *at_deal[seat][:2]))) == "pass.held"
            game.submit(PassCards(seat, at_deal[seat][-3:]))
        received = [e for e in game.events if isinstance(e, ev.Received)]
        assert [e.seat for e in received] == list(range(seats))
        assert all(e.cards == in_order(at_deal[(e.seat - 1) % seats][-3:]) for e in received)
        assert [len(hand) for hand in game.state.hands] == [rules.hand_size] * seats


def t36() -> None:
    rules = ruleset("cancellation", 6)
    hands = [in_order(cards(text)) for text in ("QS 2D", "KS 5H 6C", "2S 3D", "3S 4D", "4S 5D", "5S 6D")]
    game = _fragment(rules, hands, broken=False)
    for seat, text in enumerate("QS KS 2S 3S 4S 5S".split()):
        game.submit(PlayCard(seat, parse(text)))
    assert game.asked == ("play", 1) and game.state.hearts_broken
    assert game.legal_cards() == cards("6C 5H")


def t43() -> None:
    hands = [in_order(cards(text)) for text in ("AD 3H KD", "QS 4C 5C", "2D 6C 7C")]
    for bm_breaks, legal in (("on", "KD 3H"), ("off", "KD")):
        game = _fragment(ruleset("hearts", 3, bm_breaks=bm_breaks), hands, broken=False)
        for seat, text in enumerate("AD QS 2D".split()):
            game.submit(PlayCard(seat, parse(text)))
        assert game.asked == ("play", 0) and game.state.trick_number == 3
        assert game.legal_cards() == cards(legal)


def _fragment(rules: Ruleset, hands: list[tuple[Card, ...]], broken: bool) -> Game:
    middle = Middle(2, broken, (), len(hands[0]), False)
    return Game(rules, names(rules.seats), None, rules.seats - 1, [Given(tuple(hands), (), middle, 0)])


def t44() -> None:
    for game_name, seats in (("cancellation", 6), ("hearts", 4)):
        game = Game(ruleset(game_name, seats), names(seats), 5, dealer=0)
        while game.asked is not None and game.asked.kind == "pass":
            game.submit(PassCards(game.asked.seat, game.state.hands[game.asked.seat][:3]))
        assert game.asked is not None
        turn = game.asked.seat
        hands = game.state.hands
        absent = next(card for card in game.ruleset.pack if card not in hands[turn])
        reasons = [refused(game, PlayCard(turn, absent))]
        reasons.append(refused(game, PlayCard((turn + 1) % seats, hands[(turn + 1) % seats][0])))  # type: ignore[arg-type]
        game.submit(PlayCard(turn, game.legal_cards()[0]))
        reasons.append(refused(game, PlayCard(turn, game.state.hands[turn][0])))  # type: ignore[arg-type]
        suit = game.position.trick.suit
        while all(card.suit is suit for card in game.position.hand) or not any(
            card.suit is suit for card in game.position.hand
        ):
            game.submit(PlayCard(game.asked.seat, game.legal_cards()[0]))
        revoke = next(card for card in game.position.hand if card.suit is not suit)
        reasons.append(refused(game, PlayCard(game.asked.seat, revoke)))
        assert reasons == ["play.held", "play.turn", "play.turn", "follow.suit"]


def t90() -> None:
    rules = ruleset("cancellation", 8)
    game = play(Game(rules, names(8), 3, dealer=7, hands=3), [RandomPlayer()] * 8)
    started = [i for i, e in enumerate(game.events) if isinstance(e, ev.HandStarted)]
    leads = [next(e for e in game.events[i:] if isinstance(e, ev.LeadAssigned)) for i in started]
    assert [game.events[i].dealer for i in started] == [7, 0, 1]  # type: ignore[attr-defined]
    assert [(e.seat, e.rule) for e in leads] == [(0, "lead.opening"), (1, "lead.opening"), (2, "lead.opening")]


PROSE: dict[str, Callable[[], None]] = {
    "T12": t12, "T23": t23, "T24": t24, "T36": t36, "T43": t43, "T44": t44, "T90": t90,
}  # fmt: skip
