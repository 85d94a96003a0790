"""Plots as SVG, drawn by matplotlib, which is loaded when the first one is drawn.

They must also read in black and white: every series has its own marker and its own kind of line. Texts stay texts in
the SVG, and equal plots give equal files.
"""

from __future__ import annotations

import importlib.util
import io
from typing import Any, NamedTuple

from ..messages import N_, Problem

CERTAIN = 1.96
"""How many standard errors to each side hold the true value 95 times in 100."""
INSTALL = "pip install cancel_hearts_nb[course]"
_SIZE = (4.7, 4.3)
_LOOKS: tuple[dict[str, Any], ...] = (
    {"marker": "o", "linestyle": "-", "color": "#0b5d66", "markerfacecolor": "#0b5d66"},
    {"marker": "s", "linestyle": "--", "color": "#8a3b12", "markerfacecolor": "#fcfbf7"},
    {"marker": "^", "linestyle": "-.", "color": "#22262a", "markerfacecolor": "#22262a"},
    {"marker": "D", "linestyle": ":", "color": "#5a4a8a", "markerfacecolor": "#fcfbf7"},
)
_PAPER, _INK, _HAIR = "#fcfbf7", "#22262a", "#dcd8cc"


class PlotsMissing(Problem, ImportError):
    """A plot was to be drawn where matplotlib is not installed."""


class Series(NamedTuple):
    """One line of a plot: its `label` and `points` of x, mean and standard error."""

    label: str
    points: tuple[tuple[int, float, float], ...]


class Plot(NamedTuple):
    """What is drawn: a `title`, the names of both axes, and up to four `series`."""

    title: str
    x: str
    y: str
    series: tuple[Series, ...]


def svg(plot: Plot) -> str:
    """Return `plot` as an SVG document. Raises PlotsMissing.

    >>> "Points" in svg(Plot("Points", "Players", "Points", (Series("all", ((6, 1.0, 0.1), (7, 2.0, 0.1))),)))
    True
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise PlotsMissing(
            N_("Drawing this needs matplotlib, which is not installed; “%(command)s” installs it."), command=INSTALL
        )
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # matplotlib types its settings by name
    style: Any = {
        "svg.fonttype": "none", "svg.hashsalt": "cancel_hearts_nb", "font.family": "sans-serif", "font.size": 9.5,
        "font.sans-serif": ["DejaVu Sans", "Verdana"],
        "text.color": _INK, "axes.labelcolor": _INK, "xtick.color": _INK, "ytick.color": _INK, "axes.edgecolor": _INK,
        "axes.spines.top": False, "axes.spines.right": False, "text.parse_math": False,
    }  # fmt: skip
    with mpl.rc_context(style):
        figure = Figure(figsize=_SIZE, facecolor=_PAPER, layout="constrained")
        axes = figure.add_subplot(facecolor=_PAPER)
        for one, look in zip(plot.series, _LOOKS, strict=False):
            xs, means, errors = zip(*one.points, strict=True)
            axes.errorbar(
                xs, means, yerr=[CERTAIN * error for error in errors], label=one.label, capsize=3.5, elinewidth=1.4,
                markersize=5.5, linewidth=1.3, **look,
            )  # fmt: skip
        axes.set_title(plot.title, fontsize=11, loc="left", fontweight="bold")
        axes.set_xlabel(plot.x)
        axes.set_ylabel(plot.y)
        axes.set_xticks(sorted({x for one in plot.series for x, _, _ in one.points}))
        axes.set_ylim(bottom=0)
        axes.grid(axis="y", color=_HAIR, linewidth=0.7)
        axes.set_axisbelow(True)
        figure.legend(loc="outside lower left", frameon=False, handlelength=3.6, fontsize=9)
        out = io.StringIO()
        figure.savefig(out, format="svg", facecolor=_PAPER, metadata={"Date": None, "Creator": None})
    return out.getvalue()
