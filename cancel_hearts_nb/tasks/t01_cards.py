"""Exercise 1: two packs, an even deal, and a hand of cards to count and to sort."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence

from .. import seeds
from ..cards import HEARTS, PACK, Card, Rank, Suit, cards, in_order
from ..messages import N_
from ..ruleset import ruleset
from . import fragments
from .nouns import Case, Mistake, Part, Task

Cards = Sequence[Card]


# What is right, from the engine


def two_packs() -> list[Card]:
    """Return all cards of Cancellation Hearts.

    >>> len(two_packs())
    104
    """
    return list(ruleset("cancellation", 6).pack)


def deal_sizes(players: int) -> tuple[int, int]:
    """Return how many cards each of the players gets, and how many are left over.

    >>> deal_sizes(6)
    (17, 2)
    """
    rules = ruleset("cancellation", players)
    return rules.hand_size, rules.kitty_size


def count_hearts(hand: Cards) -> int:
    """Return how many hearts are in the hand.

    >>> count_hearts(cards("QS 9H 2C 9H AD"))
    2
    """
    return sum([card.suit is HEARTS for card in hand])


def sort_hand(hand: Cards) -> list[Card]:
    """Return the cards of the hand in the order in which it is held.

    >>> sort_hand(cards("QS 9H 2C 9H AD"))
    [2C, AD, QS, 9H, 9H]
    """
    return list(in_order(hand))


# The cases, the smallest first


def _pack_cases() -> tuple[Case, ...]:
    return (Case((), "deal.packs", functools.partial(fragments.dealt, 8)),)


def _deal_cases() -> tuple[Case, ...]:
    return tuple([_deal_case(players) for players in (6, 7, 8, 9, 10, 11)])


def _deal_case(players: int) -> Case:
    rule = "deal.kitty" if 104 % players else "deal.even"
    return Case((players,), rule, functools.partial(fragments.dealt, players))


@functools.cache
def _hands() -> tuple[Cards, ...]:
    """Return hands of 1 to 16 cards, the smallest first, always the same ones."""
    small = ["7C", "7H", "9H 4C", "9H 9H", "TS QS", "AC KC", "2D 3C", "2H 3S", "AD QD TD", "5H QS 5H", "8H 8C KH"]
    large = [seeds.shuffled(PACK * 2, 100 + number)[: 3 + number // 3] for number in range(40)]
    return tuple(sorted([*[cards(text) for text in small], *large], key=len))


def _hand_cases(rule: Callable[[Cards], str]) -> tuple[Case, ...]:
    return tuple([Case((list(hand),), rule(hand), functools.partial(fragments.held, tuple(hand))) for hand in _hands()])


def _counting(hand: Cards) -> str:
    hearts = [card for card in hand if card.suit is HEARTS]
    return "score.hand" if len(set(hearts)) == len(hearts) else "deal.packs"


def _sorting(hand: Cards) -> str:
    """Return the id of the rule that decides the order within a suit; no rule decides the order of the suits."""
    return "trick.rank" if len({card.suit for card in hand}) < len(set(hand)) else ""


# How learners err


def _no_aces() -> list[Card]:
    return [card for card in two_packs() if card.rank is not Rank.ACE]


def _one_pack_without_aces() -> list[Card]:
    return [card for card in PACK if card.rank is not Rank.ACE]


def _rounded(players: int) -> tuple[int, int]:
    return round(104 / players), 104 - players * round(104 / players)


def _nearly(players: int) -> tuple[int, int]:
    return round(104 / players), 104 % players


def _first_heart(hand: Cards) -> int:
    return int(hand[0].suit is HEARTS)


def _until_another(hand: Cards) -> int:
    count = 0
    for card in hand:
        if card.suit is not HEARTS:
            break
        count += 1
    return count


def _unsorted(hand: Cards) -> list[Card]:
    return list(hand)


_ALPHABET = {suit: place for place, suit in enumerate("CDHS")}

PACKS = '''
def two_packs():
    """Return a list of all cards of Cancellation Hearts."""
    pack = []
    for suit in Suit:
        for rank in Rank:
            pack.append(Card(rank, suit))
    return pack + pack
'''

SIZES = '''
def deal_sizes(players):
    """Return how many cards each player gets, and how many are left over."""
    each = 104 // players
    left_over = 104 - each * players
    return each, left_over
'''

COUNT = '''
def count_hearts(hand):
    """Return how many hearts are in the hand."""
    count = 0
    for card in hand:
        if card.suit == Suit.HEARTS:
            count += 1
    return count
'''

SORT = '''
def sort_hand(hand):
    """Return a new list: clubs, diamonds, spades, hearts, each suit from low to high."""
    ordered = []
    for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS):
        same = [card for card in hand if card.suit == suit]
        ordered += sorted(same, key=lambda card: card.rank)
    return ordered
'''


def _same_cards(given: list[Card], right: list[Card]) -> bool:
    return Counter(given) == Counter(right)


TASK = Task(
    "01_cards",
    N_("Cards, packs and hands"),
    lesson="01_cards_and_deal",
    level=1,
    minutes=40,
    example="12_whole_hand",
    parts=(
        Part(
            "two_packs", 2, ("deal.packs",),
            N_("Write `two_packs()`: it returns a list of all 104 cards of Cancellation Hearts, in any order."),
            N_("It must return a list of cards."),
            two_packs, _pack_cases,
            (
                N_("`Card(Rank.ACE, Suit.SPADES)` makes one card. Two loops, one inside the other, go through all suits and all ranks."),
                N_("`for suit in Suit:` goes through the four suits, `for rank in Rank:` through the thirteen ranks."),
                N_("Put every card into your list twice."),
            ),
            PACKS,
            (
                Mistake("one pack", N_("That is one pack of 52 cards. Cancellation Hearts is played with two, so every card is there twice; a set would keep only one of the two."), lambda: list(PACK)),
                Mistake("no aces", N_("The aces are missing. `range(2, 14)` ends before 14, and the ace is 14."), _no_aces),
                Mistake("one pack, no aces", N_("That is only one pack, and its aces are missing: `range(2, 14)` ends before 14."), _one_pack_without_aces),
            ),
            fits=_same_cards,
        ),
        Part(
            "deal_sizes", 2, ("deal.even", "deal.kitty"),
            N_("Write `deal_sizes(players)`: it returns two numbers, how many of the 104 cards each player gets, and how many are left over for the kitty."),
            N_("It must return two whole numbers: `return each, left_over`."),
            deal_sizes, _deal_cases,
            (
                N_("Everybody gets the same number of cards, as many as possible."),
                N_("`//` divides and throws away what is left, `%` gives what is left."),
                N_("For 6 players: 104 // 6 is 17, and 104 % 6 is 2."),
            ),
            SIZES,
            (
                Mistake("one pack", N_("There are two packs, so 104 cards are dealt, not 52."), lambda players: (52 // players, 52 % players)),
                Mistake("halves", N_("Nobody can be dealt a part of a card. `/` gives a fraction; `//` divides without one."), lambda players: (104 / players, 104 % players)),
                Mistake("swapped", N_("The two numbers are the wrong way round: first what each player gets, then what is left over."), lambda players: (104 % players, 104 // players)),
                Mistake("rounded", N_("Rounding up would deal more cards than there are. Round down: `//`."), _rounded),
                Mistake("rounded too", N_("Rounding up would deal more cards than there are. `//` rounds down."), _nearly),
                Mistake("no kitty", N_("Some cards are left over, except with 8 players. They are the kitty."), lambda players: (104 // players, 0)),
            ),
        ),
        Part(
            "count_hearts", 2, ("score.hand", "deal.packs"),
            N_("Write `count_hearts(hand)`: it returns how many hearts are in the hand."),
            N_("It must return a whole number."),
            count_hearts, lambda: _hand_cases(_counting),
            (
                N_("Begin with 0, go through the hand, and add 1 for each heart."),
                N_("A card is a heart when `card.suit == Suit.HEARTS`."),
                N_("`return` stands after the loop, as far to the left as `for`."),
            ),
            COUNT,
            (
                Mistake("letter", N_("`card.suit` is not a letter, so it equals neither `\"H\"` nor `\"♥\"`, and `is` finds it still less. Compare it with `Suit.HEARTS`."), lambda hand: 0),
                Mistake("twins once", N_("Two packs are in play, so a hand may hold the same heart twice. Both count; a set keeps only one."), lambda hand: len({card for card in hand if card.suit is HEARTS})),
                Mistake("all cards", N_("This counts all cards, not only the hearts."), lambda hand: len(hand)),
                Mistake("first card", N_("This looks at the first card only. Does `return` stand inside the loop?"), _first_heart),
                Mistake("break", N_("This stops at the first card that is no heart. There may be hearts behind it."), _until_another),
                Mistake("red", N_("Diamonds are red too, but they are no hearts."), lambda hand: sum([card.suit.value in "HD" for card in hand])),
            ),
        ),
        Part(
            "sort_hand", 4, ("trick.rank",),
            N_("Write `sort_hand(hand)`: it returns a new list of the cards as a hand is held: clubs, diamonds, spades, hearts, and each suit from low to high."),
            N_("It must return a list of cards."),
            sort_hand, lambda: _hand_cases(_sorting),
            (
                N_("Take one suit after the other: collect its cards and sort them."),
                N_("`sorted(some, key=lambda card: card.rank)` returns a new list, sorted by rank. Ranks are numbers, and the ace is 14."),
                N_("Begin with an empty list, and for each suit in the right order add its sorted cards to it."),
            ),
            SORT,
            (
                Mistake("letters", N_("The names of the cards do not sort as cards do: T stands behind Q, and A before K. Sort by `card.rank`, which is a number."), lambda hand: sorted(hand, key=str)),
                Mistake("letters of a suit", N_("Within a suit the letters do not sort as ranks do: T stands behind Q, and A before K. Sort by `card.rank`, which is a number."), lambda hand: sorted(hand, key=lambda card: (list(Suit).index(card.suit), card.code))),
                Mistake("rank first", N_("Sort by suit first, and by rank only within a suit."), lambda hand: sorted(hand, key=lambda card: (card.rank, card.index))),
                Mistake("rank alone", N_("This looks at the rank only. The suits belong together."), lambda hand: sorted(hand, key=lambda card: card.rank)),
                Mistake("suit alone", N_("The suits are together, but within a suit the cards are to go from low to high."), lambda hand: sorted(hand, key=lambda card: list(Suit).index(card.suit))),
                Mistake("alphabet", N_("By their letters hearts would stand before spades. The order here is clubs, diamonds, spades, hearts."), lambda hand: sorted(hand, key=lambda card: (_ALPHABET[card.suit.value], card.rank))),
                Mistake("high to low", N_("The order is right, but backwards: each suit goes from low to high."), lambda hand: sorted(hand, key=lambda card: (list(Suit).index(card.suit), -card.rank))),
                Mistake("backwards", N_("The order is right, but backwards: clubs first, and each suit from low to high."), lambda hand: sorted(hand, reverse=True)),
                Mistake("twins", N_("A hand may hold the same card twice. Both stay; a set or a dictionary keeps only one of them."), lambda hand: sorted(set(hand))),
                Mistake("ace low", N_("The ace is the highest card of its suit, not the lowest."), lambda hand: sorted(hand, key=lambda card: (list(Suit).index(card.suit), card.rank % 14))),
                Mistake("unsorted", N_("The hand comes back as it was. `sorted` returns a new list; it does not sort the old one."), _unsorted),
            ),
        ),
    ),
)  # fmt: skip
