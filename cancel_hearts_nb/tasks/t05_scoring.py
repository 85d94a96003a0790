"""Exercise 5: what the cards of a hand cost, who has shot the moon, and what is entered on the score sheet."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from .. import seeds
from ..cards import PACK, Card, Rank, Suit, cards, missing
from ..messages import N_
from ..rules import scoring
from ..rules.trick import is_penalty
from ..ruleset import BLACK_MARIA, MoonChoice, ruleset
from . import fragments
from .nouns import Case, Mistake, Part, Task, smallest_first

Cards = Sequence[Card]
Taken = Sequence[Cards]

_SEATS = 6
_MOON = tuple(card for card in PACK for _ in range(2) if is_penalty(card))
_PACK = missing(ruleset("cancellation", _SEATS).pack, fragments.HARMLESS)
_HEARTS = tuple(card for card in _MOON if card is not BLACK_MARIA)


# What is right, from the engine


def points(taken: Cards) -> int:
    """Return the card points of these cards."""
    return scoring.points_of(ruleset("cancellation", _SEATS), taken)


def shooter(taken: Taken) -> int | None:
    """Return the seat that shot the moon, or None."""
    return scoring.moon_shooter(ruleset("cancellation", _SEATS), taken)


def entered(taken: Taken, choice: str) -> list[int]:
    """Return the points that are entered for each seat, when a shooter chooses `choice`."""
    return list(scoring.entered(ruleset("cancellation", _SEATS), taken, shooter(taken), MoonChoice(choice)))


# The cases, the smallest first


def _points_cases() -> tuple[Case, ...]:
    shown = [
        "",
        "2H",
        "QS",
        "AH",
        "QH",
        "QD",
        "KS",
        "9H 9H",
        "QS QS",
        "KS QS AS",
        "2H QS QC 8D",
        "KH KH 9H QH JH 3H",
        "QS QS AH AH TH",
    ]
    given = [cards(text) for text in shown]
    given += [tuple(seeds.shuffled(_PACK, 500 + number)[: 6 + number]) for number in range(30)]
    return smallest_first([
        Case(([*taken, *fragments.HARMLESS],), "score.hand", functools.partial(fragments.collected, taken)) for taken in given
    ])  # fmt: skip


def _tables() -> tuple[tuple[int, Taken], ...]:
    """What six seats may have taken, each with the seat that has most to show."""
    rest = cards("KS AS 7C 9D")
    thirteen = (*PACK[-13:], BLACK_MARIA)
    shown: list[tuple[int, dict[int, Cards]]] = [
        (0, {}),
        (2, {2: cards("2H QS 3H")}),
        (3, {3: _MOON}),
        (0, {0: _MOON, 4: rest}),
        (5, {5: (*_MOON, *rest)}),
        (1, {1: thirteen}),
        (4, {4: thirteen, 2: thirteen}),
        (2, {2: (*_HEARTS, BLACK_MARIA), 0: (BLACK_MARIA,)}),
        (3, {3: _MOON[:-1], 1: _MOON[-1:]}),
        (2, {2: (*PACK[-13:], *PACK[-13:])}),
        (5, {5: (*_MOON[1:], *rest), 0: cards("2C 2D")}),
        (4, {4: (*_HEARTS, *rest), 1: cards("2D 3D 4D")}),
        # the two Black Marias and nothing else
        (1, {1: (BLACK_MARIA, BLACK_MARIA)}),
        (0, {0: (*_HEARTS[:13], BLACK_MARIA, BLACK_MARIA), 3: _HEARTS[13:]}),
    ]
    for number in range(12):
        # the last cards go to nobody, as after a dead last trick
        pile = seeds.shuffled(_PACK, 700 + number)[: len(_PACK) - 6 * (number % 3)]
        seat = number % _SEATS
        held = {one: [card for i, card in enumerate(pile) if i % _SEATS == one] for one in range(_SEATS)}
        if number % 4 == 3:
            held = {one: [card for card in some if not is_penalty(card)] for one, some in held.items()}
            held[seat] += _MOON
        shown.append((seat, {one: tuple(some) for one, some in held.items()}))
    return tuple([(seat, [list(held.get(one, ())) for one in range(_SEATS)]) for seat, held in shown])


def _with_trick(seat: int, taken: Taken) -> list[list[Card]]:
    return [[*some, *(fragments.HARMLESS if one == seat else ())] for one, some in enumerate(taken)]


def _fragment(seat: int, taken: Taken) -> Callable[[], str]:
    return functools.partial(fragments.collected, tuple(taken[seat]), seat)


@functools.cache
def _moon_cases() -> tuple[Case, ...]:
    return smallest_first(
        [Case((_with_trick(seat, taken),), "score.moon", _fragment(seat, taken)) for seat, taken in _tables()]
    )


@functools.cache
def _entered_cases() -> tuple[Case, ...]:
    found = []
    for seat, taken in _tables():
        rule = "score.hand" if shooter(taken) is None else "score.moon_choice"
        for choice in ("subtract", "add_to_others"):
            found.append(Case((_with_trick(seat, taken), choice), rule, _fragment(seat, taken)))
    return smallest_first(found)


# How learners err


def _hearts(taken: Cards) -> int:
    return sum(1 for card in taken if card.suit is Suit.HEARTS)


def _queens(taken: Cards) -> int:
    return sum(1 for card in taken if card is BLACK_MARIA)


def _as_text(taken: Cards) -> int:
    return 0


def _cancelled_free(taken: Cards) -> int:
    return points([card for card in taken if taken.count(card) == 1])


def _each_once(taken: Cards) -> int:
    return points(tuple(set(taken)))


def _queen_one(taken: Cards) -> int:
    return _hearts(taken) + _queens(taken)


def _one_queen(taken: Cards) -> int:
    return _hearts(taken) + 13 * min(1, _queens(taken))


def _every_queen(taken: Cards) -> int:
    return sum(13 if card.rank is Rank.QUEEN else 1 if card.suit is Suit.HEARTS else 0 for card in taken)


def _by_rank(taken: Cards) -> int:
    return sum(int(card.rank) for card in taken if card.suit is Suit.HEARTS) + 13 * _queens(taken)


def _each_spade(taken: Cards) -> int:
    return _hearts(taken) + 13 * sum(1 for card in taken if card.suit is Suit.SPADES)


def _first(taken: Taken, meant: Callable[[Cards], bool]) -> int | None:
    return next((seat for seat, some in enumerate(taken) if meant(some)), None)


def _half_moon(taken: Taken) -> int | None:
    return _first(taken, lambda some: _hearts(some) >= 13 and _queens(some) >= 1)


def _just_half(taken: Taken) -> int | None:
    return _first(taken, lambda some: _hearts(some) == 13 and _queens(some) == 1)


def _twenty_six(taken: Taken) -> int | None:
    return _first(taken, lambda some: points(some) >= 26)


def _only_hearts(taken: Taken) -> int | None:
    return _first(taken, lambda some: _hearts(some) == 26)


def _one_queen_enough(taken: Taken) -> int | None:
    return _first(taken, lambda some: _hearts(some) == 26 and _queens(some) >= 1)


def _only_one_with_points(taken: Taken) -> int | None:
    having = [seat for seat, some in enumerate(taken) if points(some) > 0]
    return having[0] if len(having) == 1 else None


def _different_faces(taken: Taken) -> int | None:
    return _first(taken, lambda some: set(_MOON) <= set(some))


def _most(taken: Taken) -> int | None:
    return max(range(len(taken)), key=lambda seat: points(taken[seat]))


def _no_moon(taken: Taken, choice: str) -> list[int]:
    return [points(some) for some in taken]


def _moon(taken: Taken, choice: str, own: int, others: int) -> list[int]:
    seat = shooter(taken)
    return [points(some) if seat is None else own if one == seat else others for one, some in enumerate(taken)]


def _also_counts(taken: Taken, choice: str) -> list[int]:
    seat = shooter(taken)
    return [one + (52 if at == seat else 0) for at, one in enumerate(entered(taken, choice))]


def _everybody(taken: Taken, choice: str) -> list[int]:
    return entered(taken, choice) if choice == "subtract" else _moon(taken, choice, 26, 26)


def _both(taken: Taken, choice: str) -> list[int]:
    return _moon(taken, choice, -26, 26)


def _fifty_two(taken: Taken, choice: str) -> list[int]:
    return _moon(taken, choice, -52, 0) if choice == "subtract" else _moon(taken, choice, 0, 52)


def _always_add(taken: Taken, choice: str) -> list[int]:
    return _moon(taken, choice, 0, 26)


def _always_subtract(taken: Taken, choice: str) -> list[int]:
    return _moon(taken, choice, -26, 0)


def _swapped(taken: Taken, choice: str) -> list[int]:
    return _always_add(taken, choice) if choice == "subtract" else _always_subtract(taken, choice)


def _subtract_from_52(taken: Taken, choice: str) -> list[int]:
    return _moon(taken, choice, 26, 0) if choice == "subtract" else entered(taken, choice)


POINTS = '''
def points(taken):
    """Return what these cards cost whoever has taken them."""
    total = 0
    for card in taken:
        if card.suit == Suit.HEARTS:
            total = total + 1
        elif card == parse("QS"):
            total = total + 13
    return total
'''

SHOOTER = '''
def shooter(taken):
    """Return the seat that has shot the moon, or None."""
    for seat in range(len(taken)):
        hearts = 0
        for card in taken[seat]:
            if card.suit == Suit.HEARTS:
                hearts = hearts + 1
        if hearts == 26 and taken[seat].count(parse("QS")) == 2:
            return seat
    return None
'''

ENTERED = '''
def entered(taken, choice):
    """Return a list with the points that are entered for each seat."""
    moon = shooter(taken)
    sheet = []
    for seat in range(len(taken)):
        if moon is None:
            sheet.append(points(taken[seat]))
        elif choice == "subtract":
            sheet.append(-26 if seat == moon else 0)
        else:
            sheet.append(0 if seat == moon else 26)
    return sheet
'''


TASK = Task(
    "05_scoring",
    N_("Points and the moon"),
    lesson="05_scoring",
    level=2,
    minutes=40,
    example="28_thirteen_hearts",
    parts=(
        Part(
            "points", 3, ("score.hand",),
            N_("Write `points(taken)`: it returns what the cards of the list `taken` cost whoever has taken them."),
            N_("It must return a whole number."),
            points, functools.cache(_points_cases),
            (
                N_("Which cards cost something, and how much? There are two kinds of them."),
                N_("Begin with a total of 0, go through the cards with a loop, and add what each of them costs."),
                N_("A heart is a card with `card.suit == Suit.HEARTS`; the Black Maria is `parse(\"QS\")`."),
            ),
            POINTS,
            (
                Mistake("as text", N_("It finds no card that costs anything. A suit and a card are not texts here: compare `card.suit` with `Suit.HEARTS`, and a card with `parse(\"QS\")`."), _as_text),
                Mistake("cancelled free", N_("Two equal cards cancelled each other in their trick, but whoever takes them pays for both."), _cancelled_free),
                Mistake("each once", N_("With two packs a card may be there twice, and then it costs twice. A `set` keeps equal cards only once."), _each_once),
                Mistake("queen one", N_("A Black Maria costs 13, not 1."), _queen_one),
                Mistake("one queen", N_("There are two Black Marias, and each of them costs 13."), _one_queen),
                Mistake("every queen", N_("Of the queens only the queen of spades is the Black Maria. The Q♥ is a heart like any other."), _every_queen),
                Mistake("by rank", N_("Every heart costs 1, whatever its rank."), _by_rank),
                Mistake("each spade", N_("Of the spades only the queen costs something."), _each_spade),
            ),
        ),
        Part(
            "shooter", 3, ("score.moon",),
            N_("Write `shooter(taken)`: it returns the seat that has shot the moon with two packs, or `None` when nobody has. `taken` holds a list of cards for each seat."),
            N_("It must return a seat, a whole number from 0 on, or None."),
            shooter, _moon_cases,
            (
                N_("How many hearts are there in two packs, and how many Black Marias? One player must have taken all of them."),
                N_("Go through the seats with `for seat in range(len(taken)):` and count the hearts in `taken[seat]`."),
                N_("`taken[seat].count(parse(\"QS\"))` counts the Black Marias. `return None` stands after the loop: only then is it certain that nobody shot the moon."),
            ),
            SHOOTER,
            (
                Mistake("half a moon", N_("Thirteen hearts and one Black Maria are a moon with one pack. With two packs it takes all 26 hearts and both Black Marias."), _half_moon),
                Mistake("just half", N_("Thirteen hearts and one Black Maria are a moon with one pack. With two packs it takes all 26 hearts and both Black Marias."), _just_half),
                Mistake("twenty-six points", N_("A moon is not decided by 26 points: thirteen hearts and a Black Maria are 26 points, and so are two Black Marias. Count the cards: with two packs it takes all 26 hearts and both Black Marias."), _twenty_six),
                Mistake("only hearts", N_("The hearts alone are not enough; both Black Marias are needed too."), _only_hearts),
                Mistake("one queen", N_("With two packs both Black Marias are needed, not only one."), _one_queen_enough),
                Mistake("alone", N_("That nobody else has points is not enough: some cards may have gone to nobody. All 26 hearts and both Black Marias must be there."), _only_one_with_points),
                Mistake("each face", N_("Each heart is there twice, and the Black Maria too: all copies are needed, not one of each."), _different_faces),
                Mistake("most", N_("To have taken most is not yet a moon. In most hands the answer is `None`."), _most),
            ),
        ),
        Part(
            "entered", 4, ("score.hand", "score.moon_choice"),
            N_("Write `entered(taken, choice)`: it returns a list with the points that are entered for each seat. After a moon `choice` is what the shooter chose, `\"subtract\"` or `\"add_to_others\"`. You may call your `points` and `shooter`."),
            N_("It must return a list with one whole number for each seat."),
            entered, _entered_cases,
            (
                N_("Ask your `shooter` first. Without a moon each seat gets its `points`, and `choice` does not matter."),
                N_("After a moon the shooter scores nothing for the cards. What is left is the choice: either −26 for the shooter, or 26 for every other player."),
                N_("Write `if moon is None`, not `if not moon`: seat 0 is a seat, but counts as false."),
            ),
            ENTERED,
            (
                Mistake("no moon", N_("After a moon the card points are not entered: the shooter’s choice takes their place."), _no_moon),
                Mistake("also counts", N_("After a moon the shooter scores nothing for the cards; only the choice is entered."), _also_counts),
                Mistake("everybody", N_("The 26 points go to every other player; the shooter gets none."), _everybody),
                Mistake("both", N_("The shooter chooses one of the two: 26 off, or 26 to every other player. Not both."), _both),
                Mistake("fifty-two", N_("All the cards are worth 52, but the reward of a moon is 26."), _fifty_two),
                Mistake("always add", N_("There are two choices. For `\"subtract\"` 26 points are taken off the shooter’s score, and nobody else gets any."), _always_add),
                Mistake("always subtract", N_("There are two choices. For `\"add_to_others\"` every other player gets 26 points, and the shooter none."), _always_subtract),
                Mistake("swapped", N_("The two choices are the wrong way round."), _swapped),
                Mistake("from fifty-two", N_("For `\"subtract\"` the shooter enters −26: the 52 points of the cards do not count."), _subtract_from_52),
            ),
        ),
    ),
)  # fmt: skip
