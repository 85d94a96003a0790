"""The built-in players: legal everywhere, better than chance, blind to what they may not see, and with a reason."""

from __future__ import annotations

import statistics

import pytest

from cancel_hearts_nb import explain
from cancel_hearts_nb.cards import cards
from cancel_hearts_nb.cautious import CautiousPlayer, leads_now, moon_choice, taken, unseen
from cancel_hearts_nb.game import Game, PlayCard
from cancel_hearts_nb.playerlist import PLAYERS
from cancel_hearts_nb.players import Player, RandomPlayer, SeatView, UnknownPlayer, play, player, view
from cancel_hearts_nb.rules.nouns import Trick, trick
from cancel_hearts_nb.ruleset import Ruleset, ruleset

TABLES = [(game, seats) for game in ("hearts", "omnibus") for seats in range(3, 8)]
TABLES += [("cancellation", seats) for seats in range(6, 12)]


def names(count: int) -> list[str]:
    return "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()[:count]


def quick(kind: str) -> Player:
    """The player of that name; one that samples looks at a few deals only, which shows the same."""
    if kind != "sampling":
        return player(kind)
    from cancel_hearts_nb.sampling import SamplingPlayer

    return SamplingPlayer(deals=4)


@pytest.mark.parametrize(("name", "seats"), TABLES)
@pytest.mark.parametrize("kind", sorted(PLAYERS))
def test_every_choice_is_legal_and_has_a_sentence(kind: str, name: str, seats: int) -> None:
    game = Game(ruleset(name, seats, target=60), names(seats), seed=3, hands=1 if kind == "sampling" else 2)
    advisers = [quick(kind) for _ in range(seats)]
    while (asked := game.asked) is not None:
        advice = advisers[asked.seat].advise(view(game), game.stream(asked.seat))
        assert explain.reason(advice.reason.key, advice.reason.params).endswith(".")
        game.submit(advice.action)
    assert game.state.scored


def test_an_unknown_player_is_named() -> None:
    with pytest.raises(UnknownPlayer, match="“bold”"):
        player("bold")


@pytest.mark.parametrize(("name", "seats"), [("hearts", 4), ("cancellation", 8)])
def test_cautious_takes_fewer_points_than_random(name: str, seats: int) -> None:
    rules, saved = ruleset(name, seats), []
    for seed in range(80):
        mine = seed % seats
        careful = [CautiousPlayer() if seat == mine else RandomPlayer() for seat in range(seats)]
        with_care = play(Game(rules, names(seats), seed=seed, hands=1), careful).state.points[mine]
        by_chance = play(Game(rules, names(seats), seed=seed, hands=1), [RandomPlayer()] * seats).state.points[mine]
        saved.append(by_chance - with_care)
    assert statistics.mean(saved) > 3 * statistics.stdev(saved) / len(saved) ** 0.5


def made_view(rules: Ruleset, hand: str, legal: str, now: Trick, **more: object) -> SeatView:
    """A view of seat 1 in the second trick, with nothing seen before."""
    shown = view(Game(rules, names(rules.seats), seed=1, dealer=0))
    base = shown._replace(
        asked="play", seat=(now.leader + len(now.plays)) % rules.seats, hand=cards(hand), legal=cards(legal), trick=now,
        trick_number=2, tricks=(), kitty=0, aside=(), given=(), received=(), choices=(),
    )  # fmt: skip
    return base._replace(**more)


CANCELLATION = ruleset("cancellation", 6)
RULES_OF_THUMB = {
    "duck with the highest card that loses": ("3C 9C AC", "3C 9C AC", trick(0, "TC", 6), "9C", "duck"),
    "the Black Maria goes under a king": ("QS 3S", "QS 3S", trick(0, "KS", 6), "QS", "maria_under"),
    "nothing wins beside two pairs": ("5S KS", "5S KS", trick(0, "2S 4S 4S 2S", 6), "KS", "dead"),
    "the Black Maria goes where nobody can win": (
        "5S QS KS",
        "5S QS KS",
        trick(0, "2S 4S 4S 2S", 6),
        "QS",
        "maria_dead",
    ),
    "nothing higher is out": ("QS AS", "QS AS", trick(0, "JS", 6), "AS", "low_least"),
    "the lowest that is not the Black Maria": ("QS KS", "QS KS", trick(0, "JS", 6), "KS", "low_spared"),
    "a twin cancels an ace": ("2D AD", "2D AD", trick(0, "AD", 6), "AD", "cancel"),
    "last to play, it must be won": ("8C QC", "8C QC", trick(1, "3C 4C 5H 6C 7C", 6), "QC", "must_take"),
    "low, hoping for somebody higher": ("JC KC", "JC KC", trick(0, "9C", 6), "JC", "low"),
    "last to play and nothing to lose: a high card goes": (
        "3C AC",
        "3C AC",
        trick(1, "4C 5C 6C 7C 8D", 6),
        "AC",
        "free",
    ),
    "a Black Maria is no card to part with for nothing": (
        "3S QS",
        "3S QS",
        trick(1, "4S 5S 6S 7S 8D", 6),
        "3S",
        "duck",
    ),
    "void: a short suit is emptied first": ("9D JC QC KC AC", "9D JC QC KC AC", trick(0, "9S", 6), "AC", "dump"),
    "void: of cards alike the one of the shorter suit": ("KD JC QC KC", "KD JC QC KC", trick(0, "9S", 6), "KD", "dump"),
    "a lead from a short suit": ("3C 4C 5C 3D", "3C 4C 5C 3D", Trick(0), "3D", "lead_low"),
    "void: the Black Maria first": ("QS AH 2C", "QS AH 2C", trick(0, "9D", 6), "QS", "dump"),
    "void: a high spade while the Black Maria is out": ("AS KH 2C", "AS KH 2C", trick(0, "9D", 6), "AS", "dump"),
    "the only card": ("9H", "9H", trick(0, "9D", 6), "9H", "only"),
    "twins are one choice": ("QS QS", "QS QS", trick(0, "9D", 6), "QS", "only"),
    "a low lead": ("2C AC KD", "2C AC KD", Trick(0), "2C", "lead_low"),
}


@pytest.mark.parametrize("case", RULES_OF_THUMB)
def test_rules_of_thumb(case: str) -> None:
    hand, legal, now, wanted, key = RULES_OF_THUMB[case]
    shown = made_view(CANCELLATION, hand, legal, now)
    advice = CautiousPlayer().advise(shown, None)  # type: ignore[arg-type]
    assert advice.action == PlayCard(shown.seat, cards(wanted)[0])
    assert advice.reason.key == key


def test_with_one_pack_nothing_keeps_the_highest_card_from_winning() -> None:
    shown = made_view(ruleset("hearts", 4), "KC AC", "KC AC", trick(0, "2C", 4))
    advice = CautiousPlayer().advise(shown, None)  # type: ignore[arg-type]
    assert (advice.action, advice.reason.key) == (PlayCard(shown.seat, cards("KC")[0]), "low_wins")


def test_it_gives_nothing_more_to_a_seat_that_has_every_point() -> None:
    rules = ruleset("cancellation", 6)
    won = tuple(trick(0, text, 6) for text in ("AC QS 2C 3C 4C QS",))
    shown = made_view(rules, "KH 2D", "KH 2D", trick(0, "AS", 6), tricks=won)
    assert taken(shown)[0] == list(won[0].cards)
    advice = CautiousPlayer().advise(shown, None)  # type: ignore[arg-type]
    assert advice.action.card == cards("2D")[0]  # type: ignore[union-attr]
    assert advice.reason.key == "stop_moon"


def test_the_last_to_play_takes_what_the_shooter_would_get() -> None:
    rules = ruleset("cancellation", 6)
    won = (trick(0, "AC QS 2C 3C 4C QS", 6),)
    shown = made_view(rules, "4D KD AD", "4D KD AD", trick(0, "QD 2D 3D 5H 3D", 6), tricks=won)
    advice = CautiousPlayer().advise(shown, None)  # type: ignore[arg-type]
    assert (advice.action.card, advice.reason.key) == (cards("KD")[0], "take_moon")  # type: ignore[union-attr]
    calm = CautiousPlayer().advise(shown._replace(tricks=()), None)  # type: ignore[arg-type]
    assert (calm.action.card, calm.reason.key) == (cards("4D")[0], "duck")  # type: ignore[union-attr]


def test_in_hearts_a_high_club_goes_on_the_first_trick() -> None:
    rules = ruleset("hearts", 4)
    shown = made_view(rules, "3C AC", "3C AC", trick(0, "2C", 4), trick_number=1)
    advice = CautiousPlayer().advise(shown, None)  # type: ignore[arg-type]
    assert (advice.action.card, advice.reason.key) == (cards("AC")[0], "free")  # type: ignore[union-attr]


def test_what_was_not_seen_is_counted_with_copies() -> None:
    shown = made_view(CANCELLATION, "QS QS", "QS QS", trick(0, "AD", 6))
    out = unseen(shown)
    assert out[cards("QS")[0]] == 0
    assert out[cards("AD")[0]] == 1
    assert sum(out.values()) == 104 - 3
    assert not leads_now(shown, cards("QS")[0])


MOONS = {
    "subtracting wins": ({}, [20, 160, 100, 100, 100, 100], "subtract"),
    "adding ends it and wins": ({}, [20, 140, 100, 100, 100, 100], "add_to_others"),
    "adding would end it and lose": ({}, [149, 140, 20, 100, 100, 100], "subtract"),
    "neither ends it": ({}, [50, 50, 50, 50, 50, 50], "subtract"),
    "the floor would eat some": ({"score_floor": "0"}, [10, 50, 50, 50, 50, 50], "add_to_others"),
}


@pytest.mark.parametrize("case", MOONS)
def test_the_moon_is_chosen_for_the_place_in_the_match(case: str) -> None:
    options, totals, wanted = MOONS[case]
    rules = ruleset("cancellation", 6, **options)
    shown = made_view(rules, "", "", Trick(0))._replace(asked="moon", seat=0, totals=tuple(totals))
    assert str(moon_choice(shown)) == wanted
