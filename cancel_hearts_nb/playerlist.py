"""Which players are built in, told without loading any of them: a form that offers them needs no game."""

from __future__ import annotations

import importlib.util

# By module and class, loaded when first asked for: a stronger player may need more than the engine does
PLAYERS = {
    "random": "players:RandomPlayer",
    "cautious": "cautious:CautiousPlayer",
    "sampling": "sampling:SamplingPlayer",
}

# What a player needs that not every installation has
_NEEDS = {"sampling": "numpy"}


def offered() -> tuple[str, ...]:
    """Return the names of the built-in players that can play in this installation, without loading anything.

    >>> offered()[:2]
    ('random', 'cautious')
    """
    return tuple([name for name in PLAYERS if name not in _NEEDS or importlib.util.find_spec(_NEEDS[name]) is not None])
