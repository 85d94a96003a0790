"""Outside a live page: the exported file, the pictures in a notebook, a notebook that nobody runs."""

from __future__ import annotations

import base64
import json
import re
from xml.etree import ElementTree

import labpage
import nbformat
import pytest

from cancel_hearts_nb import Game, RandomPlayer, play, record
from cancel_hearts_nb.ruleset import ruleset
from cancel_hearts_nb.view.export import page as page_of
from cancel_hearts_nb.view.panels import gallery, show

NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()
EVIL = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'


def path(start):
    return next(path for path in record.examples() if path.stem.startswith(start))


def hand(seats=8, title="", names=NAMES):
    game = play(Game(ruleset("cancellation", seats), names[:seats], seed=7, hands=1), [RandomPlayer()] * seats)
    return show(record.Record(game, title, title))


def policy(text):
    return re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]


def test_the_file_is_one_small_file_that_depends_on_its_table_alone(tmp_path):
    for table in (hand(11), gallery(), show(path("12"), viewer=3)):
        table.to_html(tmp_path / "a.html")
        table.to_html(tmp_path / "b.html")
        text = (tmp_path / "a.html").read_text(encoding="utf-8")
        assert text == (tmp_path / "b.html").read_text(encoding="utf-8")
        assert len(text.encode()) < 400_000
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
        assert not re.search(r"(src|href)=\"(?!data:|#)", text.split('id="state"')[0])
        assert "default-src 'none'" in policy(text)
    assert len(hand(8).html().encode()) < 200_000


def test_a_seats_view_tells_nothing_more_as_a_file():
    table = show(path("12"), viewer=3)
    state = json.loads(re.search(r'id="state">(.*?)</script>', table.html(), re.S)[1])
    assert state["replays"][0]["code"] == ""
    assert state["files"] == []
    assert "file" not in state["replays"][0]
    deal = record.load(path("12")).game.events[1].hands
    frame = next(frame for frame in state["replays"][0]["frames"] if frame["e"] == "Dealt")
    shown = [(seat, card) for _key, card, zone, seat, *_ in frame["d"] if zone == "h" and card]
    assert shown == [(3, card.code) for card in deal[3]]


def test_what_could_end_a_script_is_refused_in_the_module_and_written_safely_in_the_state():
    with pytest.raises(ValueError, match="cannot be put"):
        page_of("t", {}, "export default () => '</SCRIPT>'", "")
    with pytest.raises(ValueError, match="cannot be put"):
        page_of("t", {}, "export default 1; export default 2", "")
    text = page_of("</title><b>", {"words": {}, "x": "</script><!--"}, "export default () => 1", "")
    assert "</title><b>" not in text
    assert text.count("</script") == 2
    assert json.loads(re.search(r'id="state">(.*?)</script>', text)[1])["x"] == "</script><!--"


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 360])
def test_the_file_steps_offline_and_lets_no_name_become_markup(browser, tmp_path, width):
    names = [EVIL[:39], *NAMES[1:]]
    table = hand(8, EVIL, names)
    file = tmp_path / "table.html"
    table.to_html(file)
    context = browser.new_context(viewport={"width": width, "height": 800}, offline=True, bypass_csp=False)
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.locator(".chnb .card:not(.away)").first.wait_for()
    end = len(table.replays[0]["frames"]) - 1
    captions = table.replays[0]["captions"]
    for _ in range(5):
        page.click("[data-go=next]")
    assert page.inner_text(".live") == captions[6]
    page.click("[data-go=last]")
    assert page.inner_text(".live") == captions[end]
    assert page.evaluate("window.hacked") is None
    assert page.title() == EVIL
    assert page.evaluate("document.documentElement.scrollWidth") == width
    with page.expect_download() as download:
        page.get_by_role("button", name="Save record").click()
    saved = tmp_path / "saved.toml"
    download.value.save_as(saved)
    assert record.load(saved).game.events == record.loads(table.files[0]["text"]).game.events
    assert not page.get_by_role("button", name="Copy link").is_visible()
    assert [url for url in asked if not url.startswith(("file:", "blob:"))] == []
    assert said == []
    context.close()


@pytest.mark.slow
def test_the_policy_forbids_other_scripts_and_a_page_without_script_reads(browser, tmp_path):
    table = show(path("03"))
    table.step = 13
    text = table.html()
    assert "unsafe-eval" not in policy(text)
    assert "'unsafe-inline'" not in policy(text).split("script-src")[1].split(";")[0]
    file = tmp_path / "table.html"
    file.write_text(text.replace("</body>", "<script>window.hacked=1</script></body>"), encoding="utf-8")
    for scripts in (True, False):
        context = browser.new_context(java_script_enabled=scripts, bypass_csp=False)
        page = context.new_page()
        page.goto(file.as_uri())
        if scripts:
            page.locator(".chnb").wait_for()
            assert page.evaluate("window.hacked") is None
        else:
            seen = page.inner_text("body")
            assert table.replays[0]["captions"][13] in seen
            assert "The trick, in order of play" in seen
        context.close()


def bundle(table):
    return {kind: text for kind, text in table._repr_mimebundle_()[0].items() if "widget-view" not in kind}


def test_the_bundle_has_text_picture_and_html_and_is_the_same_each_time():
    for step in (0, 20, 60):
        one, two = (bundle(_at(show(path("12")), step)) for _ in range(2))
        assert one == two
        assert set(one) == {"text/plain", "text/html", "image/svg+xml"}
        root = ElementTree.fromstring(one["image/svg+xml"])
        assert root.tag.endswith("svg")
        assert len(one["text/html"].encode()) <= 30_000
        inside = base64.b64decode(re.search(r"base64,([^\"]+)", one["text/html"])[1]).decode()
        assert inside == one["image/svg+xml"]


def _at(table, step):
    table.step = step
    return table


def test_without_any_picture_the_position_can_still_be_read():
    table = _at(show(path("12")), 62)
    html = re.sub(r"<img[^>]*>", "", bundle(table)["text/html"])
    text = re.sub(r"<[^>]+>", " ", html)
    game = record.load(path("12")).game
    for name in game.names:
        assert name in text
    scene_words = [line for line in repr(table).splitlines() if line]
    for line in scene_words:
        for word in re.split(r"[\s,:()]+", line):
            assert word in text


@pytest.mark.slow
def test_an_untrusted_copy_in_jupyterlab_shows_the_picture_without_being_run(browser, lab):
    address, folder = lab.address, lab.folder
    table = _at(show(path("03")), 13)
    made = nbformat.v4.new_notebook()
    cell = nbformat.v4.new_code_cell("show(record)", execution_count=1)
    data = table._repr_mimebundle_()[0]
    # as a saved notebook holds it: the widget's model is gone
    cell.outputs = [nbformat.v4.new_output("execute_result", data, execution_count=1)]
    made.cells = [cell]
    nbformat.write(made, folder / "copy.ipynb")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{address}/lab/tree/copy.ipynb?reset")
    picture = page.locator(".jp-OutputArea-output img").first
    picture.wait_for(timeout=60_000)
    page.wait_for_function("document.querySelector('.jp-OutputArea-output img').naturalWidth > 300", timeout=60_000)
    assert table.replays[0]["captions"][13] in (picture.get_attribute("alt") or "") + page.inner_text(".jp-OutputArea")
    assert page.locator(".chnb").count() == 0
    context.close()


@pytest.mark.slow
def test_jupyterlab_shows_the_live_table_when_the_cell_is_run(browser, lab):
    address, folder = lab.address, lab.folder
    made = nbformat.v4.new_notebook()
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    source = "from cancel_hearts_nb.view.panels import gallery\ngallery()"
    made.cells = [nbformat.v4.new_code_cell(source), nbformat.v4.new_code_cell("2 + 2")]
    nbformat.write(made, folder / "live.ipynb")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    labpage.open_notebook(page, address, "live.ipynb")
    labpage.run_all(page)
    table = page.locator(".chnb").first
    table.wait_for(timeout=60_000)
    assert page.locator(".jp-OutputArea-output img").count() == 0
    before = table.locator(".live").inner_text()
    table.locator("[data-go=next]").click()
    assert table.locator(".live").inner_text() != before
    cells = page.locator(".jp-Cell").count()
    for key in ("d", "d", "a", "m", "h", "c", "Escape", "d", "d"):
        page.keyboard.press(key)
    assert page.locator(".jp-Cell").count() == cells
    context.close()
