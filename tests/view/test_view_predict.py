"""Questions on the way, in a real Chromium without any kernel: the replay waits, judges, replies and counts."""

from __future__ import annotations

from functools import cache

import pytest

from cancel_hearts_nb import record
from cancel_hearts_nb.view.panels import gallery, show
from cancel_hearts_nb.view.scene import best, fold
from cancel_hearts_nb.view.text import position_text

pytestmark = pytest.mark.slow

STEP = "window.model.get('step')"
SITE = "http://lesson.test/"


@cache
def path(start):
    return next(path for path in record.examples() if path.stem.startswith(start))


def lesson(start, step=None, **options):
    table = show(path(start), **options)
    if step is not None:
        table.step = step
    return table


def asks(table, what=None):
    return [q for one in table.replays for q in one["asks"] if what in (None, q["what"])]


def seat(page, name):
    return page.locator(".answers").get_by_role("button", name=name, exact=True)


def said(page):
    return page.inner_text(".ask .reply")


def no_errors(page):
    assert page.evaluate("window.errors") == []


@pytest.mark.parametrize("by", ["card", "trick"])
def test_next_and_play_stop_at_a_question_and_first_last_and_slider_do_not(mount, by):
    table = lesson("01")
    first, second = [q["step"] for q in asks(table)]
    end = len(table.replays[0]["frames"]) - 1
    page = mount(table, clock=True)
    page.check(f"input[value=by_{by}]", force=True)
    for _ in range(20):
        page.click("[data-go=next]")
    assert page.evaluate(STEP) == first
    page.keyboard.press("Escape")
    page.click(".stage")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(STEP) == first
    page.click("[data-go=last]")
    assert page.evaluate(STEP) == end
    assert not page.is_visible(".answers")
    page.click("[data-go=first]")
    page.click("[data-go=play]")
    page.clock.run_for(60_000)
    assert page.evaluate(STEP) == first
    assert page.inner_text("[data-go=play]") == "Play"
    page.click("[data-go=play]")
    page.clock.run_for(5_000)
    assert page.evaluate(STEP) == first
    page.get_by_role("button", name="Skip this question").click()
    assert page.evaluate(STEP) > first
    page.click("[data-go=play]")
    page.clock.run_for(60_000)
    assert page.evaluate(STEP) == second
    page.evaluate(
        "end => { const r = document.querySelector('input[type=range]'); r.value = end; r.dispatchEvent(new Event('input')); }",
        end,
    )
    assert page.evaluate(STEP) == end
    no_errors(page)


def test_a_seat_or_nobody_is_answered_with_the_rule_also_when_it_is_right(mount):
    table = lesson("03", step=12)
    page = mount(table)
    assert page.inner_text(".ask .q") == "Who takes this trick?"
    assert "Who takes this trick?" in page.text_content(".live")
    assert page.locator(".answers button").count() == 8 + 1 + 1
    seat(page, "Nobody").click()
    assert said(page).startswith("That is right. Two pairs were played")
    assert said(page).endswith("The rule is “Two pairs: nobody wins”.")
    assert said(page) in page.text_content(".live")
    assert page.evaluate("document.activeElement.dataset.go") == "next"
    page.keyboard.press("Enter")
    assert page.evaluate(STEP) == 13
    page.evaluate("window.model.set('step', 12)")
    assert "That is right." in said(page)
    page.get_by_role("button", name="Ask me again").click()
    seat(page, "Quinn").click()
    assert said(page).startswith("Not quite. Quinn cannot win: the 6♦ is cancelled by its twin.".replace("♦", "♦"))
    assert "Two pairs: nobody wins" in said(page)
    no_errors(page)


def test_every_wrong_seat_has_a_reply_and_only_the_right_one_counts(mount):
    table = lesson("02")
    q = asks(table)[0]
    page = mount(table)
    for choice in q["choices"]:
        page.evaluate("step => window.model.set('step', step)", q["step"])
        name = "Nobody" if choice["v"] < 0 else table.replays[0]["names"][choice["v"]]
        seat(page, name).click()
        assert said(page).startswith("That is right." if choice["ok"] else "Not quite. " + choice["say"])
        assert f"{int(choice['ok'])} of 1" in page.inner_text(".ask .score")
        page.get_by_role("button", name="Ask me again").click()


def test_legal_cards_are_chosen_by_keyboard_from_labelled_boxes(mount):
    table = lesson("13")
    q = next(q for q in asks(table, "legal") if q["rule"] == "follow.suit")
    table.step = q["step"]
    page = mount(table)
    boxes = page.locator(".answers input[type=checkbox]")
    assert boxes.count() == len(q["choices"])
    assert boxes.first.get_attribute("aria-label") == "three of diamonds"
    right = [i for i, choice in enumerate(q["choices"]) if choice["ok"]]
    for i in right[:-1]:
        boxes.nth(i).focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="That is my answer").click()
    assert said(page).startswith("Not quite. The A♠")
    assert "may be played too." in said(page)
    page.get_by_role("button", name="Ask me again").click()
    boxes.first.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="That is my answer").click()
    assert said(page) == f"Not quite. {q['choices'][0]['say']} {q['ruled']}"
    page.get_by_role("button", name="Ask me again").click()
    for i in right:
        boxes.nth(i).check(force=True)
    page.get_by_role("button", name="That is my answer").click()
    assert said(page) == f"That is right. {q['reply']} {q['ruled']}"
    no_errors(page)


def test_points_are_a_number_field_with_a_reply_for_the_usual_slips(mount):
    table = lesson("12")
    q = asks(table, "points")[0]
    table.step = q["step"]
    page = mount(table)
    page.get_by_role("button", name="Skip this question").click() if page.locator(
        ".answers input"
    ).count() == 0 else None
    page.evaluate("step => window.model.set('step', step)", q["step"])
    field = page.get_by_label("Points", exact=True)
    for wrong, hint in q["hints"].items():
        field.fill(wrong)
        field.press("Enter")
        assert said(page).startswith("Not quite. " + hint)
        page.get_by_role("button", name="Ask me again").click()
        page.get_by_role("button", name="Skip this question").click()
        page.evaluate("step => window.model.set('step', step)", q["step"])
    page.get_by_role("button", name="That is my answer").click()
    assert page.evaluate("document.activeElement.type") == "number"  # nothing was typed yet
    field.fill(str(q["answer"]))
    page.get_by_role("button", name="That is my answer").click()
    assert said(page).startswith("That is right. " + q["reply"])
    assert page.evaluate("window.keys") == []
    no_errors(page)


def test_the_score_is_kept_for_each_lesson_where_the_browser_allows_it(mount):
    table = lesson("01")
    page = mount(table, url=SITE)
    page.evaluate("window.model.set('step', 8)")
    seat(page, "Elif").click()
    page.evaluate("window.model.set('step', 16)")
    seat(page, "Dao").click()
    assert "1 of 2" in page.inner_text(".ask .score")
    kept = page.evaluate("JSON.stringify(localStorage)")
    assert "A plain trick" in kept
    key = next(key for key in page.evaluate("Object.keys(localStorage)") if "score" in key)
    assert key == "chnb:score:/:A plain trick"
    stored = {key: page.evaluate("key => localStorage.getItem(key)", key)}
    again = mount(lesson("01"), url=SITE, stored=stored)
    assert "1 of 2" in again.inner_text(".ask .score")
    for strange in ("[1", '"<b>"', "[]", "null", '{"constructor": 1}'):  # others can write there too
        page = mount(lesson("01"), url=SITE, stored={key: strange, "chnb:speed": strange, "chnb:deck": strange})
        assert "0 of 2" in page.inner_text(".ask .score")
        no_errors(page)


def test_without_a_memory_of_the_browser_the_score_lives_as_long_as_the_page(mount):
    page = mount(lesson("01"), dead=True)
    page.evaluate("window.model.set('step', 8)")
    seat(page, "Elif").click()
    page.wait_for_timeout(300)
    assert "1 of 2" in page.inner_text(".ask .score")
    no_errors(page)


def test_two_views_ask_once(mount):
    page = mount(lesson("01", step=8), views=2)
    page.locator(".ask").nth(0).get_by_role("button", name="Elif").click()
    assert page.locator(".ask .reply").count() == 2
    assert page.locator(".answers").count() == 0


def test_a_blocked_next_takes_the_reader_to_the_question(mount):
    page = mount(lesson("01", step=8), 360, 640)
    page.click("[data-go=next]")
    assert page.evaluate("document.activeElement.closest('.answers') !== null")
    assert "Answer the question first, or skip it." in page.text_content(".live")


@pytest.mark.parametrize("width", [1280, 768, 360])
def test_a_question_and_its_reply_move_nothing_above_and_overflow_nowhere(mount, width):
    table = lesson("05")
    page = mount(table, width, 800)
    q = asks(table)[0]
    tops = set()
    measure = "['.cap', '.btns', '.stage'].map(e => document.querySelector(e).getBoundingClientRect().top + scrollY).join() + '/' + document.documentElement.scrollWidth"
    for step in (q["step"] - 1, q["step"]):
        page.evaluate("step => window.model.set('step', step)", step)
        tops.add(page.evaluate(measure))
    heights = [page.evaluate("document.querySelector('.chnb').offsetHeight")]
    seat(page, "Ana").click()
    tops.add(page.evaluate(measure))
    heights.append(page.evaluate("document.querySelector('.chnb').offsetHeight"))
    assert len(tops) == 1, tops
    assert tops.pop().endswith(f"/{width}")
    assert width == 360 or heights[0] == heights[1]


def test_a_seat_is_asked_only_what_it_can_see(mount):
    table = lesson("12", viewer=2)
    assert {q["seat"] for q in asks(table, "legal")} <= {2}
    page = mount(table)
    assert page.locator(".ask").count() == 1
    no_errors(page)


def test_who_is_best_so_far_is_said_only_when_no_question_about_it_waits() -> None:
    table = gallery()
    asked = quiet = nobody = 0
    for replay in table.replays:
        steps = {one["step"] for one in replay.get("asks", ()) if one["what"] == "winner"}
        tricks = {fold(replay["frames"], step).status["trick"] for step in steps}
        for step in range(0, len(replay["frames"]), 3):
            scene = fold(replay["frames"], step)
            now = best(replay, scene, step)
            if scene.status.get("trick") in tricks and any(
                one >= step and fold(replay["frames"], one).status["trick"] == scene.status["trick"] for one in steps
            ):
                asked += 1
                assert now == -2
            elif now == -1:
                nobody += 1
                assert "So far nobody" in position_text(replay, step, table.words)
            elif now >= 0:
                quiet += 1
                row = next(key for key, card, mark, seat, slot in scene.zone("t") if seat == now)
                assert "x" not in scene.cards[row][4] and "best so far" in position_text(replay, step, table.words)
    assert asked > 20 and quiet > 20 and nobody


def test_what_another_tab_has_answered_meanwhile_is_not_forgotten(mount):
    table = lesson("03", step=12)
    page = mount(table, url="http://tabs.test/")
    key = f"chnb:score:/:{table.replays[0]['lesson']}"
    page.evaluate("key => localStorage.setItem(key, JSON.stringify({ another: 1 }))", key)
    seat(page, "Nobody").click()
    assert said(page).startswith("That is right.")
    known = page.evaluate("key => JSON.parse(localStorage.getItem(key))", key)
    assert len(known) == 2 and known["another"] == 1
    no_errors(page)
