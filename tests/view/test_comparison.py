"""One deal at two tables, and games and rule pages side by side."""

from __future__ import annotations

from typing import Any

import pytest

from cancel_hearts_nb import Game, play, record
from cancel_hearts_nb.comparing import compare, points
from cancel_hearts_nb.messages import Problem
from cancel_hearts_nb.names import NAMES
from cancel_hearts_nb.optiontexts import value_text
from cancel_hearts_nb.players import player
from cancel_hearts_nb.ruleset import PRESETS, ruleset
from cancel_hearts_nb.view import comparison
from cancel_hearts_nb.view.comparison import CHANGES, compare_deal
from cancel_hearts_nb.view.panels import read_record, story
from cancel_hearts_nb.view.rulesets import compare_games, compare_pages
from cancel_hearts_nb.view.sheet import Cell, Sheet, Story
from cancel_hearts_nb.view.table import TableWidget


def found(seed: int, **option: Any) -> Any:
    return compare(ruleset("cancellation", 8), ruleset("cancellation", 8, **option), seed)


def test_the_two_hands_are_those_that_the_engine_plays() -> None:
    one = found(250, dead_rule="no_led")
    for game, rules in (
        (one.here, ruleset("cancellation", 8)),
        (one.there, ruleset("cancellation", 8, dead_rule="no_led")),
    ):
        again = play(Game(rules, NAMES[:8], 250, hands=1), [player("cautious")] * 8)
        assert game.events == again.events
    assert len(one.tricks) == 13


def test_the_hands_part_at_the_trick_that_the_rule_decides_and_not_before() -> None:
    one = found(250, dead_rule="no_led")
    assert one.moved
    assert all(both.here == both.there for both in one.tricks[: one.alike])
    first = one.tricks[one.alike]
    assert first.here.cards == first.there.cards
    assert first.here.winner is None and first.there.winner is not None


def test_players_who_look_ahead_are_told_of() -> None:
    says = comparison.told(found(4, dead_rule="no_led"), comparison.words())["says"]
    assert says[-1].startswith("Careful players know the rules of their table")
    assert len(comparison.told(found(250, dead_rule="no_led"), comparison.words())["says"]) == 2


def test_where_nothing_moves_it_says_so() -> None:
    one = next(one for one in (found(seed, last_dead="trick_leader") for seed in range(1, 30)) if not one.moved)
    assert points(one.here) == points(one.there)
    assert comparison.told(one, comparison.words())["says"] == [
        "Nothing moves: in this deal both tables play the same cards and enter the same points."
    ]
    moved = next(one for one in (found(seed, last_dead="trick_leader") for seed in range(1, 200)) if one.moved)
    assert comparison.told(moved, comparison.words())["says"] == [
        "Both tables play the same cards, but they do not enter the same points."
    ]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("seats", comparison.SEATS)
def test_every_change_that_is_offered_can_be_played(change: tuple[str, Any], seats: int) -> None:
    option, value = change
    assert getattr(ruleset("cancellation", seats), option) != value
    compare(ruleset("cancellation", seats), ruleset("cancellation", seats, **{option: value}), 1)


def test_the_points_in_the_tricks_are_right() -> None:
    one = found(250, dead_rule="no_led")
    for game, side in ((one.here, "here"), (one.there, "there")):
        total = sum(getattr(both, side).points for both in one.tricks)
        assert total == 52  # eight players leave no kitty
        assert sum(points(game)) <= 52


def test_one_option_at_a_time_and_not_what_is_printed_anyway() -> None:
    with pytest.raises(Problem, match="one option at a time"):
        compare_deal(8, dead_rule="no_led", pass_count=2)
    with pytest.raises(Problem, match="nothing would change"):
        compare_deal(8, dead_rule="two_pairs")
    rare = compare_deal(6, seed=1, lead_heart_over_bm="on")
    assert (
        rare.choices[0].startswith("Only hearts and Black Marias in hand: ") and len(rare.choices) == len(CHANGES) + 1
    )


def heard(deal: Any, **content: Any) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    deal.send = sent.append
    deal._heard(deal, {"id": "a", "seed": "250", "seats": 8, "change": 0, **content}, [])
    return sent


def test_the_table_follows_what_is_chosen() -> None:
    deal = compare_deal(8, seed=250)
    table = deal.table
    assert deal.table is table
    assert [one["title"] for one in table.replays] == ["As printed", deal.choices[0]]
    assert heard(deal, kind="deal", change=4, seats=7, seed="11") == [{"begun": "a"}, {"done": "a"}]
    assert deal.now == {"change": 4, "seats": 7, "seed": "11"}
    assert [(one["title"], one["seats"]) for one in table.replays] == [("As printed", 7), (deal.choices[4], 7)]
    assert [event.rule for event in deal._found.there.events if event.rule == "pass.none"] == ["pass.none"]


def test_another_deal_and_one_where_it_matters() -> None:
    deal = compare_deal(8, seed=250)
    assert heard(deal, kind="another")[-1] == {"done": "a"}
    assert heard(deal, kind="find")[-1] == {"done": "a"}
    assert deal._found.moved


def test_a_search_in_vain_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MOST_TRIED", 2)
    same = compare(ruleset("cancellation", 8), ruleset("cancellation", 8), 250)
    deal = compare_deal(8, seed=250)
    monkeypatch.setattr(comparison, "compare", lambda *args: same)
    assert heard(deal, kind="find")[-1]["failed"] == "In 2 deals nothing moved: this option rarely matters."


@pytest.mark.parametrize(
    "content", [{"change": 99}, {"seats": 99}, {"seed": "x"}, {"seed": str(2**70)}, {"change": None}]
)
def test_what_goes_wrong_is_said_on_the_page(content: dict[str, Any], callback_errors: list[str]) -> None:
    deal = compare_deal(8, seed=250)
    before = dict(deal.told)
    assert heard(deal, kind="deal", **content)[-1]["failed"]
    assert dict(deal.told) == before
    callback_errors.clear()


@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_of_a_comparison(mount: Any, width: int) -> None:
    deal = compare_deal(8, seed=250)
    page = mount(deal, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".chnb-compare tbody").first.locator("tr").count() == 13
    assert (
        page.locator(".chnb-compare tbody").first.locator("strong").count()
        == 2 * sum(not one.same for one in deal._found.tricks)
        > 0
    )
    page.get_by_label("What is changed").select_option("2")
    page.get_by_role("button", name="Another deal").dispatch_event("click")  # waits for the first answer
    sent = page.evaluate("model.sent")
    assert [(one["kind"], one["change"], one["seed"]) for one in sent] == [("deal", 2, "250")]
    page.evaluate("id => { model.hear({ begun: id }); model.hear({ done: id, failed: 'Told.' }); }", sent[0]["id"])
    assert page.inner_text(".note") == "Told."
    page.get_by_label("Seed of the deal").fill("31")
    page.keyboard.press("Enter")
    assert page.evaluate("model.sent")[-1]["seed"] == "31"
    assert page.evaluate("errors") == []
    page.evaluate("cleanups[0]()")
    assert page.evaluate("model.listening()") == 0


def test_rule_pages_beside_each_other_tell_every_difference() -> None:
    sheet = compare_pages()
    tables = [ruleset("cancellation", 8, name) for name in PRESETS]
    told = {row[0].text for row in sheet.rows}
    for preset in PRESETS.values():
        for option, value in preset.items():
            column = [i for i, rules in enumerate(tables) if getattr(rules, option) == value]
            row = next(row for row in sheet.rows if value_text(option, value) in [cell.text for cell in row])
            assert all(row[1 + i].marked for i in column if i)
    assert len(told) == len({option for preset in PRESETS.values() for option in preset})
    assert not any(row[1].marked for row in sheet.rows)


def test_games_beside_each_other() -> None:
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in compare_games().rows}
    assert rows["Players"] == ["6 to 11", "3 to 7", "3 to 7"]
    assert rows["Points in all cards"] == ["52 points", "26 points", "16 points"]
    assert rows["When nobody wins a trick"][1:] == ["This cannot arise: no card is there twice."] * 2
    assert rows["Bonus card"][0] == rows["Bonus card"][1] == "There is no bonus card."


def test_texts_of_a_sheet_and_a_story_are_escaped() -> None:
    bad = "<img src=x onerror=alert(1)>"
    for one in (Sheet(bad, [bad, bad], [[Cell(bad), Cell(bad, True)]], [bad]), Story(bad, [(bad, bad)], [bad])):
        html = one._repr_html_().split("</style>")[1]
        assert "<img" not in html and html.count("&lt;img") >= 4
        assert bad in repr(one)


def test_a_story_tells_every_step_with_its_rule() -> None:
    path = record.example("03_two_pairs")
    told = story(path)
    events = record.load(path).game.events
    assert [rule for _, rule in told.lines] == [event.rule for event in events]
    assert [text for text, _ in told.lines][-1].startswith("Sami also takes all cards that were set aside")


def test_a_record_from_text_is_a_table_or_its_faults() -> None:
    text = record.example("02_one_pair").read_text(encoding="utf-8")
    assert isinstance(read_record(text), TableWidget)
    faults = read_record(text.replace('winner = "Keiko"', 'winner = "Hana"'))
    assert isinstance(faults, Story)
    assert (
        repr(faults).splitlines()[1]
        == "1. Hand 1, trick 1: Keiko wins this trick with the Q♣, not Hana. [rule trick.highest]"
    )
    # Flora has a spade after all, so the king of clubs may not be played
    spades = record.example("27_the_only_spade").read_text(encoding="utf-8").replace("AH", "9S")
    assert repr(read_record(spades)).splitlines()[1].startswith("1. Hand 1, trick 1, Flora: Spades were led")
    assert repr(read_record("format = 2")).splitlines()[1].startswith("1. The line “format = 1” is missing")
