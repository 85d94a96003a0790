"""What is pinned is all that the lessons need; CI tests with it; a newer version is a warning and no failure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import newest
import pins
import pytest
from conftest import in_ci

PROJECT = tomllib.loads((pins.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CI = pins.ROOT / ".ci" / "run"


def test_every_line_pins_one_version_but_the_last() -> None:
    *lines, last = pins.FILE.read_text(encoding="utf-8").splitlines()
    assert last == "-e .[course]"
    for line in lines:
        assert re.fullmatch(r"[\w-]+==\d[\w.]*|#.*", line), line
    assert pins.written(pins.pinned()) == pins.FILE.read_text(encoding="utf-8")


def test_what_the_lessons_ask_for_is_pinned_and_new_enough() -> None:
    pinned = pins.pinned()
    for requirement in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["course"]:
        name, _, least = requirement.partition(">=")
        assert [*map(int, pinned[name].split("."))] >= [*map(int, least.split("."))], requirement


def test_binders_python_is_one_of_ours() -> None:
    assert f"Programming Language :: Python :: {pins.python()}" in PROJECT["classifiers"]


def test_ci_tests_what_is_pinned() -> None:
    """Elsewhere people test with what they have."""
    if not in_ci():
        pytest.skip("only CI makes the pins its constraints")
    found = {}
    for name in pins.pinned():
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            # an older Python may need what this one has itself, and the other way round
            assert pins.python() != "{}.{}".format(*sys.version_info), name
    assert pins.changes({name: pins.pinned()[name] for name in found}, found) == []


def test_changes_are_told_package_by_package() -> None:
    assert pins.changes({"b": "1", "A": "1"}, {"A": "1", "b": "2", "c": "3"}) == ["b 1 -> 2", "c (none) -> 3"]
    assert pins.pinned(pins.written({"b": "2", "A": "1"})) == {"A": "1", "b": "2"}


def test_renewing_asks_pip_without_the_pins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A pip that is none tells what it was asked for, and with which constraints."""
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__init__.py").touch()
    (tmp_path / "pip" / "__main__.py").write_text(
        "import json, os, sys\n"
        "assert '--dry-run' in sys.argv and sys.argv[-1].endswith('[course]'), sys.argv\n"
        "names = {'cancel_hearts_nb': '0', 'ipywidgets': os.environ.get('PIP_CONSTRAINT', '9.9')}\n"
        "print(json.dumps({'install': [{'metadata': {'name': n, 'version': v}} for n, v in names.items()]}))\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PIP_CONSTRAINT", "pins.txt")
    monkeypatch.setattr(pins, "FILE", tmp_path / "requirements.txt")
    (tmp_path / "runtime.txt").write_text("python-{}.{}\n".format(*sys.version_info))
    assert pins.main([]) == 0
    assert pins.pinned() == {"ipywidgets": "9.9"}
    (tmp_path / "runtime.txt").write_text("python-3.8\n")
    assert pins.main([]) == 1


# --- CI


def ci(tmp_path: Path, tests: int, warning: int) -> subprocess.CompletedProcess[str]:
    """Run a copy of CI's script, with a Python that makes an environment of stand-ins with these results."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "run").write_bytes(CI.read_bytes())
    (tmp_path / "binder").mkdir()
    (tmp_path / "binder" / "requirements.txt").write_text("# who\nnumpy==2.4.6\ntqdm==4.70.1\n-e .[course]\n")
    made = tmp_path / ".venv" / "bin"
    made.mkdir(parents=True)
    stand_ins = {
        made / "pip": 'echo "pip $*"; sed "s/^/given /" "$PIP_CONSTRAINT"',
        made / "python": f'echo "$*"; [ "$1" = tests/newest.py ] && exit {warning}; exit {tests}',
        tmp_path / "bin" / "python3": "exit 0",
        tmp_path / "bin" / "chromium-headless-shell": "exit 0",
    }
    (tmp_path / "bin").mkdir()
    for path, code in stand_ins.items():
        path.write_text(f"#!/bin/sh\n{code}\n")
        path.chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", tmp_path / ".ci" / "run"], env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=60
    )


@pytest.mark.skipif(os.name != "posix", reason="CI's script is for Debian")
@pytest.mark.parametrize("tests", [0, 1])
@pytest.mark.parametrize("warning", [0, 3])
def test_ci_installs_with_the_pins_and_warns_without_changing_the_result(
    tmp_path: Path, tests: int, warning: int
) -> None:
    done = ci(tmp_path, tests, warning)
    said = done.stdout.splitlines()
    assert said == [
        "pip install -e .[test]", "given # who", "given numpy==2.4.6", "given tqdm==4.70.1", "-m pytest", "tests/newest.py",
    ], done.stderr  # fmt: skip
    assert done.returncode == tests


# --- the early warning


def test_nothing_newer_needs_no_tests(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(pins, "newest", lambda seconds: pins.pinned())
    monkeypatch.setattr(newest, "install", None)
    assert newest.main() == 0
    assert capsys.readouterr().out == "Early warning: nothing is newer than binder/requirements.txt.\n"


@pytest.mark.parametrize(("passed", "told"), [(True, "run with them."), (False, "DO NOT RUN WITH THEM.\nboom")])
def test_newer_versions_are_tried_and_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], passed: bool, told: str
) -> None:
    tried = []
    monkeypatch.setattr(pins, "newest", lambda seconds: {**pins.pinned(), "ipywidgets": "99.0"})
    monkeypatch.setattr(newest, "install", lambda folder, versions, seconds: tried.extend(versions))
    monkeypatch.setattr(newest, "check", lambda folder, seconds: (passed, "boom"))
    assert newest.main() == 0
    said = capsys.readouterr().out
    assert tried == ["ipywidgets==99.0"]
    assert f"ipywidgets {pins.pinned()['ipywidgets']} -> 99.0" in said and told in said


def test_a_warning_that_cannot_be_given_fails_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(seconds: float) -> dict[str, str]:
        raise pins.PinsError("no network")

    monkeypatch.setattr(pins, "newest", fail)
    assert newest.main() == 0
    assert capsys.readouterr().out == "Early warning: could not be given: no network\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="paths of an environment differ elsewhere")
def test_the_trial_takes_the_newer_package_and_ends_what_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "segno"\nversion = "99.0"\n'
    )
    (package / "segno.py").write_text("")
    environment = tmp_path / "environment"
    newest.install(environment, ["--no-build-isolation", str(package)], 60)
    check = tmp_path / "test_trial.py"
    check.write_text(
        "import time\nfrom importlib.metadata import version\n"
        "def test_versions(): assert (version('segno'), version('pytest')) == ('99.0', PYTEST)\n"
        "def test_sleep(): time.sleep(SLEEP)\n"
        f"PYTEST = {metadata.version('pytest')!r}\nSLEEP = 0\n"
    )
    monkeypatch.setattr(newest, "CHECKS", [str(check), "-p", "no:xdist", "-o", "addopts="])
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    passed, said = newest.check(environment, 60)
    assert passed, said
    check.write_text(check.read_text().replace("SLEEP = 0", "SLEEP = 60"))
    assert newest.check(environment, 3) == (False, f"no answer within {newest.SECONDS} seconds")
