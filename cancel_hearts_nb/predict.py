"""Questions at steps of a replay: which steps a record marks, and what the engine says is right.

A record's trick may hold `ask = [{ at = 0, what = "winner" }]`. From that and the events of the hand this module makes
questions in words, with every answer judged beforehand, so that a page can ask and reply without a kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from . import events as ev
from . import explain
from .cards import Card
from .i18n import Words, words
from .messages import N_, NN_
from .rulebook import rule
from .rules import legality, scoring
from .rules import trick as tricks
from .rules.nouns import Play, Position, Trick
from .ruleset import Ruleset
from .state import State, apply

MOST_ASKS = 12
"""How many questions one hand may ask."""


class What(StrEnum):
    """What is asked: who takes the trick, which cards are legal, how many points lie there."""

    WINNER = "winner"
    LEGAL = "legal"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Ask:
    """One mark in a record: in hand number `hand`, trick `trick` of those shown (from 1), after `at` cards, `what`."""

    hand: int
    trick: int
    at: int
    what: What


_TEXTS = {
    "winner": N_("Who takes this trick?"),
    "lead": N_("Which of these cards may %(name)s lead?"),
    "legal": N_("Which of these cards may %(name)s play?"),
    "points": N_("How many points are in this trick?"),
    "pile": N_("How many points are in this trick and in the cards set aside, together?"),
}
_RULED = N_("The rule is “%(rule)s”.")
_NOT_CANCELLED = N_("%(name)s cannot win: the %(card)s is cancelled by its twin.")
_NOT_LED = N_("%(name)s cannot win: the %(card)s is not of the suit led.")
_NOT_LOWER = N_("%(name)s does not win: the %(card)s is lower than the %(best)s.")
_NOT_DEAD = N_("%(name)s does not take it: this trick is dead.")
_SOMEBODY = N_("Somebody does take it.")
_ALL_LEGAL = {
    "follow.suit": N_("Every card here is of the suit led, so any of them may be played."),
    "follow.void": N_("There is no card of the suit led here, so any of them may be played."),
    "play.waived": N_("A rule would forbid every card here, so that rule is dropped and any of them may be played."),
    "": N_("No rule forbids any of these cards, so any of them may be played."),
}
_WORTH = {
    "cancellation": NN_(
        "It is %(count)d point: every heart costs 1 and every Black Maria 13, cancelled or not.",
        "It is %(count)d points: every heart costs 1 and every Black Maria 13, cancelled or not.",
    ),
    "hearts": NN_(
        "It is %(count)d point: every heart costs 1 and the Black Maria 13.",
        "It is %(count)d points: every heart costs 1 and the Black Maria 13.",
    ),
    "omnibus": NN_(
        "It is %(count)d point: every heart costs 1, the Black Maria 13, and the bonus card takes 10 off.",
        "It is %(count)d points: every heart costs 1, the Black Maria 13, and the bonus card takes 10 off.",
    ),
}
_ONLY_TRICK = N_("That is this trick alone; what was set aside counts too.")
_ONLY_ASIDE = N_("That is what was set aside alone; this trick counts too.")
_WITHOUT_PAIRS = N_("Cancelled cards cannot win, but they still count.")


def questions(
    events: Sequence[ev.Event],
    rules: Ruleset,
    names: Sequence[str],
    asks: Iterable[Ask],
    viewer: int | None = None,
    language: Words | None = None,
) -> list[dict[str, Any]]:
    """Return the questions about one hand, in the order of their steps, as JSON-able values; English by default.

    `events` are all events of that hand, unredacted; `asks` the marks of its record. Left out is every question whose
    answer rests on a card that the reader cannot see there: a kitty that waits, and for seat `viewer` other hands. Keys: "step" (index of the event after
    which it is asked), "what", "seat" (for "legal"), "text", "rule" (an id), "reply" (why the right answer is right),
    "ruled" (a sentence that names the rule), "choices" ("v" a seat, -1 for nobody, or a card; "ok"; "say" where a wrong choice has a reply of its own), or for
    "points" the "answer" and "hints" (a wrong number and its reply).

    >>> from .record import examples, load
    >>> record = load(next(iter(examples())))
    >>> mark = Ask(1, 1, 6, What.WINNER)
    >>> asked = questions(record.hands[0], record.game.ruleset, record.game.names, [mark])[0]
    >>> asked["text"], [choice["v"] for choice in asked["choices"] if choice["ok"]]
    ('Who takes this trick?', [4])
    """
    w = language or words()
    if not events:
        return []
    number = events[0].number  # type: ignore[attr-defined]
    asked = _Asked(events, rules, names, viewer, w)
    wanted = dict.fromkeys((ask.trick, ask.at, ask.what) for ask in asks if ask.hand == number)
    found = [asked.question(trick, at, what) for trick, at, what in wanted]
    # of two questions at one step the one written first comes first
    return sorted([one for one in found if one], key=lambda one: one["step"])


class _Asked:
    """The steps of one hand, and the state at each of them."""

    def __init__(
        self, events: Sequence[Any], rules: Ruleset, names: Sequence[str], viewer: int | None, w: Words
    ) -> None:
        self.events, self.rules, self.names, self.viewer, self.w = events, rules, names, viewer, w
        self.steps: dict[tuple[int, int], int] = {}
        self.ends: dict[int, int] = {}
        trick = cards = 0
        for step, e in enumerate(events):
            if isinstance(e, ev.LeadAssigned):
                trick, cards = trick + 1, 0
            elif isinstance(e, ev.Played):
                cards += 1
            elif isinstance(e, ev.TrickWon | ev.TrickDead):
                self.ends[trick] = step
            # what a card brought about is told before the question
            if isinstance(e, ev.LeadAssigned | ev.Played | ev.HeartsBroken | ev.PairCancelled):
                self.steps[trick, cards] = step

    def question(self, trick: int, at: int, what: What) -> dict[str, Any] | None:
        step = self.steps.get((trick, at))
        if step is None:
            return None
        state = State(self.rules)
        for e in self.events[: step + 1]:
            apply(state, e)
        made: dict[str, Any] | None
        if what is What.WINNER:
            made = self._winner(trick, at)
        elif what is What.LEGAL:
            made = self._legal(state)
        else:
            made = self._points(state)
        if made is None:
            return None
        ruled = self.w.text(_RULED, rule=self.w.text(rule(made["rule"]).title))
        return {"step": step, "what": str(what), **made, "ruled": ruled}

    def _winner(self, trick: int, at: int) -> dict[str, Any] | None:
        end = self.ends.get(trick)
        if end is None or (self.viewer is not None and at < self.rules.seats):
            return None
        over = self.events[end]
        seats = self.rules.seats
        leader = next(e.seat for e in reversed(self.events[:end]) if isinstance(e, ev.LeadAssigned))
        played = Trick(
            leader, tuple(Play((leader + i) % seats, card) for i, card in enumerate(over.cards))
        )  # fmt: skip
        pairs = tricks.pairs(self.rules, played)
        won = over.seat if isinstance(over, ev.TrickWon) else -1
        said = [self._event(over)]
        if won >= 0:
            said = [self._event(ev.PairCancelled(pair.card, pair.seats)) for pair in pairs] + said
        cancelled = {pair.card for pair in pairs}
        choices: list[dict[str, Any]] = []
        for seat, card in sorted(played.plays):
            choices.append({"v": seat, "ok": seat == won})
            if seat != won:
                choices[-1]["say"] = self._not(seat, card, card in cancelled, over, played)
        choices.append({"v": -1, "ok": won < 0})
        if won >= 0:
            choices[-1]["say"] = self.w.text(_SOMEBODY)
        acted = "trick.pairs_cancel" if won >= 0 and pairs else over.rule
        return {"text": self.w.text(_TEXTS["winner"]), "rule": acted, "reply": " ".join(said), "choices": choices}

    def _not(self, seat: int, card: Card, cancelled: bool, over: Any, played: Trick) -> str:
        name = self.names[seat]
        if cancelled:
            return self.w.text(_NOT_CANCELLED, name=name, card=card)
        if card.suit is not played.suit:
            return self.w.text(_NOT_LED, name=name, card=card)
        if isinstance(over, ev.TrickWon):
            return self.w.text(_NOT_LOWER, name=name, card=card, best=over.card)
        return self.w.text(_NOT_DEAD, name=name)

    def _legal(self, state: State) -> dict[str, Any] | None:
        seat = state.to_play
        if seat is None or state.trick is None or (self.viewer is not None and self.viewer != seat):
            return None
        hand: Any = state.hands[seat]
        position = Position(self.rules, seat, hand, state.trick, state.trick_number, state.hearts_broken)
        found = legality.narrow(position)
        refused = None
        choices: list[dict[str, Any]] = []
        for card in dict.fromkeys(hand):
            refusal = legality.refusal(position, card)
            refused = refused or refusal
            choices.append({"v": card.code, "ok": refusal is None})
            if refusal is not None:
                choices[-1]["say"] = explain.refusal(refusal, self.names, self.w)
        if refused is not None:
            acted, reply = refused.rule, explain.refusal(refused, self.names, self.w)
        else:
            acted = "play.waived" if found.waived else legality.granted_by(position, found.legal[0])
            reply = self.w.text(_ALL_LEGAL.get(acted, _ALL_LEGAL[""]))
        text = _TEXTS["legal" if state.trick.plays else "lead"]
        return {
            "seat": seat,
            "text": self.w.text(text, name=self.names[seat]),
            "rule": acted,
            "reply": reply,
            "choices": choices,
        }

    def _points(self, state: State) -> dict[str, Any] | None:
        if state.trick is None or state.kitty:
            # nobody sees what is in the kitty before the hand is scored
            return None
        rules = self.rules
        trick, aside = state.trick.cards, state.aside
        worth, waits = scoring.points_of(rules, trick), scoring.points_of(rules, aside)
        pairs = tricks.pairs(rules, state.trick) if trick else ()
        counted = [card for card in trick if card not in {pair.card for pair in pairs}]
        hints = {
            scoring.points_of(rules, counted) + waits: _WITHOUT_PAIRS,
            waits: _ONLY_ASIDE,
            worth: _ONLY_TRICK,
        }
        return {
            "text": self.w.text(_TEXTS["pile" if aside else "points"]),
            "rule": "score.hand" if rules.bonus_card is None else "score.bonus",
            "reply": self.w.count(_WORTH["hearts" if rules.bonus_card is None and rules.packs == 1 else rules.name], worth + waits),
            "answer": worth + waits,
            "hints": {
                str(wrong): self.w.text(text)
                for wrong, text in hints.items()
                if wrong != worth + waits and (aside or text is _WITHOUT_PAIRS)
            },
        }  # fmt: skip

    def _event(self, event: Any) -> str:
        return explain.event(event, self.names, self.rules, self.w)
