"""The watchers themselves: what they must catch, planted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")


@pytest.fixture
def inner(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with our conftest, not on CI."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.delenv("CHROMIUM", raising=False)
    pytester.makeconftest(CONFTEST)
    return pytester


def notebook(source: str) -> str:
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": source}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


@pytest.mark.parametrize(("body", "errors"), [("pass", 0), ("raise RuntimeError('planted')", 1)])
def test_an_error_in_a_callback_fails_the_test(
    inner: pytest.Pytester, callback_errors: list[str], body: str, errors: int
) -> None:
    inner.makepyfile(f"""
        import ipywidgets

        def test_click():
            def handler(button):
                {body}
            button = ipywidgets.Button()
            button.on_click(handler)
            button.click()
    """)
    inner.runpytest("-p", "no:nbval").assert_outcomes(passed=1, errors=errors)
    # the inner run is in this process, so the error was seen here too
    assert len(callback_errors) == errors
    callback_errors.clear()


@pytest.mark.parametrize("ci", [False, True])
def test_a_missing_browser_is_skipped_here_and_fails_on_ci(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: bool
) -> None:
    inner.makepyfile("def test_page(chromium): pass")
    monkeypatch.setenv("PATH", str(inner.path))
    if ci:
        monkeypatch.setenv("CI", "true")
    result = inner.runpytest("-p", "no:nbval")
    result.assert_outcomes(errors=1) if ci else result.assert_outcomes(skipped=1)


@pytest.mark.parametrize("ci", [False, True])
def test_a_browser_test_that_skips_itself_fails_on_ci(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: bool
) -> None:
    browser = inner.path / "chromium"
    browser.write_text("")
    browser.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(browser))
    inner.makepyfile(
        "import pytest\ndef test_page(chromium): pytest.skip('later')\ndef test_other(): pytest.skip('fine')"
    )
    if ci:
        monkeypatch.setenv("CI", "true")
    result = inner.runpytest("-p", "no:nbval")
    result.assert_outcomes(failed=1, skipped=1) if ci else result.assert_outcomes(skipped=2)


@pytest.mark.slow
@pytest.mark.parametrize("ci", [False, True])
def test_a_skipped_notebook_fails_on_ci(inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: bool) -> None:
    (inner.path / "lesson.ipynb").write_text(notebook("# NBVAL_SKIP\n1 + 1"))
    if ci:
        monkeypatch.setenv("CI", "true")
    result = inner.runpytest("--nbval", "--nbval-current-env")
    result.assert_outcomes(failed=1) if ci else result.assert_outcomes(skipped=1)


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_a_run_of_everything_without_notebooks_fails_on_ci(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: tuple[str, ...]
) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    inner.makeini("[pytest]\ntestpaths = .")
    inner.makepyfile("def test_fine(): pass")
    monkeypatch.setenv("CI", "true")
    assert inner.runpytest("-p", "no:nbval", *workers).ret == pytest.ExitCode.USAGE_ERROR
    monkeypatch.delenv("CI")
    assert inner.runpytest("-p", "no:nbval", *workers).ret == pytest.ExitCode.OK
