"""An exception in any callback of the pages' own JavaScript appears on the page, in words, and stays an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from play_bridge import Bridge

from cancel_hearts_nb import record
from cancel_hearts_nb.view.assets import joined
from cancel_hearts_nb.view.comparison import compare_deal
from cancel_hearts_nb.view.lesson import lesson
from cancel_hearts_nb.view.often import how_often
from cancel_hearts_nb.view.panels import show
from cancel_hearts_nb.view.play import play_table
from cancel_hearts_nb.view.quiz import exam, quiz
from cancel_hearts_nb.view.scoresheet import ScoreSheet
from cancel_hearts_nb.view.table import TableWidget
from cancel_hearts_nb.view.wheel import passing_wheel

pytestmark = pytest.mark.slow

Mount = Callable[..., Any]
# A callback raises what cannot have been foreseen: a browser function fails when the table calls it
PLANT = "name => { %s = () => { throw new TypeError('<b>planted</b>'); }; }"
SAID = "Something went wrong in this table (TypeError: <b>planted</b>)."


def table() -> TableWidget:
    return show(next(path for path in record.examples() if path.stem.startswith("08")))


def told(page: Any, index: int = 0) -> str:
    page.wait_for_function("!document.querySelector('.chnb .notice').hidden")
    notice = page.locator(".chnb .notice").nth(index)
    assert notice.get_attribute("role") == "alert" and notice.locator("b").count() == 0
    return str(notice.inner_text())


def test_in_a_handler_of_the_table_and_in_every_view(mount: Mount) -> None:
    page = mount(table(), views=2)
    page.evaluate(PLANT % "Element.prototype.scrollIntoView")
    page.locator(".foot .all").first.click()
    assert SAID in told(page) and SAID in told(page, 1)
    assert any("planted" in error for error in page.evaluate("window.errors"))
    # an error is no end: the table steps on, and with the views the watch goes
    before = page.evaluate("model.get('step')")
    page.click("[data-go=next]")
    assert page.evaluate("model.get('step')") == before + 1
    page.evaluate("window.cleanups.forEach(call => call())")
    assert page.evaluate("model.listening()") <= 2


def test_in_what_the_model_calls_where_a_manager_swallows_it(mount: Mount) -> None:
    page = mount(table())
    page.evaluate("model.get('replays')[0].frames[9] = null")
    assert (
        page.evaluate("(() => { try { model.set('step', 9); } catch (error) { return error.name; } })()") == "TypeError"
    )
    assert "Something went wrong in this table (TypeError: " in told(page)
    assert page.evaluate("window.errors") == []


def test_in_a_timer(mount: Mount) -> None:
    page = mount(table())
    page.evaluate("model.get('replays')[0].frames[9] = null")
    page.evaluate("model.set('step', 8)")
    page.select_option("select[id$=-speed]", "fast")
    page.click("[data-go=play]")
    assert "Something went wrong" in told(page)


def test_in_a_promise_of_a_plugin(mount: Mount) -> None:
    page = mount(table())
    page.evaluate(PLANT % "URL.createObjectURL")
    page.click("[data-do=save]")
    assert SAID in told(page)
    assert any("planted" in error for error in page.evaluate("window.errors"))


def test_beside_what_the_kernel_says(mount: Mount) -> None:
    page = mount(table())
    page.evaluate("model.set('notice', 'From the kernel.')")
    page.evaluate(PLANT % "Element.prototype.scrollIntoView")
    page.locator(".foot .all").first.click()
    assert "From the kernel." in told(page) and SAID in told(page)


def test_what_others_do_wrong_on_the_page_is_not_ours(mount: Mount) -> None:
    page = mount(table())
    page.evaluate("setTimeout(() => { throw new Error('theirs'); })")
    page.evaluate("void Promise.reject(new Error('theirs too'))")
    page.wait_for_function("window.errors.length === 2")
    assert page.locator(".chnb .notice").is_hidden()


def test_while_a_person_plays_also_at_the_form(browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    bridge = Bridge(context.new_page(), play_table())
    page = bridge.page
    page.evaluate("try { hear([['set', 'form', { groups: [null] }]]) } catch {}")
    assert "Something went wrong in this table (TypeError: " in told(page)
    assert page.is_visible(".chnb .notice")
    context.close()


def test_in_a_page_that_stands_alone(browser: Any, tmp_path: Any) -> None:
    path = tmp_path / "table.html"
    table().to_html(path)
    page = browser.new_page(bypass_csp=False)
    page.goto(path.as_uri())
    page.evaluate(PLANT % "Element.prototype.scrollIntoView")
    page.locator(".foot .all").first.click()
    assert SAID in told(page)
    page.close()


def test_in_the_score_sheet(browser: Any, tmp_path: Any) -> None:
    page = browser.new_page(bypass_csp=False)
    page.goto(ScoreSheet.of().to_html(tmp_path / "sheet.html").as_uri())
    page.evaluate(PLANT % "HTMLElement.prototype.focus")
    page.locator(".chss button[type=submit], .chss .go").first.click()
    page.wait_for_selector(".chss [role=alert]")
    assert SAID in page.inner_text(".chss [role=alert]") and page.locator(".chss [role=alert] b").count() == 0
    page.close()


# what each does with the browser once it stands, and a browser function that it calls then
BESIDE: dict[str, tuple[Callable[[], Any], str, str]] = {
    "quiz": (lambda: quiz("04_cancellation"), "HTMLElement.prototype.focus", ".qacts .go"),
    "exam": (lambda: exam(7), "HTMLElement.prototype.focus", ".qnav li:nth-child(3) button"),
    "lesson": (lambda: lesson("04_cancellation"), "Element.prototype.replaceChildren", ""),
    "wheel": (lambda: passing_wheel(8), "Element.prototype.replaceChildren", ".turn button:last-of-type"),
}


@pytest.mark.parametrize("kind", BESIDE)
def test_in_the_widgets_around_the_table_each_in_a_line_of_its_own(mount: Mount, kind: str) -> None:
    make, planted, button = BESIDE[kind]
    page = mount(make(), views=2)
    line = page.locator("#host > div > * > .notice")
    assert line.count() == 2 and line.first.is_hidden()
    page.evaluate(PLANT % planted)
    if button:
        page.locator(button).first.click()
    else:
        page.evaluate("dispatchEvent(new CustomEvent('chnb:score', { detail: { lesson: '02_passing', scores: {} } }))")
    for index in range(2):
        assert line.nth(index).get_attribute("role") == "alert" and line.nth(index).locator("b").count() == 0
        assert line.nth(index).inner_text().startswith("Something went wrong here (TypeError: <b>planted</b>).")
    if kind != "wheel":  # there the model calls, and the button's own exception ends in it
        assert any("planted" in error for error in page.evaluate("window.errors"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("window.cleanups.forEach(call => call())")
    assert page.evaluate("model.listening()") == 0


def test_in_the_table_of_a_question_the_question_says_it_once(mount: Mount) -> None:
    page = mount(quiz("04_cancellation"))
    page.evaluate("model.get('questions')[0].table.frames[model.get('questions')[0].reveal] = null")
    page.locator(".qform input").first.check(force=True)
    page.click(".qform .go")
    page.get_by_role("button", name="Show the answer").click()
    shown = [one for one in page.locator(".notice").all() if one.is_visible()]
    assert len(shown) == 1 and shown[0].inner_text().startswith("Something went wrong here (TypeError: ")


def test_every_page_is_watched_by_the_same_lines() -> None:
    made_by = [*[make() for make, *_ in BESIDE.values()], how_often("dead"), compare_deal()]
    for made in (TableWidget(), ScoreSheet.of(), play_table(), *made_by):
        assert str(getattr(made, "_module", made._esm)).startswith(joined("js", "dom"))
        assert str(getattr(made, "_module", made._esm)).count("function watched(") == 1
