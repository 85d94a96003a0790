"""Cases as records: what a table needs to show the call that went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .. import record, seeds
from ..cards import Card, Hand, cards, missing
from ..cards import text as cards_text
from ..events import KittySet, Middle
from ..game import Game, Given, PlayCard
from ..messages import N_
from ..names import NAMES
from ..players import RandomPlayer, play
from ..rules import lead, nouns
from ..rules.trick import winner
from ..ruleset import ruleset

_SEATS = 6

HARMLESS = cards("9C 2C 3C 4C 5C 6C")
"""A trick that its leader wins and that costs nothing."""

TITLE = N_("The case that went wrong")


def trick(played: Sequence[Card], leader: int = 0) -> str:
    """Return a record (TOML) of one trick of the cards `played`, led by the seat `leader`: Cancellation Hearts from 6 cards on, else Hearts.

    >>> from ..cards import cards
    >>> record.loads(trick(cards("AS KS AS 3S 2H 4D"))).game.events[-1].seat
    1
    """
    game = "cancellation" if len(played) >= 6 else "hearts"
    text = _record(game, len(played), ["first_trick = 5", "hearts_broken = true"], [(leader, played)])
    record.loads(text)
    return text


def _record(game: str, seats: int, facts: Sequence[str], tricks: Iterable[tuple[int, Sequence[Card]]]) -> str:
    """Return a record (TOML) of `tricks`, each with the seat that led and its cards; `facts` are lines about their hand."""
    names = NAMES[:seats]
    return "\n".join([
        "format = 1",
        f'ruleset = "{game}"',
        "players = [" + ", ".join([f'"{name}"' for name in names]) + "]",
        f'title = "{TITLE}"',
        "",
        "[[hand]]",
        "partial = true",
        *facts,
        "tricks = [",
        *[f'  {{ leader = "{names[leader]}", cards = "{cards_text(played)}" }},' for leader, played in tricks],
        "]",
        "",
    ])  # fmt: skip


def held(hand: Sequence[Card], trick: Sequence[Card] = (), first: bool = False, broken: bool = True) -> str:
    """Return a record (TOML) in which somebody holds exactly `hand` (1 to 16 cards) and is to play, after the cards of `trick`.

    Six play Cancellation Hearts, everybody holds as many cards, and the first in the round led. `first`: it is the
    first trick of the hand; `broken`: hearts are broken.

    >>> from ..cards import cards
    >>> game = record.loads(held(cards("3C KC QS"), cards("9C"))).game
    >>> game.events[0].middle.tricks
    3
    """
    rules = ruleset("cancellation", _SEATS)
    pack = seeds.shuffled(missing(rules.pack, [*hand, *trick]), 7)
    hands = []
    for seat in range(_SEATS):
        own = list(hand) if seat == len(trick) else list(trick[seat : seat + 1])
        # whoever discarded has none of the suit led
        void = trick[0].suit if seat < len(trick) and trick[seat].suit is not trick[0].suit else None
        for card in [card for card in pack if card.suit is not void][: len(hand) - len(own)]:
            pack.remove(card)
            own.append(card)
        hands.append(tuple(own))
    middle = Middle(1 if first else 2, broken and not first, (), len(hand), False)
    game = Game(rules, NAMES[:_SEATS], None, _SEATS - 1, [Given(tuple(hands), (), middle)], hands=1)
    for seat, card in enumerate(trick):
        game.submit(PlayCard(seat, card))
    return record.dumps(play(game, [RandomPlayer()] * _SEATS), TITLE)


def dealt(seats: int) -> str:
    """Return a record (TOML) of a hand of Cancellation Hearts for `seats` players (6 to 11) that has just been dealt.

    >>> record.loads(dealt(6)).game.state.kitty
    2
    """
    game = Game(ruleset("cancellation", seats), NAMES[:seats], seed=1, dealer=0)
    return record.dumps(game, TITLE)


class Tricks(NamedTuple):
    """The first tricks of a hand of Cancellation Hearts for `seats`: their cards, who led and who won each; `whole`: up to the last one."""

    seats: int
    kitty: Hand
    tricks: tuple[Hand, ...]
    leaders: tuple[int, ...]
    winners: tuple[int | None, ...]
    whole: bool = False

    @classmethod
    def played(cls, seats: int, seed: int) -> Tricks:
        """Return a whole hand, played at random after a deal from `seed`.

        >>> len(Tricks.played(6, 1).tricks)
        17
        """
        rules = ruleset("cancellation", seats, pass_cycle="none")
        game = play(Game(rules, NAMES[:seats], seed, hands=1), [RandomPlayer()] * seats)
        kitty = next((event.cards for event in game.events if isinstance(event, KittySet)), ())
        return cls._of(seats, kitty, game.state.tricks, whole=True)

    @classmethod
    def written(cls, seats: int, kitty: str, leader: int, *tricks: str) -> Tricks:
        """Return the tricks of these cards, the first one led by the seat `leader`.

        >>> Tricks.written(6, "QS KH", 5, "3C 9C 3C 2C QC KC").winners
        (4,)
        """
        rules, made = ruleset("cancellation", seats), []
        for text in tricks:
            made.append(nouns.trick(leader, text, seats))
            won = winner(rules, made[-1])
            leader = lead.after_dead(rules, made[-1]) if won is None else lead.after_won(won.seat)
        return cls._of(seats, cards(kitty), made, whole=False)

    @classmethod
    def _of(cls, seats: int, kitty: Sequence[Card | None], tricks: Sequence[nouns.Trick], whole: bool) -> Tricks:
        won = [winner(ruleset("cancellation", seats), one) for one in tricks]
        return cls(
            seats,
            tuple([card for card in kitty if card is not None]),
            tuple([one.cards for one in tricks]),
            tuple([one.leader for one in tricks]),
            tuple([None if one is None else one.seat for one in won]),
            whole,
        )

    def cut(self, count: int) -> Tricks:
        """Return the first `count` of the tricks.

        >>> len(Tricks.played(6, 1).cut(2).winners)
        2
        """
        whole = self.whole and count == len(self.tricks)
        return Tricks(self.seats, self.kitty, self.tricks[:count], self.leaders[:count], self.winners[:count], whole)

    def text(self) -> str:
        """Return the record (TOML) that shows them.

        >>> record.loads(Tricks.played(6, 1).cut(2).text()).title == TITLE
        True
        """
        facts = ["first_trick = 1"]
        if self.kitty:
            facts.append(f'kitty = "{cards_text(self.kitty)}"')
        if self.whole:
            facts.append("last = true")
        return _record("cancellation", self.seats, facts, zip(self.leaders, self.tricks, strict=True))


def collected(taken: Sequence[Card], seat: int = 0) -> str:
    """Return a record (TOML) in which `seat`, of six, has `taken` these cards: they were set aside, and a trick of small clubs brings them.

    >>> from ..cards import cards
    >>> len(record.loads(collected(cards("QS 2H"), 3)).game.state.taken[3])
    8
    """
    facts = ["first_trick = 9", "hearts_broken = true", f'aside = "{cards_text(taken)}"']
    text = _record("cancellation", _SEATS, facts, [(seat, HARMLESS)])
    record.loads(text)
    return text
