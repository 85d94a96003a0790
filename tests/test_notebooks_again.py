"""The notebooks once more, after the run that `testpaths` names: what a run leaves behind must not change the next."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from installed import run_notebooks

from cancel_hearts_nb import resources


@pytest.mark.slow
def test_the_notebooks_pass_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "")
    run_notebooks(sys.executable, resources.path("notebooks"), tmp_path)


@pytest.mark.slow
def test_a_notebook_that_shows_something_else_does_not_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "")
    lesson = (resources.path("notebooks") / "07_play_a_hand.ipynb").read_text(encoding="utf-8")
    assert "Lesson 8 of 10" in lesson
    (tmp_path / "changed.ipynb").write_text(lesson.replace("Lesson 8 of 10", "Lesson 9 of 10"), encoding="utf-8")
    with pytest.raises(AssertionError):
        run_notebooks(sys.executable, tmp_path, tmp_path)
