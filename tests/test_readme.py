"""The README: its Python session runs, its commands work, what it points to is there, CI runs what it says."""

from __future__ import annotations

import doctest
import re
import shlex
import stat
import tomllib
from pathlib import Path

import pytest

from cancel_hearts_nb import cli, record
from cancel_hearts_nb.commandline import LANG

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TASKS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["poe"]["tasks"]
SET_UP = "python3 -m venv .venv && .venv/bin/pip install -e '.[{extra}]' && .venv/bin/{then}"


# a server does not end, measuring takes minutes, a site needs more packages
TESTED_ELSEWHERE = {cli.DASHBOARD, "bench", "site"}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_the_python_session_runs() -> None:
    (session,) = blocks("python")
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 5
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert not failed, "".join(said)


def test_two_commands_do_all_the_set_up() -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    assert SET_UP.format(extra="course", then="cancel-hearts") in lines
    assert SET_UP.format(extra="test", then="python -m pytest") in lines


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & stat.S_IXUSR
    lines = script.read_text(encoding="utf-8").splitlines()
    assert lines[-1] == SET_UP.format(extra="test", then="python -m pytest")
    assert "set -eu" in lines
    assert any(line.startswith("export CI=true") for line in lines)


def commands() -> list[list[str]]:
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("cancel-hearts")]
    return [shlex.split(line, comments=True)[1:] for line in lines]


def test_the_commands_work_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    named = [args[0] if args and not args[0].startswith("-") else cli.DASHBOARD for args in commands()]
    assert set(named) == set(cli.COMMANDS)
    for name, args in zip(named, commands(), strict=True):
        if name not in TESTED_ELSEWHERE:
            assert cli.main(args) == 0, args
            assert capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["course", "hand.toml", "sheet.html"]


def test_every_option_that_is_named_exists() -> None:
    options = [option for command in cli.COMMANDS.values() for option in command.options]
    known = {option.name for option in (*options, LANG)} | {"--help"}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", README))
    # those of the load script
    known |= {"--learners", "--pages", "--rounds"}
    assert named <= known


def test_every_task_that_is_named_exists() -> None:
    named = set(re.findall(r"`poe ([a-z-]+)`", README))
    assert named
    assert named <= set(TASKS)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_what_it_points_to_is_there(link: str) -> None:
    assert (ROOT / link).is_file()


def test_the_files_of_the_layout_exist() -> None:
    layout = README.partition("## How the code is laid out")[2].partition("## Tests")[0]
    for name in re.findall(r"^\| (.*?) \|", layout, re.MULTILINE)[2:]:
        for part in re.findall(r"`([^`]+)`", name):
            assert (ROOT / "cancel_hearts_nb" / part).exists(), part


def test_tasks_run_files_that_exist() -> None:
    for task in TASKS.values():
        for path in re.findall(r"\S+\.py", task.get("cmd", "")):
            assert (ROOT / path).is_file(), path


def test_the_version_has_a_place_in_the_changelog() -> None:
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_record_it_shows_can_be_loaded() -> None:
    text = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert text
    loaded = record.loads(text.group(1), "README.md")
    assert [event.name for event in loaded.game.events].count("TrickDead") == 1
