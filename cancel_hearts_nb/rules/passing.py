"""Passing: how many cards, to whom, and that nobody sees what comes before all have passed (C9-C11, H8-H10, Q32-Q35)."""

from __future__ import annotations

from enum import StrEnum

from ..cards import Hand, missing
from ..ruleset import PassCycle, Ruleset
from .nouns import Refusal


class Direction(StrEnum):
    """Where the cards of one hand are passed, seen by the player who gives them."""

    LEFT = "left"
    RIGHT = "right"
    ACROSS = "across"
    NONE = "none"


LEFT, RIGHT, ACROSS, NONE = Direction
_CYCLES = {PassCycle.LR: (LEFT, RIGHT), PassCycle.LRAN: (LEFT, RIGHT, ACROSS, NONE), PassCycle.NONE: (NONE,)}


def direction(rules: Ruleset, number: int) -> Direction:
    """Return where hand `number` (from 1) passes (pass.direction, pass.none: C11, H9, H10, Q32-Q34).

    >>> from ..ruleset import ruleset
    >>> [str(direction(ruleset("hearts", 4), number)) for number in (1, 2, 3, 4, 5)]
    ['left', 'right', 'across', 'none', 'left']
    """
    if rules.pass_count == 0:
        return NONE
    cycle = _CYCLES[rules.pass_cycle]
    return cycle[(number - 1) % len(cycle)]


def receiver(rules: Ruleset, number: int, seat: int) -> int | None:
    """Return the seat that gets the cards of `seat` in hand `number`, or None without a pass (pass.direction).

    Left is the next seat clockwise, across the one half way round.

    >>> from ..ruleset import ruleset
    >>> receiver(ruleset("cancellation", 6), 1, 5), receiver(ruleset("hearts", 4), 4, 0)
    (0, None)
    """
    way = direction(rules, number)
    step = {LEFT: 1, RIGHT: -1, ACROSS: rules.seats // 2, NONE: None}[way]
    return None if step is None else (seat + step) % rules.seats


def count_refusal(rules: Ruleset, seat: int, given: Hand) -> Refusal | None:
    """Return why `seat` may not pass that many cards, or None (pass.count: C9, H8, Q35).

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> count_refusal(ruleset("hearts", 4), 0, cards("2C 3C")).rule
    'pass.count'
    """
    if len(given) == rules.pass_count:
        return None
    return Refusal("pass.count", {"seat": seat, "count": rules.pass_count, "given": len(given)})


def held_refusal(seat: int, dealt: Hand, given: Hand) -> Refusal | None:
    """Return why `seat` may not pass exactly these cards, or None: each must be held at the deal, each copy once (pass.held).

    A card that was received cannot be passed on, since nothing is received before all have passed.

    >>> from ..cards import cards
    >>> held_refusal(0, cards("QS 4D 5C"), cards("QS QS 4D")).params["cards"]
    (QS,)
    """
    lacking = missing(given, dealt)
    return Refusal("pass.held", {"seat": seat, "cards": lacking}) if lacking else None


def exchange(given: tuple[Hand, ...], to: tuple[int, ...]) -> tuple[Hand, ...]:
    """Return what each seat receives once every seat has passed: `given` and `to` are by giving seat (pass.blind: C10, H8).

    >>> from ..cards import cards
    >>> exchange((cards("2C"), cards("3C"), cards("4C")), (1, 2, 0))
    ((4C,), (2C,), (3C,))
    """
    received: list[Hand] = [()] * len(given)
    for seat, target in enumerate(to):
        received[target] = given[seat]
    return tuple(received)
