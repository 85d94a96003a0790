"""One step as a still picture: SVG from the same layout and faces as the live table, for pages that run nothing.

Every card is drawn in its small form, with one large pip: such pictures are shown reduced, and stay under 30 KB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from re import compile
from typing import Any

from .faces import BOXES, COLOURS, face_svg, shared_svg
from .layout import layout, links, longest_hand_of, places
from .scene import Scene, best, fold, pairs, turn_key
from .words import label, plural, waiting

INK, SOFT, PAPER, FELT, RIM, EDGE, ACCENT, WASH, CHIP, BACK = (
    "#22262a", "#555a5e", "#fcfbf7", "#eef0ea", "#b9beb1", "#84867f", "#0b5d66", "#dcebea", "#fffffc", "#40747a",
)  # fmt: skip
_WIDTH, _MARGIN, _TOP = 1000, 8, 4
_USE = compile("<use [^>]*/>")


def draw(
    replay: Mapping[str, Any],
    step: int,
    words: Mapping[str, Any],
    table: Mapping[str, Any] | None = None,
    *,
    hands: bool = True,
) -> str:
    """The picture of one step as an SVG document, about 1000 px wide, in the light colours.

    replay, words: as `TableWidget` takes them; step: from 0, cut to the last; table: its layout (computed if None);
    hands: whether the hands below the table are drawn too. Names are escaped; cards that this replay's viewer does not know are drawn as backs. Raises IndexError when the
    replay has no frame.

    >>> from .words import ENGLISH
    >>> frame = {"e": "Played", "r": "", "d": [["k0", "QS", "t", 1, 0, "led"]], "s": {"n": {}}}
    >>> picture = draw({"seats": 4, "names": ["A", "B", "C", "D"], "viewer": None, "frames": [frame]}, 0, ENGLISH)
    >>> picture.startswith("<svg xmlns"), 'id="Q"' in picture
    (True, True)
    """
    scene = fold(replay["frames"], step)
    table = table or layout(replay["seats"], longest_hand_of(replay), replay["viewer"])
    return _Picture(replay, scene, words, table, hands, best(replay, scene, step)).svg()


def _el(tag: str, content: str = "", /, **attrs: Any) -> str:
    """One element: `stroke_width=2` becomes `stroke-width="2"`, numbers are cut to a tenth, None is left out."""
    made = "".join(
        f' {name.replace("_", "-")}="{round(value, 1):g}"'
        if isinstance(value, (int, float))
        else f' {name.replace("_", "-")}="{value}"'
        for name, value in attrs.items()
        if value is not None
    )
    return f"<{tag}{made}>{content}</{tag}>" if content else f"<{tag}{made}/>"


def _text(x: float, y: float, text: str, **attrs: Any) -> str:
    return _el("text", escape(text), x=x, y=y, **attrs)


def _own(card: str) -> str | None:
    """A card's colour, or None for black, which the whole picture has."""
    return COLOURS[card[1]] if COLOURS[card[1]] != COLOURS["S"] else None


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


class _Picture:
    def __init__(
        self,
        replay: Mapping[str, Any],
        scene: Scene,
        words: Mapping[str, Any],
        table: Mapping[str, Any],
        with_hands: bool,
        best: int,
    ) -> None:
        self.with_hands, self.best = with_hands, best
        self.replay, self.scene, self.words, self.table = replay, scene, words, table
        self.spec = table["sizes"]["l"]
        self.used: set[tuple[str, str]] = set()
        self.kept: dict[str, str] = {}
        self.grounds: dict[str, tuple[float, float]] = {}

    def svg(self) -> str:
        width = _WIDTH + 2 * _MARGIN
        height = round(self.spec["h"] + self.spec["hands"]["h"] * self.with_hands) + 2 * _TOP
        seats = "".join(self.seat(seat) for seat in range(self.replay["seats"]))
        seats = _el("g", seats, font_size=12.5, font_weight=600)
        signs = _el("rect", x=10, y=27, width=8, height=11, rx=1.5) + _el("path", d="M47 30h7v8h-7zM50 27h7v8")
        body = "".join(
            [
                self.felt(),
                self.lines(),
                self.pile(),
                seats,
                self.trick(),
                self.passed(),
                self.hands() if self.with_hands else "",
            ]
        )
        return _el(
            "svg",
            _el("defs", self.defs() + _el("g", signs, id="i", fill="none", stroke=SOFT))
            + _el("rect", x=-_MARGIN, width=width, height=height, fill=PAPER)
            + _el("g", body, transform=f"translate(0 {_TOP})"),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"-{_MARGIN} 0 {width} {height}",
            width=width,
            height=height,
            font_family="system-ui,Segoe UI,Roboto,sans-serif",
            font_size=13,
            fill=INK,
            color=COLOURS["S"],
            stroke_linecap="round",
            stroke_linejoin="round",
        )

    def felt(self) -> str:
        x, y, rx, ry = self.spec["felt"]["ellipse"]
        ways = "".join(
            _el("path", d="M-3.5-5.5l6 5.5-6 5.5", transform=f"translate({x:g} {y:g}) rotate({turn:g})")
            for x, y, turn in self.spec["way"]
        )
        return (
            _el("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=FELT, stroke=RIM)
            + _el("ellipse", cx=x, cy=y, rx=rx - 5.5, ry=ry - 5.5, fill="none", stroke=RIM)
            + _el("g", ways or " ", fill="none", stroke=SOFT, stroke_width=1.6, stroke_linecap="round")
        )

    def lines(self) -> str:
        group, out = pairs(self.scene), []
        joined = links(self.table, [group])
        for a, b in group:
            path, x, y = joined[f"{a}-{b}"]["l"]
            knot = _el("circle", r=9.5, fill=FELT) + _el("path", d="M-3.5-3.5l7 7m0-7l-7 7")
            out += [
                _el("path", d=path, fill="none", stroke=INK, stroke_width=2.2),
                _el("g", knot, transform=f"translate({x:g} {y:g})", stroke=INK, stroke_width=2),
            ]
        return "".join(out)

    def cards(self, form: str, w: float, h: float, lying: Sequence[tuple[str, float, float, float]]) -> str:
        """Cards of one form and size as (card, x, y, turn): a scaled group, in which each is one short element."""
        box_w = BOXES[form][0]
        k = w / box_w
        self.grounds[form] = (box_w, h / k)
        out = []
        for card, x, y, turn in lying:
            self.used.add((form, card))
            spin = f"rotate({turn:g} {x / k:.0f} {y / k:.0f})" if turn else None
            name = form[0] + (card or "0")
            out.append(_el("use", href="#" + name, x=round((x - w / 2) / k), y=round((y - h / 2) / k), transform=spin))
        return _el("g", "".join(out), transform=f"scale({k:.4g})") if out else ""

    def defs(self) -> str:
        """Each card once, of parts that several cards share (a rank in its corner) and of the ground of its form."""
        known = [card for _, card in self.used if card]
        shared: dict[str, str] = {}
        cards = ""
        for form, card in sorted(self.used):
            w, h = self.grounds[form]
            ground, box = form[0] + "_", {"width": w, "height": h, "rx": 4 if form == "tab" else 6, "stroke": EDGE}
            shared.setdefault(_el("rect", **box, fill="#fff"), ground)
            if card:
                uses = _USE.sub(lambda found: self.once(found[0], shared), face_svg(card, form, shared=True))
                cards += _el("g", f'<use href="#{ground}"/>{uses}', id=form[0] + card, color=_own(card))
            else:
                line = _el("rect", x=4, y=4, width=w - 8, height=h - 8, rx=3, fill="none", stroke="#fff")
                cards += _el("g", _el("rect", **box, fill=BACK) + line, id=form[0] + "0")
        parts = "".join(element.replace(" ", f' id="{name}" ', 1) for element, name in shared.items())
        kept = "".join(_el("g", content, id=name) for content, name in self.kept.items())
        return shared_svg(known) + parts + cards + kept

    def once(self, element: str, shared: dict[str, str]) -> str:
        return f'<use href="#{shared.setdefault(element, f"_{len(shared)}")}"/>'

    def tag(self, x: float, y: float, text: str, fill: str, ink: str, edge: str) -> str:
        w = 6.4 * len(text) + 14
        box = _el("rect", x=-w / 2, y=-9, width=w, height=18, rx=9, fill=fill, stroke=edge)
        return self.again(box + _text(0, 4.2, text, font_size=12, text_anchor="middle", fill=ink), x, y)

    def again(self, content: str, x: float, y: float) -> str:
        """What is drawn in several places is kept once."""
        name = self.kept.setdefault(content, f"k{len(self.kept)}")
        return _el("use", href="#" + name, x=x, y=y)

    def trick(self) -> str:
        spec, words, lying, rings, struck, over = self.spec["trick"], self.words, [], "", "", ""
        w, h = spec["w"], spec["h"]
        for _key, card, mark, seat, _slot in self.scene.zone("t"):
            x, y = spec["at"][seat]
            lying.append((card, x, y, 0))
            marks = mark.split()
            crossed, wins = any(word[0] == "x" for word in marks), "win" in marks
            if wins:
                box = {"x": x - w / 2 - 4, "y": y - h / 2 - 4, "width": w + 8, "height": h + 8}
                rings += _el("rect", **box, rx=9, fill="none", stroke=ACCENT, stroke_width=3)
            elif seat == self.best:
                box = {"x": x - w / 2 - 3, "y": y - h / 2 - 3, "width": w + 6, "height": h + 6}
                rings += _el("rect", **box, rx=8, fill="none", stroke=ACCENT, stroke_width=2, stroke_dasharray="6 4")
            if crossed:
                struck += f"M{x - w / 2:g} {y + h / 2:g}l{w:g} {-h:g}"
            said = [label(words, "led")] * ("led" in marks) + [label(words, "cancelled")] * crossed
            said += [label(words, "wins")] * wins
            if said:
                colours = (INK, PAPER, INK) if crossed else (ACCENT, "#fff", ACCENT) if wins else (PAPER, INK, EDGE)
                over += self.tag(x, y + h / 2, " · ".join(said), *colours)
        strikes = _el("path", d=struck, stroke=INK, stroke_width=2) if struck else ""
        return rings + self.cards("small", w, h, lying) + strikes + over

    def passed(self) -> str:
        spec, lying = self.spec["pass"], []
        for seat, (x, y) in enumerate(spec["at"]):
            given = [card for _key, card, *_ in self.scene.zone("p", seat)]
            # three lie one below the other; more of them move closer
            dy = spec["dy"] * min(1, 3 / max(1, len(given)))
            lying += [(card, x, y + (slot - (len(given) - 1) / 2) * dy, 0) for slot, card in enumerate(given)]
        return self.cards(spec["form"], spec["w"], spec["h"], lying)

    def pile(self) -> str:
        spec, status, words = self.spec["pile"], self.scene.status, self.words
        held, lying = self.scene.zone("a"), []
        most = len(spec["fan"])
        shown = held[: most - 1] + held[-1:] if len(held) > most else held
        for i, (_key, card, _mark, _seat, _slot) in enumerate(shown):
            dx, dy, turn = spec["fan"][i]
            lying.append((card if i == len(shown) - 1 else "", spec["x"] + dx, spec["y"] + dy, turn))
        out = [self.cards("small", spec["w"], spec["h"], lying)]
        count, worth, unseen = status.get("aside") or (0, 0, 0)
        dead, value = status.get("dead") or self.best == -1, waiting(words, count, worth, unseen) if count else ""
        rows = [label(words, "nobody" if status.get("dead") else "nobody_yet")] if dead else []
        if count:
            cards = plural(words, "cards", count)
            rows += [f"{cards}, {value}"] if dead else [f"{cards} {label(words, 'aside_short')}", value]
        x, y = spec["text"]
        halo = {"stroke": FELT, "stroke_width": 4, "paint_order": "stroke"}
        for i, row in enumerate(rows):
            weight, ink = (600, INK) if i == 0 else (400, SOFT)
            out.append(_text(x, y + 4 + 17 * (i - (len(rows) - 1) / 2), row, font_weight=weight, fill=ink, **halo))
        return "".join(out)

    def seat(self, seat: int) -> str:
        (x, y), (w, h) = self.spec["seats"][seat], self.spec["chip"]
        status, words = self.scene.status, self.words
        won, turn, deals = (status.get(name) == seat for name in ("won", "turn", "dealer"))
        cards, tricks, taken, plus = self.scene.counts.get(seat, [0, 0, 0, 0])
        fill, edge, width = WASH if won else CHIP, ACCENT if won or turn else RIM, 2.5 if won or turn else None
        chip = _el("rect", width=w, height=h, rx=8, fill=fill, stroke=edge, stroke_width=width) + _el("use", href="#i")
        box = self.again(chip, 0, 0) + _text(9, 19, _cut(self.replay["names"][seat], 12 if deals else 14), font_size=14)
        if deals:
            box += _el("circle", cx=w - 16, cy=14, r=8, fill="none", stroke=INK)
            box += _text(w - 16, 18, label(words, "dealer_short"), font_size=11, text_anchor="middle")
        points = f"{taken}{'+' if plus else ''} {label(words, 'pts')}"
        box += _text(22, 37, str(cards)) + _text(61, 37, str(tricks)) + _text(w - 9, 37, points, text_anchor="end")
        out = _el("g", box, transform=f"translate({x - w / 2:.4g} {y - h / 2:.4g})")
        if won or turn:
            key = "takes" if won else turn_key(self.scene)
            out += self.tag(x, y + h / 2 + 5, label(words, key), ACCENT, "#fff", ACCENT)
        elif seat == self.best:
            out += self.tag(x, y + h / 2 + 5, label(words, "best"), CHIP, INK, EDGE)
        return out

    def hands(self) -> str:
        spec, viewer, top = self.spec["hands"], self.replay["viewer"], self.spec["h"]
        out, lying = [], []
        for seat in range(self.replay["seats"]) if viewer is None else [viewer]:
            held = [card for _key, card, *_ in self.scene.zone("h", seat)]
            if viewer is None:
                x, y = spec["at"][seat]
                dx, w = spec["names"]
                name = _cut(self.replay["names"][seat], int(w // 8))
                out.append(_text(x + dx, top + y + 5, name, font_weight=600))
            lying += [(card, x, top + y, 0) for (x, y), card in zip(places(spec, seat, held), held, strict=True)]
        w, h = spec["card"]
        return "".join(out) + self.cards("tab" if spec["form"] == "tab" else "small", w, h, lying)
