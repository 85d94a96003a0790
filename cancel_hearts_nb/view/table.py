"""`TableWidget`: a card table that steps through replays in the browser, and stays readable where nothing runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import anywidget
import traitlets

from .faces import faces
from .layout import layout, links, longest_hand_of
from .scene import fold_all, pairs
from .svg import draw
from .text import position_html, position_text
from .words import ENGLISH

_STATIC = Path(__file__).parent / "static"
_MOST_HTML = 30_000


class TableWidget(anywidget.AnyWidget):
    """Replays on a card table. Everything it needs to step is in its traits, so it also works when the kernel is gone.

    Made by `TableWidget.of`. Traits, all plain JSON and all sent to the browser: `replays`, `layouts`, `rulebook`,
    `words`, `faces`; `replay` (which one is shown) and `step` (its frame) are kept in step both ways.
    """

    _esm = _STATIC / "table.js"
    _css = _STATIC / "table.css"

    replays: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    layouts: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    rulebook: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    faces = traitlets.Dict().tag(sync=True)
    replay = traitlets.Int(0).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)

    @classmethod
    def of(
        cls,
        replays: Sequence[Mapping[str, Any]],
        words: Mapping[str, Any] | None = None,
        rulebook: Sequence[Mapping[str, Any]] = (),
        *,
        replay: int = 0,
        step: int | None = None,
    ) -> Self:
        """A table for replays, with layouts and pair lines worked out and shared.

        replays: dicts with "title", "about", "game", "seats" (3 to 11), "names", "viewer" (a seat or None), "start",
        "frames", "captions" and "where" (one each for every frame); words: as in `view.words.ENGLISH`, with "cards"
        and "short" filled; rulebook: dicts with "id", "heading", "text", "reading"; replay, step: what is shown first
        (step None: that replay's start). Raises ValueError when captions, places or names do not fit their replay.

        >>> frame = {"e": "HandStarted", "r": "", "d": [], "s": {"n": {}}}
        >>> one = {"title": "T", "about": "", "game": "Hearts", "seats": 3, "names": ["A", "B", "C"], "viewer": None,
        ...        "start": 0, "frames": [frame], "captions": ["It begins."], "where": [""]}
        >>> table = TableWidget.of([one])
        >>> table.replays[0]["layout"], list(table.layouts[0]["sizes"])
        (0, ['s', 'm', 'l'])
        """
        shapes: dict[tuple[int, int, int | None], int] = {}
        made: list[dict[str, Any]] = []
        layouts: list[dict[str, Any]] = []
        for one in replays:
            for name, wanted in (
                ("captions", len(one["frames"])),
                ("where", len(one["frames"])),
                ("names", one["seats"]),
            ):
                if len(one[name]) != wanted:
                    raise ValueError(f"{one.get('title', '')}: {len(one[name])} {name}, not {wanted}")
            shape = (one["seats"], longest_hand_of(one), one["viewer"])
            if shape not in shapes:
                shapes[shape] = len(layouts)
                layouts.append(layout(*shape))
            index = shapes[shape]
            groups = [group for scene in fold_all(one["frames"]) if (group := pairs(scene))]
            made.append({**one, "layout": index, "links": links(layouts[index], groups)})
        if step is None:
            step = made[replay].get("start", 0) if made else 0
        sent = {key: value for key, value in (words or ENGLISH).items() if not callable(value)}
        table = cls(
            replays=made,
            layouts=layouts,
            rulebook=[dict(rule) for rule in rulebook],
            words=sent,
            faces=faces(),
            replay=replay,
            step=step,
        )
        table._select = (words or {}).get("select")
        return table

    _select: Any = None

    @property
    def _words(self) -> dict[str, Any]:
        return {**ENGLISH, **self.words, "select": self._select}

    @property
    def _shown(self) -> dict[str, Any] | None:
        replays: list[dict[str, Any]] = self.replays
        return replays[min(self.replay, len(replays) - 1)] if replays else None

    @traitlets.validate("replay")
    def _replay_exists(self, proposal: dict[str, Any]) -> int:
        return min(max(0, proposal["value"]), max(0, len(self.replays) - 1)) if self.replays else int(proposal["value"])

    @traitlets.validate("step")
    def _step_is_not_negative(self, proposal: dict[str, Any]) -> int:
        return max(0, int(proposal["value"]))

    def __repr__(self) -> str:
        shown = self._shown
        return position_text(shown, self.step, self._words) if shown else f"{type(self).__name__}()"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The live view, and beside it the step shown now as plain text and as HTML text with a picture.

        `image/svg+xml` is left out: the front ends that run nothing show `text/html` first, and it would double the
        size of a saved notebook.
        """
        bundle = super()._repr_mimebundle_(**kwargs)
        shown = self._shown
        if bundle is None or shown is None:
            return bundle
        data, metadata = bundle
        html = ""
        for hands in (True, False):  # the hands are in the text as well, so a picture grown too large does without
            picture = draw(shown, self.step, self._words, self.layouts[shown["layout"]], hands=hands)
            html = position_html(shown, self.step, self._words, picture)
            if len(html.encode()) <= _MOST_HTML:
                break
        return {
            **data,
            "text/plain": repr(self),
            "text/html": html,
        }, metadata
