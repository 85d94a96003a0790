"""How strong the players are: what is kept bears out what is said of them, and measuring anew gives what it should."""

from __future__ import annotations

import statistics

import pytest

from cancel_hearts_nb import cli, strength
from cancel_hearts_nb.game import Game
from cancel_hearts_nb.players import Player, play, player
from cancel_hearts_nb.ruleset import ruleset

NAMES = "Al Beth Charlie Dave".split()


def test_the_kept_results_bear_out_that_each_player_beats_the_one_before() -> None:
    """By three standard errors of the paired difference at least, at both tables, in every seat on average."""
    kept = strength.kept()
    assert [(table.game, table.seats) for table in kept.tables] == [("hearts", 4), ("cancellation", 8)]
    for table in kept.tables:
        assert list(table.points) == ["random", "cautious", "sampling"]
        assert all(len(points) == table.seats for points in table.points.values())
        assert [(one.worse, one.better) for one in table.differences] == [
            ("random", "cautious"),
            ("cautious", "sampling"),
        ]
        for one in table.differences:
            assert one.mean > 3 * one.error > 0
            means = [statistics.fmean(table.points[name]) for name in (one.worse, one.better)]
            assert one.mean == pytest.approx(means[0] - means[1], abs=0.002)


def test_each_player_is_put_alone_into_each_seat_with_the_same_cards() -> None:
    found = strength.measure("hearts", 4, 3, 7, {"random": player("random"), "cautious": player("cautious")})
    rules = ruleset("hearts", 4)
    for seat in range(4):
        by_hand = []
        for number in (1, 2, 3):
            game = Game(rules, NAMES, 7, number % 4, number=number, hands=1)
            play(game, [player("random" if i == seat else "cautious") for i in range(4)])
            by_hand.append(game.state.points[seat])
        assert found.points["random"][seat] == statistics.fmean(by_hand)
    assert [(one.worse, one.better) for one in found.differences] == [("random", "cautious")]
    assert found.differences[0].mean == pytest.approx(
        statistics.fmean(found.points["random"]) - statistics.fmean(found.points["cautious"])
    )


def test_interrupted_it_keeps_what_it_has_and_needs_two_hands() -> None:
    players: dict[str, Player] = {"random": player("random"), "cautious": player("cautious")}

    def interrupt_after(hands: int) -> strength.Table:
        left = iter(range(hands, 0, -1))

        def done() -> None:
            if next(left) == 1:
                raise KeyboardInterrupt

        return strength.measure("hearts", 3, 9, 7, players, done)

    assert interrupt_after(3).hands == 3
    with pytest.raises(KeyboardInterrupt):
        interrupt_after(1)


def test_measured_anew_it_is_told_and_written_as_it_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    file = f"{tmp_path}/strength.toml"
    assert cli.main(["strength", "--hands", "2", "--deals", "3", "--seed", "5", "-o", file]) == 0
    said = capsys.readouterr().out
    with open(file, encoding="utf-8") as written:  # noqa: PTH123
        found = strength.loads(written.read())
    assert (found.seed, found.deals, [table.hands for table in found.tables]) == (5, 3, [2, 2])
    assert "seed 5" in said and "3 deals" in said and "“sampling” has" in said
    again = strength.measure_all(2, 5, 3)
    assert [table.points["sampling"] for table in again.tables] == [
        pytest.approx(table.points["sampling"], abs=0.001) for table in found.tables
    ]
    with pytest.raises(strength.ResultsWrong, match="no results"):
        strength.loads("date = 3")
