"""Exercise 4: over a whole hand, who leads, what lies set aside, when hearts are broken, and who takes what."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence

from ..cards import Card, Suit
from ..messages import N_
from ..rules import lead
from ..rules import trick as rules
from ..rules.nouns import Play, Trick
from ..ruleset import ruleset
from . import fragments
from .nouns import Case, Mistake, Part, Task, smallest_first

Cards = Sequence[Card]
Tricks = Sequence[Cards]
Winners = Sequence[int | None]


def _made(leader: int, trick: Cards) -> Trick:
    return Trick(leader, tuple([Play((leader + place) % len(trick), card) for place, card in enumerate(trick)]))


# What is right, from the engine


def next_leader(leader: int, trick: Cards, won: Card | None) -> int:
    """Return the seat that leads the next trick."""
    made = _made(leader, trick)
    if won is None:
        return lead.after_dead(ruleset("cancellation", len(trick)), made)
    return lead.after_won(next(play.seat for play in made.plays if play.card is won))


def hearts_broken(kitty: Cards, tricks: Tricks) -> bool:
    """Return whether hearts are broken after these tricks."""
    table = ruleset("cancellation", 6)
    return any(lead.breaks_hearts(table, card) for trick in tricks for card in trick)


def aside(kitty: Cards, tricks: Tricks, winners: Winners) -> list[Card]:
    """Return what lies set aside after these tricks."""
    waiting = list(kitty)
    for trick, winner in zip(tricks, winners, strict=True):
        waiting = [*waiting, *trick] if winner is None else []
    return waiting


def taken(seats: int, kitty: Cards, tricks: Tricks, winners: Winners) -> list[list[Card]]:
    """Return the cards that each seat has taken."""
    won: list[list[Card]] = [[] for _ in range(seats)]
    for at, (trick, winner) in enumerate(zip(tricks, winners, strict=True)):
        if winner is not None:
            won[winner] += trick
            won[rules.aside_taker(winner)] += aside(kitty, tricks[:at], winners[:at])
    return won


# The cases, the smallest first

# A kitty and tricks from the beginning of a hand
_WRITTEN = (
    (6, "4S 7D", 0, "3C 9C 7C 2C QC 5C"),
    (6, "4S 7D", 1, "3C 2H 2H 9C 4C 5C"),
    (6, "QS KH", 5, "3C 9C 3C 2C QC QC"),
    (6, "4S KH", 2, "3C 9C 3C 9C QC 4H"),
    (6, "QS 7D", 4, "3C 9C 3C 2C QC QC", "8D TD 4D 2D 9D JD"),
    (6, "QS 2H", 3, "3C 9C 3C 2C QC QC", "8D TD 8D TD 9D JD", "5S 5H 3S 9S 2S 4S"),
    (6, "QS 2H", 3, "3C 9C 3C 2C QC QC", "8D TD 8D TD 9D JD"),
    (6, "AH 3D", 2, "4C 9C 4C 2C JC JC", "8D TD 8D TD 9D JD", "6S 5S 6S 5S 2S 4S"),
    (8, "", 6, "3C 9C 3C 2C QC 4C 6C QC", "8D TD 8D 2D 9D JD TD 3D"),
    (7, "5C AD 8S QS 3H KH", 2, "4C 9C 4C KC 9C 7C 2C", "3D 8D TD 5D JD 6D 2D"),
    (8, "", 0, "3C 9C 3C 2C QC 4C 6C QC", "8D TD 4D 2D 9D JD AD 3D"),
)


@functools.cache
def _hands() -> tuple[fragments.Tricks, ...]:
    """Beginnings of hands and whole hands of six and seven players, from the shortest on; the last tricks of some are dead."""
    shown = [fragments.Tricks.written(*one) for one in _WRITTEN]
    for seats in (6, 7):
        for seed in range(4):
            played = fragments.Tricks.played(seats, seed)
            shown += [played.cut(count) for count in (1, 2, 3, 5, 8, len(played.tricks))]
    return tuple(sorted(shown, key=lambda one: sum(map(len, one.tricks))))


def _rule(shown: fragments.Tricks) -> str:
    dead = [winner is None for winner in shown.winners]
    if all(dead) and shown.kitty:
        return "trick.kitty"
    if dead[-1] and shown.whole:
        return "trick.last_dead"
    return "trick.aside" if any(dead) else "trick.kitty" if shown.kitty else "trick.pile"


def _cases(rule: Callable[[fragments.Tricks], str], args: Callable[[fragments.Tricks], tuple[object, ...]]) -> Callable[[], Sequence[Case]]:  # fmt: skip
    return functools.cache(lambda: smallest_first([Case(args(one), rule(one), one.text) for one in _hands()]))


@functools.cache
def _lead_cases() -> tuple[Case, ...]:
    found = []
    for one in _hands():
        for leader, trick, winner in zip(one.leaders, one.tricks, one.winners, strict=True):
            won = None if winner is None else trick[(winner - leader) % one.seats]
            rule = "lead.after_dead" if won is None else "lead.winner"
            found.append(Case((leader, list(trick), won), rule, functools.partial(fragments.trick, trick, leader)))
    # each once, and every seat as the leader among them
    kept = {str(case.args): case for case in found}
    return smallest_first(list(kept.values())[:70])


# How learners err


def _left_of_leader(leader: int, trick: Cards, won: Card | None) -> int:
    return (leader + 1) % len(trick) if won is None else next_leader(leader, trick, won)


def _place_as_seat(leader: int, trick: Cards, won: Card | None) -> int:
    return leader if won is None else trick.index(won)


def _beyond_the_table(leader: int, trick: Cards, won: Card | None) -> int:
    return leader if won is None else leader + trick.index(won)


def _leader_again(leader: int, trick: Cards, won: Card | None) -> int:
    return leader


def _kitty_breaks(kitty: Cards, tricks: Tricks) -> bool:
    return any(card.suit is Suit.HEARTS or card.code == "QS" for trick in (kitty, *tricks) for card in trick)


def _only_hearts(kitty: Cards, tricks: Tricks) -> bool:
    return any(card.suit is Suit.HEARTS for trick in tricks for card in trick)


def _hearts_and_kitty(kitty: Cards, tricks: Tricks) -> bool:
    return _only_hearts(kitty, [kitty, *tricks])


def _any_queen(kitty: Cards, tricks: Tricks) -> bool:
    return any(card.suit is Suit.HEARTS or card.rank == 12 for trick in tricks for card in trick)


def _last_trick_only(kitty: Cards, tricks: Tricks) -> bool:
    return hearts_broken(kitty, tricks[-1:])


def _first_card_only(kitty: Cards, tricks: Tricks) -> bool:
    return hearts_broken(kitty, [trick[:1] for trick in tricks])


def _without_pairs(kitty: Cards, tricks: Tricks) -> bool:
    return hearts_broken(kitty, [[card for card in trick if trick.count(card) == 1] for trick in tricks])


def _aside_without_kitty(kitty: Cards, tricks: Tricks, winners: Winners) -> list[Card]:
    return aside((), tricks, winners)


def _kitty_stays(kitty: Cards, tricks: Tricks, winners: Winners) -> list[Card]:
    return [*kitty, *aside((), tricks, winners)]


def _never_taken(kitty: Cards, tricks: Tricks, winners: Winners) -> list[Card]:
    dead = [trick for trick, winner in zip(tricks, winners, strict=True) if winner is None]
    return [*kitty, *[card for trick in dead for card in trick]]


def _last_dead_only(kitty: Cards, tricks: Tricks, winners: Winners) -> list[Card]:
    waiting = list(kitty)
    for trick, winner in zip(tricks, winners, strict=True):
        waiting = list(trick) if winner is None else []
    return waiting


def _won_tricks(kitty: Cards, tricks: Tricks, winners: Winners) -> list[Card]:
    won = [trick for trick, winner in zip(tricks, winners, strict=True) if winner is not None]
    return [*kitty, *[card for trick in won for card in trick]]


def _own_tricks(seats: int, kitty: Cards, tricks: Tricks, winners: Winners) -> list[list[Card]]:
    won: list[list[Card]] = [[] for _ in range(seats)]
    for trick, winner in zip(tricks, winners, strict=True):
        if winner is not None:
            won[winner] += trick
    return won


def _without_kitty(seats: int, kitty: Cards, tricks: Tricks, winners: Winners) -> list[list[Card]]:
    return taken(seats, (), tricks, winners)


def _never_emptied(seats: int, kitty: Cards, tricks: Tricks, winners: Winners) -> list[list[Card]]:
    won: list[list[Card]] = [[] for _ in range(seats)]
    waiting = list(kitty)
    for trick, winner in zip(tricks, winners, strict=True):
        if winner is None:
            waiting += trick
        else:
            won[winner] += [*trick, *waiting]
    return won


def _kitty_lost(seats: int, kitty: Cards, tricks: Tricks, winners: Winners) -> list[list[Card]]:
    """The kitty goes with the first trick or with none."""
    return taken(seats, () if winners and winners[0] is None else kitty, tricks, winners)


def _kitty_to_last(seats: int, kitty: Cards, tricks: Tricks, winners: Winners) -> list[list[Card]]:
    won = taken(seats, (), tricks, winners)
    last = [winner for winner in winners if winner is not None]
    if last:
        won[last[-1]] += kitty
    return won


def _rest_to_last_winner(seats: int, kitty: Cards, tricks: Tricks, winners: Winners) -> list[list[Card]]:
    won = taken(seats, kitty, tricks, winners)
    last = [winner for winner in winners if winner is not None]
    if last:
        won[last[-1]] += aside(kitty, tricks, winners)
    return won


def _one_list(seats: int, kitty: Cards, tricks: Tricks, winners: Winners) -> list[list[Card]]:
    everything = [card for one in taken(seats, kitty, tricks, winners) for card in one]
    return [everything] * seats


def _replaced(seats: int, kitty: Cards, tricks: Tricks, winners: Winners) -> list[list[Card]]:
    won: list[list[Card]] = [[] for _ in range(seats)]
    for at, (trick, winner) in enumerate(zip(tricks, winners, strict=True)):
        if winner is not None:
            won[winner] = [*trick, *aside(kitty, tricks[:at], winners[:at])]
    return won


NEXT_LEADER = '''
def next_leader(leader, trick, won):
    """Return the seat that leads the next trick."""
    if won is None:
        return leader
    return (leader + trick.index(won)) % len(trick)
'''

HEARTS_BROKEN = '''
def hearts_broken(kitty, tricks):
    """Return whether hearts are broken after these tricks."""
    for trick in tricks:
        for card in trick:
            if card.suit == Suit.HEARTS or card == parse("QS"):
                return True
    return False
'''

ASIDE = '''
def aside(kitty, tricks, winners):
    """Return a list of the cards that lie set aside after these tricks."""
    pile = list(kitty)
    for trick, winner in zip(tricks, winners):
        if winner is None:
            pile = pile + trick
        else:
            pile = []
    return pile
'''

TAKEN = '''
def taken(seats, kitty, tricks, winners):
    """Return a list with a list for each seat: the cards that it has taken."""
    won = []
    for seat in range(seats):
        won.append([])
    pile = list(kitty)
    for trick, winner in zip(tricks, winners):
        if winner is None:
            pile = pile + trick
        else:
            won[winner] = won[winner] + trick + pile
            pile = []
    return won
'''


def _same_cards(given: list[Card], right: list[Card]) -> bool:
    return Counter(given) == Counter(right)


def _same_by_seat(given: list[list[Card]], right: list[list[Card]]) -> bool:
    return len(given) == len(right) and all(map(_same_cards, given, right))


TASK = Task(
    "04_pile",
    N_("The pile and the kitty"),
    lesson="04_cancellation",
    level=2,
    minutes=50,
    example="33_two_dead_in_a_row",
    parts=(
        Part(
            "next_leader", 2, ("lead.winner", "lead.after_dead"),
            N_("Write `next_leader(leader, trick, won)`: it returns the seat that leads the next trick. `leader` led this one; `won` is the card that won it, or `None` when nobody did."),
            N_("It must return a seat, a whole number from 0 on."),
            next_leader, _lead_cases,
            (
                N_("What if `won` is `None`? Then the same player leads again."),
                N_("`trick.index(won)` is the place of the card in the trick: 0 for the card led, 1 for the next one clockwise, and so on."),
                N_("Count on from the leader: the leader’s seat plus the place. After the last seat comes seat 0; `%` (the remainder) does that, and `len(trick)` is the number of players."),
            ),
            NEXT_LEADER,
            (
                Mistake("dead moves on", N_("The leader does not change after a dead trick: whoever led it leads again. At some tables the next player leads; the rule pages that say anything let the same one lead."), _left_of_leader),
                Mistake("place as seat", N_("The place in the trick is not the seat. Place 0 belongs to the seat that led, so count on from there."), _place_as_seat),
                Mistake("beyond the table", N_("Seats go round: after the last one comes seat 0. The remainder `%` brings too large a number back to the table."), _beyond_the_table),
                Mistake("always the leader", N_("When somebody won, it is the winner who leads next."), _leader_again),
            ),
        ),
        Part(
            "hearts_broken", 2, ("lead.breaking",),
            N_("Write `hearts_broken(kitty, tricks)`: it returns `True` when hearts are broken after these tricks, and otherwise `False`."),
            N_("It must return True or False."),
            hearts_broken, _cases(lambda one: "lead.breaking", lambda one: (list(one.kitty), [list(trick) for trick in one.tricks])),
            (
                N_("Which cards break hearts? There are 26 of one kind, and two of another."),
                N_("A card must be played to break hearts. Was the kitty played?"),
                N_("Go through the tricks with one loop and, inside it, through the cards with another. As soon as you find such a card, `return True`; after both loops, `return False`."),
            ),
            HEARTS_BROKEN,
            (
                Mistake("kitty breaks", N_("The cards of the kitty were never played, so they break nothing. Only the tricks count."), _kitty_breaks),
                Mistake("only hearts", N_("A Black Maria, the Q♠, breaks hearts as well."), _only_hearts),
                Mistake("hearts and kitty", N_("The cards of the kitty were never played, so they break nothing. And a Black Maria that was played breaks hearts as well."), _hearts_and_kitty),
                Mistake("any queen", N_("Of the queens only the queen of spades breaks hearts."), _any_queen),
                Mistake("last trick", N_("Hearts stay broken. Look at all tricks so far, not only at one."), _last_trick_only),
                Mistake("only led", N_("Hearts are broken by a heart or a Black Maria however it is played, discarded as well as led."), _first_card_only),
                Mistake("cancelled", N_("Cards that were cancelled were played all the same, so they break hearts."), _without_pairs),
            ),
        ),
        Part(
            "aside", 3, ("trick.aside", "trick.kitty"),
            N_("Write `aside(kitty, tricks, winners)`: it returns a list of the cards that lie set aside after these tricks, in any order. `winners` holds for each trick the seat that won it, or `None`."),
            N_("It must return a list of cards; it is empty when nothing is set aside."),
            aside, _cases(_rule, lambda one: (list(one.kitty), [list(trick) for trick in one.tricks], list(one.winners))),
            (
                N_("The pile begins with the kitty: it waits for whoever wins first."),
                N_("Go through tricks and winners together: `for trick, winner in zip(tricks, winners):`."),
                N_("When nobody wins, the cards of the trick come to the pile. When somebody wins, the pile is taken, and what is left is an empty list."),
            ),
            ASIDE,
            (
                Mistake("no kitty", N_("Until somebody wins a trick, the kitty waits too."), _aside_without_kitty),
                Mistake("kitty stays", N_("The first winner takes the kitty. After that it no longer waits."), _kitty_stays),
                Mistake("never taken", N_("Whoever wins a trick takes everything that was set aside. After that nothing waits."), _never_taken),
                Mistake("last dead only", N_("Dead tricks pile up: a second one comes on top of what waits already."), _last_dead_only),
                Mistake("won tricks", N_("Set aside are the tricks that nobody won, where the winner is `None`. The others were taken."), _won_tricks),
            ),
            fits=_same_cards,
        ),
        Part(
            "taken", 3, ("trick.aside", "trick.kitty", "trick.last_dead"),
            N_("Write `taken(seats, kitty, tricks, winners)`: it returns a list that holds, for each seat, a list of the cards it has taken, in any order."),
            N_("It must return a list with a list of cards for each seat, such as `[[], [], [], [], [], []]` when nobody has taken anything."),
            taken, _cases(_rule, lambda one: (one.seats, list(one.kitty), [list(trick) for trick in one.tricks], list(one.winners))),
            (
                N_("Begin with an empty list for each seat, and with a pile that holds the kitty, as in your `aside`."),
                N_("When somebody wins, that seat takes the trick and the pile. Then the pile is empty."),
                N_("What is still in the pile after the last trick goes to nobody."),
            ),
            TAKEN,
            (
                Mistake("own trick only", N_("The winner of a trick takes more than the trick: the pile set aside comes with it."), _own_tricks),
                Mistake("no kitty", N_("The kitty belongs to the pile: whoever wins first takes it."), _without_kitty),
                Mistake("never emptied", N_("Once the pile is taken, it is empty. Here the same cards are taken again and again."), _never_emptied),
                Mistake("kitty lost", N_("When the first trick is dead, the kitty is not lost: it waits for the first trick that is won."), _kitty_lost),
                Mistake("kitty to last", N_("The kitty goes to the first winner. Some tables give it to the last one; the printed page does not."), _kitty_to_last),
                Mistake("rest to somebody", N_("When the last tricks are dead, nobody takes their cards."), _rest_to_last_winner),
                Mistake("one list", N_("Every seat holds the same cards here. `[[]] * seats` makes one list and names it several times; make a new list for each seat, with `append([])` in a loop."), _one_list),
                Mistake("replaced", N_("A seat that wins a second trick keeps the first: add to its list, do not replace it."), _replaced),
            ),
            fits=_same_by_seat,
        ),
    ),
)  # fmt: skip
