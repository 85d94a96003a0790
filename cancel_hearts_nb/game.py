"""`Game`: what is asked, what is answered, and everything that follows from it.

A game is its events. `submit` checks an action first and then appends events; `undo` drops them. The random part, the
deal, depends on the seed and the hand number alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import seeds
from .cards import Card, Hand, in_order, missing
from .cards import text as cards_text
from .events import (
    AsideLost,
    AsideTaken,
    Dealt,
    Event,
    HandScored,
    HandStarted,
    HeartsBroken,
    KittySet,
    MatchWon,
    Middle,
    MoonChosen,
    MoonShot,
    PairCancelled,
    Passed,
    PassSkipped,
    Received,
    TrickDead,
    TrickWon,
    lead_assigned,
    played,
)
from .messages import N_
from .names import GameError, check_names
from .rules import deal, lead, legality, match, passing, scoring
from .rules import trick as tricks
from .rules.nouns import Position, Refusal, Trick, made
from .ruleset import MoonChoice, Opening, Ruleset
from .state import APPLY, Held, State, apply, fold

MOST_NUMBER = 9999
"""The largest number of a hand, as records write it."""


class PassCards(NamedTuple):
    """The action of passing `cards`."""

    seat: int
    cards: Hand


class PlayCard(NamedTuple):
    """The action of playing `card`."""

    seat: int
    card: Card


class ChooseMoon(NamedTuple):
    """The shooter's choice: "subtract" or "add_to_others"."""

    seat: int
    choice: MoonChoice


Action = PassCards | PlayCard | ChooseMoon


class Asked(NamedTuple):
    """What the game waits for: `kind` is "pass", "play" or "moon", from `seat`."""

    kind: str
    seat: int


class IllegalAction(Exception):
    """An action that the rules refuse; carries the `refusal` (rule id and facts). Nothing has changed."""

    def __init__(self, refusal: Refusal, names: Sequence[str] = ()) -> None:
        super().__init__(refusal, tuple(names))
        self.refusal = refusal
        self.names = tuple(names)

    def __str__(self) -> str:
        # sentences and catalogs are loaded when the first one is said, a fifth of the time of the import
        from . import explain

        return explain.refusal(self.refusal, self.names)


@dataclass(frozen=True, slots=True)
class Given:
    """A hand that is not dealt by the seed: `hands` by seat and the `kitty`; with `middle`, a fragment led by `leader`."""

    hands: tuple[Hand, ...]
    kitty: Hand = ()
    middle: Middle | None = None
    leader: int = 0


class Game:
    """A match from the deal to the target, or until `hands` hands are scored.

    `rules` is a Ruleset; `names` one name a seat; `seed` 0 to 2**63 - 1, or None when every hand is given; `dealer`
    the first dealer (None: by lot from the seed); `deals` the first hands, given instead of dealt; `number` the number
    of the first hand, which decides where it passes. The first hand is dealt at once, the next ones as each is
    scored. Raises GameError.

    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("cancellation", 8), "Al Beth Charlie Dave Eve Fay Guy Hal".split(), seed=7)
    >>> game.asked
    Asked(kind='pass', seat=0)
    """

    def __init__(
        self,
        rules: Ruleset,
        names: Sequence[str],
        seed: int | None,
        dealer: int | None = None,
        deals: Sequence[Given] = (),
        *,
        number: int = 1,
        hands: int | None = None,
    ) -> None:
        names = check_names(names)
        if len(names) != rules.seats:
            raise GameError(
                N_("This table has %(seats)d seats, but there are %(names)d names."),
                rule="deal.players", seats=rules.seats, names=len(names),
            )  # fmt: skip
        if seed is not None and not (type(seed) is int and 0 <= seed < 2**63):
            raise GameError(N_("The seed must be a whole number from 0 to 9223372036854775807."))
        if seed is None and (not deals or dealer is None):
            raise GameError(N_("Without a seed the first hand and its dealer must be given."))
        if dealer is not None and (type(dealer) is not int or dealer not in range(rules.seats)):
            raise GameError(
                N_("The dealer must be a seat from 0 to %(last)d, not %(dealer)s."),
                rule="deal.dealer", last=rules.seats - 1, dealer=str(dealer),
            )  # fmt: skip
        if (
            type(number) is not int
            or not 1 <= number <= MOST_NUMBER
            or (hands is not None and (type(hands) is not int or hands < 1))
        ):
            raise GameError(N_("Hands are counted from 1, to %(most)d at most."), most=MOST_NUMBER)
        for given in deals:
            _check_deal(rules, given)
        self.ruleset = rules
        self.names = names
        self.seed = seed
        self.deals = tuple([
            Given(tuple([in_order(hand) for hand in given.hands]), in_order(given.kitty), given.middle, given.leader)
            for given in deals
        ])  # fmt: skip
        self.number = number
        self.hands = hands
        self.dealer = deal.first_dealer(rules.seats, seed or 0) if dealer is None else dealer
        self.state = State(rules)
        self._events: list[Event] = []
        self._marks: list[int] = []
        self._actions: list[Action] = []
        self._asked: Asked | None = None
        # both are worked out once for each play: a player looks at them, then the game checks the card and names its rule
        self._position: Position | None = None
        self._narrowed: legality.Narrowing | None = None
        self._start_hand()

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, unredacted."""
        return tuple(self._events)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions submitted so far."""
        return tuple(self._actions)

    @property
    def asked(self) -> Asked | None:
        """What the game waits for, or None when nothing more is to be done."""
        return self._asked

    @property
    def position(self) -> Position:
        """The position of the seat to play. Raises GameError when no card is to be played."""
        if self._position is None:
            asked, s = self._asked, self.state
            if asked is None or asked.kind != "play" or s.trick is None:
                raise GameError(N_("No card is to be played now."), rule="play.moment")
            hand: Any = s.hands[asked.seat]
            self._position = made(Position, (self.ruleset, asked.seat, hand, s.trick, s.trick_number, s.hearts_broken))
        return self._position

    def legal_cards(self) -> Hand:
        """Return the cards that the seat to play may play, in hand order. Raises GameError when none is to be played."""
        if self._narrowed is None:
            self._narrowed = legality.narrow(self.position)
        return self._narrowed.legal

    def refusal(self, action: Action) -> Refusal | None:
        """Return why `action` is not possible now (moment, seat, cards, choice), or None when it is.

        Decides play.moment, play.seat and play.turn, which no page prints.
        """
        asked = self._asked
        kind = _KINDS.get(type(action))
        if kind is None or asked != (kind, action.seat) or type(action.seat) is not int:
            if kind is None:
                return Refusal("play.moment", {"seat": None, "asked": asked})
            if type(action.seat) is not int or action.seat not in range(self.ruleset.seats):
                return Refusal("play.seat", {"seat": action.seat, "last": self.ruleset.seats - 1})
            if asked is None or kind != asked.kind:
                return Refusal("play.moment", {"seat": action.seat, "asked": asked})
            return Refusal("play.turn", {"seat": action.seat, "turn": asked.seat, "asked": asked})
        if isinstance(action, PlayCard):
            card = action.card
            for legal in self.legal_cards():
                if legal is card:
                    return None
            return legality.refusal(self.position, card)
        if isinstance(action, PassCards):
            held: Any = self.state.hands[action.seat]
            given = _as_cards(action.cards)
            strange = tuple([card for card in given if not isinstance(card, Card)])
            if strange:
                return Refusal("pass.held", {"seat": action.seat, "cards": strange})
            return passing.count_refusal(self.ruleset, action.seat, given) or passing.held_refusal(
                action.seat, held, given
            )
        if action.choice in scoring.moon_choices(self.ruleset):
            return None
        return Refusal("score.moon_choice", {"seat": action.seat, "choice": str(action.choice)})

    def submit(self, action: Action) -> tuple[Event, ...]:
        """Carry out `action` and return the events that follow. Raises IllegalAction, and then nothing has changed."""
        if isinstance(action, PassCards):
            # looked at twice below, and a generator can be looked at once
            action = PassCards(action.seat, _as_cards(action.cards))
        refused = self.refusal(action)
        if refused is not None:
            raise IllegalAction(refused, self.names)
        mark = len(self._events)
        if isinstance(action, PlayCard):
            self._play(action)
        elif isinstance(action, PassCards):
            self._pass(action)
        else:
            self._emit(MoonChosen(action.seat, str(action.choice)))
            self._score()
        self._position = self._narrowed = None
        self._marks.append(mark)
        self._actions.append(action)
        return tuple(self._events[mark:])

    def undo(self) -> bool:
        """Take back the last action and all that followed from it; return False when there is nothing to take back.

        >>> from .ruleset import ruleset
        >>> Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7).undo()
        False
        """
        if not self._marks:
            return False
        del self._events[self._marks.pop() :]
        action = self._actions.pop()
        self.state = fold(self.ruleset, self._events)
        self._asked = Asked(_KINDS[type(action)], action.seat)
        self._position = self._narrowed = None
        return True

    def stream(self, seat: int) -> seeds.Stream:
        """Return the random numbers for the next choice of `seat`: they depend on seed, hand, seat and choice alone."""
        s, asked = self.state, self._asked
        choices = s.trick_number if asked is None or asked.kind != "moon" else s.trick_number + 1
        return seeds.Stream(seeds.key(self.seed or 0, s.number, seeds.SEAT + seat), choices * seeds.DRAWS_PER_CHOICE)

    def _emit(self, event: Event) -> None:
        self._events.append(event)
        APPLY[type(event)](self.state, event)

    def _start_hand(self) -> None:
        s = self.state
        index = s.number + 1 - self.number if s.number else 0
        number = self.number + index
        dealer = deal.next_dealer(s.dealer, self.ruleset.seats) if s.number else self.dealer
        if index < len(self.deals):
            given = self.deals[index]
        else:
            assert self.seed is not None
            hands, kitty = deal.deal(self.ruleset.pack, self.ruleset.seats, self.seed, number)
            given = Given(hands, kitty)
        self._emit(HandStarted(number, dealer, middle=given.middle))
        self._emit(Dealt(given.hands))
        if given.kitty:
            self._emit(KittySet(given.kitty))
        if given.middle:
            self._first_lead(given.leader)
        elif passing.direction(self.ruleset, number) is passing.Direction.NONE:
            self._emit(PassSkipped())
            self._first_lead(None)
        else:
            self._asked = _TO_PASS[0]

    def _pass(self, action: PassCards) -> None:
        s, rules = self.state, self.ruleset
        to = passing.receiver(rules, s.number, action.seat)
        assert to is not None
        self._emit(Passed(action.seat, to, in_order(action.cards)))
        if len(s.passed) < rules.seats:
            self._asked = _TO_PASS[action.seat + 1]
            return
        given: Any = tuple([s.passed[seat] for seat in range(rules.seats)])
        to_seats: Any = tuple([passing.receiver(rules, s.number, seat) for seat in range(rules.seats)])
        for seat, cards in enumerate(passing.exchange(given, to_seats)):
            self._emit(Received(seat, cards))
        self._first_lead(None)

    def _first_lead(self, leader: int | None) -> None:
        """`leader` is what a fragment says; a fragment that shows the first trick keeps the opening rules (its loader checks)."""
        s = self.state
        opens = s.trick_number == 0
        if leader is None:
            found = lead.opening_leader(self.ruleset, s.dealer, s.hands)
            assert found is not None
            leader = found
        low_club = self.ruleset.opening is Opening.LOW_CLUB
        self._lead(leader, "play.lead" if not opens else "lead.low_club" if low_club else "lead.opening")

    def _lead(self, seat: int, rule: str) -> None:
        self._emit(lead_assigned(seat, rule))
        self._asked = _TO_PLAY[seat]

    def _play(self, action: PlayCard) -> None:
        s, rules = self.state, self.ruleset
        seat, card = action
        self._emit(played(seat, card, legality.granted_by(self.position, card)))
        trick = s.trick
        assert trick is not None
        if not s.hearts_broken and lead.breaks_hearts(rules, card):
            self._emit(HeartsBroken(seat, card))
        if rules.packs == 2:
            found = tricks.pairs(rules, trick)
            if found and found[-1].seats[1] == seat:
                self._emit(PairCancelled(*found[-1]))
        if s.to_play is not None:
            self._asked = _TO_PLAY[s.to_play]
        else:
            self._end_trick(trick)

    def _end_trick(self, trick: Trick) -> None:
        s, rules = self.state, self.ruleset
        middle = s.middle
        shown = len(s.tricks) + 1
        over = shown == middle.tricks if middle else not s.hands[trick.leader]
        last = over and (middle is None or middle.last)
        winning = tricks.winner(rules, trick)
        if winning is not None:
            self._emit(TrickWon(winning.seat, winning.card, trick.cards))
            if s.aside:
                self._take_aside(tricks.aside_taker(winning.seat), "")
        else:
            self._emit(TrickDead(trick.leader, trick.cards, tricks.dead_by(rules, trick) or ""))
            if last:
                taker = tricks.last_dead_taker(rules, trick)
                if taker is None:
                    self._emit(AsideLost(tuple(s.aside), kitty=s.kitty))
                else:
                    self._take_aside(taker, "trick.last_dead")
        if not over:
            if winning is not None:
                self._lead(lead.after_won(winning.seat), "lead.winner")
            else:
                self._lead(lead.after_dead(rules, trick), "lead.after_dead")
        elif middle:
            self._asked = None
        else:
            self._end_hand()

    def _take_aside(self, seat: int, rule: str) -> None:
        """What waits, at least one card, goes to `seat`; without a `rule` it is the kitty's or the pile's."""
        s = self.state
        why = rule or ("trick.kitty" if len(s.aside) == s.kitty else "trick.aside")
        self._emit(AsideTaken(seat, tuple(s.aside), why, kitty=s.kitty))

    def _end_hand(self) -> None:
        taken: Any = self.state.taken
        shooter = scoring.moon_shooter(self.ruleset, taken)
        if shooter is None:
            self._score()
            return
        self._emit(MoonShot(shooter))
        choices = scoring.moon_choices(self.ruleset)
        if len(choices) > 1:
            self._asked = Asked("moon", shooter)
        else:
            self._emit(MoonChosen(shooter, str(choices[0])))
            self._score()

    def _score(self) -> None:
        s, rules = self.state, self.ruleset
        taken: Any = s.taken
        points = scoring.entered(rules, taken, s.shooter, s.choice)
        totals = scoring.new_totals(rules, s.totals, points)
        floored = totals != tuple([a + b for a, b in zip(s.totals, points, strict=True)])
        # without a moon the points entered are the card points
        scored = points if s.shooter is None else tuple([scoring.points_of(rules, cards) for cards in taken])
        self._emit(HandScored(scored, points, totals, "score.floor" if floored else "score.hand"))
        self._asked = None
        done = s.number - self.number + 1
        if match.is_over(rules, totals):
            winners = match.lowest(totals)
            self._emit(MatchWon(winners, totals, "match.lowest" if len(winners) == 1 else "match.tie"))
        elif done != self.hands and (self.seed is not None or done < len(self.deals)):
            self._start_hand()


_KINDS: dict[type, str] = {PassCards: "pass", PlayCard: "play", ChooseMoon: "moon"}
_TO_PLAY = tuple(Asked("play", seat) for seat in range(11))
_TO_PASS = tuple(Asked("pass", seat) for seat in range(11))


def _as_cards(given: Any) -> Hand:
    """Whatever was given as cards, as a tuple: what is no card stays in it, and no hand holds that."""
    if type(given) is tuple:
        return given
    return tuple(given) if isinstance(given, Iterable) else (given,)


def _check_deal(rules: Ruleset, given: Given) -> None:
    if given.middle:
        return
    dealt = [card for hand in given.hands for card in hand] + list(given.kitty)
    size = rules.hand_size
    if len(given.hands) != rules.seats or any(len(hand) != size for hand in given.hands):
        raise GameError(
            N_("Each of the %(seats)d players must be dealt %(size)d cards."),
            rule="deal.even", seats=rules.seats, size=size,
        )  # fmt: skip
    extra, lacking = missing(dealt, rules.pack), missing(rules.pack, dealt)
    if extra or lacking:
        raise GameError(
            N_("The cards dealt are not the pack: too many “%(extra)s”, missing “%(lacking)s”."),
            rule="deal.packs", extra=cards_text(extra), lacking=cards_text(lacking),
        )  # fmt: skip


__all__ = [
    "Action", "Asked", "ChooseMoon", "Game", "GameError", "Given", "Held", "IllegalAction", "PassCards", "PlayCard", "State",
    "apply", "check_names", "fold",
]  # fmt: skip
