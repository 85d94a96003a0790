"""A player that goes by rules of thumb, each of which it can say in one sentence.

It wants to win no trick: it passes what is dangerous, leads low, ducks as high as it safely can, throws its worst card
when it is void, uses a twin to cancel its own high card, and does not feed a player who seems to shoot the moon.
It sees a `SeatView` and nothing else, and takes no chances: the same view gives the same choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .cards import Card, Hand, Rank, Suit
from .game import ChooseMoon, PassCards, PlayCard
from .players import Advice, Reason, SeatView
from .rules import lead, match, scoring
from .rules import trick as tricks
from .rules.nouns import Play, Trick
from .ruleset import BLACK_MARIA, MoonChoice, OmnibusSlam, ScoreFloor, Switch
from .seeds import Stream

# From here on one seat holding every penalty point so far looks like a moon (of 26 or 52)
_MOON_SHARE = 0.35

# A suit with fewer cards than this is worth emptying: who is void may discard
_SHORT = 3


class CautiousPlayer:
    """Avoids tricks by rules of thumb; ties go to the card that stands first in hand order.

    >>> from .game import Game
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
    >>> CautiousPlayer().advise(view(game), game.stream(0)).reason.key
    'pass'
    """

    name = "cautious"

    def choose(self, view: SeatView, stream: Stream) -> PassCards | PlayCard | ChooseMoon:
        """Return the action of `advise`."""
        return self.advise(view, stream).action

    def advise(self, view: SeatView, stream: Stream) -> Advice:
        """Return a legal action for the seat of `view` and the reason for it; `stream` is not used."""
        if view.asked == "pass":
            return _pass(view)
        if view.asked == "moon":
            return Advice(ChooseMoon(view.seat, moon_choice(view)), Reason("moon", "score.moon_choice", {}))
        if len(set(view.legal)) == 1:
            return _advice(view, view.legal[0], "only")
        if not view.trick.plays:
            return _lead(view)
        if view.legal[0].suit is view.trick.suit:
            return _follow(view)
        return _discard(view)


def _advice(view: SeatView, card: Card, key: str, rule: str = "", **params: object) -> Advice:
    return Advice(PlayCard(view.seat, card), Reason(key, rule, {"card": card, **params}))


def _worst(cards: Iterable[Card], danger: dict[Card, int]) -> Card:
    return max(sorted(set(cards)), key=lambda card: danger[card])


def unseen(view: SeatView) -> Counter[Card]:
    """Return the cards that `view` has not seen, with their number: in other hands or in the kitty.

    >>> from .game import Game
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> sum(unseen(view(Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7))).values())
    39
    """
    out = Counter(view.ruleset.pack)
    out.subtract(view.hand)
    for trick in (*view.tricks, view.trick):
        out.subtract(trick.cards)
    return +out


def _higher(card: Card, out: Counter[Card]) -> int:
    return sum(n for other, n in out.items() if other.suit is card.suit and other.rank > card.rank)


def pass_danger(view: SeatView) -> dict[Card, int]:
    """Return how much worth passing each card of the hand is, the more the larger.

    >>> from .game import Game
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> danger = pass_danger(view(Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)))
    >>> len(danger)
    13
    """
    lengths = Counter(card.suit for card in view.hand)
    low_spades = sum(1 for card in view.hand if card.suit is Suit.SPADES and card.rank < Rank.QUEEN)
    danger: dict[Card, int] = {}
    for card in view.hand:
        value = int(card.rank)
        if card is BLACK_MARIA:
            value = 60 if low_spades < 4 else 5
        elif card.suit is Suit.SPADES and card.rank > Rank.QUEEN:
            value = 45 + card.rank if low_spades < 4 else 6
        elif card.suit is Suit.HEARTS:
            value = card.rank + 4
        elif card is view.ruleset.bonus_card:
            value = 0
        elif lengths[card.suit] <= view.ruleset.pass_count:
            # an empty suit is worth having: it lets one discard
            value += 12 - 3 * lengths[card.suit]
        danger[card] = value
    return danger


def _pass(view: SeatView) -> Advice:
    danger = pass_danger(view)
    chosen: list[Card] = []
    left = list(view.hand)
    for _ in range(view.ruleset.pass_count):
        card = _worst(left, danger)
        left.remove(card)
        chosen.append(card)
    cards: Hand = tuple(sorted(chosen))
    return Advice(PassCards(view.seat, cards), Reason("pass", "pass.count", {"cards": cards}))


def _lead(view: SeatView) -> Advice:
    out = unseen(view)
    maria_out = out[BLACK_MARIA] > 0
    lengths = Counter(card.suit for card in view.hand)
    best, score = view.legal[0], -10_000
    # whole numbers, a twentieth of a higher card each, so that the simulator's mirror comes to the same sums
    for card in sorted(set(view.legal)):
        higher = _higher(card, out)
        value = 20 * min(higher, 6) - 7 * card.rank + 14 * max(0, _SHORT - lengths[card.suit])
        if higher == 0:
            value -= 160
        if card.suit is Suit.HEARTS:
            value -= 20
        if card is BLACK_MARIA or (card.suit is Suit.SPADES and card.rank > Rank.QUEEN and maria_out):
            value -= 200
        if card.suit is Suit.SPADES and card.rank < Rank.QUEEN and maria_out and BLACK_MARIA not in view.hand:
            # a low spade draws the Black Maria out of another hand
            value += 30
        if value > score:
            best, score = card, value
    higher = _higher(best, out)
    if higher == 0:
        return _advice(view, best, "lead_least", "trick.highest")
    return _advice(view, best, "lead_low", "trick.highest", count=higher)


def leads_now(view: SeatView, card: Card) -> bool:
    """Return whether `card`, played now, would win if the trick ended with it.

    >>> from .cards import parse
    >>> from .game import Game, PlayCard
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4, pass_cycle="none"), "Al Beth Charlie Dave".split(), seed=7)
    >>> leads_now(view(game), parse("2C"))
    True
    """
    trick = Trick(view.trick.leader, (*view.trick.plays, Play(view.seat, card)))
    alive = tricks.live(view.ruleset, trick)
    if not alive or tricks.two_pairs(view.ruleset, trick):
        return False
    return tricks.highest(alive).seat == view.seat


def _follow(view: SeatView) -> Advice:
    rules = view.ruleset
    options = sorted(set(view.legal))
    losing = [card for card in options if not leads_now(view, card)]
    seats_after = rules.seats - len(view.trick.plays) - 1
    if _costs_nothing(view):
        card = max(options, key=lambda c: (c is not rules.bonus_card, c.rank))
        return _advice(view, card, "free", "trick.highest" if seats_after == 0 else "follow.first_trick")
    if len(losing) < len(options) and seats_after == 0 and _feeds_shooter(view):
        card = next(card for card in options if card not in losing)
        return _advice(view, card, "take_moon", "score.moon")
    if losing:
        card = max(losing, key=lambda c: (c is BLACK_MARIA, c is not rules.bonus_card, c.rank))
        if card in view.trick.cards:
            return _advice(view, card, "cancel", "trick.pairs_cancel")
        if tricks.two_pairs(rules, view.trick):
            return _advice(view, card, "maria_dead" if card is BLACK_MARIA else "dead", "trick.dead")
        if card is BLACK_MARIA:
            return _advice(view, card, "maria_under", "trick.highest")
        return _advice(view, card, "duck", "trick.highest")
    safe = [card for card in options if card is not BLACK_MARIA] or options
    if seats_after == 0:
        return _advice(view, safe[-1], "must_take", "trick.highest")
    higher = _higher(safe[0], unseen(view))
    if higher == 0:
        return _advice(view, safe[0], "low_least" if rules.packs == 2 else "low_wins", "trick.highest")
    key = "low" if safe[0] is options[0] else "low_spared"
    return _advice(view, safe[0], key, "trick.highest", count=higher)


def _costs_nothing(view: SeatView) -> bool:
    """Whether this trick can bring its winner no points: none lies or waits, and nobody after this seat may add any."""
    first = view.trick_number == 1 and view.ruleset.first_discard_ban is Switch.ON
    if not first and len(view.trick.plays) < view.ruleset.seats - 1:
        return False
    known = (*view.trick.cards, *view.aside, *view.legal)
    return not view.kitty and not any(tricks.is_penalty(card) for card in known)


def _feeds_shooter(view: SeatView) -> bool:
    """Whether the one seat that seems to shoot the moon would now win a trick with penalty cards in it."""
    shooter = _moon_suspect(view)
    if shooter is None or _winning_seat(view) != shooter:
        return False
    return any(tricks.is_penalty(card) for card in (*view.trick.cards, *view.aside))


def _discard(view: SeatView) -> Advice:
    rules = view.ruleset
    shooter = _moon_suspect(view)
    harmless = [card for card in view.legal if not tricks.is_penalty(card)]
    if shooter is not None and harmless and _winning_seat(view) == shooter:
        card = max(sorted(set(harmless)), key=lambda c: (c is not rules.bonus_card, c.rank))
        return _advice(view, card, "stop_moon", "score.moon")
    lengths = Counter(card.suit for card in view.hand)
    maria_out = unseen(view)[BLACK_MARIA] > 0 or BLACK_MARIA in view.hand
    danger: dict[Card, int] = {}
    for card in view.legal:
        value = int(card.rank)
        if card is BLACK_MARIA:
            value = 100
        elif card.suit is Suit.SPADES and card.rank > Rank.QUEEN and maria_out:
            value = 60 + card.rank
        elif card.suit is Suit.HEARTS:
            value = 25 + card.rank
        elif card is rules.bonus_card:
            value = -1
        else:
            value += 2 * max(0, _SHORT - lengths[card.suit])
        danger[card] = value
    return _advice(view, _worst(view.legal, danger), "dump", "follow.void")


def _winning_seat(view: SeatView) -> int | None:
    alive = tricks.live(view.ruleset, view.trick)
    return tricks.highest(alive).seat if alive else None


def taken(view: SeatView) -> list[list[Card]]:
    """Return the cards that each seat has won so far as far as `view` saw them: without the kitty.

    >>> from .game import Game
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> taken(view(Game(ruleset("hearts", 3), ["Al", "Beth", "Charlie"], seed=7)))
    [[], [], []]
    """
    won: list[list[Card]] = [[] for _ in range(view.ruleset.seats)]
    waiting: list[Card] = []
    for trick in view.tricks:
        winner = tricks.winner(view.ruleset, trick)
        if winner is None:
            waiting += trick.cards
        else:
            won[lead.after_won(winner.seat)] += [*trick.cards, *waiting]
            waiting = []
    return won


def _moon_suspect(view: SeatView) -> int | None:
    """The one seat, not this one, that holds every penalty card taken so far, once those are many."""
    counts = [sum(scoring.card_points(view.ruleset, c) for c in cards if tricks.is_penalty(c)) for cards in taken(view)]
    most = max(counts)
    if most < _MOON_SHARE * 26 * view.ruleset.packs or most != sum(counts):
        return None
    seat = counts.index(most)
    return None if seat == view.seat else seat


def moon_choice(view: SeatView) -> MoonChoice:
    """Return what a built-in player chooses after its moon (score.moon_choice: Q25): the first of these that applies.

    A choice that ends the match with the shooter among the winners, subtracting before adding; a choice that does not
    end the match; with `score_floor=0`, adding if the floor would eat part of the points; subtracting.

    >>> from .game import Game
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> str(moon_choice(view(Game(ruleset("hearts", 3), ["Al", "Beth", "Charlie"], seed=7))))
    'subtract'
    """
    rules, seat = view.ruleset, view.seat
    ends: dict[MoonChoice, bool] = {}
    cards: list[list[Card]] = taken(view) if rules.omnibus_slam is OmnibusSlam.HEARTS_AND_QUEEN else [[]] * rules.seats
    for choice in (MoonChoice.SUBTRACT, MoonChoice.ADD_TO_OTHERS):
        totals = scoring.new_totals(rules, view.totals, scoring.entered(rules, cards, seat, choice))
        ends[choice] = match.is_over(rules, totals)
        if ends[choice] and seat in match.lowest(totals):
            return choice
    going_on = [choice for choice, over in ends.items() if not over]
    if len(going_on) == 1:
        return going_on[0]
    if rules.score_floor is ScoreFloor.ZERO and view.totals[seat] < int(rules.moon_points):
        return MoonChoice.ADD_TO_OTHERS
    return MoonChoice.SUBTRACT
