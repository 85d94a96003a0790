"""A player that looks ahead: it deals the unseen cards in many ways that fit all it knows, and plays each card out.

Dealing them (`deal_unseen`) never tries and fails: place by place each open card gets a kind that leaves the rest a way
to work out (a condition of Hall's on the five kinds, as `knowledge` tells cards apart), for all deals at once.
It needs numpy and is imported only when this player is asked for.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Sequence

# first of all: where numpy is not installed, the simulator says what to do
from . import simulate
from .cards import Card, Hand
from .cautious import CautiousPlayer, pass_danger, taken
from .game import ChooseMoon, PassCards, PlayCard
from .knowledge import KINDS, KITTY, Knowledge, kind, knowledge
from .players import Advice, Estimate, Reason, SeatView
from .seeds import Stream

# isort: split
import numpy as np

from .simulate import Start, play_out
from .simulate.chance import draws
from .simulate.shape import CARDS, Array

DEALS = 200
"""How many deals a choice looks at when nothing else is said: 5 to 20 ms for a choice on one core of 2020 or later."""
MOST_DEALS = 2000

_KINDS = len(KINDS)
# every set of kinds, as a row of a table of members
_SETS = np.array([[bool(number >> k & 1) for k in range(_KINDS)] for number in range(1, 2**_KINDS)])
_ROUNDS = 20


class Chance:
    """Random numbers of one choice, as arrays: the draws of `seeds` under one `key` (64 bits)."""

    def __init__(self, key: int) -> None:
        self._key = np.array([key], np.uint64)
        self._used = 0

    def floats(self, *size: int) -> Array:
        """Return numbers from 0 up to 1, evenly, in an array of `size`."""
        count = int(np.prod(size))
        numbers = draws(self._key, self._used, count)
        self._used += count
        return (numbers >> np.uint64(11)).reshape(size) * 2.0**-53


def deal_unseen(known: Knowledge, count: int, chance: Chance) -> Array:
    """Return `count` ways to deal the unseen cards, by deal, place of `known` and card (0 to 51): how many lie there.

    Certain cards are among them. Each way that fits is nearly as likely as any other: kinds are drawn by how many are
    left, then cards at two places are exchanged at random, which evens out what the order of places favoured.
    """
    kinds = np.array([kind(card) for card in known.unseen], np.int64)
    order = np.argsort(kinds, kind="stable")
    faces = np.array([card.index for card in known.unseen], np.int64)[order]
    supply = np.bincount(kinds, minlength=_KINDS)
    may = np.array([[k in place.may for k in range(_KINDS)] for place in known.places]).reshape(-1, _KINDS)
    sizes = np.array([place.size for place in known.places], np.int64)
    open_kinds = supply > 0
    bound = [i for i in range(len(sizes)) if sizes[i] and not may[i][open_kinds].all()]
    bound.sort(key=lambda i: int(supply[may[i]].sum() - sizes[i]))
    free = [i for i in range(len(sizes)) if i not in bound]
    where = np.repeat(np.array(bound + free, np.int64), sizes[bound + free])
    tied = int(sizes[bound].sum())

    total = len(faces)
    # within a kind any order is as likely
    cards = np.argsort(chance.floats(count, total) + kinds[order], axis=1)
    if tied:
        chosen = _kinds(supply, sizes, may, bound, free, chance.floats(tied, count))
        start = np.concatenate(([0], np.cumsum(supply)[:-1]))
        at = np.empty((count, tied), np.int64)
        for k in range(_KINDS):
            is_k = chosen == k
            at[is_k] = (start[k] + np.cumsum(is_k, axis=1) - 1)[is_k]
        used = np.zeros((count, total), bool)
        np.put_along_axis(used, at, True, axis=1)
        rest = np.argsort(chance.floats(count, total) + used, axis=1)[:, : total - tied]
        cards = np.take_along_axis(cards, np.concatenate((at, rest), axis=1), axis=1)
        _exchange(cards, kinds[order], may[where], tied, chance)
    else:
        cards = np.argsort(chance.floats(count, total), axis=1)
    places = len(known.places)
    flat = (np.arange(count)[:, None] * places + where) * 52 + faces[cards]
    dealt = np.bincount(flat.ravel(), minlength=count * places * 52).reshape(count, places, 52)
    for i, place in enumerate(known.places):
        for card in place.certain:
            dealt[:, i, card.index] += 1
    return dealt.astype(np.int8)


def _kinds(supply: Array, sizes: Array, may: Array, bound: list[int], free: list[int], numbers: Array) -> Array:
    """Return the kind of each open card at the places that are `bound`, by deal: always such that the rest works out.

    It works out as long as, for every set of kinds, no more cards of them are left than there is room for them.
    """
    tied, count = numbers.shape
    room_for = (may[:, None, :] & _SETS).any(axis=2)
    room = (sizes[:, None] * room_for).sum(axis=0)
    left = np.tile(supply, (count, 1)).astype(np.float64)
    of_set = left @ _SETS.T
    outside = (~_SETS).astype(np.float64)
    members = _SETS.T.astype(np.float64)
    chosen = np.empty((count, tied), np.int64)
    slot = 0
    for i in bound:
        for _ in range(int(sizes[i])):
            room = room - room_for[i]
            # a set that has just no room for itself any more must give the next card
            full = (of_set > room).astype(np.float64)
            weight = np.where(full @ outside > 0, 0, left * may[i])
            sums = np.cumsum(weight, axis=1)
            picked = (numbers[slot][:, None] * sums[:, -1:] >= sums).sum(axis=1)
            chosen[:, slot] = picked
            left[np.arange(count), picked] -= 1
            of_set -= members[picked]
            slot += 1
    return chosen


def _exchange(cards: Array, kinds: Array, may: Array, tied: int, chance: Chance) -> None:
    """Exchange cards two by two wherever both places may hold the other's, all at once and a few times over.

    Which places are paired is by lot, the same in every deal; as no exchange is likelier than its way back, the deals
    come nearer and nearer to being equally likely.
    """
    count, total = cards.shape
    half = total // 2
    for _ in range(_ROUNDS):
        lot = np.argsort(chance.floats(total))[: 2 * half].reshape(2, half)
        # exchanging among places that may hold anything changes nothing
        a, b = lot[:, (lot < tied).any(axis=0)]
        one, other = cards[:, a], cards[:, b]
        # every other one only: without that, equal lots would move all deals alike and even nothing out
        fits = may[a, kinds[other]] & may[b, kinds[one]] & (chance.floats(count, len(a)) < 0.5)
        cards[:, a] = np.where(fits, other, one)
        cards[:, b] = np.where(fits, one, other)


class SamplingPlayer:
    """Deals the unseen cards, plays each card out with cautious players, and takes the one that leaves it best off.

    A choice looks at `deals` deals, the same for all cards, so that equal seeds give equal choices; or, with
    `milliseconds`, at as many as fit in that time. Best off means the least points entered for it minus the mean
    entered for the others. Of equal cards it takes the first in hand order. The passes it tries are those of the most
    dangerous cards. Its moon choice, and a fragment of a hand, it leaves to the cautious player.

    >>> from .game import Game
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
    >>> len(SamplingPlayer(deals=5).choose(view(game), game.stream(0)).cards)
    3
    """

    name = "sampling"

    def __init__(self, deals: int = DEALS, milliseconds: float | None = None) -> None:
        self.deals = deals
        self.milliseconds = milliseconds
        self.looked_at = 0
        """How many deals the last choice looked at."""
        self._cautious = CautiousPlayer()
        # seconds for each card played out, per batch and per row; learned from what was measured
        self._pace = 1.0

    def choose(self, view: SeatView, stream: Stream) -> PassCards | PlayCard | ChooseMoon:
        """Return the action of `advise`."""
        return self.advise(view, stream).action

    def advise(self, view: SeatView, stream: Stream) -> Advice:
        """Return a legal action for the seat of `view` and the reason for it."""
        careful = self._cautious.advise(view, stream)
        self.looked_at = 0
        if view.asked == "pass":
            return self._pass(view, stream, careful)
        if view.asked == "moon" or len(set(view.legal)) == 1 or not _whole(view):
            return careful
        return best(view, self.estimates(view, stream), careful)

    def estimates(self, view: SeatView, stream: Stream) -> tuple[Estimate, ...]:
        """Return what each legal card is expected to bring, in hand order; none for a fragment of a hand."""
        cards = tuple(sorted(set(view.legal)))
        if not cards or not _whole(view):
            return ()
        chance = Chance(stream.draw())
        known = knowledge(view)
        count = self._count(view, len(cards))
        begun = time.perf_counter()
        found = play_out(view.ruleset, _start(view, known, deal_unseen(known, count, chance), cards), 0)
        self._learn(view, count * len(cards), time.perf_counter() - begun)
        self.looked_at = count
        return tuple([
            _estimate(card, view.seat, found, slice(i * count, i * count + count)) for i, card in enumerate(cards)
        ])  # fmt: skip

    def _pass(self, view: SeatView, stream: Stream, careful: Advice) -> Advice:
        choices = passes(view)
        chance = Chance(stream.draw())
        known = knowledge(view)
        count = self._count(view, len(choices))
        begun = time.perf_counter()
        start = _before_pass(view, deal_unseen(known, count, chance), known, choices)
        found = play_out(view.ruleset, start, 0)
        self._learn(view, count * len(choices), time.perf_counter() - begun)
        self.looked_at = count
        mine = found.entered[:, view.seat].astype(float)
        others = (found.entered.sum(axis=1) - mine) / (view.ruleset.seats - 1)
        means = (mine - others).reshape(len(choices), count).mean(axis=1)
        chosen = int(np.argmin(means))
        if chosen == 0:
            return careful
        part = slice(chosen * count, chosen * count + count)
        facts = {
            "cards": choices[chosen],
            "count": count,
            "points": float(mine[part].mean()),
            "others": float(others[part].mean()),
        }
        return Advice(PassCards(view.seat, choices[chosen]), Reason("sampled_pass", "pass.count", facts))

    def _count(self, view: SeatView, choices: int) -> int:
        """How many deals to look at for each of so many choices."""
        if self.milliseconds is None:
            return self.deals
        plays = _plays_left(view)
        rows = (self.milliseconds / 1000 / self._pace / plays - _PER_BATCH) / _PER_ROW
        return int(min(MOST_DEALS, max(_LEAST_DEALS, rows / choices)))

    def _learn(self, view: SeatView, rows: int, seconds: float) -> None:
        expected = _plays_left(view) * (_PER_BATCH + rows * _PER_ROW)
        self._pace = 0.7 * self._pace + 0.3 * seconds / expected


# about what a play costs on one core of 2020 or later, in seconds: for the batch, and for each hand in it
_PER_BATCH, _PER_ROW = 8e-5, 1.6e-7
_LEAST_DEALS = 8


def _plays_left(view: SeatView) -> int:
    return len(view.hand) * view.ruleset.seats


def _whole(view: SeatView) -> bool:
    """Whether the hand is a whole one; of a fragment only the cards are dealt that are played in it."""
    return len(view.hand) + len(view.tricks) == view.ruleset.hand_size


def best(view: SeatView, estimates: Sequence[Estimate], careful: Advice) -> Advice:
    """Return the card of `estimates` that leaves the seat best off, with the reason of `careful` if that is its card too."""
    chosen = min(estimates, key=lambda one: one.points - one.others)
    if careful.action == PlayCard(view.seat, chosen.card):
        return careful
    facts = {"card": chosen.card, "count": chosen.deals, "points": chosen.points, "others": chosen.others}
    return Advice(PlayCard(view.seat, chosen.card), Reason("sampled", "", facts))


def _estimate(card: Card, seat: int, found: simulate.Outcome, part: slice) -> Estimate:
    mine = found.entered[part, seat].astype(float)
    others = (found.entered[part].sum(axis=1) - mine) / (found.entered.shape[1] - 1)
    maria = (found.marias[part, seat] > 0).astype(float)
    count = len(mine)
    root = max(1, count - 1) ** 0.5
    return Estimate(
        card, float(mine.mean()), float(mine.std() / root), float(others.mean()),
        float(maria.mean()), float(maria.std() / root), count,
    )  # fmt: skip


def _counts(cards: Iterable[Card]) -> Array:
    return np.bincount([card.index for card in cards], minlength=CARDS).astype(np.int8)


def _hands(view: SeatView, known: Knowledge, dealt: Array) -> tuple[Array, Array]:
    """Return the hands (deal, seat, card) and the kitties (deal, card) of the deals `dealt`."""
    count = len(dealt)
    hands = np.zeros((count, view.ruleset.seats, CARDS), np.int8)
    kitty = np.zeros((count, CARDS), np.int8)
    hands[:, view.seat] = _counts(view.hand)
    for i, place in enumerate(known.places):
        if place.seat == KITTY:
            kitty += dealt[:, i]
        else:
            hands[:, place.seat] += dealt[:, i]
    return hands, kitty


def _start(view: SeatView, known: Knowledge, dealt: Array, cards: Hand) -> Start:
    """Return the position of `view` in each deal of `dealt`, once for every one of `cards` as the card to be played."""
    hands, kitty = _hands(view, known, dealt)
    count = len(hands)
    rows = count * len(cards)

    def each(value: Array) -> Array:
        return np.broadcast_to(value, (rows, *value.shape))

    return Start(
        hands=np.tile(hands, (len(cards), 1, 1)),
        leader=np.full(rows, view.trick.leader),
        trick_number=view.trick_number,
        trick=each(np.array([card.index for card in view.trick.cards], np.int8)),
        hearts_broken=np.full(rows, view.hearts_broken),
        taken=each(np.array([_counts(won) for won in taken(view)])),
        aside=each(_counts(view.aside)),
        kitty=np.tile(kitty, (len(cards), 1)),
        kitty_taker=np.full(rows, -1 if known.taker is None else known.taker),
        forced=np.repeat([card.index for card in cards], count),
        number=view.number,
        totals=np.array(view.totals),
    )


def passes(view: SeatView) -> tuple[Hand, ...]:
    """Return the passes worth trying, the cautious player's first: all of the few most dangerous cards.

    >>> from .game import Game
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> len(passes(view(Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7))))
    20
    """
    danger = pass_danger(view)
    count = view.ruleset.pass_count
    ranked = sorted(view.hand, key=lambda card: -danger[card])[: count + _MORE]
    tried = [tuple(sorted(some)) for some in itertools.combinations(ranked, count)]
    return tuple(list(dict.fromkeys(tried))[:_MOST_PASSES])


_MORE = 3
_MOST_PASSES = 24


def _before_pass(view: SeatView, dealt: Array, known: Knowledge, choices: Sequence[Hand]) -> Start:
    """Return the position before the pass in each deal, once for each pass of `choices`; the others pass cautiously."""
    hands, kitty = _hands(view, known, dealt)
    count, tries = len(hands), len(choices)
    rows, seats = count * tries, view.ruleset.seats
    given = np.zeros((rows, seats, CARDS), np.int8)
    given[:, view.seat] = np.repeat([_counts(cards) for cards in choices], count, axis=0)
    return Start(
        hands=np.tile(hands, (tries, 1, 1)), leader=np.full(rows, (view.dealer + 1) % seats), trick_number=0,
        kitty=np.tile(kitty, (tries, 1)), given=given, number=view.number, totals=np.array(view.totals),
    )  # fmt: skip
