"""The played table: what it sends, what it takes, and a whole hand by pointer, touch and keyboard in a real browser."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets
import pytest
from play_bridge import Bridge
from sizes import ends

from cancel_hearts_nb import events as ev
from cancel_hearts_nb import record
from cancel_hearts_nb.game import Game
from cancel_hearts_nb.i18n import Words, words
from cancel_hearts_nb.ruleset import OPTIONS, ruleset
from cancel_hearts_nb.session import Session
from cancel_hearts_nb.view.play import PlayWidget, play_table
from cancel_hearts_nb.view.scene import fold_all, pairs
from cancel_hearts_nb.view.setupform import form

NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()


class Page:
    """Stands for the browser: keeps its own copy of the traits, changed by messages alone."""

    def __init__(self, table: PlayWidget) -> None:
        self.table, self.sent, self.id = table, [], 0
        table.send = lambda content, buffers=None: self.sent.append(copy.deepcopy(content))  # type: ignore[method-assign]
        self.chance = random.Random(1)
        self.replays: list[Any] = []
        table.observe(self._whole, "replays")
        self._whole()

    def _whole(self, change: Any = None) -> None:
        self.replays = copy.deepcopy(self.table.replays)

    def do(self, what: Any, **more: Any) -> list[Any]:
        self.id += 1
        self.sent.clear()
        self.raw({"kind": "play", "do": what, "id": self.id, **more})
        for m in self.sent:
            if m.get("type") == "more":
                one = self.replays[m["replay"]]
                assert len(one["frames"]) == m["from"]
                for name in ("frames", "captions", "where"):
                    one[name] += m[name]
                one["links"].update(m["links"])
                one["why"].update(m["why"])
            elif m.get("type") == "cut":
                one = self.replays[m["replay"]]
                for name in ("frames", "captions", "where"):
                    del one[name][m["to"] :]
                one["why"] = {step: text for step, text in one["why"].items() if int(step) < m["to"]}
            elif m.get("type") == "hand":
                self.replays.append(m["replay"])
        assert self.sent[-1]["reply"] == self.id
        assert self.replays == self.table.replays, "the browser's copy is no longer the kernel's"
        assert self.table.play.get("count", []) == [len(one["frames"]) for one in self.replays]
        return self.sent[:-1]

    def raw(self, content: Any) -> None:
        self.table._heard(self.table, content, [])

    def start(self, **values: Any) -> None:
        self.do("start", values={"game": "hearts", "seats": "4", "seed": "7", "others": "random", **values})

    def answer(self) -> list[Any]:
        ask = self.table.play["ask"]
        more: dict[str, Any] = {"stamp": self.table.play["stamp"]}
        if ask["kind"] in ("pass", "play"):
            more["cards"] = self.chance.sample(ask["legal"], ask.get("count", 1))
        elif ask["kind"] == "moon":
            more["choice"] = self.chance.choice(ask["choices"])[0]
        return self.do(ask["kind"], **more)


@pytest.fixture
def page() -> Page:
    return Page(play_table())


def test_before_the_start_there_is_only_a_form(page: Page) -> None:
    assert page.table.play == {"on": False}
    assert page.table.replays == []
    ids = {field["id"] for group in page.table.form["groups"] for field in group["fields"]}
    assert ids >= {"game", "seats", "name", "seat", "others", "seed", "lessons", "preset", "target", "pass_count"}
    data, _ = page.table._repr_mimebundle_()  # type: ignore[misc]
    assert data["text/plain"] == repr(page.table) and data["text/plain"].endswith(".")


def test_a_match_is_played_to_its_end_and_the_page_keeps_up(page: Page) -> None:
    page.start(
        game="cancellation", seats="7", target="40", was_game="cancellation", was_seats="7", was_preset="printed"
    )
    assert page.table.play["on"]
    kinds = set()
    for _ in range(300):
        ask = page.table.play["ask"]
        kinds.add(ask["kind"])
        if ask["kind"] == "over":
            break
        page.answer()
    assert kinds >= {"pass", "play", "next", "over"}
    assert page.table.play["sheet"]["winners"]
    assert len(page.table.replays) == len(page.table.play["sheet"]["rows"])
    met = 0
    for one in page.replays:
        for scene in fold_all(one["frames"]):
            for a, b in pairs(scene):
                assert set(one["links"][f"{a}-{b}"]) == {"m", "l"}
                met += 1
    assert met


def test_what_is_new_is_sent_and_nothing_twice(page: Page) -> None:
    page.start(game="cancellation", seats="11")
    for _ in range(14):
        for m in page.answer():
            assert m["type"] in ("more", "hand")
            assert len(json.dumps(m)) < 12_000


def test_old_strange_and_repeated_messages_change_nothing(page: Page) -> None:
    page.start()
    page.answer()
    before = (copy.deepcopy(page.table.play), copy.deepcopy(page.table.replays))
    legal = page.table.play["ask"]["legal"]
    strange: list[Any] = [
        None, 7, "play", [], {}, {"kind": "play"}, {"kind": "play", "do": None}, {"kind": "play", "do": "play"},
        {"kind": "play", "do": "play", "stamp": page.table.play["stamp"] - 1, "cards": legal[:1]},
        {"kind": "play", "do": "play", "stamp": page.table.play["stamp"], "cards": [{}]},
        {"kind": "play", "do": "form", "values": 7}, {"kind": "play", "do": "form", "values": {"seats": [1], "seed": {}, "name": 3}},
        {"kind": "play", "do": "hint", "stamp": None}, {"kind": "nothing", "do": "play"},
    ]  # fmt: skip
    for content in strange:
        page.raw(content)
    assert (page.table.play, page.table.replays) == before
    answer = {"stamp": page.table.play["stamp"], "cards": legal[:1]}
    assert page.do("play", **answer)
    after = copy.deepcopy(page.table.play)
    assert page.do("play", **answer) == []
    assert page.table.play == after


def test_taking_back_cuts_and_goes_on(page: Page) -> None:
    page.start()
    for _ in range(4):
        page.answer()
    before = copy.deepcopy(page.replays)
    count = page.table.play["stamp"]
    page.answer()
    said = page.do("undo", stamp=page.table.play["stamp"])
    assert [m["type"] for m in said] == ["cut"]
    assert page.table.play["stamp"] > count
    assert [one["frames"] for one in page.replays] == [one["frames"] for one in before]
    page.answer()
    page.do("hand", stamp=page.table.play["stamp"])
    assert page.table.play["ask"]["kind"] == "pass"
    while page.table.play["ask"]["kind"] != "next":
        page.answer()
    page.answer()
    assert len(page.replays) == 2
    page.do("match", stamp=page.table.play["stamp"])
    assert page.table.play["ask"]["kind"] == "pass"
    assert len(page.replays) == 1


def test_a_hint_and_a_refusal_come_as_one_sentence_with_its_rule(page: Page) -> None:
    page.start()
    while not page.table.play["ask"].get("refused"):
        page.answer()
    (note,) = page.do("hint", stamp=page.table.play["stamp"])
    assert note["text"].endswith(".") and note["cards"][0] in page.table.play["ask"]["legal"]
    key, (sentence, rule) = next(iter(page.table.play["ask"]["refused"].items()))
    (note,) = page.do("play", stamp=page.table.play["stamp"], cards=[key])
    assert (note["text"], note["rule"]) == (sentence, rule)


def test_nothing_that_reaches_the_page_tells_a_hidden_card() -> None:
    table = PlayWidget.at(words(), {})
    everything: list[Any] = []
    table.send = lambda content, buffers=None: everything.append(copy.deepcopy(content))  # type: ignore[method-assign]
    # without this the words of the table, which name all cards, would be looked at too
    names = [
        name for name in table.keys if name not in ("words", "faces", "rulebook", "pages", "form") and name[0] != "_"
    ]
    table.observe(lambda change: everything.append(copy.deepcopy(change["new"])), names)
    table._heard(
        table,
        {
            "kind": "play",
            "do": "start",
            "id": 0,
            "values": {"game": "cancellation", "seats": "11", "seed": "3", "others": "random"},
        },
        [],
    )
    chance = random.Random(3)
    session = table._match.session
    assert session is not None
    while (ask := table.play["ask"])["kind"] != "next":
        intent = {"kind": "play", "do": ask["kind"], "id": 1, "stamp": table.play["stamp"]}
        if ask["kind"] in ("pass", "play"):
            intent["cards"] = chance.sample(ask["legal"], ask.get("count", 1))
        if ask["kind"] == "moon":
            intent["choice"] = "subtract"
        table._heard(table, intent, [])
        known = set()
        for event in record.hands_of(session._game.events)[0]:
            if isinstance(event, ev.Dealt):
                known |= set(event.hands[0])
            elif isinstance(event, ev.Received) and event.seat == 0:
                known |= set(event.cards)
            elif isinstance(event, ev.Played):
                known.add(event.card)
        said = json.dumps(everything, ensure_ascii=False)
        said = said.replace(json.dumps(table.play["code"]), "")
        for card in set(session.ruleset.pack) - known:
            assert f'"{card.code}"' not in said, card
            assert card.symbol.replace("\ufe0e", "") not in said.replace("\ufe0e", ""), card


def test_200_steps_and_20_deals_leave_no_widget_behind(page: Page) -> None:
    page.start()
    living = len(ipywidgets.widgets.widget._instances)
    for deal in range(20):
        for _ in range(10):
            page.answer()
        page.do("new", stamp=page.table.play["stamp"])
        assert page.table.play["ask"]["kind"] == "pass", deal
    assert len(ipywidgets.widgets.widget._instances) == living


def test_new_deals_differ_and_the_seed_is_told(page: Page) -> None:
    page.start()
    seeds = set()
    for _ in range(5):
        seeds.add(page.table.play["seed"])
        page.do("new", stamp=page.table.play["stamp"])
    assert len(seeds) == 5


def test_a_callback_that_fails_is_said_on_the_page_and_logged(
    page: Page, callback_errors: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page.start()
    monkeypatch.setattr(page.table._match.session, "act", lambda intent: 1 / 0)
    page.raw({"kind": "play", "do": "play", "id": 5, "stamp": page.table.play["stamp"], "cards": []})
    assert "ZeroDivisionError" in page.table.notice
    assert page.sent[-1]["reply"] == 5
    assert callback_errors
    callback_errors.clear()


def test_the_address_brings_a_game_back_in_the_middle_of_the_pass_and_of_a_trick(page: Page) -> None:
    page.start(game="cancellation", seats="6")
    for _ in range(9):
        again = PlayWidget.at(words(), {"play": page.table.play["code"]})
        assert again.play["ask"] == page.table.play["ask"]
        assert [one["frames"] for one in again.replays] == [one["frames"] for one in page.table.replays]
        assert again.step == len(again.replays[-1]["frames"]) - 1
        page.answer()


@pytest.mark.parametrize("query", [{"play": "1broken"}, {"hand": "1broken"}, {"hand": record.encode(Game(ruleset("hearts", 4), NAMES[:4], seed=1)), "at": "x"}])  # fmt: skip
def test_a_broken_address_is_a_sentence_at_the_form(query: dict[str, str]) -> None:
    table = PlayWidget.at(words(), query)
    assert table.form["fault"].endswith(".")
    assert table.play == {"on": False}


def test_a_link_starts_at_its_deal_and_step() -> None:
    game = Game(ruleset("hearts", 4), NAMES[:4], seed=1)
    table = PlayWidget.at(words(), {"hand": record.encode(game), "at": "2"})
    assert table.play["ask"]["kind"] == "pass" and table.play["names"] == NAMES[:4]
    assert table.form["fault"] == ""


def fields(values: Any) -> dict[str, Any]:
    made = form(values, words())
    return {field["id"]: field for group in made.fields["groups"] for field in group["fields"]}


def test_the_form_offers_only_what_fits_and_every_option_in_words() -> None:
    found = fields({"game": "hearts"})
    assert [value for value, _ in found["seats"]["options"]] == ["3", "4", "5", "6", "7"]
    assert "preset" not in found
    both = set(fields({"game": "cancellation"})) | set(fields({"game": "omnibus"}))
    assert set(OPTIONS) <= both
    for field in fields({"game": "cancellation"}).values():
        assert field["label"] and "_" not in field["label"]
        for _, text in field.get("options", ()):
            assert text and "_" not in text
    assert fields({"game": "cancellation", "seats": "5"})["seats"]["value"] == "8"
    assert {f"player{i}" for i in range(1, 4)} <= set(fields({"game": "hearts", "others": "each"}))


def test_a_preset_fills_the_options_in_and_they_can_be_changed_on_top() -> None:
    first = {"game": "cancellation", "seats": "8", "preset": "pagat"}
    made = form(first, words())
    assert made.setup is not None and made.setup.rules == ruleset("cancellation", 8, "pagat")
    kept = {**first, **made.fields["kept"], "target": "70"}
    setup = form(kept, words()).setup
    assert setup is not None and setup.rules == ruleset("cancellation", 8, "pagat", target=70)
    # another game begins with its own options
    setup = form({**kept, "game": "hearts"}, words()).setup
    assert setup is not None and setup.rules.target == 100


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"pass_cycle": "LRAN", "seats": "5"}, "“Where cards are passed” must be one of these: “Cards are passed to the left in"),
        ({"target": "many"}, "“Target” must"), ({"target": "0"}, "“Target” must be a whole number from 1 "),
        ({"seed": "-3"}, "seed"), ({"seed": "9" * 30}, "seed"), ({"name": ""}, "seat 1"), ({"name": "7"}, "“7” cannot be the name at seat 1"),
        ({"pass_count": "17"}, "13 cards here. So “Cards passed”"), ({"omnibus": "x"}, ""),
        ({"dead_rule": "x", "seats": "8"}, "“When nobody wins a trick” cannot be “x”. Choose one of these: “A trick is dead when two pairs of any suit"),
        ({"opening": "low_club", "seats": "8"}, "“First lead” must be this: “The player on the dealer’s left"),
        ({"name2": " "}, "seat 3"), ({"name3": "x" * 41}, "The name at seat 4 must have 1 to 40 "), ({"name1": "none"}, "name at seat 2"),
        ({"name1": "Zoë", "name3": "zoË "}, "Seats 2 and 4 are both called “zoË”"), ({"name": "Zoë", "name3": "Zoë"}, "Seats 1 and 4"),
        ({"name1": "Zoë", "name": "Zoë", "seat": "3"}, "Seats 2 and 4 are both called “Zoë”"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_at_the_form(page: Page, values: dict[str, str], word: str) -> None:
    if not word:
        page.start(**values)
        assert page.table.play["on"], "an option of another game is not looked at"
        return
    game = "cancellation" if values.get("seats") == "8" else "hearts"
    seats = values.get("seats", "4")
    page.start(
        game=game,
        seats=seats,
        **{k: v for k, v in values.items() if k != "seats"},
        was_game=game,
        was_seats=seats,
        was_preset="printed",
    )
    fault = page.table.form["fault"]
    assert word in fault
    assert page.table.play == {"on": False}
    assert not any(name in fault for name in OPTIONS if "_" in name), "the reader has never seen these codes"
    assert not any(value in fault for value in ("LRAN", "low_club", "dealer_left", "two_pairs"))
    faulty = page.table.form["faulty"]
    assert faulty in values or (values.get("seat") == "3" and faulty == "name1")
    assert faulty in {field["id"] for group in page.table.form["groups"] for field in group["fields"]}


def test_every_seat_has_a_name_of_its_own_and_keeps_it() -> None:
    def renewed(values: dict[str, Any], **changes: str) -> dict[str, Any]:
        """What the browser holds after Python has answered: every field, and what it is to give back."""
        made = form({**values, **changes}, words())
        found = {field["id"]: field["value"] for group in made.fields["groups"] for field in group["fields"]}
        return {**found, **made.fields["kept"]}

    values = renewed({"seed": "7"})
    assert [values[f"name{i}"] for i in range(1, 8)] == NAMES[:7]
    values = renewed(values, name2="Zoë", name5="Ann", name="Robin")
    # another size: a name stays with its seat while that seat exists
    values = renewed(values, seats="11")
    assert [values[f"name{i}"] for i in range(1, 11)] == ["Al", "Zoë", "Charlie", "Dave", "Ann", "Fay", "Guy", "Beth", "Eve", "Hal"]  # fmt: skip
    values = renewed(values, seats="6")
    assert [values[f"name{i}"] for i in range(1, 6)] == ["Al", "Zoë", "Charlie", "Dave", "Ann"]
    assert "name6" not in values
    # a name that nobody chose gives way, one that somebody chose does not
    values = renewed(values, name="Charlie")
    assert values["name3"] not in ("Charlie", "Dave", "Ann") and values["name4"] == "Dave"
    setup = form(values, words()).setup
    assert setup is not None and setup.names[0] == "Charlie" and setup.names[2] == "Zoë"
    # my name goes with me to another seat
    values = renewed(values, seat="2")
    setup = form(values, words()).setup
    assert setup is not None and setup.names[2] == "Charlie" and setup.names[5] == "Ann" and len(set(setup.names)) == 6
    # and the name that was chosen for that seat, or for one that is gone for a while, comes back
    values = renewed(values, seat="0")
    assert values["name2"] == "Zoë" and values["name"] == "Charlie"
    values = renewed(renewed(values, game="hearts", seats="3"), game="cancellation", seats="6")
    assert (values["name2"], values["name5"]) == ("Zoë", "Ann")
    values = renewed(values, seat="2")
    group = next(group for group in form(values, words()).fields["groups"] if group["id"] == "names")
    assert group["fold"] and [field["label"] for field in group["fields"]][:2] == ["Name at seat 1", "Name at seat 2"]


def test_a_new_deal_after_a_reload_is_dealt_at_the_same_table(page: Page) -> None:
    page.start(game="omnibus", seats="5", name3="Zoë", name="Ann", seat="1", lessons=False)
    again = Page(PlayWidget.at(words(), {"play": page.table.play["code"]}))
    assert again.table._match.session is not None and page.table._match.session is not None
    rules = page.table._match.session.ruleset
    again.do("new", stamp=again.table.play["stamp"])
    session = again.table._match.session
    assert session is not None
    assert (session.ruleset, session.names, session.seat) == (rules, page.table._match.session.names, 1)
    assert again.table.play["seed"] != page.table.play["seed"] and not again.table.play["lessons"]


def test_a_low_target_is_advised_against() -> None:
    low = fields({"game": "hearts", "target": "20", "was_game": "hearts", "was_seats": "4", "was_preset": "printed"})
    assert "50" in low["target"]["help"]
    assert "help" not in fields({"game": "hearts"})["target"]


def test_a_name_of_my_own_never_meets_its_twin() -> None:
    for me in NAMES:
        for seats in range(6, 12):
            setup = form({"game": "cancellation", "seats": str(seats), "name": me, "seat": "3"}, words()).setup
            assert setup is not None and setup.names[3] == me


def test_every_sentence_of_form_and_play_can_be_translated(pseudo_words: Words) -> None:
    table = PlayWidget.at(pseudo_words, {})
    for group in table.form["groups"]:
        said = [group["title"], *(field["label"] for field in group["fields"])]
        said += [field["help"] for field in group["fields"] if "help" in field]
        said += [
            text
            for field in group["fields"]
            for value, text in field.get("options", ())
            if not value.isdigit() or "⟦" in text
        ]
        assert all("⟦" in text and "⟧" in text for text in said), said
    page = Page(table)
    page.start()
    for _ in range(6):
        ask = table.play["ask"]
        assert "⟦" in ask["text"]
        assert all("⟦" in sentence for sentence, _ in ask.get("refused", {}).values())
        page.answer()
    assert all("⟦" in text for text in (*table.replays[0]["room"], *table.replays[0]["captions"]))


# ---------- in the browser

Sit = Callable[..., Bridge]


@pytest.fixture
def sit(browser: Any) -> Iterator[Sit]:
    """A function that opens a page with a table and starts a match; afterwards nothing may have gone wrong."""
    opened = []

    def start(
        game: str = "hearts", seats: int = 4, width: int = 1280, height: int = 900, *, touch: bool = False, views: int = 1,
        begin: bool = True, language: str = "en", clock: bool = False, **more: Any,
    ) -> Bridge:  # fmt: skip
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce",
            **more,
        )
        page = context.new_page()
        if clock:
            page.clock.install()
        bridge = Bridge(page, play_table(language), views)
        opened.append((context, page))
        if begin:
            page.select_option("[name=game]", game)
            wait(bridge, f"document.querySelector('[name=game]').value === '{game}'")
            page.select_option("[name=seats]", str(seats))
            page.fill("[name=seed]", "7")
            page.select_option("[name=others]", "random")
            page.locator("[data-play=start]").first.click()
            wait(bridge, "model.get('play').on")
            ready(bridge)
        return bridge

    yield start
    for context, page in opened:
        assert page.evaluate("window.errors") == []
        context.close()


def wait(bridge: Bridge, condition: str) -> None:
    bridge.page.wait_for_function(condition, timeout=30_000)


def ready(bridge: Bridge) -> dict[str, Any]:
    """Wait for the answer and end the moves of the others; return what is asked."""
    page = bridge.page
    page.wait_for_function(
        """() => { const skip = document.querySelector('[data-play=skip]'), at = model.get('replays');
          if (skip && !skip.hidden) skip.click();
          return at.length && model.get('step') === at[at.length - 1].frames.length - 1 && (!skip || skip.hidden) && !document.querySelector('[data-lost]'); }""",
        timeout=30_000,
    )
    return page.evaluate("model.get('play').ask")  # type: ignore[no-any-return]


def stamp(bridge: Bridge) -> int:
    return bridge.page.evaluate("model.get('play').stamp")  # type: ignore[no-any-return]


def answered(bridge: Bridge, before: int) -> None:
    wait(bridge, f"model.get('play').stamp !== {before}")


def by_pointer(bridge: Bridge, ask: dict[str, Any], chance: random.Random) -> None:
    page = bridge.page
    for key in ask["legal"][: ask.get("count", 1)]:
        page.click(f".hand [data-key={key}]", position={"x": 8, "y": 14})
    if ask["kind"] == "pass":
        page.click("[data-play=commit_play]")


def by_touch(bridge: Bridge, ask: dict[str, Any], chance: random.Random) -> None:
    page = bridge.page
    for key in ask["legal"][: ask.get("count", 1)]:
        page.locator(f".hand [data-key={key}]").tap(position={"x": 8, "y": 14})
    if ask["kind"] == "pass":
        page.locator("[data-play=commit_play]").tap()


def by_keyboard(bridge: Bridge, ask: dict[str, Any], chance: random.Random) -> None:
    page = bridge.page
    focus = "document.activeElement.dataset.key || ''"
    assert page.evaluate("document.querySelectorAll('.hand [tabindex=\"0\"]').length") == 1
    if not page.evaluate(focus):
        page.locator(".hand [tabindex='0']").focus()
    page.keyboard.press("Home")
    chosen = 0
    for _ in range(40):
        key = page.evaluate(focus)
        assert key, "the focus has left the hand"
        if key in ask["legal"]:
            if ask["kind"] == "play":
                page.keyboard.press("Enter")
                return
            page.keyboard.press(" ")
            chosen += 1
            if chosen == ask["count"]:
                page.keyboard.press("Enter")
                return
        page.keyboard.press("ArrowRight")
    raise AssertionError("no card could be chosen")


def moved(bridge: Bridge) -> None:
    """Do the first that is allowed: give cards away, or play one."""
    ask, seen = ready(bridge), stamp(bridge)
    by_pointer(bridge, ask, random.Random(1))
    answered(bridge, seen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats"), ends([("hearts", 4), ("cancellation", 6), ("cancellation", 8), ("cancellation", 11)])
)
@pytest.mark.parametrize("how", [by_pointer, by_touch, by_keyboard])
def test_a_whole_hand_is_played(sit: Sit, how: Callable[..., None], game: str, seats: int) -> None:
    touch = how is by_touch
    bridge = sit(game, seats, *((360, 640) if touch else (1280, 900)), touch=touch)
    page, chance = bridge.page, random.Random(1)
    plays = 0
    while (ask := ready(bridge))["kind"] in ("pass", "play", "moon"):
        before = stamp(bridge)
        if ask["kind"] == "moon":
            page.locator(".moon button").first.click()
        else:
            how(bridge, ask, chance)
            plays += 1
        answered(bridge, before)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if how is by_keyboard and ask["kind"] == "play" and page.locator(".hand button").count() > 1:
            assert page.evaluate("!!document.activeElement.closest('.hand')"), "the focus must stay in the hand"
    assert plays == 1 + ruleset(game, seats).hand_size
    assert page.locator(".scores table tbody tr").count() == 1
    assert page.locator(".scores thead th[scope=col]").count() == seats + 1
    before = stamp(bridge)
    page.click("[data-play=next_hand]")
    answered(bridge, before)
    assert ready(bridge)["kind"] in ("pass", "play")
    assert page.locator(".hand button").count() > 5


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_refused_cards_look_refused_only_on_my_turn_and_say_why(sit: Sit, width: int) -> None:
    # with the clock in our hands the others do not end their moves before they are looked at
    bridge = sit("cancellation", 8, width, 900, clock=True)
    page = bridge.page
    assert page.locator(".hand [aria-disabled]").count() == 0
    assert page.get_attribute(".hand", "role") == "listbox"
    moved(bridge)
    while not (ask := ready(bridge))["refused"]:
        before = stamp(bridge)
        by_pointer(bridge, ask, random.Random(1))
        answered(bridge, before)
    for key, (sentence, rule) in ask["refused"].items():
        assert page.get_attribute(f".hand [data-key={key}]", "aria-disabled") == "true"
        before = stamp(bridge)
        page.click(f".hand [data-key={key}]", position={"x": 8, "y": 14}, force=True)
        assert page.inner_text(".live") == sentence
        heading = next(one["heading"] for one in bridge.table.rulebook if one["id"] == rule)
        assert heading in page.text_content(".rb")
        assert stamp(bridge) == before
    for key in ask["legal"]:
        assert page.get_attribute(f".hand [data-key={key}]", "aria-disabled") is None
    assert page.locator("[data-mark~=no]").count() == len(ask["refused"])
    assert page.locator("[data-mark~=yes]").count() == len(ask["legal"])
    # while the others play no card looks refused
    page.click(f".hand [data-key={ask['legal'][0]}]", position={"x": 8, "y": 14})
    answered(bridge, before)
    assert page.is_visible("[data-play=skip]")
    assert page.locator(".hand [aria-disabled]").count() == 0
    assert page.locator("[data-mark~=no]").count() == 0


@pytest.mark.slow
def test_two_quick_clicks_play_one_card(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    moved(bridge)
    page.evaluate("sent.length = 0")
    ask, before = ready(bridge), stamp(bridge)
    page.evaluate(
        "key => { const b = document.querySelector(`.hand [data-key=${key}]`); b.click(); b.click(); }", ask["legal"][0]
    )
    answered(bridge, before)
    assert page.evaluate("sent.length") == 1
    for _ in range(4):
        ask, before = ready(bridge), stamp(bridge)
        cards = page.locator(".hand button").count()
        page.dblclick(f".hand [data-key={ask['legal'][0]}]", position={"x": 8, "y": 14})
        answered(bridge, before)
        page.wait_for_timeout(200)
        ready(bridge)
        assert stamp(bridge) == before + 1
        assert page.locator(".hand button").count() == cards - 1


@pytest.mark.slow
def test_choosing_for_the_pass_can_be_undone_and_needs_exactly_three(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page, ask = bridge.page, ready(bridge)
    assert "on your left" in page.inner_text(".prompt")
    assert page.locator(".to svg").count() == 1
    assert page.locator(".seat[data-to]").count() == 1
    for key in ask["legal"][:4]:
        page.click(f".hand [data-key={key}]", position={"x": 8, "y": 14})
    assert page.locator(".hand [aria-selected=true]").count() == 3
    page.click(f".hand [data-key={ask['legal'][0]}]", position={"x": 8, "y": 14})
    assert page.locator(".hand [aria-selected=true]").count() == 2
    assert page.get_attribute("[data-play=commit_play]", "aria-disabled") == "true"
    page.click("[data-play=commit_play]", force=True)
    assert stamp(bridge) == 0
    page.locator(f".hand [data-key={ask['legal'][0]}]").focus()
    page.keyboard.press("Escape")
    assert page.locator(".hand [aria-selected=true]").count() == 0
    for key in ask["legal"][:3]:
        page.click(f".hand [data-key={key}]", position={"x": 8, "y": 14})
    page.click("[data-play=commit_play]")
    answered(bridge, 0)
    ready(bridge)
    assert page.locator("[data-mark~=got]").count() == 3


@pytest.mark.slow
def test_choose_then_confirm(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    moved(bridge)
    ask, before = ready(bridge), stamp(bridge)
    page.click("summary.pb")
    page.check(".desk input[type=checkbox]")
    page.click("summary.pb")
    page.click(f".hand [data-key={ask['legal'][0]}]", position={"x": 8, "y": 14})
    assert stamp(bridge) == before
    assert page.get_attribute(f".hand [data-key={ask['legal'][0]}]", "aria-selected") == "true"
    page.click("[data-play=commit_play]")
    answered(bridge, before)


@pytest.mark.slow
def test_hint_undo_and_the_score_sheet_on_request(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    moved(bridge)
    first, before = ready(bridge), stamp(bridge)
    page.click("[data-play=hint]")
    wait(bridge, "document.querySelector('.live').dataset.tone === 'hint'")
    assert page.locator("[data-mark~=hint]").count() == 1
    by_pointer(bridge, first, random.Random(1))
    answered(bridge, before)
    ready(bridge)
    before = stamp(bridge)
    page.click("[data-play=undo]")
    answered(bridge, before)
    again = ready(bridge)
    assert again == first
    assert page.locator("[data-mark~=hint]").count() == 0
    assert not page.is_visible(".scores")
    page.click("[data-play=sheet]")
    assert page.is_visible(".scores table")
    assert page.get_attribute("[data-play=sheet]", "aria-expanded") == "true"


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_a_hint_shows_what_each_card_is_expected_to_cost(sit: Sit, width: int) -> None:
    bridge = sit("cancellation", 8, width, 900)
    page = bridge.page
    moved(bridge)
    ask, before = ready(bridge), stamp(bridge)
    assert page.locator(".exp").count() == 0
    page.click("[data-play=hint]")
    wait(bridge, "document.querySelector('.live').dataset.tone === 'hint'")
    (note,) = [news for kind, *rest in bridge.everything[-1] if kind == "msg" for news in rest if "bars" in news]
    assert set(note["bars"]) == set(ask["legal"])
    for key, (part, shown, said) in note["bars"].items():
        card = page.locator(f".hand [data-key={key}]")
        assert card.get_attribute("aria-description") == said and "Black Maria" in said
        assert card.locator(".exp").inner_text() == shown
        room, bar = card.locator(".exp").evaluate(
            "e => [e.clientWidth, parseFloat(getComputedStyle(e, '::after').width)]"
        )
        assert abs(bar - max(2, part * room)) < 1
    hidden = page.evaluate("""() => {
      const rect = e => e.getBoundingClientRect(), cards = [...document.querySelectorAll('.hand button')];
      return [...document.querySelectorAll('.exp')].filter(e => cards.some(card => {
        const below = rect(card), own = rect(e.parentNode), bar = rect(e);
        return below.top > own.top + 9 && below.left < bar.right && bar.left < below.right && bar.bottom > below.top + 3;
      })).length;
    }""")
    assert hidden == 0, "a bar hides the rank of a card in the row below"
    assert page.locator(".exp").count() == len(ask["legal"])
    assert page.locator(".hand [aria-description]").count() == len(ask["legal"])
    by_pointer(bridge, ask, random.Random(1))
    answered(bridge, before)
    ready(bridge)
    assert page.locator(".exp, .hand [aria-description]").count() == 0


@pytest.mark.slow
def test_two_views_stay_in_step_and_one_can_go(sit: Sit) -> None:
    bridge = sit("hearts", 4, views=2)
    page = bridge.page
    ask = ready(bridge)
    for key in ask["legal"][:3]:
        page.locator(f".hand [data-key={key}]").nth(1).click(position={"x": 8, "y": 14})
    assert page.locator(".hand [aria-selected=true]").count() == 6
    page.locator("[data-play=commit_play]").nth(0).click()
    answered(bridge, 0)
    ready(bridge)
    one, two = (page.locator(".chnb").nth(i).locator(".hand").inner_html() for i in range(2))
    strip = 'node => node.replace(/ (id|aria-describedby|tabindex)="[^"]*"/g, \'\')'
    assert page.evaluate(strip, one) == page.evaluate(strip, two)
    assert (
        page.locator(".chnb").nth(0).locator(".live").inner_text()
        == page.locator(".chnb").nth(1).locator(".live").inner_text()
    )
    page.evaluate("window.cleanups[0]()")
    ask, before = ready(bridge), stamp(bridge)
    page.click(f".hand [data-key={ask['legal'][0]}]", position={"x": 8, "y": 14})
    answered(bridge, before)
    ready(bridge)
    page.evaluate("window.cleanups[1]()")
    assert page.locator(".chnb").count() == 0
    # one that comes later shows what has happened meanwhile
    page.evaluate("window.show()")
    assert page.locator(".hand button").count() == 12


@pytest.mark.slow
def test_looking_back_asks_nothing_and_leads_home(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    moved(bridge)
    ready(bridge)
    page.click("summary.pb")
    page.click("[data-play=look_back]")
    page.click("[data-go=back]")
    assert page.inner_text(".prompt") == "You are looking back."
    assert not page.is_visible(".hand")
    page.click("[data-play=back_to_game]")
    assert page.is_visible(".hand")
    assert page.locator("[data-mark~=yes]").count() > 0


@pytest.mark.slow
def test_a_click_or_a_key_ends_the_moves_of_the_others(sit: Sit) -> None:
    # with the clock in our hands they do not end by themselves
    bridge = sit("cancellation", 8, clock=True)
    page = bridge.page
    moved(bridge)
    end = "model.get('step') === model.get('replays')[0].frames.length - 1"
    assert not page.evaluate(end)
    page.click(".stage", position={"x": 300, "y": 200})
    assert page.evaluate(end)
    ask, before = ready(bridge), stamp(bridge)
    page.locator(f".hand [data-key={ask['legal'][0]}]").focus()
    page.keyboard.press("Enter")
    answered(bridge, before)
    assert not page.evaluate(end)
    # the second click of a double click is not meant for the moves that follow
    page.locator(".hand button").first.dispatch_event("click", {"detail": 2, "bubbles": True})
    assert not page.evaluate(end)
    page.keyboard.press("Enter")
    assert page.evaluate(end)
    assert stamp(bridge) == before + 1


@pytest.mark.slow
@pytest.mark.parametrize("how", ["click", "Enter", " "])
def test_a_card_tried_too_early_ends_the_moves_and_learns_whose_turn_it_was(sit: Sit, how: str) -> None:
    bridge = sit("cancellation", 8, clock=True, begin=False)
    page = bridge.page
    page.fill("[name=seed]", "7")
    page.click("[data-play=start]")
    wait(bridge, "model.get('play').on")
    page.clock.run_for(60_000)
    by_pointer(bridge, bridge.page.evaluate("model.get('play').ask"), random.Random(1))
    answered(bridge, 0)
    page.clock.run_for(60_000)
    before = stamp(bridge)
    page.click(f".hand [data-key={page.evaluate('model.get(`play`).ask.legal[0]')}]", position={"x": 8, "y": 14})
    answered(bridge, before)
    state = bridge.table.play
    assert state["ask"]["kind"] == "play"
    shown = list(fold_all(bridge.table.replays[0]["frames"][: page.evaluate("model.get('step')") + 1]))[-1]
    whose = shown.status["turn"]
    assert whose > 0, "the moves of the others are being shown"
    card = page.locator(".hand button").first
    if how == "click":
        card.click(position={"x": 8, "y": 14})
    else:
        card.focus()
        page.keyboard.press(how)
    assert page.evaluate("model.get('step') === model.get('replays')[0].frames.length - 1")
    said = page.inner_text(".live")
    assert f"It was {NAMES[whose - 1]}’s turn" in said and "Now it is your turn." in said
    assert page.get_attribute(".live", "data-tone") is None, "no rule has refused the card"
    assert state["ask"]["text"] in page.text_content(".live") and "follows suit" in page.text_content(".live")
    assert stamp(bridge) == before + 1
    assert page.locator(".hand [aria-disabled]").count() == len(state["ask"]["refused"])


@pytest.mark.slow
def test_a_lost_connection_is_said_within_ten_seconds(sit: Sit) -> None:
    bridge = sit("hearts", 4, clock=True, begin=False)
    page = bridge.page
    page.locator("[data-play=start]").click()
    wait(bridge, "model.get('play').on")
    page.clock.run_for(60_000)
    # nobody asks anything, and the page finds out by itself
    page.evaluate("window.dead = true")
    page.clock.run_for(9_500)
    assert "connection is lost" in page.inner_text(".prompt")
    assert "address" in page.inner_text(".prompt")
    page.evaluate("window.dead = false")
    page.clock.run_for(9_500)
    wait(bridge, "!document.querySelector('[data-lost]')")
    # what was asked while nobody heard it is given up, and said to be lost
    page.evaluate("window.dead = true")
    page.click("[data-play=hint]")
    page.clock.run_for(9_500)
    assert "connection is lost" in page.inner_text(".prompt")
    page.evaluate("window.dead = false")
    page.click("[data-play=hint]")
    wait(bridge, "!document.querySelector('[data-lost]')")


@pytest.mark.slow
def test_a_page_that_nobody_looks_at_asks_nothing(sit: Sit) -> None:
    bridge = sit(clock=True, begin=False)
    page = bridge.page

    def asked(milliseconds: int) -> int:
        before = page.evaluate("window.pings.length")
        page.clock.run_for(milliseconds)
        return int(page.evaluate("window.pings.length")) - before

    assert asked(60_000)
    # gone for a cup of tea
    asked(600_000)
    assert asked(60_000) == 0
    page.mouse.move(50, 50)
    page.mouse.move(60, 60)
    assert asked(60_000)
    # scrolled away
    page.evaluate("document.body.style.paddingTop = '5000px'")
    page.wait_for_timeout(200)
    page.clock.run_for(100)
    assert asked(60_000) == 0


@pytest.mark.slow
def test_the_form_says_that_the_connection_is_lost(sit: Sit) -> None:
    bridge = sit(clock=True, begin=False)
    page = bridge.page
    page.evaluate("window.dead = true")
    page.clock.run_for(9_500)
    assert page.inner_text(".gone") == "The connection is lost. Reload the page to begin."
    page.evaluate("window.dead = false")
    page.clock.run_for(9_500)
    page.wait_for_selector(".gone", state="hidden")


@pytest.mark.slow
def test_cards_chosen_for_the_pass_are_kept_in_the_address(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page, ask = bridge.page, ready(bridge)
    chosen = "new URL(location.href).searchParams.get('chosen')"
    for key in ask["legal"][:2]:
        page.click(f".hand [data-key={key}]", position={"x": 8, "y": 14})
    assert page.evaluate(chosen) == ".".join(ask["legal"][:2])
    page.click(f".hand [data-key={ask['legal'][0]}]", position={"x": 8, "y": 14})
    assert page.evaluate(chosen) == ask["legal"][1]
    page.keyboard.press("Escape")
    assert page.evaluate(chosen) is None
    moved(bridge)
    assert page.evaluate(chosen) is None


@pytest.mark.slow
def test_the_address_keeps_the_game(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    moved(bridge)
    assert page.evaluate("new URL(location.href).searchParams.get('play')") == bridge.table.play["code"]
    assert Session.resume(bridge.table.play["code"]).ask()["kind"] == "play"


# answers wait until somebody opens their door
DOORS = """() => {
  const send = window.pySend; window.doors = [];
  window.pySend = content => content.kind === 'ping' ? send(content) : new Promise(done => window.doors.push(() => done(send(content))));
}"""


@pytest.mark.slow
def test_what_is_pressed_while_a_hint_comes_is_not_lost(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    moved(bridge)
    asked, seen = ready(bridge), stamp(bridge)
    by_pointer(bridge, asked, random.Random(1))
    answered(bridge, seen)
    ready(bridge)
    page.evaluate(DOORS)
    before = len(page.evaluate("window.sent"))
    page.click("[data-play=hint]")
    page.click("[data-play=hint]")
    page.click("[data-play=undo]")
    assert [one["do"] for one in page.evaluate("window.sent")[before:]] == ["hint"]
    page.evaluate("window.doors.shift()()")
    page.wait_for_function("window.doors.length === 1")
    assert [one["do"] for one in page.evaluate("window.sent")[before:]] == ["hint", "undo"]
    page.evaluate("window.doors.shift()()")
    wait(bridge, "document.querySelectorAll('.hand button').length === 13")
    assert ready(bridge)["legal"] == asked["legal"]


# the next question is here, and the word that ends the answer to the last one is still on its way
HELD = """() => {
  const send = window.pySend, ends = one => one[0] === 'msg' && 'reply' in one[1]; window.held = [];
  window.pySend = async content => {
    const news = await send(content);
    if (content.kind === 'ping') return news;
    window.held.push(news.filter(ends));
    return news.filter(one => !ends(one));
  };
}"""


@pytest.mark.slow
@pytest.mark.parametrize("press", ["card", "key", "button", "hint"])
def test_an_answer_given_before_the_last_one_has_ended_is_not_lost(sit: Sit, press: str) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    page.evaluate(HELD)
    moved(bridge)
    key = ready(bridge)["legal"][0]
    before = len(page.evaluate("window.sent"))
    # the second half of a double click is no answer to a question that its first half brought
    page.evaluate("key => document.querySelector(`.hand [data-key=${key}]`).dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }))", key)  # fmt: skip
    if press == "card":
        page.click(f".hand [data-key={key}]", position={"x": 8, "y": 14})
    elif press == "key":
        page.focus(f".hand [data-key={key}]")
        page.keyboard.press("Enter")
    else:
        page.click("[data-play=undo]" if press == "button" else "[data-play=hint]")
    assert len(page.evaluate("window.sent")) == before
    page.evaluate("hear(window.held.shift())")
    sent = page.evaluate("window.sent")[before:]
    assert [one["do"] for one in sent] == [{"button": "undo", "hint": "hint"}.get(press, "play")]
    assert press in ("button", "hint") or sent[0]["cards"] == [key]
    page.wait_for_function("window.held.length === 1")
    page.evaluate("hear(window.held.shift())")
    assert len(page.evaluate("window.sent")) == before + 1


@pytest.mark.slow
def test_a_card_chosen_before_a_refusal_has_ended_is_chosen(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    page.evaluate(HELD)
    key = ready(bridge)["legal"][0]
    page.click("[data-play=undo]")
    wait(bridge, "document.querySelector('.live').dataset.tone === 'no'")
    page.click(f".hand [data-key={key}]", position={"x": 8, "y": 14})
    assert page.evaluate("document.querySelectorAll('.hand [aria-selected=true]').length") == 1


@pytest.mark.slow
def test_what_waited_for_a_hint_that_never_came_is_not_done_later(sit: Sit) -> None:
    bridge = sit("hearts", 4, clock=True)
    page = bridge.page
    moved(bridge)
    ready(bridge)
    page.evaluate(DOORS)
    before = len(page.evaluate("window.sent"))
    page.click("[data-play=hint]")
    page.click("[data-play=undo]")
    page.clock.run_for(9000)
    page.click("[data-play=hint]")
    page.evaluate("window.doors.pop()()")
    wait(bridge, "document.querySelector('.live').dataset.tone === 'hint'")
    page.clock.run_for(100)
    assert [one["do"] for one in page.evaluate("window.sent")[before:]] == ["hint", "hint"]


@pytest.mark.slow
def test_start_pressed_while_the_form_is_still_being_renewed_is_not_lost(sit: Sit) -> None:
    page = sit(begin=False).page
    page.evaluate(DOORS)
    page.select_option("[name=game]", "hearts")
    page.fill("[name=name]", "Zoë")
    page.fill("[name=seed]", "7")
    page.click("[data-play=start]")
    assert [one["do"] for one in page.evaluate("window.sent")] == ["form"]
    page.evaluate("window.doors.shift()()")
    page.wait_for_function("window.sent.length === 2")
    assert page.input_value("[name=name]") == "Zoë"
    page.click("[data-play=start]")
    page.evaluate("window.doors.shift()()")
    page.wait_for_selector(".hand button")
    started = page.evaluate("window.sent")
    assert [one["do"] for one in started] == ["form", "start"]
    assert started[1]["values"]["seed"] == "7" and started[1]["values"]["game"] == "hearts"
    assert "Zoë" in page.inner_text(".seats")


@pytest.mark.slow
def test_a_renewed_form_leaves_what_is_being_written(sit: Sit) -> None:
    page = sit(begin=False).page
    page.evaluate(DOORS)
    page.select_option("[name=game]", "hearts")
    page.select_option("[name=others]", "each")
    page.click("[name=name]", click_count=3)
    page.evaluate("window.before = document.activeElement")
    for _ in range(2):
        page.evaluate("window.doors.shift()()")
        page.wait_for_function("window.doors.length || document.querySelector('[name=player1]')")
    assert page.evaluate("window.before === document.activeElement")
    page.keyboard.type("Zoë")
    assert page.input_value("[name=name]") == "Zoë", "all of the old name was selected"
    # in the middle of a word, too, and in a list that stands open
    page.select_option("[name=seats]", "6")
    page.focus("[name=name]")
    page.keyboard.press("Home")
    page.keyboard.type("A")
    page.evaluate("window.doors.shift()()")
    page.wait_for_function("document.querySelector('[name=player5]')")
    page.keyboard.type("b")
    assert page.input_value("[name=name]") == "AbZoë"
    order = page.evaluate("[...document.querySelectorAll('.setup [name]')].map(one => one.name)")
    assert order[:5] == ["game", "seats", "name", "seat", "others"] and order[5] == "player1"


def more(page: Any, name: str) -> None:
    """Choose `name` under More."""
    page.evaluate("document.querySelector('details.again').open = true")
    page.click(f"details.again [data-play={name}]")


@pytest.mark.slow
def test_another_table_with_the_same_cards_begins(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    more(page, "change_table")
    page.evaluate("for (const one of document.querySelectorAll('.setup details')) one.open = true")
    page.fill("[name=target]", "60")
    page.keyboard.press("Tab")
    page.click("[data-play=start]")
    page.wait_for_selector(".setup", state="hidden")
    assert bridge.table._match.session is not None and bridge.table._match.session.ruleset.target == 60
    assert ready(bridge)["kind"] == "pass"
    moved(bridge)


@pytest.mark.slow
def test_nothing_of_one_deal_is_left_in_the_next(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    for key in ready(bridge)["legal"][-3:]:
        page.click(f".hand [data-key={key}]", position={"x": 8, "y": 14})
    page.click("[data-play=hint]")
    page.wait_for_selector("[data-mark~=hint]", state="attached")
    more(page, "new_deal")
    page.wait_for_selector("[data-mark~=hint], [aria-selected=true]", state="detached")
    ready(bridge)
    assert page.inner_text(".cn") == "0 of 3 chosen"
    assert "chosen" not in page.url
    # an answer that was meant for the deal before is known by its stamp
    before = bridge.table.play
    bridge.table._heard(bridge.table, {"kind": "play", "do": "pass", "stamp": 0, "cards": before["ask"]["legal"][:3], "id": 99}, [])  # fmt: skip
    assert bridge.table.play["ask"] == before["ask"]
    moved(bridge)
    # and the form says the seed of this table, however often it was dealt anew
    for _ in range(2):
        seen = stamp(bridge)
        more(page, "new_deal")
        answered(bridge, seen)
        ready(bridge)
    more(page, "change_table")
    assert page.input_value("[name=seed]") == bridge.table.play["seed"]


@pytest.mark.slow
def test_a_hint_goes_with_the_card_that_is_taken_back(sit: Sit) -> None:
    bridge = sit("hearts", 4)
    page = bridge.page
    moved(bridge)
    for _ in range(3):
        moved(bridge)
    ready(bridge)
    page.click("[data-play=hint]")
    wait(bridge, "document.querySelector('.live').dataset.tone === 'hint'")
    said, seen = page.inner_text(".live"), stamp(bridge)
    page.click("[data-play=undo]")
    answered(bridge, seen)
    ready(bridge)
    captions = bridge.table.replays[0]["captions"]
    assert said not in page.inner_text(".live") and page.inner_text(".live").startswith(captions[-1])
    assert not page.get_attribute(".live", "data-tone")


@pytest.mark.slow
def test_by_keyboard_alone_the_focus_stays_at_the_table(sit: Sit) -> None:
    bridge = sit(begin=False)
    page = bridge.page
    in_hand, at = "!!document.activeElement.closest('.hand')", "document.activeElement.dataset.play || ''"
    page.select_option("[name=game]", "hearts")
    wait(bridge, "document.querySelector('[name=game]').value === 'hearts'")
    page.select_option("[name=others]", "random")
    page.fill("[name=seed]", "7")
    page.keyboard.press("Enter")
    wait(bridge, "model.get('play').on")
    ready(bridge)
    wait(bridge, in_hand)
    for name in ("same_deal", "change_table"):
        page.focus("details.again summary")
        page.keyboard.press("Enter")
        while page.evaluate(at) != name:
            page.keyboard.press("Tab")
        seen = stamp(bridge)
        page.keyboard.press("Enter")
        if name == "change_table":
            page.focus("[data-play=back_to_table]")
            page.keyboard.press("Enter")
        else:
            answered(bridge, seen)
            ready(bridge)
        wait(bridge, in_hand)
    while (ask := ready(bridge))["kind"] != "next":
        seen = stamp(bridge)
        by_keyboard(bridge, ask, random.Random(1)) if ask["kind"] != "moon" else page.keyboard.press("Enter")
        answered(bridge, seen)
    # the sheet of a hand that is over stands there by itself
    assert page.is_visible(".scores table") and page.is_hidden("[data-play=sheet]")
    wait(bridge, f"({at}) === 'next_hand'")
    seen = stamp(bridge)
    page.keyboard.press("Enter")
    answered(bridge, seen)
    ready(bridge)
    wait(bridge, in_hand)
    assert page.is_hidden(".scores table") and page.is_visible("[data-play=sheet]")


@pytest.mark.slow
def test_a_fault_of_the_form_goes_when_it_is_mended_and_each_view_keeps_what_is_written_there(sit: Sit) -> None:
    bridge = sit(begin=False, views=2)
    page = bridge.page
    first, second = page.locator(".chnb").nth(0), page.locator(".chnb").nth(1)
    second.locator("[name=name]").fill("Zoë")
    first.locator("[name=seats]").select_option("6")
    wait(bridge, "[...document.querySelectorAll('[name=seats]')].every(one => one.value === '6')")
    assert second.locator("[name=name]").input_value() == "Zoë"
    first.locator("[name=seed]").fill("x")
    first.locator("[data-play=start]").click()
    wait(bridge, "document.querySelector('.fault').textContent !== ''")
    first.locator("[name=seed]").fill("12")
    page.keyboard.press("Tab")
    wait(bridge, "document.querySelector('.fault').textContent === ''")
    assert page.locator("[aria-invalid]").count() == 0


@pytest.mark.slow
def test_a_fault_stands_at_the_form_and_has_the_focus(sit: Sit) -> None:
    bridge = sit(begin=False)
    page = bridge.page
    page.select_option("[name=game]", "hearts")
    wait(bridge, "document.querySelector('[name=seats]').value === '4'")
    page.fill("[name=name]", "Al" * 30)
    page.fill("[name=seed]", "x")
    page.click("[data-play=start]")
    wait(bridge, "document.querySelector('.fault').textContent !== ''")
    assert "seed" in page.inner_text(".fault")
    assert page.evaluate("document.activeElement.className") == "fault"
    assert (
        page.evaluate("[...document.querySelectorAll('.setup [aria-invalid=true]')].map(el => el.name).join()")
        == "seed"
    )
    assert page.get_attribute("[name=seed]", "aria-describedby").split()[-1] == page.get_attribute(".fault", "id")
    assert page.input_value("[name=name]") == "Al" * 20
    # a fault in a folded group unfolds it
    page.evaluate("document.querySelector('[data-group=names]').open = true")
    page.fill("[name=seed]", "7")
    page.fill("[name=name2]", "")
    page.evaluate("document.querySelector('[data-group=names]').open = false")
    page.click("[data-play=start]")
    wait(bridge, "document.querySelector('.fault').textContent.includes('seat 3')")
    assert page.is_visible("[name=name2]") and page.get_attribute("[name=name2]", "aria-invalid") == "true"
    assert page.evaluate("document.activeElement.className") == "fault"
    for box in page.locator(".setup select, .setup input").all():
        assert page.evaluate("el => el.labels.length", box.element_handle()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("width", ends([360, 768, 1280]))
@pytest.mark.parametrize(("game", "seats"), ends([("cancellation", 11), ("cancellation", 6), ("hearts", 3)]))
def test_table_and_hand_hold_still_while_a_hand_is_played(sit: Sit, game: str, seats: int, width: int) -> None:
    bridge = sit(game, seats, width, 900)
    page = bridge.page
    seen = set()
    while (ask := ready(bridge))["kind"] in ("pass", "play"):
        seen.add(
            page.evaluate(
                "['.stage', '.hands', '.say'].map(one => Math.round(document.querySelector(one).getBoundingClientRect().top + scrollY)).join()"
            )
        )
        small = page.evaluate(
            "[...document.querySelectorAll('.desk button, .hand button, .desk summary')].filter(b => b.offsetParent).map(b => b.getBoundingClientRect()).filter(r => r.width < 24 || r.height < 24).length"
        )
        assert small == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        before = stamp(bridge)
        by_pointer(bridge, ask, random.Random(1))
        answered(bridge, before)
    assert len(seen) == 1, seen


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (1280, 720), (360, 640)])
def test_when_a_match_begins_table_and_hand_come_onto_the_screen(sit: Sit, width: int, height: int) -> None:
    bridge = sit("cancellation", 8, width, height, begin=False)
    page = bridge.page
    page.add_style_tag(content="main{padding-top:500px}")
    page.click("[data-play=start]")
    ready(bridge)
    for part in (".hand", ".prompt .pq"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height + 1, part
    if height == 900:
        assert page.locator(".chnb").bounding_box()["y"] >= -1, "all of it fits"
    # and then it stays where it is
    page.evaluate("scrollTo(0, 0)")
    by_pointer(bridge, bridge.table.play["ask"], random.Random(1))
    answered(bridge, 0)
    ready(bridge)
    at = page.evaluate("scrollY")
    page.click("[data-play=undo]", force=True)
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == at
