"""Every word of the pages in a pseudo-language, 60 % longer and in brackets: what stands outside of brackets escaped.

Read are all texts and all attributes that are shown or spoken, also of what is hidden at the moment.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from play_bridge import Bridge
from sizes import ends

from cancel_hearts_nb import record
from cancel_hearts_nb.i18n import Words
from cancel_hearts_nb.view.lesson import lesson
from cancel_hearts_nb.view.panels import show
from cancel_hearts_nb.view.play import play_table
from cancel_hearts_nb.view.quiz import exam, quiz
from cancel_hearts_nb.view.scoresheet import ScoreSheet
from cancel_hearts_nb.view.wheel import passing_wheel

pytestmark = pytest.mark.slow

OPEN, CLOSE = "⟦", "⟧"
NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate Robin".split()
READ = """() => {
  const found = new Set(), add = text => { if (text && text.trim()) found.add(text.trim()); };
  const walk = document.createTreeWalker(document.querySelector('.chnb, .chss, .chnb-lesson, .chnb-wheel'), NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walk.currentNode; node; node = walk.nextNode()) {
    if (node.nodeType === 3) { add(node.data); continue; }
    for (const name of ['aria-label', 'aria-valuetext', 'aria-roledescription', 'aria-description', 'title', 'placeholder', 'alt']) add(node.getAttribute(name));
    if (node.matches('input[type=submit], input[type=button]')) add(node.value);
  }
  return [...found];
}"""
# What no language changes
ALLOWED = re.compile(
    r"""[\u2066-\u2069\ufe0e\s]      # isolation, the text style of suit signs, space
    |[-−+]?\d+                       # numbers
    |\b(?:10|[2-9JQKA])?[♣♦♠♥]       # cards and suits
    |[.,:;/·–×()+]                   # between parts that are each a whole of its own
    |[←→↑]                           # where cards are passed, and arrow keys
    """,
    re.VERBOSE,
)
# The keys that read aloud are letters of the keyboard
KEYS = ("H", "T", "P", "C")


def escaped(texts: Iterable[str], *given: str) -> set[str]:
    """What of `texts` is no name, none of what is `given` (somebody else wrote it), and stands in no bracket."""
    wrong = set()
    for text in texts:
        if text in (*NAMES, *KEYS, *given):
            continue
        kept, depth = [], 0
        for c in text:
            depth += (c == OPEN) - (c == CLOSE)
            if depth == 0 and c != CLOSE:
                kept.append(c)
        if depth or ALLOWED.sub("", "".join(kept)):
            wrong.add(text)
    return wrong


def test_the_reading_finds_what_is_not_translated() -> None:
    fine = [f"{OPEN}Al leads~~{CLOSE}", "Al", "−3", "Q♠\ufe0e", f"{OPEN}a{CLOSE} · {OPEN}b{CLOSE}: 7", "H"]
    assert escaped(fine) == set()
    wrong = ["Al leads", f"{OPEN}Al{CLOSE} leads", f"{OPEN}cut off", "queen", "pts"]
    assert escaped([*fine, *wrong]) == set(wrong)


WIDE = """() => {
  const edge = document.documentElement.clientWidth + 1;
  if (document.documentElement.scrollWidth < edge) return [];
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  const cut = el => { for (let one = el; one; one = one.parentElement) if (getComputedStyle(one).overflowX !== 'visible') return true; return false; };
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    range.selectNodeContents(node);
    const el = node.parentElement;
    if (!cut(el) && [...range.getClientRects()].some(r => r.width && r.right > edge)) found.push(`${el.closest('[class]').className} ${el.tagName}`);
  }
  return found.length ? found : ['something'];
}"""


@pytest.fixture
def longer(make_language: Callable[..., Words]) -> Words:
    """The pseudo-language "qps" whose messages are 60 % longer, as languages are: by more words, none of them endless."""

    def change(form: str, _: int) -> str:
        count = math.ceil(len(form) * 0.6)
        return f"{OPEN}{form} {' '.join(['~' * 9] * (count // 10) + ['~' * (count % 10)])}{CLOSE}"

    return make_language("qps", change)


class Reading:
    """What is read of `page` while it is used: all its `texts`, and what was `wide`r than the page at some time."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.texts: set[str] = set()
        self.wide: set[str] = set()

    def __call__(self) -> None:
        self.texts.update(self.page.evaluate(READ))
        self.wide.update(self.page.evaluate(WIDE))

    def end(self, *given: str) -> None:
        assert escaped(self.texts, *given) == set()
        assert sorted(self.wide) == []


@pytest.mark.parametrize("width", ends((1280, 768, 360)))
@pytest.mark.parametrize("start", ["03", "13"])
def test_replay_questions_rules_and_sharing(mount: Callable[..., Any], longer: Words, start: str, width: int) -> None:
    path = next(path for path in record.examples() if path.stem.startswith(start))
    loaded = record.load(path)
    table = show(path, language="qps")
    page = mount(table, width, url="http://pseudo.test/", dead=True)
    read = Reading(page)

    read()
    page.locator(".foot .all").first.click()
    page.locator(".rb").first.click()
    page.evaluate("document.querySelectorAll('.chnb details').forEach(el => { el.open = true; })")
    read()
    page.locator(".foot .all").first.click()
    end = len(table.replays[0]["frames"]) - 1
    for step in range(end + 1):
        page.evaluate("step => model.set('step', step)", step)
        if page.locator(".wb:not([data-off])").count():
            page.click(".wb")
        if page.locator(".ask .answers").count():
            read()
            if page.locator(".ask .answers input[type=number]").count():
                page.fill(".ask .answers input[type=number]", "3")
            page.locator(".ask .answers button").first.click()
        read()
    for key in "htpc":
        page.locator(".stage").click(position={"x": 3, "y": 3})
        page.keyboard.press(key)
        read()
    # without a kernel what needs one says so
    page.click("[data-do=link]")
    page.wait_for_timeout(100)
    read()
    # the record's author wrote these
    read.end(loaded.title, loaded.about, *loaded.game.names)
    assert page.evaluate("window.errors") == []


@pytest.mark.parametrize("width", ends((1280, 768, 360)))
@pytest.mark.parametrize(("game", "seats"), [("cancellation", 11), ("hearts", 4), ("omnibus", 3)])
def test_form_play_and_its_score_sheet(browser: Any, longer: Words, game: str, seats: int, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    bridge = Bridge(page, play_table("qps"))
    read = Reading(page)
    chance = random.Random(1)

    page.evaluate("document.querySelectorAll('.setup details').forEach(el => { el.open = true; })")
    read()
    page.select_option("[name=game]", game)
    page.wait_for_function("game => document.querySelector('[name=game]').value === game", arg=game)
    page.select_option("[name=seats]", str(seats))
    page.wait_for_function("seats => model.get('form').kept.was_seats === seats", arg=str(seats))
    page.select_option("[name=others]", "each")
    page.wait_for_selector("[name=player1]")
    read()
    page.fill("[name=target]", "5")
    page.fill("[name=seed]", "x")
    page.click("[data-play=start]")
    page.wait_for_function("document.querySelector('.fault').textContent !== ''")
    read()
    page.fill("[name=seed]", "7")
    page.fill("[name=pass_count]", "99")
    page.click("[data-play=start]")
    page.wait_for_function("document.querySelector('[name=pass_count]').getAttribute('aria-invalid')")
    read()
    page.fill("[name=pass_count]", "3")
    page.click("[data-play=start]")
    for turn in range(60):
        # early: while the others' moves are being shown
        page.wait_for_function(
            "model.get('play').on && !document.querySelector('.hand button') === false || model.get('step') > 0"
        )
        read()
        page.wait_for_function(
            """() => { const skip = document.querySelector('[data-play=skip]'), at = model.get('replays');
              if (skip && !skip.hidden) skip.click();
              return at.length && model.get('step') === at[at.length - 1].frames.length - 1 && (!skip || skip.hidden); }"""
        )
        read()
        ask, stamp = bridge.table.play["ask"], bridge.table.play["stamp"]
        if ask["kind"] == "over":
            break
        page.evaluate("document.querySelector('[data-play=hint]').click()")
        page.wait_for_timeout(20)
        read()
        if ask.get("refused"):
            page.locator(f".hand [data-key={next(iter(ask['refused']))}]").dispatch_event("click")
            read()
        if ask["kind"] in ("pass", "play"):
            for key in chance.sample(ask["legal"], ask.get("count", 1)):
                page.locator(f".hand [data-key={key}]").dispatch_event("click")
            read()
            if ask["kind"] == "pass":
                page.click("[data-play=commit_play]")
        elif ask["kind"] == "moon":
            page.locator(".moon button").first.click()
        else:
            page.click("[data-play=next_hand]")
        page.wait_for_function("stamp => model.get('play').stamp !== stamp", arg=stamp)
        if turn % 5 == 0 and page.locator(".hand button").count():
            page.locator(".hand button").first.dispatch_event("click")
            read()
    assert bridge.table.play["sheet"]["rows"]
    read.end()
    assert page.evaluate("window.errors") == []
    context.close()


@pytest.mark.parametrize("width", [1280, 360])
def test_the_score_sheet_for_a_real_table(browser: Any, tmp_path: Any, longer: Words, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(ScoreSheet.of(longer).to_html(tmp_path / "sheet.html").as_uri())
    read = Reading(page)

    page.evaluate("document.querySelectorAll('.chss details').forEach(el => { el.open = true; })")
    read()
    for i, box in enumerate(page.locator(".setup input[type=text]").all()):
        box.fill(NAMES[i])
    read()
    page.locator("[data-at=start], .setup .go").first.click()
    read()
    page.click("[data-at=main]")
    read()
    page.evaluate("document.querySelectorAll('.chss details').forEach(el => { el.open = true; })")
    for _ in range(3):
        page.locator(".pad button").nth(26).click()
        read()
    page.locator(".taker input[type=radio]").last.check(force=True)
    read()
    read.end()
    context.close()


@pytest.mark.parametrize("width", ends((1280, 768, 360)))
@pytest.mark.parametrize("kind", ["02_passing", "04_cancellation", "exam"])
def test_questions_of_a_lesson_and_the_exam(mount: Callable[..., Any], longer: Words, kind: str, width: int) -> None:
    widget = exam(7, "qps") if kind == "exam" else quiz(kind, "qps")
    page = mount(widget, width, url="http://pseudo.test/", dead=True)
    read = Reading(page)
    read()
    page.click(".qform .go")
    read()
    for index, question in enumerate(widget.questions):
        page.locator(".qnav button").nth(index).click()
        read()
        # a wrong answer, then the right one
        if question["form"] == "number":
            page.fill(".qn input", str(question["answer"] + 1))
        else:
            wrong = next((i for i, choice in enumerate(question["choices"]) if not choice["ok"]), 0)
            page.locator(".qform label input").nth(wrong).check(force=True)
        page.click(".qform .go")
        read()
        if kind != "exam":
            page.locator(".qrule summary").click()
            read()
            if page.locator(".qacts .quiet").count():
                page.locator(".qacts .quiet").first.click()
                read()
    if kind == "exam":
        page.evaluate("model.set('answers', {}); document.activeElement.blur()")
        for _ in range(2):
            page.locator(".qnav button").first.click()
            page.locator(".qform label input, .qn input").first.evaluate(
                "el => el.type === 'number' ? el.value = 3 : el.click()"
            )
            page.click(".qform .go")
        page.click(".finish")
        read()
        page.click(".finish")
        read()
        page.locator(".qwrong .quiet").first.click()
        read()
        page.locator(".qacts .plain").last.click()
        page.locator(".qacts .go").click()  # nobody draws a new exam here
        page.wait_for_timeout(100)
        read()
    # the players of the records, whose authors named them; and the table within, which is given no rules, keeps their ids
    # in the line for the rule, where nobody sees or hears them
    tables = [one["table"] for one in widget.questions if "table" in one]
    assert not page.locator(".qtable .rule, .qtable .rb").filter(visible=True).count()
    read.end(
        *{name for one in tables for name in one["names"]}, *{frame["r"] for one in tables for frame in one["frames"]}
    )
    assert page.evaluate("window.errors") == []


@pytest.mark.parametrize("width", ends((1280, 768, 360)))
@pytest.mark.parametrize("name", ["00_start_here", "04_cancellation", "10_exam"])
def test_the_head_of_a_lesson(mount: Callable[..., Any], longer: Words, name: str, width: int) -> None:
    page = mount(lesson(name, "qps"), width, url=f"http://pseudo.test/{name}.html")
    read = Reading(page)
    read()
    page.click("summary")
    read()
    read.end()
    assert page.evaluate("window.errors") == []


@pytest.mark.parametrize("width", ends((1280, 768, 360)))
@pytest.mark.parametrize(("seats", "game"), [(8, "cancellation"), (4, "hearts")])
def test_the_passing_wheel(mount: Callable[..., Any], longer: Words, seats: int, game: str, width: int) -> None:
    widget = passing_wheel(seats, game, "qps")
    page = mount(widget, width)
    read = Reading(page)
    for hand in range(len(widget.hands)):
        page.evaluate("hand => model.set('hand', hand)", hand)
        read()
    read.end()
    assert page.evaluate("window.errors") == []
