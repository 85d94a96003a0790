"""One test that every table must pass: every game, preset, size and dead_rule, on random and on pair-heavy deals."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from cancel_hearts_nb import events as ev
from cancel_hearts_nb import explain, frames, record, seeds
from cancel_hearts_nb.cards import Card, in_order
from cancel_hearts_nb.game import ChooseMoon, Game, IllegalAction, PassCards, PlayCard, State, apply, fold
from cancel_hearts_nb.players import RandomPlayer, play, view
from cancel_hearts_nb.rulebook import BY_ID
from cancel_hearts_nb.rules import passing
from cancel_hearts_nb.rules.nouns import Trick
from cancel_hearts_nb.ruleset import CHOICES, MoonChoice, Ruleset, RulesetError, given_options, ruleset

from .tables import (
    TwinPlayer,
    all_tables,
    arranged,
    cost,
    few_suits,
    full_pack,
    moon_hands,
    names,
    replay,
    shoot,
    twins_apart,
)

SIZES = {"cancellation": (6, 9), "hearts": (4, 5), "omnibus": (3, 6)}
TARGETS = {"cancellation": 30, "hearts": 26, "omnibus": 16}
MOST_HANDS = 40
TABLES = list(all_tables())


# --- the checks -----------------------------------------------------------------------------------------------------


def everywhere(state: State, rules: Ruleset) -> Counter[Card]:
    """All cards, wherever they lie: in hands, on their way, in the trick, aside, taken, lost."""
    found: Counter[Card] = Counter()
    for pile in (*state.hands, *state.taken, state.aside, state.lost):
        found.update(pile)  # type: ignore[arg-type]
    for seat, given in state.passed.items():
        if passing.receiver(rules, state.number, seat) not in state.received:
            found.update(given)  # type: ignore[arg-type]
    if state.trick:
        found.update(state.trick.cards)
    return found


def visible(value: Any) -> Iterator[Card]:
    """Every card that can be reached from `value`."""
    if isinstance(value, Card):
        yield value
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from visible(getattr(value, field.name))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from visible(key)
            yield from visible(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from visible(item)


# what a seat may see of each event: exactly these cards, no more and no fewer
MAY_SEE: dict[type, Any] = {
    ev.HandStarted: lambda e, seat: (),
    ev.Dealt: lambda e, seat: e.hands[seat],
    ev.KittySet: lambda e, seat: (),
    ev.PassSkipped: lambda e, seat: (),
    ev.Passed: lambda e, seat: e.cards if e.seat == seat else (),
    ev.Received: lambda e, seat: e.cards if e.seat == seat else (),
    ev.LeadAssigned: lambda e, seat: (),
    ev.Played: lambda e, seat: (e.card,),
    ev.HeartsBroken: lambda e, seat: (e.card,),
    ev.PairCancelled: lambda e, seat: (e.card,),
    ev.TrickWon: lambda e, seat: (e.card, *e.cards),
    ev.TrickDead: lambda e, seat: e.cards,
    ev.AsideTaken: lambda e, seat: e.cards[e.kitty :],
    ev.AsideLost: lambda e, seat: e.cards[e.kitty :],
    ev.MoonShot: lambda e, seat: (),
    ev.MoonChosen: lambda e, seat: (),
    ev.HandScored: lambda e, seat: (),
    ev.MatchWon: lambda e, seat: (),
}
SAME = ("number", "dealer", "kitty", "skipped", "trick", "trick_number", "tricks", "to_play", "hearts_broken", "won", "dead", "counts", "shooter", "choice", "points", "totals", "winners", "scored", "middle")  # fmt: skip


def agrees(full: State, seen: State, seat: int) -> None:
    """The state folded from what `seat` saw is the full state with exactly the hidden cards missing."""
    for name in SAME:
        assert getattr(full, name) == getattr(seen, name), name
    assert seen.hands[seat] == full.hands[seat]
    for other, hand in enumerate(seen.hands):
        assert len(hand) == len(full.hands[other])
        assert other == seat or not any(hand)
    hidden = 0
    for known, true in ((seen.aside, full.aside), (seen.lost, full.lost), *zip(seen.taken, full.taken, strict=True)):
        assert len(known) == len(true)
        assert all(a is None or a is b for a, b in zip(known, true, strict=True))
        hidden += sum(card is None for card in known)
    assert hidden == full.ruleset.kitty_size
    for giver, given in full.passed.items():
        assert seen.passed[giver] == (given if giver == seat else (None,) * len(given))
    for taker, came in full.received.items():
        assert seen.received[taker] == (came if taker == seat else (None,) * len(came))


class Watch:
    """Follows a game event by event, with one state for each seat beside the true one, and checks all of them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = game.ruleset
        self.pack = Counter(full_pack(self.rules.packs, " ".join(map(str, self.rules.removed))))
        self.true = State(self.rules)
        self.seen = [State(self.rules) for _ in range(self.rules.seats)]
        self.at = 0
        self.played: Counter[Card] = Counter()
        self.wins: Counter[int] = Counter()
        self.hands = 0

    def catch_up(self) -> None:
        new = self.game.events[self.at :]
        self.at += len(new)
        for event in new:
            self.event(event)
        for seat, seen in enumerate(self.seen):
            agrees(self.true, seen, seat)

    def event(self, event: Any) -> None:
        kind = type(event)
        before = self.true.trick
        apply(self.true, event)
        assert event.rule in BY_ID
        if kind is ev.HandStarted:
            self.played, self.wins = Counter(), Counter()
        elif kind is not ev.Dealt or self.rules.kitty_size == 0:
            # between the deal and the kitty laid down the leftovers are nowhere yet
            assert everywhere(self.true, self.rules) == self.pack
        if kind is ev.Played:
            self.played[event.card] += 1
        if kind is ev.Dealt:
            assert all(hand == in_order(hand) and len(hand) == self.rules.hand_size for hand in event.hands)
        if kind is ev.TrickWon:
            assert before is not None
            self.wins[event.seat] += 1
            self.won(event, before)
        if kind is ev.TrickDead:
            assert before is not None and self.rules.packs == 2
            copies = Counter(event.cards)
            led = [card for card in event.cards if card.suit is event.cards[0].suit and copies[card] == 1]
            two = sum(n == 2 for n in copies.values()) >= 2
            assert not led or (two and self.rules.dead_rule == "two_pairs")
            assert event.rule == ("trick.dead" if two and self.rules.dead_rule == "two_pairs" else "trick.none_left")
        if kind is ev.HandScored:
            self.scored(event)
        for seat, seen in enumerate(self.seen):
            told = ev.redact(event, seat)
            cards = sorted(visible(told))
            assert cards == sorted(MAY_SEE[kind](event, seat)), (event, seat)
            assert type(told) is kind and told.rule == event.rule
            if kind in (ev.TrickWon, ev.TrickDead, ev.AsideTaken, ev.AsideLost, ev.PairCancelled, ev.HeartsBroken):
                assert set(cards) <= set(self.played)
            apply(seen, told)

    def won(self, event: ev.TrickWon, trick: Any) -> None:
        card = event.card
        assert card.suit is trick.plays[0].card.suit
        assert event.cards == trick.cards and event.cards.count(card) == 1
        assert (event.seat, card) in trick.plays
        alive = [c for c in event.cards if c.suit is card.suit and event.cards.count(c) == 1]
        assert card is max(alive, key=lambda c: "23456789TJQKA".index(c.code[0]))
        pairs = sum(n == 2 for n in Counter(event.cards).values())
        assert pairs < 2 or self.rules.dead_rule == "no_led"

    def scored(self, event: ev.HandScored) -> None:
        rules, state = self.rules, self.true
        self.hands += 1
        assert not any(state.hands) and not state.aside and state.trick is None
        assert len(state.tricks) == rules.hand_size == state.trick_number
        assert state.counts == [self.wins[seat] for seat in range(rules.seats)]
        bonus = "" if rules.omnibus == "off" else str(rules.omnibus)
        lost = sum(cost(card, bonus) for card in state.lost if card)
        assert sum(event.taken) + lost == (52 if rules.name == "cancellation" else 16 if bonus else 26)
        assert list(event.taken) == [sum(cost(card, bonus) for card in pile if card) for pile in state.taken]
        if state.shooter is None:
            assert event.points == event.taken
        assert sum(len(pile) for pile in state.taken) + len(state.lost) == len(rules.pack)

    def position(self) -> None:
        """Every card of the seat to act, and what must be refused whatever the cards are."""
        game, rules = self.game, self.rules
        assert game.asked is not None
        kind, seat = game.asked
        hand = game.state.hands[seat]
        before = (game.events, game.asked)
        other = (seat + 1) % rules.seats
        wrong: list[Any] = [(PlayCard(rules.seats, rules.pack[0]), "play.seat"), (("play", seat), "play.moment")]
        if kind != "pass":
            wrong.append((PassCards(seat, hand[:3]), "play.moment"))  # type: ignore[arg-type]
        if kind != "moon":
            wrong.append((ChooseMoon(seat, "subtract"), "play.moment"))  # type: ignore[arg-type]
        if kind == "play":
            legal = game.legal_cards()
            assert legal and not Counter(legal) - Counter(hand)
            assert legal == in_order(legal)
            wrong.append(
                (PlayCard(other, game.state.hands[other][0] if game.state.hands[other] else rules.pack[0]), "play.turn")
            )
            absent = next(card for card in rules.pack if card not in hand)
            wrong.append((PlayCard(seat, absent), "play.held"))
            for card in dict.fromkeys(hand):
                if card not in legal:
                    refused = game.refusal(PlayCard(seat, card))  # type: ignore[arg-type]
                    assert refused is not None
                    wrong.append((PlayCard(seat, card), refused.rule))  # type: ignore[arg-type]
                else:
                    assert game.refusal(PlayCard(seat, card)) is None
        elif kind == "pass":
            wrong.append((PassCards(other, game.state.hands[other][: rules.pass_count]), "play.turn"))  # type: ignore[arg-type]
            wrong += [(PassCards(seat, hand[: rules.pass_count + more]), "pass.count") for more in (-1, 1)]  # type: ignore[arg-type]
        for action, rule in wrong:
            with pytest.raises(IllegalAction) as caught:
                game.submit(action)
            assert caught.value.refusal.rule == rule and rule in BY_ID
            assert str(caught.value) == explain.refusal(caught.value.refusal, game.names) != ""
        assert before == (game.events, game.asked)
        self.view(seat)

    def view(self, seat: int) -> None:
        """What the player is given is what the redacted events tell that seat."""
        shown, seen = view(self.game), self.seen[seat]
        assert (shown.seat, shown.hand) == (seat, seen.hands[seat])
        assert (shown.trick_number, shown.hearts_broken, shown.kitty) == (
            seen.trick_number,
            seen.hearts_broken,
            seen.kitty,
        )
        assert shown.tricks == tuple(seen.tricks) and shown.totals == seen.totals
        assert seen.trick is None or shown.trick == seen.trick
        assert list(shown.aside) == [card for card in seen.aside if card is not None]
        assert shown.given == seen.passed.get(seat, ()) and shown.received == seen.received.get(seat, ())
        known = set(shown.hand) | set(self.played) | set(shown.given) | set(shown.received)
        fields = {name: value for name, value in shown._asdict().items() if name != "ruleset"}
        assert set(visible(fields)) <= known


LETTERS = {
    ev.HandStarted: "S", ev.Dealt: "D", ev.KittySet: "K", ev.PassSkipped: "N", ev.Passed: "P", ev.Received: "R",
    ev.LeadAssigned: "L", ev.Played: "C", ev.HeartsBroken: "B", ev.PairCancelled: "X", ev.TrickWon: "W", ev.TrickDead: "T",
    ev.AsideTaken: "A", ev.AsideLost: "O", ev.MoonShot: "M", ev.MoonChosen: "I", ev.HandScored: "Z", ev.MatchWon: "V",
}  # fmt: skip


def in_their_order(events: Sequence[Any], rules: Ruleset) -> None:
    """Events come in the order that is promised, cards clockwise, passes and what they bring in seat order."""
    seats, size = rules.seats, rules.hand_size
    plays = f"L(CB?X?){{{seats}}}"
    text = "".join(LETTERS[type(event)] for event in events)
    kitty = "K" if rules.kitty_size else ""
    hand = f"SD{kitty}(N|P{{{seats}}}R{{{seats}}})({plays}(WA?|T)){{{size - 1}}}{plays}(WA?|T[AO])(MI)?Z"
    assert re.fullmatch(f"({hand})+V?", text)
    number, dealer, turn = events[0].number - 1, (events[0].dealer - 1) % seats, 0
    before: Any = None
    for event in events:
        kind = type(event)
        if kind is ev.HandStarted:
            number, dealer, broken, aside, turn = number + 1, (dealer + 1) % seats, 0, rules.kitty_size, 0
            assert (event.number, event.dealer) == (number, dealer)
        elif kind is ev.Passed or kind is ev.Received:
            assert event.seat == turn
            turn = (turn + 1) % seats
            assert kind is ev.Received or event.to != event.seat
        elif kind is ev.LeadAssigned:
            turn = event.seat
            if isinstance(before, ev.TrickDead):
                left = rules.dead_lead == "left_of_leader"
                assert (event.seat, event.rule) == ((before.leader + left) % seats, "lead.after_dead")
            elif isinstance(before, ev.TrickWon | ev.AsideTaken):
                assert (event.seat, event.rule) == (before.seat, "lead.winner")
            else:
                assert event.rule == ("lead.low_club" if rules.opening == "low_club" else "lead.opening")
                assert event.rule == "lead.low_club" or event.seat == (dealer + 1) % seats
        elif kind is ev.Played:
            assert event.seat == turn
            turn = (turn + 1) % seats
        elif kind is ev.HeartsBroken:
            assert (before.seat, before.card) == (event.seat, event.card) and broken == 0
            broken = 1
        elif kind is ev.TrickDead:
            aside += seats
        elif kind is ev.AsideTaken or kind is ev.AsideLost:
            assert len(event.cards) == aside > 0
            aside = 0
        if kind is ev.TrickWon:
            won = event
        elif isinstance(before, ev.TrickWon):
            # what waits is taken with the next trick that is won, and only then
            assert (kind is ev.AsideTaken) == (aside > 0 or kind is ev.AsideTaken)
            assert kind is not ev.AsideTaken or event.seat == won.seat
        before = event


def finished(game: Game) -> None:
    """The match is over: nothing more is asked, and nothing can be done."""
    assert game.asked is None
    assert isinstance(game.events[-1], ev.MatchWon)
    totals = game.state.totals
    assert max(totals) >= game.ruleset.target
    assert game.state.winners == tuple(seat for seat, total in enumerate(totals) if total == min(totals))
    for event in game.events:
        if isinstance(event, ev.HandScored) and event is not game.events[-2]:
            lowest = event.totals.count(min(event.totals))
            assert max(event.totals) < game.ruleset.target or (game.ruleset.tie == "play_on" and lowest > 1)
    assert game.refusal(PlayCard(0, game.ruleset.pack[0])) is not None


def undone_and_redone(game: Game, steps: int) -> None:
    events, actions = game.events, game.actions
    steps = min(steps, len(actions))
    for _ in range(steps):
        if game.asked and game.asked.kind == "play":
            game.legal_cards()
        assert game.undo()
        assert game.asked is not None
        if game.asked.kind == "play":
            # nothing that was worked out for the later position is left over
            assert game.position.seat == game.asked.seat and game.position.hand == game.state.hands[game.asked.seat]
            assert not Counter(game.legal_cards()) - Counter(game.position.hand)
    assert game.events == events[: len(game.events)] and len(game.events) < len(events)
    assert game.actions == actions[: len(actions) - steps]
    folded = fold(game.ruleset, game.events)
    assert all(getattr(folded, name) == getattr(game.state, name) for name in State.__slots__)
    replay(game, actions[len(actions) - steps :])
    assert game.events == events and game.actions == actions


def last_hand(events: Sequence[ev.Event]) -> tuple[ev.Event, ...]:
    start = max(i for i, e in enumerate(events) if isinstance(e, ev.HandStarted))
    return tuple(events[start:])


def frames_agree(game: Game, viewer: int | None) -> None:
    """Frames added up say where the cards are, at the end of a hand and in the middle of it, and show nothing too early."""
    rules = game.ruleset
    events = last_hand(game.events)
    made = frames.frames(events, rules, viewer)
    assert len(made) == len(events)
    played: Counter[Card] = Counter()
    keys = set()
    for event, frame in zip(events, made, strict=True):
        assert frame.event == ev.redact(event, viewer)
        if isinstance(event, ev.Played):
            played[event.card] += 1
        for placed in frame.placements:
            keys.add(placed.key)
            assert placed.face_up == (placed.card is not None)
            assert placed.zone != "p" or placed.card is None
            if viewer is not None and placed.card is not None and (placed.zone, placed.seat) != ("h", viewer):
                assert played[placed.card]
    assert len(keys) == len(rules.pack)
    middle = [i for i, e in enumerate(events) if isinstance(e, ev.Played) and isinstance(events[i + 1], ev.Played)]
    for cut in (*middle[:: max(1, len(middle) // 3)], len(events) - 1):
        table = frames.fold(made[: cut + 1])
        state = fold(rules, [ev.redact(event, viewer) for event in events[: cut + 1]])
        for seat in range(rules.seats):
            assert table.zone("h", seat) == state.hands[seat]
            assert Counter(table.zone("w", seat)) == Counter(state.taken[seat])
            assert table.status["n"][seat][:2] == [len(state.hands[seat]), state.counts[seat]]
        # the kitty lies face down until somebody takes it, even where all hands are open
        assert table.zone("a") == (None,) * state.kitty + tuple(state.aside[state.kitty :])
        assert Counter(table.zone("g")) == Counter(state.lost)
        in_trick = {p.seat: p.card for p in table.placements.values() if p.zone == "t"}
        assert in_trick == {p.seat: p.card for p in (state.trick.plays if state.trick else ())}
        if state.trick and cut in middle:
            assert table.status["best"] == _best(rules, state.trick)
        assert table.status["broken"] == state.hearts_broken
        assert table.status["hand"] == state.number and table.status["dealer"] == state.dealer
    assert table.status["totals"] == list(game.state.totals)
    assert table.status["turn"] == -1 and table.status["best"] == -2


def _best(rules: Ruleset, trick: Trick) -> int:
    """Who has the highest card of the suit led without a twin, unless two pairs lie there: said anew, in one go."""
    count = Counter(card for _, card in trick.plays)
    if rules.dead_rule == "two_pairs" and sum(n == 2 for n in count.values()) >= 2:
        return -1
    suit = trick.plays[0].card.suit
    able = [(card.rank, seat) for seat, card in trick.plays if card.suit is suit and count[card] == 1]
    return max(able)[1] if able else -1


# --- the conformance test -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deals", ["random", "pairs"])
@pytest.mark.parametrize(
    ("name", "preset", "seats", "dead_rule"), TABLES, ids=["-".join(map(str, table)) for table in TABLES]
)
def test_conformance(name: str, preset: str, seats: int, dead_rule: str, deals: str) -> None:
    rules = ruleset(name, seats, preset, dead_rule=dead_rule, target=TARGETS[name])
    seed = TABLES.index((name, preset, seats, dead_rule)) * 2 + (deals == "pairs")
    conforms(rules, seed, deals == "pairs")


def conforms(rules: Ruleset, seed: int, pairs: bool) -> None:
    """Play a match at that table with every check there is."""
    seats = rules.seats
    given = (twins_apart(rules), few_suits(rules, 5), twins_apart(rules, 9)) if pairs else ()
    player = TwinPlayer() if pairs else RandomPlayer()
    game = Game(rules, names(seats), seed, deals=given)
    watch = Watch(game)
    for count in itertools.count():
        watch.catch_up()
        assert watch.hands <= MOST_HANDS
        if game.asked is None:
            break
        if count % 7 == 0 or game.asked.kind == "moon":
            watch.position()
        game.submit(player.choose(view(game), game.stream(game.asked.seat)))
    finished(game)
    in_their_order(game.events, rules)
    assert watch.true.totals == game.state.totals

    again = play(Game(rules, names(seats), seed, deals=given), [player] * seats)
    assert again.events == game.events
    undone_and_redone(game, 2 * seats + seed % 9)
    frames_agree(game, None)
    frames_agree(game, seed % seats)
    round_trip(game)


def round_trip(game: Game) -> None:
    loaded = record.loads(record.dumps(game)).game
    assert loaded.events == game.events and loaded.ruleset == game.ruleset


def every_option() -> Iterator[Ruleset]:
    """Every option value that a game can have, alone, at an even or an odd table."""
    for (name, sizes), (option, kind) in itertools.product(
        SIZES.items(), [*CHOICES.items(), ("pass_count", (0, 1, 5))]
    ):
        for turn, value in enumerate(kind):
            for seats in sizes if turn % 2 else sizes[::-1]:
                try:
                    rules = ruleset(name, seats, **{"target": TARGETS[name], option: value})
                except RulesetError:
                    continue
                if option in given_options(rules):
                    yield rules
                    break


OPTION_TABLES = list(every_option())


@pytest.mark.parametrize("rules", OPTION_TABLES, ids=lambda rules: f"{rules.name}-{rules.seats}-{given_options(rules)}")
def test_conformance_with_one_option_changed(rules: Ruleset) -> None:
    conforms(rules, OPTION_TABLES.index(rules), OPTION_TABLES.index(rules) % 2 == 1)


@pytest.mark.parametrize("choice", ["subtract", "add_to_others"])
@pytest.mark.parametrize(("name", "seats"), sorted({(name, seats) for name, _, seats, _ in TABLES}))
def test_conformance_of_a_moon(name: str, seats: int, choice: str) -> None:
    rules = ruleset(name, seats)
    shooter = seats // 2
    held, kitty = moon_hands(rules, shooter)
    game = arranged(rules, held, kitty, (shooter - 1) % seats, number=2, hands=1)
    watch = Watch(game)
    watch.catch_up()
    shoot(game)
    assert game.asked == ("moon", shooter)
    watch.catch_up()
    watch.position()
    round_trip(game)
    game.submit(ChooseMoon(shooter, MoonChoice(choice)))
    watch.catch_up()
    assert game.asked is None and watch.hands == 1
    own, others = (-26, 0) if choice == "subtract" else (0, 26)
    assert game.state.points == tuple(own if seat == shooter else others for seat in range(seats))
    undone_and_redone(game, 3)
    frames_agree(game, None)
    frames_agree(game, shooter)
    round_trip(game)


@pytest.mark.parametrize(("name", "seats"), [("cancellation", 6), ("cancellation", 11), ("hearts", 4), ("omnibus", 3)])
def test_pair_heavy_deals_bring_dead_tricks(name: str, seats: int) -> None:
    """The deals above are what they are called: with two packs many tricks die, the first and the last among them."""
    rules = ruleset(name, seats, target=10_000)
    events: list[ev.Event] = []
    for turn in range(12):
        given = (twins_apart(rules, turn * 3), few_suits(rules, turn * 5))
        events += play(Game(rules, names(seats), turn, deals=given, hands=2), [TwinPlayer()] * seats).events
    dead = sum(isinstance(e, ev.TrickDead) for e in events)
    if rules.packs == 1:
        assert dead == 0
        return
    assert dead > 0.25 * 24 * rules.hand_size
    assert "trick.dead" in {e.rule for e in events if isinstance(e, ev.TrickDead)}
    assert any(isinstance(e, ev.AsideLost) for e in events)
    assert any(isinstance(e, ev.AsideTaken) and e.rule == "trick.aside" and e.kitty for e in events)


# --- the same on every machine --------------------------------------------------------------------------------------


def test_splitmix64_known_answers() -> None:
    stream = seeds.Stream(0)
    assert [stream.draw() for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    stream = seeds.Stream(1234567)
    assert [stream.draw() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_shuffled_is_the_stream() -> None:
    for seed, parts in ((0, (1, 0)), (7, (3, 0)), (2**63 - 1, (9, 2))):
        stream = seeds.Stream(seeds.key(seed, *parts))
        numbers = [stream.draw() for _ in range(104)]
        assert seeds.shuffled(range(104), seed, *parts) == sorted(range(104), key=numbers.__getitem__)


def test_what_a_stream_gives_goes_on_from_where_it_was() -> None:
    one, other = seeds.Stream(5), seeds.Stream(5)
    numbers = [other.draw() for _ in range(11)]
    places = sorted(sorted(range(6), key=numbers.__getitem__)[:3])
    assert one.sample("abcdef", 3) == tuple("abcdef"[i] for i in places)
    assert [one.draw() for _ in range(5)] == numbers[6:]
    assert one.pick("a") == "a" and one.draw() == other.draw()
    assert one.pick("abc") == "abc"[other.below(3)]


def digest(game: Game) -> str:
    lines = [json.dumps(ev.to_json(event), sort_keys=True, ensure_ascii=True) for event in game.events]
    return hashlib.sha256("\n".join(lines).encode("ascii")).hexdigest()[:16]


PINNED = {
    ("cancellation", 8, 7, 2): "750b97a14fe6b5e2",
    ("cancellation", 11, 2**63 - 1, 2): "54164fef82eab0a2",
    ("cancellation", 6, 0, 3): "229273b35e1ebcd6",
    ("hearts", 4, 7, 5): "3dc66a5deadf805d",
    ("hearts", 5, 12345, 2): "e6127c60c8b1de3c",
    ("omnibus", 3, 99, 2): "61f5872117134be2",
}


@pytest.mark.parametrize(
    ("table", "expected"),
    PINNED.items(),
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_seeded_games_are_the_same_on_every_machine(table: tuple[str, int, int, int], expected: str) -> None:
    name, seats, seed, hands = table
    game = play(Game(ruleset(name, seats, target=10_000), names(seats), seed, hands=hands), [RandomPlayer()] * seats)
    assert digest(game) == expected


def test_the_deal_depends_on_seed_and_hand_alone() -> None:
    rules = ruleset("cancellation", 7)
    one = play(Game(rules, names(7), 5, hands=3), [RandomPlayer()] * 7)
    other = play(Game(rules, names(7), 5, dealer=2, hands=3), [TwinPlayer()] * 7)
    alone = Game(rules, names(7), 5, number=3)
    dealt = [[e for e in game.events if isinstance(e, ev.Dealt | ev.KittySet)] for game in (one, other, alone)]
    assert dealt[0] == dealt[1] and len(dealt[0]) == 6
    assert dealt[2] == dealt[0][4:]
    different = Game(rules, names(7), 6)
    assert different.events[1] != one.events[1]
