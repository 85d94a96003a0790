"""Players, and all that a player may see.

A player gets a `SeatView`, built from what its seat may know, and its own stream of random numbers; it answers with an
action. It can reach neither the other hands nor the game.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from .cards import Card, Hand
from .game import Action, ChooseMoon, Game, GameError, PassCards, PlayCard
from .messages import N_, Problem
from .playerlist import PLAYERS
from .rules import passing, scoring
from .rules.nouns import Trick, made
from .ruleset import MoonChoice, Ruleset
from .seeds import Stream


class SeatView(NamedTuple):
    """Everything the seat that is asked may see, and nothing else.

    `asked` is "pass", "play" or "moon". `hand` is in hand order and `legal` what may be played now (empty unless
    asked to play). `trick` holds the plays so far, `tricks` the finished ones in order, `trick_number` counts from 1.
    `kitty` is how many unseen leftovers wait; `aside` the seen cards that wait. `given` and `received` are this
    seat's cards of the pass, `to` who got them. `totals` are before this hand; `choices` what a moon allows.
    """

    ruleset: Ruleset
    asked: str
    seat: int
    number: int
    dealer: int
    hand: Hand
    legal: Hand
    trick: Trick
    trick_number: int
    tricks: tuple[Trick, ...]
    hearts_broken: bool
    kitty: int
    aside: Hand
    given: Hand
    received: Hand
    to: int | None
    totals: tuple[int, ...]
    choices: tuple[MoonChoice, ...]


class Reason(NamedTuple):
    """Why a player acts so: `key` names the sentence that `explain.reason` says, `rule` the rule behind it or ""."""

    key: str
    rule: str
    params: Mapping[str, Any]


class Advice(NamedTuple):
    """An action and the reason for it."""

    action: Action
    reason: Reason


class Estimate(NamedTuple):
    """What playing `card` is expected to bring: means over `deals` of the unseen cards, with their standard errors.

    `points` are those entered for the seat, `others` the mean of those entered for each other seat; `maria` is the risk
    (0 to 1) of taking a Black Maria. A player who looks ahead wants the least of `points` minus `others`.
    """

    card: Card
    points: float
    points_error: float
    others: float
    maria: float
    maria_error: float
    deals: int


class Player(Protocol):
    """Someone who answers: `choose` gets the view of the seat that is asked and that seat's random numbers."""

    name: str

    def choose(self, view: SeatView, stream: Stream) -> Action:
        """Return a legal action for the seat of `view`."""
        ...

    def advise(self, view: SeatView, stream: Stream) -> Advice:
        """Return a legal action for the seat of `view`, and why."""
        ...


def view(game: Game) -> SeatView:
    """Return what the seat that is asked may see. Raises GameError when nobody is asked.

    >>> from .ruleset import ruleset
    >>> view(Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)).asked
    'pass'
    """
    asked, s, rules = game.asked, game.state, game.ruleset
    if asked is None:
        raise GameError(N_("Nobody is asked: nothing more is to be played."), rule="play.moment")
    kind, seat = asked
    # made without the names, in the order of the fields: one is needed for every card that is played
    return made(SeatView, (
        rules,
        kind,
        seat,
        s.number,
        s.dealer,
        s.hands[seat],
        game.legal_cards() if kind == "play" else (),
        s.trick or Trick(0),
        s.trick_number,
        tuple(s.tricks),
        s.hearts_broken,
        s.kitty,
        tuple(s.aside[s.kitty :]) if s.aside else (),
        s.passed.get(seat, ()),
        s.received.get(seat, ()),
        passing.receiver(rules, s.number, seat) if kind == "pass" else None,
        s.totals,
        scoring.moon_choices(rules) if kind == "moon" else (),
    ))  # fmt: skip


class UnknownPlayer(Problem):
    """There is no built-in player of that name."""


class RandomPlayer:
    """Chooses evenly: among the cards to pass, the legal cards (each copy counts) and the moon choices.

    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
    >>> len(RandomPlayer().choose(view(game), game.stream(0)).cards)
    3
    """

    name = "random"

    def advise(self, view: SeatView, stream: Stream) -> Advice:
        """Return what `choose` returns, with the only reason there is."""
        return Advice(self.choose(view, stream), Reason("random", "", {}))

    def choose(self, view: SeatView, stream: Stream) -> Action:
        """Return a random legal action for the seat of `view`."""
        if view.asked == "play":
            # the same as PlayCard(view.seat, …), but made the short way
            return made(PlayCard, (view.seat, stream.pick(view.legal)))
        if view.asked == "pass":
            return PassCards(view.seat, stream.sample(view.hand, view.ruleset.pass_count))
        return ChooseMoon(view.seat, stream.pick(view.choices))


def player(name: str) -> Player:
    """Return a built-in player: "random", "cautious" or "sampling". Raises UnknownPlayer.

    "sampling" needs numpy; without it a Problem (an ImportError too) says what to install.

    >>> player("cautious").name
    'cautious'
    """
    if name in PLAYERS:
        module, _, kind = PLAYERS[name].partition(":")
        made: Player = getattr(importlib.import_module(f"{__package__}.{module}"), kind)()
        return made
    raise UnknownPlayer(
        N_("There is no player “%(name)s”. The players are: %(known)s."), name=name[:40], known=", ".join(PLAYERS)
    )


def play(game: Game, players: Sequence[Player]) -> Game:
    """Play `game` on until nothing more is asked, with one player a seat, and return it.

    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7, hands=1)
    >>> sum(play(game, [RandomPlayer()] * 4).state.points)
    26
    """
    while (asked := game.asked) is not None:
        game.submit(players[asked.seat].choose(view(game), game.stream(asked.seat)))
    return game


__all__ = [
    "Advice",
    "Card",
    "Estimate",
    "Player",
    "RandomPlayer",
    "Reason",
    "SeatView",
    "UnknownPlayer",
    "play",
    "player",
    "view",
]
