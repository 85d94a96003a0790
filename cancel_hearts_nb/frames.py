"""Where every card is after each event, as one viewer may know it, without a word of any language.

Frames are made from redacted events only, so a frame cannot hold what its viewer may not know, and a card's identity
stands first in the frame that reveals it. A frame holds what changed; `fold` adds the changes up.
The cards of a finished trick stay where they are while its end is told, and move with the next frame.
What lies face down on a table lies face down here too, also for the viewer who sees all hands: the kitty until somebody
takes it, and passed cards until they are taken up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import events as ev
from . import seeds
from .cards import Card
from .rules import passing, scoring
from .rules import trick as tricks
from .ruleset import Ruleset
from .state import State, apply

HAND, PASS, TRICK, ASIDE, WON, GONE = "h", "p", "t", "a", "w", "g"


@dataclass(frozen=True, slots=True)
class Placement:
    """One drawn card: its opaque `key`, its face or None, and where it lies.

    `zone` is "h" (in the hand of `seat`), "p" (passed, before `seat`), "t" (in the trick, played by `seat`), "a" (set
    aside or kitty, `seat` -1), "w" (won by `seat`) or "g" (lost, `seat` -1); `slot` counts from 0 in that zone.
    `mark` holds words: "led", "win", and "x1", "x2" … for the pairs of the trick.
    """

    key: str
    card: Card | None
    zone: str
    seat: int
    slot: int
    face_up: bool
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """What one event changes: the redacted `event`, the changed `placements`, and the changed `status` entries."""

    event: Any
    placements: tuple[Placement, ...]
    status: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Table:
    """Frames added up: the latest placement of every key, and the latest status."""

    placements: dict[str, Placement] = field(default_factory=dict)
    status: dict[str, Any] = field(default_factory=dict)

    def zone(self, zone: str, seat: int = -1) -> tuple[Card | None, ...]:
        """Return the cards of a zone (of one seat, or of the middle), in slot order."""
        found = [p for p in self.placements.values() if p.zone == zone and p.seat == seat]
        return tuple(p.card for p in sorted(found, key=lambda p: p.slot))


def frames(events: Iterable[ev.Event], rules: Ruleset, viewer: int | None = None) -> tuple[Frame, ...]:
    """Return one frame an event, as seat `viewer` may see it; None sees everything.

    >>> from .game import Game
    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
    >>> hand = [p for p in frames(game.events, game.ruleset, viewer=2)[1].placements if p.face_up]
    >>> len(hand), {p.seat for p in hand}
    (13, {2})
    """
    board = _Board(rules, viewer)
    return tuple([board.step(ev.redact(event, viewer)) for event in events])


def fold(some: Iterable[Frame]) -> Table:
    """Return the table after `some` frames, from the first one on.

    >>> fold(()).placements
    {}
    """
    table = Table()
    for frame in some:
        if isinstance(frame.event, ev.HandStarted):
            table.placements.clear()
        table.placements.update((p.key, p) for p in frame.placements)
        for name, value in frame.status.items():
            if name == "n":
                table.status.setdefault("n", {}).update(value)
            else:
                table.status[name] = value
    return table


def to_json(some: Iterable[Frame]) -> list[dict[str, Any]]:
    """Return frames as JSON-able values, short enough to send: e event, r rule, d placements, s status.

    A placement is [key, card or "", zone, seat, slot, mark]; entries that did not change are left out.

    >>> to_json([Frame(ev.PassSkipped(), (), {"turn": 0})])
    [{'e': 'PassSkipped', 'r': 'pass.none', 's': {'turn': 0}}]
    """
    found = []
    for frame in some:
        data: dict[str, Any] = {"e": frame.event.name, "r": frame.event.rule}
        if frame.placements:
            data["d"] = [
                [p.key, p.card.code if p.card else "", p.zone, p.seat, p.slot, p.mark] for p in frame.placements
            ]
        if frame.status:
            data["s"] = frame.status
        found.append(data)
    return found


_Slot = tuple[str, Card | None]


class _Board:
    """Keys and places while frames are made; what is true is kept by the `State` that the same events are folded into."""

    def __init__(self, rules: Ruleset, viewer: int | None) -> None:
        self.rules = rules
        self.viewer = viewer
        self.state = State(rules)
        self.shown: dict[str, Placement] = {}
        self.told: dict[str, Any] = {}
        self._clear(0)

    def _clear(self, number: int) -> None:
        seats = self.rules.seats
        # dealt out anew for each viewer and hand, so that a key seen in one view says nothing in another
        order = seeds.shuffled(range(104), -1 if self.viewer is None else self.viewer, number)
        self.keys = [f"k{i}" for i in order]
        self.hands: list[list[_Slot]] = [[] for _ in range(seats)]
        self.passed: dict[int, list[_Slot]] = {}
        self.trick: list[tuple[int, str, Card]] = []
        self.marks: dict[str, list[str]] = {}
        self.pairs = 0
        # cards that the viewer has passed on lie face down elsewhere, and the viewer still knows which is which
        self.secret: dict[str, Card] = {}
        self.aside: list[_Slot] = []
        self.won: list[list[_Slot]] = [[] for _ in range(seats)]
        self.gone: list[_Slot] = []
        self.trick_to: int | None = None
        self.shown = {}

    def step(self, event: Any) -> Frame:
        if isinstance(event, ev.HandStarted):
            self._clear(event.number)
        elif not isinstance(event, ev.Played | ev.HeartsBroken | ev.PairCancelled):
            self._move_trick()
        apply(self.state, event)
        handle = getattr(self, "_" + event.name, None)
        if handle:
            handle(event)
        placed = self._placements()
        changed = tuple(p for key, p in placed.items() if self.shown.get(key) != p)
        self.shown = placed
        return Frame(event, changed, self._status(event))

    def _take(self, cards: Iterable[Card | None]) -> list[_Slot]:
        return [(self.keys.pop(), card) for card in cards]

    def _Dealt(self, e: ev.Dealt) -> None:
        self.hands = [self._take(hand) for hand in e.hands]
        self.aside = self._take(self.state.middle.aside if self.state.middle else ())

    def _KittySet(self, e: ev.KittySet) -> None:
        self.aside = self._take([None] * len(e.cards)) + self.aside

    def _Passed(self, e: ev.Passed) -> None:
        given = [self._pull(e.seat, card) for card in e.cards]
        if self.viewer == e.seat:
            self.secret.update((key, card) for (key, _), card in zip(given, e.cards, strict=True) if card is not None)
        self.passed[e.to] = [(key, None) for key, _ in given]

    def _Received(self, e: ev.Received) -> None:
        came = [(key, card) for (key, _), card in zip(self.passed.pop(e.seat), e.cards, strict=True)]
        self.hands[e.seat] = sorted(self.hands[e.seat] + came, key=_by_card)

    def _Played(self, e: ev.Played) -> None:
        key, _ = self._pull(e.seat, e.card)
        self.trick.append((e.seat, key, e.card))
        if len(self.trick) == 1:
            self.marks[key] = ["led"]

    def _PairCancelled(self, e: ev.PairCancelled) -> None:
        self.pairs += 1
        for seat, key, card in self.trick:
            if card is e.card and seat in e.seats:
                self.marks.setdefault(key, []).append(f"x{self.pairs}")

    def _TrickWon(self, e: ev.TrickWon) -> None:
        key = next(key for seat, key, _ in self.trick if seat == e.seat)
        self.marks.setdefault(key, []).append("win")
        self.trick_to = e.seat

    def _TrickDead(self, e: ev.TrickDead) -> None:
        self.trick_to = -1

    def _AsideTaken(self, e: ev.AsideTaken) -> None:
        self.won[e.seat] += [(key, card) for (key, _), card in zip(self.aside, e.cards, strict=True)]
        self.aside = []

    def _AsideLost(self, e: ev.AsideLost) -> None:
        self.gone += [(key, card) for (key, _), card in zip(self.aside, e.cards, strict=True)]
        self.aside = []

    def _move_trick(self) -> None:
        if self.trick_to is None:
            return
        cards: list[_Slot] = [(key, card) for _, key, card in self.trick]
        if self.trick_to < 0:
            self.aside += cards
        else:
            self.won[self.trick_to] += cards
        self.trick = []
        self.marks = {}
        self.pairs = 0
        self.trick_to = None

    def _pull(self, seat: int, card: Card | None) -> _Slot:
        hand = self.hands[seat]
        if card is not None:
            for known in (lambda slot: slot[1], lambda slot: self.secret.get(slot[0])):
                at = next((i for i, slot in enumerate(hand) if known(slot) is card), None)
                if at is not None:
                    return hand.pop(at)
        # a hidden hand gives its last place, which says nothing about where the card was held
        unknown = [i for i, (key, _) in enumerate(hand) if key not in self.secret]
        return hand.pop(unknown[-1] if unknown else -1)

    def _placements(self) -> dict[str, Placement]:
        placed: dict[str, Placement] = {}

        def put(slots: Sequence[_Slot], zone: str, seat: int) -> None:
            for i, (key, card) in enumerate(slots):
                placed[key] = Placement(key, card, zone, seat, i, card is not None)

        for seat, hand in enumerate(self.hands):
            put(hand, HAND, seat)
        for seat, given in self.passed.items():
            put(given, PASS, seat)
        for i, (seat, key, card) in enumerate(self.trick):
            placed[key] = Placement(key, card, TRICK, seat, i, True, " ".join(self.marks.get(key, ())))
        put(self.aside, ASIDE, -1)
        put(self.gone, GONE, -1)
        # a won pile is not drawn, so its cards need no order that changes
        for seat, pile in enumerate(self.won):
            put(pile, WON, seat)
        return placed

    def _status(self, event: Any) -> dict[str, Any]:
        s, rules = self.state, self.rules
        middle = s.middle
        # where a fragment stands in its hand is known only when it shows the first trick
        opening = middle is None or middle.first_trick == 1
        unscored = not s.scored
        seen = [card for _, card in self.aside]
        if self.trick_to == -1:
            # a dead trick still lies where it was played, and it waits already
            seen += [card for _, _, card in self.trick]
        now: dict[str, Any] = {
            "hand": 0 if middle else s.number,
            "dealer": s.dealer if opening else -1,
            "pass": "" if middle else str(passing.direction(rules, s.number)),
            "trick": s.trick_number - (middle.first_trick - 1 if middle else 0),
            "of": middle.tricks if middle else rules.hand_size,
            "turn": self._turn(event),
            "ask": self._ask(event),
            "lead": s.trick.leader if s.trick else s.tricks[-1].leader if s.tricks else -1,
            "broken": s.hearts_broken,
            "won": -1 if self.trick_to is None else self.trick_to,
            "dead": self.trick_to == -1,
            "best": self._best(),
            # where no two cards are alike nothing ever waits, and a table need not say so
            "aside": [len(seen), scoring.points_of(rules, seen), seen.count(None)]
            if rules.packs == 2 or seen
            else None,
        }
        if s.scored:
            now["totals"] = list(s.totals)
        counts = {}
        for seat in range(rules.seats):
            taken = s.taken[seat]
            points = scoring.points_of(rules, taken) if unscored else self.told["scored"][seat]
            counts[seat] = [len(self.hands[seat]), s.counts[seat], points, int(unscored and None in taken)]
        if isinstance(event, ev.HandStarted):
            self.told = {}
        before = self.told.setdefault("n", {})
        changes = {name: value for name, value in now.items() if self.told.get(name) != value}
        moved = {seat: value for seat, value in counts.items() if before.get(seat) != value}
        self.told.update(now)
        before.update(counts)
        if moved:
            changes["n"] = moved
        return changes

    def _best(self) -> int:
        """Who would take the trick that is being played if no card were to follow: a seat, -1 nobody, -2 no such trick."""
        if not self.trick or self.trick_to is not None or not self.state.trick:
            return -2
        play = tricks.winner(self.rules, self.state.trick)
        return -1 if play is None else play.seat

    def _HandScored(self, e: ev.HandScored) -> None:
        self.told["scored"] = e.taken

    def _ask(self, event: Any) -> str:
        if self._turn(event) < 0:
            return ""
        return "play" if self.state.to_play is not None else "moon" if isinstance(event, ev.MoonShot) else "pass"

    def _turn(self, event: Any) -> int:
        s = self.state
        if s.to_play is not None:
            return s.to_play
        if isinstance(event, ev.MoonShot):
            return event.seat
        waits = isinstance(event, ev.Dealt | ev.KittySet | ev.Passed) and not s.middle
        if waits and passing.direction(self.rules, s.number) is not passing.Direction.NONE:
            return len(s.passed) if len(s.passed) < self.rules.seats else -1
        return -1


def _by_card(slot: _Slot) -> int:
    return slot[1].index if slot[1] is not None else 99
