"""How often tricks die: the stored results are those that playing gives, and the lessons say what they say."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from cancel_hearts_nb import howoften, resources
from cancel_hearts_nb.simulate.runs import RunError

STORED = howoften.stored()


def test_every_table_is_stored_once_for_both_readings_and_both_kinds_of_players() -> None:
    wanted = {
        (n, how, reading) for n in range(6, 12) for how in howoften.PLAYERS for reading in ("two_pairs", "no_led")
    }
    assert [row[:3] for row in STORED.rows] == list(dict.fromkeys(row[:3] for row in STORED.rows))
    assert {row[:3] for row in STORED.rows} == wanted
    assert STORED.hands >= 10_000
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", STORED.made)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "players"), [(6, "cautious"), (9, "random"), (11, "cautious")])
def test_some_of_the_stored_hands_played_again_give_the_stored_results(seats: int, players: str) -> None:
    """If it fails because the rules or the players have changed: run `poe how-often`, then `poe notebooks`."""
    again = howoften.play(STORED.hands, STORED.seed, seats=[seats], players=[players])
    for row in again.rows:
        assert row == STORED.row(*row[:3])


def test_another_seed_gives_other_results_within_their_errors() -> None:
    other = howoften.play(2000, STORED.seed + 1, seats=[8], players=["random"])
    for row in other.rows:
        stored = STORED.row(*row[:3]).measured
        assert row.measured != stored
        for name, one in row.measured.items():
            assert abs(one.mean - stored[name].mean) <= 5 * (one.error + stored[name].error)


def test_what_is_written_is_what_is_read() -> None:
    text = howoften.dumps(STORED)
    path = resources.path("data") / howoften.FILE
    assert path.read_text(encoding="utf-8") == text
    assert tomllib.loads(text)["hands"] == STORED.hands


def test_a_row_that_was_not_played_is_no_silent_zero() -> None:
    with pytest.raises(LookupError):
        STORED.row(5, "random", "no_led")
    with pytest.raises(RunError):
        howoften.play(0, 7)


def notebook(name: str) -> str:
    return Path(resources.path("notebooks") / f"{name}.ipynb").read_text(encoding="utf-8")


def test_the_lesson_on_cancellation_tells_the_stored_numbers() -> None:
    said = r"At a table of six about (\d+) of 100 tricks are dead as printed, and (\d+) by the other reading; at a table of eleven (\d+) and (\d+)\."
    found = re.search(said, notebook("04_cancellation"))
    assert found is not None
    shares = [
        STORED.row(seats, "cautious", reading).measured["every"].mean
        for seats in (6, 11)
        for reading in ("two_pairs", "no_led")
    ]
    assert list(found.groups()) == [f"{100 * share:.0f}" for share in shares]


def test_what_the_lesson_says_in_words_is_so() -> None:
    text = notebook("08_how_often")

    def careful(seats: int, name: str, reading: str = "two_pairs") -> float:
        return STORED.row(seats, "cautious", reading).measured[name].mean

    assert (
        "More than a third of the tricks die at a table of eight careful players, and more than half at a table of eleven"
        in text
    )
    assert careful(8, "every") > 1 / 3 and careful(11, "every") > 1 / 2
    assert "By the other reading dead tricks are rare everywhere" in text
    assert all(row.measured["every"].mean < 0.05 for row in STORED.rows if row.reading == "no_led")
    assert "As printed, and among careful players, the first trick is dead more often than not" in text
    assert all(careful(seats, "first") > 1 / 2 for seats in howoften.SEATS)
    assert "with eleven players that happens in more than a quarter of all hands" in text
    assert careful(11, "last") > 1 / 4
    assert "at a table of six the first trick with its kitty costs about as much as a later trick on average" in text
    assert abs(careful(6, "with_kitty") - careful(6, "later")) < 0.5
    assert "At larger tables of careful players it costs more, and at the largest by far" in text
    assert all(careful(seats, "with_kitty") > careful(seats, "later") for seats in range(7, 12))
    assert careful(11, "with_kitty") > 2 * careful(11, "later")
    assert "Among careful players twins fall into one trick more often than among players who choose by chance" in text
    assert all(
        careful(seats, "every", reading) > STORED.row(seats, "random", reading).measured["every"].mean
        for seats in howoften.SEATS
        for reading in ("two_pairs", "no_led")
    )
