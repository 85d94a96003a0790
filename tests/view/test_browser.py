"""The table in a real Chromium, without Jupyter: what a reader does with a replay."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from sizes import ends, more
from view_sample import RULEBOOK, WORDS, replay

from cancel_hearts_nb import Game, RandomPlayer, play, record
from cancel_hearts_nb.i18n import words
from cancel_hearts_nb.ruleset import ruleset
from cancel_hearts_nb.view.layout import places
from cancel_hearts_nb.view.panels import show
from cancel_hearts_nb.view.replay import hand_replays, table_rules
from cancel_hearts_nb.view.replay import replays as replays_of
from cancel_hearts_nb.view.scene import fold
from cancel_hearts_nb.view.table import TableWidget
from cancel_hearts_nb.view.words import table_words

pytestmark = pytest.mark.slow

WIDTHS = {360: 640, 768: 900, 1280: 800}
STEP = "window.model.get('step')"
PLAYERS = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()


@cache
def shown(seats, viewer=None, *, seed=3, passing=False, tricks=None):
    return replay(seats, seed, viewer, passing=passing, tricks=tricks)


def table(*replays, step=0, **options):
    return TableWidget.of(replays, WORDS, RULEBOOK, step=step, **options)


def settle(page):
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def no_errors(page):
    assert page.evaluate("window.errors") == []


def step_to(page, step):
    page.evaluate("step => window.model.set('step', step)", step)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("seats", "viewer"), [(seats, viewer) for seats in ends((4, 6, 8, 11)) for viewer in (None, 0)]
)
def test_every_width_and_table_size_holds_still_and_overflows_nowhere(mount, width, seats, viewer):
    one = shown(seats, viewer, passing=True)
    page = mount(table(one), width, WIDTHS[width])
    seen = page.evaluate(
        """async end => {
          const root = document.querySelector('.chnb'), out = new Set();
          for (let step = 0; step <= end; step++) {
            model.set('step', step);
            const top = element => Math.round(document.querySelector(element).getBoundingClientRect().top);
            out.add([root.offsetHeight, document.documentElement.scrollWidth, top('.cap'), top('.btns'), top('.hands'), top('.stage')].join());
          }
          return [...out];
        }""",
        len(one["frames"]) - 1,
    )
    assert len(seen) == 1, seen
    assert int(seen[0].split(",")[1]) == width
    clipped = page.evaluate(
        """() => [...document.querySelectorAll('.chnb button, .chnb dd, .chnb .where, .chnb .nm, .chnb .ct')]
          .filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 2).map(e => e.className + ': ' + e.textContent)"""
    )
    assert clipped == []
    small = page.evaluate(
        """() => { document.querySelectorAll('.chnb details').forEach(d => d.open = true);
          return [...document.querySelectorAll('.chnb :is(button, select, input, summary, a)')].filter(e => e.checkVisibility())
          .map(e => (/radio|checkbox|file/.test(e.type) ? e.closest('label') : e))
          .filter(e => { const r = e.getBoundingClientRect(); return r.width < 24 || r.height < 24; }).map(e => e.outerHTML.slice(0, 80)); }"""
    )
    assert small == []
    no_errors(page)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_fragment_stays_compact(mount, width):
    whole, part = mount(table(shown(6)), width), mount(table(shown(6, tricks=3)), width)
    heights = [page.evaluate("document.querySelector('.hands').offsetHeight") for page in (whole, part)]
    assert heights[1] < 0.7 * heights[0]


def test_the_open_rule_holds_still_too_and_says_heading_text_and_reading(mount):
    one = shown(8)
    page = mount(table(one), 360, 640)
    page.click(".rb")
    assert page.get_attribute(".rb", "aria-expanded") == "true"
    heights = page.evaluate(
        """async end => { const out = new Set(); for (let step = 0; step <= end; step++) { model.set('step', step);
          out.add(document.querySelector('.chnb').offsetHeight); } return [...out]; }""",
        len(one["frames"]) - 1,
    )
    assert len(heights) == 1
    for step in (5, next(i for i, frame in enumerate(one["frames"]) if frame["e"] == "TrickDead")):
        step_to(page, step)
        rule = next(rule for rule in RULEBOOK if rule["id"] == one["frames"][step]["r"])
        box = page.inner_text(".rule")
        assert all(rule[part] in box for part in ("heading", "text", "reading"))
    page.click(".rb")
    assert not page.is_visible(".rule")


def test_the_buttons_step_by_card_and_by_trick(mount):
    one = shown(8)
    end = len(one["frames"]) - 1
    page = mount(table(one))
    for name, expected in (
        ("next", 1),
        ("next", 2),
        ("back", 1),
        ("last", end),
        ("next", end),
        ("back", end - 1),
        ("first", 0),
        ("back", 0),
    ):
        page.click(f"[data-go={name}]", force=True)
        assert page.evaluate(STEP) == expected
        assert page.inner_text(".live") == one["captions"][expected]
        assert page.inner_text(".where") == one["where"][expected]
    page.check("input[value=by_trick]", force=True)
    ends = [
        i for i in range(end) if fold(one["frames"], i).status["trick"] != fold(one["frames"], i + 1).status["trick"]
    ]
    for expected in ends[:3]:
        page.click("[data-go=next]")
        assert page.evaluate(STEP) == expected
    page.click("[data-go=back]")
    assert page.evaluate(STEP) == ends[1]
    assert page.get_attribute("[data-go=first]", "aria-disabled") is None
    page.click("[data-go=first]")
    assert page.get_attribute("[data-go=first]", "aria-disabled") == "true"
    no_errors(page)


def test_fast_clicks_neither_break_nor_count_twice(mount):
    page = mount(table(shown(8)), reduced=False)
    page.evaluate(
        "() => { const b = document.querySelector('[data-go=next]'); for (let i = 0; i < 40; i++) b.click(); }"
    )
    assert page.evaluate(STEP) == 40
    page.evaluate(
        "() => { for (const n of ['next', 'back', 'next', 'next', 'back']) document.querySelector(`[data-go=${n}]`).click(); }"
    )
    assert page.evaluate(STEP) == 41
    page.wait_for_timeout(400)
    lying = page.evaluate("document.querySelectorAll('.chnb .card:not(.away)').length")
    scene = fold(shown(8)["frames"], 41)
    assert lying == sum(zone in "hta" for _card, zone, *_ in scene.cards.values())
    no_errors(page)


def test_a_burst_of_steps_is_one_message_and_a_dead_kernel_is_no_error(mount):
    page = mount(table(shown(6)), dead=True)
    page.evaluate("() => { for (let i = 0; i < 30; i++) document.querySelector('[data-go=next]').click(); }")
    page.wait_for_timeout(400)
    assert page.evaluate(STEP) == 30
    assert page.evaluate("window.model.saves") == 1
    page.click("[data-go=last]")
    page.wait_for_timeout(400)
    no_errors(page)


def test_playing_goes_on_until_the_end_and_pauses_at_once(mount):
    one = shown(4, tricks=2)
    end = len(one["frames"]) - 1
    page = mount(table(one), clock=True)
    page.select_option(".more select", "fast")
    page.click("[data-go=play]")
    assert page.inner_text("[data-go=play]") == "Pause"
    assert page.get_attribute(".live", "aria-live") in ("off", "polite")
    page.clock.run_for(2500)
    assert page.evaluate(STEP) == 3
    assert page.get_attribute(".live", "aria-live") == "off"
    page.click("[data-go=play]")
    page.clock.run_for(5000)
    assert page.evaluate(STEP) == 3
    assert page.inner_text("[data-go=play]") == "Play"
    page.click("[data-go=play]")
    page.click("[data-go=next]")
    page.clock.run_for(5000)
    assert page.evaluate(STEP) == 4  # a step by hand stops the playing
    page.click("[data-go=play]")
    page.clock.run_for(1000 * end)
    assert page.evaluate(STEP) == end
    assert page.inner_text("[data-go=play]") == "Play"
    no_errors(page)


def test_a_table_that_is_emptied_while_it_plays_is_empty_and_can_be_filled_again(mount):
    page = mount(table(shown(6, None)), 1280)
    page.click("[data-go=play]")
    filled = page.evaluate("() => { const all = model.get('replays'); model.set('replays', []); return all; }")
    assert page.inner_text(".chnb").strip() == ""
    page.evaluate("all => model.set('replays', all)", filled)
    page.click("[data-go=next]")
    assert page.evaluate("model.get('step')") == 1


def test_the_slider_and_the_keys_step_and_no_key_leaves_the_table(mount):
    page = mount(table(shown(8)))
    page.focus("[data-go=next]")
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "d", "d", "a", "m", "End", "Home", "ArrowRight", "Escape"):
        page.keyboard.press(key)
    assert page.evaluate(STEP) == 1
    page.focus("input[type=range]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(STEP) == 3
    assert page.get_attribute("input[type=range]", "aria-valuetext").startswith("Step 3 of ")
    page.focus(".more select")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(STEP) == 3
    page.click(".stage")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(STEP) == 4
    assert page.evaluate("window.keys") == []
    assert page.get_attribute(".chnb", "data-lm-suppress-shortcuts") == "true"


def test_the_picker_chooses_a_hand_and_keeps_the_focus(mount):
    two = {**shown(6), "title": "Second", "start": 3}
    page = mount(table(shown(8), two))
    page.focus(".picker select")
    page.select_option(".picker select", "1")
    assert page.evaluate("[window.model.get('replay'), window.model.get('step')]") == [1, 3]
    assert page.inner_text(".live") == two["captions"][3]
    assert page.locator(".seat").count() == 6
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    assert page.locator("label[for=" + page.get_attribute(".picker select", "id") + "]").count() == 1
    page.evaluate("() => { window.model.set('replay', 0); window.model.set('step', 1); }")
    assert page.locator(".seat").count() == 8
    assert page.input_value(".picker select") == "0"
    assert mount(table(shown(8))).locator(".picker select").count() == 0
    no_errors(page)


def test_two_views_stay_in_step_and_leave_nothing_behind(mount):
    page = mount(table(shown(8), shown(6)), views=2)
    page.locator("[data-go=next]").nth(0).click()
    page.locator("[data-go=next]").nth(1).click()
    assert (
        page.locator(".live").nth(0).inner_text()
        == page.locator(".live").nth(1).inner_text()
        == shown(8)["captions"][2]
    )
    page.locator(".picker select").nth(1).select_option("1")
    assert page.locator(".picker select").nth(0).input_value() == "1"
    page.locator("input[value=by_trick]").nth(0).check(force=True)
    assert page.locator("input[value=by_trick]").nth(1).is_checked()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    listening = page.evaluate("window.model.listening()")
    page.evaluate("window.cleanups[0]()")
    assert page.locator(".chnb").count() == 1
    page.click("[data-go=last]")
    assert page.evaluate(STEP) == len(shown(6)["frames"]) - 1
    page.evaluate("window.cleanups[1]()")
    assert page.locator(".chnb").count() == 0
    assert page.evaluate("window.model.listening()") < listening - 10
    no_errors(page)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_never_holds_a_card_that_this_step_does_not_show(mount, width):
    one = shown(6, 0, passing=True)
    page = mount(table(one), width)
    end = len(one["frames"]) - 1
    for step in [*range(0, end, 3), end, *range(end - 1, -1, -5)]:
        step_to(page, step)
        known = {card for card, *_ in fold(one["frames"], step).cards.values() if card}
        page_text = page.evaluate("document.querySelector('.chnb').outerHTML")
        said = {card for card, name in WORDS["cards"].items() if name in page_text}
        named = set(re.findall("the ([a-z]+ of [a-z]+)", one["captions"][step]))
        assert said <= known | {card for card, name in WORDS["cards"].items() if name in named}
        faces = page.evaluate("document.querySelectorAll('.chnb .pic:not(.down)').length")
        assert faces <= sum(bool(card) for card, *_ in fold(one["frames"], step).cards.values())
    step_to(page, 0)
    assert page.locator(".chnb .card").count() == 0


def test_names_and_sentences_are_text(mount):
    evil = '<img src=x onerror="window.hacked = 1">'
    one = replay(4, 1, names=[evil, "Beth", "Charlie", "Dave"], title=evil)
    page = mount(table({**one, "about": evil}, one))
    for step in range(8):
        step_to(page, step)
    settle(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator(".chnb img").count() == 0
    assert page.locator(".seat bdi").nth(0).inner_text() == evil


@pytest.mark.parametrize(("width", "size"), [(360, "s"), (768, "m"), (1280, "l")])
@pytest.mark.parametrize("viewer", [None, 2])
def test_cards_lie_where_python_says(mount, width, size, viewer):
    one = shown(8, viewer)
    made = table(one, step=30)
    page = mount(made, width)
    assert page.get_attribute(".chnb", "data-size") == size
    spec = made.layouts[0]["sizes"][size]
    unit, top, hands_top = page.evaluate(
        """() => { const s = document.querySelector('.stage'), h = document.querySelector('.hands'), b = s.parentElement.getBoundingClientRect();
          return [s.offsetWidth / 1000, s.offsetTop, h.offsetTop, b.left]; }"""
    )[:3]
    lying = page.evaluate(
        """() => [...document.querySelectorAll('.chnb .card:not(.away)')].map(e => { const m = new DOMMatrix(getComputedStyle(e).transform);
          return [m.e + e.offsetWidth / 2, m.f + e.offsetHeight / 2]; })"""
    )
    scene = fold(one["frames"], 30)
    expected = []
    for seat in range(8) if viewer is None else [viewer]:
        held = [card for _key, card, *_ in scene.zone("h", seat)]
        expected += [(x * unit, hands_top + y * unit) for x, y in places(spec["hands"], seat, held)]
    for _key, _card, _mark, seat, slot in scene.zone("t"):
        x, y = spec["trick"]["rows"][slot] if size == "s" else spec["trick"]["at"][seat]
        expected.append((x * unit, top + y * unit))
    for x, y in expected:
        assert min(abs(x - a) + abs(y - b) for a, b in lying) < 1.5


def test_pairs_are_joined_struck_and_labelled_and_the_winner_ringed(mount):
    one = shown(8)
    won = next(
        i
        for i, f in enumerate(one["frames"])
        if f["e"] == "TrickWon" and "x1" in str([fold(one["frames"], i).zone("t")])
    )
    for width in WIDTHS:
        page = mount(table(one, step=won), width)
        assert page.locator(".chnb .card.x").count() == 2
        assert page.locator(".chnb .card.win").count() == 1
        assert page.locator(".bracket" if width == 360 else ".link").count() == 1
        where = ".trick" if width == 360 else ".cards"
        assert page.inner_text(where).count("cancelled") == 2
        assert "wins" in page.inner_text(where)
        assert page.locator(".seat.win .stag").inner_text() in ("takes the trick", "takes it")
        order = page.evaluate("[...document.querySelectorAll('.trick li bdi')].map(e => e.textContent)")
        assert order == [one["names"][seat] for _key, _card, _mark, seat, _slot in fold(one["frames"], won).zone("t")]


def test_cards_move_and_do_not_move_for_those_who_ask_for_it(mount):
    for reduced, longest in ((False, 0.26), (True, 0)):
        page = mount(table(shown(6)), reduced=reduced)
        page.click("[data-go=next]")
        spent = page.evaluate("getComputedStyle(document.querySelector('.chnb .card')).transitionDuration")
        seconds = max(float(part.strip().rstrip("s")) for part in spent.split(","))
        assert (0.2 <= seconds <= longest) if longest else seconds == 0


def test_the_page_decides_between_light_and_dark(mount):
    page = mount(table(shown(6)), dark=True)
    assert page.get_attribute(".chnb", "data-theme") == "dark"
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    settle(page)
    assert page.get_attribute(".chnb", "data-theme") == "light"
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    settle(page)
    assert page.get_attribute(".chnb", "data-theme") == "dark"
    face = page.evaluate("getComputedStyle(document.querySelector('.chnb .pic') || document.body).backgroundColor")
    step_to(page, 5)
    face = page.evaluate("getComputedStyle(document.querySelector('.chnb .pic')).backgroundColor")
    assert face == "rgb(255, 255, 255)"


def test_forced_colours_keep_the_marks(mount):
    one = shown(8)
    won = next(i for i, f in enumerate(one["frames"]) if f["e"] == "TrickWon")
    page = mount(table(one, step=won), forced=True)
    assert page.evaluate("getComputedStyle(document.querySelector('.seat.win')).outlineStyle") == "solid"
    no_errors(page)


def test_every_control_has_a_name_and_the_table_is_readable_without_pictures(mount):
    one = shown(8)
    page = mount(table(one, shown(6), step=30), 1280)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('.chnb button, .chnb select, .chnb input')].filter(e => !(e.getAttribute('aria-label')
          || e.textContent.trim() && e.tagName === 'BUTTON' || e.labels && e.labels.length)).map(e => e.outerHTML)"""
    )
    assert nameless == []
    text = page.evaluate("document.querySelector('.board').textContent")
    scene = fold(one["frames"], 30)
    assert all(WORDS["cards"][card] in text for card, zone, *_ in scene.cards.values() if zone in "ht")
    assert "cards left" in text
    assert page.get_attribute(".live", "aria-live") == "polite"


def test_a_hidden_table_draws_itself_when_it_is_shown(mount):
    page = mount(table(shown(6), step=9))
    page.evaluate("document.getElementById('host').style.display = 'none'")
    page.evaluate("window.model.set('step', 12)")
    page.evaluate("document.getElementById('host').style.width = '500px'")
    page.evaluate("document.getElementById('host').style.display = ''")
    settle(page)
    settle(page)
    assert page.get_attribute(".chnb", "data-size") == "s"
    assert page.inner_text(".live") == shown(6)["captions"][12]
    no_errors(page)


# for everyone


def real(name, seats, viewer=None, language=None):
    """A whole hand of the real game, in a language of the test's own."""
    game = play(Game(ruleset(name, seats), PLAYERS[:seats], seed=7, hands=1), [RandomPlayer()] * seats)
    w = language or words()
    made = TableWidget.of(hand_replays(game, w, viewer), table_words(w), table_rules([name], w), step=30)
    made.live = True
    return made


def open_everything(page):
    page.evaluate("() => { document.querySelectorAll('.chnb details').forEach(d => d.open = true); }")
    page.click(".rb")
    page.get_by_role("button", name=re.compile("All the rules")).last.click()


@pytest.mark.parametrize("look", ["light", "dark", "rtl", "phone"])
def test_axe_finds_no_violation_in_our_root(mount, look, make_language):
    axe = pytest.importorskip("axe_playwright_python")
    source = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    language = make_language("he", lambda form, _: form, rules_of="he") if look == "rtl" else None
    first = next(path for path in record.examples() if path.stem.startswith("12"))
    asked = show(first)
    if language:
        asked = TableWidget.of(
            replays_of(record.load(first), language), table_words(language), table_rules(["cancellation"], language)
        )
        asked.live = True
    step = next(q["step"] for q in asked.replays[0]["asks"] if q["what"] == "legal")
    for table, at in ((asked, step), (asked, step + 6), (real("cancellation", 11, 0, language), 25)):
        table.step = at
        page = mount(table, 360 if look == "phone" else 1280, dark=look == "dark")
        if language is None:
            open_everything(page)
        page.evaluate(source)
        found = page.evaluate(
            "axe.run('.chnb', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })"
        )
        assert [(one["id"], one["nodes"][0]["html"][:160]) for one in found["violations"]] == []
        assert len(found["passes"]) > 15


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("viewer", [None, 2])
def test_in_right_to_left_text_mirrors_and_the_table_does_not(mount, width, viewer, make_language):
    language = make_language("he", lambda form, _: f"⟦{form}{'~' * (len(form) // 3)}⟧", rules_of="he")
    pages = [mount(real("cancellation", 8, viewer, one), width) for one in (None, language)]
    places = """() => { const at = e => { const r = e.getBoundingClientRect(), s = document.querySelector('.stage').getBoundingClientRect();
        return [Math.round(r.left + r.width / 2 - s.left), Math.round(r.top + r.height / 2 - s.top)].join(); };
      return { seats: [...document.querySelectorAll('.seat')].map(at), cards: [...document.querySelectorAll('.card:not(.away):not(.inhand)')].map(at),
        hand: [...document.querySelectorAll('.card.inhand:not(.away)')].map(e => at(e).split(',')[0]),
        way: [...document.querySelectorAll('.way')].map(e => e.getAttribute('transform')).join() }; }"""
    left, right = (page.evaluate(places) for page in pages)
    assert left == right
    assert left["cards"]
    assert [page.get_attribute(".chnb", "dir") for page in pages] == ["ltr", "rtl"]
    assert pages[1].get_attribute(".chnb", "lang") == "he"
    side = "(() => { const b = document.querySelector('.where').getBoundingClientRect(), c = document.querySelector('.cap').getBoundingClientRect(); return b.left - c.left < c.right - b.right; })()"
    assert [page.evaluate(side) for page in pages] == [True, False]
    first = "(() => document.querySelector('[data-go=first]').getBoundingClientRect().left < document.querySelector('[data-go=last]').getBoundingClientRect().left)()"
    assert [page.evaluate(first) for page in pages] == [True, False]
    pages[1].focus("[data-go=next]")
    pages[1].keyboard.press("ArrowLeft")
    assert pages[1].evaluate(STEP) == 31
    assert pages[1].evaluate("document.documentElement.scrollWidth") == width
    no_errors(pages[1])


def test_no_word_escapes_the_catalogs(mount, pseudo_words):
    page = mount(real("cancellation", 8, None, pseudo_words))
    page.evaluate(
        "() => { document.querySelectorAll('.chnb details').forEach(d => d.open = true); document.querySelector('.foot .all').click(); }"
    )
    bare = page.evaluate(
        """names => { const out = [], walk = document.createTreeWalker(document.querySelector('.chnb'), NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) { const text = walk.currentNode.textContent.replace(/⟦[^⟧]*⟧/g, ''); if (/[a-z]{3}/i.test(text) && !names.some(name => text.includes(name))) out.push(text); }
          return out; }""",
        PLAYERS,
    )
    assert [text for text in bare if "⟦" not in text and "⟧" not in text] == []


@pytest.mark.parametrize(("key", "pattern"), [
    ("h", r"^\w+ holds: two of .*, second copy"), ("t", r"^The trick: \w+: "), ("p", r"^Points taken: Al \d+, Beth \d+"), ("c", r"^Cards left: Al \d+, Beth \d+"),
])  # fmt: skip
def test_a_letter_reads_aloud_while_the_table_has_the_focus(mount, key, pattern):
    table = real("cancellation", 6)
    frames = table.replays[0]["frames"]
    # a step whose player to play holds twins, in the middle of a trick
    for step in range(30, len(frames)):
        scene = fold(frames, step)
        held = [card for _k, card, *_ in scene.zone("h", scene.status["turn"])]
        if len(held) != len(set(held)) and scene.zone("t") and held[0][0] == "2":
            break
    table.step = step
    page = mount(table)
    page.keyboard.press(key)
    assert page.inner_text(".live") == table.replays[0]["captions"][step]
    page.focus("[data-go=next]")
    page.keyboard.press(key)
    assert re.match(pattern, page.inner_text(".live")), page.inner_text(".live")
    assert page.get_attribute(".live", "aria-live") == "polite"
    page.keyboard.press("Escape")
    assert page.inner_text(".live") == table.replays[0]["captions"][step]
    page.evaluate("document.querySelector('.help').open = true")
    page.get_by_label("Letters read aloud").uncheck()
    page.focus("[data-go=next]")
    page.keyboard.press(key)
    assert page.inner_text(".live") == table.replays[0]["captions"][step]
    assert page.evaluate("window.keys") == [key]
    no_errors(page)


def test_twins_are_told_apart_by_name_in_hands_and_trick(mount):
    table = real("cancellation", 6)
    page = mount(table)
    for step in range(25, 120, 5):
        step_to(page, step)
        scene = fold(table.replays[0]["frames"], step)
        for zone, where in (("t", ".trick"), ("h", ".hands")):
            twins = 0
            for seat in [None] if zone == "t" else range(6):
                cards = [card for _k, card, *_ in scene.zone(zone, seat)]
                twins += len(cards) - len(set(cards))
            assert page.text_content(where).count("second copy") == twins


@pytest.mark.parametrize("deck", ["two", "four", "safe"])
def test_the_decks_have_contrast_and_differ_and_the_choice_is_remembered(mount, deck):
    page = mount(real("hearts", 4), url="http://lesson.test/")
    page.evaluate("document.querySelector('.help').open = true")
    page.get_by_label("Colours of the suits").select_option(deck)
    page.select_option(".more select", "slow")
    colours = page.evaluate(
        "['C', 'D', 'S', 'H'].map(s => { const e = document.querySelector('.pic.suit' + s); return e && getComputedStyle(e).color; })"
    )
    assert None not in colours

    def luminance(colour):
        parts = [int(n) / 255 for n in re.findall(r"\d+", colour)[:3]]
        linear = [n / 12.92 if n <= 0.04045 else ((n + 0.055) / 1.055) ** 2.4 for n in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    assert all(1.05 / (luminance(colour) + 0.05) >= 4.5 for colour in colours)
    assert len(set(colours)) == (2 if deck == "two" else 4)
    if deck == "safe":
        for colour in colours:
            red, green, blue = (int(n) for n in re.findall(r"\d+", colour)[:3])
            assert green <= max(red, blue)
    stored = page.evaluate("({ ...localStorage })")
    again = mount(real("hearts", 4), url="http://lesson.test/", stored=stored)
    assert again.get_attribute(".chnb", "data-deck") == deck
    assert again.input_value(".more select") == "slow"


@pytest.mark.parametrize(("name", "seats", "viewer"), [("cancellation", 11, None), ("cancellation", 11, 0), ("cancellation", 6, 0), ("cancellation", 6, None), ("hearts", 3, 0), ("hearts", 3, None)])  # fmt: skip
@pytest.mark.parametrize("width", [320, *more([360])])
def test_small_phones_show_everything(mount, name, seats, viewer, width):
    table = real(name, seats, viewer)
    page = mount(table, width, 640)
    for step in range(0, len(table.replays[0]["frames"]), 9):
        step_to(page, step)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    dealt = next(i for i, frame in enumerate(table.replays[0]["frames"]) if frame["e"] == "LeadAssigned")
    step_to(page, dealt)
    cards = page.evaluate(
        "[...document.querySelectorAll('.card.inhand')].map(e => { const r = e.getBoundingClientRect(); return [Math.round(r.left), Math.round(r.right), Math.round(r.top)]; })"
    )
    assert len(cards) == len({tuple(card) for card in cards})
    assert all(left >= -1 and right <= width + 1 for left, right, _ in cards)
    if viewer is not None and len(cards) == 17:
        assert len({top for *_, top in cards}) == 2  # the hand wraps
        shown = sorted(left for left, _, top in cards if top == cards[0][2])
        assert min(b - a for a, b in pairwise(shown)) >= 24
    page.add_style_tag(
        content=".chnb *{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}"
    )
    settle(page)
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= (width if width == 360 else width + 24)
    no_errors(page)


def test_a_long_introduction_is_folded_on_a_phone(mount):
    long = {**shown(8), "about": "Many words. " * 40}
    page = mount(table(long, shown(8)), 360, 640)
    assert page.evaluate("document.querySelector('.btns').getBoundingClientRect().bottom") <= 640
    page.click(".tog")
    assert page.get_attribute(".tog", "aria-expanded") == "true"
    assert page.evaluate(
        "(() => { const a = document.querySelector('.about'); return a.scrollHeight <= a.clientHeight + 2; })()"
    )
    page.click(".tog")
    assert page.evaluate("document.querySelector('.about').clientHeight") < 50
    page = mount(table(shown(8)), 1280)
    assert not page.is_visible(".tog")


def test_nothing_is_read_out_while_cards_run(mount):
    page = mount(real("cancellation", 8), clock=True)
    page.evaluate("""() => { window.heard = []; const live = document.querySelector('.live');
      new MutationObserver(() => { if (live.getAttribute('aria-live') !== 'off') heard.push(live.textContent); }).observe(live, { childList: true, characterData: true, subtree: true }); }""")
    # the line that says a kernel has gone speaks only then
    others = ".chnb [aria-live]:not(.live):not(.gone), .chnb [role=status]:not(.live):not(.gone)"
    assert page.locator(others).count() == 0 and page.locator(".gone").is_hidden()
    page.select_option(".more select", "fast")
    page.click("[data-go=play]")
    page.clock.run_for(10_000)
    assert page.evaluate(STEP) > 40
    assert len(page.evaluate("heard")) <= 1


def test_five_cards_passed_lie_apart_and_inside(mount):
    made = hand_replays(
        play(Game(ruleset("cancellation", 8, pass_count=5), PLAYERS[:8], seed=7, hands=1), [RandomPlayer()] * 8)
    )
    step = max(i for i, frame in enumerate(made[0]["frames"]) if frame["e"] == "Passed")
    page = mount(TableWidget.of(made, table_words(), step=step))
    tops = page.evaluate(
        "[...document.querySelectorAll('.card.tab:not(.inhand):not(.away)')].map(e => Math.round(e.getBoundingClientRect().top) + ',' + Math.round(e.getBoundingClientRect().left))"
    )
    assert len(set(tops)) == len(tops) == 40


@pytest.mark.parametrize("width", [599, 612, 620, 628, 636, 879, 900, 908, 916])
def test_near_the_edge_of_two_sizes_the_table_keeps_one_of_them(mount, width):
    page = mount(table(shown(4)), width)
    seen = page.evaluate(
        """async () => { const out = new Set(), root = document.querySelector('.chnb');
          for (let i = 0; i < 12; i++) { out.add(root.dataset.size); await new Promise(done => requestAnimationFrame(done)); }
          return [...out]; }"""
    )
    assert len(seen) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_card_that_is_played_grows_on_its_way_and_nothing_is_laid_out_for_that(mount):
    one = shown(8)
    step = next(i for i, frame in enumerate(one["frames"]) if frame["e"] == "Played")
    running = """step => { model.set('step', step); return document.querySelector('.chnb').getAnimations({ subtree: true })
      .flatMap(one => one.effect.getKeyframes().flatMap(Object.keys)); }"""
    for reduced in (False, True):
        page = mount(table(one, step=step - 1), reduced=reduced)
        settle(page)
        settle(page)
        moved = set(page.evaluate(running, step))
        assert ("scale" in moved) == ("transform" in moved) == (not reduced)
        assert not moved & {"width", "height", "left", "top"}
