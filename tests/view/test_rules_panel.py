"""Rules in a replay: the one that acts, the whole page, "why?" for what is special."""

from __future__ import annotations

import pytest

from cancel_hearts_nb import Game, RandomPlayer, explain, play, record
from cancel_hearts_nb import events as ev
from cancel_hearts_nb.optiontexts import in_force
from cancel_hearts_nb.rulebook import page as rules_of
from cancel_hearts_nb.ruleset import PRESET_TEXTS, ruleset
from cancel_hearts_nb.view.panels import show

NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()
SPECIAL = (ev.PairCancelled, ev.TrickDead, ev.AsideTaken, ev.AsideLost, ev.HeartsBroken, ev.MoonShot)


def path(start):
    return next(path for path in record.examples() if path.stem.startswith(start))


def hand(name, seats, seed=7, **options):
    return play(Game(ruleset(name, seats, **options), NAMES[:seats], seed=seed, hands=1), [RandomPlayer()] * seats)


@pytest.mark.parametrize(("name", "seats"), [("cancellation", 8), ("cancellation", 11), ("hearts", 4), ("omnibus", 5)])
def test_what_is_special_has_a_reason_and_nothing_else_has(name, seats):
    for seed in range(3):
        game = hand(name, seats, seed)
        replay = show(game).replays[0]
        for step, event in enumerate(game.events):
            waived = isinstance(event, ev.Played) and event.rule == "play.waived"
            assert (str(step) in replay["why"]) is (isinstance(event, SPECIAL) or waived), event


def test_every_kind_of_special_step_has_a_reason_of_its_own():
    rules = ruleset("cancellation", 8)
    made = [
        ev.PairCancelled(record.PACK[0], (0, 1)), ev.PairCancelled(next(c for c in record.PACK if c.code == "QS"), (0, 1)),
        ev.TrickDead(0, (), "trick.dead"), ev.TrickDead(0, (), "trick.none_left"), ev.AsideTaken(0, (None,), "trick.kitty", 1),
        ev.AsideTaken(0, (None,), "trick.aside"), ev.AsideTaken(0, (None,), "trick.aside", 1), ev.AsideLost((None,)),
        ev.HeartsBroken(0, record.PACK[0]), ev.MoonShot(0), ev.Played(0, record.PACK[0], "play.waived"),
    ]  # fmt: skip
    texts = [explain.why(event, NAMES, rules) for event in made]
    assert all(text.endswith(".") for text in texts)
    assert len(set(texts)) == len(made)
    for option in ("trick_leader", "second_of_top_pair"):
        taken = ev.AsideTaken(0, (None,), "trick.last_dead")
        assert "agreed" in explain.why(taken, NAMES, ruleset("cancellation", 8, last_dead=option))
    lost = explain.why(ev.AsideLost((None,)), NAMES, ruleset("cancellation", 8, moon_scope="collected"))
    assert "moon" not in lost
    assert explain.why(ev.LeadAssigned(0, "lead.winner"), NAMES, rules) == ""


def texts_of(page):
    return page.evaluate("[...document.querySelectorAll('.page article')].map(e => e.textContent)")


@pytest.mark.slow
@pytest.mark.parametrize(("start", "name"), [("04", "cancellation"), ("13", "hearts"), ("14", "omnibus")])
def test_the_whole_page_is_there_in_order_with_options_and_what_others_play(mount, start, name):
    table = show(path(start))
    page = mount(table)
    page.get_by_role("button", name="All the rules").last.click()
    ids = page.evaluate("[...document.querySelectorAll('.page article[data-rule]')].map(e => e.dataset.rule)")
    assert ids == [rule.id for rule in rules_of(name)]
    headings = page.locator(".page h3").all_inner_texts()
    assert headings[:2] == ["Players and cards", "Aim"]
    found = " ".join(texts_of(page))
    for rule in rules_of(name):
        for text in (rule.title, rule.text, rule.reading):
            assert text.replace("\N{VARIATION SELECTOR-15}", "") in found.replace("\N{VARIATION SELECTOR-15}", "")
    game = record.load(path(start)).game
    for option in in_force(game.ruleset):
        text = page.inner_text(f'.page [data-rule="{option["rule"]}"]').replace("\N{VARIATION SELECTOR-15}", "")
        assert option["text"] in text
    assert (PRESET_TEXTS["pagat"] in found) is (name == "cancellation")
    changed = page.locator('.page [data-rule="trick.dead"] .opt', has_text="not as printed").count()
    assert changed == (start == "04")
    assert page.evaluate("window.errors") == []


@pytest.mark.slow
def test_each_rule_is_one_click_from_where_it_acted_and_back(mount):
    table = show(path("03"))
    replay = table.replays[0]
    dead = next(i for i, frame in enumerate(replay["frames"]) if frame["e"] == "TrickDead")
    table.step = dead
    page = mount(table, 1280, 600)
    page.click(".rb")
    assert page.inner_text(".rule b") == "Two pairs: nobody wins"
    page.click(".rm button")
    marked = page.locator(".page [aria-current=true]")
    assert marked.get_attribute("data-rule") == "trick.dead"
    box = marked.bounding_box()
    assert 0 <= box["y"] <= 600
    assert page.evaluate("document.activeElement.dataset.rule") == "trick.dead"
    acted = {}
    for i, frame in enumerate(replay["frames"]):
        acted.setdefault(frame["r"], []).append(i)
    for rule, steps in acted.items():
        jumps = page.evaluate(
            f"[...document.querySelectorAll('.page [data-rule=\"{rule}\"] .jumps button')].map(e => +e.textContent)"
        )
        assert jumps == steps
    target = acted["trick.highest"][0]
    page.get_by_role("button", name=f"Step {target}: ").click()
    assert page.evaluate("window.model.get('step')") == target
    assert page.locator(".page [aria-current=true]").get_attribute("data-rule") == "trick.highest"
    stage = page.evaluate("document.querySelector('.cap').getBoundingClientRect().bottom")
    assert stage > 0
    page.get_by_role("button", name="Close the rules").click()
    assert not page.is_visible(".page")
    assert page.evaluate("window.errors") == []


@pytest.mark.slow
def test_the_page_of_another_game_comes_with_its_hand_and_two_views_differ_not(mount):
    from cancel_hearts_nb.view.panels import gallery

    table = gallery()
    page = mount(table, views=2)
    page.locator(".foot .all").first.click()
    assert page.locator(".page:visible").count() == 1
    hearts = next(i for i, one in enumerate(table.replays) if one["game"] == "Hearts")
    page.evaluate("at => window.model.set('replay', at)", hearts)
    ids = page.evaluate("[...document.querySelector('.page').querySelectorAll('[data-rule]')].map(e => e.dataset.rule)")
    assert "trick.pairs_cancel" not in ids
    assert "lead.low_club" in ids
    assert page.evaluate("window.errors") == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 360])
def test_why_is_said_on_request_in_the_live_region_and_goes_with_the_step(mount, width):
    table = show(path("03"))
    replay = table.replays[0]
    dead = next(i for i, frame in enumerate(replay["frames"]) if frame["e"] == "TrickDead")
    table.step = dead - 1
    page = mount(table, width)
    assert not page.is_visible(".wb")
    page.evaluate("step => window.model.set('step', step)", dead)
    assert page.inner_text(".live") == replay["captions"][dead]
    page.click(".wb")
    assert page.inner_text(".live") == replay["why"][str(dead)]
    assert page.get_attribute(".wb", "aria-pressed") == "true"
    page.click(".wb")
    assert page.inner_text(".live") == replay["captions"][dead]
    page.click(".wb")
    page.keyboard.press("Escape")
    assert page.inner_text(".live") == replay["captions"][dead]
    page.click(".wb")
    page.evaluate("step => window.model.set('step', step)", dead + 1)
    assert page.inner_text(".live") == replay["captions"][dead + 1]
    assert page.evaluate("window.errors") == []


@pytest.mark.slow
def test_the_heading_of_the_rule_is_never_cut_and_an_open_rule_on_a_phone_stays_small(mount):
    table = show(path("12"))
    for width in (1280, 768):
        page = mount(table, width)
        for step in range(0, len(table.replays[0]["frames"]), 3):
            page.evaluate("step => window.model.set('step', step)", step)
            assert page.evaluate(
                "(() => { const b = document.querySelector('.rb b'); return b.scrollWidth <= b.clientWidth + 1; })()"
            )
    page = mount(table, 360, 640)
    page.click(".rb")
    assert page.evaluate("document.querySelector('.rule').offsetHeight") <= 150
    assert page.get_attribute(".rule", "tabindex") == "0"
    page.keyboard.press("Escape")
    assert not page.is_visible(".rule")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "seats"), [(1280, 11), (360, 11), (768, 6)])
def test_the_score_sheet_is_a_table_that_fills_when_the_hand_is_scored(mount, width, seats):
    game = play(Game(ruleset("cancellation", seats), NAMES[:seats], seed=3, hands=3), [RandomPlayer()] * seats)
    table = show(game)
    scored = [e for e in game.events if isinstance(e, ev.HandScored)]
    table.replay = 1
    page = mount(table, width)
    rows = "[...document.querySelectorAll('.sheet tr')].map(r => [...r.children].map(c => c.textContent))"
    page.evaluate("window.model.set('step', 5)")
    assert page.evaluate(rows) == [
        ["Hand", *NAMES[:seats]], ["1", *map(str, scored[0].points)], ["2", *[""] * seats], ["Total", *map(str, scored[0].totals)],
    ]  # fmt: skip
    before = page.evaluate("document.querySelector('.chnb').offsetHeight")
    page.click("[data-go=last]")
    assert page.evaluate(rows)[2:] == [["2", *map(str, scored[1].points)], ["Total", *map(str, scored[1].totals)]]
    assert page.evaluate("document.querySelector('.chnb').offsetHeight") == before
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator(".sheet th[scope=col]").count() == seats + 1
    assert page.locator(".sheet caption").inner_text() == "Score sheet"
    assert page.evaluate(
        "[...document.querySelectorAll('.sheet :is(td,th)')].every(c => c.scrollWidth <= c.clientWidth + 1)"
    )
    assert show(path("03")).replays[0]["sheet"] == []
