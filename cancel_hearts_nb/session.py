"""One person's match against computer players: what the person sees, is asked, and may take back.

The game is held inside. What leaves is redacted for the person's seat: events, and the keys under which frames show
cards. An answer (an intent) comes from outside and is never trusted: whatever is wrong with it, nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from . import events as ev
from . import explain, frames, hints, playcode, record
from .cards import Card
from .game import Action, ChooseMoon, Game, PassCards, PlayCard
from .i18n import Words, words
from .messages import N_, NN_, Problem
from .players import Estimate, Player, player, view
from .record import hands_of
from .rules import passing, scoring
from .ruleset import MoonChoice, Ruleset, given_options, ruleset


class SessionError(Problem):
    """A play that cannot be set up: a seat, a player or a link that does not fit."""


class Seen(NamedTuple):
    """What frames and sentences are made from: redacted events, the names, the rules."""

    events: tuple[ev.Event, ...]
    names: tuple[str, ...]
    ruleset: Ruleset


class Reply(NamedTuple):
    """What came of an answer: whether something `changed`, and else a sentence (or "") with the `rule` behind it."""

    changed: bool
    text: str = ""
    rule: str = ""


NOTHING = Reply(False)
DONE = Reply(True)

_PASS = {
    "left": NN_("Choose a card for %(to)s, on your left.", "Choose %(count)d cards for %(to)s, on your left."),
    "right": NN_("Choose a card for %(to)s, on your right.", "Choose %(count)d cards for %(to)s, on your right."),
    "across": NN_("Choose a card for %(to)s, across the table.", "Choose %(count)d cards for %(to)s, across the table."),
}  # fmt: skip
_LEAD = N_("You lead: choose a card.")
_PLAY = N_("Your turn: choose a card.")
_MOON = N_("You have shot the moon. What shall it do?")
_NEXT = N_("The hand is over. The next one begins when you are ready.")
_MATCH_OVER = N_("The match is over.")
_PART_OVER = N_("This was all that was to be played.")
_MOONS = {
    MoonChoice.SUBTRACT: N_("Take %(points)d points off my own score."),
    MoonChoice.ADD_TO_OTHERS: N_("Give every other player %(points)d points."),
}
NO_UNDO = N_("There is nothing to take back in this hand.")
NO_LESSON = N_("Taking back and hints belong to lessons; this match is played without.")
NO_HINT = N_("A hint is for your own turn.")
STRANGE = N_("That card is not in your hand.")


class Session:
    """A match at the table of `names` under `rules`: the person sits at `seat`, `players` are computers.

    `players` is the name of a built-in player for all seats, or one name for each (the person's is not used). `seed`
    is 0 to 2**63 - 1. In `lessons` the person may take back and ask for hints. Sentences are English by default.
    Raises GameError, UnknownPlayer and SessionError.

    >>> from .ruleset import ruleset
    >>> Session(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), 2, "random", seed=7).ask()["text"]
    'Choose 3 cards for Dave, on your left.'
    """

    def __init__(
        self,
        rules: Ruleset,
        names: Sequence[str],
        seat: int,
        players: str | Sequence[str],
        seed: int | None,
        *,
        lessons: bool = True,
        language: Words | None = None,
        hand: str = "",
        first: int = 0,
    ) -> None:
        self.words = language or words()
        if type(seat) is not int or seat not in range(rules.seats):
            raise SessionError(N_("There is no such seat at this table."), rule="deal.players")
        self.players = (players,) * rules.seats if isinstance(players, str) else tuple(players)
        if len(self.players) != rules.seats:
            raise SessionError(N_("Each seat needs a player."), rule="deal.players")
        self._players: tuple[Player, ...] = tuple([player(name) for name in self.players])
        self.seat = seat
        self.seed = seed
        self.lessons = lessons
        self.stamp = 0
        """Changes with whatever happens: an answer to an older question is known by it."""
        self._link = hand
        self._first = first
        self._game = self._dealt(rules, names)
        self._steps: list[playcode.Step] = []
        self._starts = [0]
        if first:
            for action in record.decode(hand).game.actions[:first]:
                self._submit(action)
        self.advance()

    @classmethod
    def from_link(
        cls, code: str, at: int, players: str = "cautious", *, lessons: bool = True, language: Words | None = None
    ) -> Self:
        """Return a session that goes on from a hand: `code` as from `record.encode`, `at` events of it have happened.

        The person takes over the seat that is to act then, or seat 0. Raises RecordError and SessionError.

        >>> from .ruleset import ruleset
        >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
        >>> Session.from_link(record.encode(game), 2).ask()["kind"]
        'pass'
        """
        game = record.decode(code).game
        if type(at) is not int or at < 0:
            raise SessionError(N_("The step in this address is not a number."))
        given = _given(game)
        first = 0
        for action in game.actions:
            if len(given.events) >= at or given.asked is None:
                break
            given.submit(action)
            first += 1
        seat = given.asked.seat if given.asked else 0
        return cls(
            game.ruleset, game.names, seat, players, game.seed, lessons=lessons, language=language, hand=code, first=first
        )  # fmt: skip

    # -- what the person sees

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return self._game.names

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the match."""
        return self._game.ruleset

    @property
    def hands(self) -> int:
        """How many hands were begun, this one included."""
        return len(self._starts)

    def seen(self, hand: int = -1) -> Seen:
        """Return what the person may know of a hand, counted from 0; the present one by default."""
        events = hands_of(self._game.events)[: self.hands][hand]
        return Seen(tuple([ev.redact(event, self.seat) for event in events]), self.names, self.ruleset)

    def ask(self) -> dict[str, Any]:
        """Return what the person is asked, as JSON-able values.

        "kind" is "pass", "play", "moon", "next" (the score sheet is out, the next hand can begin) or "over"; "text" a
        sentence. Pass and play: "legal", the keys of the cards that can be chosen, and "refused", for each other card
        of the hand its sentence and rule id. Pass: "count", "to" (a seat) and "way". Moon: "choices", pairs of value
        and sentence.
        """
        w, asked = self.words, self._game.asked
        if self._waits:
            return {"kind": "next", "text": w.text(_NEXT)}
        if asked is None:
            return {"kind": "over", "text": w.text(_MATCH_OVER if self._game.state.winners else _PART_OVER)}
        found: dict[str, Any] = {"kind": asked.kind}
        if asked.kind == "moon":
            points = int(self.ruleset.moon_points)
            choices = scoring.moon_choices(self.ruleset)
            found["choices"] = [[str(choice), w.text(_MOONS[choice], points=points)] for choice in choices]
            found["text"] = w.text(_MOON)
        elif asked.kind == "pass":
            number, count = self._game.state.number, self.ruleset.pass_count
            to = passing.receiver(self.ruleset, number, self.seat)
            assert to is not None
            way = str(passing.direction(self.ruleset, number))
            found |= {"count": count, "to": to, "way": way, "legal": list(self._cards()), "refused": {}}
            found["text"] = w.count(_PASS[way], count, to=self.names[to])
        else:
            legal = set(self._game.legal_cards())
            held = self._cards()
            found["legal"] = [key for key, card in held.items() if card in legal]
            said = {card: self._refusal(PlayCard(self.seat, card)) for card in held.values() if card not in legal}
            found["refused"] = {key: [*said[card]] for key, card in held.items() if card in said}
            found["text"] = w.text(_PLAY if self._game.position.trick.plays else _LEAD)
        return found

    def sheet(self) -> dict[str, Any]:
        """Return the score sheet: "rows" of hand number and points by seat, "totals", and "winners" (seats)."""
        rows, totals, winners = [], [0] * self.ruleset.seats, []
        for hand in hands_of(self._game.events)[: self.hands]:
            for event in hand:
                if isinstance(event, ev.HandScored):
                    rows.append([hand[0].number, list(event.points)])  # type: ignore[attr-defined]
                    totals = list(event.totals)
                elif isinstance(event, ev.MatchWon):
                    winners = list(event.seats)
        return {"rows": rows, "totals": totals, "winners": winners}

    # -- what the person does

    def act(self, intent: Any) -> Reply:
        """Carry out what the person wants, and let the others act until the person is asked again.

        `intent` is {"do", "stamp", …}: "pass" and "play" with "cards" (a list of keys), "moon" with "choice", "next",
        "undo", "hand" (this hand anew), "match" (the match anew). Anything stale, unknown or refused changes nothing.
        """
        if not isinstance(intent, Mapping) or intent.get("stamp") != self.stamp or type(intent.get("stamp")) is not int:
            return NOTHING
        what = intent.get("do")
        if what in ("pass", "play"):
            return self._act_cards(what, intent.get("cards"))
        if what == "moon":
            return self._act(ChooseMoon(self.seat, intent.get("choice")))  # type: ignore[arg-type]
        if what == "next":
            return self.next_hand()
        if what == "undo":
            return self.undo()
        if what in ("hand", "match"):
            return self.again(whole=what == "match")
        return NOTHING

    def advance(self) -> None:
        """Let the computers act until the person is asked, or a hand or the match is over."""
        while (asked := self._game.asked) is not None and not self._waits and asked.seat != self.seat:
            self._submit(self._players[asked.seat].choose(view(self._game), self._game.stream(asked.seat)))

    def next_hand(self) -> Reply:
        """Begin the next hand, if the last one is over."""
        if not self._waits:
            return NOTHING
        self._starts.append(len(self._steps))
        self.advance()
        self.stamp += 1
        return DONE

    def undo(self) -> Reply:
        """Take back to the person's previous decision in this hand, and forget what followed; in lessons only."""
        if not self.lessons:
            return Reply(False, self.words.text(NO_LESSON))
        actions = self._game.actions
        least = max(self._starts[-1], self._first)
        for at in range(len(actions) - 1, least - 1, -1):
            if actions[at].seat == self.seat:
                self._back_to(at)
                return DONE
        return Reply(False, self.words.text(NO_UNDO))

    def again(self, whole: bool) -> Reply:
        """Play the same cards again: this hand from its deal, or (`whole`) the match from its first hand."""
        if whole:
            del self._starts[1:]
        self._back_to(max(self._starts[-1], self._first))
        self.advance()
        return DONE

    def hint(self) -> dict[str, Any]:
        """Return what to do here and why: "text", "rule", "cards" (keys) or "choice"; and "bars", what each card may cost.

        Bars stand by key: a share of the most that any card is expected to cost, from 0 to 1, that cost, and a sentence.
        A hint sees what the person sees. Without one to give there is only "text", which says why.
        """
        if not self.lessons:
            return {"text": self.words.text(NO_LESSON)}
        asked = self._game.asked
        if asked is None or self._waits:
            return {"text": self.words.text(NO_HINT)}
        action, reason, estimates = hints.hint(view(self._game), self._game.stream(self.seat))
        found: dict[str, Any] = {"text": explain.reason(reason.key, reason.params, self.words), "rule": reason.rule}
        if estimates:
            found["bars"] = self._bars(estimates)
        if isinstance(action, ChooseMoon):
            return {**found, "choice": str(action.choice)}
        wanted = [action.card] if isinstance(action, PlayCard) else list(action.cards)
        keys = []
        for key, card in self._cards().items():
            if card in wanted:
                wanted.remove(card)
                keys.append(key)
        return {**found, "cards": keys}

    def _bars(self, estimates: Sequence[Estimate]) -> dict[str, list[Any]]:
        most = max(1.0, *[one.points for one in estimates])
        by_card = {
            one.card: [
                round(max(0.0, one.points) / most, 3),
                explain.decimal(one.points, self.words),
                explain.expected(one.points, one.points_error, one.maria, one.maria_error, self.words),
            ]
            for one in estimates
        }
        return {key: by_card[card] for key, card in self._cards().items() if card in by_card}

    # -- keeping it

    def code(self) -> str:
        """Return the play so far as a text for an address, or "" when it has grown too long for one."""
        head = [
            self.ruleset.name, self.ruleset.seats, given_options(self.ruleset), list(self.names), self.seed, self.seat,
            self.players[0] if len(set(self.players)) == 1 else list(self.players),
            int(self.lessons), self._starts[1:], self._link, self._first,
        ]  # fmt: skip
        return playcode.encode(head, self._steps)

    @classmethod
    def resume(cls, code: str, language: Words | None = None) -> Self:
        """Return the session that `code` was made of. Raises BrokenCode.

        >>> from .ruleset import ruleset
        >>> one = Session(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), 2, "random", seed=7)
        >>> Session.resume(one.code()).ask() == one.ask()
        True
        """
        head, steps = playcode.decode(code)
        try:
            name, seats, options, names, seed, seat, players, lessons, starts, link, first = head
            rules = ruleset(name, seats, **options)
            if type(first) is not int or first > steps.left or not isinstance(link, str) or (first and not link):
                raise playcode.broken()
            made = cls(
                rules, names, seat, players, seed, lessons=bool(lessons), language=language, hand=link, first=first
            )
            made._replay(steps, starts)
        except (playcode.BrokenCode, ImportError):
            # a player that this installation lacks says so itself
            raise
        except (Problem, record.RecordError, ValueError, TypeError, AttributeError, KeyError, IndexError):
            raise playcode.broken() from None
        return made

    def _replay(self, steps: playcode.Steps, starts: Sequence[int]) -> None:
        """Put the game where the code says, step by step, instead of where `advance` has brought it."""
        self._game, self._steps, self._starts = self._dealt(self.ruleset, self.names), [], [0]
        left = list(starts)
        while True:
            while left and left[0] == len(self._steps) and self._waits:
                self._starts.append(left.pop(0))
            if not steps.left:
                break
            if self._waits:
                raise playcode.broken()
            self._submit(playcode.action(self._game, steps.take(playcode.count(self._game))))
        steps.end()
        if left:
            raise playcode.broken()
        self.advance()

    # -- inside

    @property
    def _waits(self) -> bool:
        """Whether a hand has been dealt that the person has not asked for: nothing of it is shown."""
        return self._game.state.number - self._game.number >= self.hands

    def _dealt(self, rules: Ruleset, names: Sequence[str]) -> Game:
        if not self._link:
            return Game(rules, names, self.seed)
        return _given(record.decode(self._link).game)

    def _cards(self) -> dict[str, Card]:
        """The person's hand by frame keys, in hand order."""
        table = frames.fold(frames.frames(self.seen().events, self.ruleset, self.seat))
        held = [p for p in table.placements.values() if p.zone == frames.HAND and p.seat == self.seat]
        return {p.key: p.card for p in sorted(held, key=lambda p: p.slot) if p.card is not None}

    def _refusal(self, action: Action) -> tuple[str, str]:
        refused = self._game.refusal(action)
        assert refused is not None
        return explain.refusal(refused, self.names, self.words), refused.rule

    def _act_cards(self, what: str, keys: Any) -> Reply:
        if self._waits or self._game.asked is None:
            return NOTHING
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            return NOTHING
        held = self._cards()
        if any(key not in held for key in keys):
            return Reply(False, self.words.text(STRANGE), "play.held")
        cards = tuple([held[key] for key in dict.fromkeys(keys)])
        if what == "pass":
            return self._act(PassCards(self.seat, cards))
        return self._act(PlayCard(self.seat, cards[0])) if len(cards) == 1 else NOTHING

    def _act(self, action: Action) -> Reply:
        if self._waits:
            return NOTHING
        if self._game.refusal(action) is not None:
            return Reply(False, *self._refusal(action))
        self._submit(action)
        self.advance()
        self.stamp += 1
        return DONE

    def _submit(self, action: Action) -> None:
        step = playcode.step(self._game, action)
        self._game.submit(action)
        self._steps.append(step)

    def _back_to(self, count: int) -> None:
        actions = self._game.actions[:count]
        self._game, self._steps = self._dealt(self.ruleset, self.names), []
        for action in actions:
            self._submit(action)
        self.stamp += 1


def _given(game: Game) -> Game:
    """The one hand of a link, with nothing played yet; the match goes on after it if there is a seed to deal from."""
    return Game(
        game.ruleset, game.names, game.seed, game.dealer, game.deals[:1],
        number=game.number, hands=None if game.seed is not None else 1,
    )  # fmt: skip
