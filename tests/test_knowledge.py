"""What a seat can know of the cards it does not see: never more than is true, and as much as the rules force."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from cancel_hearts_nb.cards import cards
from cancel_hearts_nb.events import Middle
from cancel_hearts_nb.game import Game, Given
from cancel_hearts_nb.knowledge import ALL_KINDS, GONE, KITTY, Knowledge, kind, knowledge
from cancel_hearts_nb.players import RandomPlayer, SeatView, player, view
from cancel_hearts_nb.rules.nouns import Trick, trick
from cancel_hearts_nb.ruleset import CHOICES, OPTIONS, Ruleset, RulesetError, ruleset

NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()
TABLES = [(game, seats) for game in ("hearts", "omnibus") for seats in range(3, 8)]
TABLES += [("cancellation", seats) for seats in range(6, 12)]


def any_rules(name: str, seats: int, chance: random.Random) -> Ruleset:
    """A ruleset of that table with every option by chance, as far as it exists."""
    while True:
        options: dict[str, object] = {key: chance.choice(list(CHOICES[key])) for key in OPTIONS if key in CHOICES}
        options["pass_count"] = chance.choice([0, 1, 3, 3, 5])
        if name == "cancellation":
            options |= {"opening": "dealer_left", "omnibus": "off"}
        try:
            return ruleset(name, seats, **options)
        except RulesetError:
            continue


def positions(name: str, seats: int, hands: int, seed: int) -> Iterator[tuple[Game, SeatView]]:
    """Positions in which a seat is to pass or play, with the game behind them; half of the hands under odd options."""
    chance = random.Random(seed)
    for i in range(hands):
        rules = any_rules(name, seats, chance) if i % 2 else ruleset(name, seats)
        number = chance.randrange(1, 5)
        game = Game(rules, NAMES[:seats], seed=chance.randrange(10**6), number=number, hands=1)
        players = [player("cautious") if chance.random() < 0.5 else RandomPlayer() for _ in range(seats)]
        while (asked := game.asked) is not None:
            now = view(game)
            if asked.kind != "moon":
                yield game, now
            game.submit(players[asked.seat].choose(now, game.stream(asked.seat)))


def true_cards(game: Game, now: SeatView, seat: int) -> Counter[object]:
    """What really lies at a place: at the pass, what was dealt to the seat."""
    s = game.state
    if seat == KITTY:
        kitty = next((e.cards for e in game.events if type(e).__name__ == "KittySet"), ())
        return Counter(kitty)
    return Counter(s.hands[seat]) + (Counter(s.passed.get(seat, ())) if now.asked == "pass" else Counter())


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_nothing_is_known_that_is_not_true(name: str, seats: int) -> None:
    for game, now in positions(name, seats, 6, seed=seats):
        known = knowledge(now)
        total: Counter[object] = Counter(known.unseen)
        for place in known.places:
            held = true_cards(game, now, place.seat)
            certain = Counter(place.certain)
            assert held.total() == place.size + certain.total()
            assert not certain - held
            assert {kind(card) for card in (held - certain).elements()} <= place.may  # type: ignore[arg-type]
            total.subtract(held - certain)
        assert not any(total.values())
        kitty_taken_by = [e.seat for e in game.events if type(e).__name__ == "AsideTaken" and e.kitty]
        assert known.taker == (kitty_taken_by[0] if kitty_taken_by else None)


def base(rules: Ruleset, hand: str, tricks: tuple[Trick, ...], now: Trick, **more: object) -> SeatView:
    shown = view(Game(rules, NAMES[: rules.seats], seed=1, dealer=0, number=4))
    seat = (now.leader + len(now.plays)) % rules.seats
    return shown._replace(
        asked="play", seat=seat, hand=cards(hand), legal=cards(hand), trick=now, tricks=tricks,
        trick_number=len(tricks) + 1, kitty=0, aside=(), given=(), received=(), choices=(), **more,
    )  # fmt: skip


def may(known: Knowledge, seat: int) -> frozenset[int]:
    return next(place.may for place in known.places if place.seat == seat)


CLUBS, DIAMONDS, SPADES, MARIA, HEARTS = ALL_KINDS
HAND = "4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H"
INFERENCES = {
    "a club that is not followed": ({}, [], trick(0, "2C 3D", 4), 1, {DIAMONDS, SPADES, MARIA, HEARTS}),
    "a spade that is not followed: no Black Maria either": ({}, [trick(0, "2C 3C 4C 5C", 4)], trick(0, "2S 3D", 4), 1, {CLUBS, DIAMONDS, HEARTS}),
    "a heart thrown on the first trick: nothing but penalty cards": ({}, [], trick(0, "2C 4H", 4), 1, {MARIA, HEARTS}),
    "the same where it is allowed: only the void": ({"first_discard_ban": "off"}, [], trick(0, "2C 4H", 4), 1, {DIAMONDS, SPADES, MARIA, HEARTS}),
    "a heart led before they are broken: nothing else, no Black Maria": ({}, [trick(0, "2C 3C 4C 5C", 4)], trick(0, "4H", 4), 0, {HEARTS}),
    "the same where a heart may stand for her": ({"lead_heart_over_bm": "on"}, [trick(0, "2C 3C 4C 5C", 4)], trick(0, "4H", 4), 0, {MARIA, HEARTS}),
    "a heart led after they are broken: nothing": ({}, [trick(0, "2C 3C 4C 5C", 4), trick(3, "2D 4H 3D JD", 4)], trick(2, "5H", 4), 2, set(ALL_KINDS)),
    "broken by the Black Maria": ({}, [trick(0, "2C 3C 4C 5C", 4), trick(3, "2D QS 3D JD", 4)], trick(2, "5H", 4), 2, set(ALL_KINDS)),
    "not broken by her where she does not": ({"bm_breaks": "off"}, [trick(0, "2C 3C 4C 5C", 4), trick(3, "2D QS 3D JD", 4)], trick(2, "5H", 4), 2, {HEARTS}),
    "the Black Maria led first, against the rule: nothing else": ({"opening": "dealer_left"}, [], trick(0, "QS", 4), 0, {MARIA, HEARTS}),
    "the Black Maria led later: nothing": ({}, [trick(0, "2C 3C 4C 5C", 4)], trick(3, "QS", 4), 3, set(ALL_KINDS)),
}  # fmt: skip


@pytest.mark.parametrize("case", INFERENCES)
def test_what_a_play_rules_out(case: str) -> None:
    options, before, now, seat, wanted = INFERENCES[case]
    shown = base(ruleset("hearts", 4, **options), HAND, tuple(before), now)
    assert may(knowledge(shown), seat) == wanted


def test_passed_cards_stay_with_their_receiver_until_they_are_played() -> None:
    rules = ruleset("cancellation", 6)
    shown = base(rules, HAND, (), trick(1, "QS 2C 3C 4C 5C", 6))._replace(given=cards("QS QS AH"), number=1)
    assert shown.seat == 0
    places = {place.seat: place for place in knowledge(shown).places}
    assert places[1].certain == cards("QS AH")
    assert places[1].size == len(shown.hand) - 1 - 2
    assert all(not place.certain for seat, place in places.items() if seat != 1)


def test_of_a_fragment_the_cards_played_before_are_gone() -> None:
    rules = ruleset("cancellation", 6)
    hands = tuple(cards(text) for text in ("2C 3C", "4C 5C", "6C 7C", "8C 9C", "TC JC", "QC KC"))
    given = Given(hands, (), Middle(5, True, cards("2D 2D 3D 3D 4D 5D"), 2, False), 0)
    game = Game(rules, NAMES[:6], None, 0, [given], hands=1)
    known = knowledge(view(game))
    places = {place.seat: place for place in known.places}
    assert [places[seat].size for seat in range(1, 6)] == [2] * 5
    assert places[GONE].size == 104 - 6 - 2 - 10 == len(known.unseen) - 10
