"""The first page as people meet it: served by `cancel-hearts`, opened in a real browser, at both widths, also without a kernel."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from servers import BROKEN_PAGE, kill_kernels
from sizes import ends

from cancel_hearts_nb import course, record

PAGE = "voila/render/00_start_here.ipynb"

pytestmark = pytest.mark.slow


OpenPage = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, dashboard: tuple[str, Any]) -> Iterator[OpenPage]:
    """A function that opens the first page at a size and waits for the table; afterwards nothing may have gone wrong."""
    opened, said, outside = [], [], []

    def outward(request: Any) -> None:
        if not request.url.startswith((dashboard[0], "data:", "blob:")):
            outside.append(request.url)

    def start(width: int, height: int) -> Any:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(60_000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(f"There was an error: {error}"))
        page.on("request", outward)
        page.goto(dashboard[0] + PAGE)
        page.locator(".chnb .card:not(.away)").first.wait_for()
        opened.append(page)
        return page

    yield start
    for page in opened:
        said.append(page.locator("body").inner_text())
        page.close(run_before_unload=True)
    wrong = [line for line in said for bad in BROKEN_PAGE if bad in line]
    assert not wrong
    assert not outside


def caption(page: Any) -> str:
    return str(page.locator(".chnb .live").inner_text())


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize(("width", "height"), ends([(1280, 900), (768, 1024), (360, 640)]))
def test_every_example_can_be_picked_and_stepped_to_its_end_without_overflow(
    open_page: OpenPage, width: int, height: int
) -> None:
    page = open_page(width, height)
    picker = page.get_by_label("Choose a hand to replay")
    examples = [record.load(record.example(name)) for name in course.gallery()]
    options = picker.locator("option").all_inner_texts()
    assert len(options) == len(examples) >= 8
    for index, example in enumerate(examples):
        picker.select_option(index=index)
        press(page, "Last")
        page.wait_for_function("!document.getAnimations().some(one => one.playState === 'running')")
        shown = caption(page)
        assert shown.strip(), example.title
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), example.title


def test_each_step_says_a_sentence_and_opens_the_printed_rule(open_page: OpenPage) -> None:
    page = open_page(1280, 900)
    before = caption(page)
    press(page, "Next")
    assert caption(page) != before
    page.locator(".chnb .rb").click()
    rule = page.locator(".chnb .rule")
    assert rule.is_visible()
    assert len(rule.inner_text()) > 60


def test_replay_goes_on_when_the_kernel_is_gone(
    open_page: OpenPage, dashboard: tuple[str, subprocess.Popen[str]]
) -> None:
    page = open_page(1280, 900)
    kill_kernels(dashboard[1].pid)
    seen = {caption(page)}
    for _ in range(5):
        press(page, "Next")
        seen.add(caption(page))
    assert len(seen) == 6
    page.get_by_label("Choose a hand to replay").select_option(index=3)
    press(page, "Last")
    assert caption(page) not in seen


def test_the_page_reads_without_code(open_page: OpenPage) -> None:
    page = open_page(1280, 900)
    text = page.locator("body").inner_text()
    assert "Start here" in text
    assert "import" not in text
    assert "gallery()" not in text
