"""What goes wrong around a page that is open: it says so and what to do, replays go on, and nothing that was played is lost."""

from __future__ import annotations

import shutil
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from conftest import NOTEBOOKS
from servers import Link, Served, free_port, kernels, lessons, serving

from cancel_hearts_nb.ruleset import ruleset
from cancel_hearts_nb.session import Session

pytestmark = pytest.mark.slow

LESSON, PLAY = "04_cancellation.ipynb", "07_play_a_hand.ipynb"
LOST = "The connection is lost. Reload the page; your game is in the address."
PATIENCE = 60_000
# anywidget says this of a model that a busy machine has not made within two seconds
SLOW = "[anywidget] Failed to initialize model."


class Server:
    """A server of lessons that can be stopped and started again at the same address."""

    def __init__(self, home: Path) -> None:
        self.home, self.port = home, free_port()
        folder = home / "notebooks"
        folder.mkdir()
        for name in (LESSON, PLAY):
            shutil.copy(NOTEBOOKS / name, folder)
        self.start()

    def start(self) -> None:
        self._open = serving(self.home, lessons(self.port), self.port, "/", {})
        self.served: Served = self._open.__enter__()

    def stop(self) -> None:
        self._open.__exit__(None, None, None)

    def page(self, name: str, query: str = "") -> str:
        return f"http://127.0.0.1:{self.port}/voila/render/{name}{query}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Server]:
    pytest.importorskip("voila")
    server = Server(tmp_path_factory.mktemp("faults"))
    yield server
    server.stop()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    """A function that opens a page; afterwards no page may have met an exception."""
    opened, wrong = [], []

    def at(address: str, before: str = "") -> Any:
        page = browser.new_page()
        opened.append(page)
        page.set_default_timeout(PATIENCE)
        page.add_init_script(before)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        return page

    yield at
    for page in opened:
        page.close()
    assert not [text for text in wrong if text != SLOW]


def game(seed: int) -> str:
    return "?play=" + Session(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), 2, "random", seed=seed).code()


def kernel(page: Any) -> str:
    return str(page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"))


def process(server: Server, page: Any) -> psutil.Process:
    (found,) = kernels(server.served.process.pid, kernel(page))
    return found


def choose(page: Any, *places: int) -> None:
    for place in places:
        page.locator(".hand button").nth(place).click(position={"x": 8, "y": 14})


def seen(page: Any) -> tuple[str, list[str], list[int]]:
    """What is asked, the hand, and which of its cards are chosen."""
    page.wait_for_selector(".hand[role] button")
    page.wait_for_function(
        "!document.querySelector('.hand').hidden && document.querySelector('.prompt .pq').textContent"
    )
    hand = page.locator(".hand button")
    return (
        page.inner_text(".prompt .pq"),
        hand.evaluate_all("all => all.map(one => one.ariaLabel)"),
        hand.evaluate_all("all => all.flatMap((one, i) => one.ariaSelected === 'true' ? [i] : [])"),
    )


def lost(page: Any) -> str:
    page.wait_for_selector("[data-lost]", state="attached")
    return str(page.inner_text(".prompt .pq"))


def found(page: Any) -> None:
    page.wait_for_function("!document.querySelector('[data-lost]')")


def steps(page: Any) -> None:
    """Step through what is there, back and forth, which needs nothing but the page itself."""
    count = page.locator(".chnb .cnt").first
    before = count.inner_text()
    page.locator("[data-go=first]").first.click()
    page.wait_for_function("before => document.querySelector('.chnb .cnt').textContent !== before", arg=before)
    first = count.inner_text()
    page.locator("[data-go=next]").first.click()
    page.wait_for_function("before => document.querySelector('.chnb .cnt').textContent !== before", arg=first)
    assert count.inner_text() not in (first, "")
    assert page.locator(".chnb .live").first.inner_text()


def test_two_tabs_a_reload_in_the_pass_a_killed_kernel_and_one_that_was_cleared_away(server: Server, tab: Any) -> None:
    one, two = tab(server.page(PLAY, game(7))), tab(server.page(PLAY, game(8)))
    asked, other = seen(one), seen(two)
    assert "Choose 3 cards" in asked[0] and asked[1] != other[1]
    choose(one, 0, 4)
    choose(two, 5)
    one.reload()
    assert seen(one) == (*asked[:2], [0, 4]), "cards chosen before a reload are still chosen"
    assert seen(two) == (*other[:2], [5]), "one tab knows nothing of the other"

    process(server, one).kill()
    # what culling does; a page's own farewell does the same
    secret = {"Cookie": "_xsrf=00ff", "X-XSRFToken": "00ff"}
    address = f"http://127.0.0.1:{server.port}/voila/api/shutdown/{kernel(two)}"
    urllib.request.urlopen(urllib.request.Request(address, method="POST", data=b"", headers=secret), timeout=30)
    assert lost(one) == lost(two) == LOST
    two.click("summary.pb")
    two.click("[data-play=look_back]")
    steps(two)
    assert lost(two) == LOST, "said as long as it is so"
    one.reload()
    two.reload()
    assert seen(one) == (*asked[:2], [0, 4])
    assert seen(two) == (*other[:2], [5])
    choose(one, 8)
    one.click("[data-play=commit_play]")
    one.wait_for_function("document.querySelector('.hand').getAttribute('role') === 'toolbar'")
    assert seen(two) == (*other[:2], [5])


def test_a_laptop_that_sleeps_and_a_server_that_is_started_again(server: Server, tab: Any) -> None:
    page, lesson = tab(server.page(PLAY, game(7))), tab(server.page(LESSON))
    asked = seen(page)
    lesson.wait_for_selector(".chnb .board")
    server.served.process.send_signal(signal.SIGSTOP)
    # it sleeps until the page has given it up, however long that is; all that comes after it is the same for hours
    try:
        assert lost(page) == LOST
    finally:
        server.served.process.send_signal(signal.SIGCONT)
    found(page)
    assert seen(page) == (*asked[:2], [])
    choose(page, 0, 4)

    server.stop()
    assert lost(page) == LOST
    gone = lesson.locator(".gone:not([hidden])").first
    gone.wait_for()
    assert "Stepping goes on working; reload the page for the rest." in gone.inner_text()
    steps(lesson)
    server.start()
    page.reload()
    assert seen(page) == (*asked[:2], [0, 4])


def test_a_broken_line(server: Server, tab: Any) -> None:
    with Link(server.port) as link:
        page = tab(f"http://127.0.0.1:{link.port}/voila/render/{PLAY}{game(9)}")
        asked = seen(page)
        choose(page, 1)
        link.cut()
        assert lost(page) == LOST
        link.mend()
        page.reload()
        assert seen(page) == (*asked[:2], [1])


# a browser that needs three seconds for what the tables are packed with
LATE_MODULE = """
const text = Response.prototype.text;
Response.prototype.text = async function () {
  if (!this.url) await new Promise(then => setTimeout(then, 3000));
  return text.call(this);
};
"""
# a browser so busy that two seconds have gone, and every table has come, before it looks for one again
LATE_LOOK = """
const later = window.setTimeout, now = Date.now;
let ahead = 0;
Date.now = () => now() + ahead;
window.setTimeout = (call, ms, ...rest) => {
  if (ms !== 100 || ahead) return later(call, ms, ...rest);
  const look = () => {
    if (!window.jupyterapp?.widgetManager?.restoredStatus) return later(look, 20);
    ahead = 5000;
    call(...rest);
  };
  return later(look, 20);
};
"""


@pytest.mark.parametrize("late", [LATE_MODULE, LATE_LOOK], ids=["module", "look"])
def test_a_slow_browser(server: Server, tab: Any, late: str) -> None:
    page = tab(server.page(PLAY, game(7)), late)
    asked = seen(page)
    page.wait_for_selector("body[data-chnb-ready]")
    choose(page, 0, 4, 8)
    page.click("[data-play=commit_play]")
    page.wait_for_function("document.querySelector('.hand').getAttribute('role') === 'toolbar'")
    assert seen(page)[0] != asked[0]
    assert not page.evaluate("document.body.textContent.includes('Error displaying')")


def test_a_slow_browser_whose_kernel_has_gone(server: Server, tab: Any) -> None:
    gone = LATE_LOOK.replace("call(...rest);", "window.jupyterapp.widgetManager.get_model = async () => { throw Error('gone'); }; call(...rest);")  # fmt: skip
    page = tab(server.page(PLAY, game(7)), gone)
    page.wait_for_function("document.querySelector('#chnb-state')?.textContent.includes('did not come')")
    assert not page.evaluate("document.body.textContent.includes('Error displaying')")
