"""`TableWidget`: a card table that steps through replays in the browser, and stays readable where nothing runs."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import anywidget
import traitlets

from .assets import packed, script, style
from .export import page
from .faces import faces
from .layout import layout, links, longest_hand_of
from .scene import fold_all, pairs
from .svg import draw
from .text import position_html, position_text
from .words import ENGLISH, label

_MOST_HTML = 30_000

Answer = Callable[[Mapping[str, Any]], dict[str, Any]]
"""What answers one kind of message from the browser: from its content to what is sent back."""


class TableWidget(anywidget.AnyWidget):
    """Replays on a card table. Everything it needs to step is in its traits, so it also works when the kernel is gone.

    Made by `TableWidget.of`. Traits, all plain JSON and all sent to the browser: `replays`, `layouts`, `rulebook`,
    `pages` (rules pages), `files` (records to save), `words`, `faces`, `notice` (a sentence for the page, or "") and
    `live` (whether a kernel may answer); `replay` (which one is shown) and `step` (its frame) are kept in step both
    ways. `answers` holds, by kind, what answers the browser's messages.
    """

    _module = script()
    _esm = packed(_module)
    _css = style()

    replays: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    layouts: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    rulebook: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    pages: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    files: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    notice = traitlets.Unicode("").tag(sync=True)
    live = traitlets.Bool(False).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    faces = traitlets.Dict().tag(sync=True)
    # an echo of a step that the browser has long left would call a fast reader back
    replay = traitlets.Int(0).tag(sync=True, echo_update=False)
    step = traitlets.Int(0).tag(sync=True, echo_update=False)

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
        found = traits_of(replays)
        replay = min(max(0, replay), max(0, len(found["replays"]) - 1))
        if step is None:
            step = found["replays"][replay].get("start", 0) if found["replays"] else 0
        table = cls(
            **found,
            rulebook=[dict(rule) for rule in rulebook],
            words={key: value for key, value in (words or ENGLISH).items() if not callable(value)},
            faces=faces(),
            replay=replay,
            step=step,
        )
        table._select = (words or {}).get("select")
        return table

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        # by being answered at all a page knows that its kernel lives
        self.answers: dict[str, Answer] = {"ping": lambda content: {}}
        self.on_msg(self._heard)

    def replace(
        self, replays: Sequence[Mapping[str, Any]], *, replay: int | None = None, step: int | None = None
    ) -> None:
        """Show other replays, as `of` takes them, all at once; `replay` and `step` None: the same as before.

        Raises ValueError when captions, places or names do not fit their replay.

        >>> table = TableWidget()
        >>> table.replace([], replay=0, step=0)
        """
        found = traits_of(replays)
        with self.hold_sync(), self.hold_trait_notifications():
            for name, value in found.items():
                setattr(self, name, value)
            if replay is not None:
                self.replay = replay
            if step is not None:
                self.step = step

    def to_html(self, path: str | Path) -> None:
        """Write one page that holds everything and steps without a kernel or a network, also when opened as a file.

        Raises OSError when it cannot be written.
        """
        Path(path).write_text(self.html(), encoding="utf-8", newline="\n")

    def html(self) -> str:
        """The page that `to_html` writes, as text; equal tables give equal pages.

        >>> TableWidget().html().startswith("<!DOCTYPE html>")
        True
        """
        state = {name: getattr(self, name) for name in SENT} | {"live": False}
        shown = self._shown
        words = self._words
        title = (shown or {}).get("title") or label(words, "table")
        still = position_html(shown, self.step, words) if shown else ""
        return page(title, state, self._module, style(), still)

    def _heard(self, widget: Any, content: Any, buffers: Any) -> None:
        """Answer a message: {"kind", "id"} and what that kind needs. Whatever goes wrong is said on the page and logged."""
        if not isinstance(content, dict):
            return
        answer = self.answers.get(str(content.get("kind")))
        if answer is None:
            return
        try:
            said = answer(content)
        except Exception as error:
            said = {"failed": self.failed(error)}
        self.send({**said, "reply": content.get("id")})

    def failed(self, error: BaseException) -> str:
        """Say on the page that a callback raised `error`, log it where tests look for it, and return what was said."""
        trace = "".join(traceback.format_exception(error))
        self.log.error("Exception in callback of the card table: %s\n%s", error, trace)
        self.notice = label(self._words, "failed", error=f"{type(error).__name__}: {error}"[:200])
        return self.notice

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
        """The live view, and beside it the step shown now: as plain text, as a picture, as HTML text with that picture.

        A picture that would make the HTML larger than 30 KB is drawn without the hands: they are in the text as well.
        """
        bundle = super()._repr_mimebundle_(**kwargs)
        shown = self._shown
        if bundle is None or shown is None:
            return bundle
        data, metadata = bundle
        html = picture = ""
        for hands in (True, False):
            picture = draw(shown, self.step, self._words, self.layouts[shown["layout"]], hands=hands)
            html = position_html(shown, self.step, self._words, picture)
            if len(html.encode()) <= _MOST_HTML:
                break
        return {
            **data,
            "text/plain": repr(self),
            "image/svg+xml": picture,
            "text/html": html,
        }, metadata


SENT = ("replays", "layouts", "rulebook", "pages", "files", "words", "faces", "notice", "replay", "step")
"""The traits that a page needs to show a table without a kernel."""


def traits_of(replays: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the traits that hold `replays`: what several of them share, layouts, rules pages and files, stands once.

    A replay made by hand may do without "lesson", "hand", "why", "asks", "page", "sheet", "code" and "file". Raises
    ValueError when captions, places or names do not fit their replay.

    >>> traits_of([])
    {'replays': [], 'layouts': [], 'pages': [], 'files': []}
    """
    shapes: dict[tuple[int, int, int | None], int] = {}
    made: list[dict[str, Any]] = []
    layouts: list[dict[str, Any]] = []
    pages: list[dict[str, Any]] = []
    files: list[dict[str, Any]] = []
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
        kept = {**one, "layout": index, "links": links(layouts[index], groups)}
        for name, found in (("page", pages), ("file", files)):
            if isinstance(kept.get(name), dict):
                if kept[name] not in found:
                    found.append(kept[name])
                kept[name] = found.index(kept[name])
        made.append(kept)
    return {"replays": made, "layouts": layouts, "pages": pages, "files": files}
