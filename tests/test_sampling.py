"""The player that samples: its deals fit all that is known and come out evenly, its play-outs are those of the engine."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from sizes import ends_of_each
from test_knowledge import NAMES, TABLES, positions, true_cards

from cancel_hearts_nb import explain
from cancel_hearts_nb.cards import PACK, Card, cards, in_order
from cancel_hearts_nb.cautious import CautiousPlayer
from cancel_hearts_nb.events import Middle
from cancel_hearts_nb.game import Game, Given, PassCards, PlayCard
from cancel_hearts_nb.knowledge import KITTY, Knowledge, Place, kind, knowledge
from cancel_hearts_nb.playerlist import PLAYERS
from cancel_hearts_nb.players import Estimate, Player, RandomPlayer, SeatView, play, player, view
from cancel_hearts_nb.rules import passing
from cancel_hearts_nb.ruleset import ruleset
from cancel_hearts_nb.sampling import Chance, SamplingPlayer, _start, best, deal_unseen, passes
from cancel_hearts_nb.seeds import Stream, key
from cancel_hearts_nb.simulate import play_out

KIND_OF = np.array([kind(card) for card in PACK])


def counted(some: tuple[Card, ...]) -> np.ndarray:
    return np.bincount([card.index for card in some], minlength=52)


@pytest.mark.parametrize(("name", "seats"), ends_of_each(TABLES))
def test_every_deal_fits_all_that_is_known(name: str, seats: int) -> None:
    tied = 0
    for _, now in positions(name, seats, 5, seed=seats + 50):
        known = knowledge(now)
        dealt = deal_unseen(known, 20, Chance(7))
        sure = np.array([counted(place.certain) for place in known.places])
        assert (dealt.sum(axis=1) == counted(known.unseen) + sure.sum(axis=0)).all()
        assert (dealt.sum(axis=2) == [place.size + len(place.certain) for place in known.places]).all()
        open_ones = dealt - sure
        assert (open_ones >= 0).all()
        for i, place in enumerate(known.places):
            assert not open_ones[:, i][:, ~np.isin(KIND_OF, list(place.may))].any()
            tied += place.size > 0 and len(place.may) < 5
    assert tied > 100


def test_deals_come_out_evenly() -> None:
    """Of all the ways that fit, by exhaustion, none is drawn much more often than another."""
    unseen = cards("2C 3C 4D 5D 2S QS 2H 3H")
    places = (
        Place(0, 2, (), frozenset({0, 1})),
        Place(1, 2, (), frozenset({1, 2, 4})),
        Place(2, 3, (), frozenset({0, 2, 3, 4})),
        Place(KITTY, 1, (), frozenset(range(5))),
    )
    wanted = set()
    for order in itertools.permutations(unseen):
        rest, ways = list(order), []
        for place in places:
            mine, rest = rest[: place.size], rest[place.size :]
            if not {kind(card) for card in mine} <= place.may:
                break
            ways.append(frozenset(mine))
        else:
            wanted.add(tuple(ways))
    count = 200 * len(wanted)
    dealt = deal_unseen(Knowledge(unseen, places, None), count, Chance(5))
    found = Counter(tuple(frozenset(PACK[i] for i in np.flatnonzero(place)) for place in one) for one in dealt)
    assert set(found) == wanted
    # by chance alone the counts of so many ways would spread by 14 about 200
    assert np.std(list(found.values())) < 30
    assert 120 < min(found.values()) <= max(found.values()) < 300


def truth(game: Game, now: SeatView, known: Knowledge) -> np.ndarray:
    """The one deal that is true, in the form of `deal_unseen`."""
    held = [true_cards(game, now, place.seat) for place in known.places]
    return np.array([[counted(tuple(some.elements())) for some in held]])  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", ["random", "cautious"])
@pytest.mark.parametrize(("name", "seats"), ends_of_each(TABLES))
def test_a_play_out_is_what_the_engine_plays(policy: str, name: str, seats: int) -> None:
    """From the true cards, for every legal card: the readable engine, played on slowly, enters the same points."""
    others: list[Player] = [CautiousPlayer() if policy == "cautious" else RandomPlayer() for _ in range(seats)]
    at = 0
    for game, now in positions(name, seats, 4, seed=seats + 90):
        at += 1
        if now.asked != "play" or at % 13:
            continue
        legal = tuple(sorted(set(now.legal)))
        known = knowledge(now)
        start = _start(now, known, truth(game, now, known), legal)
        found = play_out(game.ruleset, start, game.seed or 0, policy=policy)
        for i, card in enumerate(legal):
            again = Game(game.ruleset, game.names, game.seed, game.dealer, number=game.number, hands=1)
            for action in game.actions:
                again.submit(action)
            again.submit(PlayCard(now.seat, card))
            play(again, others)
            assert found.entered[i].tolist() == list(again.state.points)
            marias = [sum(c is not None and c.code == "QS" for c in won) for won in again.state.taken]
            assert found.marias[i].tolist() == marias


def redealt(game: Game, now: SeatView, seed: int) -> Game:
    """The same game to the eyes of the seat of `now`, with what it cannot see dealt anew."""
    rules, seats, me = game.ruleset, game.ruleset.seats, now.seat
    known = knowledge(now)
    dealt = deal_unseen(known, 1, Chance(seed))[0]
    held: list[Counter[Card]] = [Counter() for _ in range(seats)]
    kitty: tuple[Card, ...] = ()
    for place, counts in zip(known.places, dealt, strict=True):
        some = tuple(PACK[i] for i in range(52) for _ in range(counts[i]))
        if place.seat == KITTY:
            kitty = some
        else:
            held[place.seat].update(some)
    held[me].update(now.hand)
    for trick in (*now.tricks, now.trick):
        for one in trick.plays:
            held[one.seat][one.card] += 1
    to = [passing.receiver(rules, now.number, seat) for seat in range(seats)]
    given: list[tuple[Card, ...]] = [()] * seats
    chance = np.random.default_rng(seed)
    if to[0] is not None and now.asked == "play":
        for seat in range(seats):
            got = list(held[to[seat]].elements())  # type: ignore[index]
            given[seat] = tuple(got[i] for i in chance.permutation(len(got))[: rules.pass_count])
        given[me] = now.given
        given[to.index(me)] = now.received
        for seat in range(seats):
            held[seat].update(given[seat])
        for seat in range(seats):
            held[to[seat]].subtract(given[seat])  # type: ignore[index]
    hands = tuple(in_order(some.elements()) for some in held)
    other = Game(rules, game.names, game.seed, game.dealer, [Given(hands, kitty)], number=game.number, hands=1)
    for action in game.actions:
        if isinstance(action, PassCards):
            cards_ = given[action.seat] or RandomPlayer().choose(view(other), other.stream(action.seat)).cards  # type: ignore[union-attr]
            action = PassCards(action.seat, cards_)
        other.submit(action)
    return other


def quick(kind: str) -> Player:
    return SamplingPlayer(deals=3) if kind == "sampling" else player(kind)


@pytest.mark.parametrize(("name", "seats"), ends_of_each(TABLES))
def test_dealing_anew_what_a_seat_cannot_see_changes_no_choice(name: str, seats: int) -> None:
    """Every such deal could have led here, play by play, and no player can tell it from the true one."""
    at = changed = 0
    for game, now in positions(name, seats, 4, seed=seats + 130):
        at += 1
        if at % 7:
            continue
        other = redealt(game, now, seed=at)
        shown = view(other)
        assert shown == now
        changed += other.state.hands != game.state.hands
        for kind_ in PLAYERS:
            stream, same = (Stream(key(at, 1, 2)) for _ in range(2))
            assert quick(kind_).advise(now, stream) == quick(kind_).advise(shown, same)
    assert changed > 5


def test_equal_seeds_give_equal_choices_and_other_seeds_other_deals() -> None:
    game = Game(ruleset("cancellation", 8), NAMES[:8], seed=7, number=1, hands=1)
    while game.asked.kind == "pass":  # type: ignore[union-attr]
        game.submit(CautiousPlayer().choose(view(game), game.stream(0)))
    first, again, other = (SamplingPlayer(deals=9).estimates(view(game), Stream(key(s))) for s in (1, 1, 2))
    assert first == again != other
    assert {one.deals for one in first} == {9}


def test_the_least_expected_is_chosen_and_of_equal_ones_the_first_in_hand_order() -> None:
    game = Game(ruleset("hearts", 4), NAMES[:4], seed=7, number=4, hands=1)
    now = view(game)._replace(legal=cards("3C 4C 5C"))
    careful = CautiousPlayer().advise(now, game.stream(0))

    def made(*values: tuple[float, float]) -> list[Estimate]:
        return [Estimate(c, p, 0.1, o, 0, 0, 5) for c, (p, o) in zip(now.legal, values, strict=True)]

    assert best(now, made((4, 2), (3, 2), (3, 2)), careful).action.card == now.legal[1]  # type: ignore[union-attr]
    found = best(now, made((4, 2), (3, 4), (2, 2)), careful)
    assert found.action.card == now.legal[1]  # type: ignore[union-attr]
    assert explain.reason(found.reason.key, found.reason.params).startswith("Play the 4♣: played out in 5 ways")


def test_a_fragment_is_left_to_the_cautious_player() -> None:
    hands = tuple(cards(text) for text in ("2S 2D 3D", "3S 4D 5D", "KS 4S 6D", "QS 7D 8D"))
    given = Given(hands, (), Middle(11, True, (), 3, True), 0)
    game = Game(ruleset("hearts", 4), NAMES[:4], seed=None, dealer=3, deals=[given], hands=1)
    assert SamplingPlayer(deals=5).advise(view(game), Stream(1)) == CautiousPlayer().advise(view(game), Stream(1))
    assert SamplingPlayer(deals=5).estimates(view(game), Stream(1)) == ()


def test_passes_begin_with_the_cautious_one_and_fit_the_hand() -> None:
    for name, seats in TABLES:
        for count in (1, 3, 5):
            rules = ruleset(name, seats, pass_count=count)
            game = Game(rules, NAMES[:seats], seed=count)
            now = view(game)
            tried = passes(now)
            assert tried[0] == CautiousPlayer().choose(now, game.stream(0)).cards  # type: ignore[union-attr]
            assert len(set(tried)) == len(tried) > 1
            for some in tried:
                assert len(some) == count and not Counter(some) - Counter(now.hand)


def test_a_time_budget_bounds_the_deals() -> None:
    game = Game(ruleset("hearts", 4), NAMES[:4], seed=7, number=4, hands=1)
    little, much = SamplingPlayer(milliseconds=0.001), SamplingPlayer(milliseconds=60_000)
    game.submit(little.choose(view(game), game.stream(0)))
    for one, least, most in ((little, 8, 8), (much, 2000, 2000)):
        one.choose(view(game), game.stream(0))
        assert least <= one.looked_at <= most


@pytest.mark.slow
def test_without_numpy_one_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['numpy'] = None\nfrom cancel_hearts_nb.players import player\n"
    code += "try:\n    player('sampling')\nexcept ImportError as error:\n    print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install cancel_hearts_nb[course]" in done.stdout
