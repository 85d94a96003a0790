"""Runs one worked case through the engine. `check(case)` raises AssertionError where engine and case differ.

A case is data (cases.toml, cases_more.toml). Each step has a `kind`; what the engine does there is `observed`, and each
`want` names some of that. A want with `under` (options) or `preset` holds for the table with just that changed.
A malformed case (an unknown key, a kind that is none) raises CaseError, so that nothing is silently ignored.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cancel_hearts_nb import events as ev
from cancel_hearts_nb import explain
from cancel_hearts_nb.cards import PACK, Card, cards, in_order, parse, text
from cancel_hearts_nb.events import Middle
from cancel_hearts_nb.game import ChooseMoon, Game, Given, IllegalAction, PassCards, PlayCard, apply, fold
from cancel_hearts_nb.players import RandomPlayer, play
from cancel_hearts_nb.rulebook import BY_ID
from cancel_hearts_nb.rules import lead, legality, match, scoring
from cancel_hearts_nb.rules import trick as tricks
from cancel_hearts_nb.rules.nouns import Position, trick
from cancel_hearts_nb.ruleset import MoonChoice, Ruleset, RulesetError, ruleset

from .prose import PROSE
from .tables import arranged, cost, full_pack, moon_hands, names, shoot, spare

HERE = Path(__file__).parent
Case = dict[str, Any]


class CaseError(Exception):
    """The case itself is malformed."""


def load() -> tuple[Case, ...]:
    """All cases, the 64 given ones first; each gets `rules`, the ids of the rules it shows, and `given`."""
    with (HERE / "cases.toml").open("rb") as file:
        given = tomllib.load(file)
    with (HERE / "cases_more.toml").open("rb") as file:
        more = tomllib.load(file)
    if set(given) != {"case"} or set(more) != {"case", "given"}:
        raise CaseError("cases.toml holds [[case]], cases_more.toml [[case]] and [given]")
    shown = more["given"]
    if set(shown) != {case["id"] for case in given["case"]}:
        raise CaseError(f"[given] and cases.toml differ: {set(shown) ^ {case['id'] for case in given['case']}}")
    found = [{**case, "rules": shown[case["id"]], "given": True} for case in given["case"]]
    found += [{**case, "given": False} for case in more["case"]]
    ids = [case["id"] for case in found]
    if len(set(ids)) < len(ids):
        raise CaseError("one id stands twice")
    return tuple(found)


def check(case: Case) -> None:
    """Run every step of `case` and compare every key of every want. Raises AssertionError, or what the engine raises."""
    _keys(
        case,
        {"id", "part", "game", "players", "title", "step"},
        {"rules", "options", "given"},
        "case",
        absent={"players"} if case["game"] == "any" else set(),
    )
    for index, step in enumerate(case["step"]):
        if step.get("kind") not in KINDS:
            raise CaseError(f"{case['id']}: no kind {step.get('kind')!r}")
        _, needed, allowed, _ = KINDS[step["kind"]]
        _keys(step, {"kind", *needed}, {*allowed, "want"}, f"{case['id']} step {index}")
        if step["kind"] == "prose":
            PROSE[case["id"]]()
        elif step["kind"] != "kitty" and not step.get("want"):
            raise CaseError(f"{case['id']} step {index} wants nothing")
        for want in step.get("want", ()):
            seen = observed(case, index, want)
            for key in wanted_keys(want):
                if key not in seen:
                    raise CaseError(f"{case['id']} step {index}: {key} is not among {sorted(seen)}")
                assert same(key, want[key], seen[key]), f"{case['id']} step {index} {want}: {key} is {seen[key]!r}"


def wanted_keys(want: dict[str, Any]) -> list[str]:
    found = [key for key in want if key not in ("under", "preset", "choice")]
    if not found:
        raise CaseError(f"nothing is wanted in {want}")
    return found


def same(key: str, wanted: Any, seen: Any) -> bool:
    """Whether `seen` is what is wanted: cards in any order; of a pass, the seats that are named."""
    if key in ("cancelled", "legal"):
        return sorted(wanted.split()) == sorted(seen.split())
    if key == "gives_to" and wanted:
        return all(pair in seen for pair in wanted)
    return bool(wanted == seen) and type(wanted) is type(seen)


def observed(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    """Everything that the engine does in that step, at the table that `want` names with `under` and `preset`."""
    step = case["step"][index]
    return KINDS[step["kind"]][3](case, index, want)


def rules_of(case: Case, want: dict[str, Any], **more: Any) -> Ruleset:
    options = {**case.get("options", {}), **more, **want.get("under", {})}
    return ruleset(case["game"], case["players"], want.get("preset", "printed"), **options)


def _keys(
    data: dict[str, Any], needed: set[str], allowed: set[str], where: str, absent: set[str] = frozenset()
) -> None:  # type: ignore[assignment]
    wrong = (needed - absent - set(data)) | (set(data) - needed - allowed)
    if wrong:
        raise CaseError(f"{where}: missing or unknown {sorted(wrong)}")


def _points(some: Any, rules: Ruleset) -> int:
    """Card points as the test counts them, beside scoring.points_of."""
    bonus = "" if rules.omnibus == "off" else str(rules.omnibus)
    counted = sum(cost(card, bonus) for card in some)
    assert counted == scoring.points_of(rules, some)
    return counted


# --- set-up ---------------------------------------------------------------------------------------------------------


def _deal(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    rules = rules_of(case, want)
    game = Game(rules, names(rules.seats), 7, dealer=0)
    dealt = next(e for e in game.events if isinstance(e, ev.Dealt))
    kitty = [card for e in game.events if isinstance(e, ev.KittySet) for card in e.cards]
    sizes = {len(hand) for hand in dealt.hands}
    assert len(sizes) == 1 and len(dealt.hands) == rules.seats
    everything = in_order([*(card for hand in dealt.hands for card in hand), *kitty])
    removed = text(rules.removed)
    assert (rules.hand_size, rules.kitty_size) == (max(sizes), len(kitty))
    assert everything == rules.pack == full_pack(2 if case["game"] == "cancellation" else 1, removed)
    while game.asked and game.asked.kind == "pass":
        seat = game.asked.seat
        game.submit(PassCards(seat, game.state.hands[seat][: rules.pass_count]))
    leader = next(e for e in game.events if isinstance(e, ev.LeadAssigned))
    opening = ""
    if leader.rule == "lead.low_club":
        opening = text(game.legal_cards())
        assert opening == str(lead.low_club(rules))
    else:
        assert leader.seat == 1 % rules.seats
    return {
        "hand": sizes.pop(), "kitty": len(kitty), "pack": len(everything), "points": _points(everything, rules),
        "removed": removed, "opening_card": opening, "lead_rule": leader.rule, "packs": rules.packs,
    }  # fmt: skip


def _setup(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    """A table that is made or refused: `refused` is the rule id, "refused" when no rule is concerned, "" when it is made."""
    step = case["step"][index]
    options = {**case.get("options", {}), **want.get("under", {})}
    try:
        rules = ruleset(case["game"], step.get("seats", case["players"]), want.get("preset", "printed"), **options)
    except RulesetError as error:
        assert str(error)
        return {"refused": error.rule or "refused"}
    sheet = dict(explain.setup(rules))
    assert set(sheet) <= set(BY_ID)
    return {
        "refused": "",
        "target": rules.target,
        "packs": rules.packs,
        "pack": len(rules.pack),
        "facts": sorted(sheet),
    }


def _dealer(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    step = case["step"][index]
    rules = rules_of(case, want, pass_count=0)
    game = play(Game(rules, names(rules.seats), 7, dealer=step["dealer"], hands=3), [RandomPlayer()] * rules.seats)
    started = [i for i, e in enumerate(game.events) if isinstance(e, ev.HandStarted)]
    leads = [next(e.seat for e in game.events[i:] if isinstance(e, ev.LeadAssigned)) for i in started]
    return {"dealers": [game.events[i].dealer for i in started], "leaders": leads}  # type: ignore[attr-defined]


# --- passing --------------------------------------------------------------------------------------------------------


def _pass(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    rules = rules_of(case, want)
    game = Game(rules, names(rules.seats), 7, dealer=0, number=case["step"][index]["hand_number"])
    before = [Counter(hand) for hand in game.state.hands]
    taken_up = 0
    for seat in range(rules.seats):
        if game.asked is None or game.asked.kind != "pass":
            break
        game.submit(PassCards(seat, game.state.hands[seat][: rules.pass_count]))
        received = sum(isinstance(e, ev.Received) for e in game.events)
        assert received == (rules.seats if seat == rules.seats - 1 else 0)
        taken_up = received
    passed = [e for e in game.events if isinstance(e, ev.Passed)]
    received = {e.seat: e.cards for e in game.events if isinstance(e, ev.Received)}
    for e in passed:
        assert received[e.to] == e.cards
        before[e.seat] -= Counter(e.cards)
    for seat, cards_received in received.items():
        assert before[seat] + Counter(cards_received) == Counter(game.state.hands[seat])
    skipped = any(isinstance(e, ev.PassSkipped) for e in game.events)
    assert skipped == (not passed) and game.asked is not None and game.asked.kind == "play"
    return {
        "gives_to": [[e.seat, e.to] for e in passed], "count": len(passed[0].cards) if passed else 0,
        "skipped": skipped, "received": taken_up,
    }  # fmt: skip


# --- one play -------------------------------------------------------------------------------------------------------


def _legal(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    """The position by itself and inside a game; refusal and permission for every card."""
    step = case["step"][index]
    rules = rules_of(case, want)
    hand, first, broken = in_order(cards(step["hand"])), step["on_trick_1"], step["hearts_broken"]
    if "opening_card" in step:
        assert str(lead.low_club(rules)) == step["opening_card"]
    seat = 0
    led: tuple[Card, ...] = ()
    if step["led_suit"]:
        led = (next(card for card in rules.pack if card.code[1] == step["led_suit"]),)
        seat = 1
    position = Position(rules, seat, hand, trick(0, text(led), rules.seats), 1 if first else 2, broken)
    legal = legality.legal_cards(position)
    held = (led, hand) if led else (hand,)
    hands = tuple(held[s] if s < len(held) else () for s in range(rules.seats))
    middle = Middle(1 if first else 2, broken, (), len(hand), False)
    game = Game(rules, names(rules.seats), None, rules.seats - 1, [Given(hands, (), middle, 0)])
    if led:
        game.submit(PlayCard(0, led[0]))
    # a lead breaks hearts only when it is a heart or a Black Maria, which these positions do not lead for others
    assert game.position._replace(hearts_broken=broken) == position
    refusals, granted = {}, {}
    for card in dict.fromkeys(hand):
        refused = legality.refusal(position, card)
        if game.state.hearts_broken == broken:
            assert refused == game.refusal(PlayCard(seat, card))
            assert game.legal_cards() == legal
        assert (refused is None) == (card in legal)
        if refused is not None:
            assert explain.refusal(refused, names(rules.seats))
            assert refused.params["legal"] == legal
            refusals[str(card)] = refused.rule
            continue
        granted[str(card)] = legality.granted_by(position, card)
        if game.state.hearts_broken == broken:
            played = game.submit(PlayCard(seat, card))[0]
            assert isinstance(played, ev.Played) and played.rule == granted[str(card)]
            game.undo()
    absent = next(card for card in PACK if card not in hand)
    unheld = legality.refusal(position, absent)
    return {
        "legal": text(legal), "refusals": refusals, "granted": granted, "not_held": unheld.rule if unheld else "",
    }  # fmt: skip


# --- tricks ---------------------------------------------------------------------------------------------------------


def _trick(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    """The tricks of the case up to this one, as a fragment through a game; what this trick brings comes from its events."""
    rules = rules_of(case, want)
    seats = rules.seats
    steps = case["step"][: index + 1]
    kitty = [card for step in steps if step["kind"] == "kitty" for card in cards(step["cards"])]
    shown = [step for step in steps if step["kind"] == "trick"]
    here = shown[-1]
    start = shown[0]
    played = [(step["leader"], cards(step["cards"])) for step in shown]
    assert all(len(each) == seats for _, each in played), "one card a seat"
    last = here["position"] == "last"
    ahead = () if last else spare(played, seats, rules.packs)
    hands = tuple(
        in_order([each[(seat - leader) % seats] for leader, each in played] + list(ahead[seat : seat + 1]))
        for seat in range(seats)
    )
    first = start["position"] == "first"
    middle = Middle(
        1 if first else 2, start.get("hearts_broken", not first), cards(start.get("aside", "")),
        len(shown) + (not last), last,
    )  # fmt: skip
    dealer = (start["leader"] - 1) % seats
    game = Game(rules, names(seats), None, dealer, [Given(hands, in_order(kitty), middle, start["leader"])])
    before = 0
    for leader, each in played:
        before = len(game.events)
        for i, card in enumerate(each):
            game.submit(PlayCard((leader + i) % seats, card))
    now = game.events[before:]
    state = fold(rules, game.events[:before])
    waits = 0
    for event in now:
        apply(state, event)
        if isinstance(event, ev.TrickDead):
            waits = _points(state.aside, rules)
    took = [e for e in now if isinstance(e, ev.TrickWon | ev.AsideTaken)]
    won = [e for e in now if isinstance(e, ev.TrickWon)]
    dead = [e for e in now if isinstance(e, ev.TrickDead)]
    lost = [e for e in now if isinstance(e, ev.AsideLost)]
    aside = [e for e in now if isinstance(e, ev.AsideTaken)]
    leads = [e for e in now if isinstance(e, ev.LeadAssigned)]
    pairs = [e for e in now if isinstance(e, ev.PairCancelled)]
    broken = [e for e in now if isinstance(e, ev.HeartsBroken)]
    assert len(won) + len(dead) == 1 and len(leads) == (not last)
    assert len({e.seat for e in took}) <= 1
    cards_taken = [card for e in took for card in e.cards]
    whole = trick(here["leader"], here["cards"], seats)
    # the rules functions by themselves say the same as the events
    assert [pair.card for pair in tricks.pairs(rules, whole)] == [e.card for e in pairs]
    winning = tricks.winner(rules, whole)
    assert (winning.seat if winning else None) == (won[0].seat if won else None)
    assert not won or (won[0].card, won[0].cards) == (winning and winning.card, whole.cards)
    assert not dead or dead[0].cards == whole.cards
    for event in now:
        assert explain.event(event, names(seats), rules)
    return {
        "cancelled": text(e.card for e in pairs),
        "pairs": [list(e.seats) for e in pairs],
        "winner": took[0].seat if took else "none",
        "points": _points(cards_taken if took else whole.cards, rules),
        "aside_points": waits if dead else _points(state.aside, rules),
        "next_leader": leads[0].seat if leads else "none",
        "cards_taken": len(cards_taken),
        "points_lost": sum(_points(e.cards, rules) for e in lost),
        "cards_lost": sum(len(e.cards) for e in lost),
        "dead_by": dead[0].rule if dead else "",
        "won_with": str(won[0].card) if won else "",
        "aside_rule": aside[0].rule if aside else "",
        "lead_rule": leads[0].rule if leads else "",
        "granted": [e.rule for e in now if isinstance(e, ev.Played)],
        "broken_by": str(broken[0].card) if broken else "none",
        "hearts_broken": state.hearts_broken,
        "taken": text(cards_taken),
    }  # fmt: skip


# --- scoring --------------------------------------------------------------------------------------------------------


def _piles(rules: Ruleset, hearts: list[int], queens: list[int], bonus: int | None) -> list[list[Card]]:
    """Cards that each seat may have won, to fit the counts."""
    left = [card for card in rules.pack if card.code[1] == "H"]
    taken: list[list[Card]] = []
    for seat in range(rules.seats):
        taken.append(left[: hearts[seat]] + [parse("QS")] * queens[seat] + [parse("2S")] * (seat % 3))
        left = left[hearts[seat] :]
    if bonus is not None and rules.bonus_card is not None:
        taken[bonus].append(rules.bonus_card)
    return taken


def _hand(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    step = case["step"][index]
    rules = rules_of(case, want)
    taken = _piles(rules, step["hearts"], step["queens"], step.get("bonus"))
    shooter = scoring.moon_shooter(rules, taken)
    points = [scoring.points_of(rules, pile) for pile in taken]
    if shooter is None:
        assert list(scoring.entered(rules, taken, None, None)) == points
    all_points = 52 if rules.packs == 2 else 26 - (10 if rules.bonus_card else 0)
    assert sum(points) + step["points_lost"] == all_points == rules.points, "the books of the case do not balance"
    return {"points": points, "moon": "none" if shooter is None else shooter}


def _omnibus(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    step = case["step"][index]
    rules = rules_of(case, want)
    rest = [13 - step["hearts"], *[0] * (rules.seats - 2)], [1 - step["queens"], *[0] * (rules.seats - 2)]
    bonus = rules.bonus_card
    if "bonus_card" in step and (bonus is None or str(bonus) != step["bonus_card"]):
        bonus = None
    taken = _piles(
        rules, [step["hearts"], *rest[0]], [step["queens"], *rest[1]], (0 if step["bonus"] else 1) if bonus else None
    )
    shooter = scoring.moon_shooter(rules, taken)
    return {"points": scoring.points_of(rules, taken[0]), "moon": shooter == 0}


def _moon(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    """A hand in which `shooter` really takes everything, played; `before` are the totals with which it starts."""
    step = case["step"][index]
    rules = rules_of(case, want)
    seat, before = step["shooter"], tuple(step["before"])
    held, kitty = moon_hands(rules, seat)
    game = shoot(arranged(rules, held, kitty, (seat - 1) % rules.seats, totals=before, hands=1))
    shot = [e.seat for e in game.events if isinstance(e, ev.MoonShot)]
    assert shot == [seat], f"moon of {shot}"
    asked = game.asked is not None and game.asked.kind == "moon"
    offered = [choice for choice in MoonChoice if choice != "player"]
    if asked:
        offered = [choice for choice in offered if game.refusal(ChooseMoon(seat, choice)) is None]
        assert game.asked is not None and game.asked.seat == seat
    else:
        offered = [MoonChoice(e.choice) for e in game.events if isinstance(e, ev.MoonChosen)]
    seen: dict[str, Any] = {"choices": sorted(offered), "asked": asked}
    if asked and "choice" in want:
        game.submit(ChooseMoon(seat, MoonChoice(want["choice"])))
    elif asked:
        return seen
    chosen = [e.choice for e in game.events if isinstance(e, ev.MoonChosen)]
    assert chosen == [want.get("choice", offered[0])]
    scored = next(e for e in game.events if isinstance(e, ev.HandScored))
    choice = MoonChoice(chosen[0])
    taken = [in_order(rules.pack) if s == seat else () for s in range(rules.seats)]
    assert scoring.entered(rules, taken, seat, choice) == scored.points
    assert scoring.new_totals(rules, before, scored.points) == scored.totals
    return {
        **seen,
        "points": list(scored.points),
        "totals": list(scored.totals),
        "taken": list(scored.taken),
        "score_rule": scored.rule,
    }


def _match(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    """By the functions, and by a played hand that starts with the totals from which it ends at the wanted ones."""
    step = case["step"][index]
    more = {"target": step["target"]} if "target" in step else {}
    rules = rules_of(case, want, **more)
    totals = scoring.new_totals(rules, step["before"], step["add"])
    seats = rules.seats
    played = play(Game(rules, names(seats), 7, dealer=0, hands=1), [RandomPlayer()] * seats)
    points = played.state.points
    game = Game(rules, names(seats), 7, dealer=0, hands=1)
    zeros = (0,) * seats
    apply(game.state, ev.HandScored(zeros, zeros, tuple(a - b for a, b in zip(totals, points, strict=True))))
    for action in played.actions:
        game.submit(action)
    scored = next(e for e in game.events if isinstance(e, ev.HandScored))
    assert scored.points == points and scored.totals == totals
    won = [e for e in game.events if isinstance(e, ev.MatchWon)]
    over = match.is_over(rules, totals)
    lowest = match.lowest(totals)
    assert bool(won) == over and (not won or won[0].seats == lowest == game.state.winners)
    return {"totals": list(totals), "over": over, "lowest": list(lowest), "win_rule": won[0].rule if won else ""}


# --- what a seat sees, and what the game refuses --------------------------------------------------------------------


def _sees(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    step = case["step"][index]
    rules = rules_of(case, want)
    shown = cards(step["cards"])
    seat, kitty = step["seat"], step.get("kitty", 0)
    event: Any = {
        "Dealt": lambda: ev.Dealt(tuple(shown if s == seat else () for s in range(rules.seats))),
        "KittySet": lambda: ev.KittySet(shown),
        "Passed": lambda: ev.Passed(seat, (seat + 1) % rules.seats, shown),
        "Received": lambda: ev.Received(seat, shown),
        "TrickWon": lambda: ev.TrickWon(seat, shown[0], shown),
        "AsideTaken": lambda: ev.AsideTaken(seat, shown, "trick.aside", kitty=kitty),
        "AsideLost": lambda: ev.AsideLost(shown, kitty=kitty),
    }[step["event"]]()
    seen = []
    for viewer in range(rules.seats):
        told = ev.redact(event, viewer)
        seen.append(text(told.hands[seat] if step["event"] == "Dealt" else told.cards))
        assert explain.event(told, names(rules.seats), rules)
    assert ev.redact(event, None) == event
    return {"seen": seen}


def _act(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    """An action at a moment (pass, play, moon, over): is it refused, by which rule, and has anything changed?"""
    step = case["step"][index]
    rules = rules_of(case, want)
    seats = rules.seats
    if step["moment"] == "moon":
        held, kitty = moon_hands(rules, 0)
        game = shoot(arranged(rules, held, kitty, seats - 1, hands=1))
    else:
        game = Game(rules, names(seats), 7, dealer=0, hands=1, number=4 if step["moment"] == "play" else 1)
        if step["moment"] == "over":
            play(game, [RandomPlayer()] * seats)
    if step["moment"] != "over":
        assert game.asked is not None and game.asked.kind == step["moment"]
    turn = game.asked.seat if game.asked else 0
    seat = {"asked": turn, "other": (turn + 1) % seats, "beyond": seats}[step["seat"]]
    hand = game.state.hands[seat if seat < seats else 0] or (parse("2C"),) * 3
    action: Any = {
        "pass": lambda: PassCards(seat, hand[: step.get("count", rules.pass_count)]),
        "play": lambda: PlayCard(seat, game.legal_cards()[0] if step["moment"] == "play" and seat == turn else hand[0]),
        "subtract": lambda: ChooseMoon(seat, MoonChoice.SUBTRACT),
        "player": lambda: ChooseMoon(seat, MoonChoice.PLAYER),
        "nonsense": lambda: ("pass", seat),
    }[step["do"]]()
    before = (game.events, game.actions, game.asked, list(game.state.hands))
    refused = game.refusal(action)
    try:
        game.submit(action)
    except IllegalAction as error:
        assert refused == error.refusal and str(error)
        assert before == (game.events, game.actions, game.asked, list(game.state.hands))
        return {"refused": error.refusal.rule}
    assert refused is None and game.events != before[0]
    return {"refused": ""}


def _kitty(case: Case, index: int, want: dict[str, Any]) -> dict[str, Any]:
    raise CaseError("a kitty step wants nothing; the tricks after it do")


Observe = Callable[[Case, int, dict[str, Any]], dict[str, Any]]
KINDS: dict[str, tuple[str, set[str], set[str], Observe]] = {
    "prose": ("written out", {"check"}, set(), _kitty),
    "deal": ("the deal", set(), set(), _deal),
    "setup": ("the table", set(), {"seats"}, _setup),
    "dealer": ("three hands", {"dealer"}, set(), _dealer),
    "pass": ("the pass", {"hand_number"}, set(), _pass),
    "legal": ("one play", {"on_trick_1", "hearts_broken", "led_suit", "hand"}, {"opening_card"}, _legal),
    "trick": ("one trick", {"position", "leader", "cards"}, {"hearts_broken", "aside"}, _trick),
    "kitty": ("leftovers", {"cards"}, set(), _kitty),
    "hand": ("a hand's score", {"points_lost", "hearts", "queens"}, {"bonus"}, _hand),
    "moon": ("a moon", {"shooter", "before"}, set(), _moon),
    "match": ("the end", {"before", "add"}, {"target"}, _match),
    "omnibus": ("one pile", {"hearts", "queens", "bonus"}, {"bonus_card"}, _omnibus),
    "sees": ("who sees what", {"event", "seat", "cards"}, {"kitty"}, _sees),
    "act": ("an action", {"moment", "do", "seat"}, {"count"}, _act),
}  # fmt: skip
