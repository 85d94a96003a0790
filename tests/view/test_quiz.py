"""Questions, the exam, the head of a lesson and the passing wheel, in a real Chromium without any kernel."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sizes import more

from cancel_hearts_nb import questions
from cancel_hearts_nb.view.lesson import lesson
from cancel_hearts_nb.view.quiz import exam, quiz
from cancel_hearts_nb.view.wheel import passing_wheel

pytestmark = pytest.mark.slow

SITE = "http://lesson.test/voila/render/04_cancellation.ipynb"
STORED = "JSON.parse(localStorage.getItem('chnb:quiz:%s'))"


def no_errors(page):
    assert page.evaluate("window.errors") == []


def choose(page, *texts):
    for text in texts:
        page.locator(".qform label").filter(has_text=re.compile(f"^{re.escape(text)}$")).locator("input").check(
            force=True
        )


def answer(page, *texts):
    choose(page, *texts)
    page.click(".qform .go")


def right_of(question):
    return [choice["text"] for choice in question["choices"] if choice["ok"]]


def answer_rightly(page, question):
    """Give the right answer to the question that is shown."""
    if question["form"] == "number":
        page.fill(".qn input", str(question["answer"]))
    else:
        for i, choice in enumerate(question["choices"]):
            if choice["ok"]:
                page.locator(".qform label input").nth(i).check(force=True)
    page.click(".qform .go")


def said(page):
    return page.inner_text(".qreply > p")


# --- a quiz


def test_a_wrong_answer_is_answered_by_itself_and_a_right_one_names_the_rule(mount):
    page = mount(quiz("04_cancellation"))
    assert page.inner_text(".qt") == "Who takes this trick?"
    answer(page, "Gil")
    assert said(page).startswith("Not quite. Gil cannot win: the K♥ is cancelled by its twin.")
    assert said(page).endswith("The rule is “A pair cancels”.")
    # nothing tells which answer would be right
    assert page.locator("[data-mark=right]").count() == 0
    assert "Ilan takes the trick" not in page.inner_text(".quiz")
    page.get_by_role("button", name="Try again").click()
    assert page.locator(".qreply").count() == 0
    answer(page, "Ilan")
    assert said(page).startswith("That is right. The two K♥")
    assert said(page).endswith("The rule is “A pair cancels”.")
    assert page.locator("[data-mark=right]").count() == 1
    page.locator(".qrule summary").click()
    assert "the two cards cancel each other" in page.inner_text(".qrule")
    no_errors(page)


def test_the_table_keeps_the_pair_to_itself_until_the_answer_and_goes_no_further_by_keys(mount):
    page = mount(quiz("04_cancellation"))
    assert page.locator(".qtable .card:not(.away)").count() == 7
    assert page.locator(".qtable .card.x").count() == 0
    page.locator(".qtable .stage").click()
    for key in ("ArrowRight", "End", "Home"):
        page.keyboard.press(key)
    assert page.locator(".qtable .card.x, .qtable .card.win").count() == 0
    assert page.locator(".qtable .card:not(.away)").count() == 7
    answer(page, "Ilan")
    assert page.locator(".qtable .card.x").count() == 2
    assert page.locator(".qtable .card.win").count() == 1
    no_errors(page)


def test_showing_the_answer_says_why_and_does_not_count(mount):
    page = mount(quiz("04_cancellation"), url=SITE)
    answer(page, "Gil")
    page.get_by_role("button", name="Show the answer").click()
    assert said(page).startswith("Here is the answer. The two K♥")
    assert page.locator("[data-mark=right]").count() == 1
    assert "0 of 8" in page.inner_text(".qscore")
    assert page.evaluate(STORED % "04_cancellation") == {"next_best": 0}


def test_a_quiz_is_answered_by_keyboard_alone_and_no_key_reaches_the_notebook(mount):
    page = mount(quiz("02_passing"))
    page.evaluate("window.keys.length = 0")
    page.locator(".qform input").first.focus()
    place = [choice["ok"] for choice in quiz("02_passing").questions[0]["choices"]].index(True)
    page.keyboard.press(" ")
    for _ in range(place):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert said(page).startswith("That is right.")
    assert said(page) in page.text_content(".quiz > [role=status]")
    assert page.evaluate("document.activeElement.textContent") == "Next question"
    page.keyboard.press("Enter")
    assert page.inner_text(".qof") == "Question 2 of 6"
    assert page.evaluate("document.activeElement.className") == "qt"
    page.keyboard.press("d")
    page.keyboard.press("d")
    assert page.evaluate("window.keys") == []
    no_errors(page)


def test_without_a_choice_it_says_so_and_counts_nothing(mount):
    widget = quiz("02_passing")
    page = mount(widget)
    page.click(".qform .go")
    assert page.inner_text(".qhint") == "Choose an answer first."
    assert page.text_content(".quiz > [role=status]") == "Choose an answer first."
    assert page.evaluate("window.model.get('answers')") == {}


def test_the_score_is_kept_by_the_browser_and_by_the_widget(mount):
    widget = quiz("04_cancellation")
    page = mount(widget, url=SITE)
    answer(page, "Ilan")
    assert "1 of 8" in page.inner_text(".qscore")
    assert page.evaluate(STORED % "04_cancellation") == {"next_best": 1}
    assert page.evaluate("window.model.get('answers').next_best.right") is True
    again = mount(widget, url=SITE, stored={"chnb:quiz:04_cancellation": '{"next_best":1}'})
    assert "1 of 8" in again.inner_text(".qscore")
    # what is left to do comes first
    assert again.inner_text(".qof") == "Question 2 of 8"
    again.get_by_role("button", name="Start again").click()
    assert "0 of 8" in again.inner_text(".qscore")
    assert again.evaluate(STORED % "04_cancellation") == {}
    broken = mount(widget, url=SITE, stored={"chnb:quiz:04_cancellation": "[oops"})
    assert "0 of 8" in broken.inner_text(".qscore")
    no_errors(broken)


def test_what_the_browser_gives_is_the_score_of_the_widget():
    widget = quiz("04_cancellation")
    widget.answers = {"next_best": {"given": [2], "right": True}, "two_pairs": {"given": [0], "right": False}}
    assert widget.score == (1, 8)


@pytest.mark.parametrize("name", ["02_passing", "04_cancellation"])
def test_every_question_can_be_answered_rightly_without_a_kernel(mount, name):
    widget = quiz(name)
    page = mount(widget, dead=True)
    for i, question in enumerate(widget.questions):
        page.locator(".qnav button").nth(i).click()
        assert page.inner_text(".qt") == question["text"]
        answer_rightly(page, question)
        assert said(page).startswith("That is right."), question["id"]
    assert f"{len(widget.questions)} of {len(widget.questions)}" in page.inner_text(".qscore")
    no_errors(page)


def test_two_views_of_one_quiz_agree(mount):
    page = mount(quiz("04_cancellation"), views=2)
    first, second = page.locator(".quiz").nth(0), page.locator(".quiz").nth(1)
    choice = first.locator(".qform label").filter(has_text="Ilan").locator("input")
    choice.check()
    first.locator(".qform .go").click()
    assert second.locator(".qreply").inner_text().startswith("That is right.")
    page.evaluate("window.cleanups.forEach(end => end())")
    assert page.evaluate("window.model.listening()") == 0
    no_errors(page)


def test_names_and_texts_from_files_are_text():
    for script in (quiz("02_passing")._esm, lesson("02_passing")._esm, passing_wheel()._esm):
        assert "innerHTML" not in str(script)
        assert "insertAdjacentHTML" not in str(script)


# --- the exam


def test_an_exam_is_judged_at_its_end_only_and_says_what_to_read_again(mount):
    widget = exam(7)
    page = mount(widget, url="http://lesson.test/voila/render/10_exam.ipynb")
    assert "Seed 7" in page.inner_text(".qhead")
    for i, question in enumerate(widget.questions[:18]):
        assert page.inner_text(".qof") == f"Question {i + 1} of 20"
        answer_rightly(page, question)
        assert page.locator(".qreply, [data-mark]").count() == 0
    assert "18 of 20 answered" in page.inner_text(".qscore")
    page.get_by_role("button", name="Finish the exam").click()
    assert "Questions still open: 2." in page.inner_text(".qhint >> nth=0")
    page.get_by_role("button", name="Finish the exam").click()
    assert page.inner_text(".qt") == "18 of 20 are right."
    assert page.evaluate("document.activeElement.className") == "qt"
    links = page.locator(".qrevisit a")
    assert links.evaluate_all("all => all.map(a => a.getAttribute('href'))") == ["05_scoring.ipynb"]
    assert page.locator(".qwrong > li").count() == 2
    assert "Your answer: none" in page.inner_text(".qwrong")
    assert page.evaluate(STORED % "10_exam")["best"] == 18
    page.get_by_role("button", name="See question 19").click()
    assert page.inner_text(".qof") == "Question 19 of 20"
    assert said(page).startswith("Not quite.")
    page.get_by_role("button", name="Back to the result").click()
    assert page.inner_text(".qt") == "18 of 20 are right."
    no_errors(page)


def test_everything_right_is_said_and_another_exam_is_asked_of_the_kernel(mount):
    widget = exam(3)
    page = mount(widget)
    for question in widget.questions:
        answer_rightly(page, question)
    page.get_by_role("button", name="Finish the exam").click()
    assert page.inner_text(".qt") == "20 of 20 are right."
    assert page.locator(".qwrong").count() == 0
    page.get_by_role("button", name="New exam").click()
    page.get_by_role("button", name="New exam").click()  # a second press while it works asks nothing more
    (sent,) = page.evaluate("window.model.sent")
    assert sent["kind"] == "new"
    note = page.locator(".qbody > .qhint")
    assert note.inner_text() == "New questions are being drawn."
    page.evaluate("id => { model.hear({ begun: id }); model.hear({ done: id, failed: 'Told.' }); }", sent["id"])
    assert note.inner_text() == "Told." and page.inner_text(".qt") == "20 of 20 are right."
    no_errors(page)


def test_without_a_kernel_a_new_exam_says_that_nothing_answers(mount):
    widget = exam(3)
    page = mount(widget, dead=True)
    answer_rightly(page, widget.questions[0])
    page.locator(".finish").click()
    page.locator(".finish").click()
    page.get_by_role("button", name="New exam").click()
    assert page.inner_text(".qbody > .qhint").startswith("Nothing answers")
    page.get_by_role("button", name="Same questions again").click()
    assert page.inner_text(".qof") == "Question 1 of 20"
    widget.live = False
    page = mount(widget)
    answer_rightly(page, widget.questions[0])
    page.locator(".finish").click()
    page.locator(".finish").click()
    assert page.get_by_role("button", name="New exam").count() == 0


def test_the_kernel_draws_a_new_exam_with_a_new_seed_and_no_answers():
    widget = exam(7)
    before = widget.questions
    widget.answers, widget.over = {"size": {"given": 1, "right": False}}, True
    said = []
    widget.send = said.append
    widget._heard(widget, {"kind": "new", "id": "q-1"}, [])
    assert said == [{"begun": "q-1"}, {"done": "q-1"}]
    assert widget.seed != "7"
    assert widget.questions != before
    assert (widget.answers, widget.over) == ({}, False)
    assert exam(int(widget.seed)).questions == widget.questions


def test_an_exam_that_cannot_be_drawn_is_said_and_leaves_the_old_one(monkeypatch, callback_errors):
    widget = exam(7)
    before, said = widget.questions, []
    widget.send = said.append
    monkeypatch.setattr("cancel_hearts_nb.examiner.draw", lambda *given: 1 / 0)
    widget._heard(widget, {"kind": "new", "id": "q-1"}, [])
    assert "ZeroDivisionError" in said[-1]["failed"]
    assert widget.questions == before and widget.seed == "7"
    callback_errors.clear()


@pytest.mark.parametrize("asked", ["x", "-1", "1.5", "²", "9" * 19, "9" * 400])
def test_a_broken_seed_in_an_address_is_said_and_gives_a_new_exam(monkeypatch, asked):
    monkeypatch.setenv("QUERY_STRING", f"seed={asked}")
    widget = exam()
    assert "which is no whole number" in widget.notice
    assert len(widget.questions) == 20


def test_a_seed_in_an_address_gives_its_exam(monkeypatch):
    monkeypatch.setenv("QUERY_STRING", "seed=7")
    assert (exam().seed, exam().notice) == ("7", "")
    assert exam(8).seed == "8"


# --- the head of a lesson


def test_the_head_counts_what_the_browser_remembers_and_what_is_answered_now(mount):
    stored = {"chnb:quiz:02_passing": '{"first_hand":1,"third_hand":0,"gone":1}', "chnb:quiz:10_exam": '{"best":17}'}
    page = mount(lesson("04_cancellation"), url=SITE, stored=stored)
    assert page.inner_text(".mid").split("\n") == ["Cancellation", "Lesson 5 of 10 · about 15 minutes"]
    total = sum(
        len(questions.of_lesson(f"{one['name']}")) for one in lesson("04_cancellation").lessons if not one["exam"]
    )
    assert f"1 of {total} questions" in page.inner_text("summary")
    page.click("summary")
    assert "1 of 6" in page.inner_text("li:has-text('Passing')")
    assert "best: 17 of 20" in page.inner_text("li:has-text('The exam')")
    page.evaluate(
        "dispatchEvent(new CustomEvent('chnb:score', { detail: { lesson: '04_cancellation', scores: { next_best: 1 } } }))"
    )
    assert f"2 of {total} questions" in page.inner_text("summary")
    assert page.evaluate("document.querySelector('details').open")
    no_errors(page)


@pytest.mark.parametrize(
    ("address", "href"),
    [
        ("http://lesson.test/voila/render/04_cancellation.ipynb", "05_scoring.ipynb"),
        ("http://lesson.test/user/x/voila/render/notebooks/04_cancellation.ipynb", "05_scoring.ipynb"),
        ("http://lesson.test/lab/tree/notebooks/04_cancellation.ipynb", "05_scoring.ipynb"),
        ("http://lesson.test/notebooks/04_cancellation.ipynb", "05_scoring.ipynb"),
        ("http://lesson.test/site/04_cancellation.html", "05_scoring.html"),
        ("http://lesson.test/lab/workspaces/auto-x", None),
    ],
)
def test_the_lessons_around_are_linked_where_the_address_tells_how(mount, address, href):
    page = mount(lesson("04_cancellation"), url=address)
    assert page.locator(".next").get_attribute("href") == href
    assert page.inner_text(".next .t") == "Scoring"
    assert page.inner_text(".prev .t") == "Following suit"


def test_the_first_lesson_has_none_before_it_and_the_exam_none_after_it(mount):
    assert mount(lesson("00_start_here"), url=SITE).inner_text(".prev").strip() == ""
    page = mount(lesson("10_exam"), url=SITE)
    assert page.inner_text(".next").strip() == ""
    assert "Lesson" not in page.inner_text(".mid")


# --- the passing wheel


def test_the_wheel_is_turned_by_buttons_and_by_the_slider(mount):
    widget = passing_wheel(4, "hearts")
    page = mount(widget)
    assert page.inner_text(".told") == "Hand 1: everybody passes 3 cards to the left, on to the next player clockwise."
    assert page.locator(".arrows > g").count() == 4
    page.get_by_role("button", name="Next hand").click()
    assert "to the right" in page.inner_text(".told")
    assert page.locator("li").first.inner_text() == "Al passes to Dave."
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert "across the table" in page.inner_text(".told")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".told") == "Hand 4: nobody passes; everybody keeps what was dealt."
    assert page.locator(".arrows > g, li").count() == 0
    page.keyboard.press("End")
    page.get_by_role("button", name="Next hand").click(force=True)
    assert page.evaluate("window.model.get('hand')") == 7
    assert page.evaluate("window.keys") == []
    no_errors(page)


@pytest.mark.parametrize(("seats", "game"), [(6, "cancellation"), (11, "cancellation"), (3, "hearts"), (7, "omnibus")])
def test_chips_of_the_wheel_lie_apart_and_arrows_inside_the_drawing(seats, game):
    widget = passing_wheel(seats, game)
    chips = [(one["at"][0], one["at"][1], *one["chip"]) for one in widget.seats]
    for i, (x, y, w, h) in enumerate(chips):
        assert w / 2 <= x <= 400 - w / 2
        assert h / 2 <= y <= 400 - h / 2
        for u, v, *_ in chips[i + 1 :]:
            assert abs(x - u) >= w or abs(y - v) >= h, (x, y, u, v)
    for hand in widget.hands:
        for arrow in hand["arrows"]:
            numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", arrow["line"] + arrow["head"])]
            assert all(0 <= number <= 400 for number in numbers)


def test_the_wheel_follows_the_options_of_a_table():
    ways = [hand["way"] for hand in passing_wheel(8, pass_cycle="none").hands]
    assert set(ways) == {"none"}
    assert [hand["way"] for hand in passing_wheel(6, pass_cycle="LRAN").hands[:4]] == [
        "left",
        "right",
        "across",
        "none",
    ]
    assert "1 card " in passing_wheel(6, pass_count=1).hands[0]["text"]


# --- all of them


AXE = pytest.importorskip("axe_playwright_python")
WIDGETS = {
    "quiz": lambda: quiz("04_cancellation"),
    "exam": lambda: exam(7),
    "lesson": lambda: lesson("04_cancellation"),
    "wheel": lambda: passing_wheel(8),
}


def states(kind, page, widget):
    """Go through what a widget can show, and yield at each."""
    yield "first"
    if kind == "lesson":
        page.click("summary")
        yield "open"
    elif kind == "wheel":
        page.get_by_role("button").nth(1).click()
        yield "second hand"
    elif kind == "quiz":
        for i in (0, 1, 3):
            page.locator(".qnav button").nth(i).click()
            page.locator(".qform input").first.check(force=True)
            page.click(".qform .go")
            page.locator(".qrule summary").click()
            yield f"answered {i}"
    else:
        for i in (1, 2, 14):
            page.locator(".qnav button").nth(i).click()
            yield f"question {i + 1}"
        page.fill(".qn input", "3")
        page.click(".qform .go")
        page.locator(".finish").click()
        page.locator(".finish").click()
        yield "result"


@pytest.mark.parametrize(
    ("look", "width"),
    [("light", 1280), ("dark", 360), ("rtl", 360), *more([("light", 360), ("dark", 1280), ("rtl", 1280)])],
)
@pytest.mark.parametrize("kind", sorted(WIDGETS))
def test_axe_finds_nothing_and_nothing_overflows(mount, kind, look, width, make_language):
    source = (Path(AXE.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    widget = WIDGETS[kind]()
    if look == "rtl":
        widget.words = {**widget.words, "dir": "rtl", "lang": "ar"}
    page = mount(widget, width, dark=look == "dark")
    page.evaluate(
        "document.body.style.background = getComputedStyle(document.querySelector('#host > div > *')).backgroundColor"
    )
    page.evaluate(source)
    for state in states(kind, page, widget):
        found = page.evaluate(
            "axe.run('#host', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], rules: { 'page-has-heading-one': { enabled: false } } })"
        )
        wrong = [(one["id"], [node["html"][:150] for node in one["nodes"][:3]]) for one in found["violations"]]
        assert wrong == [], state
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), state
        small = page.evaluate(
            """() => [...document.querySelectorAll('button, .qc, .pick, summary, input[type=range]')].filter(el => el.offsetParent)
                 .map(el => [el.className || el.textContent, el.getBoundingClientRect()]).filter(([, r]) => r.width < 24 || r.height < 24).map(([name]) => name)"""
        )
        assert small == [], state
    no_errors(page)


@pytest.mark.parametrize("kind", sorted(WIDGETS))
def test_the_still_text_is_the_same_each_time_and_gives_nothing_away(kind):
    one, two = WIDGETS[kind](), WIDGETS[kind]()
    assert repr(one) == repr(two)
    bundle, again = one._repr_mimebundle_()[0], two._repr_mimebundle_()[0]
    assert bundle["text/plain"] == again["text/plain"]
    assert bundle["text/html"] == again["text/html"]
    assert not re.search(r"<(script|style|svg)|\b(id|class|style)=", bundle["text/html"])
    if kind == "quiz":
        for question in one.questions:
            assert question["text"] in bundle["text/plain"]
            assert question["reply"] not in bundle["text/plain"] + bundle["text/html"]
            for choice in question.get("choices", ()):
                assert choice.get("say", "\0") not in bundle["text/plain"] + bundle["text/html"]


def test_a_quiz_speaks_the_language_it_is_given(make_language):
    make_language("xx", lambda form, _: "ø" + form)
    widget = quiz("04_cancellation", "xx")
    assert widget.words["quiz"]["next"] == "øNext question"
    assert all(question["text"].startswith("ø") for question in widget.questions)
    assert lesson("04_cancellation", "xx").lessons[4]["title"] == "øCancellation"
    assert passing_wheel(language="xx").hands[0]["text"].startswith("ø")
