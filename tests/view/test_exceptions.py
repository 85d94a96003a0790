"""An exception in any callback of the pages' own JavaScript appears on the page, in words, and stays an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from play_bridge import Bridge

from cancel_hearts_nb import record
from cancel_hearts_nb.view.assets import joined
from cancel_hearts_nb.view.panels import show
from cancel_hearts_nb.view.play import play_table
from cancel_hearts_nb.view.scoresheet import ScoreSheet
from cancel_hearts_nb.view.table import TableWidget

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
    page = browser.new_page()
    page.goto(path.as_uri())
    page.evaluate(PLANT % "Element.prototype.scrollIntoView")
    page.locator(".foot .all").first.click()
    assert SAID in told(page)
    page.close()


def test_in_the_score_sheet(browser: Any, tmp_path: Any) -> None:
    page = browser.new_page()
    page.goto(ScoreSheet.of().to_html(tmp_path / "sheet.html").as_uri())
    page.evaluate(PLANT % "HTMLElement.prototype.focus")
    page.locator(".chss button[type=submit], .chss .go").first.click()
    page.wait_for_selector(".chss [role=alert]")
    assert SAID in page.inner_text(".chss [role=alert]") and page.locator(".chss [role=alert] b").count() == 0
    page.close()


def test_every_page_is_watched_by_the_same_lines() -> None:
    for made in (TableWidget(), ScoreSheet.of(), play_table()):
        assert str(getattr(made, "_module", made._esm)).startswith(joined("js", "dom"))
        assert str(getattr(made, "_module", made._esm)).count("function watched(") == 1
