"""One trick: what cancels, who wins or that nobody does, who takes what waits (C3 C8 C16 C17 C21-C25, H14, Q1-Q4 Q6 Q8 Q9 Q20 Q41 Q44)."""

from __future__ import annotations

from ..cards import HEARTS, Card
from ..ruleset import BLACK_MARIA, DeadRule, LastDead, Ruleset
from .nouns import Pair, Play, Trick


def strength(card: Card) -> int:
    """Return the rank of `card` in its suit, 2 to 14: ace high, then king, down to 2 (trick.rank: C3, H1).

    >>> from ..cards import parse
    >>> strength(parse("AS")) > strength(parse("KS"))
    True
    """
    return int(card.rank)


def pairs(rules: Ruleset, trick: Trick) -> tuple[Pair, ...]:
    """Return the pairs of equal cards in `trick`, in the order in which they were completed (trick.pairs_cancel: C21, Q41).

    With one pack there are none. A seat plays one card to a trick, so the two seats always differ.

    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> [pair.card for pair in pairs(ruleset("cancellation", 6), trick(0, "TS 9H 9H TS KS 4S", 6))]
    [9H, TS]
    """
    if rules.packs == 1:
        return ()
    seen: dict[Card, int] = {}
    found = []
    for seat, card in trick.plays:
        if card in seen:
            found.append(Pair(card, (seen[card], seat)))
        else:
            seen[card] = seat
    return tuple(found)


def two_pairs(rules: Ruleset, trick: Trick) -> bool:
    """Return whether two or more pairs, of any suit, kill the trick (trick.dead: C22, Q2, Q3, Q4).

    Never with `dead_rule=no_led`.

    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> two_pairs(ruleset("cancellation", 6), trick(0, "TS 9H 9H TS KS 4S", 6))
    True
    """
    return rules.dead_rule is DeadRule.TWO_PAIRS and len(pairs(rules, trick)) >= 2


def live(rules: Ruleset, trick: Trick) -> tuple[Play, ...]:
    """Return the plays of the suit led that no twin cancels: the only ones that can win (trick.none_left: Q1, C21).

    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> live(ruleset("cancellation", 6), trick(0, "5D 5D KC AS 7H 2C", 6))
    ()
    """
    suit = trick.plays[0].card.suit
    of_suit = [play for play in trick.plays if play.card.suit is suit]
    found = pairs(rules, trick)
    if found:
        cancelled = {pair.card for pair in found}
        of_suit = [play for play in of_suit if play.card not in cancelled]
    return tuple(of_suit)


def dead_by(rules: Ruleset, trick: Trick) -> str | None:
    """Return the id of the rule by which the whole `trick` is dead ("trick.dead" or "trick.none_left"), or None.

    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> dead_by(ruleset("cancellation", 6), trick(0, "5D 5D KC AS 7H 2C", 6))
    'trick.none_left'
    """
    if rules.packs == 1:
        return None
    if two_pairs(rules, trick):
        return "trick.dead"
    return None if live(rules, trick) else "trick.none_left"


def highest(plays: tuple[Play, ...]) -> Play:
    """Return the play with the highest card; `plays` are all of the suit led, at least one (trick.highest: C16, C25, H14).

    There are no trumps: no other suit can win. Of two equal cards the first is returned; the game never asks that.

    >>> from ..cards import parse
    >>> highest((Play(0, parse("9D")), Play(1, parse("JD"))))
    Play(seat=1, card=JD)
    """
    best, most = plays[0], 0
    for play in plays:
        found = strength(play.card)
        if found > most:
            best, most = play, found
    return best


def winner(rules: Ruleset, trick: Trick) -> Play | None:
    """Return the play that wins the whole `trick`, or None when it is dead.

    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> winner(ruleset("cancellation", 6), trick(0, "KD 9D KD JD 3D 5C", 6))
    Play(seat=3, card=JD)
    """
    return None if dead_by(rules, trick) else highest(live(rules, trick))


def aside_taker(won_by: int) -> int:
    """Return who takes the pile set aside, the kitty with it, when `won_by` wins a trick (trick.aside, trick.kitty: C8, C23, Q6, Q8).

    >>> aside_taker(4)
    4
    """
    return won_by


def last_dead_taker(rules: Ruleset, trick: Trick) -> int | None:
    """Return who takes everything that waits when the last `trick` is dead: nobody as printed (trick.last_dead: C24, Q9, Q44).

    `last_dead=trick_leader`: its leader. `second_of_top_pair`: who played the second card of the highest cancelled
    pair of the suit led or, if there is none, of the highest cancelled pair, equal ranks by which was completed first.

    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> last = trick(5, "4H 4H 2D 3C KS 9D JC 7S", 8)
    >>> [last_dead_taker(ruleset("cancellation", 8, last_dead=o), last) for o in ("nobody", "trick_leader", "second_of_top_pair")]
    [None, 5, 6]
    """
    if rules.last_dead is LastDead.NOBODY:
        return None
    if rules.last_dead is LastDead.TRICK_LEADER:
        return trick.leader
    found = pairs(rules, trick)
    suit = trick.plays[0].card.suit
    of_suit = [pair for pair in found if pair.card.suit is suit]
    top = max(of_suit or found, key=lambda pair: strength(pair.card))
    return top.seats[1]


def is_penalty(card: Card) -> bool:
    """Return whether `card` is a heart or a Black Maria.

    >>> from ..cards import cards
    >>> [is_penalty(card) for card in cards("2H QS KS")]
    [True, True, False]
    """
    return card.suit is HEARTS or card is BLACK_MARIA
