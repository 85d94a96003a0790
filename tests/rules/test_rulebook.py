"""The rulebook leaves no fact out, points at real code, and is cited by what happens; every event and refusal has a sentence."""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib
import itertools
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import cancel_hearts_nb
from cancel_hearts_nb import events as ev
from cancel_hearts_nb import explain
from cancel_hearts_nb.cards import Suit, cards, parse
from cancel_hearts_nb.events import Middle
from cancel_hearts_nb.game import ChooseMoon, Game, Given, PassCards, PlayCard
from cancel_hearts_nb.players import RandomPlayer, view
from cancel_hearts_nb.rulebook import ALL, BY_ID, RULES, page
from cancel_hearts_nb.rules import legality
from cancel_hearts_nb.rules.nouns import Position, Refusal, trick
from cancel_hearts_nb.ruleset import CHOICES, OPTIONS, PRESETS, Ruleset, RulesetError, given_options, ruleset

from .tables import TwinPlayer, arranged, moon_hands, names, shoot

PACKAGE = Path(cancel_hearts_nb.__file__).parent
FACTS = {f"C{i}" for i in range(1, 31)} | {f"H{i}" for i in range(1, 21)} | {f"Q{i}" for i in range(1, 46)}
PREFIXES = ("deal", "pass", "lead", "follow", "trick", "score", "match", "play")
SIZES = {"cancellation": range(6, 12), "hearts": range(3, 8), "omnibus": range(3, 8)}


# --- the book itself ------------------------------------------------------------------------------------------------


def test_ids_are_unique_and_well_formed() -> None:
    assert len(BY_ID) == len(RULES)
    assert all(re.fullmatch(rf"({'|'.join(PREFIXES)})\.[a-z_]+", rule.id) for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_is_complete(rule: Any) -> None:
    for words in (rule.heading, rule.title, rule.text):
        assert words.strip() == words != ""
    assert rule.text.endswith(".")
    assert not rule.reading or rule.reading.endswith((".", "?"))
    assert rule.games and set(rule.games) <= set(ALL)
    assert rule.facts or rule.id.startswith("play.") or rule.id == "pass.held"
    # a rule that settles a question of ours says how we read the page, unless it only repeats what is printed
    assert all(re.fullmatch(r"[CHQ]\d+", fact) for fact in rule.facts)
    parts = explain.rule_text(rule)
    assert parts == {
        "id": rule.id,
        "heading": rule.heading,
        "title": rule.title,
        "text": rule.text,
        "reading": rule.reading,
    }


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_decided_by_is_a_function_of_the_package(rule: Any) -> None:
    parts = rule.decided_by.split(".")
    found: Any = None
    for cut in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module("cancel_hearts_nb." + ".".join(parts[:cut]))
            break
        except ModuleNotFoundError:
            continue
    for name in parts[cut:]:
        found = getattr(found, name)
    assert callable(found)
    # defined there and not only imported, so that there is one place to read
    assert found.__module__ == "cancel_hearts_nb." + ".".join(parts[:cut])
    assert found.__doc__


def test_every_fact_and_question_is_named() -> None:
    named = {fact for rule in RULES for fact in rule.facts}
    assert named == FACTS


def test_pages_hold_all_rules_in_order() -> None:
    assert {rule.id for game in ALL for rule in page(game)} == set(BY_ID)
    order = list(BY_ID)
    for game in ALL:
        ids = [rule.id for rule in page(game)]
        assert ids == sorted(ids, key=order.index)
    assert not {"trick.dead", "trick.pairs_cancel", "deal.kitty"} & {rule.id for rule in page("hearts")}
    assert not {"lead.low_club", "score.bonus", "deal.removed"} & {rule.id for rule in page("cancellation")}
    # rules of one heading stand together
    for game in ALL:
        headings = [heading for heading, _ in itertools.groupby(rule.heading for rule in page(game))]
        assert len(headings) == len(set(headings))


# --- ids in the source ----------------------------------------------------------------------------------------------


def _literals() -> dict[str, set[str]]:
    """Every string literal of the package that looks like a rule id, with the files it stands in; no docstrings."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        docs = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                if re.fullmatch(rf"({'|'.join(PREFIXES)})\.[a-z_]+", node.value):
                    found[node.value].add(path.name)
    return found


def test_every_id_in_the_source_is_in_the_rulebook() -> None:
    found = _literals()
    assert {id for id in found if id not in BY_ID and not id.endswith((".css", ".js"))} == set()
    unused = [id for id in BY_ID if not found[id] - {"rulebook.py"}]
    assert unused == []


def test_ids_in_docstrings_are_in_the_rulebook() -> None:
    families = "|".join(PREFIXES)
    wrong = []
    for path in (PACKAGE / "rules").glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                prose, _, _ = (ast.get_docstring(node) or "").partition(">>>")
                wrong += [(path.name, id) for id in re.findall(rf"\b(?:{families})\.[a-z_]+", prose) if id not in BY_ID]
    assert wrong == []


# --- what really occurs ---------------------------------------------------------------------------------------------


def _tables() -> list[Ruleset]:
    """Every game and size as printed, every preset, and every single option value that a table can have."""
    found = []
    for game, sizes in SIZES.items():
        for seats in sizes:
            for preset in PRESETS if game == "cancellation" else ("printed",):
                found.append(ruleset(game, seats, preset))
        for option, kind in CHOICES.items():
            for value in kind:
                for seats in (sizes[1], sizes[2]):
                    try:
                        made = ruleset(game, seats, **{option: value})
                    except RulesetError:
                        continue
                    if given_options(made):
                        found.append(made)
        found += [
            ruleset(game, sizes[0], target=9),
            ruleset(game, sizes[0], pass_count=0),
            ruleset(game, sizes[1], pass_count=1),
        ]
    return found


class Occurred:
    """Everything that occurred, as sentences: by (event name, rule) and by refusal rule; and the set-up facts."""

    def __init__(self) -> None:
        self.events: dict[tuple[str, str], list[tuple[Any, tuple[str, ...], Ruleset]]] = defaultdict(list)
        self.refusals: dict[str, list[tuple[Refusal, tuple[str, ...]]]] = defaultdict(list)
        self.setup: dict[str, list[str]] = defaultdict(list)

    def game(self, game: Game) -> None:
        for event in game.events:
            self.events[type(event).__name__, event.rule].append((event, game.names, game.ruleset))  # type: ignore[attr-defined]

    def ask(self, game: Game) -> None:
        """Try a lot that should be refused, at the present moment."""
        seats = game.ruleset.seats
        hand = game.state.hands[game.asked.seat if game.asked else 0]
        tries: list[Any] = [("nothing",), PlayCard(seats, parse("2C")), PlayCard(-1, parse("2C"))]
        for seat in {0, 1, game.asked.seat if game.asked else 2}:
            tries += [PlayCard(seat, card) for card in game.ruleset.pack[::5]]
            tries += [PlayCard(seat, card) for card in hand]  # type: ignore[arg-type]
            tries += [PassCards(seat, hand[:k]) for k in (0, 1, 2, 3, 4)]  # type: ignore[arg-type]
            tries += [PassCards(seat, (card,) * game.ruleset.pass_count) for card in game.ruleset.pack[::9]]
            tries += [ChooseMoon(seat, choice) for choice in ("subtract", "add_to_others", "player", "both")]  # type: ignore[arg-type]
        for action in tries:
            refused = game.refusal(action)
            if refused is not None:
                self.refusals[refused.rule].append((refused, game.names))


def _play(game: Game, player: Any, occurred: Occurred, every: int) -> None:
    for count in itertools.count():
        if count % every == 0:
            occurred.ask(game)
        if game.asked is None:
            break
        game.submit(player.choose(view(game), game.stream(game.asked.seat)))
    occurred.game(game)


@functools.cache
def occurred() -> Occurred:
    found = Occurred()
    for at, rules in enumerate(_tables()):
        seats = rules.seats
        people = names(seats)
        for id, sentence in explain.setup(rules):
            found.setup[id].append(sentence)
        player = (RandomPlayer, TwinPlayer)[at % 2]()
        _play(Game(rules, people, at, hands=1 if rules.target > 20 else 8), player, found, 23)
        # a moon, by every choice
        for choice in ("subtract", "add_to_others"):
            held, kitty = moon_hands(rules, 0)
            game = shoot(arranged(rules, held, kitty, seats - 1, hands=1))
            if game.asked and game.asked.kind == "moon":
                found.ask(game)
                game.submit(ChooseMoon(0, choice))  # type: ignore[arg-type]
            found.game(game)
        if rules.packs == 2:
            for tricks in (
                ["5D 5D KC AS 7H 2C", "3C 4C 9C 6C TC 8S"],
                ["TS 9H 9H TS KS 4S"],
                ["9D KC AS KC AS 2D", "5D 5D 6C 6C KS KS"],
            ):
                found.game(_fragment(rules, tricks, kitty="KH 2D"))
    for game in _positions():
        found.ask(game)
        legal = game.legal_cards()
        for card in legal:
            game.submit(PlayCard(game.asked.seat, card))  # type: ignore[union-attr]
            found.game(game)
            game.undo()
    _ties(found)
    return found


def _fragment(rules: Ruleset, tricks: list[str], kitty: str) -> Game:
    """A hand of dead and won tricks led by seat 0 and ending in the last one, filled up to the table's size with low clubs' betters."""
    seats = rules.seats
    more = [card for card in rules.pack if card.code[1] == "S"][::2][: seats - 6]
    whole = [(0, (*cards(text), *more[: seats - 6])) for text in tricks]
    hands = tuple(tuple(each[seat] for _, each in whole) for seat in range(seats))
    dead_first = Middle(2, True, cards("7C 7C"), len(whole), True)
    one = Game(rules, names(seats), None, seats - 1, [Given(hands, cards(kitty), dead_first, 0)])
    for _, each in whole:
        for card in each:
            if one.asked is None or one.refusal(PlayCard(one.asked.seat, card)) is not None:
                return one
            one.submit(PlayCard(one.asked.seat, card))
    return one


def _positions() -> list[Game]:
    """Leads and discards that chance seldom brings."""
    found = []
    for game, seats, options, first, broken, led, hand in (
        ("cancellation", 8, {}, True, False, "", "5C QS 2H AD"),
        ("cancellation", 8, {}, True, False, "", "QS 2H"),
        ("cancellation", 8, {}, True, False, "", "3H 2H"),
        ("cancellation", 8, {"lead_heart_over_bm": "on"}, True, False, "", "QS 2H"),
        ("cancellation", 8, {"lead_heart_over_bm": "on"}, False, False, "", "QS 2H"),
        ("cancellation", 8, {"lead_heart_over_bm": "on"}, False, False, "", "3H 2H"),
        ("cancellation", 8, {}, False, False, "", "4D QS 7H"),
        ("cancellation", 8, {}, False, False, "", "3H 7H"),
        ("cancellation", 8, {}, False, True, "", "4D QS 7H"),
        ("hearts", 4, {}, True, False, "", "2C 4D QS 7H"),
        ("hearts", 4, {}, True, False, "2C", "4D QS 7H"),
        ("hearts", 4, {}, True, False, "2C", "QS 7H"),
        ("hearts", 4, {}, False, False, "2D", "4C QS 7H 3D"),
        ("hearts", 4, {}, False, False, "2S", "4C QS 7H 3D"),
        ("hearts", 4, {}, False, True, "2H", "4C QS 7H 3D"),
        ("hearts", 4, {}, False, True, "2C", "4C QS 7H 3D"),
        ("hearts", 4, {"opening": "dealer_left"}, True, False, "", "2C QS 7H"),
    ):
        rules = ruleset(game, seats, **options)
        own = cards(hand)
        hands: Any = (cards(led), own) if led else (own,)
        hands += ((),) * (seats - len(hands))
        made = Game(
            rules,
            names(seats),
            None,
            seats - 1,
            [Given(hands, (), Middle(1 if first else 2, broken, (), len(own), False), 0)],
        )
        if led:
            made.submit(PlayCard(0, parse(led)))
        found.append(made)
    return found


def _ties(found: Occurred) -> None:
    """Matches that end at once: one shared win, one not, by totals put in before the last hand."""
    for tie in ("shared", "play_on"):
        rules = ruleset("hearts", 4, tie=tie)
        held, kitty = moon_hands(rules, 0)
        for totals in ((0, 80, 80, 80), (26, 0, 0, 100), (0, 90, -26, 70)):
            game = shoot(arranged(rules, held, kitty, 3, totals=totals, hands=1))
            game.submit(ChooseMoon(0, "add_to_others"))  # type: ignore[arg-type]
            found.game(game)
    rules = ruleset("cancellation", 6, score_floor="0")
    held, kitty = moon_hands(rules, 0)
    game = shoot(arranged(rules, held, kitty, 5, totals=(3, 0, 0, 0, 0, 0), hands=1))
    game.submit(ChooseMoon(0, "subtract"))  # type: ignore[arg-type]
    found.game(game)


def test_every_rule_is_cited_by_something_that_occurs() -> None:
    seen = occurred()
    cited = {rule for _, rule in seen.events} | set(seen.refusals) | set(seen.setup)
    assert cited - set(BY_ID) == set()
    assert set(BY_ID) - cited == set()


def test_every_event_occurs() -> None:
    assert {name for name, _ in occurred().events} == {kind.__name__ for kind in ev.EVENTS}


def test_refusal_rules_are_listed() -> None:
    assert set(occurred().refusals) == set(explain.REFUSAL_RULES)


def _sentence(text: str, people: tuple[str, ...]) -> None:
    assert text.strip() == text != ""
    assert text[-1] in ".”", text
    assert "%(" not in text and "None" not in text, text


def test_every_event_that_occurs_has_a_sentence_for_every_viewer() -> None:
    for some in occurred().events.values():
        for event, people, rules in some[:: max(1, len(some) // 40)]:
            for viewer in (None, 0, rules.seats - 1):
                _sentence(explain.event(ev.redact(event, viewer), people, rules), people)


def test_every_refusal_that_occurs_has_a_sentence() -> None:
    for some in occurred().refusals.values():
        for refused, people in some[:: max(1, len(some) // 60)]:
            _sentence(explain.refusal(refused, people), people)
            _sentence(explain.refusal(refused, ()), ())


def test_every_setup_fact_has_a_sentence() -> None:
    for id, sentences in occurred().setup.items():
        assert id in BY_ID
        for sentence in set(sentences):
            _sentence(sentence, ())


def _possible() -> list[Any]:
    """One event of every type with every rule that the engine can give it."""
    from cancel_hearts_nb.ruleset import MoonChoice

    some, pair = cards("QS 9H 4D"), cards("TS 9H 9H TS KS 4S")
    rules = {
        ev.LeadAssigned: ("lead.opening", "lead.low_club", "lead.winner", "lead.after_dead", "play.lead"),
        ev.Played: (
            "lead.low_club", "lead.opening_free", "lead.black_maria", "lead.breaking", "lead.heart_over_bm", "play.lead",
            "play.waived", "follow.suit", "follow.void", "follow.first_trick",
        ),
        ev.TrickDead: ("trick.dead", "trick.none_left"),
        ev.AsideTaken: ("trick.aside", "trick.kitty", "trick.last_dead"),
        ev.HandScored: ("score.hand", "score.floor"),
        ev.MatchWon: ("match.lowest", "match.tie"),
    }  # fmt: skip
    made: list[Any] = []
    for rule in rules[ev.LeadAssigned]:
        made.append(ev.LeadAssigned(1, rule))
    for rule in rules[ev.Played]:
        made += [ev.Played(1, card, rule) for card in some]
    for rule in rules[ev.TrickDead]:
        made += [ev.TrickDead(0, pair, rule), ev.TrickDead(0, cards("5D 5D KC AS 7H 2C"), rule)]
    for rule in rules[ev.AsideTaken]:
        made += [ev.AsideTaken(2, some[:k], rule, kitty=kitty) for k, kitty in ((1, 1), (1, 0), (3, 0), (3, 1), (3, 3))]
    made += [ev.AsideLost(some[:k], kitty=kitty) for k, kitty in ((1, 0), (3, 0), (3, 3))]
    for rule in rules[ev.HandScored]:
        made.append(ev.HandScored((1,) * 6, (-26, *(0,) * 5), (-26, *(0,) * 5), rule))
    for rule in rules[ev.MatchWon]:
        made += [ev.MatchWon(seats, (total,) * 6, rule) for seats in ((1,), (1, 3)) for total in (-3, 0, 1, 2)]
    made += [
        ev.HandStarted(1, 2), ev.HandStarted(3, 2, middle=Middle(2, True, (), 1, False)), ev.HandStarted(3, 2, middle=Middle(2, True, (), 4, True)),
        ev.Dealt((some,) * 6), ev.Dealt((some[:1],) * 6), ev.KittySet(some[:1]), ev.KittySet(some), ev.PassSkipped(),
        *(ev.Passed(0, to, some[:k]) for to in (1, 5, 3) for k in (1, 3)), ev.Received(0, some), ev.Received(0, some[:1]),
        ev.HeartsBroken(0, parse("QS")), ev.HeartsBroken(0, parse("2H")), ev.PairCancelled(parse("9H"), (1, 2)),
        *(ev.TrickWon(1, some[0], cards(text)) for text in ("2C", "2H", "2H 3H", "QS TD", "TD", "JD 2H")),
        ev.MoonShot(3), *(ev.MoonChosen(3, choice) for choice in MoonChoice if choice != "player"),
    ]  # fmt: skip
    return made


def test_every_pair_of_event_and_rule_that_occurs_is_among_the_possible_ones() -> None:
    possible = {(type(event).__name__, event.rule) for event in _possible()}
    assert set(occurred().events) - possible == set()
    # and nothing is thought possible that never occurs
    assert possible - set(occurred().events) == set()


@pytest.mark.parametrize("event", _possible(), ids=lambda event: f"{type(event).__name__} {event.rule}")
def test_every_possible_event_has_a_sentence_in_every_variant(event: Any) -> None:
    people = names(11)
    last_dead = isinstance(event, ev.AsideTaken) and event.rule == "trick.last_dead"
    seen = set()
    for rules in _tables():
        if (
            rules.seats < 6
            or (last_dead and rules.last_dead == "nobody")
            or (rules.packs == 1 and isinstance(event, ev.TrickDead))
        ):
            continue
        for viewer in (None, 0, 1):
            text = explain.event(ev.redact(event, viewer), tuple(people), rules)
            _sentence(text, tuple(people))
            seen.add(text)
    assert seen


@pytest.mark.parametrize("rule", explain.REFUSAL_RULES)
def test_every_possible_refusal_has_a_sentence(rule: str) -> None:
    from cancel_hearts_nb.game import Asked

    asked = [Asked(kind, 1) for kind in ("pass", "play", "moon")]
    base = {
        "seat": 0,
        "card": parse("QS"),
        "cards": cards("QS 2H"),
        "legal": cards("2C 2C"),
        "count": 1,
        "given": 3,
        "turn": 1,
        "last": 5,
        "choice": "both",
    }
    for suit, moment, seat in itertools.product(Suit, [*asked, None], (0, 99)):
        if rule == "play.turn" and moment is None:
            continue
        _sentence(explain.refusal(Refusal(rule, {**base, "suit": suit, "asked": moment, "seat": seat}), names(6)), ())


def test_the_names_of_the_table_stand_in_the_sentences() -> None:
    for some in occurred().events.values():
        event, people, rules = some[0]
        if "seat" in {field.name for field in dataclasses.fields(event)} and not isinstance(event, ev.HeartsBroken):
            assert people[event.seat] in explain.event(event, people, rules)


def test_options_are_all_known() -> None:
    assert set(OPTIONS) == set(CHOICES) | {"pass_count", "target"}


def test_the_rule_of_a_play_tells_nothing_of_the_hand_behind_it() -> None:
    """Everybody is told which rule allowed a card, so it may follow from what everybody sees alone."""
    told: dict[tuple[object, ...], set[str]] = {}
    hands = [cards(text) for text in ("QS 5H 7H", "5H 7H", "QS 5H 2C", "5H 2C 4D", "2C 4D QS", "2C", "QS", "4D 5H AS")]
    for game, seats in (("cancellation", 8), ("hearts", 4)):
        for options in ({}, {"lead_heart_over_bm": "on"}, {"first_discard_ban": "on"}, {"first_discard_ban": "off"}):
            rules = ruleset(game, seats, **options)
            for hand in hands:
                for number in (1, 2):
                    for broken in (False, True):
                        for led in ("", "9C", "9S", "9H"):
                            position = Position(rules, 1, hand, trick(0 if led else 1, led, seats), number, broken)
                            for card in legality.legal_cards(position):
                                seen = (game, str(options), number, broken, led, card)
                                told.setdefault(seen, set()).add(legality.granted_by(position, card))
    assert len(told) > 100
    # the lowest club is asked of the pack, and a hand without it leads only in a fragment
    assert {seen: rules for seen, rules in told.items() if len(rules) > 1} == {}
