"""Links, saving, opening, one seat's view: what leaves a page and what comes in, in words when it is broken."""

from __future__ import annotations

import json
import shutil
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest

from cancel_hearts_nb import Game, RandomPlayer, play, record
from cancel_hearts_nb.ruleset import ruleset
from cancel_hearts_nb.view import links
from cancel_hearts_nb.view.panels import gallery, show
from cancel_hearts_nb.view.table import TableWidget

SITE = "http://lesson.test/voila/render/00_start_here.ipynb"
NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal".split()


def path(start):
    return next(path for path in record.examples() if path.stem.startswith(start))


def whole(seed=7, hands=1):
    return play(Game(ruleset("cancellation", 8), NAMES, seed=seed, hands=hands), [RandomPlayer()] * 8)


@pytest.fixture
def address(monkeypatch):
    """A function that opens a page anew at an address: no table has followed its link yet."""

    def made(text):
        monkeypatch.setattr(links, "_claims", {})
        monkeypatch.setenv("QUERY_STRING", text)

    return made


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("hand=1ab_-&step=7", {"hand": "1ab_-", "step": "7"}),
        ("hand=a&hand=b", {"hand": "a"}),
        ("&&=&step", {}),
        ("hand=%ff%fe", {"hand": "��"}),
        ("x=1&" * 100, {}),
        ("hand=" + "a" * 50_000, {}),
    ],
)
def test_an_address_is_read_whatever_stands_in_it(text, found):
    assert links.query({"QUERY_STRING": text}) == found


def test_a_kernel_that_was_started_before_anybody_came_asks_voila(monkeypatch):
    utils = pytest.importorskip("voila.utils")
    monkeypatch.setenv("VOILA_PREHEAT", "True")
    monkeypatch.setenv("QUERY_STRING", "hand=old")
    monkeypatch.setattr(utils, "get_query_string", lambda: "hand=new")
    assert links.query() == {"hand": "new"}
    monkeypatch.setattr(utils, "get_query_string", lambda: None)
    assert links.query() == {}


def test_a_link_opens_an_example_at_its_step(address):
    plain = gallery()
    address(f"hand={plain.replays[9]['code']}&step=7")
    table = gallery()
    assert (table.replay, table.step, table.notice) == (9, 7, "")
    assert len(table.replays) == len(plain.replays)


def test_a_link_opens_a_hand_that_is_none_of_ours(address):
    game = whole(99, hands=2)
    for make in (gallery, lambda: show(path("03"))):
        address(f"hand={record.encode(game, 2)}&step=30")
        assert show(path("03"), link=False).replays[0]["hand"] == 1
        table = make()
        assert (table.replay, table.step) == (0, 30)
        assert table.replays[0]["names"] == NAMES
        assert table.replays[0]["hand"] == 2


def test_of_several_tables_the_one_that_holds_the_linked_hand_follows_the_link(address):
    plain = [show(path(start)) for start in ("03", "08", "12")]
    address(f"hand={plain[1].replays[0]['code']}&step=7")
    first = show(path("03"))
    assert first.replays[0]["code"] == plain[1].replays[0]["code"], "nobody else can yet"
    second, third, again = show(path("08")), show(path("12")), show(path("08"))
    assert [one.replays for one in (first, second, third, again)] == [one.replays for one in [*plain, plain[1]]]
    assert [one.step for one in (first, second, third, again)] == [plain[0].step, 7, plain[2].step, plain[1].step]
    assert first.rulebook == plain[0].rulebook


def test_a_hand_that_no_table_holds_is_shown_by_the_first_alone(address):
    game = whole(99)
    address(f"hand={record.encode(game)}&step=30")
    tables = [show(path("03"), link=False), show(path("08")), show(path("12")), gallery()]
    assert [table.replays[0]["names"] == NAMES and table.step == 30 for table in tables] == [False, True, False, False]
    address("hand=1broken")
    assert [bool(table.notice) for table in (show(path("03")), gallery())] == [True, False]


def test_a_table_that_gives_the_link_back_keeps_what_was_opened_meanwhile(address):
    code = show(path("08")).replays[0]["code"]
    address(f"hand={code}")
    first = show(path("03"))
    say(first, kind="open", replay=0, name="x.toml", text=path("12").read_text(encoding="utf-8"))
    show(path("08"))
    assert [one["code"] for one in first.replays] == [show(path(start)).replays[0]["code"] for start in ("12", "03")]


@pytest.mark.parametrize(
    ("query", "notice"),
    [
        ("hand=1broken", "This code is broken"),
        ("hand=../../etc/passwd", "This code is broken"),
        ("hand=%3Cscript%3E", "This code is broken"),
        ("hand=CODE&step=x", "which is no number"),
        ("hand=CODE&step=-1", "which is no number"),
        ("hand=CODE&step=9999999", "which is no number"),
        ("hand=CODE&step=999999", ""),
        ("step=7", ""),
    ],
)
def test_a_broken_link_is_a_sentence_on_the_page(address, query, notice):
    address(query.replace("CODE", record.encode(whole(3))))
    table = gallery()
    assert (notice in table.notice) if notice else not table.notice
    assert len(table.replays) >= 14
    assert 0 <= table.step < len(table.replays[table.replay]["frames"])


def say(table, **content):
    """What a page would send, and what is sent back to it."""
    sent = []
    table.send = lambda content, buffers=None: sent.append(content)
    table._handle_custom_msg({"id": "q", **content}, [])
    return sent[-1] if sent else None


def test_the_kernel_shows_one_seat_and_takes_away_what_it_may_not_know():
    table = show(path("12"))
    assert table.replays[0]["code"]
    table.step = 40
    assert say(table, kind="viewer", replay=0, viewer=3) == {"reply": "q"}
    one = table.replays[0]
    assert one["viewer"] == 3
    assert table.step == 40
    assert one["code"] == ""
    assert table.files == []
    hidden = {
        card.code
        for seat, hand in enumerate(record.load(path("12")).game.events[1].hands)
        if seat != 3
        for card in hand
    }
    dealt = next(frame for frame in one["frames"] if frame["e"] == "Dealt")
    assert not hidden & {card for _k, card, zone, seat, *_ in dealt["d"] if seat != 3 and card}
    assert say(table, kind="link", replay=0)["code"] == show(path("12")).replays[0]["code"]
    assert (
        record.loads(say(table, kind="save", replay=0)["file"]["text"]).game.events
        == record.load(path("12")).game.events
    )
    say(table, kind="viewer", replay=0, viewer=None)
    assert table.replays == show(path("12")).replays


def test_one_record_of_many_changes_its_view_alone():
    table = gallery()
    before = list(table.replays)
    say(table, kind="viewer", replay=11, viewer=0)
    assert [one["viewer"] for one in table.replays] == [0 if i == 11 else None for i in range(len(before))]
    assert table.replays[3]["frames"] == before[3]["frames"]


def test_opening_a_record_puts_it_first_and_faults_come_back_as_sentences():
    table = show(path("03"))
    said = say(table, kind="open", replay=0, name="mine.toml", text=record.dumps(whole(5), "Mine"))
    assert said == {"reply": "q"}
    assert (table.replays[0]["title"], table.replay, len(table.replays)) == ("Mine", 0, 2)
    said = say(table, kind="open", replay=0, name="mine.toml", text="format = 2")
    assert said["faults"][0].startswith("mine.toml: ")
    assert len(table.replays) == 2
    hearts = record.dumps(play(Game(ruleset("hearts", 4), NAMES[:4], seed=1, hands=1), [RandomPlayer()] * 4))
    say(table, kind="open", replay=0, name="hearts.toml", text=hearts)
    assert "lead.low_club" in {rule["id"] for rule in table.rulebook}


@pytest.mark.parametrize(
    "content",
    [
        {"kind": "viewer", "replay": 0, "viewer": 77},
        {"kind": "viewer", "replay": 99, "viewer": 0},
        {"kind": "link", "replay": -1},
        {"kind": "open", "replay": 0},
    ],
)
def test_an_error_in_a_callback_is_said_on_the_page_and_logged(callback_errors, content):
    table = show(path("03"))
    said = say(table, **content)
    assert said["failed"] == table.notice
    assert "Something went wrong in this table" in table.notice
    assert len(callback_errors) == 1
    callback_errors.clear()


@pytest.mark.parametrize("content", [{}, {"kind": None}, {"kind": "evil"}, {"kind": "__class__"}, "text", None])
def test_strange_messages_are_left_alone(content):
    table = show(path("03"))
    sent = []
    table.send = lambda content, buffers=None: sent.append(content)
    table._handle_custom_msg(content, [])
    assert sent == []
    assert table.notice == ""


def test_nothing_piles_up(monkeypatch):
    import ipywidgets

    table = gallery()
    alive = len(ipywidgets.widgets.widget._instances)
    for i in range(200):
        table.step = i % 10
    for i in range(20):
        say(table, kind="viewer", replay=i, viewer=i % 4)
        say(table, kind="open", replay=0, name="x.toml", text=record.dumps(whole(i)))
    assert len(ipywidgets.widgets.widget._instances) == alive


# in a browser, with what a kernel would answer


def answer(page, **content):
    page.wait_for_function("model.sent.length > 0")
    sent = page.evaluate("model.sent.splice(0)")[-1]
    page.evaluate("content => model.hear(content)", {**content, "reply": sent["id"]})
    return sent


@pytest.mark.slow
def test_the_buttons_give_links_to_this_step_and_to_the_playing_page(mount):
    table = show(path("12"))
    page = mount(table, url=SITE)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate(
        "() => { window.copied = []; Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { copied.push(text); } } }); }"
    )
    page.evaluate("window.model.set('step', 33)")
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("copied.length == 1")
    assert "copied" in page.inner_text(".live")
    page.get_by_role("button", name="Copy as exercise").click()
    page.wait_for_function("copied.length == 2")
    link, exercise = page.evaluate("copied")
    parts = urlsplit(link)
    assert link.startswith(SITE + "?")
    asked = {key: value[0] for key, value in parse_qs(parts.query).items()}
    assert asked == {"hand": table.replays[0]["code"], "step": "33"}
    found = links.linked(links.query({"QUERY_STRING": parts.query}))
    assert found.record.game.events == record.load(path("12")).game.events
    assert found.step == 33
    assert urlsplit(exercise).path.endswith("/voila/render/07_play_a_hand.ipynb")
    assert parse_qs(urlsplit(exercise).query)["at"] == ["34"]
    page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error('no'); }; }")
    page.get_by_role("button", name="Copy link").click()
    field = page.get_by_label("The link to this step:")
    field.wait_for()
    assert field.input_value() == link
    assert page.evaluate("document.activeElement.id").endswith("-link")
    page.route("**/07_play_a_hand.ipynb*", lambda route: route.fulfill(body="<p>playing", content_type="text/html"))
    page.get_by_role("link", name="Play on from here").click()
    page.wait_for_url("**/07_play_a_hand.ipynb?*")
    assert parse_qs(urlsplit(page.url).query)["hand"] == [table.replays[0]["code"]]


@pytest.mark.slow
def test_a_seats_view_asks_the_kernel_for_its_link_and_says_when_nobody_answers(mount):
    table = show(path("12"), viewer=3)
    page = mount(table, url=SITE, clock=True)
    page.evaluate(
        "() => { window.copied = []; Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { copied.push(text); } } }); }"
    )
    page.get_by_role("button", name="Copy link").click()
    assert answer(page, code="1xyz")["kind"] == "link"
    page.wait_for_function("copied.length == 1")
    assert "hand=1xyz" in page.evaluate("copied[0]")
    page.get_by_role("button", name="Copy link").click()
    page.clock.run_for(9_000)
    assert "Nothing answers" in page.inner_text(".live")
    page.select_option(".foot select", "")
    assert page.evaluate("model.sent.at(-1)") | {"id": 0} == {"kind": "viewer", "id": 0, "replay": 0, "viewer": None}
    page.clock.run_for(9_000)
    page.wait_for_function("document.querySelector('.foot select').value === '3'")
    assert page.evaluate("window.errors") == []


@pytest.mark.slow
def test_a_record_is_saved_and_opened_and_its_faults_are_read_on_the_page(mount, tmp_path):
    table = show(path("03"))
    page = mount(table, url=SITE)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save record").click()
    assert download.value.suggested_filename == "two_tens_two_sixes_and_an_ace.toml"
    download.value.save_as(tmp_path / "saved.toml")
    again = record.load(tmp_path / "saved.toml")
    original = record.load(path("03"))
    assert (again.game.events, again.title, again.about, again.asks) == (
        original.game.events,
        original.title,
        original.about,
        original.asks,
    )
    page.set_input_files("input[type=file]", tmp_path / "saved.toml")
    sent = answer(page, faults=["saved.toml: It is <b>wrong</b>."])
    assert sent["kind"] == "open"
    assert sent["text"] == (tmp_path / "saved.toml").read_text(encoding="utf-8")
    page.locator(".faults li").wait_for()
    assert page.inner_text(".faults li") == "saved.toml: It is <b>wrong</b>."
    big = tmp_path / "big.toml"
    big.write_text("x" * 1_100_000)
    page.set_input_files("input[type=file]", big)
    page.get_by_text("larger than any record").wait_for()
    assert page.evaluate("model.sent") == []
    foreign = tmp_path / "foreign.toml"
    foreign.write_bytes('title = "Ömer"'.encode("latin-1"))
    page.set_input_files("input[type=file]", foreign)
    page.get_by_text("not text in UTF-8").wait_for()
    assert page.evaluate("model.sent") == []
    page.evaluate("window.model.set('notice', 'Something <i>happened</i>.')")
    assert page.inner_text("[role=alert].notice") == "Something <i>happened</i>."


@pytest.mark.slow
def test_a_table_without_replays_still_shows_its_notice(mount):
    table = TableWidget(words=show(path("03")).words)
    table.notice = "The link is broken."
    page = mount(table)
    assert page.inner_text(".notice") == "The link is broken."
    assert page.evaluate("window.errors") == []


# the whole way, through Voilà


@pytest.fixture
def site(voila):
    """Where Voilà shows two notebooks: one table, and one table in two cells."""
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell("from cancel_hearts_nb.view.panels import gallery\ngallery()")]
    nbformat.write(made, voila.folder / "page.ipynb")
    made.cells = [nbformat.v4.new_code_cell("from cancel_hearts_nb.view.panels import show\nfrom cancel_hearts_nb import record\nt = show(list(record.examples())[11])\nt"), nbformat.v4.new_code_cell("t")]  # fmt: skip
    nbformat.write(made, voila.folder / "two.ipynb")
    return f"{voila.address}/voila/render"


def opened(browser, url, **options):
    page = browser.new_context(viewport={"width": 1280, "height": 900}, **options).new_page()
    page.goto(url)
    page.locator(".chnb .card:not(.away)").first.wait_for(timeout=60_000)
    return page


@pytest.mark.slow
def test_voila_opens_the_hand_of_a_link_and_a_broken_one_is_a_sentence(browser, site):
    game = whole(21)
    code = record.encode(game)
    page = opened(browser, f"{site}/page.ipynb?hand={code}&step=30")
    expected = show(record.decode(code)).replays[0]["captions"][30]
    assert page.inner_text(".chnb .live") == expected
    page.close(run_before_unload=True)
    page = opened(browser, f"{site}/page.ipynb?hand={code[:-9]}&step=30")
    assert "This code is broken" in page.inner_text(".chnb .notice")
    assert "Traceback" not in page.inner_text("body")
    page.close(run_before_unload=True)


@pytest.mark.slow
def test_in_voila_the_kernel_shows_a_seat_opens_a_file_and_two_views_agree(browser, site, tmp_path):
    page = opened(browser, f"{site}/two.ipynb")
    first, second = page.locator(".chnb").nth(0), page.locator(".chnb").nth(1)
    second.locator(".card:not(.away)").first.wait_for(timeout=60_000)
    assert page.locator(".chnb").count() == 2
    first.locator("[data-go=next]").click()
    assert first.locator(".live").inner_text() == second.locator(".live").inner_text()
    first.locator(".foot select").select_option("2")
    second.locator(".yo").wait_for(timeout=60_000)
    assert "Your hand" in second.locator(".hands").get_attribute("aria-label")
    bad = tmp_path / "bad.toml"
    bad.write_text("format = 1\n")
    second.locator("input[type=file]").set_input_files(bad)
    second.locator(".faults li").first.wait_for(timeout=60_000)
    assert "is missing" in second.locator(".faults").inner_text()
    good = tmp_path / "good.toml"
    shutil.copy(path("03"), good)
    second.locator("input[type=file]").set_input_files(good)
    first.locator(".picker select").wait_for(timeout=60_000)
    assert first.locator(".picker option").count() == 2
    assert json.loads(page.evaluate("JSON.stringify(document.body.innerText.includes('Traceback'))")) is False
    page.close(run_before_unload=True)
