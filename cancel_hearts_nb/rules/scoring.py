"""Scoring a hand: hearts, Black Maria, the bonus card, the moon and its choice (C5 C26 C27, H2 H16 H17, Q10 Q20-Q26 Q40)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..cards import HEARTS, Card
from ..ruleset import BLACK_MARIA, MoonChoice, MoonScope, OmnibusSlam, Ruleset, ScoreFloor
from .trick import is_penalty

BONUS = -10


def card_points(rules: Ruleset, card: Card) -> int:
    """Return what `card` costs its taker: a heart 1, a Black Maria 13, the bonus card -10, any other card 0.

    Decides score.hand (C26, H16, Q20) and score.bonus (Q40).

    >>> from ..ruleset import ruleset
    >>> card_points(ruleset("cancellation", 6), BLACK_MARIA)
    13
    """
    if card.suit is HEARTS:
        return 1
    if card is BLACK_MARIA:
        return 13
    return BONUS if card is rules.bonus_card else 0


def points_of(rules: Ruleset, cards: Iterable[Card | None]) -> int:
    """Return the card points of `cards`, without a moon; hidden cards (None) count nothing.

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> points_of(ruleset("omnibus", 4), cards("2H 3H 4H TD"))
    -7
    """
    return sum([card_points(rules, card) for card in cards if card is not None])


def moon_shooter(rules: Ruleset, taken: Sequence[Sequence[Card]]) -> int | None:
    """Return the seat that shot the moon, or None; `taken` are the cards won, by seat (score.moon: C5, C27, H17, Q10, Q21, Q40).

    It is decided by the cards and never by a total: every heart and every Black Maria of the pack, 26 and 2 with two
    packs. `moon_scope=collected` asks only for all penalty cards that anyone collected. In Omnibus Hearts with
    `omnibus_slam=needs_bonus` the bonus card is needed too.

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> moon_shooter(ruleset("hearts", 3), [(), cards("QS") + cards("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"), ()])
    1
    """
    counts = [sum(map(is_penalty, cards)) for cards in taken]
    needed = 14 * rules.packs if rules.moon_scope is MoonScope.PACK else sum(counts)
    if needed == 0 or needed not in counts:
        return None
    shooter = counts.index(needed)
    bonus = rules.bonus_card
    if bonus is not None and rules.omnibus_slam is OmnibusSlam.NEEDS_BONUS and bonus not in taken[shooter]:
        return None
    return shooter


def moon_choices(rules: Ruleset) -> tuple[MoonChoice, ...]:
    """Return what the shooter may choose; one choice only when the table decided beforehand (score.moon_choice: C27, Q25).

    >>> from ..ruleset import ruleset
    >>> [str(choice) for choice in moon_choices(ruleset("hearts", 4))]
    ['subtract', 'add_to_others']
    """
    if rules.moon_choice is MoonChoice.PLAYER:
        return (MoonChoice.SUBTRACT, MoonChoice.ADD_TO_OTHERS)
    return (rules.moon_choice,)


def entered(
    rules: Ruleset, taken: Sequence[Sequence[Card]], shooter: int | None, choice: MoonChoice | None
) -> tuple[int, ...]:
    """Return the points that go on the score sheet, by seat.

    Without a moon they are the card points. After a moon (score.moon_choice: C27, H17, Q22-Q24) the shooter scores 0
    for the cards, and either subtracts 26 or adds 26 to every other player; `moon_points` makes it 52. The bonus card
    still counts for its taker when the moon did not need it.

    >>> from ..ruleset import ruleset
    >>> entered(ruleset("cancellation", 6), [()] * 6, 4, MoonChoice.ADD_TO_OTHERS)
    (26, 26, 26, 26, 0, 26)
    """
    if shooter is None or choice is None:
        return tuple([points_of(rules, cards) for cards in taken])
    moved = int(rules.moon_points)
    bonus = rules.bonus_card if rules.omnibus_slam is OmnibusSlam.HEARTS_AND_QUEEN else None
    points = [BONUS if bonus is not None and bonus in cards else 0 for cards in taken]
    for seat in range(len(points)):
        if choice is MoonChoice.SUBTRACT and seat == shooter:
            points[seat] -= moved
        elif choice is MoonChoice.ADD_TO_OTHERS and seat != shooter:
            points[seat] += moved
    return tuple(points)


def new_totals(rules: Ruleset, totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """Return the totals after a hand, by seat; with `score_floor=0` none falls below zero (score.floor: Q26).

    One total a seat, so the score sheet has a column for each player (score.sheet: C30, H20).

    >>> from ..ruleset import ruleset
    >>> new_totals(ruleset("hearts", 3), (12, 40, 40), (-26, 0, 0))
    (-14, 40, 40)
    """
    sums = [total + point for total, point in zip(totals, points, strict=True)]
    return tuple([max(0, total) for total in sums] if rules.score_floor is ScoreFloor.ZERO else sums)
