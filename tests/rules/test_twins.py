"""Each deciding function is replaced by a wrong twin, and a case that names the rule must then fail.

So the cases bite, the rulebook points at the code that really decides, and the game reaches that code where it stands.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cancel_hearts_nb.cards import Suit
from cancel_hearts_nb.rulebook import BY_ID, RULES
from cancel_hearts_nb.rules.legality import Narrowing
from cancel_hearts_nb.rules.nouns import Play
from cancel_hearts_nb.ruleset import BLACK_MARIA, MoonChoice

from .casework import Case, CaseError, check, load

CASES = load()
GOLDEN = Path(__file__).parent.parent / "golden"


class Twin(NamedTuple):
    """A wrong function for the one that decides `rule`; `make` gets the right one."""

    rule: str
    reason: str
    make: Callable[[Any], Any]


def place(rule: str) -> tuple[Any, str]:
    """The object that holds the deciding function of `rule`, and its name there."""
    parts = BY_ID[rule].decided_by.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            owner: Any = importlib.import_module("cancel_hearts_nb." + ".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:-1]:
            owner = getattr(owner, name)
        return owner, parts[-1]
    raise AssertionError(BY_ID[rule].decided_by)


def _constant(value: Any) -> Callable[[Any], Any]:
    return lambda right: lambda *args: value


def _all_cards(right: Any) -> Any:
    return lambda position, hand: hand


def _without_refusal(*rules: str) -> Callable[[Any], Any]:
    def make(right: Any) -> Any:
        def wrong(game: Any, action: Any) -> Any:
            found = right(game, action)
            return None if found is not None and found.rule in rules else found

        return wrong

    return make


def _no_waiving(right: Any) -> Any:
    def wrong(position: Any) -> Narrowing:
        from cancel_hearts_nb.rules import legality

        hand, steps = position.hand, []
        for rule, keep in legality.restrictions(position):
            kept = keep(position, hand)
            if len(kept) < len(hand):
                steps.append((rule, kept))
            hand = kept
        return Narrowing(hand, tuple(steps), ())

    return wrong


def _lowest_lead(right: Any) -> Any:
    def wrong(position: Any) -> Narrowing:
        found = right(position)
        return found if position.trick.plays else found._replace(legal=found.legal[:1])

    return wrong


def _pairs_of_rank(right: Any) -> Any:
    def wrong(rules: Any, trick: Any) -> Any:
        first = trick.plays[0].card.suit
        shifted = trick._replace(plays=tuple(Play(p.seat, type(p.card)(p.card.rank, first)) for p in trick.plays))
        return right(rules, shifted)

    return wrong


def _pairs_in_suit_led(right: Any) -> Any:
    from cancel_hearts_nb.rules import trick as tricks

    return lambda rules, trick: (
        rules.dead_rule == "two_pairs"
        and len([p for p in tricks.pairs(rules, trick) if p.card.suit is trick.suit]) >= 2
    )


def _exactly_two(right: Any) -> Any:
    from cancel_hearts_nb.rules import trick as tricks

    return lambda rules, trick: rules.dead_rule == "two_pairs" and len(tricks.pairs(rules, trick)) == 2


def _every_player(right: Any) -> Any:
    def wrong(rules: Any, taken: Any, shooter: Any, choice: Any) -> Any:
        points = right(rules, taken, shooter, choice)
        if choice is MoonChoice.ADD_TO_OTHERS:
            points = tuple(p + (int(rules.moon_points) if seat == shooter else 0) for seat, p in enumerate(points))
        return points

    return wrong


def _shooter_also_scores(right: Any) -> Any:
    def wrong(rules: Any, taken: Any, shooter: Any, choice: Any) -> Any:
        points, own = right(rules, taken, shooter, choice), right(rules, taken, None, None)
        return (
            points
            if shooter is None
            else tuple(p + (own[seat] if seat == shooter else 0) for seat, p in enumerate(points))
        )

    return wrong


def _moon_by_total(right: Any) -> Any:
    def wrong(rules: Any, taken: Any) -> Any:
        from cancel_hearts_nb.rules import scoring

        totals = [scoring.points_of(rules, pile) for pile in taken]
        return totals.index(26) if 26 in totals else None

    return wrong


def _thirteen_and_one(right: Any) -> Any:
    def wrong(rules: Any, taken: Any) -> Any:
        for seat, pile in enumerate(taken):
            if sum(c.suit is Suit.HEARTS for c in pile) >= 13 and BLACK_MARIA in pile:
                return seat
        return None

    return wrong


def _moon_without_queens(right: Any) -> Any:
    def wrong(rules: Any, taken: Any) -> Any:
        counts = [sum(c.suit is Suit.HEARTS for c in pile) for pile in taken]
        return counts.index(13 * rules.packs) if 13 * rules.packs in counts else None

    return wrong


def _low_pair(right: Any) -> Any:
    def wrong(rules: Any, trick: Any) -> Any:
        from cancel_hearts_nb.rules import trick as tricks

        if rules.last_dead != "second_of_top_pair":
            return right(rules, trick)
        return min(tricks.pairs(rules, trick), key=lambda pair: pair.card.rank).seats[1]

    return wrong


def _any_top_pair(last: bool) -> Callable[[Any], Any]:
    def make(right: Any) -> Any:
        def wrong(rules: Any, trick: Any) -> Any:
            from cancel_hearts_nb.rules import trick as tricks

            if rules.last_dead != "second_of_top_pair":
                return right(rules, trick)
            found = tricks.pairs(rules, trick)
            if last:
                suit = [pair for pair in found if pair.card.suit is trick.suit]
                return max(reversed(suit or list(found)), key=lambda pair: pair.card.rank).seats[1]
            return max(found, key=lambda pair: pair.card.rank).seats[1]

        return wrong

    return make


TWINS = (
    Twin("deal.players", "five may play Cancellation Hearts, and eight may play Hearts", _constant(range(3, 13))),
    Twin("deal.packs", "one pack is enough for everybody", _constant(1)),
    Twin("deal.removed", "nothing is taken out of the pack", _constant(())),
    Twin("deal.removed", "6 players lose black cards instead of the 3♦", lambda right: lambda game, seats: right(game, 5) if seats == 6 else right(game, seats)),
    Twin("trick.rank", "the ace is low", lambda right: lambda card: card.rank.value % 14),
    Twin("trick.rank", "the ten stands above the king, as in other games", lambda right: lambda card: 13.5 if card.code[0] == "T" else right(card)),
    Twin("match.lowest", "the highest total wins", lambda right: lambda totals: right([-total for total in totals])),
    Twin("match.lowest", "one player alone can win", lambda right: lambda totals: right(totals)[:1]),
    Twin("deal.even", "one card fewer each, so that a kitty is sure", lambda right: lambda count, seats: right(count, seats) - 1),
    Twin("deal.kitty", "there is no kitty", _constant(0)),
    Twin("deal.dealer", "the deal moves to the right", lambda right: lambda dealer, seats: (dealer - 1) % seats),
    Twin("deal.dealer", "the same dealer deals again", lambda right: lambda dealer, seats: dealer),
    Twin("pass.count", "any number of cards may be passed", _constant(None)),
    Twin("pass.direction", "right first, then left", lambda right: lambda rules, number, seat: None if (to := right(rules, number, seat)) is None else (2 * seat - to) % rules.seats),
    Twin("pass.direction", "to the left in every hand", lambda right: lambda rules, number, seat: None if right(rules, number, seat) is None else (seat + 1) % rules.seats),
    Twin("pass.none", "the cycle has no hand without a pass", lambda right: lambda rules, number: "left" if right(rules, number) == "none" else right(rules, number)),
    Twin("pass.blind", "everybody gets the own cards back", lambda right: lambda given, to: given),
    Twin("pass.held", "any cards may be passed, held or not", _constant(None)),
    Twin("pass.held", "a card counts as often as it is named", lambda right: lambda seat, dealt, given: right(seat, dealt * 2, given)),
    Twin("lead.opening", "the dealer leads", lambda right: lambda rules, dealer, hands: dealer),
    Twin("lead.opening", "the dealer's right leads", lambda right: lambda rules, dealer, hands: (dealer - 1) % rules.seats),
    Twin("lead.low_club", "any card opens", _all_cards),
    Twin("lead.low_club", "any club opens", lambda right: lambda position, hand: tuple(c for c in hand if c.suit is Suit.CLUBS) if right(position, hand) != hand else hand),
    Twin("lead.opening_free", "any card may be led first", _all_cards),
    Twin("lead.opening_free", "the Black Maria may be led at any time, first too", lambda right: lambda position, hand: tuple(c for c in hand if c in right(position, hand) or c is BLACK_MARIA)),
    Twin("follow.suit", "any card may be played", _all_cards),
    Twin("follow.suit", "the Black Maria need not follow", lambda right: lambda position, hand: tuple(c for c in right(position, hand) if c is not BLACK_MARIA)),
    Twin("follow.void", "a single card of the suit led need not be played", lambda right: lambda trick, hand: sum(c.suit is trick.plays[0].card.suit for c in hand) < 2),
    Twin("follow.void", "nobody is ever without the suit", _constant(False)),
    Twin("follow.first_trick", "penalty cards may be discarded on trick 1", _all_cards),
    Twin("follow.first_trick", "the ban holds in Cancellation Hearts too", lambda right: lambda position, hand: tuple(c for c in hand if c.suit is not Suit.HEARTS and c is not BLACK_MARIA) if position.trick_number == 1 else hand),
    Twin("follow.first_trick", "the ban holds on every trick", lambda right: lambda position, hand: right(position._replace(trick_number=1), hand)),
    Twin("trick.highest", "the lowest card wins", lambda right: lambda plays: min(plays, key=lambda play: play.card.rank)),
    Twin("trick.highest", "the last card of the suit wins", lambda right: lambda plays: plays[-1]),
    Twin("trick.pile", "everybody sees everything", lambda right: lambda event, viewer: event),
    Twin("trick.pile", "who takes the kitty looks at it", lambda right: lambda event, viewer: event if event.name == "AsideTaken" and event.seat == viewer else right(event, viewer)),
    Twin("lead.winner", "the winner's left leads", lambda right: lambda winner: winner + 1),
    Twin("play.lead", "only the lowest card may be led", _lowest_lead),
    Twin("play.waived", "a rule that leaves no card is not dropped", _no_waiving),
    Twin("lead.hearts_unbroken", "hearts may be led from the start", _all_cards),
    Twin("lead.black_maria", "the Black Maria too must wait until hearts are broken", lambda right: lambda position, hand: tuple(c for c in right(position, hand) if c is not BLACK_MARIA or position.hearts_broken)),
    Twin("lead.breaking", "only hearts break hearts", lambda right: lambda rules, card: card.suit is Suit.HEARTS),
    Twin("lead.breaking", "nothing breaks hearts", _constant(False)),
    Twin("lead.breaking", "a Black Maria breaks hearts at every table", lambda right: lambda rules, card: card.suit is Suit.HEARTS or card is BLACK_MARIA),
    Twin("lead.heart_over_bm", "there is no such option", _constant(False)),
    Twin("lead.heart_over_bm", "a heart may always be led instead of a Black Maria", lambda right: lambda rules, hand: all(c.suit is Suit.HEARTS or c is BLACK_MARIA for c in hand)),
    Twin("lead.heart_over_bm", "the option opens hearts for every hand", lambda right: lambda rules, hand: rules.lead_heart_over_bm == "on"),
    Twin("trick.pairs_cancel", "nothing cancels", _constant(())),
    Twin("trick.pairs_cancel", "cards of one rank cancel, whatever their suit", _pairs_of_rank),
    Twin("trick.pairs_cancel", "only the first pair of a trick cancels", lambda right: lambda rules, trick: right(rules, trick)[:1]),
    Twin("trick.dead", "two pairs do not kill a trick", _constant(False)),
    Twin("trick.dead", "one pair kills a trick", lambda right: lambda rules, trick: len(set(trick.cards)) < len(trick.cards)),
    Twin("trick.dead", "only pairs of the suit led count", _pairs_in_suit_led),
    Twin("trick.dead", "exactly two pairs, and no more", _exactly_two),
    Twin("trick.dead", "two pairs kill the trick at every table", lambda right: lambda rules, trick: len(trick.cards) - len(set(trick.cards)) >= 2),
    Twin("trick.none_left", "a card of another suit wins then", lambda right: lambda rules, trick: right(rules, trick) or tuple(p for p in trick.plays if trick.cards.count(p.card) == 1)),
    Twin("trick.none_left", "the first of a pair still wins", lambda right: lambda rules, trick: tuple(p for p in trick.plays if p.card.suit is trick.suit)),
    Twin("lead.after_dead", "the leader's left leads after a dead trick", lambda right: lambda rules, trick: (trick.leader + 1) % rules.seats),
    Twin("lead.after_dead", "the same player leads at every table", lambda right: lambda rules, trick: trick.leader),
    Twin("trick.aside", "the cards set aside go to the winner's left", lambda right: lambda won_by: won_by - 1 if won_by else won_by + 1),
    Twin("trick.kitty", "the kitty goes to the first seat", _constant(0)),
    Twin("trick.kitty", "the kitty goes to the winner's right", lambda right: lambda won_by: won_by - 1 if won_by else won_by + 1),
    Twin("trick.last_dead", "the leader of a dead last trick takes it", lambda right: lambda rules, trick: trick.leader),
    Twin("trick.last_dead", "nobody ever takes it", _constant(None)),
    Twin("trick.last_dead", "the lowest pair counts", _low_pair),
    Twin("trick.last_dead", "the highest pair counts, whatever the suit led", _any_top_pair(False)),
    Twin("trick.last_dead", "of equal pairs the one completed last counts", _any_top_pair(True)),
    Twin("score.hand", "a Black Maria costs 12", lambda right: lambda rules, card: 12 if card is BLACK_MARIA else right(rules, card)),
    Twin("score.hand", "hearts cost their rank", lambda right: lambda rules, card: card.rank.value if card.suit is Suit.HEARTS else right(rules, card)),
    Twin("score.bonus", "the bonus card costs ten points", lambda right: lambda rules, card: abs(right(rules, card))),
    Twin("score.bonus", "the bonus card is always the ten", lambda right: lambda rules, card: (-10 if card.code == "TD" else 0 if card.suit is Suit.DIAMONDS else right(rules, card)) if rules.omnibus != "off" else right(rules, card)),
    Twin("score.moon", "26 points are a moon", _moon_by_total),
    Twin("score.moon", "13 hearts and one Black Maria are a moon", _thirteen_and_one),
    Twin("score.moon", "the Black Marias are not needed", _moon_without_queens),
    Twin("score.moon", "nobody shoots the moon", _constant(None)),
    Twin("score.moon_choice", "26 go to every player, the shooter too", _every_player),
    Twin("score.moon_choice", "the shooter also scores the cards", _shooter_also_scores),
    Twin("score.floor", "no total falls below zero", lambda right: lambda rules, totals, points: tuple(max(0, t) for t in right(rules, totals, points))),
    Twin("score.floor", "there is no floor", lambda right: lambda rules, totals, points: tuple(a + b for a, b in zip(totals, points, strict=True))),
    Twin("score.sheet", "one column for all", lambda right: lambda rules, totals, points: (sum(right(rules, totals, points)),) * len(totals)),
    Twin("score.sheet", "everybody's points go into the next column", lambda right: lambda rules, totals, points: right(rules, totals, tuple(points[-1:]) + tuple(points[:-1]))),
    Twin("match.target", "every game is played to 100", _constant(100)),
    Twin("match.end", "the target must be passed, not only reached", lambda right: lambda rules, totals: max(totals) > rules.target),
    Twin("match.end", "the match ends when everybody has reached the target", lambda right: lambda rules, totals: min(totals) >= rules.target),
    Twin("match.tie", "a tie always ends the match", _constant(False)),
    Twin("match.tie", "a tie always goes on", lambda right: lambda rules, totals: sorted(totals)[0] == sorted(totals)[1]),
    Twin("play.turn", "anybody may act", _without_refusal("play.turn")),
    Twin("play.moment", "everything may be done at any time", _without_refusal("play.moment")),
    Twin("play.seat", "strangers may act", _without_refusal("play.seat")),
    Twin("play.held", "a card from the sleeve", lambda right: lambda position, card: None if card not in position.hand else right(position, card)),
)  # fmt: skip


def reds(cases: list[Case], enough: int = 10**9) -> list[str]:
    """The ids of the cases that fail now; stops when there are `enough`."""
    found = []
    for case in cases:
        try:
            check(case)
        except CaseError:
            raise
        except Exception:
            found.append(case["id"])
            if len(found) >= enough:
                break
    return found


@pytest.mark.parametrize("twin", [pytest.param(twin, id=f"{twin.rule}: {twin.reason}") for twin in TWINS])
def test_a_case_of_the_rule_fails_under_the_wrong_twin(twin: Twin, monkeypatch: pytest.MonkeyPatch) -> None:
    named = [case for case in CASES if twin.rule in case["rules"]]
    assert not reds(named), "red before anything was changed"
    owner, name = place(twin.rule)
    monkeypatch.setattr(owner, name, twin.make(getattr(owner, name)))
    assert reds(named, enough=1), f"{BY_ID[twin.rule].decided_by} can be wrong ({twin.reason}) and no case notices"


def test_every_rule_and_every_deciding_function_has_a_twin() -> None:
    assert {twin.rule for twin in TWINS} == {rule.id for rule in RULES}


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="tests/golden is not there")
def test_every_golden_record_fails_under_some_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    from cancel_hearts_nb import record

    for path in sorted(GOLDEN.glob("*.toml")):
        record.load(path)
        killers = []
        for twin in TWINS:
            owner, name = place(twin.rule)
            with monkeypatch.context() as patch:
                patch.setattr(owner, name, twin.make(getattr(owner, name)))
                try:
                    record.load(path)
                except Exception:
                    killers.append(twin.reason)
                    break
        assert killers, f"{path.name} holds whatever the rules are"
