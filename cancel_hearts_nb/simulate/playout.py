"""Playing hands on from their middle: what a player who tries its cards out asks for.

>>> import numpy as np
>>> from ..ruleset import ruleset
>>> from .dealing import deal_counts
>>> rules = ruleset("hearts", 4)
>>> hands, kitty = deal_counts(rules, seed=7, first=0, hands=100)
>>> start = Start(hands=hands, leader=np.zeros(100, int), trick_number=1)
>>> found = play_out(rules, start, 7)
>>> found.entered.shape, set(found.taken.sum(axis=1).tolist())
((100, 4), {26})
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..messages import N_, Problem
from ..ruleset import Ruleset
from . import policies
from .chance import seat_keys, seeds_of
from .outcome import Outcome, outcome
from .shape import CARDS, CODE, CODES, FIRST_HEART, INDEX, MARIA, NO_CARD, Array, Shape, shape
from .table import NOBODY, Block, Tally, empty_tally

BLOCK = 2048
_POINTS = np.array([13 if code == MARIA else int(code >= FIRST_HEART) for code in CODE])
_PENALTY = (_POINTS > 0).astype(int)


class StartError(Problem):
    """A position that cannot be played on."""


@dataclass(frozen=True, kw_only=True)
class Start:
    """`n` positions in the middle of a hand (after the pass), all at the same place of the same trick; any may differ otherwise.

    Cards are counted: an array of 52 whole numbers says how often each card (by `Card.index`) is there, 0 to 2.

    - `hands` (n, seats, 52): what each seat holds now.
    - `leader` (n,): the seat that led, or is to lead, the trick that is being played.
    - `trick_number`: which trick that is, from 1, the same for all rows.
    - `trick` (n, k): the cards that lie in it, by `Card.index`, in the order of play; k is 0 before the lead and at most
      seats - 1, the same for all rows. The seat to act is the one k to the left of the leader.
    - `hearts_broken` (n,): whether hearts are broken, as before the next play (False when not given).
    - `taken` (n, seats, 52): what each seat has won in tricks, the kitty not among it (nothing when not given).
    - `aside` (n, 52): what lies in dead tricks that nobody has won yet, the kitty not among it.
    - `kitty` (n, 52): the leftovers of the deal, wherever they are now; nobody has seen them.
    - `kitty_taker` (n,): the seat that took the kitty, or -1 while it waits (the default).
    - `forced` (n,): the card that the seat to act plays, by `Card.index`, whatever its policy; it must hold it. Without
      it the policy chooses. Each row may have another one.
    - `number` (n,) or one number: which hand of the match this is, from 1; only the chance of random seats depends on it.
    - `totals` (n, seats) or (seats,): the totals before this hand (0 when not given); only the choice after a moon
      depends on them.
    """

    hands: Array
    leader: Array
    trick_number: int
    trick: Array | None = None
    hearts_broken: Array | None = None
    taken: Array | None = None
    aside: Array | None = None
    kitty: Array | None = None
    kitty_taker: Array | None = None
    forced: Array | None = None
    number: int | Array = 1
    totals: Array | None = None


def play_out(
    ruleset: Ruleset, start: Start, seeds: int | Array, *, policy: str | Sequence[str] = policies.CAUTIOUS
) -> Outcome:
    """Play the hands of `start` to their end and return what came of them.

    `seeds` is one seed or one a row: row i is played with the chance of the match of seed i, hand `start.number`, as
    `Game(…, seed)` has it; only random seats use any. `policy` is "random" or "cautious", or a sequence with one for each
    seat. Of the result, `entered` (n, seats) are the points that go on the score sheet (moons chosen as the policy of the
    shooter does) and `taken` (n, seats) the card points; see `Outcome` for the rest, whose counts begin with `start`.
    The rows are worked on in blocks, so their number costs no memory beyond the arrays given and returned.
    Raises StartError when the arrays do not fit each other, UnknownPolicy.
    """
    found = shape(ruleset)
    cautious = policies.by_seat(found, policy)
    rows = len(start.hands)
    _check(found, start, seeds)
    parts = []
    for low in range(0, max(rows, 1), BLOCK):
        part = slice(low, low + BLOCK)
        block, begun, forced, totals = _block(found, _rows(start, part), _of(seeds, part), cautious)
        block.play(begun, forced)
        parts.append(outcome(block, totals))
    if len(parts) == 1:
        return parts[0]
    return Outcome(*[np.concatenate(column) for column in zip(*parts, strict=True)])


def _of(value: int | Array, part: slice) -> int | Array:
    return value if isinstance(value, int) or value.ndim == 0 else value[part]


def _rows(start: Start, part: slice) -> Start:
    cut: dict[str, Any] = {
        field.name: value[part]
        for field in dataclasses.fields(start)
        if isinstance(value := getattr(start, field.name), np.ndarray)
        and value.ndim
        and not (field.name == "totals" and value.ndim == 1)
    }
    return dataclasses.replace(start, **cut)


def _check(found: Shape, start: Start, seeds: int | Array) -> None:
    """Refuse arrays of other shapes and hands of other sizes than `start` says."""
    rows, seats = len(start.hands), found.seats
    done = 0 if start.trick is None else start.trick.shape[-1]
    wanted: dict[str, tuple[int, ...]] = {
        "hands": (rows, seats, CARDS), "leader": (rows,), "trick": (rows, done), "hearts_broken": (rows,),
        "taken": (rows, seats, CARDS), "aside": (rows, CARDS), "kitty": (rows, CARDS), "kitty_taker": (rows,),
        "forced": (rows,),
    }  # fmt: skip
    for name, size in wanted.items():
        value = getattr(start, name)
        if value is not None and np.shape(value) != size:
            raise StartError(
                N_("In a start “%(name)s” must have the shape %(wanted)s, not %(given)s."),
                name=name, wanted=str(size), given=str(np.shape(value)),
            )  # fmt: skip
    if not isinstance(seeds, int) and np.ndim(seeds) and len(seeds) != rows:
        raise StartError(
            N_("In a start “%(name)s” must have the shape %(wanted)s, not %(given)s."),
            name="seeds", wanted=str((rows,)), given=str(np.shape(seeds)),
        )  # fmt: skip
    if not 1 <= start.trick_number <= found.tricks or not 0 <= done < seats:
        raise StartError(
            N_("A hand has %(tricks)d tricks here, of up to %(seats)d cards; trick %(number)d with %(done)d cards is none."),
            tricks=found.tricks, seats=seats, number=start.trick_number, done=done,
        )  # fmt: skip
    held = start.hands.sum(axis=2, dtype=np.int64)
    place = (np.arange(seats) - start.leader[:, None]) % seats
    if (held != found.tricks - start.trick_number + (place >= done)).any():
        raise StartError(
            N_("In trick %(number)d each seat must hold %(size)d cards, or one less once it has played to it."),
            number=start.trick_number, size=found.tricks - start.trick_number + 1,
        )  # fmt: skip
    if start.forced is not None and rows:
        actor = (start.leader + done) % seats
        if (start.hands[np.arange(rows), actor, start.forced] == 0).any():
            raise StartError(N_("The card that is forced must be in the hand of the seat to act."))


def _block(
    found: Shape, start: Start, seeds: int | Array, cautious: tuple[bool, ...]
) -> tuple[Block, Array | None, Array | None, Array | None]:
    size, seats = len(start.hands), found.seats
    done = 0 if start.trick is None else start.trick.shape[1]
    leader = start.leader.astype(np.intp)
    block = Block(
        shape=found,
        hands=stacks(start.hands, leader, found.tricks - start.trick_number + 1, done),
        leader=leader,
        broken=np.zeros(size, bool) if start.hearts_broken is None else start.hearts_broken.astype(bool),
        unplayed=_unplayed(start),
        keys=seat_keys(seeds_of(seeds, size), np.broadcast_to(np.asarray(start.number), (size,)), seats),
        cautious=cautious,
        tally=_tally(found, start),
        trick_number=start.trick_number,
    )
    begun = None if start.trick is None or not done else CODE.take(np.ascontiguousarray(start.trick.T))
    if begun is not None:
        # as they are laid down they are counted as played
        rows = np.arange(size)
        for card in begun:
            block.unplayed[card, rows] += 1
    forced = None if start.forced is None else CODE.take(start.forced)
    totals = None if start.totals is None else np.broadcast_to(start.totals, (size, seats))
    return block, begun, forced, totals


def stacks(hands: Array, leader: Array, height: int, done: int = 0) -> Array:
    """Return counted `hands` (n, seats, 52) as stacks of sorted cards by place, slot and hand, `height` slots high.

    The first `done` places have played to the trick and hold one card less: their last slot means nothing.
    """
    rows, seats, _ = hands.shape
    seat = (leader[:, None] + np.arange(seats)) % seats
    by_place = hands[np.arange(rows)[:, None], seat]
    cards = np.tile(CODE, rows)
    found = np.empty((seats, height, rows), np.int8)
    for place in range(seats):
        slots = height - (place < done)
        found[place, :slots] = np.repeat(cards, by_place[:, place].ravel()).reshape(rows, slots).T
        found[place, slots:] = NO_CARD
    return found


def _unplayed(start: Start) -> Array:
    """What has not been played, by code and hand: what is held, and the kitty, which nobody has seen."""
    counts = start.hands.sum(axis=1, dtype=np.int8)
    if start.kitty is not None:
        counts = counts + start.kitty.astype(np.int8)
    unplayed = np.zeros((CODES, len(counts)), np.int8)
    unplayed[CODE] = counts.T
    return unplayed


def _tally(found: Shape, start: Start) -> Tally:
    tally = empty_tally(found, len(start.hands))
    if start.taken is not None:
        tally.seen[:] = (start.taken @ _POINTS).T
        tally.penalties[:] = (start.taken @ _PENALTY).T
        if found.bonus != NO_CARD:
            mine = start.taken[:, :, INDEX[found.bonus]] > 0
            tally.bonus_taker[:] = np.where(mine.any(axis=1), mine.argmax(axis=1), NOBODY)
    if start.aside is not None:
        tally.waiting_seen[:] = start.aside @ _POINTS
        tally.waiting_penalties[:] = start.aside @ _PENALTY
    if start.kitty is not None:
        tally.kitty_seen[:] = start.kitty @ _POINTS
        tally.kitty_penalties[:] = start.kitty @ _PENALTY
    if start.kitty_taker is not None:
        tally.kitty_taker[:] = start.kitty_taker
    return tally


__all__ = ["Outcome", "Start", "StartError", "play_out", "stacks"]
