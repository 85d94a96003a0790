"""Card faces, drawn for this project: suits are filled shapes, ranks are single strokes.

Every path is relative to its own origin, so that one path serves every size and the half-turned copies. A face is a
list of parts; the browser and `svg.py` draw the same lists with generic code, and neither knows how a card looks.

A part is one of
    ["r", x, y, k, width, colour?]   the rank's strokes (a box 10 x 14) at x, y, times k; k < 0 turns them half round
    ["s", x, y, k, colour?]          the suit's shape (centred, about 18 x 19)
    ["o", x, y, k, width, colour]    the suit's outline
    ["p", path, fill, stroke, width] a path of its own
    ["g", x, y, k, parts]            parts, moved and scaled
    ["f", name]                      what several faces share: the parts under this name of this card or of its rank
where a colour is "" for the suit's own colour, "none", or "#rrggbb".
"""

from __future__ import annotations

from typing import Any

Part = list[Any]

RANKS = "23456789TJQKA"
SUITS = "CDSH"
COLOURS = {"C": "#1d2024", "D": "#c01d2e", "S": "#1d2024", "H": "#c01d2e"}
BOXES = {"full": (60, 84), "small": (60, 84), "tab": (34, 22)}

SUIT_PATHS = {
    "H": "M0-5c-1.8-4.4-9-4.6-9 1 0 5 6.4 7.6 9 13 2.6-5.4 9-8 9-13 0-5.6-7.2-5.4-9-1z",
    "D": "M0-9.6c2 3.4 4.6 6.6 7.4 9.6-2.8 3-5.4 6.2-7.4 9.6-2-3.4-4.6-6.6-7.4-9.6 2.8-3 5.4-6.2 7.4-9.6z",
    "S": "M0-9.6c2.6 5.2 8.8 7.6 8.8 12.2 0 4.4-5.4 5.2-7.6 1.8 .2 2.2 1 3.9 2.6 5.1h-7.6c1.6-1.2 2.4-2.9 2.6-5.1"
    "-2.2 3.4-7.6 2.6-7.6-1.8 0-4.6 6.2-7 8.8-12.2z",
    "C": "M0-9.6c-2.5 0-4.4 1.9-4.4 4.3 0 1.3 .5 2.4 1.4 3.2-.5-.15-1-.2-1.5-.2-2.5 0-4.5 1.9-4.5 4.4s2 4.4 4.5 4.4"
    "c1.4 0 2.6-.6 3.4-1.5-.2 1.8-1 3.4-2.5 4.5h7.2c-1.5-1.1-2.3-2.7-2.5-4.5 .8 .9 2 1.5 3.4 1.5 2.5 0 4.5-1.9 4.5-4.4"
    "s-2-4.4-4.5-4.4c-.5 0-1 .05-1.5 .2 .9-.8 1.4-1.9 1.4-3.2 0-2.4-1.9-4.3-4.4-4.3z",
}
RANK_PATHS = {
    "2": "M.9 3.8c0-2.2 1.8-3.8 4.2-3.8s4.1 1.5 4.1 3.8c0 2.2-1.4 3.5-3.4 5.2l-5.2 5h8.8",
    "3": "M1 2.4c.7-1.5 2.1-2.4 3.9-2.4 2.4 0 4 1.4 4 3.4s-1.6 3.4-3.9 3.4c2.6 0 4.4 1.4 4.4 3.6s-1.8 3.6-4.5 3.6"
    "c-2.1 0-3.7-1-4.4-2.7",
    "4": "M7 14v-14l-6.7 9.8h9.5",
    "5": "M8.7 0h-6.6l-.8 6.2c.9-.7 2.1-1.1 3.5-1.1 2.8 0 4.7 1.8 4.7 4.4s-2 4.5-4.8 4.5c-2 0-3.5-.8-4.2-2.4",
    "6": "M8 .2c-4.6 1.2-7.2 4.8-7.2 9 0 2.9 1.7 4.8 4.3 4.8s4.3-1.8 4.3-4.4-1.7-4.3-4.2-4.3c-2.3 0-4 1.4-4.4 3.6",
    "7": "M.8 0h8.7c-3 4-4.8 8.6-5.2 14",
    "8": "M5 6.6c-2.3 0-3.8-1.3-3.8-3.3s1.6-3.3 3.8-3.3 3.8 1.3 3.8 3.3-1.5 3.3-3.8 3.3c-2.6 0-4.4 1.4-4.4 3.7"
    "s1.8 3.7 4.4 3.7 4.4-1.4 4.4-3.7-1.8-3.7-4.4-3.7z",
    "9": "M2 13.8c4.6-1.2 7.2-4.8 7.2-9 0-2.9-1.7-4.8-4.3-4.8s-4.3 1.8-4.3 4.4 1.7 4.3 4.2 4.3c2.3 0 4-1.4 4.4-3.6",
    "T": "M-1.4 2.4l2.6-2.2v13.8M8 0c-2.4 0-3.7 2.4-3.7 7s1.3 7 3.7 7 3.7-2.4 3.7-7-1.3-7-3.7-7z",
    "J": "M4.4 0h4.6v9.8c0 2.7-1.5 4.2-3.9 4.2-2.3 0-3.8-1.4-3.9-3.8",
    "Q": "M5 0c-2.9 0-4.7 2.6-4.7 7s1.8 7 4.7 7 4.7-2.6 4.7-7-1.8-7-4.7-7zM5.4 9.8l4.4 5",
    "K": "M1 0v14M9.2 0l-8.2 8.8M4.3 5.3l5.4 8.7",
    "A": "M0 14l5-14 5 14M1.7 9.4h6.6",
}

_GOLD, _DARK, _CREAM, _WHITE = "#d3a94c", "#23262b", "#fbf6e9", "#ffffff"


def _pearl(x: float, y: float) -> str:
    return f"M{x - 1.3:g} {y:g}a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0"


# A crown with a cross, a coronet with pearls, a plumed hat.
_HEADS = {
    "K": "M21.5 25l-1.6-8.5 5.6 3.8 4.5-6.3 4.5 6.3 5.6-3.8-1.6 8.5zM30 14v-4.6M28.1 11h3.8M21.5 27.3h17",
    "Q": "M22 25c-.3-3-1-5.5-2.2-7.5l5.2 2.7 2-5 3 4.3 3-4.3 2 5 5.2-2.7c-1.2 2-1.9 4.5-2.2 7.5zM22 27.3h16"
    + _pearl(19.8, 16)
    + _pearl(27, 13.7)
    + _pearl(33, 13.7)
    + _pearl(40.2, 16),
    "J": "M23.5 23.5c0-5.5 2.6-8 6.5-8s6.5 2.5 6.5 8zM19.5 26.5c3.5-4 17.5-4 21 0-3 1-18 1-21 0z"
    "M35.5 20c-.8-5 1.7-9.3 6-9.5.6 4.5-1.7 8.5-6 9.5z",
}

_QUADS = [(0, 0), (2, 0), (0, 6), (2, 6)]
_PIPS: dict[str, list[tuple[int, float]]] = {  # column 0..2, row 0..6
    "2": [(1, 0), (1, 6)],
    "3": [(1, 0), (1, 3), (1, 6)],
    "4": [*_QUADS],
    "5": [*_QUADS, (1, 3)],
    "6": [*_QUADS, (0, 3), (2, 3)],
    "7": [*_QUADS, (0, 3), (2, 3), (1, 1.5)],
    "8": [*_QUADS, (0, 3), (2, 3), (1, 1.5), (1, 4.5)],
    "9": [*_QUADS, (0, 2), (2, 2), (0, 4), (2, 4), (1, 3)],
    "T": [*_QUADS, (0, 2), (2, 2), (0, 4), (2, 4), (1, 1), (1, 5)],
}


def _court(rank: str, maria: bool) -> list[Part]:
    """A crown, an inlined letter and a pip in a double frame; the Black Maria is the one dark panel of the pack."""
    ink, paper, thin = (_WHITE, _DARK, "#c9a24a") if maria else ("", _CREAM, "")
    return [
        [
            "p",
            "M19.3 7h21.4a2.5 2.5 0 0 1 2.5 2.5v65a2.5 2.5 0 0 1-2.5 2.5h-21.4a2.5 2.5 0 0 1-2.5-2.5v-65"
            "a2.5 2.5 0 0 1 2.5-2.5z",
            paper,
            "",
            1.1,
        ],
        ["p", "M18.6 8.8h22.8v66.4h-22.8z", "none", thin, 0.45],
        ["p", _HEADS[rank], _GOLD, ink, 0.9],
        ["r", 21.3, 32.5, 1.74, 5, ink],
        ["r", 21.3, 32.5, 1.74, 0.9, paper],
        ["s", 30, 66.8, 0.66, ink],
    ]


def _full(rank: str) -> list[Part]:
    ten = rank == "T"
    k, x = (0.84, 5.2) if ten else (1, 4.4)
    out: list[Part] = [["r", x, 5.6, k, 2.2], ["r", 60 - x, 78.4, -k, 2.2], ["f", "corner"]]
    if rank == "A":
        return [*out, ["s", 30, 42, 1.65], ["o", 30, 42, 1.2, 0.9, _WHITE]]
    if rank in "JQK":
        return [*out, ["f", "court"]]
    return out + [["s", 22 + 8 * c, round(15.5 + y * 53 / 6, 1), -0.5 if y > 3 else 0.5] for c, y in _PIPS[rank]]


def _small(rank: str) -> list[Part]:
    ten = rank == "T"
    out: list[Part] = [["r", 7 if ten else 5.5, 7, 1.35 if ten else 1.5, 3], ["s", 33.5, 16.5, 0.8]]
    if rank in "JQK":
        return [*out, ["g", 12, 18.9, 0.8, [["f", "court"]]]]
    return [*out, ["s", 35, 55, 2.2 if rank == "A" else 1.9]]


def _tab(rank: str) -> list[Part]:
    ten = rank == "T"
    return [["r", 4.3 if ten else 4.7, 4.6 if ten else 4, 0.92 if ten else 1, 2.3], ["s", 25.3, 11, 0.7]]


def faces() -> dict[str, Any]:
    """The face data for the browser: suit and rank paths, and the parts of every rank in every form.

    Returns `{"suits": {suit: path}, "ranks": {rank: path}, "shared": {name: {rank or card or "": parts}}, "forms":
    {form: {"box": [w, h], rank: parts}}}`; a card's own entry ("QS") goes before its rank's ("Q"), and that before the
    one of all (""). No errors. Plain JSON, about 7 KB.

    >>> sorted(faces()["forms"]), faces()["forms"]["tab"]["box"]
    (['full', 'small', 'tab'], [34, 22])
    """
    forms: dict[str, dict[str, Any]] = {form: {"box": list(box)} for form, box in BOXES.items()}
    for rank in RANKS:
        forms["full"][rank], forms["small"][rank], forms["tab"][rank] = _full(rank), _small(rank), _tab(rank)
    shared = {
        "corner": {"": [["s", 9.4, 28.2, 0.5], ["s", 50.6, 55.8, -0.5]]},
        "court": {rank: _court(rank, False) for rank in "JQK"} | {"QS": _court("Q", True)},
    }
    return {"suits": dict(SUIT_PATHS), "ranks": dict(RANK_PATHS), "shared": shared, "forms": forms}


_DATA = faces()
_ENDS = 'stroke-linecap="round" stroke-linejoin="round"'


def _number(value: float) -> str:
    return f"{round(value, 2):g}"


def _markup(parts: list[Part], card: str, shared: bool) -> str:
    own = "currentColor"
    out = []
    for what, *rest in parts:
        if what == "f":
            some = _DATA["shared"][rest[0]]
            out.append(_markup(some.get(card) or some.get(card[0]) or some[""], card, shared))
            continue
        if what == "p":
            path, fill, stroke, width = rest
            out.append(f'<path d="{path}" fill="{fill or own}" stroke="{stroke or own}" stroke-width="{width}"/>')
            continue
        x, y, k, *style = rest
        move = f'transform="translate({_number(x)} {_number(y)})' + ('"' if k == 1 else f' scale({_number(k)})"')
        if shared and k == 1:
            move = f'x="{_number(x)}" y="{_number(y)}"'
        if what == "g":
            out.append(f"<g {move}>{_markup(style[0], card, shared)}</g>")
            continue
        name = card[0] if what == "r" else card[1]
        width = "" if what == "s" else f' stroke-width="{_number(style[0] / abs(k))}"'
        colour = (style[0] if what == "s" else style[1] if len(style) > 1 else "") if style else ""
        if shared and what != "o":
            paint = f' color="{colour}"' if colour else ""
            out.append(f'<use href="#{name}" {move}{width}{paint}/>')
            continue
        path = RANK_PATHS[name] if what == "r" else SUIT_PATHS[name]
        paint = f'fill="{colour or own}"' if what == "s" else f'fill="none" stroke="{colour or own}"'
        out.append(f'<path d="{path}" {move} {paint}{width}/>')
    return "".join(out)


def face_svg(card: str, form: str = "full", *, shared: bool = False) -> str:
    """One face as an SVG group, in the units of its form's box (`BOXES`); the card's white ground is not part of it.

    card: a rank of "23456789TJQKA" and a suit of "CDSH", as "QS"; form: "full", "small" or "tab". With `shared` the
    rank and the suit are `<use>` of elements with the ids "Q" and "S" (see `shared_svg`), and the group is left to the
    caller, who sets `color`; this keeps a drawing of many cards small. Raises KeyError for an unknown card or form.

    >>> face_svg("4H", "tab").count("<path")
    2
    """
    markup = _markup(_DATA["forms"][form][card[0]], card, shared)
    return markup if shared else f'<g color="{COLOURS[card[1]]}" {_ENDS}>{markup}</g>'


def shared_svg(cards: list[str]) -> str:
    """The `<path>` elements, one for each rank and each suit of `cards`, that `face_svg(..., shared=True)` refers to.

    cards: cards as "QS", in any order, copies allowed. Raises KeyError for an unknown card.

    >>> shared_svg(["QS", "QS"]).count("<path")
    2
    """
    ranks, suits = sorted({card[0] for card in cards}), sorted({card[1] for card in cards})
    strokes = "".join(f'<path id="{name}" d="{RANK_PATHS[name]}"/>' for name in ranks)
    shapes = "".join(f'<path id="{name}" d="{SUIT_PATHS[name]}"/>' for name in suits)
    return strokes.replace("/>", ' fill="none" stroke="currentColor"/>') + shapes.replace(
        "/>", ' fill="currentColor"/>'
    )
