"""The figures of how often tricks die: the plots, their numbers, and the button that plays hands anew."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from cancel_hearts_nb import howoften, resources
from cancel_hearts_nb.view import often, plots
from cancel_hearts_nb.view.often import FIGURES, how_often, plot_of

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [one.text or "" for one in ET.fromstring(svg).iter(f"{SVG}text")]


def marks(svg: str) -> list[tuple[float, float]]:
    """Where the marks and ticks stand, rounded: what another version of matplotlib draws alike."""
    use = ET.fromstring(svg).iter(f"{SVG}use")
    return [(round(float(one.get("x", "0"))), round(float(one.get("y", "0")))) for one in use]


def stored(figure: str) -> str:
    return (resources.path("plots") / f"{figure}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("figure", FIGURES)
def test_the_stored_plots_are_drawn_from_the_stored_results(figure: str) -> None:
    pytest.importorskip("matplotlib")
    fresh = plots.svg(plot_of(figure, howoften.stored()))
    assert texts(stored(figure)) == texts(fresh)
    assert len(marks(fresh)) > 18
    assert all(
        abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1
        for a, b in zip(marks(stored(figure)), marks(fresh), strict=True)
    )


@pytest.mark.parametrize("figure", FIGURES)
def test_a_plot_has_a_title_both_axes_and_every_label(figure: str) -> None:
    plot = plot_of(figure, howoften.stored())
    found = texts(stored(figure))
    assert {plot.title, plot.x, plot.y, *[one.label for one in plot.series]} <= set(found)
    assert {"6", "7", "8", "9", "10", "11"} <= set(found)


def test_every_series_has_a_marker_and_a_line_of_its_own() -> None:
    """So that a plot reads in black and white."""
    for key in ("marker", "linestyle"):
        assert len({look[key] for look in plots._LOOKS}) == len(plots._LOOKS)
    assert max(len(plot_of(figure, howoften.stored()).series) for figure in FIGURES) <= len(plots._LOOKS)


def test_equal_plots_give_equal_files_with_error_bars_that_grow_with_the_error() -> None:
    pytest.importorskip("matplotlib")

    def one(error: float) -> plots.Plot:
        return plots.Plot("T", "x", "y", (plots.Series("s", ((6, 5.0, error), (7, 6.0, error))),))

    assert plots.svg(one(0.1)) == plots.svg(one(0.1))
    assert "matplotlib" not in plots.svg(one(0.1)).split("<defs>")[0]

    def bars(error: float) -> float:
        group = plots.svg(one(error)).split('id="LineCollection')[1]
        first, second = re.findall(r"[ML] [\d.]+ ([\d.]+)", group)[:2]
        return abs(float(first) - float(second))

    assert bars(0.2) > bars(0.1) > 0


def test_without_matplotlib_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(plots.PlotsMissing, match=r"needs matplotlib.*pip install cancel_hearts_nb\[course\]"):
        plots.svg(plot_of("dead", howoften.stored()))
    # what is stored is shown all the same
    assert how_often("dead").picture == stored("dead")


def test_the_numbers_are_there_as_a_table_and_the_sentence_tells_them() -> None:
    figure = how_often("dead")
    told: dict[str, Any] = figure.told
    assert [row[0] for row in told["rows"]] == ["6", "7", "8", "9", "10", "11"]
    measured = howoften.stored().row(8, "cautious", "two_pairs").measured["every"]
    assert told["rows"][2][1] == f"{100 * measured.mean:.1f} ± {100 * 1.96 * measured.error:.1f}"
    assert f"{100 * measured.mean:.0f} of 100 tricks die" in told["says"]
    data, _ = figure._repr_mimebundle_()  # type: ignore[misc]
    assert data["text/html"].count("<tr>") == 7
    assert "data:image/svg+xml;base64," in data["text/html"]
    assert told["rows"][0][1] in data["text/plain"]


def test_an_unknown_figure_is_answered_with_the_nearest() -> None:
    with pytest.raises(often.UnknownFigure, match="Did you mean “danger”"):
        how_often("dangerous")


def heard(figure: Any, content: Any) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    figure.send = sent.append
    figure._heard(figure, content, [])
    return sent


def test_hands_played_anew_and_the_stored_ones_again() -> None:
    pytest.importorskip("matplotlib")
    figure = how_often("first")
    before = dict(figure.told), figure.picture
    assert heard(figure, {"kind": "play", "id": "a", "hands": 200}) == [{"begun": "a"}, {"done": "a"}]
    assert "200 hands at each table, played by the computer just now; seed" in figure.told["from"]
    assert figure.picture != before[1]
    assert heard(figure, {"kind": "stored", "id": "b"})[-1] == {"done": "b"}
    assert (dict(figure.told), figure.picture) == before


def test_only_the_numbers_of_hands_that_are_offered_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(howoften, "play", lambda *a, **k: pytest.fail("played"))
    figure = how_often("first")
    for hands in (10**9, -1, "200", None):
        heard(figure, {"kind": "play", "id": "a", "hands": hands})
    assert heard(figure, {"kind": "other"}) == [] == heard(figure, "text")


def test_what_goes_wrong_is_said_on_the_page(monkeypatch: pytest.MonkeyPatch, callback_errors: list[str]) -> None:
    def broken(*args: Any) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(howoften, "play", broken)
    sent = heard(how_often("dead"), {"kind": "play", "id": "a", "hands": 200})
    assert "planted" in sent[-1]["failed"]
    assert len(callback_errors) == 1
    callback_errors.clear()


@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_of_a_figure(mount: Any, width: int) -> None:
    page = mount(how_often("dead"), width)
    picture = page.locator(".chnb-often img")
    assert picture.evaluate("e => e.complete && e.naturalWidth > 0")
    assert picture.get_attribute("alt").startswith("How often a trick dies. At a table of eight")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("Hands at each table").select_option("200")
    page.get_by_role("button", name="Play hands anew").click()
    sent = page.evaluate("model.sent")
    assert [(one["kind"], one["hands"]) for one in sent] == [("play", 200)]
    assert "playing" in page.inner_text(".note")
    # a second press while it plays asks nothing more
    page.get_by_role("button", name="Play hands anew").dispatch_event("click")
    assert len(page.evaluate("model.sent")) == 1
    page.evaluate("id => { model.hear({ begun: id }); model.hear({ done: id }); }", sent[0]["id"])
    assert page.inner_text(".note") == ""
    assert page.get_by_role("button", name="Show the stored hands again").is_visible()
    assert page.evaluate("errors") == []
    page.evaluate("cleanups[0]()")
    assert page.evaluate("model.listening()") == 0


def test_without_a_kernel_the_page_says_so(mount: Any) -> None:
    page = mount(how_often("dead"), dead=True)
    page.get_by_role("button", name="Play hands anew").click()
    assert "Nothing answers" in page.inner_text(".note")
    slow = mount(how_often("dead"), clock=True)
    slow.get_by_role("button", name="Play hands anew").click()
    slow.clock.run_for(9000)
    assert "Nothing answers" in slow.inner_text(".note")
