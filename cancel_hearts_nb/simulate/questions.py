"""Questions that a million hands answer: how often tricks die, what the first trick costs, what leading a queen costs."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from ..messages import N_
from ..ruleset import DeadRule, Ruleset
from . import legality, policies
from .outcome import outcome
from .results import NOTHING, Estimate, Result, Sums
from .runs import RunError, Task, begin, cut, run, spread
from .shape import MARIA, shape
from .table import Block

_BLOCK = 16_384


class Deaths(NamedTuple):
    """How often tricks die: of `every` trick, of `first` and of `last` ones, as shares of 1."""

    every: Estimate
    first: Estimate
    last: Estimate


class FirstTrick(NamedTuple):
    """Card points in the first trick `alone` and `with_kitty`, and in a `later` trick on average."""

    alone: Estimate
    with_kitty: Estimate
    later: Estimate


class PriceOfMaria(NamedTuple):
    """What leading a Black Maria costs its leader.

    `price` is how many points more are entered for it than had its policy chosen the lead; `cancelled` how often the
    twin fell into the same trick, `taken` how often its leader won the trick with it, as shares of 1.
    """

    price: Estimate
    cancelled: Estimate
    taken: Estimate


def readings(
    ruleset: Ruleset, hands: int, seed: int = 0, *, policy: str | Sequence[str] = policies.CAUTIOUS,
    executor: Executor | None = None, progress: bool = False,
) -> dict[str, Result]:  # fmt: skip
    """Return `run` under both readings of what kills a trick (trick.dead: Q2), by the value of the option `dead_rule`.

    >>> from ..ruleset import ruleset
    >>> found = readings(ruleset("cancellation", 8), 400, seed=7)
    >>> {reading: round(deaths(result).every.mean, 3) for reading, result in found.items()}
    {'two_pairs': 0.354, 'no_led': 0.016}
    """
    found: dict[str, Result] = {}
    for rule in DeadRule:
        # an interruption ends all of it
        if all(result.complete for result in found.values()):
            rules = dataclasses.replace(ruleset, dead_rule=rule)
            found[str(rule)] = run(rules, hands, seed, policy=policy, executor=executor, progress=progress)
    return found


def deaths(result: Result) -> Deaths:
    """Return how often tricks died in `result`."""
    every = result.estimate("dead_tricks", per=result.ruleset.hand_size)
    return Deaths(every, result.estimate("first_dead"), result.estimate("last_dead"))


def pairs_cancelled(result: Result) -> Estimate:
    """Return how many pairs cancelled in a hand of `result`."""
    return result.estimate("pairs")


def moons(result: Result) -> Estimate:
    """Return in what share of the hands of `result` somebody shot the moon."""
    return result.estimate("moons")


def first_trick(result: Result) -> FirstTrick:
    """Return how dangerous the first trick of `result` was: its points alone, with the kitty, and those of a later trick.

    All points of the pack lie in the kitty or in a trick, so that the first two say what is left for the later ones; the
    bonus card is not counted.
    """
    with_kitty = result.estimate("first_and_kitty")
    others = result.ruleset.hand_size - 1
    rest = 26 * result.ruleset.packs - with_kitty.mean
    later = Estimate(rest / others, with_kitty.error / others, with_kitty.samples)
    return FirstTrick(result.estimate("first_points"), with_kitty, later)


def price_of_maria(
    ruleset: Ruleset, hands: int, seed: int = 0, *, policy: str | Sequence[str] = policies.CAUTIOUS,
    executor: Executor | None = None,
) -> PriceOfMaria:  # fmt: skip
    """Return the price of leading a Black Maria in the hope of its twin, over `hands` hands of the match `seed`.

    Each hand is played until a seat is to lead that may lead a Black Maria and something else too, and from there in two
    ways, with the same chance: with the Black Maria, and as the policy chooses (which may be the same). Hands without
    such a lead do not count: `price.samples` says how many did. Raises UnknownPolicy and RunError.

    >>> from ..ruleset import ruleset
    >>> found = price_of_maria(ruleset("cancellation", 8), 400, seed=7)
    >>> found.price.samples, round(found.cancelled.mean, 2)
    (183, 0.49)
    """
    if type(hands) is not int or hands < 1:
        raise RunError(
            N_("“%(name)s” must be a whole number of at least %(least)d, not %(given)s."),
            name="hands", least=1, given=str(hands)[:40],
        )  # fmt: skip
    cautious = policies.by_seat(shape(ruleset), policy)
    sums = NOTHING
    # few hands of a block come to such a lead in the same trick, so whole tasks are one block
    for part in spread(_prices, cut(Task(ruleset, seed, 0, hands, cautious, False), _BLOCK), executor):
        sums += part
    return PriceOfMaria(*[sums.estimate(name) for name in PriceOfMaria._fields])


def _prices(task: Task) -> Sums:
    sums, block = NOTHING, begin(task)
    fresh = np.ones(task.high - task.low, bool)
    while block.trick_number < block.shape.tricks and fresh.any():
        hand = block.hands[0]
        legal = legality.to_lead(block.shape, hand, block.trick_number, block.broken)
        maria = legal & (hand == MARIA)
        rows = np.flatnonzero(fresh & maria.any(axis=0) & (legal & ~maria).any(axis=0))
        if len(rows):
            fresh[rows] = False
            sums += _both_ways(block.fork(rows), block.fork(rows))
        block.step()
    return sums


def _both_ways(with_maria: Block, without: Block) -> Sums:
    """Play two equal blocks on, one with the Black Maria led, and return what that changes for the leader."""
    leader, row = with_maria.leader, np.arange(len(with_maria.leader))
    trick = with_maria.step(forced=np.full(len(row), MARIA, np.int8))
    with_maria.play()
    without.play()
    dearer = outcome(with_maria).entered[row, leader] - outcome(without).entered[row, leader]
    twin = (trick.cards == MARIA).sum(axis=0) == 2
    return Sums.of({"price": dearer, "cancelled": twin, "taken": trick.winner == leader})
