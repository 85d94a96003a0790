"""Figures of how often tricks die: a plot, what it says in a sentence, its numbers, and a button that plays hands anew."""

from __future__ import annotations

import difflib
import importlib.util
import secrets
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from typing import Any

import traitlets

from .. import howoften, resources
from ..howoften import Results
from ..i18n import Words, chosen, words
from ..messages import N_, NN_, Problem
from . import plots
from .assets import joined, packed
from .labels import FAILED
from .still import Still

HANDS = (200, 2000, 20_000)
"""How many hands at each table can be played anew."""
FILES = "plots"
_TITLES = {
    "dead": N_("How often a trick dies"),
    "first": N_("How often the first and the last trick die"),
    "danger": N_("How many points lie in a trick"),
}
_HUNDRED, _POINTS, _SEATS = N_("dead tricks, of 100"), N_("points in the trick"), N_("players at the table")
# By figure: each line's label, players, reading and measure
_SERIES = {
    "dead": (
        (N_("two pairs kill a trick; played with care"), "cautious", "two_pairs", "every"),
        (N_("two pairs kill a trick; played by chance"), "random", "two_pairs", "every"),
        (N_("two pairs alone kill nothing; played with care"), "cautious", "no_led", "every"),
        (N_("two pairs alone kill nothing; played by chance"), "random", "no_led", "every"),
    ),
    "first": (
        (N_("the first trick"), "cautious", "two_pairs", "first"),
        (N_("all tricks"), "cautious", "two_pairs", "every"),
        (N_("the last trick"), "cautious", "two_pairs", "last"),
    ),
    "danger": (
        (N_("the first trick together with the kitty"), "cautious", "two_pairs", "with_kitty"),
        (N_("the first trick alone"), "cautious", "two_pairs", "alone"),
        (N_("a later trick, on average"), "cautious", "two_pairs", "later"),
    ),
}
FIGURES = tuple(_TITLES)
_SAYS = {
    "dead": N_("At a table of eight careful players %(a)s of 100 tricks die if two pairs kill a trick, and %(c)s of 100 if two pairs alone kill nothing."),
    "first": N_("At a table of eight careful players the first trick dies %(a)s times in 100, the last one %(c)s times in 100."),
    "danger": N_("At a table of eleven careful players %(a)s points lie in the first trick together with the kitty, and %(c)s points in a later trick; at a table of six it is %(sa)s and %(sc)s."),
}  # fmt: skip
_SPOKEN_OF = {"dead": 8, "first": 8, "danger": 11}
_STORED = NN_(
    "%(count)s hand at each table, played by the computer on %(made)s; seed %(seed)s.",
    "%(count)s hands at each table, played by the computer on %(made)s; seed %(seed)s.",
)
_ANEW = NN_(
    "%(count)s hand at each table, played by the computer just now; seed %(seed)s.",
    "%(count)s hands at each table, played by the computer just now; seed %(seed)s.",
)
_CELL = N_("%(mean)s ± %(error)s")
OFTEN_LABELS: dict[str, str] = {
    "numbers": N_("The numbers"),
    "players": N_("Players"),
    "bars": N_("The short upright bar at each mark, and the number after ±, tell how far off the mark may be by chance. The true number is nearly always within. Where no bar shows, it is shorter than the mark."),
    "hands": N_("Hands at each table"),
    "again": N_("Play hands anew"),
    "stored": N_("Show the stored hands again"),
    "playing": N_("The computer is playing. This may take some seconds."),
    "no_kernel": N_("Nothing answers: the page has lost the program behind it. The stored hands stay as they are; reload the page to play new ones."),
    "no_numpy": N_("Playing hands anew needs numpy, which the Python behind this page does not have. The stored hands stay."),
    "failed": FAILED,
}  # fmt: skip


class UnknownFigure(Problem):
    """There is no figure of that name."""


class HowOften(Still):
    """One figure. Made by `how_often`.

    Traits, all sent to the browser: `picture` (SVG), `told` (the words and numbers of it), `words`, `sizes` (hands that
    can be played anew; none without numpy), `live` (whether a kernel may answer).
    """

    _module = joined("js", "dom", "often")
    _esm = packed(_module)
    _css = joined("css", "often")

    picture = traitlets.Unicode("").tag(sync=True)
    told = traitlets.Dict().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    sizes: traitlets.List[int] = traitlets.List().tag(sync=True)
    live = traitlets.Bool(True).tag(sync=True)

    def __init__(self, figure: str = "dead", language: Words | None = None, **traits: Any) -> None:
        super().__init__(**traits)
        self._figure, self._w = figure, language or words()
        self.on_msg(self._heard)
        self._show(howoften.stored())

    def _show(self, results: Results) -> None:
        plot = plot_of(self._figure, results, self._w)
        picture = drawn(self._figure, self._w.language) if results.made else ""
        with self.hold_sync():
            self.picture = picture or self._drawn_now(plot, bool(results.made))
            self.told = told(self._figure, plot, results, self._w)

    def _drawn_now(self, plot: plots.Plot, stored: bool) -> str:
        try:
            return plots.svg(plot)
        except plots.PlotsMissing:
            # its marks are right in any language, and its words stand in the reader's beside it
            picture = drawn(self._figure, "en") if stored else ""
            if not picture:
                raise
            return picture

    def _heard(self, widget: Any, content: Any, buffers: Any) -> None:
        """Play `hands` hands anew, or show the stored ones; whatever goes wrong is said on the page."""
        if not isinstance(content, dict) or content.get("kind") not in ("play", "stored"):
            return
        self._reply(content, self._answer, self._w, OFTEN_LABELS["failed"])

    def _answer(self, content: Mapping[str, Any]) -> dict[str, Any]:
        if content["kind"] == "stored":
            self._show(howoften.stored())
        elif content.get("hands") in HANDS:
            # small enough to be read and typed again
            self._show(howoften.play(content["hands"], secrets.randbelow(1_000_000)))
        return {}

    def __repr__(self) -> str:
        t: dict[str, Any] = self.told
        rows = [t["head"], *t["rows"]]
        return "\n".join([t["title"], t["says"], t["from"], *[" | ".join(row) for row in rows]])

    def _html(self) -> str:
        """The plot as a picture with its numbers as a table."""
        t: dict[str, Any] = self.told
        labels: dict[str, str] = self.words["labels"]
        code = b64encode(self.picture.encode()).decode()
        head = "".join(f"<th>{escape(one)}</th>" for one in t["head"])
        rows = "".join(
            f"<tr><th>{escape(row[0])}</th>{''.join(f'<td>{escape(one)}</td>' for one in row[1:])}</tr>"
            for row in t["rows"]
        )
        return (
            f'<div lang="{escape(self.words["lang"])}" dir="{escape(self.words["dir"])}">'
            f"<p><strong>{escape(t['title'])}</strong></p>"
            f'<p><img src="data:image/svg+xml;base64,{code}" alt="{escape(t["alt"])}"></p>'
            f"<p>{escape(t['says'])}</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            f"<p>{escape(t['from'])} {escape(labels['bars'])}</p></div>"
        )


def plot_of(figure: str, results: Results, language: Words | None = None) -> plots.Plot:
    """Return what is drawn of `results` in `figure`, one of FIGURES; English by default. Raises UnknownFigure.

    >>> [one.label for one in plot_of("first", howoften.stored()).series]
    ['the first trick', 'all tricks', 'the last trick']
    """
    w = language or words()
    if figure not in FIGURES:
        near = difflib.get_close_matches(str(figure), FIGURES, n=1, cutoff=0)[0]
        raise UnknownFigure(
            N_("There is no figure “%(given)s”. Did you mean “%(near)s”? The figures are: %(known)s."),
            given=str(figure)[:40], near=near, known=", ".join(FIGURES),
        )  # fmt: skip
    scale = 1 if figure == "danger" else 100
    series = []
    for label, players, reading, name in _SERIES[figure]:
        found = [(seats, results.row(seats, players, reading).measured[name]) for seats in howoften.SEATS]
        points = tuple([(seats, scale * one.mean, scale * one.error) for seats, one in found])
        series.append(plots.Series(w.text(label), points))
    return plots.Plot(
        w.text(_TITLES[figure]), w.text(_SEATS), w.text(_POINTS if figure == "danger" else _HUNDRED), tuple(series)
    )


def told(figure: str, plot: plots.Plot, results: Results, language: Words) -> dict[str, Any]:
    """Return the words and numbers of a plot: "title", "alt", "says", "from", and a table of "head" and "rows"."""
    w = language
    # by number of players: the mean of each line
    means = {
        seats: [mean for one in plot.series for x, mean, _ in one.points if x == seats] for seats in howoften.SEATS
    }
    here, small = means[_SPOKEN_OF[figure]], means[howoften.SEATS[0]]
    says = w.text(
        _SAYS[figure],
        a=_whole(here[0]), c=_whole(here[2]), sa=_whole(small[0]), sc=_whole(small[2]),
    )  # fmt: skip
    shown = f"{results.hands:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    source = w.text(
        w.form(_STORED if results.made else _ANEW, results.hands),
        count=shown,
        made=results.made,
        seed=str(results.seed),
    )
    rows = [
        [str(seats), *[_cell(*one.points[index][1:], w) for one in plot.series]]
        for index, seats in enumerate(howoften.SEATS)
    ]
    return {
        "title": plot.title,
        "alt": f"{plot.title}. {says}",
        "says": says,
        "from": source,
        "head": [w.text(OFTEN_LABELS["players"]), *[one.label for one in plot.series]],
        "rows": rows,
    }


def _whole(mean: float) -> str:
    return f"{mean:.0f}" if mean >= 1 else f"{mean:.1f}"


def _cell(mean: float, error: float, w: Words) -> str:
    off = plots.CERTAIN * error
    # no more digits than mean something, and never an error of nothing
    digits = 1 if off >= 0.05 else 2
    return w.text(_CELL, mean=f"{mean:.{digits}f}", error=f"{max(off, 0.01):.{digits}f}")


def drawn(figure: str, language: str) -> str:
    """Return the plot of the stored results as it came with the package, or "" where it must be drawn."""
    path = resources.path(FILES) / f"{figure}.svg"
    return path.read_text(encoding="utf-8") if language == "en" and path.is_file() else ""


def how_often(figure: str = "dead", language: str | None = None) -> HowOften:
    """Return a figure of what many hands came to: "dead", "first" or "danger". Raises UnknownFigure and UnknownLanguage.

    The stored hands are shown first; where numpy is (extra `course`), a button plays new ones. `language` None is the one chosen for the
    whole dashboard (`i18n.chosen`).

    >>> print(str(how_often("danger")).splitlines()[0])
    How many points lie in a trick
    """
    w, notice = chosen(language)
    plot_of(figure, howoften.stored(), w)
    return HowOften(
        figure, w, sizes=list(HANDS) if importlib.util.find_spec("numpy") else [],
        words={
            "lang": w.language.replace("_", "-"), "dir": w.direction,
            "labels": {key: w.plain(text) for key, text in OFTEN_LABELS.items()}, "notice": notice,
        },
    )  # fmt: skip


__all__ = ["FIGURES", "HANDS", "HowOften", "UnknownFigure", "how_often", "plot_of", "told"]
