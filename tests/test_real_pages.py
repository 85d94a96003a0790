"""Every numbered point of the table in real Voilà and real JupyterLab pages, at four table sizes.

One page for each server and size, with its own kernel, is shared by the tests below: each uses cells of its own and
leaves the others as they are; the last one ends the kernel.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from realpage import (
    BROKEN,
    CELLS,
    NAMES,
    PATIENCE,
    SIZES,
    VIEWER,
    RealPage,
    prepare,
    quiz_of,
    real_page,
    replays_sent,
)
from servers import kill_kernels
from sizes import ends, more

from cancel_hearts_nb import events as ev
from cancel_hearts_nb import record
from cancel_hearts_nb.cards import Card, Suit
from cancel_hearts_nb.game import Game
from cancel_hearts_nb.i18n import words
from cancel_hearts_nb.players import RandomPlayer, play
from cancel_hearts_nb.rulebook import BY_ID
from cancel_hearts_nb.rules import scoring
from cancel_hearts_nb.ruleset import BLACK_MARIA, MoonChoice, Ruleset, ruleset
from cancel_hearts_nb.state import State, apply
from cancel_hearts_nb.view.replay import hand_replays, table_rules

pytestmark = pytest.mark.slow

W = words()
FACT = """(root => { const text = one => (root.querySelector(one) || {}).textContent, all = one => [...root.querySelectorAll(one)];
  return { step: +root.querySelector('input[type=range]').value, count: text('.cnt'), caption: text('.live'), where: text('.where'), rule: text('.rb b'),
    sub: text('.head .ttl span'), trick: text('.d-trick'), hearts: text('.d-hearts'), aside: text('.state > :not([hidden]) > .d-aside') || '', way: text('.d-way'),
    pass: root.querySelector('.d-pass').parentNode.hidden ? '' : text('.d-pass'), arrow: !!root.querySelector('.d-pass svg'), pile: text('.pile'),
    seats: all('.seat').map(one => ({ name: one.querySelector('bdi').textContent, read: one.children[2].textContent, dealer: !one.querySelector('.dl').hidden,
      turn: one.getAttribute('aria-current') === 'true', tag: one.querySelector('.stag').getAttribute('aria-hidden') ? '' : one.querySelector('.stag').textContent })),
    list: all('.trick li').map(one => one.textContent), struck: all('.card.x').length, joined: all('.link, .bracket').length, rings: all('.card.win').length,
    lying: all('.card:not(.away)').length, faces: all('.pic:not(.down)').length,
    said: root.dataset.hands === 'all' ? [] : [...new Set(root.outerHTML.match(/(two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace) of (clubs|diamonds|spades|hearts)/g))],
    still: ['.stage', '.cap', '.btns', '.hands'].map(one => Math.round(root.querySelector(one).getBoundingClientRect().top - root.getBoundingClientRect().top)).concat(root.offsetHeight).join(),
    wide: root.scrollWidth > root.clientWidth + 1 }; })"""
WALK = f"""root => {{ const fact = {FACT}, out = [], go = name => root.querySelector(`[data-go=${{name}}]`);
  go('first').click();
  for (;;) {{ out.push(fact(root)); if (go('next').getAttribute('aria-disabled')) return out; go('next').click(); }} }}"""
STEP = "root => +root.querySelector('input[type=range]').value"


# one after the other, so that few kernels run at a time; JupyterLab differs in its frame
SHOWN = {"voila": ends(SIZES), "lab": [6, *more([4, 8, 11])]}
PAGES = [(server, seats) for server, sizes in SHOWN.items() for seats in sizes]


def called_by(page: tuple[str, int]) -> str:
    return f"{page[0]}-{page[1]}"


@pytest.fixture(scope="module", params=PAGES, ids=called_by)
def real(request: pytest.FixtureRequest, browser: Any) -> Iterator[RealPage]:
    """The page of one server and size. Afterwards nothing may have been said that tells of a fault."""
    server, seats = request.param
    served = request.getfixturevalue(server)
    prepare(served.folder)
    made = real_page(browser, served, server, seats)
    made.open()
    yield made
    made.page.close(run_before_unload=True)
    made.page.context.close()
    assert not [line for line in made.said for bad in BROKEN if bad in line]


def go(root: Any, name: str, *, point: bool = False) -> None:
    """Press a button of the replay, with the pointer or at once."""
    button = root.locator(f"[data-go={name}]")
    button.click() if point else button.evaluate("button => button.click()")


def step_of(root: Any) -> int:
    return int(root.evaluate(STEP))


def step_to(root: Any, step: int) -> None:
    root.locator("input[type=range]").fill(str(step))
    assert step_of(root) == step


def walked(real: RealPage) -> list[dict[str, Any]]:
    """What the table with all hands shows at every step, looked at once."""
    if not real.walk:
        real.walk.extend(real.cell("start").first.evaluate(WALK))
    return real.walk


def after(game: Game, step: int) -> State:
    """Everything true after the event that a step shows, from the engine."""
    state = State(game.ruleset)
    for event in game.events[: step + 1]:
        apply(state, event)
    return state


def cost(cards: Any) -> int:
    return sum((card.suit is Suit.HEARTS) + 13 * (card == BLACK_MARIA) for card in cards)


def counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def called(card: Card) -> str:
    return W.card_name(card.code)


# ---------- 1. replay


def test_a_replay_steps_by_card_and_by_trick_and_says_its_sentence_and_rule(real: RealPage) -> None:
    events, end = real.game.events, len(real.game.events) - 1
    root = real.cell("start").first
    captions = hand_replays(real.game)[0]["captions"]
    headings = {rule["id"]: rule["heading"] for rule in table_rules([real.game.ruleset.name])}

    def shows(step: int) -> None:
        fact = root.evaluate(FACT)
        assert (fact["step"], fact["count"], fact["caption"]) == (step, f"{step} / {end}", captions[step])
        assert fact["rule"] == headings[events[step].rule]

    go(root, "first")
    shows(0)
    for name, step in (("next", 1), ("next", 2), ("back", 1), ("last", end), ("back", end - 1), ("first", 0)):
        go(root, name, point=True)
        shows(step)
    assert root.locator("[data-go=back]").get_attribute("aria-disabled") == "true"
    # by trick: to the last event before the next trick begins
    root.locator("input[value=by_trick]").check(force=True)
    ends = [i - 1 for i, event in enumerate(events) if isinstance(event, ev.LeadAssigned)]
    for step in ends[:3]:
        go(root, "next")
        shows(step)
    go(root, "back")
    shows(ends[1])
    root.locator("input[value=by_card]").check(force=True)
    slider = root.locator("input[type=range]")
    slider.focus()
    for key, step in (("Home", 0), ("ArrowRight", 1), ("End", end)):
        real.page.keyboard.press(key)
        shows(step)
    assert slider.get_attribute("aria-valuetext").startswith(f"Step {end} of {end}.")
    step_to(root, 7)
    shows(7)


def test_a_replay_plays_pauses_and_bears_fast_clicks(real: RealPage) -> None:
    root = real.cell("start").first
    go(root, "first")
    root.locator("select[aria-label=Speed]").select_option("fast")
    play_button = root.locator("[data-go=play]")
    play_button.click()
    assert play_button.get_attribute("title") == "Pause"
    real.until(f"root => ({STEP})(root) >= 2", root)
    play_button.click()
    assert play_button.get_attribute("title") == "Play"
    go(root, "first")
    root.evaluate("root => { const b = root.querySelector('[data-go=next]'); for (let i = 0; i < 40; i++) b.click(); }")
    assert step_of(root) == 40
    lying = sum(len(held) for held in after(real.game, 40).hands)
    state = after(real.game, 40)
    trick = len(state.trick.plays) if state.trick else 0
    assert trick or isinstance(real.game.events[40], ev.TrickWon | ev.TrickDead | ev.LeadAssigned)
    if state.trick and trick:
        expected = lying + trick + len(state.aside)
        real.until(f"root => root.querySelectorAll('.card:not(.away)').length === {expected}", root)
    moves = root.locator(".card").first.evaluate("card => getComputedStyle(card).transitionDuration")
    seconds = [float(part.strip().rstrip("s")) for part in moves.split(",")]
    assert 0.15 <= max(seconds) <= 0.3 if real.moving else max(seconds) == 0


def test_nothing_jumps_and_the_rules_are_one_click_away(real: RealPage) -> None:
    root = real.cell("start").first
    walk = walked(real)
    assert len(walk) == len(real.game.events)
    assert len({fact["still"] for fact in walk}) == 1
    assert not any(fact["wide"] for fact in walk)
    assert real.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    acting = next(
        i
        for i, event in enumerate(real.game.events)
        if isinstance(event, ev.TrickWon if real.seats == 4 else ev.PairCancelled)
    )
    step_to(root, acting)
    caption = root.locator(".live").inner_text()
    if real.seats > 4:
        root.locator(".wb").click()
        assert root.locator(".live").inner_text() != caption
        root.locator(".wb").click()
        assert root.locator(".live").inner_text() == caption
    rule = next(one for one in table_rules([real.game.ruleset.name]) if one["id"] == real.game.events[acting].rule)
    root.locator(".rb").click()
    assert all(rule[part] in root.locator(".rule").inner_text() for part in ("heading", "text", "reading"))
    root.locator(".rule .all").click()
    panel = root.locator(".page")
    current = panel.locator("article[aria-current=true]")
    assert current.get_attribute("data-rule") == rule["id"]
    assert BY_ID[rule["id"]].text in rule["text"].replace("\N{VARIATION SELECTOR-15}", "")
    order = panel.locator("article[data-rule]").evaluate_all("all => all.map(one => one.dataset.rule)")
    assert order == [one["id"] for one in table_rules([real.game.ruleset.name])]
    assert "At this table" in panel.inner_text()
    jump = panel.locator(".jumps button").last
    jump.evaluate("one => { const box = one.closest('details'); if (box) box.open = true; }")
    step = int(jump.inner_text())
    jump.click()
    assert step_of(root) == step
    root.locator(".foot .all").click()
    root.locator(".rb").click()
    assert not panel.is_visible() and not root.locator(".rule").is_visible()


def test_one_seats_view_holds_no_card_before_the_step_that_shows_it(real: RealPage) -> None:
    known: list[set[str]] = []
    seen: set[Card] = set()
    for event in real.game.events:
        if isinstance(event, ev.Dealt):
            seen |= set(event.hands[VIEWER])  # type: ignore[arg-type]
        elif isinstance(event, ev.Received) and event.seat == VIEWER:
            seen |= set(event.cards)  # type: ignore[arg-type]
        elif isinstance(event, ev.Played):
            seen.add(event.card)
        known.append({card.code for card in seen})
    sent = [one for one in replays_sent(real.heard()) if one["viewer"] == VIEWER]
    assert sent
    for one in sent:
        met: set[str] = set()
        for frame, may in zip(one["frames"], known, strict=True):
            met |= {card for _key, card, *_ in frame.get("d", ()) if card}
            assert met <= may
        assert one["code"] == "" and "file" not in one
    walk = real.cell("seat").first.evaluate(WALK)
    for fact, may in zip(walk, known, strict=True):
        assert set(fact["said"] or ()) <= {W.card_name(code) for code in may}
        assert fact["faces"] <= 2 * len(may)
    assert max(fact["lying"] for fact in walk) > real.game.ruleset.hand_size
    assert len({fact["still"] for fact in walk}) == 1
    if any(isinstance(event, ev.KittySet) for event in real.game.events):
        kitty = next(i for i, event in enumerate(real.game.events) if isinstance(event, ev.KittySet))
        assert "face down" in walk[kitty + 1]["pile"]
        hidden = next((i for i, event in enumerate(real.game.events) if isinstance(event, ev.TrickDead) and after(real.game, i).kitty), None)  # fmt: skip
        assert hidden is None or f"+ {after(real.game, hidden).kitty} unseen" in walk[hidden]["pile"]


# ---------- 2. predict


def test_questions_are_asked_judged_and_counted_and_every_reply_names_a_rule(real: RealPage) -> None:
    events, names = real.game.events, real.game.names
    _, (first, second, _) = quiz_of(real.seats)
    root = real.cell("quiz").first
    forward = "root => { const b = root.querySelector('[data-go=next]'); for (let i = 0; i < 400; i++) b.click(); }"
    go(root, "first")
    root.evaluate(forward)
    assert step_of(root) == first
    assert root.locator(".live").inner_text().endswith("Answer the question first, or skip it.")
    # which cards may be played: of the suit led, or anything
    state = after(real.game, first)
    assert state.trick is not None and state.to_play is not None
    held = set(state.hands[state.to_play])
    follow = {card for card in held if card and card.suit is state.trick.suit} or held
    right = {called(card) for card in follow if card}
    assert root.locator(".ask .q").inner_text() == f"Which of these cards may {names[state.to_play]} play?"
    boxes = root.locator(".answers input[type=checkbox]")
    offered = boxes.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert set(offered) == {called(card) for card in held if card}
    for name in right:
        root.locator(f".answers input[aria-label='{name}']").check(force=True)
    root.get_by_role("button", name="That is my answer").click()
    reply = root.locator(".ask .reply")
    assert reply.inner_text().startswith("That is right.") and "The rule is “" in reply.inner_text()
    # who takes it: a wrong answer first
    root.evaluate(forward)
    assert step_of(root) == second
    assert root.locator(".ask .q").inner_text() == "Who takes this trick?"
    done = next(event for event in events[second:] if isinstance(event, ev.TrickWon | ev.TrickDead))
    winner = names[done.seat] if isinstance(done, ev.TrickWon) else "Nobody"
    wrong = next(name for name in (*names, "Nobody") if name != winner)
    root.locator(".answers").get_by_role("button", name=wrong, exact=True).click()
    assert reply.inner_text().startswith("Not quite.") and "The rule is “" in reply.inner_text()
    # points, at the same step
    state = after(real.game, second)
    assert state.trick is not None
    points = cost(state.trick.cards) + cost(card for card in state.aside if card)
    assert "How many points" in root.locator(".ask .q").inner_text()
    field = root.locator(".answers input[type=number]")
    field.fill(str(points + 1))
    field.press("Enter")
    assert reply.inner_text().startswith("Not quite.") and f"It is {counted(points, 'point', 'points')}" in reply.inner_text()  # fmt: skip
    assert "The rule is “" in reply.inner_text()
    assert root.locator(".score").inner_text() == "Questions answered rightly: 1 of 3"
    root.evaluate(forward)
    assert step_of(root) == len(events) - 1
    root.get_by_role("button", name="Ask me again").click()
    go(root, "first")
    root.evaluate(forward)
    assert step_of(root) == first
    root.get_by_role("button", name="Skip this question").click()
    assert step_of(root) == first + 1


# ---------- 4. what the table shows


def test_the_table_tells_every_fact_of_the_game(real: RealPage) -> None:
    game, names = real.game, real.game.names
    root = real.cell("start").first
    small = root.get_attribute("data-size") == "s"
    walk = walked(real)
    met = set()
    for step, fact in enumerate(walk):
        event, state = game.events[step], after(game, step)
        met.add(type(event))
        assert [seat["name"] for seat in fact["seats"]] == list(names)
        assert fact["sub"] == f"{real.seats} players · hand 1" and "hand 1" in fact["where"].lower()
        assert [seat["dealer"] for seat in fact["seats"]] == [seat == state.dealer for seat in range(real.seats)]
        assert "clockwise" in fact["way"]
        assert ("not broken" not in fact["hearts"]) == state.hearts_broken
        if isinstance(event, ev.Passed | ev.Received):
            assert fact["arrow"] and fact["pass"].strip() in ("to the left", "to the right", "across")
        if state.trick_number:
            assert fact["trick"] == f"{state.trick_number} of {game.ruleset.hand_size}"
        for seat, told in enumerate(fact["seats"]):
            held, taken = len(state.hands[seat]), cost(state.taken[seat])
            assert told["read"].startswith(f"{counted(held, 'card', 'cards')} left, {counted(state.counts[seat], 'trick', 'tricks')} taken, {counted(taken, 'point', 'points')} taken")  # fmt: skip
        if state.trick is not None:
            assert [seat for seat in range(real.seats) if fact["seats"][seat]["turn"]] == [state.to_play] * (state.to_play is not None)  # fmt: skip
            if state.to_play is not None:
                assert fact["seats"][state.to_play]["tag"] == ("to play" if state.trick.plays else "to lead")
            assert len(fact["list"]) == len(state.trick.plays)
            for line, (seat, card) in zip(fact["list"], state.trick.plays, strict=True):
                assert line.startswith(f"{names[seat]}: {called(card)}")
            if fact["list"] and not fact["struck"]:
                assert ", led" in fact["list"][0]
            twins = len(state.trick.plays) - len(set(state.trick.cards))
            assert sum("second copy" in line for line in fact["list"]) == twins
        if isinstance(event, ev.PairCancelled):
            assert fact["struck"] == 2 * fact["joined"] > 0
            assert sum("cancelled" in line for line in fact["list"]) == fact["struck"]
        if isinstance(event, ev.TrickWon):
            assert fact["rings"] == 1 and fact["seats"][event.seat]["tag"] == ("takes it" if small else "takes the trick")  # fmt: skip
        if isinstance(event, ev.TrickDead):
            assert "Nobody takes it" in fact["pile"]
        if state.aside:
            assert counted(len(state.aside), "card", "cards") in fact["aside"]
            if len(state.aside) > state.kitty:
                assert counted(cost(state.aside[state.kitty :]), "point", "points") in fact["pile"]
                assert not state.kitty or f"+ {state.kitty} unseen" in fact["pile"]
            elif not isinstance(event, ev.KittySet):
                assert "face down" in fact["pile"]
        elif state.trick is not None:
            # with one pack nothing ever waits, and nothing is said of it
            assert fact["aside"] == ("nothing" if game.ruleset.packs == 2 else "")
    assert met >= {
        ev.HandStarted,
        ev.Dealt,
        ev.Passed,
        ev.Received,
        ev.LeadAssigned,
        ev.Played,
        ev.TrickWon,
        ev.HandScored,
    }
    assert real.seats == 4 or met >= {ev.PairCancelled, ev.TrickDead, ev.AsideTaken}
    scored = next(event for event in game.events if isinstance(event, ev.HandScored))
    sheet = root.locator("table.sheet")
    assert sheet.locator("caption").inner_text() == "Score sheet"
    assert sheet.locator("thead th[scope=col]").all_inner_texts() == ["Hand", *names]
    assert sheet.locator("tbody tr").all_inner_texts() == ["\t".join(map(str, (1, *scored.points)))]
    assert sheet.locator("tfoot td").all_inner_texts() == [str(total) for total in scored.totals]


# ---------- 3. play


POINTER, TOUCH, KEYBOARD = "pointer", "touch", "keyboard"
HOW = {("voila", 4): POINTER, ("voila", 6): TOUCH, ("voila", 8): KEYBOARD, ("voila", 11): POINTER,
       ("lab", 4): KEYBOARD, ("lab", 6): TOUCH, ("lab", 8): POINTER, ("lab", 11): KEYBOARD}  # fmt: skip
# a few cards are enough here: each way of playing has played whole hands in the other pages
FEW = {("voila", 11), ("lab", 6), ("lab", 8), ("lab", 11)}
ASKED = """root => { const skip = root.querySelector('[data-play=skip]'), prompt = root.querySelector('.prompt'), seen = one => { const el = root.querySelector(one); return !!el && !el.hidden && el.checkVisibility(); };
  if (skip && !skip.hidden) skip.click();
  if (!skip || !skip.hidden || !prompt || /others are playing/.test(prompt.textContent)) return false;
  const hand = root.querySelector('.hand'), kind = seen('[data-play=next_hand]') ? 'next' : seen('.moon button') ? 'moon' : hand.getAttribute('role') === 'listbox' ? 'pass' : root.querySelector('[data-mark~=yes]') ? 'play' : '';
  return kind && { kind, text: prompt.textContent, cards: hand.querySelectorAll('button').length, legal: hand.querySelectorAll('button:not([aria-disabled])').length, refused: hand.querySelectorAll('button[aria-disabled]').length }; }"""
HAND = "root => [...root.querySelectorAll('.hand button')].map(one => [one.getAttribute('aria-label'), one.getAttribute('aria-disabled')])"
FACE_UP = r'\["k\d+", "([0-9TJQKA][CDSH])", "(\w)", (-?\d+)'
LAB_CELLS = "() => [...book.content.model.cells].map(one => [one.type, one.sharedModel.getSource()])"


def answer(real: RealPage, root: Any, how: str, count: int) -> None:
    """Choose `count` cards that may be chosen: three to pass, or one to play."""
    if how == KEYBOARD:
        if not root.evaluate("root => !!root.querySelector('.hand').contains(document.activeElement)"):
            root.locator(".hand [tabindex='0']").focus()
        assert root.locator(".hand [tabindex='0']").count() == 1
        real.page.keyboard.press("Home")
        while root.evaluate("() => document.activeElement.getAttribute('aria-disabled') === 'true'"):
            real.page.keyboard.press("ArrowRight")
        for _ in range(count if count > 1 else 0):
            real.page.keyboard.press("Space")
            real.page.keyboard.press("ArrowRight")
        real.page.keyboard.press("Enter")
        return
    cards = root.locator(".hand button:not([aria-disabled])")
    for i in range(count):
        act = cards.nth(i).tap if how == TOUCH else cards.nth(i).click
        act(position={"x": 8, "y": 14})
    if count > 1:
        commit = root.locator("[data-play=commit_play]")
        commit.tap() if how == TOUCH else commit.click()


def test_a_person_plays_a_whole_hand_and_a_refused_card_names_its_rule(real: RealPage) -> None:
    how = HOW[real.server, real.seats]
    page, game = real.page, "hearts" if real.seats == 4 else "cancellation"
    rules = ruleset(game, real.seats)
    root = real.cell("play").first
    # start: in the form every option stands in words
    root.locator("[name=game]").select_option(game)
    root.locator("[name=seats]").select_option(str(real.seats))
    root.locator("[name=name]").fill("Zoë <b>")
    root.locator("[name=others]").select_option("random")
    root.locator("[name=seed]").fill("7")
    assert "_" not in "".join(root.locator(".setup label, .setup option").all_inner_texts())
    since = len(real.wire)
    root.locator("[data-play=start]").first.click()
    asked = real.until(ASKED, root)
    assert asked["kind"] == "pass" and asked["cards"] == rules.hand_size
    assert f"Choose {rules.pass_count} cards for" in asked["text"]
    assert root.locator(".seat[data-to]").count() == 1
    # what has reached the page: my own cards, and nobody else's
    own = re.findall(FACE_UP, real.heard(since))
    assert {(zone, seat) for _, zone, seat in own} == {("h", "0")}
    assert len({card for card, *_ in own}) <= rules.hand_size
    cells = page.evaluate(LAB_CELLS) if real.server == "lab" else None
    answer(real, root, how, rules.pass_count)
    asked = real.until(ASKED.replace("return kind &&", "return kind === 'play' &&"), root)
    assert root.locator("[data-mark~=got]").count() == rules.pass_count
    plays = tried = undone = 0
    loaded = None
    whole = (real.server, real.seats) not in FEW
    while asked["kind"] in ("play", "moon") and (whole or not (plays > 3 and tried)):
        if asked["kind"] == "moon":
            root.locator(".moon button").first.click()
        else:
            if asked["refused"] and not tried:
                tried = 1
                refused_names_its_rule(real, root, how)
            answer(real, root, how, 1)
            plays += 1
        left = asked["cards"] - 1
        asked = real.until(ASKED.replace("return kind &&", f"return kind && hand.querySelectorAll('button').length === {max(0, left)} && (kind !== 'moon' || {int(asked['kind'] != 'moon')}) &&"), root)  # fmt: skip
        if how == KEYBOARD and asked["cards"] > 1:
            assert root.evaluate("root => root.querySelector('.hand').contains(document.activeElement)")
        if plays == 2 and not undone:
            undone = 1
            asked = hint_and_undo(real, root, asked)
            plays = 1
        if plays == 3 and real.server == "voila":
            loaded = len(real.wire)
            resumed(real, root)
            root = real.cell("play").first
            asked = real.until(ASKED, root)
    assert (plays if whole else rules.hand_size, tried, undone) == (rules.hand_size, 1, 1)
    if whole:
        scored(real, root, asked, rules)
    assert root.locator(".notice").is_hidden()
    assert others_cards(real.heard(since, loaded)) == set()
    for one in replays_sent(real.heard(loaded)):
        assert one["viewer"] != 0 or others_cards(json.dumps(one["frames"])) == set()
    if cells:
        root.locator(".hand [tabindex='0']").focus()
        for key in ("d", "d", "a", "m", "x"):
            page.keyboard.press(key)
        assert root.evaluate("root => root.contains(document.activeElement)")
        assert page.evaluate(LAB_CELLS) == cells


def scored(real: RealPage, root: Any, asked: dict[str, Any], rules: Ruleset) -> None:
    """The hand is over: the sheet has a column for each player and a row for it, and the match goes on."""
    assert asked["kind"] == "next"
    sheet = root.locator(".scores table")
    assert [text.split("\n")[0] for text in sheet.locator("thead th[scope=col]").all_inner_texts()][:2] == [
        "Hand",
        "Zoë <b>",
    ]
    assert sheet.locator("thead th[scope=col]").count() == real.seats + 1
    points = [int(text) for text in sheet.locator("tbody td").all_inner_texts()]
    assert len(points) == real.seats and points == [int(text) for text in sheet.locator("tfoot td").all_inner_texts()]
    assert sum(points) <= (26 if real.seats == 4 else 52) * (real.seats - 1)
    root.locator("[data-play=next_hand]").click()
    asked = real.until(ASKED.replace("return kind &&", "return kind !== 'next' && kind &&"), root)
    assert asked["cards"] == rules.hand_size


def others_cards(text: str) -> set[tuple[str, str]]:
    """The cards that lie face up in another hand than seat 0's, in what a kernel sent."""
    return {(card, seat) for card, zone, seat in re.findall(FACE_UP, text) if zone == "h" and seat != "0"}


def refused_names_its_rule(real: RealPage, root: Any, how: str) -> None:
    before = root.evaluate(HAND)
    card = root.locator(".hand button[aria-disabled]").first
    if how == KEYBOARD:
        card.focus()
        real.page.keyboard.press("Enter")
    elif how == TOUCH:
        card.tap(position={"x": 8, "y": 14}, force=True)
    else:
        card.click(position={"x": 8, "y": 14}, force=True)
    real.until("root => root.querySelector('.live').dataset.tone === 'no'", root)
    said, rule = root.locator(".live").inner_text(), root.locator(".rb b").inner_text()
    assert rule in {one["heading"] for one in table_rules(["hearts" if real.seats == 4 else "cancellation"])}
    assert len(said) > 20 and said.endswith(".")
    assert root.evaluate(HAND) == before


def hint_and_undo(real: RealPage, root: Any, asked: dict[str, Any]) -> dict[str, Any]:
    root.locator("[data-play=hint]").click()
    real.until("root => root.querySelector('.live').dataset.tone === 'hint'", root)
    assert root.locator("[data-mark~=hint]").count() == 1
    root.locator("[data-play=undo]").click()
    cards = asked["cards"] + 1
    again: dict[str, Any] = real.until(ASKED.replace("return kind &&", f"return kind && hand.querySelectorAll('button').length === {cards} &&"), root)  # fmt: skip
    return again


def resumed(real: RealPage, root: Any) -> None:
    """The address keeps the match: the same page loaded again goes on in the middle of the trick."""
    before, trick, prompt = root.evaluate(HAND), root.locator("ol.trick li").all_inner_texts(), root.locator(".prompt").inner_text()  # fmt: skip
    real.until("() => new URL(location.href).searchParams.get('play')")
    real.page.reload(timeout=PATIENCE)
    real.wait()
    again = real.cell("play").first
    real.until(ASKED, again)
    assert again.evaluate(HAND) == before
    assert again.locator("ol.trick li").all_inner_texts() == trick
    assert again.locator(".prompt").inner_text() == prompt


# ---------- 5. for everyone


def axe_source() -> str:
    axe = pytest.importorskip("axe_playwright_python")
    return (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[Any]:
    """What axe finds in all our roots of a page."""
    page.evaluate(axe_source())
    # two views of one table are called alike, since they are the same table
    found = page.evaluate(
        """() => axe.run({ include: [...document.querySelectorAll('.chnb, .chss')] }, { resultTypes: ['violations'], rules: { 'landmark-unique': { enabled: false } },
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })"""
    )
    assert len(found["passes"]) > 10
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]]


def test_axe_finds_nothing_in_either_direction(real: RealPage) -> None:
    assert real.cell("mirrored").first.get_attribute("dir") == "rtl"
    # Voilà is dark at an address of its own: see the links
    wear(real, "dark" if real.server == "lab" and real.seats in (6, 11) else "light")
    assert violations(real.page) == []


def wear(real: RealPage, look: str) -> None:
    if real.server == "lab":
        real.page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", f"JupyterLab {look.title()}")  # fmt: skip
    real.until(f"() => [...document.querySelectorAll('.chnb')].every(one => one.dataset.theme === '{look}')")
    real.until("() => !document.getAnimations().length")


def test_no_two_things_of_a_page_have_one_id(real: RealPage) -> None:
    for name in CELLS:
        real.cell(name)
    ids = real.page.evaluate("[...document.querySelectorAll('.chnb [id], .chss [id]')].map(one => one.id)")
    assert len(ids) > 20 and len(ids) == len(set(ids))
    groups = real.page.evaluate(
        """() => { const found = {}; for (const one of document.querySelectorAll('.chnb input[type=radio]')) (found[one.name] = found[one.name] || new Set()).add(one.closest('.chnb'));
          return Object.values(found).map(roots => roots.size); }"""
    )
    assert set(groups) == {1}
    called = real.page.locator(".chnb").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert len(set(called)) == len(called) - 1  # the two views of one table


def test_right_to_left_mirrors_the_text_and_not_the_table(real: RealPage) -> None:
    at = """root => { const s = root.querySelector('.stage').getBoundingClientRect();
      return [...root.querySelectorAll('.seat')].map(e => { const r = e.getBoundingClientRect(); return [Math.round(r.left + r.width / 2 - s.left), Math.round(r.top + r.height / 2 - s.top)].join(); }); }"""
    order = "root => root.querySelector('[data-go=first]').getBoundingClientRect().left < root.querySelector('[data-go=last]').getBoundingClientRect().left"
    left = real.cell("start").first
    step_to(left, 30)
    seats = left.evaluate(at)
    assert left.evaluate(order)
    right = real.cell("mirrored").first
    assert (right.get_attribute("dir"), right.get_attribute("lang")) == ("rtl", "he")
    step_to(right, 30)
    assert right.evaluate(at) == seats
    assert not right.evaluate(order)
    right.locator("[data-go=next]").focus()
    real.page.keyboard.press("ArrowLeft")
    assert step_of(right) == 31
    assert not right.evaluate(FACT)["wide"]


def test_keys_read_aloud_targets_are_large_and_no_key_leaves_the_table(real: RealPage) -> None:
    page, game = real.page, real.game
    root = real.cell("seat").first
    cells = page.evaluate(LAB_CELLS) if real.server == "lab" else None
    step = next(i for i, event in enumerate(game.events) if isinstance(event, ev.Played) and len(after(game, i).trick.plays) == 2)  # type: ignore[union-attr]  # fmt: skip
    step_to(root, step)
    state = after(game, step)
    live = root.locator(".live")
    root.locator("[data-go=next]").focus()
    assert state.trick is not None
    said = {
        "h": rf"^{NAMES[VIEWER]} holds: ", "t": rf"^The trick: {NAMES[state.trick.plays[0].seat]}: {called(state.trick.plays[0].card)}",
        "p": rf"^Points taken: {NAMES[0]} 0, ", "c": rf"^Cards left: {NAMES[0]} {len(state.hands[0])}, ",
    }  # fmt: skip
    for key, pattern in said.items():
        page.keyboard.press(key)
        assert re.match(pattern, live.inner_text()), live.inner_text()
        assert live.get_attribute("aria-live") == "polite"
    assert root.locator("[aria-live]").count() == 1
    held = state.hands[VIEWER]
    page.keyboard.press("h")
    assert all(called(card) in live.inner_text() for card in held if card)
    assert live.inner_text().count("second copy") == len(held) - len(set(held))
    page.keyboard.press("Escape")
    for key in ("d", "d", "a", "m", "x", "b"):
        page.keyboard.press(key)
    assert root.evaluate("root => root.contains(document.activeElement)")
    if cells:
        assert page.evaluate(LAB_CELLS) == cells
    small = """root => { root.querySelectorAll('details').forEach(one => { one.open = true; });
      const found = [...root.querySelectorAll('button, select, input, summary, a')].filter(one => one.checkVisibility()).map(one => /radio|checkbox|file/.test(one.type) ? one.closest('label') || one : one)
        .filter(one => { const r = one.getBoundingClientRect(); return r.width < 24 || r.height < 24; }).map(one => one.outerHTML.slice(0, 90));
      root.querySelectorAll('details').forEach(one => { one.open = false; });
      return found; }"""
    assert root.evaluate(small) == []
    assert real.cell("play").first.evaluate(small) == []


# ---------- 6. outside a live page


class _Plain(HTMLParser):
    """The text of HTML without its pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_what_a_kernel_leaves_behind_is_readable_without_one(real: RealPage, browser: Any) -> None:
    game = real.game
    captions = hand_replays(game)[0]["captions"]
    if real.server == "lab":
        # what Lab would save with the notebook
        data = real.page.evaluate("index => book.content.model.cells.get(index).outputs.get(0).toJSON().data", list(CELLS).index("start"))  # fmt: skip
        plain, html, picture = ("".join(data[kind]) for kind in ("text/plain", "text/html", "image/svg+xml"))
        assert picture.startswith("<svg") and len(html.encode()) <= 30_000
        assert "<svg" not in html and "data:image/svg+xml;base64," in html
        parser = _Plain()
        parser.feed(html)
        for name in game.names:
            assert name in plain and name in " ".join(parser.text)
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.set_content(html)
        assert page.evaluate("document.querySelector('img').naturalWidth") > 100
        assert captions[1] in page.inner_text("body") + (page.get_attribute("img", "alt") or "")
        context.close()
    # the page that this kernel wrote
    file = real.served.folder / f"alone_{real.seats}.html"
    assert file.stat().st_size < 400_000
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(file.as_uri())
    root = page.locator(".chnb")
    root.locator(".seat").first.wait_for(timeout=PATIENCE)
    walk = root.evaluate(WALK)
    assert [fact["caption"] for fact in walk] == captions
    context.close()


# ---------- 7. links, saving, handing on


def test_a_copied_link_opens_the_same_hand_at_the_same_step(real: RealPage) -> None:
    root = real.cell("start").first
    step_to(root, 7)
    caption = root.locator(".live").inner_text()
    link = copied(real, root, "link")
    asked = parse_qs(urlsplit(link).query)
    assert link.startswith(f"{real.served.address}/voila/render/real_{real.seats}.ipynb?")
    assert asked["step"] == ["7"]
    assert record.decode(asked["hand"][0]).game.events == real.game.events
    exercise = copied(real, root, "exercise")
    asked = parse_qs(urlsplit(exercise).query)
    assert exercise.startswith(f"{real.served.address}/voila/render/07_play_a_hand.ipynb?")
    assert asked["at"] == ["8"]
    if real.server == "lab" and real.seats == 8:
        page = real.another()
        page.goto(link)  # Voilà runs in this Lab too
        linked = page.locator(".jp-Cell").nth(0).locator(".chnb").first
        linked.locator(".seat").first.wait_for()
        assert (linked.evaluate(FACT)["step"], linked.evaluate(FACT)["caption"]) == (7, caption)
        real.leave(page)


def copied(real: RealPage, root: Any, what: str) -> str:
    """The link that a button puts on the clipboard."""
    real.page.evaluate("navigator.clipboard.writeText('')")
    root.locator(f"[data-do={what}]").click()
    return str(real.until("async () => await navigator.clipboard.readText()"))


@pytest.mark.parametrize("real", [page for page in PAGES if page[0] == "voila"], ids=called_by, indirect=True)
def test_an_address_opens_another_hand_in_the_dark_and_a_broken_one_is_a_sentence(real: RealPage) -> None:
    other = play(Game(real.game.ruleset, real.game.names[::-1], seed=99, hands=1), [RandomPlayer()] * real.seats)
    code = record.encode(other, 1)
    page = real.another()
    table, match = (page.locator(".chnb").nth(i) for i in range(2))
    page.emulate_media(color_scheme="dark")
    page.goto(f"{real.served.address}/voila/render/linked.ipynb?hand={code}&step=7&at=2")
    match.locator(".hand button").first.wait_for()
    fact = table.evaluate(FACT)
    assert (fact["step"], fact["caption"]) == (7, hand_replays(other)[0]["captions"][7])
    assert [seat["name"] for seat in fact["seats"]] == list(other.names)
    asked = page.wait_for_function(ASKED, arg=match.element_handle(), timeout=PATIENCE).json_value()
    assert (asked["kind"], asked["cards"]) == ("pass", real.game.ruleset.hand_size)
    assert table.get_attribute("data-theme") == match.get_attribute("data-theme") == "dark"
    assert violations(page) == []
    if real.seats == SIZES[-1]:  # once is enough: what breaks a code knows no size
        page.goto(f"{real.served.address}/voila/render/linked.ipynb?hand={code[:-9]}&step=7&at=2")
        match.locator(".setup .fault").wait_for()
        said = "This code is broken or incomplete. Copy the whole link again."
        assert table.locator(".notice").inner_text() == match.locator(".setup .fault").inner_text() == said
        assert [seat["name"] for seat in table.evaluate(FACT)["seats"]] == NAMES[:4]
    real.leave(page)


def test_a_record_is_saved_and_opened_and_faults_are_sentences(real: RealPage, tmp_path: Path) -> None:
    root = real.cell("start").first
    with real.page.expect_download() as download:
        root.locator("[data-do=save]").click()
    saved = tmp_path / "saved.toml"
    download.value.save_as(saved)
    assert record.load(saved).game.events == real.game.events
    root = real.cell("faulty").first
    broken = tmp_path / "broken.toml"
    broken.write_text(
        saved.read_text(encoding="utf-8").replace('players = ["', 'players = ["Zed", "'), encoding="utf-8"
    )
    root.locator("input[type=file]").set_input_files(broken)
    root.locator(".faults li").first.wait_for()
    said = root.locator(".faults li").all_inner_texts()
    assert all(re.search(r"\.( \[rule [a-z_.]+\])?$", text) for text in said), said
    good = play(Game(real.game.ruleset, real.game.names[::-1], seed=99, hands=1), [RandomPlayer()] * real.seats)
    record.dump(good, tmp_path / "good.toml", "Opened from a file")
    root.locator("input[type=file]").set_input_files(tmp_path / "good.toml")
    real.until(
        "root => root.querySelector('.picker select')?.selectedOptions[0].textContent === 'Opened from a file'", root
    )
    assert [seat["name"] for seat in root.evaluate(FACT)["seats"]] == list(good.names)
    assert root.locator(".faults li").count() == 0


def test_two_views_stay_in_step_and_a_fault_in_a_callback_is_said(real: RealPage) -> None:
    one, two = (real.cell("start").nth(i) for i in range(2))
    for root, other in ((one, two), (two, one), (one, two)):
        go(root, "next")
        assert step_of(root) == step_of(other)
        assert root.locator(".live").text_content() == other.locator(".live").text_content()
    two.locator("input[value=by_trick]").check(force=True)
    assert one.locator("input[value=by_trick]").is_checked()
    one.locator("input[value=by_card]").check(force=True)
    root = real.cell("faulty").first
    assert root.locator(".notice").is_hidden()
    root.get_by_label("Cards shown").select_option(str(VIEWER))
    root.locator(".notice").wait_for()
    assert "ZeroDivisionError" in root.locator(".notice").inner_text()
    assert one.locator(".notice").is_hidden()


# ---------- 8. a score sheet for a real table


def test_the_score_sheet_checks_sums_asks_about_the_moon_and_adds_up(real: RealPage) -> None:
    name = "hearts" if real.seats == 4 else "cancellation"
    rules, names = ruleset(name, real.seats), NAMES[: real.seats]
    whole = cost(rules.pack)
    assert whole == (26 if real.seats == 4 else 52)
    sheet = real.cell("sheet").first
    sheet.locator(f"input[name$='-game'][value='{name}']").check(force=True)
    sheet.locator(f"input[name$='-seats'][value='{real.seats}']").check(force=True)
    for i, one in enumerate(names):
        sheet.locator(".names input[type=text]").nth(i).fill(one)
    sheet.locator("[type=submit]").click()
    assert "Al deals." in sheet.locator(".now").inner_text()
    assert f"Pass {rules.pass_count} cards to the left." in sheet.locator(".now").inner_text()
    sheet.locator("[data-at=main]").click()
    sheet.locator(".pad [data-n='5']").click()
    assert f"{whole - 5} points are missing." in sheet.locator(".check").inner_text()
    sheet.get_by_role("button", name="The rest goes to Beth").click()
    assert sheet.locator(".check").inner_text() == "All points are there."
    sheet.locator("[data-at=save]").click()
    first = [5, whole - 5] + [0] * (real.seats - 2)
    assert points_on(sheet, "tbody tr:not(.blank)") == first
    # the moon: everything to one player, who then chooses
    assert "Beth deals." in sheet.locator(".now").inner_text()
    sheet.locator("[data-at=main]").click()
    sheet.get_by_role("button", name="The rest goes to Al").click()
    choices = scoring.moon_choices(rules)
    if len(choices) > 1:
        assert "has shot the moon" in sheet.locator(".moon").inner_text()
        sheet.locator(".moon input").first.check(force=True)
        chosen = MoonChoice(sheet.locator(".moon input").first.get_attribute("value"))
    else:
        chosen = choices[0]
    sheet.locator("[data-at=save]").click()
    taken = [list(rules.pack), *[[] for _ in names[1:]]]
    second = scoring.entered(rules, taken, 0, chosen)  # type: ignore[arg-type]
    totals = scoring.new_totals(rules, scoring.new_totals(rules, (0,) * real.seats, tuple(first)), second)
    assert points_on(sheet, "tfoot") == list(totals)
    assert sheet.locator("thead th").count() >= real.seats + 1


def points_on(sheet: Any, row: str) -> list[int]:
    found = sheet.locator(f"{row} td:not(.lost) .n").all_inner_texts()
    return [int(text.replace("−", "-")) for text in found]


# ---------- and without the kernel


def test_with_the_kernel_killed_a_replay_steps_and_judges(real: RealPage) -> None:
    page = real.page
    mine = page.evaluate("book.sessionContext.session.kernel.id") if real.server == "lab" else "ipykernel_launcher"
    kill_kernels(real.served.process.pid, mine)
    captions = hand_replays(real.game)[0]["captions"]
    root = real.cell("start").first
    # Lab says in a box over the page that the kernel died
    page.add_locator_handler(page.locator(".jp-Dialog"), lambda: page.keyboard.press("Escape"))
    go(root, "first")
    for step in range(1, 6):
        go(root, "next")
        assert root.locator(".live").text_content() == captions[step]
    go(root, "last")
    assert root.locator(".live").text_content() == captions[-1]
    quiz = real.cell("quiz").first
    go(quiz, "first")
    quiz.evaluate(
        "root => { const b = root.querySelector('[data-go=next]'); for (let i = 0; i < 400; i++) b.click(); }"
    )
    if quiz.locator(".answers").count():
        quiz.locator(".answers").get_by_role("button").first.click()
        assert "The rule is “" in quiz.locator(".ask .reply").first.text_content()
    # the score sheet never needed it
    assert real.cell("sheet").first.locator("tbody").inner_text().strip()
