"""One language for a whole dashboard: the environment names it, and every table that names none speaks it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pseudo import MakeLanguage, pseudo

from cancel_hearts_nb import cli, i18n, record, resources, serve
from cancel_hearts_nb.i18n import UnknownLanguage, Words, words
from cancel_hearts_nb.view.lesson import lesson
from cancel_hearts_nb.view.panels import gallery, show
from cancel_hearts_nb.view.play import play_table
from cancel_hearts_nb.view.quiz import exam, quiz
from cancel_hearts_nb.view.scoresheet import score_sheet
from cancel_hearts_nb.view.wheel import passing_wheel

MAKERS: dict[str, Callable[..., Any]] = {
    "gallery": gallery,
    "show": lambda language=None: show(next(iter(record.examples())), language=language),
    "play_table": play_table,
    "score_sheet": score_sheet,
    "quiz": lambda language=None: quiz("04_cancellation", language),
    "exam": lambda language=None: exam(7, language),
    "lesson": lambda language=None: lesson("04_cancellation", language),
    "passing_wheel": lambda language=None: passing_wheel(language=language),
}


def notice(table: Any) -> str:
    return str(table.words.get("notice") or getattr(table, "notice", ""))


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_what_names_no_language_speaks_that_of_the_environment(
    make: Callable[..., Any], pseudo_words: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert make().words["lang"] == "en"
    monkeypatch.setenv(i18n.VARIABLE, "qps")
    assert make().words["lang"] == "qps" and not notice(make())
    assert make("en").words["lang"] == "en", "what a notebook asks for goes first"
    monkeypatch.setenv(i18n.VARIABLE, "")
    assert make().words["lang"] == "en"


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("wrong", ["xx", "../en", "x" * 50, "\udcff"])
def test_an_unknown_language_of_the_environment_is_a_sentence_and_english(
    make: Callable[..., Any], wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(i18n.VARIABLE, wrong)
    table = make()
    assert table.words["lang"] == "en"
    assert notice(table).startswith("There is no language “") and "The languages are: en." in notice(table)
    with pytest.raises(UnknownLanguage):
        make("xx")


def test_the_commands_speak_it_too(
    pseudo_words: Words, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(i18n.VARIABLE, "qps")
    cli.main(["rules", "lead.winner"])
    assert "⟦" in capsys.readouterr().out
    cli.main(["rules", "lead.winner", "--lang", "en"])
    assert "⟦" not in capsys.readouterr().out
    monkeypatch.setenv(i18n.VARIABLE, "xx")
    assert cli.main(["rules", "lead.winner"]) == 0
    said = capsys.readouterr()
    assert said.err == "There is no language “xx” here. The languages are: en, qps.\n" and "⟦" not in said.out


def test_the_dashboard_hands_its_language_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: dict[str, Any] = {}

    class Started(Exception):
        pass

    def start(*args: Any, **more: Any) -> None:
        given.update(more["env"])
        raise Started

    monkeypatch.setattr(subprocess, "Popen", start)
    with pytest.raises(Started), serve._server(tmp_path, serve.Place(), words()):
        pass
    assert given[i18n.VARIABLE] == "en"


@pytest.mark.slow
def test_dashboard_in_another_language(tmp_path: Path, make_language: MakeLanguage, browser: Any) -> None:
    """A copy of the package that knows one language more, started as a person would."""
    make_language("qps", lambda form, _: pseudo(form))
    package = tmp_path / "copy" / "cancel_hearts_nb"
    shutil.copytree(Path(cli.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "locale"))
    shutil.copytree(i18n.LOCALES, package / "locale")
    shutil.copytree(resources.path("notebooks"), package.parent / "notebooks")
    shutil.copy(Path(cli.__file__).parents[1] / "pyproject.toml", package.parent)
    process = subprocess.Popen(
        [sys.executable, "-m", "cancel_hearts_nb.cli", "dashboard", "--no-browser", "--port", "18971", "--lang", "qps"],
        cwd=package.parent, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(package.parent), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://127\.0\.0\.1:\d+/", line) for line in process.stdout)))
        context = browser.new_context()
        page = context.new_page()
        page.goto(found.group() + "voila/render/07_play_a_hand.ipynb")
        assert page.get_attribute("html", "lang") == "qps"
        assert page.title().startswith("⟦")
        page.wait_for_selector(".chnb [data-play=start]", timeout=60_000)
        assert page.inner_text(".chnb [data-play=start]").startswith("⟦Start")
        assert page.get_attribute(".chnb", "lang") == "qps"
        page.goto(found.group() + "voila/render/00_start_here.ipynb")
        page.wait_for_selector(".chnb .live", timeout=60_000)
        assert page.inner_text(".chnb .live").startswith("⟦")
        context.close()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
