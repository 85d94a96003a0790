"""Which card may be played, and why another may not: the restrictions of lead and follow in page order.

Decides nothing about cards itself. Each restriction works on what the earlier ones left; one that would leave no card
is dropped, and the rest still bind (play.waived: Q12 Q13 Q14). Refusal and legal set come from the same narrowing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..cards import HEARTS, Card, Hand
from ..ruleset import BLACK_MARIA, ON, Opening
from . import follow, lead
from .nouns import Position, Refusal, made
from .trick import is_penalty

Restriction = Callable[[Position, Hand], Hand]


class Narrowing(NamedTuple):
    """What is left of a hand: `legal` cards; each rule that took cards away, with what it left; the rules dropped."""

    legal: Hand
    steps: tuple[tuple[str, Hand], ...]
    waived: tuple[str, ...]


def restrictions(position: Position) -> tuple[tuple[str, Restriction], ...]:
    """Return the restrictions that bind this play, in page order, each with its rule id.

    >>> from ..ruleset import ruleset
    >>> from .nouns import Trick
    >>> [rule for rule, _ in restrictions(Position(ruleset("hearts", 4), 0, (), Trick(0), 1, False))]
    ['lead.low_club', 'lead.opening_free', 'lead.hearts_unbroken']
    """
    if not position.trick.plays:
        return (
            ("lead.low_club", lead.keep_low_club),
            ("lead.opening_free", lead.keep_free_opening),
            ("lead.hearts_unbroken", lead.keep_unbroken),
        )
    if not follow.is_void(position.trick, position.hand):
        return (("follow.suit", follow.keep_suit),)
    return (("follow.first_trick", follow.keep_first_discard),)


def narrow(position: Position) -> Narrowing:
    """Return what the restrictions leave of the hand of `position` (at least one card of a hand that is not empty).

    Decides play.lead (what no restriction takes is free) and play.waived (Q12-Q14: one that leaves nothing is dropped).

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> from .nouns import Trick
    >>> hand = cards("2H 3H QS")
    >>> narrow(Position(ruleset("cancellation", 8), 0, hand, Trick(0), 1, False))
    Narrowing(legal=(QS,), steps=(('lead.hearts_unbroken', (QS,)),), waived=('lead.opening_free',))
    """
    hand = position.hand
    steps: tuple[tuple[str, Hand], ...] = ()
    waived: tuple[str, ...] = ()
    for rule, keep in restrictions(position):
        kept = keep(position, hand)
        if not kept:
            waived += (rule,)
        elif len(kept) < len(hand):
            steps += ((rule, kept),)
            hand = kept
    return made(Narrowing, (hand, steps, waived))


def legal_cards(position: Position) -> Hand:
    """Return the cards that may be played, in hand order, copies included.

    >>> from ..cards import cards
    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> legal_cards(Position(ruleset("cancellation", 6), 1, cards("3C KC QS 2H"), trick(0, "9C", 6), 2, True))
    (3C, KC)
    """
    return narrow(position).legal


def refusal(position: Position, card: Card) -> Refusal | None:
    """Return why `card` may not be played, with what may be played instead, or None when it may.

    Decides play.held; every other reason is that of the restriction which took the card away.

    >>> from ..cards import cards, parse
    >>> from ..ruleset import ruleset
    >>> from .nouns import trick
    >>> refusal(Position(ruleset("cancellation", 6), 1, cards("3C QS"), trick(0, "9C", 6), 2, True), parse("QS")).rule
    'follow.suit'
    """
    if card not in position.hand:
        return Refusal("play.held", {"seat": position.seat, "card": card})
    found = narrow(position)
    for rule, kept in found.steps:
        if card not in kept:
            plays = position.trick.plays
            suit = plays[0].card.suit if plays else None
            return Refusal(rule, {"seat": position.seat, "card": card, "legal": found.legal, "suit": suit})
    return None


def granted_by(position: Position, card: Card) -> str:
    """Return the id of the rule that allows the legal `card`: what a reader should be shown for this play.

    It follows from what everybody at the table sees, the card, the trick and the options, and never from the rest of the
    hand: everybody is told this rule, and it must not tell what the player holds.

    >>> from ..cards import cards, parse
    >>> from ..ruleset import ruleset
    >>> from .nouns import Trick
    >>> granted_by(Position(ruleset("cancellation", 7), 0, cards("4D QS 7H"), Trick(0), 2, False), parse("QS"))
    'lead.black_maria'
    """
    rules, first = position.ruleset, position.trick_number == 1
    if position.trick.plays:
        if card.suit is position.trick.plays[0].card.suit:
            return "follow.suit"
        if first and rules.first_discard_ban is ON:
            return "play.waived" if is_penalty(card) else "follow.first_trick"
        return "follow.void"
    heart = card.suit is HEARTS
    if heart and not position.hearts_broken:
        over_bm = rules.lead_heart_over_bm is ON and not (first and rules.opening is Opening.LOW_CLUB)
        return "lead.heart_over_bm" if over_bm else "play.waived"
    if first and rules.opening is Opening.LOW_CLUB:
        return "lead.low_club" if card is lead.low_club(rules) else "play.waived"
    if first:
        return "play.waived" if is_penalty(card) else "lead.opening_free"
    if card is BLACK_MARIA:
        return "lead.black_maria"
    return "lead.breaking" if heart else "play.lead"
