"""What all tests share: the browser, the watch over callbacks, pseudo-languages; and what CI does not let pass."""

from __future__ import annotations

import functools
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pseudo import MakeLanguage, pseudo
from servers import BROKEN_PAGE, BROWSER_ARGS, Served, free_port, serving

from cancel_hearts_nb import benchview, i18n
from cancel_hearts_nb.i18n import Words

NOTEBOOKS = Path(i18n.__file__).parents[1] / "notebooks"
NO_NOTEBOOK = "No notebook was collected, which CI does not allow."
# Chromium without its windows opens pages sooner
QUICKEST = "chromium-headless-shell"


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


class Strict:
    """On CI, makes a notebook or a browser test that was skipped a failure, and a run without notebooks an error.

    It is registered as a plugin of its own because a conftest sees only the tests below its folder.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Any:
        report = yield
        watched = item.path.suffix == ".ipynb" or "chromium" in getattr(item, "fixturenames", ())
        if watched and report.skipped and not hasattr(report, "wasxfail"):
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} was skipped, which CI does not allow: {report.longrepr}"
        return report

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if self._everything(session) and not any(item.path.suffix == ".ipynb" for item in session.items):
            raise pytest.UsageError(NO_NOTEBOOK)

    # with workers nothing is collected here, and a worker does not know whether it was to run everything

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.notebooks |= ".ipynb::" in report.nodeid

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.config.getoption("numprocesses", None) and self._everything(session) and not self.notebooks:
            session.config.get_terminal_writer().line(NO_NOTEBOOK)
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    notebooks = False

    @staticmethod
    def _everything(session: pytest.Session) -> bool:
        of_worker = hasattr(session.config, "workerinput")
        return not of_worker and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS


def pytest_configure(config: pytest.Config) -> None:
    if in_ci():
        config.pluginmanager.register(Strict(), "cancel-hearts-strict")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium. Without one the test is skipped; on CI it fails."""
    found = benchview.chromium(QUICKEST)
    if found:
        return found
    reason = "no Chromium found (looked for CHROMIUM, " + ", ".join(benchview.BROWSERS) + ")"
    if in_ci():
        pytest.fail(reason)
    pytest.skip(reason)


# workers that look for a free port at the same moment must not find the same one
PORT = 18866 + 20 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    """One Chromium for the whole run: Playwright cannot be started twice in one thread.

    What Playwright waits for is a text that it runs in the page, which the policy of our pages forbids: they are opened
    without it unless a test says `bypass_csp=False`, as those of the lessons and of the policy do.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=BROWSER_ARGS)
        started.new_page = functools.partial(started.new_page, bypass_csp=True)
        started.new_context = functools.partial(started.new_context, bypass_csp=True)
        yield started
        started.close()


@pytest.fixture
def watched_page(browser: Any) -> Iterator[Any]:
    """A page 1280 px wide; at its end the test fails if the page or its console told of an error."""
    said: list[str] = []
    made = browser.new_page(viewport={"width": 1280, "height": 900})
    made.set_default_timeout(60_000)
    made.on("console", lambda message: said.append(message.text))
    made.on("pageerror", lambda error: said.append(f"There was an error: {error}"))
    yield made
    said.append(made.locator("body").inner_text())
    made.close(run_before_unload=True)
    wrong = [line for line in said for bad in BROKEN_PAGE if bad in line]
    assert not wrong


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The dashboard, started as a person would in an empty folder: its address up to the port, and its process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cancel_hearts_nb.cli", "dashboard", "--no-browser", "--port", str(PORT)],
        cwd=tmp_path_factory.mktemp("empty"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONPATH": str(Path(i18n.__file__).parents[1]), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    lines = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if found:
            yield found.group(), process
            break
    else:
        pytest.fail("the dashboard did not start:\n" + "".join(lines))
    process.send_signal(signal.SIGINT)
    process.wait(20)


@pytest.fixture(scope="session")
def voila(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Served]:
    """A Voilà with the dashboard's own options, on an empty folder that tests put notebooks into."""
    pytest.importorskip("voila")
    from cancel_hearts_nb import serve

    home, port = tmp_path_factory.mktemp("voila"), free_port()
    (home / "notebooks").mkdir()
    with serving(home, serve.command(serve.Place(port=port)), port, "/", {}) as served:
        yield served


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Served]:
    """A JupyterLab on a copy of the notebooks, whose signatures nobody trusts; tests add notebooks of their own."""
    pytest.importorskip("jupyterlab")
    home, port = tmp_path_factory.mktemp("lab"), free_port()
    folder = home / "notebooks"
    shutil.copytree(NOTEBOOKS, folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--allow-root",
        "--IdentityProvider.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder}",
        "--LabApp.news_url=None", "--LabApp.expose_app_in_browser=True",
    ]  # fmt: skip
    # a question that lies over the page
    news = home / "settings" / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    news.parent.mkdir(parents=True)
    news.write_text('{"fetchNews": "false"}', encoding="utf-8")
    env = {"JUPYTERLAB_SETTINGS_DIR": home / "settings", "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces"}
    with serving(home, command, port, "/api", env) as served:
        yield served


class _CallbackErrors(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if "Exception in callback" in record.getMessage():
            self.found.append(record.getMessage())


@pytest.fixture(autouse=True)
def callback_errors() -> Iterator[list[str]]:
    """Fail a test in which a widget's callback raised: outside a kernel ipywidgets only logs that.

    A test that plants such an error asks for this list, looks at it and clears it.
    """
    handler = _CallbackErrors()
    # ipywidgets logs through traitlets, whose logger may have been told not to pass records on
    loggers = [logging.getLogger(), *(log for log in [logging.getLogger("traitlets")] if not log.propagate)]
    for logger in loggers:
        logger.addHandler(handler)
    yield handler.found
    for logger in loggers:
        logger.removeHandler(handler)
    assert not handler.found, "a callback raised: " + "\n".join(handler.found)


@pytest.fixture
def make_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeLanguage:
    """A function that adds a language for one test: its code, what to do to each form, whose plural rule it has."""
    import catalogs

    locale = tmp_path / "locale"
    shutil.copytree(i18n.LOCALES, locale)
    monkeypatch.setattr(i18n, "LOCALES", locale)

    def make(code: str, change: Callable[[str, int], str], rules_of: str = "en") -> Words:
        catalogs.add_language(locale, code, change, rules_of)
        return i18n.words(code)

    return make


@pytest.fixture
def pseudo_words(make_language: MakeLanguage) -> Words:
    """The pseudo-language “qps”, for this test a language like any other: every message long and in brackets."""
    return make_language("qps", lambda form, _: pseudo(form))
