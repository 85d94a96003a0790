"""The exam as people meet it: served as the dashboard serves it, answered in a real browser, drawn anew, also without a kernel."""

from __future__ import annotations

import re
import shutil
from typing import Any

import pytest
from servers import Served, kill_kernels

from cancel_hearts_nb import examiner, resources

pytestmark = pytest.mark.slow


@pytest.fixture
def page(watched_page: Any) -> Any:
    return watched_page


@pytest.fixture
def address(voila: Served) -> str:
    """The address of the exam's page."""
    shutil.copy(resources.path("notebooks") / "10_exam.ipynb", voila.folder)
    return voila.address + "/voila/render/10_exam.ipynb"


def open_exam(page: Any, address: str) -> dict[str, dict[str, Any]]:
    """Open the exam's page and return its questions by their texts' places, found again from the seed that is shown."""
    page.goto(address)
    page.locator(".quiz .qt").wait_for()
    return drawn(page)


def drawn(page: Any) -> dict[str, dict[str, Any]]:
    seed = re.search(r"\d+", page.inner_text(".qseed"))
    assert seed
    return {str(i): question for i, (question, _) in enumerate(examiner.draw(int(seed.group())))}


def answer(page: Any, question: dict[str, Any]) -> None:
    if question["form"] == "number":
        page.fill(".qn input", str(question["answer"]))
    else:
        for i, choice in enumerate(question["choices"]):
            if choice["ok"]:
                page.locator(".qform label input").nth(i).check(force=True)
    page.click(".qform .go")


def finish(page: Any) -> None:
    for _ in range(2):
        if page.locator(".finish").count():
            page.click(".finish")


def test_the_exam_is_taken_and_a_new_one_drawn(page: Any, address: str) -> None:
    questions = open_exam(page, address)
    text = page.locator("body").inner_text()
    assert "Twenty questions" in text
    assert "import" not in text
    assert page.locator(".chnb-lesson .prev").get_attribute("href") == "09_your_own_rules.ipynb"
    for question in list(questions.values())[:19]:
        answer(page, question)
    finish(page)
    assert page.inner_text(".qt") == "19 of 20 are right."
    page.click(".chnb-lesson summary")
    assert "best: 19 of 20" in page.inner_text(".chnb-lesson")
    seed = page.inner_text(".qseed")
    page.get_by_role("button", name="New exam").click()
    page.wait_for_function("old => document.querySelector('.qseed').textContent !== old", arg=seed)
    assert page.inner_text(".qof") == "Question 1 of 20"
    assert page.inner_text(".qt") == drawn(page)["0"]["text"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_goes_on_when_the_kernel_is_gone(page: Any, address: str, voila: Served) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    questions = open_exam(page, address)
    kill_kernels(voila.process.pid)
    for question in list(questions.values()):
        answer(page, question)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finish(page)
    assert page.inner_text(".qt") == "20 of 20 are right."


def test_no_question_is_wider_than_the_page(page: Any, address: str) -> None:
    open_exam(page, address)
    for width in (1280, 768, 360):
        page.set_viewport_size({"width": width, "height": 800})
        for number in range(20):
            page.locator(".qnav button").nth(number).click()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, number + 1)


def test_an_address_asks_for_the_exam_of_a_seed(page: Any, address: str) -> None:
    page.goto(address + "?seed=7")
    page.locator(".quiz .qt").wait_for()
    assert page.inner_text(".qseed") == "Seed 7"
    page.goto(address + "?seed=<b>")
    page.locator(".quiz .qt").wait_for()
    assert page.inner_text(".qnotice").startswith("The link asks for the exam of seed “<b>”, which is no whole number")
