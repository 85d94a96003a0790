"""The passing wheel: who passes to whom, hand by hand, to be turned in the browser; every place is worked out here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import traitlets

from ..i18n import Words, chosen
from ..messages import N_, NN_
from ..names import NAMES
from ..rules import passing
from ..ruleset import GAME_NAMES, Ruleset, ruleset
from .assets import joined, packed
from .labels import FAILED
from .still import Still

HANDS = 8
"""How many hands the wheel shows: twice through the longest cycle."""
_SIZE, _RING, _CHIP = 400, 150, (76, 30)

_WAYS = {
    "left": NN_("Hand %(hand)d: everybody passes %(count)d card to the left, on to the next player clockwise.", "Hand %(hand)d: everybody passes %(count)d cards to the left, on to the next player clockwise."),
    "right": NN_("Hand %(hand)d: everybody passes %(count)d card to the right, back against the clock.", "Hand %(hand)d: everybody passes %(count)d cards to the right, back against the clock."),
    "across": NN_("Hand %(hand)d: everybody passes %(count)d card across the table.", "Hand %(hand)d: everybody passes %(count)d cards across the table."),
}  # fmt: skip
_NONE = N_("Hand %(hand)d: nobody passes; everybody keeps what was dealt.")
_GIVES = N_("%(name)s passes to %(to)s.")
_TITLE = N_("%(game)s: who passes to whom")
WHEEL_LABELS: dict[str, str] = {
    "hand": N_("Hand"),
    "hand_n": N_("Hand %(n)s"),
    "back": N_("Hand before"),
    "next": N_("Next hand"),
    "list": N_("Who passes to whom"),
    "failed": FAILED,
}


class PassingWheel(Still):
    """A wheel of players, and the way of the cards in each hand. Made by `passing_wheel`.

    Traits: `seats` (name and place of each chip), `hands` (by hand: the sentence, the arrows, a sentence for each
    player), `hand` (the one shown, from 0; kept in step both ways), `box` (the size of the drawing), `words`.
    """

    _module = joined("js", "dom", "wheel")
    _esm = packed(_module)
    _css = joined("css", "wheel")

    seats: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    hands: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    box: traitlets.List[int] = traitlets.List().tag(sync=True)
    hand = traitlets.Int(0).tag(sync=True, echo_update=False)
    title = traitlets.Unicode("").tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __repr__(self) -> str:
        return "\n".join([self.title, *[one["text"] for one in self.hands]])

    def _html(self) -> str:
        """A sentence for each hand."""
        items = "".join(f"<li>{escape(one['text'])}</li>" for one in self.hands)
        return (
            f'<div lang="{escape(self.words["lang"])}" dir="{escape(self.words["dir"])}">'
            f"<p><strong>{escape(self.title)}</strong></p><ul>{items}</ul></div>"
        )


def passing_wheel(
    seats: int = 8, game: str = "cancellation", language: str | None = None, **options: Any
) -> PassingWheel:
    """Return a wheel that shows who passes to whom in the first hands of a match, to be turned hand by hand.

    seats, game, options: as `ruleset` takes them (pass.count, pass.direction, pass.none). `language` None is the one
    chosen for the whole dashboard (`i18n.chosen`). Raises RulesetError and UnknownLanguage.

    >>> print(repr(passing_wheel(4, "hearts")).splitlines()[4])
    Hand 4: nobody passes; everybody keeps what was dealt.
    """
    rules = ruleset(game, seats, **options)
    w, notice = chosen(language)
    names = NAMES[: rules.seats]
    places = _places(rules.seats)
    return PassingWheel(
        title=w.text(_TITLE, game=w.text(GAME_NAMES[rules.name])),
        seats=[{"name": name, "at": [round(x, 1), round(y, 1)], "chip": list(_CHIP)} for name, (x, y) in zip(names, places, strict=True)],
        hands=[_hand(rules, number, names, places, w) for number in range(1, HANDS + 1)],
        box=[_SIZE, _SIZE],
        words={
            "lang": w.language.replace("_", "-"),
            "dir": w.direction,
            "labels": {key: w.plain(text) for key, text in WHEEL_LABELS.items()},
            "notice": notice,
        },
    )  # fmt: skip


def _places(seats: int) -> list[tuple[float, float]]:
    """The middle of each chip, clockwise, seat 0 at the bottom; in units of the drawing, y downwards."""
    middle = _SIZE / 2
    turns = [math.pi / 2 + 2 * math.pi * seat / seats for seat in range(seats)]
    return [(middle + _RING * math.cos(turn), middle + _RING * math.sin(turn)) for turn in turns]


def _hand(
    rules: Ruleset, number: int, names: Sequence[str], places: Sequence[tuple[float, float]], w: Words
) -> dict[str, Any]:
    way = str(passing.direction(rules, number))
    found: dict[str, Any] = {"way": way, "arrows": [], "list": []}
    found["text"] = w.text(_NONE, hand=number) if way == "none" else w.count(_WAYS[way], rules.pass_count, hand=number)
    for seat, name in enumerate(names):
        to = passing.receiver(rules, number, seat)
        if to is not None:
            found["list"].append(w.text(_GIVES, name=name, to=names[to]))
            found["arrows"].append(_arrow(places[seat], places[to], way))
    return found


def _arrow(start: tuple[float, float], end: tuple[float, float], way: str) -> dict[str, Any]:
    """A curve from chip to chip, and its head: "line" is a path, "head" another. To a neighbour it bows outwards or inwards."""
    middle = _SIZE / 2
    # the bow keeps two ways apart that lead between the same chips
    bow = {"left": 0.86, "right": 0.62, "across": 0.3}[way]
    mx, my = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if way == "across":
        # aside of the middle, so that the two arrows of one pair of players do not lie on each other
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = math.hypot(dx, dy)
        cx, cy = mx - dy / length * 34, my + dx / length * 34
    else:
        far = math.hypot(mx - middle, my - middle) or 1
        reach = far * bow if way == "right" else far * (1 + (1 - bow))
        cx, cy = middle + (mx - middle) / far * reach, middle + (my - middle) / far * reach
    a, b = _edge(start, (cx, cy)), _edge(end, (cx, cy))
    turn = math.atan2(b[1] - cy, b[0] - cx)
    head = [(b[0] - 9 * math.cos(turn + side), b[1] - 9 * math.sin(turn + side)) for side in (0.5, -0.5)]
    return {
        "line": f"M{a[0]:.1f} {a[1]:.1f}Q{cx:.1f} {cy:.1f} {b[0]:.1f} {b[1]:.1f}",
        "head": f"M{head[0][0]:.1f} {head[0][1]:.1f}L{b[0]:.1f} {b[1]:.1f}L{head[1][0]:.1f} {head[1][1]:.1f}",
    }


def _edge(chip: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """Where the line from the middle of a chip leaves it, a little outside."""
    dx, dy = towards[0] - chip[0], towards[1] - chip[1]
    w, h = _CHIP[0] / 2 + 5, _CHIP[1] / 2 + 5
    scale = min(w / abs(dx) if dx else math.inf, h / abs(dy) if dy else math.inf)
    return chip[0] + dx * scale, chip[1] + dy * scale
