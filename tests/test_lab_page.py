"""The table in a real JupyterLab: the lessons opened there, keys that stay in the table, several views, a dark theme."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import labpage
import nbformat
import pytest
from servers import Served

try:
    from playwright.sync_api import TimeoutError as PlaywrightTimeout
except ImportError:  # the tests are skipped then
    PlaywrightTimeout = TimeoutError  # type: ignore[assignment,misc]

BROKEN = (
    "Failed to load model class",
    "No version of module",
    "Traceback (most recent call last)",
    "There was an error",
)
# What the notebook in command mode does with these: delete, insert above, to Markdown, edit, cut, insert below, to code
COMMANDS = ("d", "d", "a", "m", "Enter", "x", "b", "y")
# Type and text of every cell, read from Lab's model: far cells need not stand in the page
CELLS = """() => [...book.content.model.cells].map(one => [one.type, one.sharedModel.getSource()])"""

pytestmark = pytest.mark.slow

OpenNotebook = Callable[[str], Any]


@pytest.fixture
def run_all(browser: Any, lab: Served) -> Iterator[OpenNotebook]:
    """A function that opens a notebook, runs all its cells and waits for the table; nothing may have gone wrong then."""
    said: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(f"There was an error: {error}"))

    def start(name: str) -> Any:
        labpage.open_notebook(page, lab.address, name)
        labpage.run_all(page)
        page.locator(".chnb[data-theme]").first.wait_for()
        # Lab goes to the last cell that ran and draws no cell that is out of sight
        page.evaluate("document.querySelector('.chnb').scrollIntoView()")
        return page

    yield start
    said.append(page.locator("body").inner_text())
    context.close()
    wrong = [line for line in said for bad in BROKEN if bad in line]
    assert not wrong


def captions(page: Any) -> list[str]:
    return list(page.locator(".chnb .live").all_inner_texts())


def kinds(page: Any) -> list[str]:
    """What the cells are that stand in the page."""
    every = "all => all.map(one => [...one.classList].find(name => /^jp-(Code|Markdown|Raw)Cell$/.test(name)))"
    return list(page.locator(".jp-Notebook .jp-Cell").evaluate_all(every))


def type_commands(page: Any) -> None:
    """Type in the table what would change the notebook, and see that the notebook stays as it is."""
    before, active = page.evaluate(CELLS), page.evaluate("book.content.activeCellIndex")
    shown = kinds(page)
    for key in COMMANDS:
        page.keyboard.press(key)
        assert page.evaluate("!!document.activeElement.closest('.chnb')"), f"{key} took the focus away"
    page.wait_for_timeout(600)  # so long the notebook waits for the second d
    assert page.evaluate(CELLS) == before
    assert page.evaluate("book.content.activeCellIndex") == active
    assert page.evaluate("book.content.mode") == "command"
    assert kinds(page) == shown


def delete_cell(page: Any, index: int) -> None:
    """Delete a cell with the keys that do nothing in the table, which shows that they would do it elsewhere."""
    before = page.evaluate(CELLS)
    # a click on the prompt starts dragging the cell: it selects the cell but leaves the focus in an output that has it
    page.evaluate("document.activeElement.blur()")
    page.locator(".jp-Notebook .jp-CodeCell").nth(index).locator(".jp-InputPrompt").click()
    for _ in range(6):
        page.keyboard.press("d")
        page.keyboard.press("d")
        try:
            page.wait_for_function(f"({CELLS})().length === {len(before) - 1}", timeout=10_000)
            return
        except PlaywrightTimeout:
            continue  # two keys that a busy machine lets arrive far apart are no command
    pytest.fail("the keys did not delete the cell")


def test_the_first_lesson_steps_and_its_keys_never_reach_the_notebook(run_all: OpenNotebook) -> None:
    page = run_all("00_start_here.ipynb")
    table = page.locator(".chnb")
    table.locator(".card:not(.away)").first.wait_for()
    assert table.locator(".card:not(.away)").first.is_visible()
    before = captions(page)
    table.locator("[data-go=next]").click()
    assert captions(page) != before
    table.evaluate("root => root.focus()")
    type_commands(page)
    table.locator("[data-go=play]").focus()
    page.keyboard.press("d")
    page.keyboard.press("d")
    type_commands(page)
    delete_cell(page, 1)
    table.wait_for(state="detached")


def test_two_cells_and_a_new_view_show_one_table_in_step(run_all: OpenNotebook, lab: Served) -> None:
    made = nbformat.v4.new_notebook()
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made.cells = [nbformat.v4.new_code_cell("from cancel_hearts_nb import gallery\n\nt = gallery()\nt"), nbformat.v4.new_code_cell("t")]  # fmt: skip
    nbformat.write(made, lab.folder / "twice.ipynb")
    page = run_all("twice.ipynb")

    def in_step(views: int) -> str:
        page.wait_for_function(
            """views => { const all = [...document.querySelectorAll('.chnb .live')].map(one => one.textContent);
              return all.length === views && all[0] && new Set(all).size === 1; }""",
            arg=views,
        )  # fmt: skip
        return captions(page)[0]

    seen = {in_step(2)}
    for index in (0, 1, 1):
        page.locator(".jp-Notebook .chnb").nth(index).locator("[data-go=next]").click()
        seen.add(in_step(2))
    assert len(seen) == 4

    page.evaluate("""() => { book.content.activeCellIndex = 1;
      return jupyterapp.commands.execute('notebook:create-output-view'); }""")
    assert in_step(3) in seen
    page.locator(".jp-LinkedOutputView .chnb [data-go=next]").click()
    seen.add(in_step(3))
    assert len(seen) == 5

    delete_cell(page, 0)
    in_step(2)
    for where in (".jp-Notebook .chnb", ".jp-LinkedOutputView .chnb"):
        page.locator(where).locator("[data-go=next]").click()
        seen.add(in_step(2))
    assert len(seen) == 7


def test_a_hand_is_played_with_the_keyboard_and_the_cells_stay(run_all: OpenNotebook) -> None:
    page = run_all("07_play_a_hand.ipynb")
    page.select_option(".chnb [name=game]", "hearts")
    page.wait_for_function("document.querySelector('.chnb [name=seats]').value === '4'")
    page.fill(".chnb [name=seed]", "7")
    page.click(".chnb [data-play=start]")
    held = page.locator(".chnb .hand button")
    held.first.wait_for()

    def ready() -> str:
        page.wait_for_function(
            """() => { const skip = document.querySelector('.chnb [data-play=skip]'); if (skip && !skip.hidden) skip.click();
              return skip && skip.hidden && !/others are playing/.test(document.querySelector('.prompt').textContent); }""",
        )
        return str(page.inner_text(".chnb .prompt"))

    assert "Choose 3 cards" in ready()
    assert held.count() == 13
    page.locator(".chnb .hand [tabindex='0']").focus()
    type_commands(page)
    page.locator(".chnb .hand [aria-selected=true]").first.wait_for()  # Enter chose the card
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
    assert page.locator(".chnb .hand [aria-selected=true]").count() == 3
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.chnb .hand').getAttribute('role') === 'toolbar'")
    ready()
    assert held.count() == 13
    page.locator(".chnb .hand [tabindex='0']").focus()
    page.keyboard.press("Home")
    for _ in range(13):
        if page.evaluate("!document.activeElement.ariaDisabled"):
            break
        page.keyboard.press("ArrowRight")
    cells = page.evaluate(CELLS)
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('.chnb .hand button').length === 12")
    assert page.evaluate("!!document.activeElement.closest('.chnb')")
    for key in ("d", "d"):
        page.keyboard.press(key)
    page.wait_for_timeout(600)
    assert page.evaluate(CELLS) == cells


def test_the_table_is_dark_where_lab_is(run_all: OpenNotebook, lab: Served) -> None:
    chosen = lab.settings / "@jupyterlab" / "apputils-extension" / "themes.jupyterlab-settings"
    chosen.parent.mkdir(parents=True, exist_ok=True)
    chosen.write_text(json.dumps({"theme": "JupyterLab Dark"}), encoding="utf-8")
    try:
        page = run_all("00_start_here.ipynb")
        page.locator(".chnb[data-theme=dark] .card:not(.away)").first.wait_for()
        assert page.evaluate("document.body.dataset.jpThemeLight") == "false"
        page.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })")
        page.locator(".chnb[data-theme=light]").wait_for()
    finally:
        chosen.unlink()


def test_the_exam_is_answered_and_its_keys_never_reach_the_notebook(run_all: OpenNotebook) -> None:
    page = run_all("10_exam.ipynb")
    # by the second question, which has names to choose from and a table
    page.locator(".quiz .qnav button").nth(1).click()
    page.locator(".quiz .qform input").first.focus()
    type_commands(page)
    page.locator(".quiz .qform input").first.check()
    page.locator(".quiz .qform .go").click()
    assert page.locator(".quiz .qof").inner_text() == "Question 3 of 20"
    assert page.locator(".chnb-lesson .prev").get_attribute("href") == "09_your_own_rules.ipynb"
    seed = page.locator(".quiz .qseed").inner_text()
    for _ in range(2):
        page.locator(".quiz .finish").click()
    page.get_by_role("button", name="New exam").click()
    page.wait_for_function("old => document.querySelector('.qseed').textContent !== old", arg=seed)
    assert page.locator(".quiz .qof").inner_text() == "Question 1 of 20"
