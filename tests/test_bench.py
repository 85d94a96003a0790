"""The benchmark runs and has the right shape; how fast anything is, no test asks."""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest

from cancel_hearts_nb import bench, benchlessons, benchsimulate, benchusual
from cancel_hearts_nb.i18n import words

TINY = ["--rounds", "1", "--seconds=0.05"]


@pytest.fixture(autouse=True)
def few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, hands in (("FEW", 20), ("MANY", 400), ("SHARED", 400), ("MOST", 400), ("ROLLOUTS", 20)):
        monkeypatch.setattr(benchsimulate, name, hands)


@pytest.fixture
def without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def lacking(name: str, package: str | None = None) -> Any:
        if name == "pyspiel":
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", lacking)


@pytest.fixture(autouse=True)
def without_what_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes half a minute each, and is tested in test_benchusual.py and test_benchlessons.py."""
    monkeypatch.setattr(benchusual, "measure", lambda rounds, steps: ({}, "voila", ""))
    monkeypatch.setattr(benchlessons, "measure", lambda rounds: ({}, "voila", ""))


def _check(found: dict[str, Any], with_openspiel: bool) -> None:
    theirs = {"openspiel", "openspiel_numpy"} if with_openspiel else set()
    assert set(found["hands_per_second"]) == {"hearts_4", "cancellation_8"} | theirs
    assert set(found["ratio"]) == theirs
    assert set(found["import_ms"]) == {"bare", "package", "game"}
    assert set(found["frame_bytes"]) == {"all_open", "one_seat"}
    for group in ("hands_per_second", "ratio", "import_ms", "frame_bytes"):
        for figure in found[group].values():
            assert figure["least"] <= figure["median"] <= figure["most"]
    assert all(figure["least"] > 0 for figure in found["hands_per_second"].values())
    simulation = found["simulation"]
    compared = {name for name in benchsimulate.LABELS if "openspiel" in name or "rollouts" in name}
    assert set(simulation["figures"]) == set(benchsimulate.LABELS) - (set() if with_openspiel else compared)
    assert all(figure["least"] > 0 for figure in simulation["figures"].values())
    assert not simulation["missing"]
    assert found["rounds"] == 1
    assert found["seconds"] == 0.05
    # all hands open show more faces, and so take more bytes, than one seat's view
    assert found["frame_bytes"]["one_seat"]["most"] < found["frame_bytes"]["all_open"]["least"]


def test_json_without_openspiel(without_openspiel: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main([*TINY, "--json"]) == 0
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert found["open_spiel"] is None
    _check(found, with_openspiel=False)
    assert "ratio" not in found["reached"]
    assert shown.err == words().text(bench.NO_OPEN_SPIEL, command=bench.INSTALL) + "\n"


def test_json_beside_openspiel(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel", reason="open_spiel belongs to the extra “bench” alone")
    assert bench.main([*TINY, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    _check(found, with_openspiel=True)
    assert found["open_spiel"]
    assert set(found["reached"]) == {"ratio", "ratio_numpy", "import_ms", "frame_bytes"}


def test_table(without_openspiel: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(TINY) == 0
    shown = capsys.readouterr().out
    assert words().text(bench.NO_OPEN_SPIEL, command=bench.INSTALL) in shown
    for key, label in bench.LABELS.items():
        assert (label in shown) == ("openspiel" not in key)
    assert words().text(benchsimulate.LABELS["ratio_few"]) in shown


def test_the_verdicts_on_the_simulator() -> None:
    figures = {"ratio_few": {"median": 1.2}, "ratio_seats": {"median": 0.7}, "hearts_4": {"median": 5.0}}
    simulation = {"figures": figures, "reached": benchsimulate.reached(figures), "missing": ""}
    assert list(benchsimulate.verdicts(simulation, words())) == [
        "Aim missed: the slowest table plays at least 0.8 times as many hands as that of 8.",
        "Aim reached: a hand among 1000 costs at most 1.5 times one among 100000.",
    ]
    (said,) = benchsimulate.verdicts({"figures": {}, "reached": {}, "missing": "numpy"}, words())
    assert said.startswith("The simulator is not measured: numpy is not installed")


@pytest.mark.parametrize(
    "argv",
    [
        ["--rounds", "0"],
        ["--rounds"],
        ["--rounds=²"],
        ["--seconds", "nan"],
        ["--seconds", "0"],
        ["--jason"],
        ["--json=1"],
        ["x"],
    ],
)
def test_wrong_options(argv: list[str]) -> None:
    with pytest.raises(bench.BenchError):
        bench.main(argv)


def test_the_modules_that_take_longest() -> None:
    report = (
        "import time: self [us] | cumulative | imported package\n"
        "import time:       100 |        100 |   zipimport\n"
        "a line of something else\n"
        "import time:      4000 |       4100 | cancel_hearts_nb.game\n"
    )
    assert bench.slowest(report) == [("cancel_hearts_nb.game", 4.0), ("zipimport", 0.1)]
