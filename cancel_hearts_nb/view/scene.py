"""Folding frames: what lies where at one step. The same few lines stand in `static/table.js` for the browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Scene:
    """One step of a replay: `cards` is key -> (card, zone, seat, slot, mark), `status` as in the frames."""

    cards: dict[str, tuple[str, str, int, int, str]] = field(default_factory=dict)
    status: dict[str, Any] = field(default_factory=dict)
    counts: dict[int, list[int]] = field(default_factory=dict)

    def zone(self, zone: str, seat: int | None = None) -> list[tuple[str, str, str, int, int]]:
        """The cards of a zone (of a seat, if given) as (key, card, mark, seat, slot), in the order of their slots.

        zone: one letter as in the frames; seat: from 0. An empty zone gives []. No errors.

        >>> Scene({"k1": ("QS", "t", 2, 1, ""), "k0": ("9S", "t", 1, 0, "led")}).zone("t")[0]
        ('k0', '9S', 'led', 1, 0)
        """
        found = [
            (key, card, mark, who, slot)
            for key, (card, where, who, slot, mark) in self.cards.items()
            if where == zone and (seat is None or who == seat)
        ]
        return sorted(found, key=lambda item: (item[4], item[0]))


def fold(frames: Sequence[Mapping[str, Any]], step: int) -> Scene:
    """The scene after frames 0 to `step`: later placements and status entries replace earlier ones.

    frames: language-free frames with "d" (placements) and "s" (status); step: from 0, cut to the last frame. Seats
    that are keys of "n" may be whole numbers or, as in JSON, texts. Raises IndexError when there is no frame.

    >>> fold([{"d": [["k0", "QS", "h", 1, 0, ""]], "s": {"turn": 1, "n": {"1": [1, 0, 0, 0]}}}], 0).counts
    {1: [1, 0, 0, 0]}
    """
    if not frames:
        raise IndexError("no frame")
    scene = Scene()
    for scene in fold_all(frames[: max(0, step) + 1]):  # noqa: B007
        pass
    return scene


def fold_all(frames: Iterable[Mapping[str, Any]]) -> Iterator[Scene]:
    """One scene after another: the same object each time, changed by the next frame, so copy what you keep.

    >>> [len(scene.cards) for scene in fold_all([{"d": [["k0", "", "h", 0, 0, ""]]}, {"d": [["k1", "", "h", 0, 1, ""]]}])]
    [1, 2]
    """
    scene = Scene()
    for frame in frames:
        for key, card, zone, seat, slot, mark in frame.get("d", ()):
            scene.cards[key] = (card, zone, seat, slot, mark)
        for name, value in frame.get("s", {}).items():
            if name == "n":
                scene.counts.update({int(seat): list(counts) for seat, counts in value.items()})
            else:
                scene.status[name] = value
        yield scene


def best(replay: Mapping[str, Any], scene: Scene, step: int) -> int:
    """Who would take the unfinished trick if no card were to follow: a seat, -1 for nobody, -2 for no such trick.

    Also -2 while the replay has yet to ask who takes this trick, since it may be the answer. No errors.

    >>> best({}, Scene(status={"best": 3}), 0)
    3
    >>> best({"asks": [{"step": 0, "what": "winner"}], "frames": [{}]}, Scene(status={"best": 3}), 0)
    -2
    """
    for one in replay.get("asks") or ():
        if one["what"] == "winner" and one["step"] >= step:
            if fold(replay["frames"], one["step"]).status.get("trick") == scene.status.get("trick"):
                return -2
    found: int = scene.status.get("best", -2)
    return found


def turn_key(scene: Scene) -> str:
    """The key of the label that says what the seat whose turn it is has to do. No errors.

    >>> turn_key(Scene(status={"ask": "pass"})), turn_key(Scene(status={"ask": "play"}))
    ('to_pass', 'to_lead')
    """
    asked = {"pass": "to_pass", "moon": "to_choose"}.get(scene.status.get("ask", ""))
    return asked or ("to_play" if scene.zone("t") else "to_lead")


def pairs(scene: Scene) -> list[tuple[int, int]]:
    """The two seats of every cancelled pair in the trick, smaller seat first, in the order of the pairs' numbers.

    A pair of which only one card lies in the trick is left out. No errors.

    >>> pairs(Scene({"a": ("9S", "t", 5, 0, "led x1"), "b": ("9S", "t", 2, 3, "x1")}))
    [(2, 5)]
    """
    found: dict[str, list[int]] = {}
    for _key, _card, mark, seat, _slot in scene.zone("t"):
        for word in mark.split():
            if word[0] == "x":
                found.setdefault(word, []).append(seat)
    return [(min(seats), max(seats)) for _, seats in sorted(found.items()) if len(seats) == 2]


def longest_hand(frames: Iterable[Mapping[str, Any]], seat: int | None = None) -> int:
    """The most cards that one seat (or `seat` alone) ever holds in these frames: 0 to 17 in a game.

    >>> longest_hand([{"d": [["k0", "QS", "h", 1, 0, ""], ["k1", "", "h", 1, 1, ""]]}])
    2
    """
    return max(
        (
            place[4] + 1
            for frame in frames
            for place in frame.get("d", ())
            if place[2] == "h" and (seat is None or place[3] == seat)
        ),
        default=0,
    )
