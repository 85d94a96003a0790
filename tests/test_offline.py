"""The course as files: what `cancel-hearts export` writes, opened from a folder in a browser that has no network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pseudo import MakeLanguage

from cancel_hearts_nb import cli, course, i18n, messages, offline

pytest.importorskip("mistune")
LESSONS = [one.name for one in course.lessons()]
EVIL = "<img src=x onerror=window.hacked=1>"
PATIENCE = 60_000
ROOT = Path(i18n.__file__).parents[1]
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, exported once: by another process, whose sets have another order, started in another folder."""
    made = tmp_path_factory.mktemp("stick") / "new" / "course"
    done = subprocess.run(
        [sys.executable, "-m", "cancel_hearts_nb.cli", "export", str(made)],
        cwd=made.parents[1], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7", "QUERY_STRING": "seed=3&hand=1broken"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{made}{os.sep}index.html" in done.stdout
    assert [path.name for path in made.parent.iterdir()] == ["course"]
    return made


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    """A function that opens a file; at the end the test fails if it said anything to the console or asked for anything."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True, bypass_csp=False)
    context.set_default_timeout(PATIENCE)
    said: list[str] = []
    asked: list[str] = []

    def start(path: Path, query: str = "") -> Any:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri() + query)
        return page

    yield start
    context.close()
    assert asked and [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert said == []


def text_of(folder: Path, name: str) -> str:
    return (folder / f"{name}.html").read_text(encoding="utf-8")


def state_of(text: str) -> Any:
    found = re.search(r'id="state">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


# --- the files


def test_every_lesson_has_its_page_and_a_small_stick_holds_them_all(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [*(f"{name}.html" for name in LESSONS), "index.html"]
    )
    assert sum(path.stat().st_size for path in folder.iterdir()) < 10_000_000


def test_another_export_is_the_same_byte_for_byte(folder: Path, tmp_path: Path) -> None:
    before = dict(os.environ)
    offline.export(tmp_path, i18n.words())
    assert dict(os.environ) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in folder.iterdir())
    for path in folder.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize("name", [*LESSONS, "index"])
def test_a_page_needs_nothing_but_its_neighbours(folder: Path, name: str) -> None:
    text = text_of(folder, name)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy and policy[1].startswith("default-src 'none'; ")
    assert "unsafe" not in policy[1].replace("style-src 'unsafe-inline'", "")
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"(?<!xmlns=\")https?://", markup)
    leads = re.findall(r"(?:src|href)=\"(?!data:)([^\"]*)\"", markup)
    assert {to for to in leads if not (folder / to).is_file()} == set()
    assert '.ipynb"' not in markup


def test_what_needs_the_program_says_so_where_it_stood(folder: Path) -> None:
    for name, said, times in (
        ("07_play_a_hand", "Here you cannot play", 1),
        ("08_how_often", "Here no hands can be played anew", 1),
        ("09_your_own_rules", "Here no other deal can be compared", 1),
        ("10_exam", "Here no exam can be drawn", 1),
    ):
        text = text_of(folder, name)
        assert text.count(said) == times
        assert "the command “cancel-hearts” opens it" in text
        live = [
            state_of(text)["values"][one["traits"]["live"]]
            for one in state_of(text)["views"]
            if "live" in one["traits"] and not one["spare"]
        ]
        assert set(live) <= {False}
    assert "data:image/svg+xml;base64," in text_of(folder, "07_play_a_hand")


# --- where it is written


def test_a_folder_that_holds_anything_is_left_alone_unless_forced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(offline, "pages", lambda w: {"index.html": "new", "a.html": "a"})
    (tmp_path / "index.html").write_text("mine")
    (tmp_path / "letter.txt").write_text("mine")
    assert cli.main(["export", str(tmp_path)]) == cli.WRONG
    assert f"The folder “{tmp_path}” is not empty. With --force" in capsys.readouterr().err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"index.html": "mine", "letter.txt": "mine"}
    assert cli.main(["export", str(tmp_path), "--force"]) == cli.FINE
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"index.html": "new", "a.html": "a", "letter.txt": "mine"}  # fmt: skip


@pytest.mark.parametrize("there", [False, True])
def test_nothing_half_written_is_left_when_the_stick_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], there: bool
) -> None:
    monkeypatch.setattr(offline, "pages", lambda w: {"index.html": "new", "a.html": "a"})
    target = tmp_path / "course"
    if there:
        target.mkdir()
        (target / "index.html").write_text("mine")
    write, written = Path.write_text, []

    def full(path: Path, *args: Any, **kwargs: Any) -> int:
        written.append(path.name)
        if len(written) > 1:
            raise OSError(28, "No space left on device")
        return write(path, *args, **kwargs)

    monkeypatch.setattr(Path, "write_text", full)
    assert cli.main(["export", str(target), "--force"]) == cli.WRONG
    assert "cannot be written to" in (said := capsys.readouterr().err) and "No space left on device" in said
    assert len(written) == 2
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.read_text() for path in left] == (["mine"] if there else [])
    assert [path.name for path in tmp_path.iterdir()] == (["course"] if there else [])


def test_a_place_where_no_folder_can_be_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    assert cli.main(["export", str(file)]) == cli.WRONG
    assert f"“{file}” is a file. Name a folder, which may be new." in capsys.readouterr().err
    assert file.read_text() == "mine"
    assert cli.main(["export"]) == cli.WRONG


def test_a_folder_where_a_page_belongs_is_named_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(offline, "pages", lambda w: {"a.html": "new", "index.html": "new"})
    (tmp_path / "index.html").mkdir()
    assert cli.main(["export", str(tmp_path), "--force"]) == cli.WRONG
    assert f"“{tmp_path / 'index.html'}” is a folder where a page belongs." in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["index.html"]


def test_without_the_extra_a_sentence_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(offline.importlib.util, "find_spec", lambda name: None)
    assert cli.main(["export", str(tmp_path / "course")]) == cli.WRONG
    assert (
        "The pages need more packages. Install them with: pip install cancel_hearts_nb[course]"
        in capsys.readouterr().err
    )
    assert list(tmp_path.iterdir()) == []


# --- text from outside, and languages


def notebook(*cells: tuple[str, str]) -> str:
    return json.dumps({"cells": [{"cell_type": kind, "source": source.splitlines(True)} for kind, source in cells]})


def test_markup_in_a_text_shows_as_text_and_links_lead_to_pages_alone() -> None:
    source = "# One <b>\n\n<script>x</script>\n\n[a](javascript:x) [b](02_passing.ipynb) [c](http://example.org)\n\n| a |\n| - |\n| <i> |"
    text = offline.lesson("Passing", notebook(("markdown", source)), i18n.words())
    for given in ("<b>", "<script>x", "<i>", "javascript:"):
        assert given not in text
    assert "<h1>One &lt;b&gt;</h1>" in text
    assert '<a href="02_passing.html">b</a> <a href="http://example.org">c</a>' in text


@pytest.mark.slow
def test_a_name_full_of_markup_is_a_name(opened: Open, tmp_path: Path) -> None:
    code = f"""
from cancel_hearts_nb import Game, RandomPlayer, lesson, play, show, story
from cancel_hearts_nb.record import Record
from cancel_hearts_nb.ruleset import ruleset
names = [{EVIL!r}, "</script><script>hacked=1</script>", "</style>", "Dave"]
game = play(Game(ruleset("hearts", 4), names, seed=7, hands=1), [RandomPlayer()] * 4)
table = show(Record(game, {EVIL!r}, "</main>" + {EVIL!r}))
"""
    source = notebook(("markdown", "# Names"), ("code", code + "table"), ("code", "story(game)"), ("code", "names"))
    file = tmp_path / "names.html"
    file.write_text(offline.lesson(f"</title>{EVIL}", source, i18n.words()), encoding="utf-8")
    page = opened(file)
    page.locator(".chnb .card:not(.away)").first.wait_for()
    shown = page.inner_text("main")
    for one in (EVIL, "</script><script>hacked=1</script>", "</style>"):
        assert one in page.inner_text(".chnb .seats")
        assert shown.count(one) >= 3
    assert page.title().startswith(f"</title>{EVIL}")
    page.click("[data-go=last]")
    assert page.evaluate("[window.hacked, document.querySelectorAll('main img, script').length]") == [None, 2]


def test_the_page_speaks_the_language_asked_for_and_the_lesson_its_own(make_language: MakeLanguage) -> None:
    w = make_language("he", lambda form, _: "⟦" + form + "⟧")
    source = notebook(("markdown", "# Play"), ("code", "from cancel_hearts_nb import play_table\nplay_table()"))
    text = offline.lesson(messages.N_("Play a hand"), source, w)
    assert '<html lang="he" dir="rtl">' in text
    assert "<title>⟦" in text
    assert '<div class="text" lang="en" dir="ltr"><h1>Play</h1>' in text
    assert re.search(r'<p class="apart">⟦Here you cannot play.*?⟧</p>', text)
    assert re.search(r"<footer><p>⟦This page works.*?⟧</p></footer>", text)
    assert next(value for value in state_of(text)["values"] if isinstance(value, dict) and "labels" in value)["dir"] == "rtl"  # fmt: skip


# --- in a browser


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_opens_from_a_file_at_every_width(opened: Open, folder: Path, name: str) -> None:
    page = opened(folder / f"{name}.html")
    page.locator(".chnb-lesson .mid").wait_for()
    assert page.locator("h1").count() == 1
    assert page.title() == f"{course.lesson(name).title} · Cancellation Hearts"
    views = len(state_of(text_of(folder, name))["views"])
    assert (
        page.locator(".view > :is(.chnb, .chnb-lesson, .chnb-wheel, .chnb-often, .chnb-compare, .chss)").count()
        == views
    )
    if name not in ("08_how_often", "10_exam"):
        assert page.locator(".chnb .card:not(.away)").first.is_visible()
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        # tables take the new width in the next frame
        page.wait_for_function("width => document.documentElement.scrollWidth === width", arg=width)
    for controls in page.locator(".view > .chnb .more").all():
        assert not controls.is_visible() or controls.bounding_box()["height"] < 160, "the controls stand far apart"
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(set(ids)) == len(ids)
    for button in ("again", "stored", "deal", "find", "link", "play_on"):
        assert page.locator(f"[data-do={button}]").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["01_cards_and_deal", "08_how_often"])
def test_a_page_is_accessible(opened: Open, folder: Path, name: str) -> None:
    axe = pytest.importorskip("axe_playwright_python")
    page = opened(folder / f"{name}.html")
    page.locator(".quiz .qt").wait_for()
    # the policy lets no script in but the page's own: this one comes from the debugger
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate(
        "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })"
    )
    assert [(one["id"], [node["html"][:150] for node in one["nodes"][:3]]) for one in found["violations"]] == []


@pytest.mark.slow
@pytest.mark.parametrize("memory", [True, False])
def test_a_lesson_is_learnt_from_a_file(opened: Open, folder: Path, memory: bool) -> None:
    """From the first page on: step by key, predict, answer a question, go on; also where the browser remembers nothing."""
    page = opened(folder / "index.html")
    page.wait_for_url("**/00_start_here.html")
    if not memory:
        page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    page.locator(".chnb-lesson .next").click()
    page.wait_for_url("**/01_cards_and_deal.html")
    table = page.locator(".chnb").first
    table.focus()
    before = table.locator(".live").inner_text()
    page.keyboard.press("ArrowRight")
    assert table.locator(".live").inner_text() != before
    for _ in range(30):
        if table.locator(".answers button").count():
            break
        page.keyboard.press("ArrowRight")
    table.locator(".answers button", has_text="Elif").click()
    table.locator(".reply[data-right=true]").wait_for()
    quiz = page.locator(".quiz")
    choices = quiz.locator(".qcs label")
    choices.filter(has_text="Nobody").click()
    quiz.locator("[type=submit]").click()
    quiz.locator(".qreply[data-right=false]").wait_for()
    quiz.get_by_role("button", name="Show the answer").click()
    right = quiz.locator("[data-mark=right] bdi").inner_text()
    quiz.get_by_role("button", name="Start again").click()
    choices.filter(has_text=right).click()
    quiz.locator("[type=submit]").click()
    quiz.locator(".qreply[data-right=true]").wait_for()
    assert ": 1 of " in page.locator(".chnb-lesson .sum").inner_text()
    page.locator("main a", has_text="Next: Passing").click()
    page.wait_for_url("**/02_passing.html")
    assert (": 1 of " in page.locator(".chnb-lesson .sum").inner_text()) == memory


@pytest.mark.slow
def test_the_exams_that_came_along_are_taken_one_after_the_other(opened: Open, folder: Path) -> None:
    page = opened(folder / "10_exam.html", "?seed=7")
    assert page.locator(".qseed").inner_text() == "Seed 7"
    for seed in (8, 1):
        page.get_by_role("button", name="Leave it open for now").click()
        page.get_by_role("button", name="Question 1", exact=True).click()
        quiz = page.locator(".quiz")
        if quiz.locator("input[type=number]").count():
            quiz.locator("input[type=number]").fill("3")
        else:
            quiz.locator(".qcs label").first.click()
        quiz.locator("[type=submit]").click()
        page.get_by_role("button", name="Finish the exam").click()
        page.get_by_role("button", name="Finish the exam").click()
        assert "of 20 are right" in page.locator(".qt").inner_text()
        page.get_by_role("button", name="New exam").click()
        assert page.locator(".qseed").inner_text() == f"Seed {seed}"
        assert "0 of 20 answered" in quiz.inner_text()
    page = opened(folder / "10_exam.html")
    assert page.locator(".qseed").inner_text() == "Seed 1"
    assert page.locator(".qnotice").count() == 0
    page = opened(folder / "10_exam.html", "?seed=99<b>")
    assert page.locator(".qseed").inner_text() == "Seed 1"
    assert "is not in this copy: it has those of the seeds 1 to 8" in page.locator(".qnotice").inner_text()


@pytest.mark.slow
def test_dark_pages_are_printed_in_light_colours(opened: Open, folder: Path) -> None:
    page = opened(folder / "09_your_own_rules.html")
    look = "[...document.querySelectorAll('body, .chnb, .chnb-sheet')].map(one => getComputedStyle(one).color)"
    light = page.evaluate(look)
    page.emulate_media(color_scheme="dark")
    page.locator(".chnb[data-theme=dark]").first.wait_for()
    assert not set(page.evaluate(look)) & set(light)
    page.emulate_media(color_scheme="dark", media="print")
    page.locator(".chnb[data-theme=light]").first.wait_for()
    assert page.evaluate(look) == light


@pytest.mark.slow
def test_where_no_script_runs_the_lesson_and_its_first_position_can_be_read(browser: Any, folder: Path) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True, bypass_csp=False)
    page = context.new_page()
    page.goto((folder / "07_play_a_hand.html").as_uri())
    seen = page.inner_text("body")
    for text in ("Here you cannot play", "Each of the 8 players gets 13 cards.", "Hiro: 2♣"):
        assert text in seen
    assert page.locator("main img[alt]").count() == 1
    context.close()
