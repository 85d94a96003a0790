"""The table's part of the benchmark runs and has the right shape; how fast anything is, no test asks."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from cancel_hearts_nb import bench, benchview
from cancel_hearts_nb.i18n import words

ROUNDED = {
    "step_script_ms", "step_script_ms_p95", "step_layout_ms", "step_layout_ms_p95", "step_frame_ms", "step_frame_ms_p95",
    "picture_draw_ms", "picture_insert_ms", "mount_ms",
}  # fmt: skip
AIMS = {"step_script_ms_p95", "mount_ms", "hand_bytes", "asset_bytes"}


def test_every_figure_is_there_once_a_round(chromium: str) -> None:
    pytest.importorskip("playwright")
    found, missing, detail = benchview.measure(1, 0.01)  # a round of four steps, in a process of its own
    assert (missing, detail) == ("", "")
    assert set(found) == set(benchview.LABELS)
    assert all(len(values) == 1 and values[0] >= 0 for values in found.values())
    one = {name: values[0] for name, values in found.items()}
    for name in ("step_script_ms", "step_layout_ms", "step_frame_ms"):
        assert one[name] <= one[name + "_p95"]
    assert one["mount_ms"] > 0
    assert one["step_script_ms"] <= one["step_layout_ms"] <= one["step_frame_ms"]
    assert one["frame_bytes"] < one["hand_bytes"] < one["all_bytes"] < one["picture_bytes"]
    assert one["asset_gzip_bytes"] < one["asset_bytes"] < one["asset_plain_bytes"]
    assert one["asset_bytes"] < one["play_asset_bytes"]


def test_a_browser_that_gives_up_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("playwright") is None:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setenv("CHROMIUM", "true")  # a program that is there, and is no browser
    if benchview.chromium() is None:
        pytest.skip("there is no program “true” here")
    found, missing, detail = benchview.measure(1, 0.01)
    assert (found, missing) == ({}, "failed")
    assert detail
    assert "\n" not in detail


@pytest.mark.parametrize("lacking", ["chromium", "playwright"])
def test_what_is_missing_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch, lacking: str) -> None:
    monkeypatch.setattr(benchview, "chromium", lambda: None if lacking == "chromium" else "/bin/chromium")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    table = bench._part(benchview, benchview.measure(1, 0.01))
    assert table["missing"] == lacking
    assert table["figures"] == table["reached"] == {}
    (said,) = benchview.verdicts(table, words())
    assert said == words().text(benchview.NOT_MEASURED[lacking], command=benchview.INSTALL)


@pytest.mark.parametrize("good", [True, False])
def test_each_aim_has_its_verdict(good: bool) -> None:
    figures = {name: {"median": 0.0 if good else 1e9} for name in ROUNDED | AIMS}
    reached = benchview.reached(figures)
    assert reached == dict.fromkeys(reached, good)
    assert set(reached) == AIMS
    table: dict[str, Any] = {"figures": figures, "reached": reached, "missing": "", "detail": ""}
    said = list(benchview.verdicts(table, words()))
    assert len(said) == len(AIMS)
    assert all(line.startswith("Aim reached" if good else "Aim missed") for line in said)


def test_a_value_that_95_of_100_do_not_exceed() -> None:
    assert benchview.p95([5.0]) == 5.0
    assert benchview.p95([float(i) for i in range(20)]) == 18.0
