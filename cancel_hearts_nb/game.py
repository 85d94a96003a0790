"""The state, which only events change, and `Game`: what is asked, what is answered, and everything that follows from it.

A game is its events. `submit` checks an action first and then appends events; `undo` drops them. The random part, the
deal, depends on the seed and the hand number alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
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
    LeadAssigned,
    MatchWon,
    Middle,
    MoonChosen,
    MoonShot,
    PairCancelled,
    Passed,
    PassSkipped,
    Played,
    Received,
    TrickDead,
    TrickWon,
)
from .messages import N_, Problem
from .rules import deal, lead, legality, match, passing, scoring
from .rules import trick as tricks
from .rules.nouns import Play, Position, Refusal, Trick
from .ruleset import MoonChoice, Opening, Ruleset

Held = tuple[Card | None, ...]


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


class GameError(Problem):
    """A game that cannot be set up: wrong names, seed, dealer or dealt cards."""


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


class State:
    """Everything true at one moment, as far as the events it was folded from tell it; hidden cards are None.

    Lists are by seat. `aside` is the one pile of cards that nobody has won yet, its first `kitty` cards are the
    leftovers; `lost` are the cards nobody collected. `taken` holds the cards won, `tricks` the finished tricks.
    """

    __slots__ = (
        "ruleset", "number", "dealer", "middle", "hands", "kitty", "aside", "passed", "received", "skipped",
        "trick", "trick_number", "tricks", "to_play", "hearts_broken", "won", "dead", "taken", "counts", "lost",
        "shooter", "choice", "points", "totals", "winners", "scored",
    )  # fmt: skip

    def __init__(self, rules: Ruleset) -> None:
        self.ruleset = rules
        self.totals: tuple[int, ...] = (0,) * rules.seats
        self.winners: tuple[int, ...] = ()
        self._new_hand(0, 0, None)

    def _new_hand(self, number: int, dealer: int, middle: Middle | None) -> None:
        seats = self.ruleset.seats
        self.number = number
        self.dealer = dealer
        self.middle = middle
        self.hands: list[Held] = [()] * seats
        self.kitty = 0
        self.aside: list[Card | None] = list(middle.aside) if middle else []
        self.passed: dict[int, Held] = {}
        self.received: dict[int, Held] = {}
        self.skipped = False
        self.trick: Trick | None = None
        self.trick_number = middle.first_trick - 1 if middle else 0
        self.tricks: list[Trick] = []
        self.to_play: int | None = None
        self.hearts_broken = bool(middle and middle.hearts_broken)
        self.won: int | None = None
        self.dead = False
        self.taken: list[list[Card | None]] = [[] for _ in range(seats)]
        self.counts = [0] * seats
        self.lost: list[Card | None] = []
        self.shooter: int | None = None
        self.choice: MoonChoice | None = None
        self.points: tuple[int, ...] = ()
        self.scored = False


def apply(state: State, event: Any) -> None:
    """Change `state` by one event; nothing else ever changes a state.

    >>> from .ruleset import ruleset
    >>> state = State(ruleset("hearts", 4))
    >>> apply(state, HandStarted(1, 2))
    >>> state.number, state.dealer
    (1, 2)
    """
    _APPLY[type(event)](state, event)


def fold(rules: Ruleset, events: Sequence[Event]) -> State:
    """Return the state after `events`, redacted or not.

    >>> from .ruleset import ruleset
    >>> fold(ruleset("hearts", 4), ()).number
    0
    """
    state = State(rules)
    for event in events:
        apply(state, event)
    return state


def _without(hand: Held, card: Card | None) -> Held:
    # a card that is played from a hand the viewer cannot see takes a hidden card away
    try:
        at = hand.index(card)
    except ValueError:
        at = hand.index(None)
    return hand[:at] + hand[at + 1 :]


def _sorted(hand: Sequence[Card | None]) -> Held:
    known = [card for card in hand if card is not None]
    return in_order(known) + (None,) * (len(hand) - len(known))


def _hand_started(s: State, e: HandStarted) -> None:
    s._new_hand(e.number, e.dealer, e.middle)


def _dealt(s: State, e: Dealt) -> None:
    s.hands = list(e.hands)


def _kitty_set(s: State, e: KittySet) -> None:
    s.kitty = len(e.cards)
    s.aside = [*e.cards, *s.aside]


def _pass_skipped(s: State, e: PassSkipped) -> None:
    s.skipped = True


def _passed(s: State, e: Passed) -> None:
    hand = s.hands[e.seat]
    for card in e.cards:
        hand = _without(hand, card)
    s.hands[e.seat] = hand
    s.passed[e.seat] = e.cards


def _received(s: State, e: Received) -> None:
    s.hands[e.seat] = _sorted(s.hands[e.seat] + e.cards)
    s.received[e.seat] = e.cards


def _lead_assigned(s: State, e: LeadAssigned) -> None:
    s.trick = Trick(e.seat)
    s.trick_number += 1
    s.to_play = e.seat
    s.won = None
    s.dead = False


def _played(s: State, e: Played) -> None:
    seat = e.seat
    s.hands[seat] = _without(s.hands[seat], e.card)
    leader, plays = s.trick  # type: ignore[misc]
    plays = (*plays, Play(seat, e.card))
    s.trick = Trick(leader, plays)
    seats = s.ruleset.seats
    s.to_play = (seat + 1) % seats if len(plays) < seats else None


def _hearts_broken(s: State, e: HeartsBroken) -> None:
    s.hearts_broken = True


def _pair_cancelled(s: State, e: PairCancelled) -> None:
    """Changes nothing: what cancels follows from the cards of the trick."""


def _trick_won(s: State, e: TrickWon) -> None:
    s.taken[e.seat].extend(e.cards)
    s.counts[e.seat] += 1
    s.won = e.seat
    _trick_over(s)


def _trick_dead(s: State, e: TrickDead) -> None:
    s.aside.extend(e.cards)
    s.dead = True
    _trick_over(s)


def _trick_over(s: State) -> None:
    assert s.trick is not None
    s.tricks.append(s.trick)
    s.trick = None
    s.to_play = None


def _aside_taken(s: State, e: AsideTaken) -> None:
    s.taken[e.seat].extend(e.cards)
    s.aside = []
    s.kitty = 0


def _aside_lost(s: State, e: AsideLost) -> None:
    s.lost.extend(e.cards)
    s.aside = []
    s.kitty = 0


def _moon_shot(s: State, e: MoonShot) -> None:
    s.shooter = e.seat


def _moon_chosen(s: State, e: MoonChosen) -> None:
    s.choice = MoonChoice(e.choice)


def _hand_scored(s: State, e: HandScored) -> None:
    s.points = e.points
    s.totals = e.totals
    s.scored = True


def _match_won(s: State, e: MatchWon) -> None:
    s.winners = e.seats


_APPLY: dict[type, Callable[[State, Any], None]] = {
    HandStarted: _hand_started, Dealt: _dealt, KittySet: _kitty_set, PassSkipped: _pass_skipped, Passed: _passed,
    Received: _received, LeadAssigned: _lead_assigned, Played: _played, HeartsBroken: _hearts_broken,
    PairCancelled: _pair_cancelled, TrickWon: _trick_won, TrickDead: _trick_dead, AsideTaken: _aside_taken,
    AsideLost: _aside_lost, MoonShot: _moon_shot, MoonChosen: _moon_chosen, HandScored: _hand_scored,
    MatchWon: _match_won,
}  # fmt: skip


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
        if dealer is not None and dealer not in range(rules.seats):
            raise GameError(
                N_("The dealer must be a seat from 0 to %(last)d, not %(dealer)s."),
                rule="deal.dealer", last=rules.seats - 1, dealer=str(dealer),
            )  # fmt: skip
        for given in deals:
            _check_deal(rules, given)
        self.ruleset = rules
        self.names = names
        self.seed = seed
        self.deals = tuple(deals)
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
            self._position = Position(self.ruleset, asked.seat, hand, s.trick, s.trick_number, s.hearts_broken)
        return self._position

    def legal_cards(self) -> Hand:
        """Return the cards that the seat to play may play, in hand order. Raises GameError when none is to be played."""
        if self._narrowed is None:
            self._narrowed = legality.narrow(self.position)
        return self._narrowed.legal

    def refusal(self, action: Action) -> Refusal | None:
        """Return why `action` is not possible now (moment, seat, cards, choice), or None when it is."""
        asked = self._asked
        kind = _KINDS.get(type(action))
        if asked is None or kind != asked.kind or action.seat != asked.seat:
            if kind is None:
                return Refusal("play.moment", {"seat": None, "asked": asked})
            if action.seat not in range(self.ruleset.seats):
                return Refusal("play.seat", {"seat": action.seat, "last": self.ruleset.seats - 1})
            if asked is None or kind != asked.kind:
                return Refusal("play.moment", {"seat": action.seat, "asked": asked})
            return Refusal("play.turn", {"seat": action.seat, "turn": asked.seat, "asked": asked})
        if isinstance(action, PlayCard):
            return None if action.card in self.legal_cards() else legality.refusal(self.position, action.card)
        if isinstance(action, PassCards):
            held: Any = self.state.hands[action.seat]
            return passing.count_refusal(self.ruleset, action.seat, tuple(action.cards)) or passing.held_refusal(
                action.seat, held, tuple(action.cards)
            )
        if action.choice in scoring.moon_choices(self.ruleset):
            return None
        return Refusal("score.moon_choice", {"seat": action.seat, "choice": str(action.choice)})

    def submit(self, action: Action) -> tuple[Event, ...]:
        """Carry out `action` and return the events that follow. Raises IllegalAction, and then nothing has changed."""
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
        made = self.state.trick_number + (0 if self._asked is None or self._asked.kind != "moon" else 1)
        return seeds.Stream(
            seeds.key(self.seed or 0, self.state.number, seeds.SEAT + seat), made * seeds.DRAWS_PER_CHOICE
        )

    def _emit(self, event: Event) -> None:
        self._events.append(event)
        _APPLY[type(event)](self.state, event)

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
            self._asked = Asked("pass", 0)

    def _pass(self, action: PassCards) -> None:
        s, rules = self.state, self.ruleset
        to = passing.receiver(rules, s.number, action.seat)
        assert to is not None
        self._emit(Passed(action.seat, to, in_order(action.cards)))
        if len(s.passed) < rules.seats:
            self._asked = Asked("pass", action.seat + 1)
            return
        given: Any = tuple(s.passed[seat] for seat in range(rules.seats))
        to_seats: Any = tuple(passing.receiver(rules, s.number, seat) for seat in range(rules.seats))
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
        self._emit(LeadAssigned(seat, rule))
        self._asked = _TO_PLAY[seat]

    def _play(self, action: PlayCard) -> None:
        s, rules = self.state, self.ruleset
        seat, card = action
        rule = legality.granted_by(self.position, card, self._narrowed)
        before = s.trick
        self._emit(Played(seat, card, rule))
        trick = s.trick
        assert before is not None and trick is not None
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
        s = self.state
        if s.aside:
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


def check_names(names: Sequence[Any]) -> tuple[str, ...]:
    """Return the names of the players, trimmed. Raises GameError for a name that could be mistaken or that harms a page.

    A name has 1 to 40 visible characters, is neither a number nor "none", and differs from the others in more than
    capital letters: records use names and seat numbers side by side.

    >>> check_names([" Al", "Beth"])
    ('Al', 'Beth')
    """
    known: dict[str, str] = {}
    for given in names:
        if not isinstance(given, str):
            raise GameError(N_("A player’s name must be a text, not %(given)s."), given=str(given)[:40])
        name = unicodedata.normalize("NFC", given.strip())
        # no printable character is a control, so most names need no closer look
        plain = name.isprintable()
        shown = name[:40] if plain else "".join(c for c in name[:40] if c.isprintable())
        if not name or len(name) > 40 or (not plain and any(_is_control(c) for c in name)):
            raise GameError(N_("A player’s name has 1 to 40 visible characters, unlike “%(name)s”."), name=shown)
        folded = name.casefold()
        if folded == "none" or _is_number(name):
            raise GameError(N_("“%(name)s” cannot be a player’s name: it would be taken for a seat or for nobody."), name=shown)
        if folded in known:
            raise GameError(N_("Two players are called “%(name)s”; each needs a name of their own."), name=shown)
        known[folded] = name
    return tuple(known.values())


def _is_control(c: str) -> bool:
    kind = unicodedata.category(c)
    # joiners belong to the spelling of names in some scripts; every other format character could turn the text around
    return kind in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or (kind == "Cf" and c not in "\u200c\u200d")


def _is_number(name: str) -> bool:
    try:
        float(name.replace(" ", ""))
    except ValueError:
        return False
    return True


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
