"""The exam: twenty new tricks and situations drawn from a seed, and every answer found by the engine.

Tricks and hands come from games that chance plays, one after the other, until each kind of question has found one; so
nothing is set up by hand, and rare tricks are as they fall at a table. The same seed draws the same exam.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import events as ev
from . import explain, loader, predict, seeds
from .cards import Card, Suit
from .cards import text as cards_text
from .course import EXAM_QUESTIONS
from .game import Game
from .i18n import Words, words
from .messages import N_, NN_, Problem
from .names import NAMES, GameError
from .players import RandomPlayer, play
from .predict import Ask, What
from .questions import Spot, from_engine, ruled
from .rules import deal, legality, match, passing, scoring
from .rules import trick as tricks
from .rules.nouns import Position, Trick
from .ruleset import BLACK_MARIA, MoonChoice, Ruleset, ruleset
from .state import State, apply

COUNT = EXAM_QUESTIONS
_MOST_GAMES = 600
_ANY_TABLE = 12
"""So many hands are played at tables of any size."""
_STREAM = 20
"""The use of chance in seeds.py that belongs to the exam."""
Drawn = tuple[dict[str, Any], Spot | None]


def new_seed() -> int:
    """Return a seed for a new exam, from the system's own chance: short enough to be told to somebody.

    >>> 0 <= new_seed() < 1_000_000
    True
    """
    return secrets.randbelow(1_000_000)


def draw(seed: int, language: Words | None = None) -> list[Drawn]:
    """Return 20 judged questions, as `questions.judged` makes them, each with its position or None; English by default.

    Raises GameError when `seed` is no whole number from 0 to 2**63 - 1.

    >>> exam = draw(7)
    >>> len(exam), exam[0][0]["form"]
    (20, 'number')
    """
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise GameError(N_("The seed must be a whole number from 0 to 9223372036854775807."))
    w = language or words()
    chance = seeds.Stream(seeds.key(seed, _STREAM))
    made: dict[str, Drawn] = {kind: make(chance, w) for kind, make in _SITUATIONS.items()}
    wanted = dict(_FOUND)
    if chance.below(2):
        wanted["next_lead"] = (_one_pair, _leads)
    for number in range(_MOST_GAMES):
        if not wanted:
            break
        for kind, found in _finds(seeds.key(seed, _STREAM, number), number, wanted, w):
            made[kind] = found
            del wanted[kind]
    if wanted:
        raise Problem(N_("No such trick came up in %(most)d hands: %(kinds)s."), most=_MOST_GAMES, kinds=", ".join(wanted))  # fmt: skip
    order = [kind for kind in ORDER if kind in made]
    return [({**made[kind][0], "id": kind, "ruled": ruled(made[kind][0]["rules"][0], w)}, made[kind][1]) for kind in order]  # fmt: skip


# --- tricks and hands, found in games that chance plays


@dataclass(frozen=True, slots=True)
class _Moment:
    """One step of a hand: all its `events`, the `step` that comes next, and the `state` before it."""

    rules: Ruleset
    names: tuple[str, ...]
    events: tuple[Any, ...]
    step: int
    state: State

    @property
    def trick(self) -> Trick:
        """The trick on the table."""
        assert self.state.trick is not None
        return self.state.trick

    @property
    def position(self) -> Position:
        """What the seat to play knows."""
        s = self.state
        assert s.to_play is not None
        hand: Any = s.hands[s.to_play]
        return Position(self.rules, s.to_play, hand, self.trick, s.trick_number, s.hearts_broken)


def _finds(seed: int, number: int, wanted: Mapping[str, _Kind], w: Words) -> Iterator[tuple[str, Drawn]]:
    """Play one hand and yield what is wanted and found in it, two questions at most; who asks takes kinds out of `wanted`."""
    chance = seeds.Stream(seeds.key(seed, _STREAM))
    rules = _seat(number, wanted, chance)
    names = chance.sample(NAMES, rules.seats)
    game = play(Game(rules, names, seed >> 1, hands=1), [RandomPlayer()] * rules.seats)
    state = State(rules)
    left = 2
    for step, event in enumerate(game.events):
        moment = _Moment(rules, names, game.events, step, state)
        for kind, (fits, make) in wanted.items():
            if fits(moment, event):
                yield kind, make(moment, event, w)
                left -= 1
                break
        if not left:
            return
        apply(state, event)


def _seat(number: int, wanted: Mapping[str, _Kind], chance: seeds.Stream) -> Ruleset:
    """The table of game `number`: any at first, and then one where what is still wanted comes up soonest."""
    if number % 4 == 3 and "first_trick_ban" in wanted:
        return ruleset("hearts", 5 + chance.below(3))
    if number < _ANY_TABLE:
        return ruleset("cancellation", 6 + chance.below(6))
    return ruleset(
        "cancellation", 6 if "none_left" in wanted and (number % 2 or len(wanted) == 1) else 9 + chance.below(2)
    )


Fits = Callable[[_Moment, Any], bool]
Make = Callable[[_Moment, Any, Words], Drawn]
_Kind = tuple[Fits, Make]


def _over(m: _Moment, e: Any, waits: bool = False, last: bool = False) -> bool:
    """Whether a trick of two packs ends that can be shown alone: not the first, not the last, with nothing waiting.

    `waits`: cards of dead tricks may wait too, but not the kitty, which nobody has seen. `last`: it may be the last one.
    """
    inner = isinstance(e, ev.TrickWon | ev.TrickDead) and 1 < m.state.trick_number < m.rules.hand_size + last
    return inner and m.rules.packs == 2 and (not m.state.aside or (waits and not m.state.kitty))


def _plain(m: _Moment, e: Any) -> bool:
    if not _over(m, e) or not isinstance(e, ev.TrickWon) or tricks.pairs(m.rules, m.trick):
        return False
    return any(c.suit is not e.card.suit and tricks.strength(c) > tricks.strength(e.card) for c in e.cards)


def _one_pair(m: _Moment, e: Any) -> bool:
    if not _over(m, e) or not isinstance(e, ev.TrickWon):
        return False
    found = tricks.pairs(m.rules, m.trick)
    return len(found) == 1 and found[0].card.suit is e.card.suit and found[0].card.rank > e.card.rank


def _pairs(m: _Moment, e: Any, least: int, most: int, off_suit: bool) -> bool:
    """Whether the trick is dead by `least` to `most` pairs, some of them (or none) of a suit that was not led, and a live card."""
    if not _over(m, e) or e.rule != "trick.dead" or not tricks.live(m.rules, m.trick):
        return False
    found = tricks.pairs(m.rules, m.trick)
    return least <= len(found) <= most and any(pair.card.suit is not m.trick.suit for pair in found) is off_suit


def _two_pairs(m: _Moment, e: Any) -> bool:
    return _pairs(m, e, 2, 2, False)


def _off_suit_pair(m: _Moment, e: Any) -> bool:
    return _pairs(m, e, 2, 2, True)


def _three_pairs(m: _Moment, e: Any) -> bool:
    return _pairs(m, e, 3, 5, False) or _pairs(m, e, 3, 5, True)


def _none_left(m: _Moment, e: Any) -> bool:
    return _over(m, e, waits=True, last=True) and e.rule == "trick.none_left"


def _dear_pair(m: _Moment, e: Any) -> bool:
    if not _over(m, e) or not isinstance(e, ev.TrickWon):
        return False
    return any(tricks.is_penalty(pair.card) for pair in tricks.pairs(m.rules, m.trick))


def _pile(m: _Moment, e: Any) -> bool:
    if not _over(m, e, waits=True) or not isinstance(e, ev.TrickWon):
        return False
    return bool(scoring.points_of(m.rules, m.state.aside) and scoring.points_of(m.rules, m.trick.cards))


def _dead(m: _Moment, e: Any) -> bool:
    return _over(m, e) and isinstance(e, ev.TrickDead)


def _refused(m: _Moment, e: Any, rule: str, most: int, first: bool) -> bool:
    """Whether a card of a hand of at most `most` is refused by `rule` now, on the first trick or (not `first`) later."""
    if not isinstance(e, ev.Played) or (m.state.trick_number == 1) is not first:
        return False
    position = m.position
    if not 3 <= len(position.hand) <= most or len(legality.narrow(position).legal) < 2:
        return False
    found = [legality.refusal(position, card) for card in position.hand]
    return rule in [one.rule for one in found if one is not None]


def _void(m: _Moment, e: Any) -> bool:
    if not isinstance(e, ev.Played) or m.rules.packs == 1 or not 3 <= len(m.position.hand) <= 8:
        return False
    return e.rule == "follow.void" and m.state.trick_number > 1


def _of_trick(what: What) -> Make:
    """What asks about one trick, cut out of its hand and read as a record, so that the engine plays it once more."""

    def make(m: _Moment, e: Any, w: Words) -> Drawn:
        events = _fragment(m)
        asked = predict.questions(events, m.rules, m.names, [Ask(1, 1, m.rules.seats, what)], None, w)[0]
        return {**from_engine(asked, m.names, w)}, _spot(events, m)

    return make


def _fragment(m: _Moment) -> tuple[Any, ...]:
    hand: dict[str, Any] = {
        "partial": True,
        "first_trick": m.state.trick_number,
        "hearts_broken": m.state.hearts_broken or any(tricks.is_penalty(card) for card in m.trick.cards[:1]),
        "tricks": [{"leader": m.names[m.trick.leader], "cards": cards_text(m.trick.cards)}],
    }
    if m.state.aside:
        hand["aside"] = cards_text(m.state.aside)
    if m.state.trick_number == m.rules.hand_size:
        hand["last"] = True
    document = {"format": 1, "ruleset": m.rules.name, "players": list(m.names), "hand": [hand]}
    return loader.read(document, "exam").game.events


def _spot(events: tuple[Any, ...], m: _Moment) -> Spot:
    steps = [i for i, e in enumerate(events) if isinstance(e, ev.Played)]
    end = next(i for i, e in enumerate(events) if isinstance(e, ev.TrickWon | ev.TrickDead))
    return Spot(events, m.rules, m.names, steps[-1], end)


def _legal(m: _Moment, e: Any, w: Words) -> Drawn:
    seat = m.position.seat
    trick = sum([isinstance(one, ev.LeadAssigned) for one in m.events[: m.step]])
    mark = Ask(1, trick, len(m.trick.plays), What.LEGAL)
    asked = predict.questions(m.events, m.rules, m.names, [mark], seat, w)[0]
    return from_engine(asked, m.names, w), Spot(m.events, m.rules, m.names, m.step - 1, m.step - 1, seat)


_WHO_LEADS = N_("Who leads the next trick?")
_LEADS_NOT = N_("%(name)s does not lead: after a won trick its winner does, after a dead one whoever led it.")


def _leads(m: _Moment, e: Any, w: Words) -> Drawn:
    lead = next(one for one in m.events[m.step :] if isinstance(one, ev.LeadAssigned))
    choices: list[dict[str, Any]] = []
    for seat, name in enumerate(m.names):
        choices.append({"text": name, "name": True, "ok": seat == lead.seat})
        if seat != lead.seat:
            choices[-1]["say"] = w.text(_LEADS_NOT, name=name)
    reply = f"{explain.event(e, m.names, m.rules, w)} {explain.event(lead, m.names, m.rules, w)}"
    made = {"form": "one", "text": w.text(_WHO_LEADS), "rules": [lead.rule, e.rule], "reply": reply, "choices": choices}
    return made, _spot(_fragment(m), m)


_FOUND: dict[str, _Kind] = {
    "three_pairs": (_three_pairs, _of_trick(What.WINNER)),
    "none_left": (_none_left, _of_trick(What.WINNER)),
    "pile": (_pile, _of_trick(What.POINTS)),
    "off_suit_pair": (_off_suit_pair, _of_trick(What.WINNER)),
    "points": (_dear_pair, _of_trick(What.POINTS)),
    "first_trick_ban": (lambda m, e: _refused(m, e, "follow.first_trick", 10, first=True), _legal),
    "unbroken": (lambda m, e: _refused(m, e, "lead.hearts_unbroken", 10, first=False), _legal),
    "opening_lead": (lambda m, e: _refused(m, e, "lead.opening_free", 11, first=True), _legal),
    "two_pairs": (_two_pairs, _of_trick(What.WINNER)),
    "one_pair": (_one_pair, _of_trick(What.WINNER)),
    "next_lead": (_dead, _leads),
    "void": (_void, _legal),
    "follow": (lambda m, e: _refused(m, e, "follow.suit", 9, first=False), _legal),
    "plain": (_plain, _of_trick(What.WINNER)),
}  # fmt: skip


# --- situations that need no cards on a table

_SIZE = {
    "cancellation": N_("%(seats)d players play Cancellation Hearts. How many cards does each of them get?"),
    "hearts": N_("%(seats)d players play Hearts. How many cards does each of them get?"),
}
_KITTY = N_("%(seats)d players play Cancellation Hearts. How many cards are left over as the kitty?")
_EVEN = N_("%(cards)d cards, dealt evenly to %(seats)d players, make %(size)d for each, and %(left)d are left over.")


def _size(chance: seeds.Stream, w: Words) -> Drawn:
    kitty = chance.below(2) == 1
    name = "cancellation" if kitty or chance.below(2) else "hearts"
    rules = ruleset(name, chance.pick(deal.seats_allowed(name)))
    text = _KITTY if kitty else _SIZE[name]
    reply = w.text(_EVEN, cards=len(rules.pack), seats=rules.seats, size=rules.hand_size, left=rules.kitty_size)
    acted = (
        ["deal.kitty", "deal.even"] if kitty else ["deal.even", "deal.packs" if rules.packs == 2 else "deal.removed"]
    )
    return _number(w.text(text, seats=rules.seats), rules.kitty_size if kitty else rules.hand_size, reply, acted), None


def _number(
    text: str, answer: int, reply: str, acted: Sequence[str], hints: Mapping[int, str] | None = None
) -> dict[str, Any]:
    said = {str(wrong): why for wrong, why in (hints or {}).items() if wrong != answer}
    return {"form": "number", "text": text, "answer": answer, "hints": said, "reply": reply, "rules": list(acted)}


_PASS = {
    "cancellation": N_("Hand %(number)d of a match of Cancellation Hearts begins. To whom does %(name)s pass cards?"),
    "hearts": N_("Hand %(number)d of a match of Hearts begins. To whom does %(name)s pass cards?"),
}
_TO = {
    "left": N_("Hand %(number)d passes to the left, that is, clockwise: from %(name)s to %(to)s."),
    "right": N_("Hand %(number)d passes to the right: from %(name)s to %(to)s."),
    "across": N_("Hand %(number)d passes across the table: from %(name)s to %(to)s."),
    "none": N_("Every fourth hand of four-player Hearts is played without a pass."),
}
_TO_NOBODY = N_("To nobody")


def _passing(chance: seeds.Stream, w: Words) -> Drawn:
    rules = ruleset("hearts", 4) if chance.below(2) else ruleset("cancellation", 6 + chance.below(6))
    names = chance.sample(NAMES, rules.seats)
    number, seat = 1 + chance.below(8), chance.below(rules.seats)
    to = passing.receiver(rules, number, seat)
    way = str(passing.direction(rules, number))
    choices = [{"text": name, "name": True, "ok": other == to} for other, name in enumerate(names) if other != seat] + [
        {"text": w.text(_TO_NOBODY), "ok": to is None}
    ]
    reply = w.text(_TO[way], number=number, name=names[seat], to=names[to] if to is not None else "")
    game = Game(rules, names, 1, number=number, hands=1)
    made = {
        "form": "one",
        "text": w.text(_PASS[rules.name], number=number, name=names[seat]),
        "rules": ["pass.none" if to is None else "pass.direction"],
        "reply": reply,
        "choices": choices,
    }
    return made, Spot(game.events, rules, names, 0, 0)


_TOOK = (
    NN_("At the end of a hand %(name)s has taken %(count)d heart and no Black Maria. How many points are written down?", "At the end of a hand %(name)s has taken %(count)d hearts and no Black Maria. How many points are written down?"),
    NN_("At the end of a hand %(name)s has taken %(count)d heart and one Black Maria. How many points are written down?", "At the end of a hand %(name)s has taken %(count)d hearts and one Black Maria. How many points are written down?"),
    NN_("At the end of a hand %(name)s has taken %(count)d heart and both Black Marias. How many points are written down?", "At the end of a hand %(name)s has taken %(count)d hearts and both Black Marias. How many points are written down?"),
)  # fmt: skip
_COSTS = N_("Every heart costs 1 point and every Black Maria 13: that makes %(points)d.")
_MARIA_COSTS = N_("A Black Maria costs 13 points.")


def _taken(hearts: int, queens: int) -> tuple[Card, ...]:
    pack = [card for card in ruleset("cancellation", 6).pack if card.suit is Suit.HEARTS]
    return (*pack[:hearts], *[BLACK_MARIA] * queens)


def _score(chance: seeds.Stream, w: Words) -> Drawn:
    rules = ruleset("cancellation", 6)
    hearts, queens = 2 + chance.below(11), 1 + chance.below(2)
    points = scoring.points_of(rules, _taken(hearts, queens))
    text = w.count(_TOOK[queens], hearts, name=chance.pick(NAMES))
    hint = w.text(_MARIA_COSTS)
    return _number(text, points, w.text(_COSTS, points=points), ["score.hand"], {hearts: hint, hearts + queens: hint}), None  # fmt: skip


_SHOT = (
    NN_("Six players play Cancellation Hearts. %(name)s has taken %(count)d heart and one Black Maria. Is that a moon?", "Six players play Cancellation Hearts. %(name)s has taken %(count)d hearts and one Black Maria. Is that a moon?"),
    NN_("Six players play Cancellation Hearts. %(name)s has taken %(count)d heart and both Black Marias. Is that a moon?", "Six players play Cancellation Hearts. %(name)s has taken %(count)d hearts and both Black Marias. Is that a moon?"),
)  # fmt: skip
_YES, _NO = N_("Yes."), N_("No.")
_MOON_IS = N_("With two packs there are 26 hearts and 2 Black Marias, and a moon needs every one of them.")


def _moon(chance: seeds.Stream, w: Words) -> Drawn:
    rules = ruleset("cancellation", 6)
    hearts, queens = chance.pick(((13, 1), (25, 2), (26, 1), (26, 2), (26, 2)))
    taken = [_taken(hearts, queens), *[()] * 5]
    shot = scoring.moon_shooter(rules, taken) == 0
    choices = [
        {"text": w.text(text), "ok": shot is yes, **({} if shot is yes else {"say": w.text(_MOON_IS)})}
        for text, yes in ((_YES, True), (_NO, False))
    ]
    text = w.count(_SHOT[queens - 1], hearts, name=chance.pick(NAMES))
    return {"form": "one", "text": text, "rules": ["score.moon"], "reply": w.text(_MOON_IS), "choices": choices}, None


_CHOSE = {
    MoonChoice.SUBTRACT: N_("%(shooter)s has %(before)d points and %(other)s has %(others)d. %(shooter)s shoots the moon and takes the points off. What is the new total of %(whose)s?"),
    MoonChoice.ADD_TO_OTHERS: N_("%(shooter)s has %(before)d points and %(other)s has %(others)d. %(shooter)s shoots the moon and adds the points to the others. What is the new total of %(whose)s?"),
}  # fmt: skip
_NEW_TOTAL = N_("The moon moves 26 points, either off the shooter’s own score or onto everybody else’s: the total of %(whose)s is %(total)d.")  # fmt: skip


def _moon_choice(chance: seeds.Stream, w: Words) -> Drawn:
    rules = ruleset("cancellation", 6)
    choice = chance.pick(tuple(MoonChoice))
    choice = MoonChoice.SUBTRACT if choice is MoonChoice.PLAYER else choice
    shooter, other = chance.sample(NAMES, 2)
    before, others = 5 + chance.below(60), 5 + chance.below(60)
    whose = chance.below(2)
    points = scoring.entered(rules, [_taken(26, 2), *[()] * 5], 0, choice)
    totals = scoring.new_totals(rules, (before, others, 0, 0, 0, 0), points)
    name = (shooter, other)[whose]
    text = w.text(_CHOSE[choice], shooter=shooter, other=other, before=before, others=others, whose=name)
    reply = w.text(_NEW_TOTAL, whose=name, total=totals[whose])
    return _number(text, totals[whose], reply, ["score.moon_choice", "score.floor"]), None


_WHO_WINS = N_("A match of Cancellation Hearts goes to %(target)d points. After a hand the totals are: %(totals)s. Who wins the match?")  # fmt: skip
_ENTRY = N_("%(name)s %(points)d")
_NOT_YET, _SHARED = N_("Nobody yet: it goes on"), N_("Several share the win")
_ENDS = {
    "on": N_("Nobody has reached %(target)d points, so another hand is played."),
    "won": N_("The target is reached, so the match is over, and %(names)s has the lowest total."),
    "shared": N_("The target is reached, so the match is over, and %(names)s share the lowest total and the win."),
}


def _target(chance: seeds.Stream, w: Words) -> Drawn:
    rules = ruleset("cancellation", 6)
    names = chance.sample(NAMES, 6)
    highest = rules.target + chance.pick((-1, 0, 3, 12))
    totals = [highest, *[40 + chance.below(70) for _ in range(5)]]
    if chance.below(2):
        totals[4] = totals[5] = min(totals)
    seated = tuple(seeds.shuffled(totals, chance.draw() >> 1))
    over, best = match.is_over(rules, seated), match.lowest(seated)
    end = "on" if not over else "won" if len(best) == 1 else "shared"
    choices = [{"text": name, "name": True, "ok": end == "won" and seat in best} for seat, name in enumerate(names)]
    choices += [{"text": w.text(_NOT_YET), "ok": end == "on"}, {"text": w.text(_SHARED), "ok": end == "shared"}]
    listed = w.join([w.text(_ENTRY, name=name, points=total) for name, total in zip(names, seated, strict=True)])
    acted = {"on": ["match.end"], "won": ["match.lowest", "match.end"], "shared": ["match.tie", "match.end"]}[end]
    reply = w.text(_ENDS[end], target=rules.target, names=w.join([names[seat] for seat in best]))
    text = w.text(_WHO_WINS, target=rules.target, totals=listed)
    return {"form": "one", "text": text, "rules": acted, "reply": reply, "choices": choices}, None


_SITUATIONS: dict[str, Callable[[seeds.Stream, Words], Drawn]] = {
    "size": _size, "passing": _passing, "score": _score, "moon": _moon, "moon_choice": _moon_choice, "target": _target,
}  # fmt: skip
ORDER = (
    "size", "passing", "opening_lead", "follow", "void", "unbroken", "first_trick_ban", "plain", "one_pair",
    "two_pairs", "off_suit_pair", "three_pairs", "none_left", "next_lead", "points", "pile", "score", "moon",
    "moon_choice", "target",
)  # fmt: skip
