"""Exercise 3: who wins a trick, first without and then with cancellation."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence

from .. import seeds
from ..cards import Card, cards
from ..messages import N_
from ..rules import trick as rules
from ..rules.nouns import Play, Trick
from ..ruleset import ruleset
from . import fragments
from .nouns import Case, Mistake, Part, Task

Cards = Sequence[Card]


def _made(trick: Cards) -> Trick:
    return Trick(0, tuple([Play(seat, card) for seat, card in enumerate(trick)]))


# What is right, from the engine


def highest(trick: Cards) -> Card:
    """Return the highest card of the suit led.

    >>> highest(cards("8C AC 5C KD"))
    AC
    """
    return rules.highest(tuple([play for play in _made(trick).plays if play.card.suit is trick[0].suit])).card


def pairs(trick: Cards) -> list[Card]:
    """Return the face of every pair, in the order in which they were completed.

    >>> pairs(cards("8C AC 5C AC QC 3C 7C"))
    [AC]
    """
    return [pair.card for pair in rules.pairs(ruleset("cancellation", 6), _made(trick))]


def winner(trick: Cards) -> Card | None:
    """Return the card that wins, or None when nobody does.

    >>> winner(cards("8C AC 5C AC QC 3C 7C"))
    QC
    """
    play = rules.winner(ruleset("cancellation", len(trick)), _made(trick))
    return None if play is None else play.card


# The cases, the smallest first


def _decides(trick: Cards) -> str:
    """Return the id of the rule that decides who wins `trick`."""
    dead = rules.dead_by(ruleset("cancellation", len(trick)), _made(trick))
    return dead or ("trick.pairs_cancel" if pairs(trick) else "trick.highest")


def _dealt(game: str, seats: int, count: int) -> list[Cards]:
    """Return `count` tricks of a `game` for `seats`, always the same ones; most from few ranks, so that pairs are frequent."""
    found: list[Cards] = []
    for number in range(count):
        lowest = 2 if number % 3 == 0 else 10
        pack = [card for card in ruleset(game, seats).pack if card.rank >= lowest]
        found.append(seeds.shuffled(pack, 1000 * seats + number)[:seats])
    return found


@functools.cache
def _plain_cases() -> tuple[Case, ...]:
    small = ["4D 9D 3D", "9D KS 4D", "2C AH AS", "4D 9D JD 3D", "7S QS KH 9D", "QC KC AC 2H", "3H 5H AD 9C QS"]
    tricks = [cards(text) for text in small] + [
        trick for seats in (3, 4, 5, 7) for trick in _dealt("hearts", seats, 12)
    ]
    return tuple([_case(trick, "trick.highest") for trick in sorted(tricks, key=len)])


@functools.cache
def _cases() -> tuple[Case, ...]:
    small = [
        "4D 9D JD 3D 7D 2D", "9D KS 4D AH 2D 3C", "AS KS AS 3S 2H 4D", "9S 9H KS 9D 9C 2S", "5D 5D KC AS 7H 2C",
        "3S 3D AS 3D 7S KH", "TS 9H 9H TS KS 4S", "KD 9H 9H 4C 4C 3D", "KH QH KH 3H QH 2H", "2C QS QS AC 3C KC",
        "JC 5C JC 5C 9D 9D", "KC 4D 4D 7H 7H 2S 2S",
    ]  # fmt: skip
    tricks = [cards(text) for text in small] + [
        trick for seats in (6, 7, 9, 11) for trick in _dealt("cancellation", seats, 30)
    ]
    return tuple([_case(trick, _decides(trick)) for trick in sorted(tricks, key=len)])


@functools.cache
def _pair_cases() -> tuple[Case, ...]:
    return tuple([Case(case.args, "trick.pairs_cancel", case.fragment) for case in _cases()])


def _case(trick: Cards, rule: str) -> Case:
    return Case((list(trick),), rule, functools.partial(fragments.trick, tuple(trick)))


# How learners err


def _without_led_suit(trick: Cards) -> Card:
    return max(trick, key=lambda card: card.rank)


def _by_index(trick: Cards) -> Card:
    return max(trick)


def _last_highest_by_face(trick: Cards) -> Card:
    return max([card for card in trick if card.suit is trick[0].suit], key=lambda card: card.code[0])


def _lowest(trick: Cards) -> Card:
    return min([card for card in trick if card.suit is trick[0].suit], key=lambda card: card.rank)


def _led(trick: Cards) -> Card:
    return trick[0]


def _equal_ranks(trick: Cards) -> list[Card]:
    return [card for i, card in enumerate(trick) if card.rank in [other.rank for other in trick[:i]]]


def _every_card(trick: Cards) -> list[Card]:
    return list(trick)


def _both_copies(trick: Cards) -> list[Card]:
    return [card for card in trick if trick.count(card) == 2]


def _led_pairs(trick: Cards) -> list[Card]:
    return [card for card in pairs(trick) if card.suit is trick[0].suit]


def _first_pair(trick: Cards) -> list[Card]:
    return pairs(trick)[:1]


def _neighbours(trick: Cards) -> list[Card]:
    return [one for one, other in zip(trick, trick[1:], strict=False) if one is other]


def _left(trick: Cards, gone: Sequence[Card]) -> Card | None:
    left = [card for card in trick if card.suit is trick[0].suit and card not in gone]
    return max(left, default=None)


def _other_reading(trick: Cards) -> Card | None:
    return _left(trick, pairs(trick))


def _pairs_of_led_suit(trick: Cards) -> Card | None:
    found = _led_pairs(trick)
    return None if len(found) >= 2 else _left(trick, found)


def _any_rank_cancels(trick: Cards) -> Card | None:
    ranks = Counter([card.rank for card in trick])
    found = [card for card in trick if ranks[card.rank] > 1]
    return None if len({card.rank for card in found}) >= 2 else _left(trick, found)


def _any_pair_kills(trick: Cards) -> Card | None:
    return None if pairs(trick) else highest(trick)


def _beaten_once(trick: Cards) -> Card | None:
    """The highest card wins; when it was cancelled, nobody does."""
    return None if len(pairs(trick)) >= 2 or highest(trick) in pairs(trick) else highest(trick)


def _suit_forgotten(trick: Cards) -> Card | None:
    left = [card for card in trick if card not in pairs(trick)]
    return None if len(pairs(trick)) >= 2 or not left else max(left, key=lambda card: card.rank)


def _exactly_two(trick: Cards) -> Card | None:
    return None if len(pairs(trick)) == 2 else _left(trick, pairs(trick))


def _one_copy_left(trick: Cards) -> Card | None:
    """The second copy is gone, the first still counts."""
    return None if len(pairs(trick)) >= 2 else highest(trick)


HIGHEST = '''
def highest(trick):
    """Return the highest card of the suit led."""
    best = trick[0]
    for card in trick:
        if card.suit == best.suit and card.rank > best.rank:
            best = card
    return best
'''

PAIRS = '''
def pairs(trick):
    """Return a list of the cards that lie in the trick twice, each of them once."""
    found = []
    for card in trick:
        if trick.count(card) == 2 and card not in found:
            found.append(card)
    return found
'''

WINNER = '''
def winner(trick):
    """Return the card that wins the trick, or None when nobody wins."""
    cancelled = pairs(trick)
    if len(cancelled) >= 2:
        return None
    best = None
    for card in trick:
        if card.suit == trick[0].suit and card not in cancelled:
            if best is None or card.rank > best.rank:
                best = card
    return best
'''


def _same_faces(given: list[Card], right: list[Card]) -> bool:
    return Counter(given) == Counter(right)


TASK = Task(
    "03_winner",
    N_("Who wins the trick?"),
    lesson="04_cancellation",
    level=2,
    minutes=40,
    example="02_one_pair",
    parts=(
        Part(
            "highest", 3, ("trick.highest", "trick.rank"),
            N_("Write `highest(trick)`: it returns the highest card of the suit led. Nothing cancels yet; think of one pack."),
            N_("It must return one card, one of those in the trick."),
            highest, _plain_cases,
            (
                N_("Which card of the list was led? Its suit decides which cards can win at all."),
                N_("Go through the cards and remember the best so far. Begin with the card that was led."),
                N_("Compare `card.suit` with the suit of the card led, and `card.rank` with the rank of the best so far. Ranks are numbers: the ace is 14."),
            ),
            HIGHEST,
            (
                Mistake("led suit", N_("A card of another suit never wins, however high it is. Compare only cards of the suit led."), _without_led_suit),
                Mistake("trumps", N_("`max` of cards compares them by their place in a hand: there every heart stands behind every spade. Compare their ranks, and only cards of the suit led."), _by_index),
                Mistake("letters", N_("Letters do not sort as ranks do: T stands behind Q, and A before K. `card.rank` is a number that does."), _last_highest_by_face),
                Mistake("lowest", N_("The ace is high and the 2 is low. This looks for the lowest card."), _lowest),
                Mistake("led wins", N_("The card that was led wins only as long as no higher card of its suit follows."), _led),
            ),
        ),
        Part(
            "pairs", 3, ("trick.pairs_cancel",),
            N_("Write `pairs(trick)`: it returns a list of the cards that lie in the trick twice, each of them once, in any order."),
            N_("It must return a list of cards; it is empty when there is no pair."),
            pairs, _pair_cases,
            (
                N_("Two cards are a pair when rank and suit are the same: `card == other`."),
                N_("`trick.count(card)` tells how often a card lies in the trick."),
                N_("Put a card into your list when it is there twice and is not yet in your list."),
            ),
            PAIRS,
            (
                Mistake("equal rank", N_("Equal rank alone is no pair: 9♠ and 9♥ do not cancel each other. The suit must be the same too."), _equal_ranks),
                Mistake("itself", N_("This finds every card. Each card is compared with itself somewhere, and of course it is equal to itself, or even the same (`is`)."), _every_card),
                Mistake("both copies", N_("Each pair is to stand in the list once, but here both of its cards do."), _both_copies),
                Mistake("only led suit", N_("Pairs of every suit cancel, not only those of the suit led."), _led_pairs),
                Mistake("first pair", N_("There may be more than one pair. Does your function stop at the first?"), _first_pair),
                Mistake("neighbours", N_("The two cards of a pair need not lie side by side."), _neighbours),
            ),
            fits=_same_faces,
        ),
        Part(
            "winner", 4, ("trick.pairs_cancel", "trick.dead", "trick.none_left", "trick.highest"),
            N_("Write `winner(trick)`: it returns the card that wins the trick with two packs, or `None` when nobody wins. You may call your `highest` and `pairs`."),
            N_("It must return the card that wins, or None when nobody does."),
            winner, _cases,
            (
                N_("Begin with your `pairs`. How many pairs make the trick dead?"),
                N_("With one pair or none, leave out the cards that are cancelled. Of what is left, only the suit led counts."),
                N_("What if no card of the suit led is left? `max` of an empty list stops with an error, so ask first whether the list is empty."),
            ),
            WINNER,
            (
                Mistake("ace wins", N_("The highest card does not win when its twin is in the trick too: the two cancel each other, and with this one pair the highest card of the suit led that is left wins."), highest),
                Mistake("one copy", N_("Both cards of a pair are cancelled, the first as well as the second."), _one_copy_left),
                Mistake("equal rank", N_("Equal rank cancels only in the same suit: 9♠ and 9♥ are no pair."), _any_rank_cancels),
                Mistake("only led suit", N_("Pairs of every suit count: two pairs make the trick dead, whatever was led."), _pairs_of_led_suit),
                Mistake("other reading", N_("Two or more pairs make the trick dead, even if a card of the suit led is left. Many tables play otherwise; the printed page says it so."), _other_reading),
                Mistake("one pair kills", N_("One pair takes only its own two cards out. The highest card of the suit led that is left still wins."), _any_pair_kills),
                Mistake("no second", N_("When the highest card is cancelled, somebody else wins: with one pair, the highest card of the suit led that is left, if there is one."), _beaten_once),
                Mistake("led suit", N_("Of the cards that are left only those of the suit led can win."), _suit_forgotten),
                Mistake("exactly two", N_("Two or more pairs make the trick dead: three do, too."), _exactly_two),
            ),
        ),
    ),
)  # fmt: skip
