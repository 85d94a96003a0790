"""A play in progress as a short text for an address: what was set up, and every action as a number among those possible.

An action is one of few: which legal card, which cards of the hand to pass, which choice after a moon. So the numbers
of all actions fit into one whole number, a card costs less than two bits on average, and a code cannot say anything
illegal. The code begins with a version mark and holds a checksum; sizes are limited before anything is unpacked.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from .cards import Card
from .game import Action, ChooseMoon, Game, PassCards, PlayCard
from .messages import N_, Problem
from .rules import scoring

MOST_CODE = 16_000
"""Characters. Web servers take addresses of 32 000 and more."""
MOST_ACTIONS = 25_000
_MOST_BYTES = 60_000
_MARK = "1"

Step = tuple[int, int]
"""An action as a number: which one, and of how many."""


class BrokenCode(Problem):
    """A code that holds no play in progress."""


def broken() -> BrokenCode:
    """Return the error for a code that cannot be used."""
    return BrokenCode(
        N_(
            "The game in this address is broken or incomplete, so it cannot go on. Copy the whole link again, or begin a new match."
        )
    )


def step(game: Game, action: Action) -> Step:
    """Return the number of the legal `action`, and of how many actions that are possible in `game` now.

    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
    >>> step(game, PassCards(0, game.state.hands[0][:3]))
    (0, 286)
    """
    if isinstance(action, PlayCard):
        legal = _faces(game)
        return legal.index(action.card), len(legal)
    if isinstance(action, PassCards):
        hand: list[Any] = list(game.state.hands[action.seat])
        places = []
        for card in action.cards:
            at = next(i for i, held in enumerate(hand) if held is card and i not in places)
            places.append(at)
        return _rank(sorted(places), len(hand)), math.comb(len(hand), len(places))
    choices = scoring.moon_choices(game.ruleset)
    return [str(choice) for choice in choices].index(str(action.choice)), len(choices)


def action(game: Game, number: int) -> Action:
    """Return the action with that `number` among those possible in `game` now; the inverse of `step`.

    Raises BrokenCode when nothing is asked or there is no such number.

    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
    >>> action(game, 0).cards == game.state.hands[0][:3]
    True
    """
    asked = game.asked
    if asked is None or not 0 <= number < count(game):
        raise broken()
    if asked.kind == "play":
        return PlayCard(asked.seat, _faces(game)[number])
    if asked.kind == "pass":
        hand: Any = game.state.hands[asked.seat]
        places = _unrank(number, len(hand), game.ruleset.pass_count)
        return PassCards(asked.seat, tuple([hand[i] for i in places]))
    return ChooseMoon(asked.seat, scoring.moon_choices(game.ruleset)[number])


def count(game: Game) -> int:
    """Return how many actions are possible in `game` now, 0 when nothing is asked."""
    asked = game.asked
    if asked is None:
        return 0
    if asked.kind == "play":
        return len(_faces(game))
    if asked.kind == "pass":
        return math.comb(len(game.state.hands[asked.seat]), game.ruleset.pass_count)
    return len(scoring.moon_choices(game.ruleset))


def encode(head: list[Any], steps: Iterable[Step]) -> str:
    """Return the code for `head` (plain values) and the `steps` so far, or "" when it would be too long for an address.

    >>> code = encode(["hearts", 4], [(3, 5), (0, 1), (2, 13)])
    >>> code == encode(["hearts", 4], [(3, 5), (0, 1), (1, 13)])
    False
    """
    steps = list(steps)
    number = 0
    for which, of in reversed(steps):
        number = number * of + which
    text = json.dumps([*head, len(steps)], separators=(",", ":"), ensure_ascii=False).encode()
    body = len(text).to_bytes(3, "big") + text + number.to_bytes((number.bit_length() + 7) // 8, "big")
    data = zlib.crc32(body).to_bytes(4, "big") + zlib.compress(body, 9)
    code = _MARK + base64.urlsafe_b64encode(data).decode().rstrip("=")
    return code if len(code) <= MOST_CODE and len(body) <= _MOST_BYTES and len(steps) <= MOST_ACTIONS else ""


def decode(code: str) -> tuple[list[Any], Steps]:
    """Return the head and the steps that `code` holds. Raises BrokenCode.

    >>> head, steps = decode(encode(["hearts", 4], [(3, 5), (0, 1), (2, 13)]))
    >>> head, [steps.take(5), steps.take(1), steps.take(13)], steps.left
    (['hearts', 4], [3, 0, 2], 0)
    """
    code = code.strip()
    if len(code) > MOST_CODE or not code.startswith(_MARK) or not code.isascii():
        raise broken()
    try:
        data = base64.b64decode(code[1:] + "=" * (-len(code[1:]) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        body = unpacker.decompress(data[4:], _MOST_BYTES)
        size = int.from_bytes(body[:3], "big")
        good = unpacker.eof and not unpacker.unused_data and zlib.crc32(body).to_bytes(4, "big") == data[:4]
        head = json.loads(body[3 : 3 + size]) if good and size <= len(body) else None
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise broken() from None
    if not isinstance(head, list) or not head or type(head[-1]) is not int or not 0 <= head[-1] <= MOST_ACTIONS:
        raise broken()
    return head[:-1], Steps(int.from_bytes(body[3 + size :], "big"), head[-1])


class Steps:
    """The steps of a code, to be taken one by one: how many each was chosen from is known only when the game is there."""

    def __init__(self, number: int, left: int) -> None:
        self._number = number
        self.left = left

    def take(self, of: int) -> int:
        """Return the next step, chosen from `of`. Raises BrokenCode when there is none."""
        if of < 1 or not self.left:
            raise broken()
        self.left -= 1
        self._number, which = divmod(self._number, of)
        return which

    def end(self) -> None:
        """Raise BrokenCode when something is left over."""
        if self.left or self._number:
            raise broken()


def _faces(game: Game) -> list[Card]:
    return list(dict.fromkeys(game.legal_cards()))


def _rank(places: list[int], of: int) -> int:
    """Return the place of this choice of `places` among all of the same length, in the order of `itertools`."""
    number, before = 0, -1
    for i, at in enumerate(places):
        left = len(places) - i - 1
        number += sum(math.comb(of - other - 1, left) for other in range(before + 1, at))
        before = at
    return number


def _unrank(number: int, of: int, length: int) -> Iterator[int]:
    at = 0
    for left in range(length - 1, -1, -1):
        while number >= (below := math.comb(of - at - 1, left)):
            number -= below
            at += 1
        yield at
        at += 1
