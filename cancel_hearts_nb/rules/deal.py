"""Set-up: who may play, with which cards, and how they are dealt (C1 C2 C6 C7, H1 H3-H7, Q37 Q38 Q43).

These questions come before a ruleset exists, so this module stands left of `ruleset` and asks only for the name of
the game and the number of seats; `ruleset` fills its fields from here.
"""

from __future__ import annotations

import functools

from .. import seeds
from ..cards import PACK, Hand, cards

GAMES = ("cancellation", "hearts", "omnibus")


def seats_allowed(game: str) -> range:
    """Return the table sizes of `game`: 6 to 11 for "cancellation", 3 to 7 for "hearts" and "omnibus" (deal.players).

    With 6 or 7 players both games are possible: the players choose (Q43).

    >>> seats_allowed("cancellation")
    range(6, 12)
    """
    return range(6, 12) if game == "cancellation" else range(3, 8)


def pack_count(game: str) -> int:
    """Return how many packs of 52 are shuffled together: 2 for "cancellation", else 1 (deal.packs: C2, H1).

    >>> pack_count("cancellation"), pack_count("hearts")
    (2, 1)
    """
    return 2 if game == "cancellation" else 1


def removed(game: str, seats: int) -> Hand:
    """Return the cards taken out of the pack so that the deal comes out even (deal.removed: H3-H7, Q37).

    `seats` is 3 to 7 for one pack; with two packs nothing is removed.

    >>> removed("hearts", 5), removed("hearts", 4)
    ((2C, 2D), ())
    """
    if pack_count(game) == 2:
        return ()
    return {3: cards("2D"), 5: cards("2C 2D"), 6: cards("3C 4C 2D 3D"), 7: cards("3C 2D 3D")}.get(seats, ())


# asked for at every deal and every first lead
@functools.lru_cache(maxsize=64)
def pack(packs: int, without: Hand) -> Hand:
    """Return all cards in play, in hand order: `packs` times 52, less the cards in `without`.

    >>> len(pack(2, ())), len(pack(1, cards("2D")))
    (104, 51)
    """
    return tuple(card for card in PACK if card not in without for _ in range(packs))


def hand_size(count: int, seats: int) -> int:
    """Return how many of `count` cards each of `seats` players gets: as many as come out even (deal.even: C6).

    >>> [hand_size(104, seats) for seats in range(6, 12)]
    [17, 14, 13, 11, 10, 9]
    """
    return count // seats


def kitty_size(count: int, seats: int) -> int:
    """Return how many of `count` cards are left over for the kitty, 0 to `seats` - 1 (deal.kitty: C7).

    >>> [kitty_size(104, seats) for seats in range(6, 12)]
    [2, 6, 0, 5, 4, 5]
    """
    return count - seats * hand_size(count, seats)


def deal(cards_in_play: Hand, seats: int, seed: int, number: int) -> tuple[tuple[Hand, ...], Hand]:
    """Return the hands by seat and the kitty of hand `number` (from 1) of the match `seed`, each in hand order.

    `cards_in_play` must be in hand order too: places are shuffled and sorted again, which is cheaper than cards.

    >>> hands, kitty = deal(pack(2, ()), 7, seed=1, number=1)
    >>> {len(hand) for hand in hands}, len(kitty)
    ({14}, 6)
    """
    order = seeds.shuffled(range(len(cards_in_play)), seed, number, seeds.DEAL)
    size = hand_size(len(order), seats)
    left_over = kitty_size(len(order), seats)
    places = [sorted(order[seat * size : seat * size + size]) for seat in range(seats)]
    hands = tuple([tuple([cards_in_play[i] for i in some]) for some in places])
    return hands, tuple([cards_in_play[i] for i in sorted(order[len(order) - left_over :])])


def first_dealer(seats: int, seed: int) -> int:
    """Return the seat that deals first when none is named: by lot, from the match seed (deal.dealer: Q38).

    >>> 0 <= first_dealer(8, 7) < 8
    True
    """
    return seeds.Stream(seeds.key(seed, 0, seeds.FIRST_DEALER)).below(seats)


def next_dealer(dealer: int, seats: int) -> int:
    """Return who deals after `dealer`: the player on the left, clockwise (deal.dealer: Q38).

    >>> next_dealer(7, 8)
    0
    """
    return (dealer + 1) % seats
