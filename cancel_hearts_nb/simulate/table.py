"""A block of hands on the table, and how a trick changes it: cancellation, winners, dead tricks, what waits, the end.

The mirror of `rules.trick`, `rules.lead` and `game`. Everything is by hand along the last axis. The hands of cards are
turned so that the leader's comes first: place p of a trick is the seat p to the left of the leader, in every hand of
the block. A card played is taken out and the slots behind it move up, so that a stack always is as high as the trick
is late.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ruleset import DeadLead, DeadRule, LastDead
from . import legality, policies
from .chance import choice_draw
from .shape import CODES, FIRST_HEART, MARIA, NO_CARD, RANK, SUIT, Array, Shape

NOBODY = -1


@dataclass
class Tally:
    """What is counted while a block is played, for each hand of it.

    `seen` are the points of hearts and Black Marias taken in tricks by each seat, `penalties` how many such cards;
    `waiting_seen` and `waiting_penalties` lie in dead tricks. The kitty is apart: its points and penalty cards, and the
    seat that took it, -1 while it waits. `bonus_taker` won the bonus card.
    """

    seen: Array
    penalties: Array
    waiting_seen: Array
    waiting_penalties: Array
    kitty_seen: Array
    kitty_penalties: Array
    kitty_taker: Array
    bonus_taker: Array
    dead: Array
    first_dead: Array
    last_dead: Array
    pairs: Array
    first_points: Array
    lost: Array


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
        for number in range(self.trick_number, self.shape.tricks + 1):
            trick = Trick(self, number)
            trick.play(begun, forced)
            begun = forced = None
            trick.end()


def empty_tally(shape: Shape, size: int) -> Tally:
    """Return the tally of `size` hands before anything is played, without a kitty."""

    def none(kind: type, *more: int) -> Array:
        return np.zeros((*more, size), kind)

    return Tally(
        seen=none(np.int16, shape.seats), penalties=none(np.int8, shape.seats),
        waiting_seen=none(np.int16), waiting_penalties=none(np.int8),
        kitty_seen=none(np.int16), kitty_penalties=none(np.int8),
        kitty_taker=np.full(size, NOBODY, np.int8), bonus_taker=np.full(size, NOBODY, np.int8),
        dead=none(np.int8), first_dead=none(bool), last_dead=none(bool), pairs=none(np.int8),
        first_points=none(np.int16), lost=none(np.int16),
    )  # fmt: skip


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
        self.twin = np.zeros((seats, size), bool)
        self.pairs = np.zeros(size, np.int8)
        self.lowest = np.zeros(size, np.int8)
        self.top = np.full(size, NO_CARD, np.int8)

    def play(self, begun: Array | None, forced: Array | None) -> None:
        """Let every seat play its card in turn."""
        block = self.block
        done = 0 if begun is None else len(begun)
        for place in range(done):
            self.slots[place] = len(block.hands[place]) - 1
            self._put(place, begun[place])  # type: ignore[index]
        half = None
        if not all(block.cautious):
            half = choice_draw(block.keys.ravel().take(self.seat * self.size + self.row), self.number)
        suspect = None
        if any(block.cautious):
            suspect = policies.suspect(block.shape, block.tally.seen)
        for place in range(done, block.shape.seats):
            hand = block.hands[place]
            if forced is not None and place == done:
                slot = np.argmax(hand == forced, axis=0).astype(np.int8)
            else:
                slot = self._choose(place, hand, half, suspect)
            self.slots[place] = slot
            places = slot * np.intp(self.size)
            places += self.row
            self._put(place, hand.ravel().take(places))

    def _choose(self, place: int, hand: Array, half: Array | None, suspect: Array | None) -> Array:
        block, shape = self.block, self.block.shape
        if place:
            legal, of_suit = legality.to_follow(shape, hand, self.lowest, self.number)
        else:
            legal = legality.to_lead(shape, hand, self.number, block.broken)
        chosen = None if half is None else policies.pick(legal, half[place])
        if not any(block.cautious):
            assert chosen is not None
            return chosen
        maria_out = block.unplayed[MARIA]
        if place:
            stop = None
            if suspect is not None:
                stop = (suspect != NOBODY) & (self.top != NO_CARD) & (self._leading(place) == suspect)
            now = policies.Played(
                self.lowest, self._killed(), self.top, maria_out, stop, place == shape.seats - 1
            )  # fmt: skip
            careful = policies.cautious_follow(shape, hand, legal, of_suit, now)
        else:
            careful = policies.cautious_lead(shape, hand, legal, block.unplayed, maria_out)
        if chosen is None:
            return careful
        return np.where(np.array(block.cautious)[self.seat[place]], careful, chosen)

    def _put(self, place: int, card: Array) -> None:
        """Lay `card` down: what it cancels and whether it leads now."""
        shape = self.block.shape
        self.cards[place] = card
        if place == 0:
            self.lowest = card & np.int8(CODES - SUIT)
        of_suit = (card - self.lowest).view(np.uint8) < SUIT
        if shape.packs == 2:
            same = self.cards[:place] == card
            twin = np.logical_or.reduce(same, axis=0)
            self.alive[:place] *= ~same
            self.twin[place] = twin
            self.pairs += twin
            of_suit &= ~twin
            self.alive[place] = (card + np.int8(1)) * of_suit
            self.top = np.maximum.reduce(self.alive[: place + 1], axis=0) - np.int8(1)
        else:
            self.alive[place] = (card + np.int8(1)) * of_suit
            np.maximum(self.top, self.alive[place] - np.int8(1), out=self.top)
        places = card * np.intp(self.size)
        places += self.row
        flat = self.block.unplayed.reshape(-1)
        flat[places] -= 1

    def _killed(self) -> Array | None:
        """Whether two pairs, of any suit, have killed the trick; None where they never can."""
        shape = self.block.shape
        if shape.packs == 2 and shape.rules.dead_rule is DeadRule.TWO_PAIRS:
            return self.pairs >= 2
        return None

    def _place_of_top(self, places: int) -> Array:
        best = self.alive[:places] == self.top + np.int8(1)
        best = best * np.arange(places, dtype=np.int8)[:, None]
        # where nothing is alive the sum means nothing, and may be too large for a place
        return np.add.reduce(best, axis=0, dtype=np.int8) * (self.top != NO_CARD)  # type: ignore[no-any-return]

    def _leading(self, places: int) -> Array:
        """The seat whose card is the highest that lives."""
        return self.seat.ravel().take(self._place_of_top(places) * np.intp(self.size) + self.row)

    def end(self) -> None:
        """Give the trick to its winner or set it aside, and turn the table to the next leader."""
        block, shape, tally = self.block, self.block.shape, self.block.tally
        maria = self.cards == MARIA
        heart = self.cards >= FIRST_HEART
        hearts = np.add.reduce(heart, axis=0, dtype=np.int8)
        marias = np.add.reduce(maria, axis=0, dtype=np.int8)
        seen = hearts + marias * np.int16(13)
        penalties = hearts + marias
        block.broken = block.broken | ((penalties if shape.bm_breaks else hearts) > 0)
        if self.number == 1:
            tally.first_points += seen
        tally.pairs += self.pairs
        place = self._place_of_top(shape.seats)
        if shape.packs == 2:
            dead = self.top == NO_CARD
            killed = self._killed()
            if killed is not None:
                dead |= killed
            place *= ~dead
            tally.dead += dead
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
        if block.trace is not None:
            block.trace.leader.append(block.leader)
            block.trace.winner.append(np.where(dead, NOBODY, winner))
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
        moves_up = (np.arange(count, dtype=np.int8)[:, None] >= self.slots[:, None, :]).view(np.int8)
        left = block.hands[:, 1:] - block.hands[:, :-1]
        left *= moves_up
        left += block.hands[:, :-1]
        if shape.rules.dead_lead is DeadLead.LEFT_OF_LEADER:
            place = np.where(dead, 1, place).astype(np.int8)
        block.leader = self.seat.ravel().take(place * np.intp(self.size) + self.row)
        block.hands = turned(left, place)


def lost_points(tally: Tally) -> Array:
    """Return the points of hearts and Black Marias that nobody collected, by hand, the kitty's among them."""
    waits = tally.kitty_taker == NOBODY
    return tally.waiting_seen + tally.kitty_seen * waits  # type: ignore[no-any-return]


def empty_unplayed(shape: Shape, size: int) -> Array:
    """Return the whole pack as not yet played, by code and hand."""
    return np.repeat(shape.held[:, None], size, axis=1)


__all__ = [
    "NOBODY",
    "Block",
    "Tally",
    "Trace",
    "Trick",
    "empty_tally",
    "empty_unplayed",
    "lost_points",
    "turned",
]
