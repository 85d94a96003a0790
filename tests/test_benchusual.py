"""The comparison with the usual way runs and has the right shape; how fast anything is, no test asks."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from cancel_hearts_nb import bench, benchusual, benchview, serve
from cancel_hearts_nb.i18n import words


@pytest.mark.slow
def test_every_figure_is_there_once_a_round(chromium: str) -> None:
    pytest.importorskip("playwright")
    pytest.importorskip("voila")
    found, missing, detail = benchusual.measure(1, 6)
    assert (missing, detail) == ("", "")
    assert set(found) == set(benchusual.LABELS)
    one = {name: values[0] for name, values in found.items()}
    assert all(len(values) == 1 for values in found.values())
    assert all(value > 0 for name, value in one.items() if name != "table_bytes")
    for name in ("table", "usual", "html"):
        assert one[f"{name}_laid_ms"] < one[f"{name}_ms"] <= one[f"{name}_ms_p95"]
    assert one["ratio"] == pytest.approx(one["usual_ms"] / one["table_ms"])
    assert one["ratio_laid_html"] == pytest.approx(one["html_laid_ms"] / one["table_laid_ms"])
    # a picture of a hand in play takes thousands of bytes, and a step of the table is one small message at most
    assert one["table_bytes"] < 4000 < min(one["html_bytes"], one["usual_bytes"])


@pytest.mark.parametrize("lacking", ["chromium", "playwright", "voila"])
def test_what_is_missing_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch, lacking: str) -> None:
    monkeypatch.setattr(serve, "available", lambda: lacking != "voila")
    monkeypatch.setattr(benchview, "chromium", lambda: None if lacking == "chromium" else "/bin/chromium")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    usual = bench._part(benchusual, benchusual.measure(1, 5))
    assert usual["missing"] == lacking
    assert usual["figures"] == usual["reached"] == {}
    (said,) = benchusual.verdicts(usual, words())
    assert said.startswith("The table is not compared with the usual way")
    assert {"chromium": "Debian", "playwright": benchview.INSTALL, "voila": benchusual.COURSE}[lacking] in said


def test_a_problem_is_passed_on_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "available", lambda: True)
    monkeypatch.setattr(benchview, "apart", lambda module, **options: ({}, "failed", "no port is free"))
    usual = bench._part(benchusual, benchusual.measure(1, 5))
    (said,) = benchusual.verdicts(usual, words())
    assert "no port is free" in said


@pytest.mark.parametrize(("ratio", "start"), [(10.0, "Aim reached"), (9.9, "Aim missed")])
def test_the_aim_has_its_verdict(ratio: float, start: str) -> None:
    figures = {"ratio": {"median": ratio}}
    usual: dict[str, Any] = {"figures": figures, "reached": benchusual.reached(figures), "missing": "", "detail": ""}
    (said,) = benchusual.verdicts(usual, words())
    assert said.startswith(start)


def test_at_most_so_many_rounds_and_steps_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(serve, "available", lambda: True)
    monkeypatch.setattr(benchview, "apart", lambda module, **options: asked.append((module, options)) or ({}, "", ""))
    benchusual.measure(99, 999)
    benchusual.measure(1, 0)
    assert asked == [("benchusual", {"rounds": 3, "steps": 20}), ("benchusual", {"rounds": 1, "steps": 1})]
