"""The simulator is the readable engine once more: the same deals, passes, plays, winners and points, whoever plays them.

`CANCEL_HEARTS_MIRROR=50 python -m pytest tests/test_simulate.py` compares 50 times as many hands: some minutes.
"""

from __future__ import annotations

import dataclasses
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from cancel_hearts_nb import cli, simulatetable
from cancel_hearts_nb.cards import Card, cards
from cancel_hearts_nb.cautious import moon_choice, taken
from cancel_hearts_nb.game import Game, Given, PlayCard
from cancel_hearts_nb.i18n import words
from cancel_hearts_nb.players import player, view
from cancel_hearts_nb.rules import scoring
from cancel_hearts_nb.rules import trick as tricks
from cancel_hearts_nb.rules.nouns import Trick, trick
from cancel_hearts_nb.ruleset import CHOICES, NUMBERS, PRESETS, Ruleset, RulesetError, ruleset
from cancel_hearts_nb.simulate import (
    MeasureError,
    Outcome,
    RunError,
    Start,
    StartError,
    UnknownPolicy,
    play_out,
    questions,
    run,
    runs,
)
from cancel_hearts_nb.simulate import scoring as mirrored
from cancel_hearts_nb.simulate.outcome import outcome
from cancel_hearts_nb.simulate.policies import by_seat
from cancel_hearts_nb.simulate.runs import Task, begin
from cancel_hearts_nb.simulate.shape import INDEX, shape
from cancel_hearts_nb.simulate.table import Trace

TIMES = int(os.environ.get("CANCEL_HEARTS_MIRROR", "1"))
NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Ida Jon Kay".split()
TABLES = [(game, seats) for game in ("hearts", "omnibus") for seats in range(3, 8)]
TABLES += [("cancellation", seats) for seats in range(6, 12)]
MIXED = ("random", "cautious", "cautious") * 4


def policies(seats: int) -> dict[str, tuple[str, ...]]:
    return {"random": ("random",) * seats, "cautious": ("cautious",) * seats, "mixed": MIXED[:seats]}


def indexes(some: Iterable[Card | None]) -> list[int]:
    return [card.index for card in some if card is not None]


def lists(block: Any) -> Any:
    """The hands of a block as card indexes, by hand and place."""
    return INDEX[block.hands].transpose(2, 0, 1).tolist()


def played_alike(rules: Ruleset, policy: Sequence[str], seed: int, first: int, count: int) -> Counter[str]:
    """Compare `count` hands, simulated together, with the engine's; return what happened in them."""
    block = begin(Task(rules, seed, first, first + count, by_seat(shape(rules), policy), False))
    block.trace = trace = Trace([], [], [])
    dealt, happened = lists(block), Counter[str]()
    block.play()
    found = outcome(block)
    opener = Game(rules, NAMES[: rules.seats], seed).dealer
    for i in range(count):
        number = first + i + 1
        dealer = (opener + number - 1) % rules.seats
        game = Game(rules, NAMES[: rules.seats], seed, dealer, number=number, hands=1)
        seated = [player(name) for name in policy]
        while (asked := game.asked) is not None:
            if asked.kind == "play" and game.state.trick_number == 1 and not game.position.trick.plays:
                # after deal and pass: every hand, in the order of the table from the leader on
                hands = [game.state.hands[(asked.seat + place) % rules.seats] for place in range(rules.seats)]
                assert dealt[i] == [indexes(hand) for hand in hands], f"hand {number}: deal and pass"
            game.submit(seated[asked.seat].choose(view(game), game.stream(asked.seat)))
        s = game.state
        for at, each in enumerate(s.tricks):
            won = tricks.winner(rules, each)
            assert trace.leader[at][i] == each.leader, f"hand {number}, trick {at + 1}: leader"
            assert INDEX[trace.cards[at][:, i]].tolist() == indexes(each.cards), f"hand {number}, trick {at + 1}: cards"
            assert trace.winner[at][i] == (-1 if won is None else won.seat), f"hand {number}, trick {at + 1}: winner"
        dead = [tricks.winner(rules, each) is None for each in s.tricks]
        assert found.entered[i].tolist() == list(s.points), f"hand {number}: points entered"
        assert found.taken[i].tolist() == [scoring.points_of(rules, some) for some in s.taken], f"hand {number}: points"
        assert found.lost[i] == scoring.points_of(rules, s.lost)
        assert found.shooter[i] == (-1 if s.shooter is None else s.shooter)
        assert (found.dead[i], found.first_dead[i], found.last_dead[i]) == (sum(dead), dead[0], dead[-1])
        assert found.pairs[i] == sum(len(tricks.pairs(rules, each)) for each in s.tricks)
        assert found.first_points[i] == sum(
            scoring.card_points(rules, c) for c in s.tricks[0].cards if tricks.is_penalty(c)
        )
        happened.update(
            hands=1, dead=sum(dead), first_dead=dead[0], last_dead=dead[-1], moons=s.shooter is not None,
            lost=bool(s.lost), kitty_waits=bool(rules.kitty_size and dead[0]),
        )  # fmt: skip
    assert (found.taken.sum(axis=1) + found.lost == rules.points).all()
    return happened


@pytest.mark.parametrize("kind", ["random", "cautious", "mixed"])
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_table_is_played_as_the_engine_plays_it(name: str, seats: int, kind: str) -> None:
    rules = ruleset(name, seats)
    happened = played_alike(rules, policies(seats)[kind], 7, 0, 100 * TIMES)
    if name == "cancellation":
        assert happened["dead"] > happened["hands"] / 4
        assert happened["first_dead"]


def option_values() -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Every value of every option at the tables that differ most, and the presets."""
    values: list[tuple[str, Any]] = [(key, value) for key, kind in CHOICES.items() for value in kind]
    values += [("pass_count", count) for count in (0, 1, 7)] + [("target", 1)]
    assert {key for key, _ in values} == set(CHOICES) | set(NUMBERS)
    for name, seats in (("hearts", 4), ("omnibus", 6), ("cancellation", 6), ("cancellation", 11)):
        usual = ruleset(name, seats)
        for key, value in values:
            try:
                if ruleset(name, seats, **{key: value}) != usual:
                    yield name, seats, {key: value}
            except RulesetError:
                continue
    for preset in PRESETS:
        yield "cancellation", 9, {"preset": preset}
    # together they lead where none does alone
    yield "omnibus", 7, {"omnibus": "JD", "omnibus_slam": "hearts_and_queen", "first_discard_ban": "off"}
    yield "hearts", 7, {"opening": "dealer_left", "moon_scope": "collected", "lead_heart_over_bm": "on"}
    yield (
        "cancellation",
        10,
        {"last_dead": "second_of_top_pair", "dead_lead": "left_of_leader", "first_discard_ban": "on"},
    )
    yield "cancellation", 11, {"moon_scope": "collected", "moon_choice": "subtract", "last_dead": "trick_leader"}


@pytest.mark.parametrize(("name", "seats", "options"), list(option_values()), ids=str)
def test_every_option_is_played_as_the_engine_plays_it(name: str, seats: int, options: dict[str, Any]) -> None:
    rules = ruleset(name, seats, **options)
    for kind in ("mixed", "cautious"):
        played_alike(rules, policies(seats)[kind], 11, 20, 15 * TIMES)


def test_what_is_rare_happens_in_the_hands_that_are_compared() -> None:
    happened = Counter[str]()
    for options in ({}, {"last_dead": "second_of_top_pair"}, {"moon_points": "52", "moon_choice": "add_to_others"}):
        happened += played_alike(ruleset("cancellation", 11, **options), ("cautious",) * 11, 3, 0, 60)
    happened += played_alike(ruleset("hearts", 7), ("random",) * 7, 3, 0, 100)
    assert min(happened[what] for what in ("moons", "lost", "last_dead", "kitty_waits")) > 3, happened


def counted(some: Iterable[Card | None]) -> Any:
    return np.bincount(indexes(some), minlength=52)


def start_of(games: Sequence[Game], kitty: Sequence[Card | None], forced: Sequence[Card] | None = None) -> Start:
    """The positions of `games`, as the simulator is told them."""
    states = [game.state for game in games]
    seen = [taken(view(game)) for game in games]
    takers = []
    for s in states:
        won = [winner.seat for each in s.tricks if (winner := tricks.winner(s.ruleset, each)) is not None]
        takers.append(won[0] if won else -1)
    return Start(
        hands=np.array([[counted(hand) for hand in s.hands] for s in states]),
        leader=np.array([s.trick.leader for s in states]),  # type: ignore[union-attr]
        trick=np.array([indexes(s.trick.cards) for s in states], dtype=int),  # type: ignore[union-attr]
        trick_number=states[0].trick_number,
        hearts_broken=np.array([s.hearts_broken for s in states]),
        taken=np.array([[counted(some) for some in each] for each in seen]),
        aside=np.array([counted(s.aside[s.kitty :]) for s in states]),
        kitty=np.array([counted(kitty)] * len(states)),
        kitty_taker=np.array(takers),
        forced=None if forced is None else np.array(indexes(forced)),
        number=np.array([s.number for s in states]),
        totals=np.array([s.totals for s in states]),
    )


def twin_deal(rules: Ruleset) -> Given:
    """A deal in which neighbours hold the same cards as far as there are two of each, so that pairs are everywhere."""
    size, seats = rules.hand_size, rules.seats
    pack = list(rules.pack)
    random.Random(1).shuffle(pack)
    pack.sort(key=lambda card: card.rank)
    hands: list[list[Card]] = [[] for _ in range(seats)]
    for i, card in enumerate(pack[: size * seats]):
        hands[i % seats].append(card)
    return Given(tuple(map(tuple, hands)), tuple(pack[size * seats :]))


def deals(rules: Ruleset) -> list[tuple[Given, ...]]:
    return [(), (), (twin_deal(rules),)] if rules.packs == 2 else [(), ()]


@pytest.mark.parametrize("kind", ["random", "cautious", "mixed"])
@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("hearts", 3, {}), ("hearts", 4, {}), ("omnibus", 5, {}), ("cancellation", 6, {}), ("cancellation", 8, {}),
        ("cancellation", 9, {"last_dead": "trick_leader", "dead_lead": "left_of_leader"}),
        ("cancellation", 11, {"last_dead": "second_of_top_pair", "moon_scope": "collected"}),
    ],
)  # fmt: skip
def test_every_card_is_played_out_as_the_engine_plays_it(
    name: str, seats: int, options: dict[str, Any], kind: str
) -> None:
    rules, policy = ruleset(name, seats, **options), policies(seats)[kind]
    seated, chance = [player(each) for each in policy], random.Random(5)
    for given in deals(rules) * TIMES:
        seed, number = chance.randrange(2**63), chance.randrange(1, 5)
        stop = chance.randrange(rules.hand_size * seats)

        def began(seed: int = seed, number: int = number, given: tuple[Given, ...] = given) -> Game:
            return Game(rules, NAMES[:seats], seed, deals=given, number=number, hands=1)

        game, plays = began(), 0
        while game.asked and (game.asked.kind == "pass" or plays < stop):
            plays += game.asked.kind == "play"
            game.submit(seated[game.asked.seat].choose(view(game), game.stream(game.asked.seat)))
        kitty = game.deals[0].kitty if given else list(began().state.aside)
        rows, wanted, forced = [], [], list(dict.fromkeys(game.legal_cards()))
        for card in forced:
            rows.append(began())
            for action in game.actions:
                rows[-1].submit(action)
            other = began()
            for action in (*game.actions, PlayCard(game.position.seat, card)):
                other.submit(action)
            while other.asked:
                other.submit(seated[other.asked.seat].choose(view(other), other.stream(other.asked.seat)))
            wanted.append(list(other.state.points))
        start = start_of(rows, kitty, forced)
        found = play_out(rules, start, np.array([seed] * len(rows), np.uint64), policy=policy)
        assert found.entered.tolist() == wanted, (seed, number, stop)
        assert (found.taken.sum(axis=1) + found.lost == rules.points).all()
        # without a card that is forced the policy's own choice is played, and one seed does for all rows
        own = seated[game.position.seat].choose(view(game), game.stream(game.position.seat)).card  # type: ignore[union-attr]
        free = play_out(rules, dataclasses.replace(start, forced=None), seed, policy=policy)
        assert free.entered.tolist() == [wanted[forced.index(own)]] * len(rows)


@pytest.mark.parametrize("kind", ["random", "cautious"])
@pytest.mark.parametrize(("name", "seats"), [("hearts", 4), ("hearts", 5), ("cancellation", 8), ("cancellation", 9)])
def test_hands_are_played_out_from_before_the_pass(name: str, seats: int, kind: str) -> None:
    rules, careful, chance = ruleset(name, seats), player(kind), random.Random(4)
    rows, wanted = [], []
    for number in (1, 2, 3, 4, 1, 2):
        seed = chance.randrange(2**63)
        game = Game(rules, NAMES[:seats], seed, number=number, hands=1)
        hands = np.array([counted(hand) for hand in game.state.hands])
        given, settled = np.zeros((seats, 52), int), [chance.randrange(seats), chance.randrange(seats)]
        rows.append((hands, given, (game.dealer + 1) % seats, number, seed, counted(game.state.aside)))
        while (asked := game.asked) is not None:
            action = careful.choose(view(game), game.stream(asked.seat))
            if asked.kind == "pass" and asked.seat in settled:
                # two equal cards among them, if it has any
                hand = sorted(game.state.hands[asked.seat], key=lambda c: -game.state.hands[asked.seat].count(c))  # type: ignore[union-attr,index]
                action = action._replace(cards=tuple(hand[:3]))  # type: ignore[call-arg]
                given[asked.seat] = counted(hand[:3])
            game.submit(action)
        wanted.append(list(game.state.points))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    start = Start(
        hands=columns[0], given=columns[1], leader=columns[2], number=columns[3], kitty=columns[5], trick_number=0
    )
    assert play_out(rules, start, columns[4].astype(np.uint64), policy=kind).entered.tolist() == wanted


def test_rows_may_differ_and_do_not_touch_each_other() -> None:
    rules = ruleset("cancellation", 7, pass_cycle="none")
    games = [Game(rules, NAMES[:7], seed, dealer=0) for seed in range(2100)]
    start = dataclasses.replace(
        start_of(games, ()), kitty=np.array([counted(g.state.aside) for g in games]), trick=None
    )
    # more rows than a block holds
    seeds = np.arange(2100, dtype=np.uint64)
    found = play_out(rules, start, seeds, policy="random")
    for row in (0, 700, 2047, 2048, 2099):
        game = games[row]
        while game.state.number == 1 and game.asked:
            game.submit(player("random").choose(view(game), game.stream(game.asked.seat)))
        points = next(event.points for event in game.events if type(event).__name__ == "HandScored")  # type: ignore[attr-defined]
        assert found.entered[row].tolist() == list(points)


BAD_STARTS = {
    "leader": ({"leader": np.zeros(3, int)}, "“leader” must have the shape"),
    "hands": ({"trick_number": 2}, "each seat must hold 12 cards"),
    "trick": ({"trick": np.zeros((2, 4), int)}, "trick 1 with 4 cards is none"),
    "pass": ({"trick_number": 0, "given": np.ones((2, 4, 52), int)}, "What a seat gives must be 3 cards"),
    "before": ({"trick_number": 0, "forced": np.array([39, 39])}, "Before the pass no card can be forced"),
    "number": ({"trick_number": 14}, "trick 14 with 0 cards is none"),
    "forced": ({"forced": np.array([0, 0])}, "must be in the hand of the seat to act"),
}


@pytest.mark.parametrize("case", BAD_STARTS)
def test_a_start_that_cannot_be_is_refused(case: str) -> None:
    change, said = BAD_STARTS[case]
    hands = np.zeros((2, 4, 52), int)
    for seat in range(4):
        hands[:, 3 - seat, seat * 13 : seat * 13 + 13] = 1
    start = Start(hands=hands, leader=np.zeros(2, int), trick_number=1)
    assert play_out(ruleset("hearts", 4), start, 1).entered.shape == (2, 4)
    with pytest.raises(StartError, match=said):
        play_out(ruleset("hearts", 4), dataclasses.replace(start, **change), 1)
    with pytest.raises(StartError, match="“seeds” must have the shape"):
        play_out(ruleset("hearts", 4), start, np.zeros(3, np.uint64))


@pytest.mark.parametrize(
    "options",
    [
        {}, {"target": 26}, {"target": 5}, {"score_floor": "0"}, {"tie": "play_on", "target": 30}, {"moon_points": "52"},
        {"omnibus": "JD", "omnibus_slam": "hearts_and_queen", "target": 40}, {"score_floor": "0", "tie": "play_on"},
    ],
)  # fmt: skip
def test_moons_are_chosen_alike_wherever_the_match_stands(options: dict[str, Any]) -> None:
    rules, chance = ruleset("hearts", 4, **options), random.Random(2)
    base = view(Game(rules, NAMES[:4], seed=1))
    rows, wanted = [], []
    for _ in range(400):
        shooter, winner = chance.randrange(4), chance.randrange(-1, 4)
        high = chance.choice((10, 60, 130))
        totals = tuple([chance.randrange(-30, high) for _ in range(4)])
        held = Trick(0) if winner < 0 else trick(winner, "AD JD 2D 3D", 4)
        shown = base._replace(asked="moon", seat=shooter, totals=totals, tricks=(held,) if winner >= 0 else ())
        wanted.append(str(moon_choice(shown)))
        rows.append((shooter, winner, totals))
    shooters, winners = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    totals_of = np.array([row[2] for row in rows])
    found = mirrored.cautious_choice(shape(rules), shooters, winners, totals_of)
    assert [("subtract", "add_to_others")[choice] for choice in found] == wanted
    assert len(set(wanted)) == 2


def test_nobody_shoots_a_moon_without_a_penalty_card() -> None:
    rules = ruleset("cancellation", 6, moon_scope="collected")
    counts, nobody = np.zeros((6, 3), np.int8), np.full(3, -1)
    counts[2, 1], counts[3, 2], counts[4, 2] = 5, 5, 1
    assert mirrored.shooters(shape(rules), counts, nobody).tolist() == [-1, 2, -1]
    assert scoring.moon_shooter(rules, [[]] * 6) is None


def test_a_moon_is_played_out_with_the_totals_before_it() -> None:
    rules = ruleset("hearts", 4)
    hands = np.zeros((2, 4, 52), int)
    # the last trick of a hand: seat 0 has taken all penalty cards but one
    for seat, code in enumerate(indexes(cards("AH 2C 3C 4C"))):
        hands[:, seat, code] = 1
    won = np.zeros((2, 4, 52), int)
    won[:, 0] = counted(cards("QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"))
    start = Start(hands=hands, leader=np.zeros(2, int), trick_number=13, hearts_broken=np.ones(2, bool), taken=won)
    totals = np.array([[20, 160, 100, 100], [60, 80, 95, 99]])
    found = play_out(rules, dataclasses.replace(start, totals=totals), 1)
    assert found.shooter.tolist() == [0, 0]
    assert found.entered.tolist() == [[-26, 0, 0, 0], [0, 26, 26, 26]]


# -- many hands


def test_chunks_and_workers_change_nothing() -> None:
    rules = ruleset("cancellation", 9)
    whole = run(rules, 2500, seed=5, first=3, policy=MIXED[:9], keep=True)
    assert whole.hands == 2500
    assert whole.complete
    with ProcessPoolExecutor(2) as processes, ThreadPoolExecutor(3) as threads:
        for chunk, executor in ((1250, None), (333, None), (700, processes), (100, threads)):
            other = run(rules, 2500, seed=5, first=3, policy=MIXED[:9], chunk=chunk, executor=executor, keep=True)
            assert other.sums == whole.sums
            for mine, theirs in zip(whole.outcome, other.outcome, strict=True):  # type: ignore[arg-type]
                assert (mine == theirs).all()
    later = run(rules, 500, seed=5, first=2003, policy=MIXED[:9], keep=True).outcome
    assert (later.entered == whole.outcome.entered[2000:]).all()  # type: ignore[union-attr]


def test_a_dask_cluster_finds_the_same() -> None:
    """`Client.get_executor()` is an executor like any other; each task of it should take at least a tenth of a second."""
    distributed = pytest.importorskip("distributed", reason="distributed belongs to the extra “dask” alone")
    rules = ruleset("hearts", 4)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = run(rules, 3000, seed=5, chunk=700, executor=client.get_executor(), keep=True)
    alone = run(rules, 3000, seed=5, keep=True)
    assert found.sums == alone.sums
    assert (found.outcome.entered == alone.outcome.entered).all()  # type: ignore[union-attr]


class Interrupted:
    """An executor during whose third task somebody presses Ctrl-C; only `map` is there, as only it is used."""

    def map(self, do: Any, tasks: Iterable[Task]) -> Iterator[Any]:
        for at, task in enumerate(tasks):
            if at == 2:
                raise KeyboardInterrupt
            yield do(task)


def test_an_interruption_keeps_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("hearts", 4)
    first = run(rules, 200, seed=5, keep=True)
    found = run(rules, 1000, seed=5, chunk=100, executor=Interrupted(), keep=True)  # type: ignore[arg-type]
    assert (found.hands, found.asked, found.complete) == (200, 1000, False)
    assert found.sums == first.sums
    assert (found.outcome.entered == first.outcome.entered).all()  # type: ignore[union-attr]
    real, done = runs.carry_out, []

    def stopped(task: Task) -> Any:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(task)
        return real(task)

    monkeypatch.setattr(runs, "carry_out", stopped)
    assert run(rules, 1000, seed=5, chunk=100).sums == first.sums
    nothing = run(rules, 1000, seed=5, chunk=100)
    assert (nothing.hands, nothing.outcome) == (0, None)
    assert np.isnan(nothing.estimate("moons").mean)


def test_the_estimates_are_those_of_the_hands() -> None:
    rules = ruleset("cancellation", 10)
    found = run(rules, 700, seed=5, policy="cautious", keep=True)
    kept = found.outcome
    assert isinstance(kept, Outcome)
    columns = found.as_mapping()
    assert {len(column) for column in columns.values()} == {len(columns["measure"])}
    values = {("moons", None): kept.shooter >= 0, ("pairs", None): kept.pairs, ("last_dead", None): kept.last_dead}
    values |= {("entered", seat): kept.entered[:, seat] for seat in range(10)}
    values |= {("first_and_kitty", None): kept.first_points + kept.kitty_points}
    for (measure, seat), each in values.items():
        at = list(zip(columns["measure"], columns["seat"], strict=True)).index((measure, seat))
        assert columns["mean"][at] == pytest.approx(each.mean())
        assert columns["error"][at] == pytest.approx(each.std(ddof=1) / 700**0.5)
        assert columns["samples"][at] == 700
    for measure, seat in (("entered", None), ("entered", 10), ("moons", 0), ("luck", None)):
        with pytest.raises(
            MeasureError, match=r"is not measured\. For a seat there are: entered, taken; for the hand: "
        ):
            found.estimate(measure, seat)
    assert found.estimate("dead_tricks", per=10).mean == pytest.approx(kept.dead.mean() / 10)


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"hands": 0}, RunError, "“hands” must be a whole number of at least 1, not 0"),
        ({"hands": True}, RunError, "“hands”"),
        ({"seed": -1}, RunError, "“seed” must be a whole number of at least 0"),
        ({"chunk": 0}, RunError, "“chunk”"),
        ({"policy": "bold"}, UnknownPolicy, "no policy “bold”"),
        ({"policy": ["random"]}, UnknownPolicy, "4 seats, but there are 1 policies"),
    ],
)
def test_a_run_that_cannot_be_is_refused(change: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        run(**{"ruleset": ruleset("hearts", 4), "hands": 1, **change})


def test_a_bar_is_shown_only_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm", reason="tqdm belongs to the extra “course”")
    run(ruleset("hearts", 4), 50)
    assert capsys.readouterr() == ("", "")
    run(ruleset("hearts", 4), 50, progress=True)
    shown = capsys.readouterr()
    assert not shown.out
    assert "100%" in shown.err


def test_without_numpy_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; from cancel_hearts_nb.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "simulate", "--ruleset", "hearts"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Simulating hands needs numpy, which is not installed; “pip install cancel_hearts_nb[course]” installs it.\n"
    )


# -- questions


def test_the_questions_are_answered_from_the_hands() -> None:
    rules = ruleset("cancellation", 11)
    found = questions.readings(rules, 600, seed=2, policy="random")
    two, led = found["two_pairs"], found["no_led"]
    assert (two.ruleset.dead_rule, led.ruleset.dead_rule) == ("two_pairs", "no_led")
    assert questions.deaths(two).every.mean > 10 * questions.deaths(led).every.mean
    assert questions.deaths(two).first.mean > questions.deaths(two).every.mean > questions.deaths(two).last.mean
    kept = run(rules, 600, seed=2, keep=True).outcome
    assert kept is not None
    assert questions.pairs_cancelled(two).mean == pytest.approx(kept.pairs.mean())
    assert questions.moons(two).mean == pytest.approx((kept.shooter >= 0).mean())
    first = questions.first_trick(two)
    assert first.with_kitty.mean - first.alone.mean == pytest.approx(kept.kitty_points.mean())
    assert first.with_kitty.mean + 8 * first.later.mean == pytest.approx(52)


def price_by_hand(rules: Ruleset, hands: int) -> tuple[list[int], list[bool], list[bool]]:
    """What `price_of_maria` finds, with the readable engine."""
    maria, careful = cards("QS")[0], player("cautious")
    prices, cancelled, won = [], [], []
    opener = Game(rules, NAMES[: rules.seats], 4).dealer
    for number in range(1, hands + 1):
        dealer = (opener + number - 1) % rules.seats
        game = Game(rules, NAMES[: rules.seats], 4, dealer, number=number, hands=1)
        while game.asked and not (
            game.asked.kind == "play"
            and not game.position.trick.plays
            and maria in game.legal_cards()
            and len(set(game.legal_cards())) > 1
        ):
            game.submit(careful.choose(view(game), game.stream(game.asked.seat)))
        if not game.asked:
            continue
        seat, points = game.asked.seat, []
        for led in (maria, careful.choose(view(game), game.stream(seat)).card):  # type: ignore[union-attr]
            other = Game(rules, NAMES[: rules.seats], 4, dealer, number=number, hands=1)
            for action in (*game.actions, PlayCard(seat, led)):
                other.submit(action)
            while other.asked:
                other.submit(careful.choose(view(other), other.stream(other.asked.seat)))
            points.append(other.state.points[seat])
            if len(points) == 1:
                played = other.state.tricks[game.state.trick_number - 1]
                cancelled.append(played.cards.count(maria) == 2)
                winner = tricks.winner(rules, played)
                won.append(winner is not None and winner.seat == seat)
        prices.append(points[0] - points[1])
    return prices, cancelled, won


def test_the_price_of_leading_the_black_maria_is_that_of_the_engine() -> None:
    rules = ruleset("cancellation", 7)
    found = questions.price_of_maria(rules, 60, seed=4)
    prices, cancelled, won = price_by_hand(rules, 60)
    assert found.price.samples == len(prices) > 10
    assert found.price.mean == pytest.approx(np.mean(prices))
    assert found.cancelled.mean == pytest.approx(np.mean(cancelled))
    assert found.taken.mean == pytest.approx(np.mean(won))
    with ThreadPoolExecutor(2) as executor:
        assert questions.price_of_maria(rules, 60, seed=4, executor=executor) == found
    with pytest.raises(RunError, match="“hands”"):
        questions.price_of_maria(rules, 0)


# -- the command


def test_the_command_shows_a_column_for_each_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("simulate --ruleset cancellation --seats 6..8 --hands 300 --seed 7 --policy cautious".split()) == 0
    shown = capsys.readouterr()
    assert not shown.err
    lines = shown.out.splitlines()
    assert lines[0].startswith("300 hands of the match 7 at each table, played by the policy “cautious”")
    assert lines[2].split() == ["Players", "6", "7", "8"]
    result = run(ruleset("cancellation", 8), 300, seed=7, policy="cautious")
    moons = result.estimate("moons")
    row = next(line for line in lines if line.startswith("Hands with a moon"))
    assert float(row.split()[-3]) == pytest.approx(1000 * moons.mean, abs=0.06)
    labels = [words().text(label) for label, _, _ in simulatetable._ROWS]
    assert [line for line in lines if any(line.startswith(label) for label in labels)] == lines[3:]
    assert len(lines) == 3 + len(labels)
    assert (
        cli.main(
            "simulate --ruleset cancellation --seats 6..8 --hands 300 --seed 7 --policy cautious --workers 2".split()
        )
        == 0
    )
    assert capsys.readouterr().out == shown.out


def test_the_command_leaves_out_what_a_game_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "--ruleset", "hearts", "--hands", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("1 hand of the match 0")
    assert "3" in shown.splitlines()[2] and "7" in shown.splitlines()[2]
    assert not any(word in shown for word in ("die", "leftovers", "cancel", "nan"))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("--ruleset chess", "There is no game “chess”"),
        ("--ruleset hearts --seats 3..9", "8 players cannot play"),
        ("--ruleset hearts --seats 5..4", "or from one to another such as 6..11, not “5..4”"),
        ("--ruleset hearts --seats many", "not “many”"),
        ("--ruleset hearts --hands 0", "“--hands” must be a whole number from 1"),
        ("--ruleset hearts --policy bold", "There is no policy “bold”"),
        ("--ruleset hearts --workers 0", "“--workers” must be"),
    ],
)
def test_a_wrong_command_line_is_told(args: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", *args.split()]) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert said in shown.err


def test_the_command_shows_what_it_has_when_interrupted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, done = runs.carry_out, []

    def stopped(task: Task) -> Any:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(task)
        return real(task._replace(high=task.low + 10))

    monkeypatch.setattr(runs, "carry_out", stopped)
    args = ["simulate", "--ruleset", "cancellation", "--seats", "6..7", "--hands", str(runs.CHUNK * 3)]
    assert cli.main(args) == 130
    shown = capsys.readouterr().out
    assert "It was interrupted: the last column holds 20 hands." in shown
    assert shown.splitlines()[3].split() == ["Players", "6"]
