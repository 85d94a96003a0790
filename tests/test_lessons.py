"""The lessons as files and as pages: what each of their notebooks holds, and how they meet a reader in a real browser."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from servers import BROKEN_PAGE

from cancel_hearts_nb import course, questions, resources

WRITTEN = [one for one in course.lessons() if (resources.path("notebooks") / f"{one.name}.ipynb").is_file()]
each_lesson = pytest.mark.parametrize("lesson", WRITTEN, ids=lambda lesson: lesson.name)


def cells(lesson: course.Lesson, kind: str) -> list[str]:
    notebook = nbformat.read(resources.path("notebooks") / f"{lesson.name}.ipynb", as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def calls(lesson: course.Lesson) -> list[ast.Call]:
    """What the code cells of a lesson call; a cell that does anything but import and call once fails.

    What is called may get a name, and a later cell may show a part of it: `both = compare_deal()`, then `both.table`.
    """
    found = []
    named: set[str] = set()
    for source in cells(lesson, "code"):
        body = ast.parse(source).body
        imports = [one for one in body if isinstance(one, ast.ImportFrom)]
        assert all(one.module == "cancel_hearts_nb" for one in imports), source
        match body[len(imports) :]:
            case [ast.Expr(value=ast.Call() as call)]:
                found.append(call)
            case [
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call),
                ast.Expr(value=ast.Name(id=shown)),
            ]:
                assert name == shown, source
                named.add(name)
                found.append(call)
            case [ast.Expr(value=ast.Attribute(value=ast.Name(id=name)))]:
                assert name in named, source
            case _:
                pytest.fail(f"more than one short call: {source}")
    return found


@each_lesson
def test_a_lesson_is_text_and_at_most_six_short_calls(lesson: course.Lesson) -> None:
    made = [(ast.unparse(call.func), [ast.unparse(arg) for arg in call.args]) for call in calls(lesson)]
    assert len(made) <= 6
    assert made[0] == ("lesson", [repr(lesson.name)])
    if not lesson.exam and questions.of_lesson(lesson.name):
        assert made[-1] == ("quiz", [repr(lesson.name)])
    text = cells(lesson, "markdown")
    assert text[0].startswith(f"# {lesson.title}\n") or text[0] == f"# {lesson.title}"


@each_lesson
def test_a_lesson_leads_to_those_before_and_after(lesson: course.Lesson) -> None:
    every = course.lessons()
    at = every.index(lesson)
    last = cells(lesson, "markdown")[-1]
    if at:
        assert f"[Before: {every[at - 1].title}]({every[at - 1].name}.ipynb)" in last
    if at + 1 < len(every):
        assert f"[Next: {every[at + 1].title}]({every[at + 1].name}.ipynb)" in last


@each_lesson
def test_a_lesson_names_every_rule_it_teaches(lesson: course.Lesson) -> None:
    text = "\n".join(cells(lesson, "markdown"))
    assert set(lesson.rules) <= set(re.findall(r"`([a-z]+\.[a-z_]+)`", text))


@pytest.fixture(scope="module")
def opened(browser: Any, dashboard: tuple[str, Any]) -> Iterator[Any]:
    """A function that opens a lesson at a width once its last part is there, and what the page said since then."""
    pages: dict[tuple[str, int], tuple[Any, list[str]]] = {}

    def inside(url: str) -> bool:
        return url.startswith((dashboard[0], "data:", f"blob:{dashboard[0]}"))

    def start(lesson: course.Lesson, width: int) -> tuple[Any, list[str]]:
        for page, _ in pages.values():
            page.close()
        pages.clear()
        page = browser.new_page(viewport={"width": width, "height": 800}, bypass_csp=False)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(f"There was an error: {error}"))
        page.on(
            "request",
            lambda request: inside(request.url) or said.append(f"There was an error: {request.url} was asked for"),
        )
        page.goto(f"{dashboard[0]}voila/render/{lesson.name}.ipynb")
        page.locator(".chnb-lesson").wait_for(timeout=30_000)
        for root in page.locator(".chnb").all():
            root.wait_for(timeout=30_000)
        pages[lesson.name, width] = page, said
        return page, said

    yield start
    for page, _ in pages.values():
        page.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 360])
@each_lesson
def test_a_lesson_is_a_whole_page_without_code(opened: Any, lesson: course.Lesson, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python")
    page, said = opened(lesson, width)
    text = page.locator("body").inner_text()
    assert page.locator("h1").first.inner_text().startswith(lesson.title)
    assert "cancel_hearts_nb" not in text.replace("cancel_hearts_nb/", "")
    assert not [line for line in [*said, text] for bad in BROKEN_PAGE if bad in line]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if any(ast.unparse(call.func) in ("show", "gallery") for call in calls(lesson)):
        assert page.locator(".chnb .card:not(.away)").first.is_visible()
    # a label leads to the field of its own view
    ids = page.evaluate("[...document.querySelectorAll('[id^=chnb]')].map(one => one.id)")
    assert len(set(ids)) == len(ids)
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate(
        "axe.run({ include: ['.chnb', '.chnb-lesson', '.chnb-wheel', '.chnb-often', '.chnb-compare', '.chnb-sheet'].filter(one => document.querySelector(one)).map(one => [one]) },"
        " { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })"
    )
    assert [(one["id"], [node["html"][:150] for node in one["nodes"][:3]]) for one in found["violations"]] == []


@pytest.mark.slow
@each_lesson
def test_a_lesson_is_read_and_answered_by_keyboard(opened: Any, lesson: course.Lesson) -> None:
    if lesson.exam or not questions.of_lesson(lesson.name):
        return
    page, said = opened(lesson, 1280)
    quiz = page.locator(".quiz")
    reached = set()
    for _ in range(400):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "document.activeElement.closest('.chnb-lesson, .chnb, .chnb-wheel, .chnb-often, .chnb-compare')?.className ?? ''"
            )
        )
        if quiz.locator(".qform input:focus").count():
            break
    assert len(reached - {""}) >= 2, "not every part was reached"
    if quiz.locator("input[type=number]:focus").count():
        page.keyboard.type("3")
    else:
        page.keyboard.press("Space")
    page.keyboard.press("Enter")
    quiz.locator(".qrule").wait_for()
    assert not [line for line in said for bad in BROKEN_PAGE if bad in line]
