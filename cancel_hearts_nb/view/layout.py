"""Where everything is: pure geometry, without page, words or rules.

All numbers are in units of a thousandth of the drawing's width, so that the browser only multiplies; x runs right and y
down, never mirrored. A layout holds three sizes, chosen by the widget's own width: "s" below 600 px, "m" below 880 px,
"l" from there. Each was drawn at one width (its `design`, in px) and scales from there; "max" is the width in px beyond
which it grows no more. Heights depend on the seats, the size and the longest hand, never on the step.

In l and m the seats stand on an ellipse, the trick lies on an inner ellipse before them. In s a ring of chips
surrounds the trick, which is a list in order of play. The hands (one big hand, or all hands as rows of small cards) are
a block of their own whose y begins at 0, since the page puts it below the table or below the sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from .faces import BOXES
from .scene import longest_hand

SIZES = {"s": (0, 340, 480), "m": (600, 680, 880), "l": (880, 1000, 1120)}
"""For each size: from which width in px it is used, the width it was drawn for, the width where it stops growing."""

Point = tuple[float, float]
Spec = dict[str, Any]

MOST_SEATS, FEWEST_SEATS, MOST_CARDS = 11, 3, 20

# Chips at the bottom, on each side and at the top of the narrow ring.
_RING = {
    3: (1, 1, 0),
    4: (1, 1, 1),
    5: (1, 1, 2),
    6: (1, 1, 3),
    7: (3, 1, 2),
    8: (3, 1, 3),
    9: (3, 2, 2),
    10: (3, 2, 3),
    11: (3, 2, 4),
}
_FAN = [[(k * 7 % 5 - 2), -0.9 * k, k * 37 % 9 - 4] for k in range(14)]


def size_for(width: float) -> str:
    """The size used at a width in px: "s", "m" or "l". No errors.

    >>> [size_for(width) for width in (360, 600, 879.9, 880)]
    ['s', 'm', 'm', 'l']
    """
    return "s" if width < SIZES["m"][0] else "m" if width < SIZES["l"][0] else "l"


def layout(seats: int, longest: int, viewer: int | None = None) -> Spec:
    """The layout of a table in three sizes.

    seats: 3 to 11; longest: the most cards that a seat holds in this replay, 0 to 20; viewer: the seat drawn at the
    bottom whose hand is shown big, or None: seat 0 at the bottom and all hands as rows of small cards. Returns plain
    JSON: `{"seats", "viewer", "sizes": {"s": size, "m": size, "l": size}}`, where a size holds

    h, max       height of the table; greatest width in px
    font         px at which text drawn for one unit is at its best, times 1000
    chip, seats  [w, h]; centre of every seat's chip, by seat
    felt, way    {"ellipse": [x, y, rx, ry]} or {"rect": [x, y, w, h, radius]}; arrows [x, y, degrees]
    trick        form, w, h and centres: "at" by seat, or in s "rows" by order of play, "row" (a row's height),
                 "names" [x, w], "lane" and "lanes" (where brackets join pairs: the first x, the step inwards)
    pass         form, w, h, dy and centres "at" by seat, of the cards lying before their new owner (three, else closer)
    pile         x, y, w, h, "text" [x, y], "fan": [dx, dy, degrees] of the first cards, the last for all above
    hands        h, form, "card" [w, h], step, gap, dy, "per": cards in a row by hand size, "mid", "at": the first
                 card of every seat's first row (or the middle of the row, if mid); if all hands are shown also
                 "names": [dx, w] from there and "row": the height of a seat

    Raises ValueError outside the ranges.

    >>> table = layout(8, 13)
    >>> len(table["sizes"]["l"]["seats"]), table["sizes"]["s"]["trick"]["form"]
    (8, 'tab')
    """
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise ValueError(f"seats: {seats} is not {FEWEST_SEATS} to {MOST_SEATS}")
    if not 0 <= longest <= MOST_CARDS:
        raise ValueError(f"longest: {longest} is not 0 to {MOST_CARDS}")
    if viewer is not None and not 0 <= viewer < seats:
        raise ValueError(f"viewer: {viewer} is not a seat of {seats}")
    sizes = {}
    for size, (_from, design, most) in SIZES.items():
        spec = _ring(seats, design) if size == "s" else _ellipse(seats, size, design)
        hands = _open_hands(seats, longest, size, design) if viewer is None else _one_hand(longest, size, design)
        turn = viewer or 0
        for place in (spec, spec["trick"], spec["pass"]):
            for name in ("seats", "at"):
                if name in place:
                    place[name] = [place[name][(seat - turn) % seats] for seat in range(seats)]
        spec["hands"] = hands
        sizes[size] = {**_units(spec, design), "max": most, "font": round(1000 / design, 3)}
    return {"seats": seats, "viewer": viewer, "sizes": sizes}


_NO_LENGTH = {"form", "per", "mid"}


def _units(value: Any, design: int, name: str = "") -> Any:
    """Px at the width it was drawn for, turned into thousandths of the width; angles stay."""
    if name in _NO_LENGTH or isinstance(value, str):
        return value
    if isinstance(value, dict):
        return {key: _units(item, design, key) for key, item in value.items()}
    if name in ("way", "fan"):
        return [[*(_round(n * 1000 / design) for n in item[:2]), round(item[2], 1)] for item in value]
    if isinstance(value, (list, tuple)):
        return [_units(item, design) for item in value]
    return _round(value * 1000 / design)


def _round(value: float) -> float:
    short = round(value, 1)
    return int(short) if short == int(short) else short


def _few(seats: int, upto4: float, upto8: float, more: float) -> float:
    return upto4 if seats <= 4 else upto8 if seats <= 8 else more


def _ring(n: int, width: int) -> Spec:
    bottom, side, top = _RING[n]
    w, h = 77, 38
    row = _few(n, 28, 23 if n < 8 else 24, 22)
    head = h + 15 if top else 8
    rows = max(n * row, side * (h + 14))
    foot = 32
    low = head + rows + foot

    def spread(k: int, of: int, y: float) -> Point:
        x = width / 2 if of == 1 else width * (0.36 + 0.28 * k) if of == 2 else w / 2 + (width - w) * k / (of - 1)
        return x, y

    def side_y(k: int) -> float:
        return head + (rows + foot - 12) * (k + 0.5) / side

    tab_w, tab_h = (36, 21) if row < 26 else (40, 24)
    left, inner = w + 6, width - 2 * (w + 6)
    half = (bottom - 1) // 2
    seats = [(width / 2, low + h / 2)]
    seats += [spread(half - 1 - i, bottom, low + h / 2) for i in range(half)]
    seats += [(w / 2, side_y(i)) for i in reversed(range(side))]
    seats += [spread(i, top, h / 2) for i in range(top)]
    seats += [(width - w / 2, side_y(i)) for i in range(side)]
    seats += [spread(bottom - 1 - i, bottom, low + h / 2) for i in range(half)]

    first = head + (rows - n * row) / 2
    centres = [(left + tab_w / 2, first + row * (slot + 0.5)) for slot in range(n)]
    mid = (width / 2, head + rows / 2)
    before = []
    for x, y in seats:  # the way inwards from a chip: up or down unless it stands at the side
        if y < h or y > low:
            over = y > low and left < x < width - left  # the pile lies above the middle one
            far = h / 2 + 27 + (foot if over else 0)
            before.append((min(max(x, 52), width - 52), y + math.copysign(far, mid[1] - y)))
        else:
            before.append((x + math.copysign(w / 2 + 15, mid[0] - x), y))
    felt_top = h / 2 if top else 6
    return {
        "h": low + h + 12,
        "chip": [w, h],
        "seats": seats,
        "felt": {"rect": [w / 2, felt_top, width - w, low + h / 2 - felt_top, 22]},
        "way": [[w / 2, low - 10, -90], [width - w / 2, low - 10, 90]] if side else [],
        "trick": {
            "form": "tab",
            "w": tab_w,
            "h": tab_h,
            "rows": centres,
            "row": row,
            "names": [left + tab_w + 6, inner - tab_w - 6],
            "lane": left + inner,
            "lanes": 5,
        },
        "pass": {"form": "tab", "w": 28, "h": 18, "dy": 16, "at": before},
        "pile": {
            "x": left + 16,
            "y": head + rows + foot / 2 + 1,
            "w": 17,
            "h": 24,
            "text": [left + 34, head + rows + foot / 2],
            "fan": [[a * 0.4, b * 0.3, c] for a, b, c in _FAN],
        },
    }


def _ellipse(n: int, size: str, width: int) -> Spec:
    large = size == "l"
    w, h = (128, 46) if large else (122, 46)
    ry = _few(n, 168, 172, 182) if large else _few(n, 166, 192, 218)
    rx = min(width / 2 - w / 2 - 4, _few(n, 350, 470, 500) if large else _few(n, 270, 400, 400))
    tw = _few(n, 58, 55, 50) if large else _few(n, 58, 52, 48)
    th = tw * 1.4
    ix, iy = rx - w / 2 - 18 - tw / 2, ry - h / 2 - 18 - th / 2
    cx, cy = width / 2, ry + h / 2 + 3

    count = 720  # equal arc length, clockwise from the bottom
    lengths, angles = [0.0], [math.pi / 2]
    px, py = 0.0, float(ry)
    for k in range(1, count + 1):
        t = math.pi / 2 + k * 2 * math.pi / count
        x, y = rx * math.cos(t), ry * math.sin(t)
        lengths.append(lengths[-1] + math.hypot(x - px, y - py))
        angles.append(t)
        px, py = x, y

    def angle(share: float) -> float:
        goal = share * lengths[-1]
        k = next(k for k in range(1, count + 1) if lengths[k] >= goal - 1e-9) if share else 1
        part = (lengths[k] - goal) / (lengths[k] - lengths[k - 1])
        return angles[k] - part * (angles[k] - angles[k - 1])

    turns = [angle(seat / n) for seat in range(n)]
    seats = [(cx + rx * math.cos(t), cy + ry * math.sin(t)) for t in turns]
    spots = []
    for t, seat in zip(turns, seats, strict=True):
        f = 1.0  # slide inwards until the card is free of its chip
        while True:
            x, y = cx + ix * f * math.cos(t), cy + iy * f * math.sin(t)
            if f < 0.5 or abs(x - seat[0]) >= (w + tw) / 2 + 16 or abs(y - seat[1]) >= (h + th) / 2 + 16:
                break
            f -= 0.01
        spots.append((x, y))

    between = [angle((seat + 0.5) / n) for seat in range(n)]
    bx, by = rx - w * 0.18, ry - 2  # the felt ends within the ring of chips
    way = []
    for t in between:
        t = math.atan2(math.sin(t) * rx / bx, math.cos(t))
        slope = math.degrees(math.atan2(by * math.cos(t), -bx * math.sin(t)))
        x, y = cx + (bx - 2.5) * math.cos(t), cy + (by - 2.5) * math.sin(t)
        if all(abs(x - a) > w / 2 + 7 or abs(y - b) > h / 2 + 7 for a, b in seats):
            way.append([x, y, slope])
    pw = tw * 0.8
    return {
        "h": 2 * ry + h + 16,
        "chip": [w, h],
        "seats": seats,
        "felt": {"ellipse": [cx, cy, bx, by]},
        "way": way,
        "trick": {"form": "full", "w": tw, "h": th, "at": spots},
        "pass": {"form": "tab", "w": tw * 0.64, "h": tw * 0.42, "dy": tw * 0.43, "at": spots},
        "pile": {
            "x": cx - 46,
            "y": cy,
            "w": pw,
            "h": pw * 1.4,
            "text": [cx - 46 + pw / 2 + 12, cy],
            "fan": [[a * 0.7, b * 0.7, c] for a, b, c in _FAN],
        },
    }


def _one_hand(longest: int, size: str, width: int) -> Spec:
    """The viewer's hand, big and centred; in s in rows of at most 11, which overlap."""
    w = {"s": 44, "m": 56, "l": 60}[size]
    h = w * 1.4
    rows = math.ceil(longest / 11) if size == "s" else 1
    most = max(1, math.ceil(longest / max(1, rows)))
    gap = {"s": 0, "m": 6, "l": 10}[size]
    per = [math.ceil(m / math.ceil(m / most)) if m else 1 for m in range(longest + 1)]
    step = min(w + 6, (width - w - 3 * gap - 4) / max(1, max(per) - 1))
    dy = 46
    return {
        "h": h * bool(longest) + max(0, rows - 1) * dy + 20,
        "form": "small" if size == "s" else "full",
        "card": [w, h],
        "step": step,
        "gap": gap,
        "dy": dy,
        "per": per,
        "mid": 1,
        "at": [[width / 2, 10 + h / 2]],
    }


def _open_hands(n: int, longest: int, size: str, width: int) -> Spec:
    """Every seat's hand as rows of small cards, the name first, in as many columns as stay legible."""
    box_w, box_h = BOXES["tab"]
    name, gap, least, gutter = {"s": (62, 3, 28.5, 14), "m": (70, 4, 26.4, 20), "l": (90, 6, 27.5, 36)}[size]
    choices = [(2, 1), (1, 1), (1, 2)] if size == "s" else [(3, 1), (2, 1), (1, 1), (1, 2)]
    for columns, lines in choices:
        per = max(1, math.ceil(longest / lines))
        column = (width - gutter * (columns - 1)) / columns
        most = 31 if size == "s" else box_w + 2
        if columns == lines == 1 and size == "l":
            most = 50  # one wide column: the cards grow rather than leave half of it empty
        step = min(most, (column - name - 3 * gap - 2) / per)
        if step >= least:
            break
    w = step - 2
    h = max(w * box_h / box_w, 19)
    dy, between = h + 2, 5 if lines == 1 else 7
    each = lines * dy + between
    down = math.ceil(n / columns)
    at = [
        [(seat // down) * (column + gutter) + name + w / 2, 8 + (seat % down) * each + h / 2 + 2] for seat in range(n)
    ]
    return {
        "h": 8 + down * each + 4,
        "form": "tab",
        "card": [w, h],
        "step": step,
        "gap": gap,
        "dy": dy,
        "per": [per] * (longest + 1),
        "mid": 0,
        "at": at,
        "names": [-name - w / 2, name - 8],
        "row": each,
    }


def longest_hand_of(replay: Mapping[str, Any]) -> int:
    """The most cards that a seat ever holds in a replay; with one hand shown big only that seat's count.

    >>> longest_hand_of({"viewer": None, "frames": [{"d": [["k0", "QS", "h", 1, 0, ""], ["k1", "", "h", 1, 1, ""]]}]})
    2
    """
    return longest_hand(replay["frames"], replay["viewer"])


def places(hands: Spec, seat: int, cards: Sequence[str]) -> list[Point]:
    """Where the cards of a hand lie: centres in units, by slot, in the block of the hands.

    hands: the entry "hands" of a layout's size; seat: from 0 (a layout with one big hand has one place for any seat);
    cards: the hand in order, as "QS" or "" (a change of suit leaves a small gap). Raises IndexError for a longer hand
    than the layout was made for.

    >>> [round(x) for x, _ in places(layout(4, 2, viewer=0)["sizes"]["l"]["hands"], 0, ["2C", "QS"])]
    [462, 538]
    """
    x0, y0 = hands["at"][seat if len(hands["at"]) > 1 else 0]
    per = hands["per"][len(cards)]
    out: list[Point] = []
    for start in range(0, len(cards), per):
        row = cards[start : start + per]
        xs, x = [0.0], 0.0
        for one, two in pairwise(row):
            x += hands["step"] + (hands["gap"] if one[1:] != two[1:] else 0)
            xs.append(x)
        left = x0 - x / 2 if hands["mid"] else x0
        out += [(left + x, y0 + hands["dy"] * (start // per)) for x in xs]
    return out


def links(table: Mapping[str, Any], groups: Iterable[Sequence[tuple[int, int]]]) -> dict[str, dict[str, list[Any]]]:
    """The lines that join cancelled pairs: a path and the place of its knot for each pair of seats that occurs.

    table: a layout; groups: for every trick with pairs, its pairs of seats (a < b): pairs of one group keep their
    knots apart. Returns `{"2-5": {"m": [path, x, y], "l": [path, x, y]}}` in units; in s brackets at the list take
    this place. No errors.

    >>> sorted(links(layout(8, 13), [[(2, 5)]])["2-5"])
    ['l', 'm']
    """
    mates: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for group in groups:
        for pair in group:
            mates.setdefault(pair, set()).update(other for other in group if other != pair)
    out: dict[str, dict[str, list[Any]]] = {f"{a}-{b}": {} for a, b in sorted(mates)}
    for size in ("m", "l"):
        spec = table["sizes"][size]
        knots: dict[tuple[int, int], Point] = {}
        for pair in sorted(mates):
            path, knot = _link(spec, pair, [knots[other] for other in mates[pair] if other in knots])
            knots[pair] = knot
            out[f"{pair[0]}-{pair[1]}"][size] = [path, _round(knot[0]), _round(knot[1])]
    return out


def _link(spec: Spec, pair: tuple[int, int], knots: list[Point]) -> tuple[str, Point]:
    spots, w, h = (spec["trick"][name] for name in ("at", "w", "h"))
    pile, unit = spec["pile"], spec["chip"][1] / 46
    mid = spec["felt"]["ellipse"][:2]
    a, b = spots[pair[0]], spots[pair[1]]
    others = [(x, y, w / 2, h / 2) for seat, (x, y) in enumerate(spots) if seat not in pair]
    others.append((pile["x"], pile["y"], pile["w"] / 2 + 4, pile["h"] / 2 + 4))
    words = (pile["text"][0] + 60 * unit, pile["text"][1], 64 * unit, 18 * unit)

    def curve(bow: float) -> Callable[[float], Point]:
        qx, qy = ((a[i] + b[i]) / 2 + (mid[i] - (a[i] + b[i]) / 2) * bow for i in (0, 1))
        return lambda t: (
            a[0] * (1 - t) ** 2 + 2 * qx * t * (1 - t) + b[0] * t * t,
            a[1] * (1 - t) ** 2 + 2 * qy * t * (1 - t) + b[1] * t * t,
        )

    def crossed(bow: float) -> int:
        points = [curve(bow)(t / 40) for t in range(1, 40)]
        near = 2 * unit
        return sum(abs(x - ox) < ow + near and abs(y - oy) < oh + near for x, y in points for ox, oy, ow, oh in others)

    # The least bow that crosses fewest cards, also outwards a little: two neighbours of one seat join behind it.
    bow = min((0, 0.2, 0.4, 0.6, 0.8, 1, -0.2), key=lambda bow: crossed(bow) + 3 * abs(bow))
    on = curve(bow)
    room, (chip_w, chip_h) = 10 * unit, spec["chip"]
    blocks = [
        *others,
        words,
        (a[0], a[1] + 4 * unit, w / 2, h / 2 + 4 * unit),
        (b[0], b[1] + 4 * unit, w / 2, h / 2 + 4 * unit),
        *((x, y, chip_w / 2, chip_h / 2) for x, y in spec["seats"]),
    ]

    def closeness(t: float) -> float:
        x, y = on(t)
        bad = sum(abs(x - ox) < ow + room and abs(y - oy) < oh + room for ox, oy, ow, oh in blocks)
        bad += sum(math.hypot(x - kx, y - ky) < 2.6 * room for kx, ky in knots)
        return bad + abs(t - 0.5) / 10

    knot = on(min((t / 50 for t in range(10, 41)), key=closeness))
    qx, qy = ((a[i] + b[i]) / 2 + (mid[i] - (a[i] + b[i]) / 2) * bow for i in (0, 1))
    numbers = [_round(n) for n in (*a, qx, qy, *b)]
    return "M{} {}Q{} {} {} {}".format(*numbers), knot
