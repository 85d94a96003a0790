"""One step as plain text and as plain HTML: what remains readable when nothing can be drawn."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from itertools import groupby
from typing import Any

from .scene import Scene, best, fold
from .words import label, plural, short, waiting


def position_text(replay: Mapping[str, Any], step: int, words: Mapping[str, Any]) -> str:
    """One step in plain text: title, place, sentence, the trick in order of play, what waits, every known hand.

    replay, words: as `TableWidget` takes them; step: from 0, cut to the last. Cards that the viewer does not know are
    counted, not named. No ids and no addresses, so that equal positions give equal texts. Raises IndexError when the
    replay has no frame.

    >>> from .words import ENGLISH
    >>> frame = {"e": "Played", "r": "", "d": [["k0", "QS", "t", 1, 0, "led"]], "s": {}}
    >>> print(position_text({"title": "T", "seats": 2, "names": ["Al", "Beth"], "viewer": None, "frames": [frame],
    ...                      "captions": ["Beth leads."], "where": ["Trick 1"]}, 0, ENGLISH))
    T
    Trick 1
    Beth leads.
    The trick, in order of play: Beth QS (led)
    """
    scene = fold(replay["frames"], step)
    step = min(max(0, step), len(replay["frames"]) - 1)
    lines = [replay.get("title", ""), _at(replay, "where", step), _at(replay, "captions", step)]
    trick = [
        f"{name} {card}{f' ({mark})' if mark else ''}" for name, card, mark in trick_rows(replay, scene, words, step)
    ]
    if trick:
        lines.append(f"{label(words, 'trick_list')}: " + ", ".join(trick))
    lines += [
        nobody_text(replay, scene, words, step),
        aside_text(scene, words),
        *(f"{name}: {cards}" for name, cards in hand_rows(replay, scene, words)),
    ]
    return "\n".join(line for line in lines if line)


def position_html(replay: Mapping[str, Any], step: int, words: Mapping[str, Any], picture: str = "") -> str:
    """The same as HTML without scripts, styles or ids, so that no sanitizer takes anything away.

    picture: an SVG document, shown as an image with the step's sentence as its text, or "" for none. All names and
    sentences are escaped. Raises IndexError when the replay has no frame.

    >>> from .words import ENGLISH
    >>> frame = {"e": "Played", "r": "", "d": [["k0", "QS", "t", 0, 0, ""]], "s": {}}
    >>> one = {"title": "", "seats": 2, "names": ["<b>", "B"], "viewer": None, "frames": [frame]}
    >>> "<b>" in position_html(one, 0, ENGLISH)
    False
    """
    scene = fold(replay["frames"], step)
    step = min(max(0, step), len(replay["frames"]) - 1)
    caption = _at(replay, "captions", step)
    out = [
        f"<p><strong>{escape(replay['title'])}</strong></p>" if replay.get("title") else "",
        f"<p>{escape(_at(replay, 'where', step))}<br>{escape(caption)}</p>",
    ]
    if picture:
        code = b64encode(picture.encode()).decode()
        out.append(
            f'<p><img src="data:image/svg+xml;base64,{code}" alt="{escape(label(words, "picture", caption=caption))}"></p>'
        )
    rows = trick_rows(replay, scene, words, step)
    if rows:
        items = "".join(
            f"<li>{escape(name)}: {escape(card)}{f' ({escape(mark)})' if mark else ''}</li>"
            for name, card, mark in rows
        )
        out.append(f"<p>{escape(label(words, 'trick_list'))}:</p><ol>{items}</ol>")
    for said in (nobody_text(replay, scene, words, step), aside_text(scene, words)):
        out.append(f"<p>{escape(said)}</p>" if said else "")
    held = "".join(f"<li>{escape(name)}: {escape(cards)}</li>" for name, cards in hand_rows(replay, scene, words))
    out.append(f"<ul>{held}</ul>" if held else "")
    return f'<div lang="{escape(words["lang"])}" dir="{escape(words["dir"])}">' + "".join(out) + "</div>"


def _at(replay: Mapping[str, Any], name: str, step: int) -> str:
    texts = replay.get(name) or []
    return texts[step] if step < len(texts) else ""


def trick_rows(
    replay: Mapping[str, Any], scene: Scene, words: Mapping[str, Any], step: int
) -> list[tuple[str, str, str]]:
    """The trick in order of play as (name, card, mark in words); [] between tricks. No errors."""
    out, top = [], best(replay, scene, step)
    for _key, card, mark, seat, _slot in scene.zone("t"):
        marks = mark.split()
        said = [label(words, "led")] * ("led" in marks) + [label(words, "cancelled")] * any(
            word[0] == "x" for word in marks
        )
        said += [label(words, "wins")] * ("win" in marks) + [label(words, "best")] * (seat == top)
        out.append((replay["names"][seat], short(words, card), ", ".join(said)))
    return out


def nobody_text(replay: Mapping[str, Any], scene: Scene, words: Mapping[str, Any], step: int) -> str:
    """That nobody takes the trick, or would as it lies; "" when somebody does or there is none. No errors."""
    if scene.status.get("dead"):
        return label(words, "nobody")
    return label(words, "nobody_yet") if best(replay, scene, step) == -1 else ""


def aside_text(scene: Scene, words: Mapping[str, Any]) -> str:
    """What waits in the middle, in words; "" when nothing does. No errors."""
    count, worth, unseen = scene.status.get("aside") or (0, 0, 0)
    if not count:
        return ""
    return f"{label(words, 'aside')}: {plural(words, 'cards', count)}, {waiting(words, count, worth, unseen)}"


def hand_rows(replay: Mapping[str, Any], scene: Scene, words: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every hand of which a card is known, as (name, cards by suit, with " · " between suits). No errors."""
    out = []
    for seat, name in enumerate(replay["names"]):
        held = [card for _key, card, *_ in scene.zone("h", seat) if card]
        if held:
            out.append(
                (
                    name,
                    " · ".join(
                        " ".join(short(words, card) for card in suit) for _, suit in groupby(held, lambda card: card[1])
                    ),
                )
            )
    return out
