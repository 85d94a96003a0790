"""`cancel-hearts scoresheet`: what it writes and what it refuses; and the call that a notebook makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cancel_hearts_nb import cli, score_sheet
from cancel_hearts_nb.i18n import UnknownLanguage, Words
from cancel_hearts_nb.view.scoresheet import page

Captured = pytest.CaptureFixture[str]


def test_it_writes_the_page_and_says_where(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "scores.html"
    assert cli.main(["scoresheet", str(file)]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"The score sheet is in “{file}”. It works by itself, on a phone too.\n"
    assert not shown.err
    assert file.read_text(encoding="utf-8") == page()


def test_it_writes_over_no_file_unless_told_to(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "scores.html"
    file.write_text("mine")
    assert cli.main(["scoresheet", str(file)]) == 2
    assert capsys.readouterr().err == f"“{file}” exists already. With --force it is written over.\n"
    assert file.read_text() == "mine"
    assert cli.main(["scoresheet", str(file), "--force"]) == 0
    assert file.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("args", [[], ["a.html", "b.html"], ["--what"], ["no/such/folder/a.html"]], ids=" ".join)
def test_what_cannot_be_done_is_said(args: list[str], capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert cli.main(["scoresheet", *args]) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert shown.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_the_help_names_it(capsys: Captured) -> None:
    assert cli.main(["--help"]) == 0
    assert "scoresheet" in capsys.readouterr().out
    assert cli.main(["scoresheet", "--help"]) == 0
    assert "cancel-hearts scoresheet FILE [--force]" in capsys.readouterr().out


def test_the_page_is_in_the_language_asked_for(tmp_path: Path, pseudo_words: Words, capsys: Captured) -> None:
    file = tmp_path / "scores.html"
    assert cli.main(["scoresheet", str(file), "--lang", "qps"]) == 0
    assert '<html lang="qps" dir="ltr">' in file.read_text(encoding="utf-8")
    assert "⟦" in capsys.readouterr().out


def test_a_notebook_writes_the_same_page(tmp_path: Path) -> None:
    made = score_sheet().to_html(tmp_path / "x.html")
    assert made == tmp_path / "x.html"
    assert made.read_text(encoding="utf-8") == page()
    with pytest.raises(UnknownLanguage):
        score_sheet("xx")
