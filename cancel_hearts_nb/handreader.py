"""Reading one hand of a record: what is written is parsed, played through a game, and held against its claims."""

from __future__ import annotations

import difflib
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import events as ev
from .cards import Card, CardError, Hand, in_order, missing, parse
from .faults import Notes, Place, shown
from .game import Action, ChooseMoon, Game, Given, PassCards, PlayCard
from .messages import N_
from .predict import MOST_ASKS, Ask, What
from .rules import lead, passing
from .rules import trick as rules_of_trick
from .rules.nouns import Play, Trick
from .ruleset import MoonChoice, Opening, Ruleset

HAND_KEYS = ("number", "dealer", "deal", "kitty", "passed", "tricks", "moon", "points", "unfinished")
PARTIAL_KEYS = ("number", "dealer", "kitty", "tricks", "partial", "first_trick", "hearts_broken", "aside", "last")
_TRICK = ("leader", "cards", "winner", "ask")
_ASK = ("at", "what")


_NO_PLAYER = N_(
    "“%(key)s” must be a player’s name or a seat from 0 to %(last)d, not “%(value)s”. The players are: %(names)s."
)
_NO_WINNER = N_(
    '“%(key)s” must be a player’s name, a seat from 0 to %(last)d, or "none", not “%(value)s”. The players are: %(names)s.'
)


class Unplayable(Exception):
    """Raised after a fault has been noted, where going on with this hand would say nothing new."""


@dataclass(frozen=True, slots=True)
class ReadHand:
    """A hand that has been read and played through."""

    place: int
    number: int
    dealer: int
    given: Given
    actions: tuple[Action, ...]
    unfinished: bool
    asks: tuple[Ask, ...] = ()


@dataclass(frozen=True, slots=True)
class _Trick:
    """One trick as written; `leader` None when not said or not known, `fine` False when it cannot be played."""

    leader: int | None
    cards: Hand
    winner: int | None
    claimed: bool
    fine: bool


class HandReader:
    """Reads one hand and plays it through a game of its own, so that a fault in one hand hides none in the next."""

    def __init__(
        self,
        notes: Notes,
        rules: Ruleset,
        hands: Sequence[Mapping[str, Any]],
        index: int,
        before: HandReader | None,
    ) -> None:
        self.notes = notes
        self.rules = rules
        self.table = hands[index]
        self.index = index
        self.is_last = index == len(hands) - 1
        self.alone = len(hands) == 1
        self.before = before
        self.at = Place(index + 1)
        self.number = 1
        self.dealer: int | None = None
        self.asks: list[Ask] = []
        self.playable = notes.sure
        """False when something is wrong without which the hand cannot be played"""

    def read(self) -> ReadHand:
        """Return the hand, read and played. Raises Unplayable after everything wrong with it has been noted."""
        noted = self.notes.noted
        partial = self._flag("partial")
        self.notes.keys(self.table, PARTIAL_KEYS if partial else HAND_KEYS, self.at)
        if partial and not self.alone:
            self.note(N_("A hand with “partial” must be the only one in its record."))
        self.number = self._number()
        self.dealer = self._dealer(needed=not partial)
        tricks = self._tricks()
        self._asks()
        kitty = self._cards("kitty")
        hand = self._fragment(kitty, tricks) if partial else self._whole(kitty, tricks)
        if hand is None or self.notes.noted > noted:
            raise Unplayable
        return hand

    # what both kinds share

    def note(self, message: str = "", trick: int = 0, seat: int | None = None, **params: Any) -> None:
        """Keep one fault of this hand, with its trick (0: none) and seat."""
        name = "" if seat is None else self.notes.names[seat]
        self.notes.note(Place(self.at.hand, trick, name), message, **params)

    def _flag(self, key: str) -> bool:
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            self.note(N_("“%(key)s” must be true or false."), key=key)
            return False
        return value

    def _number(self) -> int:
        expected = self.before.number + 1 if self.before else 1
        number = self.table.get("number", expected)
        if type(number) is not int or not 1 <= number <= 9999:
            self.note(N_("“number” must be a whole number from 1 to 9999."))
            self.playable = self.before is not None and self.playable
            return expected
        if self.before and number != expected:
            self.note(N_("Hands follow on: this one is number %(number)d."), number=expected)
            # read on as if it were the right one, so that only this is reported
            return expected
        return number

    def _dealer(self, needed: bool) -> int | None:
        seats, before = self.rules.seats, self.before
        expected = None if before is None or before.dealer is None else (before.dealer + 1) % seats
        if "dealer" not in self.table:
            if needed and before is None:
                self.note(N_("“dealer” is missing: the name or seat of the player who deals."), rule="deal.dealer")
            dealer = expected
        else:
            dealer = self._seat(self.table["dealer"], "dealer")
            if dealer is not None and expected is not None and dealer != expected:
                self.note(
                    N_("The deal moves to the left, so %(dealer)s deals this hand."),
                    rule="deal.dealer", dealer=self.notes.names[expected],
                )  # fmt: skip
                dealer = expected
        if needed and dealer is None:
            self.playable = False
        return dealer

    def _seat(self, value: Any, key: str, trick: int = 0) -> int | None:
        names = self.notes.names
        if type(value) is int and 0 <= value < len(names):
            return value
        name = unicodedata.normalize("NFC", value.strip()) if isinstance(value, str) else ""
        if name in names:
            return names.index(name)
        if not self.notes.sure:
            # the names themselves may be what is wrong
            return None
        near = difflib.get_close_matches(name, names, n=1) or [
            other for other in names if other.casefold() == name.casefold()
        ]
        if near:
            self.note(
                N_("“%(key)s”: there is no player “%(value)s”. Did you mean “%(near)s”?"),
                trick, key=key, value=shown(value), near=near[0],
            )  # fmt: skip
        else:
            self.note(
                _NO_WINNER if key == "winner" else _NO_PLAYER,
                trick, key=key, value=shown(value), last=len(names) - 1, names=", ".join(names),
            )  # fmt: skip
        return None

    def _parse(self, text: Any, key: str, trick: int = 0, seat: int | None = None) -> Hand | None:
        """Return the cards in `text`, or None when it has been noted that there is something else in it."""
        if not isinstance(text, str):
            self.note(N_('“%(key)s” must be cards in quotation marks, as in "QS 9H".'), trick, seat, key=key)
            return None
        found: list[Card] = []
        words = text.split()[:200]
        for word in words:
            try:
                found.append(parse(word))
            except CardError as error:
                self.note("", trick, seat, problem=error)
        return tuple(found) if len(found) == len(words) else None

    def _cards(self, key: str) -> Hand | None:
        cards = self._parse(self.table.get(key, ""), key)
        if cards is None:
            self.playable = False
        return cards

    def _list(self, key: str) -> list[Any] | None:
        """Return the list `key`, or None when there is none or, then not playable, something else."""
        value = self.table.get(key)
        if value is not None and not isinstance(value, list):
            self.note(N_("“%(key)s” must be a list in square brackets."), key=key)
            self.playable = False
            return None
        return value

    def _tricks(self) -> list[_Trick]:
        found = []
        for number, entry in enumerate(self._list("tricks") or [], 1):
            if not isinstance(entry, dict):
                self.note(N_('A trick is written as { leader = …, cards = "…", winner = … }.'), number)
                found.append(_Trick(None, (), None, False, False))
                continue
            self.notes.keys(entry, _TRICK, Place(self.at.hand, number))
            leader = self._seat(entry["leader"], "leader", number) if "leader" in entry else None
            winner = None
            claimed = "winner" in entry
            if claimed and entry["winner"] != "none":
                winner = self._seat(entry["winner"], "winner", number)
                claimed = winner is not None
            cards = self._parse(entry.get("cards", ""), "cards", number)
            fine = cards is not None
            if cards and len(cards) > self.rules.seats:
                self._incomplete(number, len(cards))
                fine = False
            found.append(_Trick(leader, cards or (), winner, claimed, fine))
        return found

    def _asks(self) -> None:
        """Read the questions that the tricks ask; each is judged later, by `predict`."""
        written = self.table.get("tricks")
        asking = 0
        for number, entry in enumerate(written if isinstance(written, list) else [], 1):
            if not isinstance(entry, dict) or "ask" not in entry:
                continue
            asked = entry["ask"]
            if not isinstance(asked, list) or not all(isinstance(one, dict) for one in asked):
                self.note(
                    N_('“ask” must be a list of questions, each as in { at = 0, what = "winner" }.'),
                    number,
                )
                continue
            cards = entry.get("cards", "")
            played = len(cards.split()) if isinstance(cards, str) else 0
            for one in asked[: MOST_ASKS + 1]:
                self.notes.keys(one, _ASK, Place(self.at.hand, number))
                ask = self._ask(one, number, played)
                if ask is not None and ask in self.asks:
                    self.note(N_("The same question is asked twice here."), number)
                elif ask is not None:
                    self.asks.append(ask)
            asking += len(asked)
        if asking > MOST_ASKS:
            self.note(N_("A hand asks at most %(most)d questions, or it becomes an examination."), most=MOST_ASKS)

    def _ask(self, one: Mapping[str, Any], number: int, played: int) -> Ask | None:
        seats = self.rules.seats
        at, what = one.get("at"), one.get("what")
        if what not in tuple(What):
            near = difflib.get_close_matches(str(what)[:40], list(What), n=1)
            if near:
                self.note(
                    N_("“what” cannot be “%(what)s”. Did you mean “%(near)s”?"),
                    number, what=shown(what), near=near[0],
                )  # fmt: skip
            else:
                self.note(
                    N_("“what” must be one of %(known)s, not “%(what)s”."),
                    number, known=", ".join(What), what=shown(what),
                )  # fmt: skip
            return None
        if type(at) is not int or not 0 <= at <= seats:
            self.note(
                N_("“at” says how many cards of the trick are shown already: 0 to %(seats)d, not “%(at)s”."),
                number, seats=seats, at=shown(at),
            )  # fmt: skip
            return None
        if what == What.LEGAL and at == seats:
            self.note(
                N_("All cards of the trick are shown by then, so nobody is left whose legal cards could be asked for."),
                number,
            )
            return None
        if at > played:
            self.note(
                N_("Only %(played)d cards of this trick are played, so nothing can be asked after %(at)d."),
                number, played=played, at=at,
            )  # fmt: skip
            return None
        if what == What.WINNER and played < seats:
            self.note(N_("This trick is not complete, so it cannot be asked who takes it."), number)
            return None
        return Ask(self.number, number, at, What(what))

    def _incomplete(self, number: int, count: int) -> None:
        self.note(
            N_("A trick has one card from each of the %(seats)d players, here are %(count)d."),
            number, rule="play.turn", seats=self.rules.seats, count=count,
        )  # fmt: skip

    def _copies(self, cards: Sequence[Card]) -> None:
        pack = Counter(self.rules.pack)
        for card, count in Counter(cards).items():
            most = pack[card]
            if count > most:
                self.note(
                    N_("The card %(card)s is there too often (written: %(count)d, in the pack: %(most)d)."),
                    rule="deal.packs" if most else "deal.removed", card=card, count=count, most=most,
                )  # fmt: skip

    def _play(self, game: Game, tricks: list[_Trick]) -> bool:
        """Play the tricks through `game` and check what is claimed; return False when an illegal card ended it."""
        for number, entry in enumerate(tricks, 1):
            if not entry.fine:
                return False
            asked = game.asked
            if asked is None or asked.kind != "play":
                self.note(N_("The hand is over before this trick."), number)
                return False
            if entry.leader is not None and entry.leader != asked.seat:
                self._led_by(number, asked.seat, entry.leader, game.events[-1].rule)  # type: ignore[attr-defined]
                return False
            if game.state.kitty and any(ask.trick == number and ask.what is What.POINTS for ask in self.asks):
                self.note(
                    N_("“points” cannot be asked here: the kitty still waits, and nobody can see what is in it."),
                    number, rule="trick.pile",
                )  # fmt: skip
            mark = len(game.events)
            for card in entry.cards:
                turn = game.asked
                assert turn is not None
                action = PlayCard(turn.seat, card)
                refused = game.refusal(action)
                if refused is not None:
                    self.note("", number, turn.seat, refusal=refused)
                    return False
                game.submit(action)
            ended = [e for e in game.events[mark:] if isinstance(e, ev.TrickWon | ev.TrickDead)]
            if not ended and number < len(tricks):
                self._incomplete(number, len(entry.cards))
                return False
            if entry.claimed and not ended:
                self.note(N_("A winner is claimed, but the trick is not complete."), number)
            elif entry.claimed:
                self._winner(number, entry.winner, ended[0])
        return True

    def _led_by(self, number: int, leader: int, given: int, rule: str) -> None:
        self.note(
            N_("This trick is led by %(leader)s, not by %(given)s."),
            number, rule=rule, leader=self.notes.names[leader], given=self.notes.names[given],
        )  # fmt: skip

    def _winner(self, number: int, claimed: int | None, ended: ev.TrickWon | ev.TrickDead) -> None:
        names = self.notes.names
        if isinstance(ended, ev.TrickDead):
            if claimed is not None:
                self.note(
                    N_("Nobody wins this trick, but the record says that %(claimed)s does."),
                    number, rule=ended.rule, claimed=names[claimed],
                )  # fmt: skip
        elif claimed is None:
            self.note(
                N_("%(winner)s wins this trick with the %(card)s, but the record says that nobody does."),
                number, rule=ended.rule, winner=names[ended.seat], card=ended.card,
            )  # fmt: skip
        elif claimed != ended.seat:
            self.note(
                N_("%(winner)s wins this trick with the %(card)s, not %(claimed)s."),
                number, rule=ended.rule, winner=names[ended.seat], card=ended.card, claimed=names[claimed],
            )  # fmt: skip

    # a whole hand

    def _whole(self, kitty: Hand | None, tricks: list[_Trick]) -> ReadHand | None:
        unfinished = self._flag("unfinished")
        if unfinished and not self.is_last:
            self.note(N_("Only the last hand of a record can be unfinished."))
        hands = self._deal(kitty)
        given = self._passed(unfinished)
        choice = self._moon()
        if not self.playable or self.dealer is None:
            return None
        deal = Given(hands, kitty or ())
        game = Game(self.rules, self.notes.names, None, self.dealer, [deal], number=self.number, hands=1)
        if self._pass(game, given) and self._play(game, tricks):
            self._end(game, choice, unfinished)
        return ReadHand(self.index + 1, self.number, self.dealer, deal, game.actions, unfinished, tuple(self.asks))

    def _deal(self, kitty: Hand | None) -> tuple[Hand, ...]:
        """Return the hands dealt; when anything is wrong with them or the `kitty`, the hand is not playable."""
        rules = self.rules
        noted = self.notes.noted
        lines = self._list("deal")
        if "deal" not in self.table:
            self.note(
                N_("“deal” is missing: a list of %(seats)d hands, one for each seat."),
                seats=rules.seats,
                rule="deal.even",
            )
        elif lines is not None and len(lines) != rules.seats:
            self.note(
                N_("“deal” must hold %(seats)d hands, one for each seat, not %(count)d."),
                rule="deal.even", seats=rules.seats, count=len(lines),
            )  # fmt: skip
        hands = []
        unread = kitty is None or lines is None or len(lines) != rules.seats
        for seat, line in enumerate((lines or [])[: rules.seats]):
            cards = self._parse(line, "deal", 0, seat)
            hands.append(in_order(cards or ()))
            if cards is None:
                unread = True
            elif len(cards) != rules.hand_size:
                self.note(
                    N_("Cards dealt to each player at this table: %(size)d. Here are %(count)d."),
                    seat=seat, rule="deal.even", size=rules.hand_size, count=len(cards),
                )  # fmt: skip
        if kitty is not None and len(kitty) != rules.kitty_size:
            self.note(
                N_("Cards left over for the kitty at this table: %(size)d. Here are %(count)d."),
                rule="deal.kitty", size=rules.kitty_size, count=len(kitty),
            )  # fmt: skip
        dealt = [card for hand in hands for card in hand] + list(kitty or ())
        self._copies(dealt)
        lacking = missing(rules.pack, dealt)
        if lacking and not unread:
            self.note(N_("These cards are missing from the deal: %(cards)s."), rule="deal.packs", cards=lacking)
        if self.notes.noted > noted:
            self.playable = False
        return tuple(hands)

    def _passed(self, unfinished: bool) -> list[Hand]:
        noted = self.notes.noted
        seats = self.rules.seats
        lines = self._list("passed")
        if not self.notes.sure:
            # whether and how many cards are passed is an option
            return []
        if passing.direction(self.rules, self.number) is passing.Direction.NONE:
            if "passed" in self.table:
                self.note(N_("In this hand nobody passes, so “passed” must be left out."), rule="pass.none")
            return []
        if lines is None:
            if "passed" not in self.table and not unfinished:
                self.note(N_("“passed” is missing: what each seat passes."), rule="pass.count")
                self.playable = False
            return []
        if len(lines) > seats or (len(lines) < seats and not unfinished):
            self.note(
                N_("“passed” must hold what each of the %(seats)d seats passes, in seat order."),
                rule="pass.count", seats=seats,
            )  # fmt: skip
        given = []
        for seat, line in enumerate(lines[:seats]):
            cards = self._parse(line, "passed", 0, seat)
            given.append(in_order(cards or ()))
            refused = None if cards is None else passing.count_refusal(self.rules, seat, cards)
            if refused is not None:
                self.note("", seat=seat, refusal=refused)
        if self.notes.noted > noted:
            self.playable = False
        return given

    def _pass(self, game: Game, given: list[Hand]) -> bool:
        fine = True
        for seat, cards in enumerate(given):
            held: Any = game.state.hands[seat]
            refused = passing.held_refusal(seat, held, cards)
            if refused is not None:
                self.note("", seat=seat, refusal=refused)
                fine = False
            elif fine:
                game.submit(PassCards(seat, cards))
        asked = game.asked
        if fine and asked is not None and asked.kind == "pass" and self.table.get("tricks"):
            self.note(N_("Tricks are played only after every seat has passed."), rule="pass.blind")
            return False
        return fine

    def _moon(self) -> MoonChoice | None:
        choice = self.table.get("moon")
        if choice is None:
            return None
        if choice not in (MoonChoice.SUBTRACT, MoonChoice.ADD_TO_OTHERS):
            self.note(
                N_('“moon” must be "subtract" or "add_to_others", not “%(value)s”.'),
                rule="score.moon_choice", value=shown(choice),
            )  # fmt: skip
            return None
        return MoonChoice(choice)

    def _end(self, game: Game, choice: MoonChoice | None, unfinished: bool) -> None:
        asked = game.asked
        shooter = game.state.shooter
        if asked is not None and asked.kind == "moon" and choice is not None:
            game.submit(ChooseMoon(asked.seat, choice))
        elif choice is not None and shooter is None:
            self.note(N_("“moon” is given, but nobody has shot the moon."), rule="score.moon")
        elif choice is not None and game.state.choice not in (None, choice):
            self.note(
                N_("“moon” does not fit: this table decided beforehand for “%(choice)s”."),
                rule="score.moon_choice", choice=str(game.state.choice),
            )  # fmt: skip
        asked = game.asked
        points = self.table.get("points")
        if asked is None:
            if unfinished:
                self.note(N_("The hand is marked as unfinished, but it is complete."))
            # 1 is the same as 1.0 and true for Python, but not on a score sheet
            whole = isinstance(points, list) and all(type(entry) is int for entry in points)
            if points is not None and (not whole or tuple(points) != game.state.points):
                self.note(
                    N_("The points are wrong. By seat the hand gives %(right)s, the record says %(given)s."),
                    rule="score.hand", right=", ".join(str(p) for p in game.state.points), given=_list(points),
                )  # fmt: skip
            return
        if asked.kind == "moon" and not unfinished:
            if "moon" not in self.table:
                self.note(
                    N_("%(name)s has shot the moon, so “moon” is needed: \"subtract\" or \"add_to_others\"."),
                    rule="score.moon_choice", name=self.notes.names[asked.seat],
                )  # fmt: skip
            return
        if not unfinished:
            self.note(N_("The hand stops early. If that is meant, write “unfinished = true”."))
        if points is not None:
            self.note(N_("Points are claimed, but the hand is not complete."), rule="score.hand")

    # a fragment

    def _fragment(self, kitty: Hand | None, tricks: list[_Trick]) -> ReadHand | None:
        rules = self.rules
        first = self.table.get("first_trick", 2)
        if type(first) is not int or not 1 <= first <= rules.hand_size - max(0, len(tricks) - 1):
            self.note(
                N_("“first_trick” must be a whole number from 1, and a hand has only %(size)d tricks at this table."),
                size=rules.hand_size,
            )
            self.playable = False
        broken, last, aside = self._flag("hearts_broken"), self._flag("last"), self._cards("aside")
        if rules.packs == 1 and (kitty or aside):
            self.note(
                N_(
                    "With one pack no card is left over and every trick is won: “kitty” and “aside” belong to Cancellation Hearts."
                )
            )
        if first == 1 and (broken or aside):
            self.note(
                N_("Before the first trick hearts are not broken and no trick is set aside."), rule="lead.breaking"
            )
        if not self.table.get("tricks"):
            self.note(N_("“tricks” is missing: the tricks to show."))
        for index, entry in enumerate(tricks, 1):
            if entry.fine and len(entry.cards) < rules.seats:
                self._incomplete(index, len(entry.cards))
            if not entry.fine or len(entry.cards) != rules.seats:
                self.playable = False
        noted = self.notes.noted
        self._copies([card for entry in tricks for card in entry.cards] + list(kitty or ()) + list(aside or ()))
        if self.notes.noted > noted:
            # who wins with a card that cannot be there says nothing
            self.playable = False
        if tricks and tricks[0].leader is None:
            if tricks[0].fine and "leader" not in self.table["tricks"][0]:
                self.note(N_("The first trick needs its leader."), 1)
            self.playable = False
        if not tricks or not self.playable:
            return None
        leader = tricks[0].leader or 0
        shown, hands, leads, rule = self._attributed(tricks, leader)
        dealer = (leader - 1) % rules.seats if self.dealer is None else self.dealer
        if first == 1:
            opens = lead.opening_leader(rules, dealer, hands)
            low_club = rules.opening is Opening.LOW_CLUB
            if opens is None:
                self.note(
                    N_("The first trick is opened with the %(card)s, which is not shown here."),
                    1, rule="lead.low_club", card=lead.low_club(rules),
                )  # fmt: skip
            elif opens != leader:
                self._led_by(1, opens, leader, "lead.low_club" if low_club else "lead.opening")
        middle = ev.Middle(first, broken, aside or (), shown, last)
        given = Given(hands, kitty or (), middle, leader)
        game = Game(rules, self.notes.names, None, dealer, [given], number=self.number, hands=1)
        self._play(game, tricks[:shown])
        if shown < len(tricks):
            self._led_by(shown + 1, leads, tricks[shown].leader or 0, rule)
        return ReadHand(self.index + 1, self.number, dealer, given, game.actions, False, tuple(self.asks))

    def _attributed(self, tricks: list[_Trick], leader: int) -> tuple[int, tuple[Hand, ...], int, str]:
        """Return how many tricks are led by whom the rules say, the hands: each seat holds what it plays in them; and who leads next, and by which rule.

        Who plays which card follows from who leads, so here the tricks are played once with every card allowed.
        """
        rules = self.rules
        held: list[list[Card]] = [[] for _ in range(rules.seats)]
        shown, rule = 0, ""
        for entry in tricks:
            if entry.leader not in (None, leader):
                break
            shown += 1
            plays = tuple(Play((leader + i) % rules.seats, card) for i, card in enumerate(entry.cards))
            for seat, card in plays:
                held[seat].append(card)
            trick = Trick(leader, plays)
            won = rules_of_trick.winner(rules, trick)
            leader = lead.after_dead(rules, trick) if won is None else lead.after_won(won.seat)
            rule = "lead.after_dead" if won is None else "lead.winner"
        return shown, tuple([in_order(cards) for cards in held]), leader, rule


def _list(value: Any) -> str:
    return ", ".join(shown(entry, 12) for entry in value[:12]) if isinstance(value, list) else shown(value)
