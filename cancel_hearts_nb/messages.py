"""Sentences before they have a language: the marker for catalogs, and the base of every error of the package.

Everything else stands on this module, so it imports nothing of the package.
An error keeps its sentence as a catalog key and the values that go into it: `explain` can say it in any language,
and `str(error)` says it in English.
"""

from __future__ import annotations

from typing import Any


def N_(message: str) -> str:
    """Return `message` unchanged; marks it for the catalogs, to be translated where it is shown.

    >>> N_("Nobody wins this trick.")
    'Nobody wins this trick.'
    """
    return message


def NN_(singular: str, plural: str) -> tuple[str, str]:
    """Return both forms unchanged; marks them for the catalogs, which hold as many forms as a language needs.

    >>> NN_("%(count)d card", "%(count)d cards")
    ('%(count)d card', '%(count)d cards')
    """
    return singular, plural


class Problem(ValueError):
    """An error that can be said in any language: `message` (a catalog key), `params`, and the id of the `rule` behind it.

    `rule` is "" where no printed rule is concerned.

    >>> error = Problem(N_("There are %(seats)d seats."), rule="deal.players", seats=12)
    >>> str(error), error.rule
    ('There are 12 seats.', 'deal.players')
    """

    def __init__(self, message: str, rule: str = "", **params: Any) -> None:
        super().__init__(message, rule, params)
        self.message = message
        self.rule = rule
        self.params = params

    def __str__(self) -> str:
        return self.message % self.params
