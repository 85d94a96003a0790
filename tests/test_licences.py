"""Licences and known weaknesses of what the lessons need: told rightly, refused when they must be, and nothing hangs."""

from __future__ import annotations

import tomllib
from email.message import Message
from pathlib import Path

import audit
import licences
import pins
import pytest


def metadata(**fields: str | list[str]) -> Message:
    made = Message()
    for name, values in fields.items():
        for value in [values] if isinstance(values, str) else values:
            made[name.replace("_", "-")] = value
    return made


def test_every_licence_is_allowed() -> None:
    found = licences.listed()
    project = tomllib.loads((pins.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = project["dependencies"] + project["optional-dependencies"]["course"]
    assert {one.partition(">=")[0] for one in asked} <= set(found)
    assert {name: told for name, told in found.items() if not licences.allowed(told)} == {}


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"License_Expression": "MIT AND 0BSD", "License": "GPL"}, "MIT AND 0BSD"),
        ({"Classifier": ["License :: OSI Approved", "License :: OSI Approved :: MIT License"]}, "MIT"),
        ({"Classifier": "Topic :: Games", "License": "Apache 2.0"}, "Apache-2.0"),
        ({"Classifier": "License :: OSI Approved :: GNU General Public License (GPL)"}, "GNU General Public License (GPL)"),
        ({"License": "Do as I say\nor not"}, "Do as I say"),
        ({"License": "UNKNOWN"}, ""),
        ({}, ""),
    ],
)  # fmt: skip
def test_each_way_to_tell_a_licence_is_read(fields: dict[str, str | list[str]], told: str) -> None:
    assert licences.licence(metadata(**fields)) == told


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD", True),
        ("GPL-3.0-only OR MIT", True),
        ("(MIT OR GPL-3.0-only) AND ISC", True),
        ("GPL-3.0-only", False),
        ("MIT AND LGPL-2.1-or-later", False),
        ("MIT AND (GPL-3.0-only)", False),
        ("GNU General Public License (GPL)", False),
        ("MIT WITH something", False),
        ("AND", False),
        ("", False),
        ("BSD (3-clause)", False),
        ("(MIT) (MIT)", False),
    ],
)
def test_what_is_allowed(expression: str, answer: bool) -> None:
    assert licences.allowed(expression) is answer


def test_the_list_names_what_is_not_allowed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert licences.main() == 0
    monkeypatch.setattr(licences, "licence", lambda of: "" if of["Name"] == "tqdm" else "MIT")
    assert licences.main() == 1
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "NOT ALLOWED" in line]
    assert line.split() == ["tqdm", "(not", "told)", "NOT", "ALLOWED"]


# --- known weaknesses


@pytest.mark.slow
def test_no_weakness_is_known() -> None:
    """A weakness that is known is mended by newer pins. Where nobody answers, nothing is known."""
    found = audit.audit()
    assert not found.weak, str(found)
    if found.not_audited:
        pytest.skip(str(found))


@pytest.fixture
def pip_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A function that puts a pip-audit in place that runs this code, with the requirements it was given in `asked`."""
    package = tmp_path / "pip_audit"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def make(code: str) -> None:
        (package / "__main__.py").write_text(
            "import json, sys, time\n"
            "asked = [line.split('==') for line in open(sys.argv[-1]).read().split()]\n"
            "def answer(**more): print(json.dumps({'dependencies': "
            "[{'name': n, 'version': v, 'vulns': [], **more.get(n, {})} for n, v in asked]}))\n"
            f"{code}\n"
        )

    return make


def test_packages_without_weakness(pip_audit) -> None:
    pip_audit("answer()")
    assert audit.audit() == audit.Audit(len(pins.pinned()), [], "")


def test_a_weakness_fails_and_says_what_mends_it(pip_audit, capsys: pytest.CaptureFixture[str]) -> None:
    pip_audit("answer(tornado={'vulns': [{'id': 'X-1', 'fix_versions': ['99.1']}]}); sys.exit(1)")
    assert audit.main() == 1
    assert f"tornado {pins.pinned()['tornado']}: X-1, mended in 99.1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("sys.exit('no address')", "pip-audit had no answer."),
        ("print('[]')", "pip-audit had no answer."),
        ("answer(**{name: {'skip_reason': 'unknown'} for name, _ in asked})", "nothing is known of ipywidgets."),
    ],
)
def test_no_answer_is_said_and_no_failure(pip_audit, code: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Above all what pip-audit skips, of which it says in the same breath that no weakness was found."""
    pip_audit(code)
    assert audit.main() == 0
    assert capsys.readouterr().out == f"Not audited: {why}\n"


def test_packages_that_are_skipped_are_named(pip_audit) -> None:
    pip_audit("answer(tqdm={'skip_reason': 'unknown'})")
    assert str(audit.audit()).splitlines() == [
        f"{len(pins.pinned()) - 1} packages audited, 0 weaknesses known.", "Not audited: nothing is known of tqdm.",
    ]  # fmt: skip


def test_a_service_that_does_not_answer_is_not_waited_for(pip_audit) -> None:
    pip_audit("time.sleep(100)")
    assert audit.audit(seconds=1).not_audited == "the advisory service did not answer in time."


def test_without_pip_audit_nothing_is_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit.importlib.util, "find_spec", lambda name: None)
    assert audit.audit() == audit.Audit(0, [], "pip-audit is not installed.")
