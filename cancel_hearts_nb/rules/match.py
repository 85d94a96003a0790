"""The match: the target, the end, who wins, and ties (C4 C28 C29, H18, Q27-Q31 Q45)."""

from __future__ import annotations

from collections.abc import Sequence

from ..ruleset import Ruleset, Tie


def reached(rules: Ruleset, totals: Sequence[int]) -> bool:
    """Return whether anyone reaches or passes the target; asked only after a hand is scored (match.end: C29, H18, Q29, Q30).

    >>> from ..ruleset import ruleset
    >>> reached(ruleset("hearts", 3), (100, 40, 34))
    True
    """
    return max(totals) >= rules.target


def lowest(totals: Sequence[int]) -> tuple[int, ...]:
    """Return the seats with the lowest total, who win a match that is over (match.lowest: C4, C29, H2, Q27).

    >>> lowest((156, 52, 75, 52))
    (1, 3)
    """
    least = min(totals)
    return tuple([seat for seat, total in enumerate(totals) if total == least])


def plays_on(rules: Ruleset, totals: Sequence[int]) -> bool:
    """Return whether a tie for the lowest total keeps the match going (match.tie: Q28).

    >>> from ..ruleset import ruleset
    >>> plays_on(ruleset("hearts", 3, tie="play_on"), (100, 40, 40))
    True
    """
    return rules.tie is Tie.PLAY_ON and len(lowest(totals)) > 1


def is_over(rules: Ruleset, totals: Sequence[int]) -> bool:
    """Return whether the match ends with these totals, taken after a scored hand.

    >>> from ..ruleset import ruleset
    >>> is_over(ruleset("hearts", 3), (99, 40, 34))
    False
    """
    return reached(rules, totals) and not plays_on(rules, totals)
