"""A learner's function plays 1,000 hands, and is compared with the cautious player at the same seats with the same cards.

What the cautious player gets there is kept as data (`poe cautious-hands`). Turns are kept while Python runs: as long
as a function answers as an earlier one did, the game need not be played again.
"""

from __future__ import annotations

import functools
import statistics
import tomllib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .. import cautious, record, resources, trial
from ..cards import Card, Hand, find
from ..game import Game, PlayCard
from ..messages import N_
from ..names import NAMES
from ..players import Player, SeatView, player, view
from ..rules.legality import refusal
from ..rules.nouns import Position
from ..ruleset import ruleset
from .fragments import TITLE
from .nouns import Case, Mistake, Verdict

SEATS, SEED, HANDS = 6, 1, 1000
LINES, ALL_LINES = 100_000, 25_000_000
"""How many lines the function may run in one turn, and in all hands together, about 17,000 turns."""
SURE = 2.0
"""So many standard errors are more than chance."""
KEPT = "cautious_hands.toml"
_LOOKED_AT = 40
# A function that is worse by so many standard errors after 200, 300, … hands need not play the rest
_HOPELESS, _FIRST = 5.0, 200
_ALIKE = 0.97


class Turn(NamedTuple):
    """What the function is told when it is to play: cards as lists in `args`; `number` is that of the hand, `before` makes the game so far as a record."""

    hand: Hand
    legal: Hand
    trick: Hand
    unseen: Hand
    cautious: Card
    number: int
    before: Callable[[], str]
    refused: Callable[[Card], str]

    @property
    def args(self) -> tuple[Any, ...]:
        """The arguments of the function, made anew."""
        return list(self.hand), list(self.legal), list(self.trick), list(self.unseen), self.cautious


class _Fault(Exception):
    """At this `turn` the function gave a `card` that is not legal, or none at all."""

    def __init__(self, turn: Turn, card: Card | None = None) -> None:
        super().__init__(card)
        self.turn = turn
        self.card = card


class _Late(Exception):
    """The time is up."""


_known: dict[tuple[int, bytes], Turn | int] = {}


def start(number: int) -> tuple[Game, int]:
    """Return hand `number` (from 1), dealt, and the seat that is looked at: both move on from hand to hand.

    >>> start(7)[1]
    1
    """
    rules = ruleset("cancellation", SEATS)
    game = Game(rules, NAMES[:SEATS], SEED, number // SEATS % SEATS, number=number, hands=1)
    return game, number % SEATS


def points(number: int, answer: Callable[[Turn], Card]) -> int:
    """Return the points that the seat looked at enters in hand `number` when `answer` plays its cards; the rest is the cautious player's.

    >>> points(1, lambda turn: turn.cautious) == kept()[0]
    True
    """
    given: list[Card] = []
    known = _known.get((number, b""))
    while isinstance(known, Turn):
        given.append(answer(known))
        known = _known.get((number, _key(given)))
    if known is not None:
        return known
    game, seat = start(number)
    careful, turns = player("cautious"), 0
    while (asked := game.asked) is not None:
        seen = view(game)
        if asked.seat != seat or asked.kind != "play":
            game.submit(careful.choose(seen, game.stream(asked.seat)))
            continue
        if turns == len(given):
            turn = _turn(game, seen, careful)
            _known[number, _key(given)] = turn
            given.append(answer(turn))
        game.submit(PlayCard(seat, given[turns]))
        turns += 1
    _known[number, _key(given)] = found = game.state.points[seat]
    return found


def _key(given: Sequence[Card]) -> bytes:
    return bytes([card.index for card in given])


def _turn(game: Game, seen: SeatView, careful: Player) -> Turn:
    actions, number = game.actions, seen.number
    position = Position(seen.ruleset, seen.seat, seen.hand, seen.trick, seen.trick_number, seen.hearts_broken)

    def before() -> str:
        again, _ = start(number)
        for action in actions:
            again.submit(action)
        return record.dumps(again, TITLE)

    def refused(card: Card) -> str:
        found = refusal(position, card)
        return found.rule if found else ""

    action = careful.choose(seen, game.stream(seen.seat))
    assert isinstance(action, PlayCard)
    unseen = tuple(sorted(cautious.unseen(seen).elements()))
    return Turn(seen.hand, seen.legal, seen.trick.cards, unseen, action.card, number, before, refused)


@functools.cache
def kept() -> tuple[int, ...]:
    """Return the points that the cautious player enters, hand by hand.

    >>> len(kept())
    1000
    """
    found = tomllib.loads((resources.path("data") / KEPT).read_text(encoding="utf-8"))
    assert (found["seats"], found["seed"]) == (SEATS, SEED)
    return tuple(found["points"])


def first_turns() -> list[Turn]:
    """Return a few turns of the first hands: one on lead and others in the middle of a trick."""
    found: list[Turn] = []

    def look(turn: Turn) -> Card:
        found.append(turn)
        return turn.cautious

    for number in (1, 2, 3):
        points(number, look)
    return sorted(found, key=lambda turn: len(turn.hand))[::5]


class _Tried:
    """A function that is asked turn by turn, under a budget; `seen` are the turns with a choice, and what it chose."""

    def __init__(self, function: object, clock: trial.Clock) -> None:
        self.function = function
        self.clock = clock
        self.lines = 0
        self.seen: list[tuple[Turn, Card]] = []

    def answer(self, turn: Turn) -> Card:
        """Return the legal card that the function chooses. Raises _Fault and _Late."""
        given, args = turn.args, turn.args
        outcome = trial.run(self.function, given, LINES, self.clock.left, copied=False)
        card = outcome.value
        if self.clock.over:
            raise _Late
        if outcome.kind != "answer" or not isinstance(card, Card) or given != args:
            raise _Fault(turn)
        if find(card, turn.legal) < 0:
            raise _Fault(turn, card)
        self.lines += outcome.facts["lines"]
        if len(set(turn.legal)) > 1 and turn.number <= _LOOKED_AT:
            self.seen.append((turn, card))
        return card


def judge(function: Any, mistakes: Sequence[Mistake] = (), clock: trial.Clock | None = None) -> Verdict:
    """Return whether `function` does better than the cautious player over HANDS hands, by more than SURE standard errors.

    It is stopped when the time of `clock` (without one, that of a whole check) is up.

    >>> judge(lambda hand, legal, trick, unseen, cautious: unseen[0]).passed
    False
    """
    saved: list[int] = []
    tried = _Tried(function, trial.Clock() if clock is None else clock)
    for number, usual in enumerate(kept(), 1):
        try:
            saved.append(usual - points(number, tried.answer))
        except _Fault as fault:
            return _illegal(number, fault)
        except _Late:
            said = N_(
                "`choose` takes too long: it was stopped after %(seconds)d seconds, in hand %(hand)d of %(hands)d."
            )
            seconds = int(tried.clock.seconds)
            return Verdict(False, said, (("seconds", seconds), ("hand", number), ("hands", HANDS)), key="slow")
        if tried.lines > ALL_LINES:
            said = N_(
                "`choose` takes too long: it was stopped after %(lines)d lines in %(hands)d hands. Do what is the same for every card once, before the loop."
            )
            return Verdict(False, said, (("lines", tried.lines), ("hands", number)), key="slow")
        if number >= _FIRST and number % 100 == 0 and _times(saved) < -_HOPELESS:
            break
    return _verdict(saved, _met(tried.seen, mistakes))


def _illegal(number: int, fault: _Fault) -> Verdict:
    turn, card = fault.turn, fault.card
    if card is None:
        said = N_(
            "In hand %(hand)d `choose` gives no card, but it did when it was asked again. It must always answer alike."
        )
        case = Case(turn.args, "", turn.before)
        return Verdict(False, said, (("hand", number),), key="unsteady", record=turn.before(), case=case)
    facts = {"hand": number, "card": card.symbol, "legal": " ".join([one.symbol for one in turn.legal])}
    if find(card, turn.hand) < 0:
        said = N_("In hand %(hand)d `choose` plays %(card)s, which is not in the hand. Legal were: %(legal)s.")
    else:
        said = N_("In hand %(hand)d `choose` plays %(card)s, which the rule `%(rule)s` forbids. Legal were: %(legal)s.")
        facts["rule"] = turn.refused(card)
    return Verdict(False, said, tuple(facts.items()), key="illegal", record=turn.before())


def _met(seen: Sequence[tuple[Turn, Card]], mistakes: Sequence[Mistake]) -> Mistake | None:
    """Return the mistake that gives nearly all of the answers."""
    for mistake in mistakes:
        if sum(mistake.function(*turn.args) is card for turn, card in seen) >= _ALIKE * len(seen):
            return mistake
    return None


def _times(saved: Sequence[int]) -> float:
    """Return how many standard errors the mean is away from 0."""
    error = statistics.stdev(saved) / len(saved) ** 0.5
    return statistics.fmean(saved) / error if error else 0.0


def _verdict(saved: Sequence[int], met: Mistake | None) -> Verdict:
    mean, error = statistics.fmean(saved), statistics.stdev(saved) / len(saved) ** 0.5
    facts: tuple[tuple[str, Any], ...] = (
        ("hands", len(saved)), ("mean", f"{abs(mean):.2f}"), ("error", f"{error:.2f}"),
        ("times", f"{abs(mean) / error:.1f}" if error else "0"),
    )  # fmt: skip
    hint, key = (met.hint, met.key) if met else ("", "")
    if not any(saved):
        return Verdict(False, N_("Over %(hands)d hands `choose` has the very points of the cautious player in every single one: it is no better and no worse."), facts, hint, key or "same")  # fmt: skip
    if mean > SURE * error:
        return Verdict(True, N_("Over %(hands)d hands `choose` saves %(mean)s points a hand, with a standard error of %(error)s. That is %(times)s standard errors, more than chance explains: it is better than the cautious player."), facts)  # fmt: skip
    if mean < -SURE * error:
        return Verdict(False, N_("Over %(hands)d hands `choose` costs %(mean)s points a hand more than the cautious player, with a standard error of %(error)s (%(times)s standard errors): it is worse."), facts, hint, key or "worse")  # fmt: skip
    if mean > 0:
        return Verdict(False, N_("Over %(hands)d hands `choose` saves %(mean)s points a hand, but the standard error is %(error)s. Less than two standard errors may be chance: it is not shown to be better."), facts, hint, key or "not shown")  # fmt: skip
    return Verdict(False, N_("Over %(hands)d hands `choose` costs %(mean)s points a hand more, with a standard error of %(error)s. Less than two standard errors may be chance: it is not shown to be better, nor worse."), facts, hint, key or "not shown")  # fmt: skip


def dumps() -> str:
    """Return the file of results that `kept` reads, played anew (some ten seconds)."""
    found = [points(number, lambda turn: turn.cautious) for number in range(1, HANDS + 1)]
    rows = [", ".join(map(str, found[at : at + 25])) for at in range(0, HANDS, 25)]
    head = "# What the cautious player enters at one seat of Cancellation Hearts, hand by hand.\n# Made by `poe cautious-hands`; do not edit by hand.\n"
    return f"{head}seats = {SEATS}\nseed = {SEED}\npoints = [\n" + "".join([f"  {row},\n" for row in rows]) + "]\n"
