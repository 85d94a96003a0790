"""Exercise 6: a player that does better than the built-in cautious one, and how sure one can be of it."""

from __future__ import annotations

import functools
import math
import statistics
from collections import Counter
from collections.abc import Sequence

from .. import seeds, trial
from ..cards import Card, cards, in_order
from ..messages import N_
from ..ruleset import ruleset
from . import fragments, hands
from .nouns import Case, Mistake, Part, Task, Verdict, smallest_first

Cards = Sequence[Card]

_PACK = ruleset("cancellation", 6).pack


# What is right


def unseen_cards(hand: Cards, played: Cards) -> list[Card]:
    """Return the cards of both packs that are neither in the hand nor played."""
    left = Counter(_PACK)
    left.subtract([*hand, *played])
    return list(in_order(left.elements()))


def danger(card: Card, unseen: Cards) -> float:
    """Return the share, 0 to 1, of the unseen cards of the same suit that are lower; 0 when none is left."""
    of_suit = [other for other in unseen if other.suit is card.suit]
    return sum(other.rank < card.rank for other in of_suit) / len(of_suit) if of_suit else 0.0


def standard_error(numbers: Sequence[float]) -> float:
    """Return the standard error of the mean of two or more numbers."""
    return statistics.stdev(numbers) / math.sqrt(len(numbers))


def choose(hand: Cards, legal: Cards, trick: Cards, unseen: Cards, cautious: Card) -> Card:
    """Return any card that is legal: the cautious player’s own."""
    return cautious


# The cases, the smallest first


@functools.cache
def _unseen_cases() -> tuple[Case, ...]:
    shown = [("2C", ""), ("QS QS", ""), ("2C", "QS"), ("2C", "2C QS"), ("QS 2H", "QS 2H 9D 9D")]
    given = [(cards(hand), cards(played)) for hand, played in shown]
    for number in range(1, 15):
        pack = seeds.shuffled(_PACK, 800 + number)
        given.append((tuple(pack[:number]), tuple(pack[17 : 17 + 6 * (17 - number) + number % 3])))
    return smallest_first([Case((list(hand), list(played)), "", functools.partial(fragments.held, hand)) for hand, played in given])  # fmt: skip


@functools.cache
def _danger_cases() -> tuple[Case, ...]:
    shown = [
        ("9D", "2D KD"),
        ("9D", "2D 4D 6D KD"),
        ("9D", ""),
        ("9D", "2H KS"),
        ("9D", "9D KD"),
        ("2C", "3C 4C"),
        ("AS", "KS QS"),
        ("QS", "2S 2S KS AS 3H"),
    ]
    given = [(cards(card)[0], cards(unseen)) for card, unseen in shown]
    for number in range(16):
        pack = seeds.shuffled(_PACK, 900 + number)
        given.append((pack[0], in_order(pack[1 : 4 + 6 * number])))
    return smallest_first(
        [Case((card, list(unseen)), "", functools.partial(fragments.held, (card,))) for card, unseen in given]
    )


@functools.cache
def _number_cases() -> tuple[Case, ...]:
    shown: list[list[float]] = [[0, 2], [1, 3, 5, 7], [4, 4, 4], [-26, 0, 0, 13, 0, 1], [10, -10, 10, -10]]
    for number in range(8):
        stream = seeds.Stream(seeds.key(1000, number))
        shown.append([stream.below(53) - 26 for _ in range(5 + 10 * number)])
    return smallest_first([Case((numbers,), "", functools.partial(fragments.dealt, 6)) for numbers in shown])


@functools.cache
def _choose_cases() -> tuple[Case, ...]:
    return smallest_first([Case(turn.args, "", turn.before) for turn in hands.first_turns()])


# How learners err


def _faces(hand: Cards, played: Cards) -> list[Card]:
    return [card for card in _PACK if card not in hand and card not in played]


def _one_pack(hand: Cards, played: Cards) -> list[Card]:
    return [card for card in dict.fromkeys(_PACK) if card not in hand and card not in played]


def _own_hand_only(hand: Cards, played: Cards) -> list[Card]:
    return unseen_cards(hand, ())


def _played_only(hand: Cards, played: Cards) -> list[Card]:
    return unseen_cards((), played)


def _of_suit(card: Card, unseen: Cards) -> list[Card]:
    return [other for other in unseen if other.suit is card.suit]


def _higher(card: Card, unseen: Cards) -> float:
    same = _of_suit(card, unseen)
    return sum(other.rank > card.rank for other in same) / len(same) if same else 0.0


def _every_suit(card: Card, unseen: Cards) -> float:
    return sum(other.rank < card.rank for other in unseen) / len(unseen) if unseen else 0.0


def _of_all(card: Card, unseen: Cards) -> float:
    return sum(other.rank < card.rank for other in _of_suit(card, unseen)) / len(unseen) if unseen else 0.0


def _count(card: Card, unseen: Cards) -> float:
    return sum(other.rank < card.rank for other in _of_suit(card, unseen))


def _twin_is_lower(card: Card, unseen: Cards) -> float:
    same = _of_suit(card, unseen)
    return sum(other.rank <= card.rank for other in same) / len(same) if same else 0.0


def _percent(card: Card, unseen: Cards) -> float:
    return 100 * danger(card, unseen)


def _spread(numbers: Sequence[float]) -> float:
    return statistics.stdev(numbers)


def _all_of_them(numbers: Sequence[float]) -> float:
    return statistics.pstdev(numbers) / math.sqrt(len(numbers))


def _no_root(numbers: Sequence[float]) -> float:
    return statistics.stdev(numbers) / len(numbers)


def _squares(numbers: Sequence[float]) -> float:
    return statistics.variance(numbers) / math.sqrt(len(numbers))


def _mean(numbers: Sequence[float]) -> float:
    return statistics.fmean(numbers)


def _first(hand: Cards, legal: Cards, trick: Cards, unseen: Cards, cautious: Card) -> Card:
    return legal[0]


def _last(hand: Cards, legal: Cards, trick: Cards, unseen: Cards, cautious: Card) -> Card:
    return legal[-1]


def _lowest(hand: Cards, legal: Cards, trick: Cards, unseen: Cards, cautious: Card) -> Card:
    return min(legal, key=lambda card: card.rank)


def _highest(hand: Cards, legal: Cards, trick: Cards, unseen: Cards, cautious: Card) -> Card:
    return max(legal, key=lambda card: card.rank)


def _safest_away(hand: Cards, legal: Cards, trick: Cards, unseen: Cards, cautious: Card) -> Card:
    if not trick or legal[0].suit is trick[0].suit:
        return cautious
    return min(legal, key=lambda card: danger(card, unseen))


def _always_dangerous(hand: Cards, legal: Cards, trick: Cards, unseen: Cards, cautious: Card) -> Card:
    return max(legal, key=lambda card: danger(card, unseen))


UNSEEN = '''
def unseen_cards(hand, played):
    """Return a list of the cards of both packs that are neither in the hand nor played."""
    left = []
    for card in PACK + PACK:
        left.append(card)
    for card in hand:
        left.remove(card)
    for card in played:
        left.remove(card)
    return left
'''

DANGER = '''
def danger(card, unseen):
    """Return the share of the unseen cards of its suit that are lower than the card."""
    lower = 0
    same = 0
    for other in unseen:
        if other.suit == card.suit:
            same = same + 1
            if other.rank < card.rank:
                lower = lower + 1
    if same == 0:
        return 0
    return lower / same
'''

ERROR = '''
def standard_error(numbers):
    """Return the standard error of the mean of the numbers."""
    count = len(numbers)
    mean = sum(numbers) / count
    squares = 0
    for number in numbers:
        squares = squares + (number - mean) ** 2
    deviation = (squares / (count - 1)) ** 0.5
    return deviation / count**0.5
'''

CHOOSE = '''
def choose(hand, legal, trick, unseen, cautious):
    """Return the card to play, one of the legal ones."""
    if trick and legal[0].suit == trick[0].suit:
        return cautious

    # how many cards of each suit I hold, and how many I have not seen
    held = {}
    out = {}
    for suit in Suit:
        held[suit] = 0
        out[suit] = 0
    for card in hand:
        held[card.suit] = held[card.suit] + 1
    for card in unseen:
        out[card.suit] = out[card.suit] + 1

    best = None
    lowest = 0
    for card in legal:
        if trick:
            # I am void: away with what is dangerous, first from a short suit
            cost = 0.1 * held[card.suit] - danger(card, unseen)
            if card == parse("QS"):
                cost = cost - 1
        else:
            # I lead: does nobody beat this card, and does somebody discard on it?
            risk = 1
            if out[card.suit] > 0:
                risk = danger(card, unseen) ** min(5, out[card.suit])
            void = 0.8 ** out[card.suit]
            cost = 12 * risk * void - 0.06 * out[card.suit]
            if held[card.suit] == 1:
                cost = cost - 0.75
            if card.suit == Suit.SPADES and card.rank > 12 and parse("QS") in unseen:
                cost = cost + 4
        if best is None or cost < lowest:
            best = card
            lowest = cost
    return best
'''


def _close(given: float, right: float) -> bool:
    return math.isclose(given, right, rel_tol=1e-6, abs_tol=1e-6)


def _same_cards(given: list[Card], right: list[Card]) -> bool:
    return Counter(given) == Counter(right)


def _judge(function: object, clock: trial.Clock) -> Verdict:
    return hands.judge(function, _MISTAKES, clock)


_MISTAKES = (
    Mistake("same", N_("That is what `cautious` says already. Find a moment in which you know better: what do you throw away when you are void, and what do you lead?"), choose),
    Mistake("lowest", N_("Always to play low keeps the high cards for the end, and then they win the costly tricks. As long as you cannot win, play high."), _lowest),
    Mistake("highest", N_("The highest card wins most tricks, and with them the points."), _highest),
    Mistake("first", N_("The legal cards are in the order of the hand, clubs first. Their order says nothing about how good they are."), _first),
    Mistake("last", N_("The legal cards are in the order of the hand, hearts last. Their order says nothing about how good they are."), _last),
    Mistake("keeps danger", N_("When you are void you can get rid of any card. Throw the most dangerous one away, not the safest."), _safest_away),
    Mistake("always dangerous", N_("A dangerous card is one that wins tricks. Throw it away when you are void; but when you lead or follow suit with it, it wins."), _always_dangerous),
)  # fmt: skip

TASK = Task(
    "06_player",
    N_("A player of your own"),
    lesson="08_how_often",
    level=3,
    minutes=90,
    example="12_whole_hand",
    parts=(
        Part(
            "unseen_cards", 2, ("deal.packs",),
            N_("Write `unseen_cards(hand, played)`: it returns a list of the cards of both packs that are neither in your hand nor among those played, in any order."),
            N_("It must return a list of cards."),
            unseen_cards, _unseen_cases,
            (
                N_("Both packs together are 104 cards: `PACK + PACK`. How many are left when 17 are in your hand and 12 were played?"),
                N_("Take the cards away one by one. A card may be there twice, so do not take away both copies at once."),
                N_("`left.remove(card)` takes one copy out of the list `left`. Make that list yourself; `hand` and `played` stay as they are."),
            ),
            UNSEEN,
            (
                Mistake("both copies", N_("Every card is there twice. When you have seen one copy, the other is still unseen: take away as many copies as you have seen."), _faces),
                Mistake("one pack", N_("The game has two packs, so every card is there twice."), _one_pack),
                Mistake("hand only", N_("The cards that were played have been seen too."), _own_hand_only),
                Mistake("played only", N_("The cards of your own hand are not unseen."), _played_only),
            ),
            fits=_same_cards,
        ),
        Part(
            "danger", 2, ("trick.rank", "trick.highest"),
            N_("Write `danger(card, unseen)`: it returns which share of the unseen cards of the same suit is lower than the card, a number from 0 to 1. When no card of the suit is unseen, it returns 0."),
            N_("It must return a number from 0 to 1."),
            danger, _danger_cases,
            (
                N_("Look only at the unseen cards of the same suit. How many are there, and how many of them are lower?"),
                N_("Two counters and one loop: one counts the cards of the suit, the other those of them that are lower."),
                N_("The share is `lower / same`. Nothing can be divided by 0, so ask first whether `same` is 0."),
            ),
            DANGER,
            (
                Mistake("higher", N_("This counts the higher cards. A card is dangerous when most of the others are lower: then it wins."), _higher),
                Mistake("every suit", N_("A card of another suit never wins, so only the same suit counts."), _every_suit),
                Mistake("of all", N_("Divide by the number of unseen cards of the same suit, not by that of all unseen cards."), _of_all),
                Mistake("count", N_("This is how many cards are lower. A share is that number divided by how many cards of the suit are unseen."), _count),
                Mistake("twin", N_("The twin of a card is not lower: if it is played too, the two cancel each other."), _twin_is_lower),
                Mistake("percent", N_("A share goes from 0 to 1; this is a percentage."), _percent),
            ),
            fits=_close,
        ),
        Part(
            "standard_error", 2, (),
            N_("Write `standard_error(numbers)`: it returns the standard error of the mean of two or more numbers."),
            N_("It must return a number."),
            standard_error, _number_cases,
            (
                N_("First the mean. Then for each number: how far is it from the mean, and what is the square of that?"),
                N_("Add up the squares and divide by one less than how many numbers there are. The root of that is the standard deviation."),
                N_("Divide the standard deviation by the root of how many numbers there are. `x ** 0.5` is the root of x."),
            ),
            ERROR,
            (
                Mistake("spread", N_("This is the standard deviation: how far a single hand is from the mean. The mean of many hands is surer than that; divide by the root of how many there are."), _spread),
                Mistake("divided by all", N_("The sum of the squares is divided by one less than how many numbers there are, because the mean was made of the same numbers."), _all_of_them),
                Mistake("no root", N_("Divide the standard deviation by the root of how many numbers there are, not by that number itself."), _no_root),
                Mistake("squares", N_("This is still in squares: take the root of the sum before you go on."), _squares),
                Mistake("mean", N_("This is the mean itself. The standard error says how sure it is."), _mean),
            ),
            fits=_close,
        ),
        Part(
            "choose", 4, ("follow.void", "trick.highest", "score.hand"),
            N_("Write `choose(hand, legal, trick, unseen, cautious)`: it returns the card to play, one of the legal ones. It plays 1,000 hands at a table of six, and passes when it takes fewer points than the cautious player by more than two standard errors."),
            N_("It must return one card, one of the list `legal`."),
            choose, _choose_cases,
            (
                N_("Begin with `return cautious`, which plays as the cautious player does. Then change one thing and check whether it helps."),
                N_("Void (`trick` is not empty and `legal[0]` is of another suit than `trick[0]`)? Throw away the card with the greatest `danger`, and of two such cards the one of which you hold fewer of the suit: an empty suit lets you discard again."),
                N_("On lead (`trick` is empty): a suit of which many cards are unseen is safe, since nearly everybody can follow and nobody discards a Black Maria on it. A suit of which few are unseen is dangerous, above all with a high card."),
            ),
            CHOOSE,
            _MISTAKES,
            fits=lambda given, right: True,
            judge=_judge,
        ),
    ),
)  # fmt: skip
