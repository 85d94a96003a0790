"""A block of hands on the table, and how a trick changes it: cancellation, winners, dead tricks, what waits, the end.

The mirror of `rules.trick`, `rules.lead` and `game`. Everything is by hand along the last axis. The hands of cards are
turned so that the leader's comes first: place p of a trick is the seat p to the left of the leader, in every hand of
the block. A card played is taken out and the slots behind it move up, so that a stack always is as high as the trick
is late.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ..ruleset import DeadLead, DeadRule, LastDead
from . import legality, policies
from .chance import choice_draw
from .shape import CODES, FIRST_HEART, MARIA, NO_CARD, RANK, SUIT, Array, Shape, ones
from .tally import NOBODY, Tally

_RANDOM_BLOCK, _CAUTIOUS_BLOCK = 2048, 8192


@dataclass
class Trace:
    """Every play of a block: by trick and hand the `leader` and the `winner` (-1: dead), and the `cards` by place."""

    leader: list[Array]
    winner: list[Array]
    cards: list[Array]


@dataclass
class Block:
    """Hands on the table: `hands` by place, slot and hand; `leader` and `broken` by hand; `unplayed` by code and hand.

    `keys` are the keys of the seats' choices, by seat and hand; `cautious` says which seats are.
    """

    shape: Shape
    hands: Array
    leader: Array
    broken: Array
    unplayed: Array
    keys: Array
    cautious: tuple[bool, ...]
    tally: Tally
    trick_number: int = 1
    trace: Trace | None = None

    def play(self, begun: Array | None = None, forced: Array | None = None) -> None:
        """Play all tricks that are left; `begun` are cards that lie in the first of them, by place; `forced` the next card."""
        while self.trick_number <= self.shape.tricks:
            self.step(begun, forced)
            begun = forced = None

    def step(self, begun: Array | None = None, forced: Array | None = None) -> Trick:
        """Play the next trick, and return it."""
        trick = Trick(self, self.trick_number)
        trick.play(begun, forced)
        trick.end()
        self.trick_number += 1
        return trick

    def fork(self, rows: Array) -> Block:
        """Return the hands `rows` of the block as a block of their own, to be played on in another way."""
        # `take` returns arrays that lie in one piece, so that flat views of them can be written to
        tally = {field.name: getattr(self.tally, field.name).take(rows, axis=-1) for field in fields(self.tally)}
        return Block(
            shape=self.shape, hands=self.hands.take(rows, axis=-1), leader=self.leader.take(rows),
            broken=self.broken.take(rows), unplayed=self.unplayed.take(rows, axis=-1), keys=self.keys.take(rows, axis=-1),
            cautious=self.cautious, tally=Tally(**tally), trick_number=self.trick_number,
        )  # fmt: skip


def block_size(cautious: tuple[bool, ...]) -> int:
    """Return how many hands are best played at once: enough to outweigh the calls of numpy, few enough for the cache.

    Chance alone asks numpy for little a trick, care for three times as much.
    """
    return _CAUTIOUS_BLOCK if any(cautious) else _RANDOM_BLOCK


def turned(hands: Array, turn: Array) -> Array:
    """Return `hands` (by place, slot and hand) with each hand's places turned so that place `turn` comes first."""
    bit = 1
    while bit < len(hands):
        moves = -((turn & bit) != 0).view(np.int8)
        # bits instead of a choice by index: whole arrays of bytes are moved at once
        other = np.concatenate((hands[bit:], hands[:bit]))
        other ^= hands
        other &= moves
        other ^= hands
        hands = other
        bit *= 2
    return hands


class Trick:
    """One trick of all hands of a block, while it is played."""

    def __init__(self, block: Block, number: int) -> None:
        self.block = block
        self.number = number
        self.last = number == block.shape.tricks
        seats, size = block.shape.seats, len(block.leader)
        self.size = size
        self.row = np.arange(size)
        self.seat = block.leader + np.arange(seats)[:, None]
        self.seat -= seats * (self.seat >= seats)
        self.cards = np.empty((seats, size), np.int8)
        self.slots = np.empty((seats, size), np.int8)
        # one more than the card while it can win, 0 once it cannot
        self.alive = np.zeros((seats, size), np.int8)
        self.pairs = np.zeros(size, np.int8)
        self.twin, self.paired = np.zeros((2, seats, size), bool)
        self.maria_out = block.unplayed[MARIA].copy()
        self.lowest = np.zeros(size, np.int8)
        self.best = np.zeros(size, np.int8)

    def play(self, begun: Array | None, forced: Array | None) -> None:
        """Let every seat play its card in turn."""
        block, seats = self.block, self.block.shape.seats
        done = 0 if begun is None else len(begun)
        for place in range(done):
            self.slots[place] = len(block.hands[place]) - 1
            self._put(place, begun[place])  # type: ignore[index]
        half = None
        if not all(block.cautious):
            half = choice_draw(block.keys.ravel().take(self.seat * self.size + self.row), self.number)
        suspects = policies.suspects(block.shape, block.tally.seen) if any(block.cautious) else None
        if not done:
            self._play(0, (self._lead(half) if forced is None else self._slot_of(0, forced))[None])
        first = max(done, 1)
        if first == seats:
            return
        # what may be played and what chance would play depend on the lead alone, so all followers look at once
        legal, of_suit = legality.to_follow(block.shape, block.hands[first:], self.lowest, self.number)
        chosen = None if half is None else policies.pick(legal, half[first:], self.number > 1)
        if chosen is not None and not any(block.cautious):
            if forced is not None and done:
                chosen[0] = self._slot_of(first, forced)
            self._play(first, chosen)
            return
        careful = policies.Followers(block.shape, block.hands[first:], legal, of_suit, self.lowest)
        for place in range(first, seats):
            at = place - first
            if forced is not None and place == done:
                slot = self._slot_of(place, forced)
            else:
                stop = self._stop(place, suspects)
                harmless, fed = self._harmless(place), self._fed(place, stop)
                slot = careful.choose(at, self.best, self._killed(), self.maria_out, stop, harmless, fed)
                slot = self._of_policy(place, slot, None if chosen is None else chosen[at])
            self._play(place, slot[None])

    def _lead(self, half: Array | None) -> Array:
        block, shape, hand = self.block, self.block.shape, self.block.hands[0]
        legal = legality.to_lead(shape, hand, self.number, block.broken)
        chosen = None if half is None else policies.pick(legal, half[0], self.number > 1)
        if not any(block.cautious):
            return chosen  # type: ignore[return-value]
        careful = policies.cautious_lead(shape, hand, legal, block.unplayed, self.maria_out)
        return self._of_policy(0, careful, chosen)

    def _stop(self, place: int, suspects: tuple[Array, Array] | None) -> Array | None:
        """The hands in which the seat that wins so far seems to shoot the moon; it is never the one to play."""
        if suspects is None:
            return None
        rows, seat = suspects
        alive = self.alive[:place, rows]
        leading = np.argmax(alive, axis=0)
        stop = rows[(self.seat[leading, rows] == seat) & (alive[leading, np.arange(len(rows))] > 0)]
        return stop if len(stop) else None

    def _harmless(self, place: int) -> Array | None:
        """Where the trick brings its winner no points so far; None where seats after this one may add some."""
        shape, tally = self.block.shape, self.block.tally
        first = self.number == 1 and shape.ban
        if not first and place < shape.seats - 1:
            return None
        some: Array = self._penalties(place) | (tally.waiting_penalties > 0)
        if shape.kitty:
            # nobody has seen it
            some |= tally.kitty_taker == NOBODY
        return ~some

    def _fed(self, place: int, stop: Array | None) -> Array | None:
        """Which of the hands `stop` have penalty cards in the trick or waiting, where the seat is the last to play."""
        if stop is None or place < self.block.shape.seats - 1:
            return None
        some = self._penalties(place)[stop] | (self.block.tally.waiting_penalties[stop] > 0)
        return stop[some] if some.any() else None

    def _penalties(self, place: int) -> Array:
        """Where a penalty card lies in the trick before `place`."""
        cards = self.cards[:place]
        return np.logical_or.reduce((cards >= FIRST_HEART) | (cards == MARIA), axis=0)  # type: ignore[no-any-return]

    def _of_policy(self, place: int, careful: Array, chosen: Array | None) -> Array:
        if chosen is None:
            return careful
        return np.where(np.array(self.block.cautious)[self.seat[place]], careful, chosen)

    def _slot_of(self, place: int, card: Array) -> Array:
        return np.argmax(self.block.hands[place] == card, axis=0).astype(np.int8)  # type: ignore[no-any-return]

    def _play(self, first: int, slots: Array) -> None:
        """Let the seats from place `first` on play what is in their `slots`, one after the other."""
        hands = self.block.hands[first : first + len(slots)]
        self.slots[first : first + len(slots)] = slots
        places = slots * np.intp(self.size)
        places += self.row
        places += np.arange(0, hands.size, hands[0].size)[:, None]
        for at, card in enumerate(hands.ravel().take(places)):
            self._put(first + at, card)

    def _put(self, place: int, card: Array) -> None:
        """Lay `card` down: what it cancels and whether it leads now."""
        shape = self.block.shape
        self.cards[place] = card
        if place == 0:
            self.lowest = card & np.int8(CODES - SUIT)
        of_suit = (card - self.lowest).view(np.uint8) < SUIT
        alive = self.alive[place]
        np.add(card, np.int8(1), out=alive)
        if shape.packs == 2 and place:
            same = self.cards[:place] == card
            twin = np.logical_or.reduce(same, axis=0)
            self.paired[:place] |= same
            self.paired[place] = self.twin[place] = twin
            self.pairs += ones(twin)
            of_suit &= ~twin
            alive *= ones(of_suit)
            self.alive[:place] *= ones(~same)
            self.best = np.maximum.reduce(self.alive[: place + 1], axis=0)
        else:
            alive *= ones(of_suit)
            np.maximum(self.best, alive, out=self.best)
        if any(self.block.cautious):
            self.maria_out -= ones(card == MARIA)

    def _killed(self) -> Array | None:
        """Whether two pairs, of any suit, have killed the trick; None where they never can."""
        shape = self.block.shape
        if shape.packs == 2 and shape.rules.dead_rule is DeadRule.TWO_PAIRS:
            return self.pairs >= 2
        return None

    def end(self) -> None:
        """Give the trick to its winner or set it aside, and turn the table to the next leader."""
        block, shape, tally = self.block, self.block.shape, self.block.tally
        maria = self.cards == MARIA
        heart = self.cards >= FIRST_HEART
        hearts = np.add.reduce(ones(heart), axis=0, dtype=np.int8)
        marias = np.add.reduce(ones(maria), axis=0, dtype=np.int8)
        penalties = hearts + marias
        # at most 11 hearts, or 2 Black Marias and 9: a byte holds that
        seen = hearts + marias * np.int8(13)
        block.broken = block.broken | ((penalties if shape.bm_breaks else hearts) > 0)
        if self.number == 1:
            tally.first_points += seen
        tally.pairs += self.pairs
        if any(block.cautious):
            places = self.cards * np.intp(self.size)
            places += self.row
            # both cards of a pair write the same number
            block.unplayed.reshape(-1)[places] -= ones(self.paired) + np.int8(1)
        # the place of the winner; where nothing is alive, all places are equal and 0 is as good as any
        best = ones(self.alive == self.best)
        best *= np.arange(shape.seats, 0, -1, dtype=np.int8)[:, None]
        place = np.int8(shape.seats) - np.maximum.reduce(best, axis=0)
        if shape.packs == 2:
            dead = self.best == 0
            killed = self._killed()
            if killed is not None:
                dead |= killed
            place *= ones(~dead)
            tally.dead += ones(dead)
            if self.number == 1:
                tally.first_dead |= dead
            if self.last:
                tally.last_dead |= dead
        else:
            dead = np.zeros(self.size, bool)
        winner = self.seat.ravel().take(place * np.intp(self.size) + self.row)
        taker, taken = winner, ~dead
        if self.last and shape.packs == 2 and dead.any():
            taker, taken = self._last_taker(winner, dead)
        self._take(taker, taken, seen, penalties)
        self.winner = np.where(dead, NOBODY, winner)
        if block.trace is not None:
            block.trace.leader.append(block.leader)
            block.trace.winner.append(self.winner)
            block.trace.cards.append(self.cards)
        if not self.last:
            self._turn(winner, place, dead)

    def _last_taker(self, winner: Array, dead: Array) -> tuple[Array, Array]:
        """Who takes everything that waits when the last trick is dead, and where anybody does."""
        option = self.block.shape.rules.last_dead
        if option is LastDead.NOBODY:
            return winner, ~dead
        if option is LastDead.TRICK_LEADER:
            return np.where(dead, self.block.leader, winner), np.ones(self.size, bool)
        places = np.arange(len(self.cards), dtype=np.int16)[:, None]
        rank = self.cards & RANK
        of_suit = self.cards - rank == self.lowest
        key = (of_suit * np.int16(512) + rank * np.int16(16) + (np.int16(15) - places)) * self.twin
        second = 15 - (np.maximum.reduce(key, axis=0) & 15)
        by_pair = self.seat.ravel().take(np.where(dead, second, 0) * np.intp(self.size) + self.row)
        return np.where(dead, by_pair, winner), np.ones(self.size, bool)

    def _take(self, taker: Array, taken: Array, seen: Array, penalties: Array) -> None:
        """Give the trick, and with it all that waits, to `taker` where it is `taken`; elsewhere it waits."""
        shape, tally = self.block.shape, self.block.tally
        places = taker * np.intp(self.size) + self.row
        if shape.packs == 2:
            tally.waiting_seen += seen
            tally.waiting_penalties += penalties
            seen, penalties = tally.waiting_seen * taken, tally.waiting_penalties * taken
            tally.waiting_seen -= seen
            tally.waiting_penalties -= penalties
            if shape.kitty:
                first = taken & (tally.kitty_taker == NOBODY)
                tally.kitty_taker = np.where(first, taker, tally.kitty_taker).astype(np.int8)
        tally.seen.reshape(-1)[places] += seen
        tally.penalties.reshape(-1)[places] += penalties
        if shape.bonus != NO_CARD:
            there = np.logical_or.reduce(self.cards == shape.bonus, axis=0)
            tally.bonus_taker = np.where(there, taker, tally.bonus_taker).astype(np.int8)

    def _turn(self, winner: Array, place: Array, dead: Array) -> None:
        """Take the cards played out of the hands, and turn them so that the next leader's comes first."""
        block, shape = self.block, self.block.shape
        count = block.hands.shape[1] - 1
        left = block.hands[:, 1:] - block.hands[:, :-1]
        left *= ones(np.arange(count, dtype=np.int8)[:, None] >= self.slots[:, None, :])
        left += block.hands[:, :-1]
        if shape.rules.dead_lead is DeadLead.LEFT_OF_LEADER:
            place = np.where(dead, 1, place).astype(np.int8)
        block.leader = self.seat.ravel().take(place * np.intp(self.size) + self.row)
        block.hands = turned(left, place)


def empty_unplayed(shape: Shape, size: int) -> Array:
    """Return the whole pack as not yet played, by code and hand."""
    return np.repeat(shape.held[:, None], size, axis=1)


__all__ = [
    "Block",
    "Trace",
    "Trick",
    "empty_unplayed",
    "turned",
]
