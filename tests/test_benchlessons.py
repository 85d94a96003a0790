"""The lessons are opened and measured in the right shape; how fast anything is, no test asks."""

from __future__ import annotations

from typing import Any

import pytest

from cancel_hearts_nb import bench, benchlessons, serve
from cancel_hearts_nb.i18n import words


@pytest.mark.slow
def test_every_figure_is_there_once_a_round(chromium: str) -> None:
    pytest.importorskip("playwright")
    pytest.importorskip("voila")
    found, missing, detail = benchlessons.measure(1, 1)
    assert (missing, detail) == ("", "")
    assert {name: len(values) for name, values in found.items()} == dict.fromkeys(benchlessons.LABELS, 1)
    one = {name: values[0] for name, values in found.items()}
    # one lesson alone is the one in the middle and the slowest
    assert one["lesson_s"] == one["slowest_s"] > 0 < one["hello_s"]
    assert one["slowest_more_s"] == pytest.approx(one["slowest_s"] - one["hello_s"])


def test_what_is_missing_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "available", lambda: False)
    lessons = bench._part(benchlessons, benchlessons.measure(1))
    assert lessons["figures"] == lessons["reached"] == {}
    (said,) = benchlessons.verdicts(lessons, words())
    assert said.startswith("The lessons are not measured: Voilà is not installed")


@pytest.mark.parametrize(("more", "start"), [(3.0, "Aim reached"), (3.1, "Aim missed")])
def test_the_aim_has_its_verdict(more: float, start: str) -> None:
    figures = {"slowest_more_s": {"median": more}}
    lessons: dict[str, Any] = {"missing": "", "detail": "", "reached": benchlessons.reached(figures)}
    (said,) = benchlessons.verdicts(lessons, words())
    assert said.startswith(start)
