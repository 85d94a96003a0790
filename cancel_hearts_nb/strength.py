"""How strong the built-in players are: measured anew, or as it was when the results that are kept were measured.

Every hand is played with cautious players in all seats, and again for each seat and player with that player alone put
into that seat: the same cards, the same chance. So a difference comes from the player and not from the cards. The seats
of one hand share its cards, therefore errors are those of the means over hands.
"""

from __future__ import annotations

import datetime
import statistics
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from .game import Game
from .i18n import Words
from .messages import N_, NN_, Problem
from .names import NAMES
from .players import Advice, Player, SeatView, play, player
from .resources import path
from .ruleset import ruleset
from .seeds import Stream

TABLES = (("hearts", 4), ("cancellation", 8))
WEAK_TO_STRONG = ("random", "cautious", "sampling")
HANDS, DEALS = 20, 200
MOST_HANDS, MOST_DEALS = 100_000, 2000
KEPT = "strength.toml"
_SEATED = "cautious"


class ResultsWrong(Problem):
    """A file of results that cannot be read."""


class Difference(NamedTuple):
    """How many points a hand fewer the `better` player gets than the `worse` one in its seat: mean and standard error."""

    better: str
    worse: str
    mean: float
    error: float


class Table(NamedTuple):
    """How players do at `seats` of `game`: their average `points` a hand in each seat, by name, and the `differences`.

    `hands` were dealt; `milliseconds` is what a choice took on average, by name.
    """

    game: str
    seats: int
    hands: int
    milliseconds: dict[str, float]
    points: dict[str, tuple[float, ...]]
    differences: tuple[Difference, ...]


class Results(NamedTuple):
    """The `tables` measured on `date` (year-month-day) from one `seed`; the sampling player looked at `deals` a choice."""

    date: str
    seed: int
    deals: int
    tables: tuple[Table, ...]


class _Timed:
    """A player with a clock."""

    def __init__(self, inner: Player) -> None:
        self.name = inner.name
        self._inner = inner
        self._seconds = 0.0
        self._choices = 0

    def choose(self, view: SeatView, stream: Stream) -> Any:
        begun = time.process_time()
        found = self._inner.choose(view, stream)
        self._seconds += time.process_time() - begun
        self._choices += 1
        return found

    def advise(self, view: SeatView, stream: Stream) -> Advice:
        return self._inner.advise(view, stream)

    @property
    def milliseconds(self) -> float:
        return 1000 * self._seconds / max(self._choices, 1)


def measure(
    game: str, seats: int, hands: int, seed: int, players: Mapping[str, Player], done: Callable[[], object] = lambda: None
) -> Table:  # fmt: skip
    """Return how `players`, by name and from weak to strong, do in each seat among cautious players.

    Hand k (of 2 or more) is that of the match `seed` with the number k; the deal moves on from seat to seat. `done` is
    called after each. Interrupted from the keyboard after two hands, it returns what it has.

    >>> found = measure("hearts", 3, 2, 7, {name: player(name) for name in ("random", "cautious")})
    >>> found.hands, len(found.points["random"]), found.differences[0].better
    (2, 3, 'cautious')
    """
    rules = ruleset(game, seats)
    careful = player(_SEATED)
    timed = {name: _Timed(one) for name, one in players.items()}
    rows: list[dict[str, list[int]]] = []
    try:
        for number in range(1, hands + 1):

            def entered(tried: Player, seat: int, number: int = number) -> tuple[int, ...]:
                table = Game(rules, NAMES[:seats], seed, number % seats, number=number, hands=1)
                return play(table, [tried if i == seat else careful for i in range(seats)]).state.points

            row = {}
            for name, tried in timed.items():
                if name == _SEATED:
                    # all seats at once, since nobody differs
                    row[name] = list(entered(tried, 0))
                else:
                    row[name] = [entered(tried, seat)[seat] for seat in range(seats)]
            rows.append(row)
            done()
    except KeyboardInterrupt:
        if len(rows) < 2:
            raise
    points = {
        name: tuple([statistics.fmean(row[name][seat] for row in rows) for seat in range(seats)]) for name in players
    }
    names = list(players)
    return Table(
        game, seats, len(rows), {name: one.milliseconds for name, one in timed.items()}, points,
        tuple([_difference(better, worse, rows) for worse, better in zip(names, names[1:], strict=False)]),
    )  # fmt: skip


def _difference(better: str, worse: str, rows: list[dict[str, list[int]]]) -> Difference:
    saved = [statistics.fmean(row[worse]) - statistics.fmean(row[better]) for row in rows]
    return Difference(better, worse, statistics.fmean(saved), statistics.stdev(saved) / len(saved) ** 0.5)


def measure_all(
    hands: int, seed: int, deals: int, done: Callable[[str, int], object] = lambda game, hand: None
) -> Results:
    """Return how all built-in players do at TABLES: `hands` hands each from `seed`, `deals` deals a sampled choice.

    The sampling player needs numpy. `done` is called with the game and the hand after each hand.
    """
    from .sampling import SamplingPlayer

    found = []
    for game, seats in TABLES:
        players: dict[str, Player] = {name: player(name) for name in WEAK_TO_STRONG[:-1]}
        players[WEAK_TO_STRONG[-1]] = SamplingPlayer(deals=deals)
        counted = iter(range(1, hands + 1))
        table = measure(game, seats, hands, seed, players, lambda g=game, c=counted: done(g, next(c)))  # type: ignore[misc]
        found.append(table)
        if table.hands < hands:
            break
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return Results(today, seed, deals, tuple(found))


def dumps(results: Results) -> str:
    """Return `results` as TOML, which `loads` reads.

    >>> loads(dumps(Results("2026-11-30", 1, 200, ()))).deals
    200
    """
    lines = [f'date = "{results.date}"', f"seed = {results.seed}", f"deals = {results.deals}", "table = []"]
    if results.tables:
        lines.pop()
    for table in results.tables:
        lines += ["", "[[table]]", f'game = "{table.game}"', f"seats = {table.seats}", f"hands = {table.hands}"]
        lines += [f"milliseconds.{name} = {value:.3f}" for name, value in table.milliseconds.items()]
        lines += [
            f"points.{name} = [{', '.join([f'{value:.3f}' for value in values])}]"
            for name, values in table.points.items()
        ]
        for one in table.differences:
            lines += ["", "[[table.difference]]", f'better = "{one.better}"', f'worse = "{one.worse}"']
            lines += [f"mean = {one.mean:.4f}", f"error = {one.error:.4f}"]
    return "\n".join(lines) + "\n"


def loads(written: str) -> Results:
    """Return the results that `written` holds, as `dumps` writes them. Raises ResultsWrong."""
    try:
        top = tomllib.loads(written)
        return Results(
            str(top["date"]), int(top["seed"]), int(top["deals"]), tuple([_table(one) for one in top["table"]])
        )
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ResultsWrong(
            N_("These are no results of “cancel-hearts strength” (%(why)s)."), why=str(error)[:80]
        ) from None


def _table(one: Mapping[str, Any]) -> Table:
    return Table(
        str(one["game"]), int(one["seats"]), int(one["hands"]),
        {name: float(value) for name, value in one["milliseconds"].items()},
        {name: tuple([float(value) for value in values]) for name, values in one["points"].items()},
        tuple([Difference(d["better"], d["worse"], float(d["mean"]), float(d["error"])) for d in one["difference"]]),
    )  # fmt: skip


def kept() -> Results:
    """Return the results that come with the package.

    >>> [table.seats for table in kept().tables]
    [4, 8]
    """
    return loads((path("data") / KEPT).read_text(encoding="utf-8"))


_TITLES = {
    "hearts": N_("Hearts with %(seats)d players"),
    "cancellation": N_("Cancellation Hearts with %(seats)d players"),
}
_HEAD = (
    N_("Player"),
    N_("Points a hand"),
    N_("In the best seat"),
    N_("In the worst seat"),
    N_("Milliseconds a choice"),
)


def lines(results: Results, w: Words) -> Iterator[str]:
    """Yield `results` line by line in the language of `w`."""
    yield w.text(
        N_("Measured on %(date)s from the seed %(seed)d; the sampling player looked at %(deals)d deals for each choice."),
        date=results.date, seed=results.seed, deals=results.deals,
    )  # fmt: skip
    yield w.text(
        N_(
            "Each player alone in each seat among cautious ones, with the same cards every time; fewer points are better."
        )
    )
    for table in results.tables:
        yield ""
        yield w.text(_TITLES[table.game], seats=table.seats)
        yield w.count(NN_("%(count)d hand was dealt.", "%(count)d hands were dealt."), table.hands)
        rows = [[w.text(title) for title in _HEAD]]
        for name, points in table.points.items():
            numbers = (statistics.fmean(points), min(points), max(points), table.milliseconds[name])
            rows.append([name, *[f"{number:.2f}" for number in numbers]])
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
        for label, *numbers_shown in rows:
            cells = [number.rjust(width) for number, width in zip(numbers_shown, widths[1:], strict=True)]
            yield "  ".join(["  " + label.ljust(widths[0]), *cells])
        for one in table.differences:
            yield "  " + w.text(
                N_("“%(better)s” has %(mean)s ± %(error)s points a hand fewer than “%(worse)s” (%(times)s standard errors)."),
                better=one.better, worse=one.worse, mean=f"{one.mean:.2f}", error=f"{one.error:.2f}",
                times=f"{one.mean / one.error:.1f}" if one.error else "-",
            )  # fmt: skip


__all__ = [
    "DEALS", "HANDS", "KEPT", "MOST_DEALS", "MOST_HANDS", "TABLES", "Difference", "Results", "ResultsWrong", "Table", "dumps", "kept",
    "lines", "loads", "measure", "measure_all",
]  # fmt: skip
