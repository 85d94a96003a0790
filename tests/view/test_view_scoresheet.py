"""The score sheet in a real Chromium: its sums against the engine's, and what people do with it at a table."""

from __future__ import annotations

import importlib.util
import json
import random
import re
from pathlib import Path

import pytest
from sizes import ends

from cancel_hearts_nb.cards import Suit
from cancel_hearts_nb.events import HandScored, HandStarted, MatchWon, MoonChosen
from cancel_hearts_nb.game import Game
from cancel_hearts_nb.players import RandomPlayer, play
from cancel_hearts_nb.rules import deal, match, passing, scoring
from cancel_hearts_nb.ruleset import BLACK_MARIA, MoonChoice, ruleset
from cancel_hearts_nb.scoresheet import catalogue, option_values
from cancel_hearts_nb.view import scoresheet as view
from cancel_hearts_nb.view.assets import joined
from cancel_hearts_nb.view.scoresheet import ScoreSheet, page, score_sheet

pytestmark = pytest.mark.slow

STATIC = Path(view.__file__).parent / "static"
SOURCE = joined("js", "dom", "scoresheet")
NAMES = ["Al", "Beth", "Charlie", "Dave", "Eve", "Fay", "Guy", "Hal", "Ida", "Jon", "Kay"]
PHONE = {"width": 360, "height": 640}
# the brackets of the pseudo-language in tests/conftest.py
OPEN, CLOSE = "⟦", "⟧"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return score_sheet().to_html(tmp_path_factory.mktemp("sheet") / "sheet.html").as_uri()


@pytest.fixture
def sheet(chromium, browser, file):
    """`sheet(width, height, …)` opens the page from its file, as on a phone without a network."""
    contexts = []

    def opened(width=360, height=640, *, hash="", context=None, script=None, url=file, dark=False, **options):
        if context is None:
            context = browser.new_context(
                viewport={"width": width, "height": height}, has_touch=True, offline=True, bypass_csp=False,
                color_scheme="dark" if dark else "light", **options,
            )  # fmt: skip
            contexts.append(context)
        shown = context.new_page()
        shown.problems = []
        shown.on("pageerror", lambda error: shown.problems.append(str(error)))
        shown.on(
            "console", lambda said: shown.problems.append(said.text) if said.type in ("error", "warning") else None
        )
        if script:
            shown.add_init_script(script)
        shown.goto(url + hash)
        shown.wait_for_selector(".chss .body > *")
        return shown

    yield opened
    for context in contexts:
        for shown in context.pages:
            assert shown.problems == []
        context.close()


# --- the sums, against the engine


MODULE = """async source => {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  window.made = await import(url);
}"""


@pytest.fixture
def module(chromium, browser):
    context = browser.new_context(bypass_csp=False)
    shown = context.new_page()
    shown.goto("about:blank")
    shown.evaluate(MODULE, SOURCE)
    yield shown
    context.close()


def counted(rules, cards):
    some = list(cards)
    bonus = rules.bonus_card
    return [sum(c.suit is Suit.HEARTS for c in some), some.count(BLACK_MARIA), some.count(bonus) if bonus else 0]


def one_hand(rules, chance):
    """Cards won by each seat and cards lost: now even, now all with a few, so that moons and near moons come up."""
    seats, pack = rules.seats, list(rules.pack)
    weights = [chance.choice((0, 1, 3)) for _ in range(seats)] if chance.random() < 0.5 else [0] * seats
    if not any(weights):
        weights[chance.randrange(seats)] = 1
    taken = [[] for _ in range(seats)]
    for card in pack:
        taken[chance.choices(range(seats), weights)[0]].append(card)
    lost = []
    if rules.packs == 2 and rules.last_dead == "nobody" and chance.random() < 0.5:
        for hand in taken:
            for card in list(hand):
                if chance.random() < 0.08:
                    hand.remove(card)
                    lost.append(card)
    if rules.bonus_card and chance.random() < 0.3:
        # the bonus card alone elsewhere
        for hand in taken:
            if rules.bonus_card in hand:
                hand.remove(rules.bonus_card)
        taken[chance.randrange(seats)].append(rules.bonus_card)
    return taken, lost


def by_the_engine(rules, hands):
    """Points and totals hand by hand, the hand after which the match is over, and the winners, from the rules alone."""
    totals, rows, end = (0,) * rules.seats, [], -1
    for taken, _, wish in hands:
        shooter = scoring.moon_shooter(rules, taken)
        choices = scoring.moon_choices(rules)
        choice = None if shooter is None else (MoonChoice(wish) if wish in choices else choices[0])
        points = scoring.entered(rules, taken, shooter, choice)
        if end < 0:
            totals = scoring.new_totals(rules, totals, points)
            if match.is_over(rules, totals):
                end = len(rows)
        rows.append([list(points), -1 if shooter is None else shooter, list(totals)])
    return {"rows": rows, "end": end, "totals": list(totals), "low": list(match.lowest(totals))}


SETTLE = """jobs => jobs.map(({ table, options, target, hands }) => {
  const rules = made.chosen(table, options, target), found = made.settled(rules, hands[0].t.length - 1, hands);
  return { rows: found.rows.map(row => [row.points, row.shooter, row.totals || null]), end: found.end, totals: found.totals, low: found.low,
    lacking: found.rows.some(row => row.lacking.some(n => n !== 0)) };
})"""


@pytest.mark.parametrize("game", deal.GAMES)
def test_the_page_adds_up_as_the_engine_does(module, game):
    """Every number of players, every option that a sheet knows, many hands; moons and ties are made to come up often."""
    chance = random.Random(20)
    tables, jobs, expected = catalogue(), [], []
    seen = {"moons": 0, "ends": 0, "ties": 0, "lost": 0, "floors": 0}
    for seats in deal.seats_allowed(game):
        values = option_values(game, seats)
        for _ in range(150):
            options = {name: chance.choice(some) for name, some in values.items()}
            target = chance.choice((None, 20, 60, 1, 300))
            rules = ruleset(game, seats, **options, **({"target": target} if target else {}))
            hands = [
                (*one_hand(rules, chance), chance.choice(("subtract", "add_to_others", None)))
                for _ in range(chance.randrange(1, 7))
            ]
            found = by_the_engine(rules, hands)
            expected.append(found)
            jobs.append({
                "table": tables[game][str(seats)], "options": options, "target": target,
                "hands": [
                    {"t": [counted(rules, cards) for cards in (*taken, lost)], "c": wish} for taken, lost, wish in hands
                ],
            })  # fmt: skip
            seen["moons"] += any(row[1] >= 0 for row in found["rows"])
            seen["ends"] += found["end"] >= 0
            seen["ties"] += len(found["low"]) > 1
            seen["lost"] += any(lost for _, lost, _ in hands)
            seen["floors"] += any(0 in row[2] and any(p < 0 for p in row[0]) for row in found["rows"])
    for got, wanted, job in zip(module.evaluate(SETTLE, jobs), expected, jobs, strict=True):
        assert got.pop("lacking") is False
        for row, (points, shooter, totals) in zip(got["rows"], wanted["rows"], strict=True):
            assert row[:2] == [points, shooter], job
            assert row[2] in (None, totals), job
        assert {**got, "rows": 0} == {**wanted, "rows": 0}, job
    assert min(seen[key] for key in ("moons", "ends", "ties", "floors")) > 20, seen
    assert seen["lost"] > 20 or game != "cancellation"


def test_the_script_holds_no_number_of_the_rules():
    code = re.sub(r"/\*.*?\*/", "", SOURCE, flags=re.S)
    assert not re.findall(r"(?<![\w#.])(10|13|14|26|28|50|52|100|104|150)(?!\w)", code)


def test_what_is_written_is_read_back_and_nothing_else(module):
    state = {
        "g": "cancellation", "n": NAMES[:6], "d": 2, "t": 150, "on": True, "e": None, "p": None,
        "o": {name: values[0] for name, values in option_values("cancellation", 6).items()},
        "h": [{"t": [[26, 1, 0], [0, 1, 0], *[[0, 0, 0]] * 5], "c": None}],
    }  # fmt: skip
    again = "([state, catalogue]) => made.readBack(made.written(state), catalogue)"
    tables = catalogue()
    assert module.evaluate(again, [state, tables]) == state
    # a hand half entered waits while an earlier one is corrected, and only then
    old = {"at": 0, "t": state["h"][0]["t"], "c": None, "who": 0}
    new = {"at": 1, "t": [[3, 0, 0], *[None] * 6], "c": None, "who": 0}
    for given, read in (((old, new), (old, new)), ((new, None), (new, None)), ((None, new), (None, None)), ((new, old), (new, None))):  # fmt: skip
        found = module.evaluate(again, [{**state, "e": given[0], "p": given[1]}, tables])
        assert (found["e"], found["p"]) == read
    wrong = [
        {"g": "chess"}, {"g": "__proto__"}, {"n": NAMES[:5]}, {"n": []}, {"n": [*NAMES[:5], 7]}, {"n": [*NAMES[:5], None]},
        {"d": 6}, {"d": -1}, {"d": "1"}, {"t": 0}, {"t": 10**9}, {"t": "150"},
        {"h": [{"t": [[26, 2, 0], [1, 0, 0], *[[0, 0, 0]] * 5], "c": None}]},
        {"h": [{"t": [[25, 2, 0], *[[0, 0, 0]] * 6], "c": None}]},
        {"h": [{"t": [[27, 2, 0], [-1, 0, 0], *[[0, 0, 0]] * 5], "c": None}]},
        {"h": [{"t": [[26, 2, 0]], "c": None}]}, {"h": [{"t": [None] * 7, "c": None}]},
    ]  # fmt: skip
    for change in wrong:
        assert module.evaluate(again, [{**state, **change}, tables]) is None, change
    for text in ("", "!", "e30", "bnVsbA", "W10", "x" * 5000, "eyJ2IjoxfQ"):
        assert module.evaluate("([text, tables]) => made.readBack(text, tables)", [text, tables]) is None
    for options in ({"tie": "nonsense"}, {"__proto__": "x"}, {"nothing": "shared"}, {"tie": 3}):
        assert module.evaluate(again, [{**state, "o": {**state["o"], **options}}, tables])["o"]["tie"] == "shared"
    bad = module.evaluate(again, [{**state, "n": ["  A\u202eB ", *NAMES[1:5], "x" * 99]}, tables])["n"]
    assert (bad[0], len(bad[5])) == ("AB", 40)


# --- people at a table


def stored(shown, file):
    """Wait until other pages of the browser see what this one has stored: they are told a moment later."""
    entries = "() => JSON.stringify(Object.entries(localStorage).sort())"
    kept = shown.evaluate(f"async () => {{ await new Promise(done => setTimeout(done, 300)); return ({entries})(); }}")
    assert kept != "[]"
    other = shown.context.new_page()
    other.problems = []
    other.goto(file + "#other")
    other.wait_for_function(f"kept => ({entries})() === kept", arg=kept)
    other.close()


def tap(shown, locator):
    (shown.locator(locator) if isinstance(locator, str) else locator).tap()


def set_up(shown, names, game="cancellation", *, dealer=0, target=None, options=()):
    shown.locator(f"input[name$='-game'][value='{game}']").check(force=True)
    shown.locator(f"input[name$='-seats'][value='{len(names)}']").check(force=True)
    for field, name in zip(shown.locator(".names input[type=text]").all(), names, strict=True):
        field.fill(name)
    shown.locator(".first input").nth(dealer).check(force=True)
    if target:
        shown.fill("input[type=number]", str(target))
    if options:
        shown.locator(".setup details").evaluate("box => { box.open = true; }")
        for name, value in options:
            shown.locator(f"input[name$='-o-{name}'][value='{value}']").check()
    shown.click("[type=submit]")


def enter_by_touch(shown, taken, *, save=True, open_it=True):
    """`taken`: for some seats how many cards of each kind (hearts, Black Marias, bonus)."""
    if open_it:
        tap(shown, "[data-at=main]")
    for seat, (hearts, queens, *bonus) in taken.items():
        tap(shown, shown.locator(".chip").nth(seat))
        if queens:
            tap(shown, shown.locator(".kind").nth(0).locator("label").nth(queens))
        if any(bonus):
            tap(shown, shown.locator(".kind").nth(1).locator("label").nth(1))
        tap(shown, f".pad [data-n='{hearts}']")
    if save:
        tap(shown, "[data-at=save]")


def rows(shown):
    """The points that stand on the sheet, row by row, without the lost ones."""
    return shown.evaluate(
        """() => [...document.querySelectorAll('.chss tbody tr:not(.blank)')].map(row =>
          [...row.querySelectorAll('td:not(.lost) .n')].map(cell => Number(cell.textContent.replace('−', '-'))))"""
    )


def totals(shown):
    return shown.evaluate(
        "() => [...document.querySelectorAll('.chss tfoot td:not(.lost) .n')].map(cell => Number(cell.textContent.replace('−', '-')))"
    )


def state_of(shown):
    shown.wait_for_timeout(300)
    return shown.evaluate("location.hash")


def said(shown):
    return shown.inner_text("[role=status]").strip()


def hands_of(game):
    """What was taken in each hand of a played match: counts by seat with the lost ones last; and the events."""
    state_taken, found = [[] for _ in range(game.ruleset.seats)], []
    lost, choice = [], None
    for event in game.events:
        kind = type(event).__name__
        if isinstance(event, HandStarted):
            state_taken, lost, choice = [[] for _ in range(game.ruleset.seats)], [], None
        elif kind in ("TrickWon", "AsideTaken"):
            state_taken[event.seat].extend(event.cards)
        elif kind == "AsideLost":
            lost = list(event.cards)
        elif isinstance(event, MoonChosen):
            choice = event.choice
        elif isinstance(event, HandScored):
            found.append(([counted(game.ruleset, cards) for cards in (*state_taken, lost)], choice, event))
    return found


def test_a_whole_match_at_six_by_touch(sheet):
    """A match that the engine played, entered on a phone: who deals, passing, points, totals and the end agree."""
    rules = ruleset("cancellation", 6, target=60)
    game = play(Game(rules, NAMES[:6], seed=5, dealer=4), [RandomPlayer()] * 6)
    shown = sheet()
    set_up(shown, NAMES[:6], dealer=4, target=60)
    starts = [event for event in game.events if isinstance(event, HandStarted)]
    hands = hands_of(game)
    assert len(hands) > 2
    for start, (taken, _, scored) in zip(starts, hands, strict=True):
        text = shown.inner_text(".now")
        assert f"Hand {start.number}" in text
        assert f"{NAMES[start.dealer]} deals." in text
        assert f"{NAMES[(start.dealer + 1) % 6]} leads." in text
        assert f"to the {passing.direction(rules, start.number)}." in text
        enter_by_touch(shown, {seat: one for seat, one in enumerate(taken) if any(one)})
        assert rows(shown)[-1] == list(scored.points)
        assert totals(shown) == list(scored.totals)
    won = next(event for event in game.events if isinstance(event, MatchWon))
    text = shown.inner_text(".won")
    assert all(NAMES[seat] in text for seat in won.seats)
    assert str(min(won.totals)) in text
    assert text in said(shown)
    assert not shown.locator("text=Enter hand").count()


def test_a_whole_match_at_eleven_by_keyboard(sheet):
    rules = ruleset("cancellation", 11, target=40)
    game = play(Game(rules, NAMES, seed=8, dealer=0), [RandomPlayer()] * 11)
    shown = sheet()
    press = shown.keyboard.press
    # the set-up by keyboard as well: arrows choose the number of players, Enter goes on to the next name
    shown.locator("input[name$='-seats']:checked").focus()
    for _ in range(3):
        press("ArrowRight")
    shown.locator(".names input[type=text]").first.focus()
    for name in NAMES:
        shown.keyboard.type(name)
        press("Enter")
    assert shown.evaluate("document.activeElement.type") == "number"
    press("Control+a")
    shown.keyboard.type("40")
    press("Enter")
    assert shown.evaluate("document.activeElement.textContent") == "Enter hand 1"
    for taken, _, scored in hands_of(game):
        press("Enter")
        assert shown.evaluate("document.activeElement.tagName") == "H2"
        shown.locator(".chip input").first.focus()
        press("Tab")
        left = sum(map(sum, taken))
        for hearts, queens, _ in taken:
            if not left:
                break
            # on the Black Marias: choose how many, go on to the numbers, type one
            for _ in range(queens):
                press("ArrowRight")
            press("Tab")
            shown.keyboard.type(str(hearts))
            assert shown.evaluate("document.activeElement.textContent") == str(hearts)
            press("Enter")
            left -= hearts + queens
            if left:
                press("Shift+Tab")
        assert shown.evaluate("document.activeElement.textContent") == "Enter the hand", shown.inner_text(".check")
        press("Enter")
        assert totals(shown) == list(scored.totals)
    won = next(event for event in game.events if isinstance(event, MatchWon))
    assert shown.evaluate("document.activeElement.className") == "won"
    assert all(NAMES[seat] in shown.inner_text(".won") for seat in won.seats)


@pytest.mark.parametrize(("game", "seats"), ends([("hearts", 3), ("hearts", 5), ("omnibus", 4), ("omnibus", 7)]))
def test_the_other_games_say_who_leads_and_add_up(sheet, game, seats):
    rules = ruleset(game, seats, target=60)
    played = play(Game(rules, NAMES[:seats], seed=3, dealer=1), [RandomPlayer()] * seats)
    shown = sheet()
    set_up(shown, NAMES[:seats], game, dealer=1, target=60)
    for number, (taken, choice, scored) in enumerate(hands_of(played), 1):
        text = shown.inner_text(".now")
        assert ("three of clubs" if seats == 5 else "two of clubs") in text
        way = passing.direction(rules, number)
        assert ("nobody passes" if way == "none" else str(way)) in text
        enter_by_touch(shown, {seat: one for seat, one in enumerate(taken) if any(one)}, save=False)
        assert shown.locator(".chip").count() == seats
        if choice is not None:
            shown.locator(f".moon input[value='{choice}']").check()
        tap(shown, "[data-at=save]")
        assert totals(shown) == list(scored.totals)


def test_wrong_sums_are_told_by_kind_and_cannot_be_entered(sheet):
    shown = sheet()
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {0: (7, 1), 1: (12, 1)}, save=False)
    assert shown.inner_text(".check") == "7 points are missing. 7 hearts are missing."
    shown.locator("[data-at=save]").tap(force=True)
    assert "7 points are missing." in said(shown)
    assert rows(shown) == []
    enter_by_touch(shown, {2: (8, 0)}, save=False, open_it=False)
    assert shown.inner_text(".check") == "1 point too many. 1 heart too many."
    # thirteen hearts in place of a Black Maria: the points alone would not show it
    enter_by_touch(shown, {0: (0, 0), 1: (26, 1), 2: (13, 0)}, save=False, open_it=False)
    tap(shown, shown.locator(".chip").nth(0))
    tap(shown, shown.locator(".kind label").nth(0))
    assert (
        shown.inner_text(".check")
        == "The points agree, but the cards do not. 13 hearts too many. 1 Black Maria is missing."
    )
    assert shown.get_attribute("[data-at=save]", "aria-disabled") == "true"
    assert shown.get_attribute(".entry .acts button", "aria-disabled") == "true"
    shown.locator(".entry .acts .plain").nth(1).click()
    assert shown.inner_text(".check").startswith("52 points are missing.")


def test_the_rest_goes_to_one_player_or_is_lost(sheet):
    shown = sheet()
    set_up(shown, NAMES[:8])
    enter_by_touch(shown, {3: (20, 1)}, save=False)
    tap(shown, shown.locator(".chip").nth(5))
    tap(shown, "text=The rest goes to Fay")
    assert shown.inner_text(".check") == "All points are there."
    tap(shown, "[data-at=save]")
    assert rows(shown) == [[0, 0, 0, 33, 0, 19, 0, 0]]
    enter_by_touch(shown, {3: (20, 2)}, save=False)
    tap(shown, ".chip.lost")
    tap(shown, "text=The rest goes to Lost")
    tap(shown, "[data-at=save]")
    assert rows(shown)[1] == [0, 0, 0, 46, 0, 0, 0, 0]
    assert shown.inner_text("tbody tr:nth-child(2) .lost") == "6"


def test_nothing_is_lost_where_somebody_takes_a_dead_last_trick(sheet):
    shown = sheet()
    set_up(shown, NAMES[:6], options=[("last_dead", "trick_leader")])
    tap(shown, "[data-at=main]")
    assert shown.locator(".chip").count() == 6
    assert shown.locator(".chip.lost").count() == 0


@pytest.mark.parametrize(
    ("move", "expected"), [(0, [0, -26, 0, 0, 0, 0]), (1, [26, 0, 26, 26, 26, 26])], ids=["subtract", "add"]
)
def test_a_moon_is_recognised_and_asks(sheet, move, expected):
    shown = sheet()
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {1: (26, 2)}, save=False)
    assert "Beth has shot the moon" in shown.inner_text(".moon legend")
    shown.locator("[data-at=save]").tap(force=True)
    assert said(shown) == "First say what the moon does."
    assert rows(shown) == []
    shown.locator(".moon label").nth(move).tap()
    tap(shown, "[data-at=save]")
    assert rows(shown) == [expected]
    assert shown.inner_text("td.shot small") == "moon"


def test_no_moon_without_the_lost_cards_unless_the_table_says_so(sheet):
    lost = {1: (25, 2), 6: (1, 0)}
    shown = sheet()
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, lost, save=False)
    assert shown.inner_text(".moon") == ""
    other = sheet()
    set_up(other, NAMES[:6], options=[("moon_scope", "collected"), ("moon_choice", "add_to_others"), ("moon_points", "52")])  # fmt: skip
    enter_by_touch(other, lost, save=False)
    assert other.inner_text(".moon") == "Beth has shot the moon: every other player gets 52 points more."
    tap(other, "[data-at=save]")
    assert rows(other) == [[52, 0, 52, 52, 52, 52]]


def test_a_changed_shooter_is_asked_anew(sheet):
    shown = sheet()
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {1: (26, 2)}, save=False)
    shown.locator(".moon label").nth(0).tap()
    enter_by_touch(shown, {1: (0, 0)}, save=False, open_it=False)
    tap(shown, shown.locator(".chip").nth(1))
    shown.locator(".kind label").nth(0).tap()
    enter_by_touch(shown, {2: (26, 2)}, save=False, open_it=False)
    assert "Charlie has shot the moon" in shown.inner_text(".moon legend")
    assert shown.locator(".moon input:checked").count() == 0


def test_omnibus_knows_the_bonus_card(sheet):
    shown = sheet()
    set_up(shown, NAMES[:4], "omnibus")
    enter_by_touch(shown, {0: (13, 1, 0)}, save=False)
    assert "The bonus card is missing." in shown.inner_text(".check")
    tap(shown, shown.locator(".chip").nth(2))
    tap(shown, "text=The rest goes to Charlie")
    assert shown.inner_text(".moon") == ""
    tap(shown, "[data-at=save]")
    assert rows(shown) == [[26, 0, -10, 0]]
    enter_by_touch(shown, {0: (13, 1, 1)}, save=False)
    assert "Al has shot the moon" in shown.inner_text(".moon legend")


def test_a_tie_is_shared_or_played_on(sheet):
    shown = sheet()
    set_up(shown, NAMES[:4], "hearts", target=20)
    enter_by_touch(shown, {0: (13, 1)}, save=False)
    shown.locator(".moon label").nth(1).tap()
    tap(shown, "[data-at=save]")
    assert shown.inner_text(".won") == "Al wins the match with the lowest total: 0 points."
    for tie, text in (("shared", "Charlie, Dave share"), ("play_on", "play another hand")):
        shown = sheet()
        set_up(shown, NAMES[:4], "hearts", target=20, options=[("tie", tie)])
        enter_by_touch(shown, {0: (8, 1), 1: (5, 0)})
        assert text in shown.inner_text(".now")
        assert ("Enter hand 2" in shown.inner_text(".now")) == (tie == "play_on")


def test_the_match_ends_when_someone_reaches_the_target_exactly(sheet):
    shown = sheet()
    set_up(shown, NAMES[:4], "hearts", target=21)
    enter_by_touch(shown, {0: (7, 1), 1: (6, 0)})
    assert shown.locator(".now .go").inner_text() == "Enter hand 2"
    tap(shown, "text=Undo hand 1")
    enter_by_touch(shown, {0: (8, 1), 1: (5, 0)}, open_it=False)
    assert "share the lowest total" in shown.inner_text(".won")


def test_an_earlier_hand_is_corrected_and_the_last_one_taken_back(sheet):
    shown = sheet()
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {0: (26, 1), 1: (0, 1)})
    enter_by_touch(shown, {2: (26, 1), 1: (0, 1)})
    tap(shown, "[data-at=row0]")
    assert shown.inner_text(".entry h2") == "Correct hand 1"
    assert shown.locator(".chip").nth(0).locator("b").inner_text() == "39"
    enter_by_touch(shown, {0: (20, 1), 5: (6, 0)}, open_it=False)
    assert rows(shown) == [[33, 13, 0, 0, 0, 6], [0, 13, 39, 0, 0, 0]]
    assert said(shown).startswith("Hand 1 is corrected.")
    assert shown.evaluate("document.activeElement.dataset.at") == "row0"
    # cancelled: nothing changes
    tap(shown, "[data-at=row1]")
    enter_by_touch(shown, {2: (1, 1)}, open_it=False, save=False)
    tap(shown, ".top .plain")
    assert rows(shown) == [[33, 13, 0, 0, 0, 6], [0, 13, 39, 0, 0, 0]]
    # taken back: the numbers are still there
    tap(shown, "text=Undo hand 2")
    assert rows(shown) == [[33, 13, 0, 0, 0, 6]]
    assert shown.inner_text(".check") == "All points are there."
    tap(shown, "[data-at=save]")
    assert rows(shown)[1] == [0, 13, 39, 0, 0, 0]


def test_a_correction_that_ends_the_match_earlier_says_what_counts_no_more(sheet):
    shown = sheet()
    set_up(shown, NAMES[:4], "hearts", target=50)
    for _ in range(3):
        enter_by_touch(shown, {0: (3, 1), 1: (10, 0)})
    enter_by_touch(shown, {2: (13, 0), 3: (0, 1)}, save=False)
    tap(shown, ".top .plain")
    shown.locator("text=Change names or choices").tap()
    shown.fill("input[type=number]", "32")
    shown.click("[type=submit]")
    assert "the match ended with hand 2" in shown.inner_text(".now")
    assert shown.locator("tr.late").count() == 1
    assert totals(shown) == [32, 20, 0, 0]


@pytest.mark.parametrize("reload", [False, True])
def test_a_half_entered_hand_waits_while_another_is_corrected(sheet, reload):
    shown = sheet()
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {0: (26, 1), 1: (0, 1)})
    enter_by_touch(shown, {2: (9, 0)}, save=False)
    tap(shown, "[data-at=row0]")
    if reload:
        shown.reload()
    tap(shown, ".top .plain")
    assert shown.locator(".now .go").inner_text() == "Go on with hand 2"
    tap(shown, "[data-at=main]")
    assert shown.locator(".chip").nth(2).locator("b").inner_text() == "9"


def test_names_and_choices_can_be_changed_in_the_middle(sheet):
    shown = sheet()
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {0: (26, 2)}, save=False)
    shown.locator(".moon label").nth(0).tap()
    tap(shown, "[data-at=save]")
    assert totals(shown)[0] == -26
    tap(shown, "text=Change names or choices")
    assert shown.locator("input[name$='-seats']").count() == 0
    shown.locator(".names input[type=text]").nth(0).fill("Alma")
    shown.locator(".setup details").evaluate("box => { box.open = true; }")
    shown.locator("input[name$='-o-score_floor'][value='0']").check()
    tap(shown, ".setup >> text='Cancel'")
    assert totals(shown)[0] == -26
    assert "Alma" not in shown.inner_text("thead")
    tap(shown, "text=Change names or choices")
    shown.locator(".names input[type=text]").nth(0).fill("Alma")
    shown.locator(".setup details").evaluate("box => { box.open = true; }")
    shown.locator("input[name$='-o-score_floor'][value='0']").check()
    tap(shown, "[type=submit]")
    assert totals(shown)[0] == 0
    assert "Alma" in shown.inner_text("thead")


def test_a_new_match_keeps_the_players_and_asks_first(sheet):
    shown = sheet()
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {0: (26, 1), 1: (0, 1)})
    tap(shown, "text=New match with the same players")
    assert rows(shown)
    tap(shown, ".sure >> text=Cancel")
    assert rows(shown)
    tap(shown, "text=New match with the same players")
    tap(shown, "text=Empty it and begin again")
    assert [field.input_value() for field in shown.locator(".names input[type=text]").all()] == NAMES[:6]
    tap(shown, "[type=submit]")
    assert rows(shown) == []
    assert "Hand 1" in shown.inner_text(".now")


# --- names


@pytest.mark.parametrize("name", ["<img src=x onerror=window.hit=1>", "</script><script>window.hit=1</script>", "\"'&amp;", "דנה", "a" * 40, "%(name)s"])  # fmt: skip
def test_names_are_text_and_nothing_else(sheet, name):
    shown = sheet()
    set_up(shown, [name, *NAMES[1:6]])
    kept = name[:40]
    assert kept in shown.inner_text("thead").replace("\u2068", "")
    enter_by_touch(shown, {0: (26, 2)}, save=False)
    shown.locator(".moon label").nth(0).tap()
    tap(shown, "[data-at=save]")
    assert kept in re.sub("[\u2066-\u2069]", "", said(shown) + shown.inner_text(".now"))
    again = sheet(hash=state_of(shown))
    assert kept in again.inner_text("thead")
    for one in (shown, again):
        assert one.evaluate("window.hit") is None
        assert one.locator(".chss img, .chss script").count() == 0
        assert one.evaluate("document.documentElement.scrollWidth") == 360


def test_names_are_trimmed_and_each_is_its_own(sheet):
    shown = sheet()
    set_up(shown, ["  Al ", "al", *NAMES[2:6]])
    assert "Two players are called" in shown.inner_text(".err")
    assert shown.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"
    shown.locator(".names input[type=text]").nth(1).fill("")
    shown.click("[type=submit]")
    heads = shown.evaluate("() => [...document.querySelectorAll('.hn')].map(head => head.textContent)")
    assert heads == ["Al", "Player 2", *NAMES[2:6]]


@pytest.mark.parametrize("target", ["0", "-5", "", "1.5", "99999"])
def test_a_target_that_cannot_be_is_refused(sheet, target):
    shown = sheet()
    shown.fill("input[type=number]", target)
    shown.click("[type=submit]")
    assert shown.inner_text(".err") == "The target must be a whole number from 1 to 9999."
    assert shown.locator(".now").count() == 0


# --- keeping it


def test_a_reload_keeps_everything_and_so_does_a_link_elsewhere(sheet):
    shown = sheet()
    set_up(shown, NAMES[:6], dealer=3, target=77, options=[("score_floor", "0")])
    enter_by_touch(shown, {0: (26, 1), 1: (0, 1)})
    enter_by_touch(shown, {4: (5, 1)}, save=False)
    link = state_of(shown)
    shown.reload()
    elsewhere = sheet(hash=link)
    for one in (shown, elsewhere):
        assert rows(one) == [[39, 13, 0, 0, 0, 0]]
        assert one.locator(".chip").nth(4).locator("b").inner_text() == "18"
        assert "to 77 points" in one.inner_text("h1")
        assert "Eve deals." in one.inner_text(".now")
        assert "No total falls below zero." in one.inner_text(".scores")


def test_the_browser_remembers_without_the_link_and_names_half_typed(sheet, file):
    shown = sheet()
    shown.locator(".names input[type=text]").nth(2).fill("Zoe")
    stored(shown, file)
    again = sheet(context=shown.context)
    assert again.locator(".names input[type=text]").nth(2).input_value() == "Zoe"
    set_up(again, NAMES[:6])
    enter_by_touch(again, {0: (26, 1), 1: (0, 1)})
    stored(again, file)
    third = sheet(context=shown.context)
    assert rows(third) == [[39, 13, 0, 0, 0, 0]]


def test_a_link_from_others_does_not_cost_the_sheet_that_was_here(sheet, file):
    theirs = sheet()
    set_up(theirs, NAMES[5:11])
    link = state_of(theirs)
    mine = sheet()
    set_up(mine, NAMES[:6])
    enter_by_touch(mine, {0: (26, 1), 1: (0, 1)})
    stored(mine, file)
    opened = sheet(context=mine.context, hash=link)
    assert "Kay" in opened.inner_text("thead")
    enter_by_touch(opened, {1: (26, 1), 2: (0, 1)}, save=False)
    tap(opened, "text=Open the sheet kept on this device")
    assert rows(opened) == [[39, 13, 0, 0, 0, 0]]


@pytest.mark.parametrize("broken", ["#sheet=xyz", "#sheet=", "#sheet=%00", "#other", "#sheet=eyJ2IjoxfQ"])
def test_a_broken_link_is_told_in_a_sentence(sheet, broken):
    shown = sheet(hash=broken)
    assert shown.locator("[type=submit]").count() == 1
    told = "does not hold a whole score sheet" in shown.inner_text(".body")
    assert told == (broken not in ("#sheet=", "#other"))


def test_it_works_where_nothing_may_be_remembered(sheet):
    shown = sheet(
        script="Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } }); history.replaceState = () => { throw new Error('no'); };"
    )
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {0: (26, 1), 1: (0, 1)})
    assert rows(shown) == [[39, 13, 0, 0, 0, 0]]


def test_the_text_has_every_hand_and_the_link_opens_the_sheet(sheet):
    shown = sheet()
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {0: (26, 1), 1: (0, 1)})
    tap(shown, "summary")
    text = shown.locator("textarea").nth(0).input_value()
    assert "Hand\tAl\tBeth\tCharlie\tDave\tEve\tFay\tLost" in text
    assert "1 ←\t39\t13\t0\t0\t0\t0\t0" in text
    assert "Total\t39\t13" in text
    tap(shown, "text=Copy the text")
    shown.wait_for_selector(".share .soft:not(:empty)")
    again = sheet(url=shown.locator("textarea").nth(1).input_value())
    assert rows(again) == [[39, 13, 0, 0, 0, 0]]


# --- how it looks and sounds


LONG = ["Maximiliane-Friederike von Hohenlohe " + n[0] for n in NAMES]


def every_view(shown, names=LONG):
    """Each state of a sheet in turn, its name first."""
    yield "setup"
    shown.locator(".setup details").evaluate("box => { box.open = true; }")
    yield "options"
    set_up(shown, names)
    yield "first hand"
    enter_by_touch(shown, {1: (5, 1), 2: (3, 0)}, save=False)
    yield "entry"
    enter_by_touch(shown, {3: (18, 1)}, open_it=False)
    enter_by_touch(shown, {4: (26, 2)}, save=False)
    yield "moon"
    shown.locator(".moon label").nth(1).tap()
    tap(shown, "[data-at=save]")
    tap(shown, "summary")
    yield "sheet"
    while not shown.locator(".won").count():
        enter_by_touch(shown, {0: (26, 2)}, save=False)
        shown.locator(".moon label").nth(1).tap()
        tap(shown, "[data-at=save]")
    yield "end"


SMALL = """least => [...document.querySelectorAll('.chss :is(button, summary, textarea, input)')].filter(e => e.checkVisibility())
  .map(e => e.type === 'radio' ? e.closest('label') : e)
  .filter(e => { const r = e.getBoundingClientRect(); return r.width < least || r.height < Math.min(least, 40); }).map(e => e.outerHTML.slice(0, 90))"""
CLIPPED = """() => [...document.querySelectorAll('.chss :is(button, legend, summary, h1, h2, .check, .seg label)')]
  .filter(e => e.checkVisibility() && !e.closest('.box') && !e.matches('.sr') && e.scrollWidth > e.clientWidth + 2).map(e => e.outerHTML.slice(0, 90))"""


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_nothing_overflows_and_targets_are_large(sheet, width):
    shown = sheet(width, 640)
    for view_name in every_view(shown):
        assert shown.evaluate("document.documentElement.scrollWidth") == width, view_name
        assert shown.evaluate(SMALL, 44 if width > 320 else 43) == [], view_name
        assert shown.evaluate(CLIPPED) == [], view_name
    box = shown.locator(".box")
    if width < 800:
        # the table scrolls in its own box, and the hand's number stays in sight
        before = shown.locator("tbody .st").first.bounding_box()["x"]
        box.evaluate("box => { box.scrollLeft = 300; }")
        assert box.evaluate("box => box.scrollLeft") > 100
        assert shown.locator("tbody .st").first.bounding_box()["x"] == before


def test_a_hand_of_eleven_is_entered_without_scrolling_on_a_phone(sheet):
    shown = sheet()
    set_up(shown, NAMES)
    tap(shown, "[data-at=main]")
    for seat in ("first", "last"):
        inside = getattr(shown.locator(".chip"), seat).bounding_box()
        assert inside["y"] >= 0
    save = shown.locator("[data-at=save]").bounding_box()
    assert save["y"] + save["height"] <= 640


def test_nothing_jumps_while_a_hand_is_entered(sheet):
    shown = sheet()
    set_up(shown, NAMES)
    tap(shown, "[data-at=main]")
    at = {shown.locator(".pad").bounding_box()["y"]}
    for seat, taken in {0: (5, 1), 3: (0, 0), 10: (3, 1), 11: (9, 0)}.items():
        enter_by_touch(shown, {seat: taken}, save=False, open_it=False)
        at.add(shown.locator(".pad").bounding_box()["y"])
    assert len(at) == 1


NAMELESS = """() => {
  const name = e => e.getAttribute('aria-label') || (e.labels && [...e.labels].map(l => l.textContent).join(' ')) || (e.getAttribute('aria-labelledby') || '').split(' ').map(i => document.getElementById(i)?.textContent || '').join('') || e.textContent;
  return [...document.querySelectorAll('.chss :is(button,input,textarea,summary,[role=toolbar],[role=region],section)')].filter(e => e.checkVisibility() && e.tagName !== 'SECTION' && !name(e).trim()).map(e => e.outerHTML.slice(0, 90));
}"""
AXE = importlib.util.find_spec("axe_playwright_python")


@pytest.mark.parametrize("look", ["light", "dark", "rtl"])
def test_every_control_has_a_name_and_axe_finds_nothing(sheet, look, tmp_path, make_language):
    url = None
    if look == "rtl":
        url = ScoreSheet.of(make_language("he", lambda form, _: form, rules_of="he")).to_html(tmp_path / "rtl.html").as_uri()  # fmt: skip
    shown = sheet(dark=look == "dark", **({"url": url} if url else {}))
    assert shown.evaluate("document.documentElement.dir") == ("rtl" if look == "rtl" else "ltr")
    for view_name in every_view(shown, NAMES):
        assert shown.evaluate(NAMELESS) == [], view_name
        assert shown.locator("[aria-live], [role=status], [role=alert]").count() == 1
        assert shown.evaluate("document.documentElement.scrollWidth") == 360, view_name
        if AXE and AXE.origin:
            shown.evaluate((Path(AXE.origin).parent / "axe.min.js").read_text(encoding="utf-8"))
            found = shown.evaluate("axe.run()")["violations"]
            assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found] == [], view_name


def test_in_right_to_left_text_mirrors_and_the_table_does_not(sheet, tmp_path, make_language):
    w = make_language("he", lambda form, _: form, rules_of="he")
    shown = sheet(url=ScoreSheet.of(w).to_html(tmp_path / "rtl.html").as_uri())
    set_up(shown, NAMES[:6])
    # left is the player's own left in every language
    assert shown.inner_text(".arrow") == "←"
    enter_by_touch(shown, {0: (26, 1), 1: (0, 1)})
    hand, first, last = (shown.locator(f"thead th:nth-child({n})").bounding_box()["x"] for n in (1, 2, 7))
    assert hand > first > last
    tap(shown, "[data-at=main]")
    shown.locator(".pad button").nth(0).focus()
    shown.keyboard.press("ArrowLeft")
    assert shown.evaluate("document.activeElement.textContent") == "1"
    assert shown.locator(".pad button").nth(1).bounding_box()["x"] < shown.locator(".pad button").nth(0).bounding_box()["x"]  # fmt: skip


def test_no_word_escapes_the_catalogs(sheet, tmp_path, pseudo_words):
    shown = sheet(url=ScoreSheet.of(pseudo_words).to_html(tmp_path / "qps.html").as_uri())
    names = [f"{OPEN}{name}{CLOSE}" for name in NAMES]
    for view_name in every_view(shown, names):
        text = shown.inner_text(".chss")
        depth, kept = 0, ""
        for c in text:
            depth += (c == OPEN) - (c == CLOSE)
            kept += c if depth == 0 and c != CLOSE else ""
        assert not re.search(r"[A-Za-z]{2,}", kept), (view_name, kept)
        loose = shown.evaluate(
            "() => [...document.querySelectorAll('.chss [aria-label], .chss [placeholder], .chss [title]')].map(e => e.getAttribute('aria-label') || e.placeholder || e.title)"
        )
        assert [label for label in loose if OPEN not in label] == [], view_name
        assert shown.evaluate("document.documentElement.scrollWidth") == 360, view_name


def test_forced_colours_show_what_is_chosen(sheet):
    shown = sheet(forced_colors="active")
    set_up(shown, NAMES[:6])
    tap(shown, "[data-at=main]")
    chosen, other = (shown.locator(".chip").nth(n).evaluate("e => getComputedStyle(e).outlineStyle") for n in (0, 1))
    assert (chosen, other) == ("solid", "none")


def test_what_is_printed_is_the_sheet_and_empty_rows(sheet):
    shown = sheet(1280, 800)
    shown.emulate_media(media="print")
    assert shown.locator("tr.blank:visible").count() == 16
    assert not shown.locator(".setup").is_visible()
    shown.emulate_media(media="screen")
    set_up(shown, NAMES[:6])
    enter_by_touch(shown, {0: (26, 1), 1: (0, 1)})
    assert shown.locator("tr.blank:visible").count() == 0
    shown.emulate_media(media="print")
    assert shown.locator("tr.blank:visible").count() == 15
    assert "2→Beth" in re.sub(r"\s+", "", shown.locator("tr.blank th").first.inner_text()).replace(
        "passedtotheright", ""
    )
    assert not shown.locator(".now, .tools").first.is_visible()
    assert shown.locator("caption").inner_text() == "Cancellation Hearts, to 150 points"


def test_the_file_needs_nothing_else_and_is_small():
    text = page()
    # the name of SVG in the small tools is no address
    assert not re.findall(r"(?:https?:)?//(?!www\.w3\.org/2000/svg')[a-z0-9.-]+\.[a-z]{2,}", text)
    assert "default-src 'none'" in text
    assert len(text.encode()) < 100_000
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert json.loads(data[1])["catalogue"] == catalogue()
    assert "\nexport " not in text


# --- as a widget


MOUNT = """async ([source, css, state, views]) => {
  document.head.append(Object.assign(document.createElement('style'), { textContent: css }));
  const data = { ...state }, calls = new Set();
  window.model = { get: key => data[key], set(key, value) { if (data[key] !== value) { data[key] = value; calls.forEach(call => call()); } },
    on(event, call) { if (event === 'change:state') calls.add(call); }, off(event, call) { calls.delete(call); }, save_changes() { throw new Error('no kernel'); }, listening: () => calls.size };
  window.keys = []; document.addEventListener('keydown', event => window.keys.push(event.key));
  const widget = (await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))).default();
  window.cleanups = [];
  for (let i = 0; i < views; i++) { const el = document.createElement('div'); el.id = 'view' + i; document.body.append(el); window.cleanups.push(widget.render({ model, el })); }
}"""


@pytest.fixture
def widget(chromium, browser):
    context = browser.new_context(viewport={"width": 800, "height": 900}, has_touch=True, bypass_csp=False)
    shown = context.new_page()
    shown.problems = []
    shown.on("pageerror", lambda error: shown.problems.append(str(error)))
    made = ScoreSheet.of()
    shown.set_content("<!doctype html><title>t</title><body></body>")
    css = (STATIC / "scoresheet.css").read_text(encoding="utf-8")
    shown.evaluate(MOUNT, [SOURCE, css, {"catalogue": made.catalogue, "words": made.words, "state": ""}, 2])
    yield shown
    assert shown.problems == []
    context.close()


def test_two_views_of_one_widget_stay_in_step_and_closing_one_harms_nothing(widget):
    widget.click("#view0 [type=submit]")
    assert widget.inner_text("#view1 .now h3") == "Hand 1"
    widget.evaluate("window.cleanups[0]()")
    assert widget.locator("#view0 .chss").count() == 0
    assert widget.evaluate("model.listening()") == 1
    widget.click("#view1 [data-at=main]")
    assert widget.locator("#view1 .chip").count() > 5
    assert widget.evaluate("location.hash") == ""


def test_keys_typed_in_a_widget_do_not_reach_the_notebook(widget):
    widget.locator("#view0 .names input[type=text]").first.focus()
    widget.keyboard.type("dd")
    widget.keyboard.press("Enter")
    assert widget.evaluate("window.keys") == []


def test_the_widget_shows_words_where_nothing_runs():
    made = score_sheet()
    data = made._repr_mimebundle_()[0]
    assert data["text/plain"] == "Score sheet"
    assert "<p><strong>Score sheet</strong></p>" in data["text/html"]
    assert "<script" not in data["text/html"]
