"""Tables, deals and players that the tests of the rules share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from cancel_hearts_nb.cards import PACK, Card, Hand, in_order
from cancel_hearts_nb.events import HandScored
from cancel_hearts_nb.game import Action, ChooseMoon, Game, Given, PassCards, PlayCard, apply
from cancel_hearts_nb.players import RandomPlayer, SeatView, view
from cancel_hearts_nb.rules import passing
from cancel_hearts_nb.ruleset import PRESETS, Ruleset
from cancel_hearts_nb.seeds import Stream

NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Ida Jo Kim".split()


def names(seats: int) -> list[str]:
    return NAMES[:seats]


def is_penalty(card: Card) -> bool:
    """A heart or a Black Maria, said here once more so that the tests do not lean on what they test."""
    return card.code[1] == "H" or card.code == "QS"


def cost(card: Card, bonus: str = "") -> int:
    return 13 if card.code == "QS" else 1 if card.code[1] == "H" else -10 if card.code == bonus else 0


def full_pack(packs: int, without: str = "") -> Hand:
    """The pack in hand order, from nothing but the 52 names."""
    codes = [rank + suit for suit in "CDSH" for rank in "23456789TJQKA"]
    everything = {card.code: card for card in PACK}
    return tuple(everything[code] for code in codes if code not in without.split() for _ in range(packs))


def all_tables() -> Iterator[tuple[str, str, int, str]]:
    """Every game, preset, table size and dead_rule: 6 x 4 x 2 of Cancellation Hearts, 5 x 2 of each other game."""
    for game, sizes in (("cancellation", range(6, 12)), ("hearts", range(3, 8)), ("omnibus", range(3, 8))):
        for preset in PRESETS if game == "cancellation" else ("printed",):
            for seats in sizes:
                for dead_rule in ("two_pairs", "no_led"):
                    yield game, preset, seats, dead_rule


def split(rules: Ruleset, cards: Sequence[Card]) -> Given:
    """Deal `cards` as they lie: each seat a block, the rest to the kitty."""
    size = len(cards) // rules.seats
    hands = tuple(in_order(cards[seat * size : seat * size + size]) for seat in range(rules.seats))
    return Given(hands, in_order(cards[size * rules.seats :]))


def twins_apart(rules: Ruleset, turn: int = 0) -> Given:
    """The sorted pack dealt card by card: the two copies of a card lie in the hands of neighbours."""
    pack = list(rules.pack)
    pack = pack[turn:] + pack[:turn]
    size = len(pack) // rules.seats
    dealt = pack[: size * rules.seats]
    hands = tuple(in_order(dealt[seat :: rules.seats]) for seat in range(rules.seats))
    return Given(hands, in_order(pack[size * rules.seats :]))


def few_suits(rules: Ruleset, turn: int = 0) -> Given:
    """The sorted pack dealt in blocks: every hand has one or two suits and both copies of most of its cards."""
    pack = list(rules.pack)
    return split(rules, pack[turn:] + pack[:turn])


def moon_hands(rules: Ruleset, seat: int) -> tuple[tuple[Hand, ...], Hand]:
    """Return hands (after the pass) and a kitty with which `seat` shoots the moon when `Greedy` plays for everybody.

    With two packs, where that seat must also be the first leader, it holds the highest hearts; with one pack the ace
    of clubs takes the first trick, then come the bonus card's betters, high spades and hearts. The copies of a card
    lie in one hand as far as possible, so that little cancels.
    """
    pack = Counter(rules.pack)
    hearts = sorted((c for c in rules.pack if c.code[1] == "H"), key=lambda c: -c.rank)
    if rules.packs == 2:
        own = hearts[: rules.hand_size]
    else:
        tops = [c for c in rules.pack if c.code in ("AC", "AS", "KS", "AD", "KD", "QD", "JD")]
        tops.sort(key=lambda c: ("AC", "AD", "KD", "QD", "JD", "AS", "KS").index(c.code))
        short = rules.hand_size - len(hearts)
        own = tops[: max(1, short)] + hearts[: rules.hand_size - max(1, short)]
    rest = sorted((pack - Counter(own)).elements(), key=lambda c: (not is_penalty(c), c.code[1], c.rank))
    kitty = rest[len(rest) - rules.kitty_size :]
    rest = rest[: len(rest) - rules.kitty_size]
    hands = [in_order(rest[i : i + rules.hand_size]) for i in range(0, len(rest), rules.hand_size)]
    hands.insert(seat, in_order(own))
    return tuple(hands), in_order(kitty)


def arranged(
    rules: Ruleset,
    held: Sequence[Hand],
    kitty: Hand = (),
    dealer: int = 0,
    number: int = 1,
    totals: Sequence[int] = (),
    **more: Any,
) -> Game:
    """Return a game at its first lead, after a pass that has left exactly these hands, `held`; `totals` are put in beforehand."""
    to = [passing.receiver(rules, number, seat) for seat in range(rules.seats)]
    count = rules.pass_count
    if to[0] is None:
        given: list[Hand] = [()] * rules.seats
        before = list(held)
    else:
        given = [held[seat][:count] for seat in to]
        before = [in_order([*held[seat][count:], *given[seat]]) for seat in range(rules.seats)]
    game = Game(rules, names(rules.seats), None, dealer, [Given(tuple(before), kitty)], number=number, **more)
    if totals:
        zeros = (0,) * rules.seats
        apply(game.state, HandScored(zeros, zeros, tuple(totals)))
    if game.asked and game.asked.kind == "pass":
        for seat in range(rules.seats):
            game.submit(PassCards(seat, given[seat]))
    assert [tuple(hand) for hand in game.state.hands] == [in_order(hand) for hand in held]
    return game


class Greedy:
    """Plays the highest card it may, hearts last when it leads with one pack; passes its lowest; takes the first choice."""

    def choose(self, view: SeatView, stream: Stream) -> Action:
        if view.asked == "pass":
            return PassCards(view.seat, view.hand[: view.ruleset.pass_count])
        if view.asked == "moon":
            return ChooseMoon(view.seat, view.choices[0])
        best = max(view.legal, key=lambda c: (c.rank, c.code[1] != "H" if not view.trick.plays else True, c.code))
        return PlayCard(view.seat, best)


def shoot(game: Game) -> Game:
    """Play `game` on, greedily, until a moon is to be chosen or nothing more is asked."""
    player = Greedy()
    while game.asked is not None and game.asked.kind != "moon":
        game.submit(player.choose(view(game), game.stream(game.asked.seat)))
    return game


class TwinPlayer(RandomPlayer):
    """Plays the twin of a card in the trick when it may (so that tricks die), else at random."""

    def choose(self, view: SeatView, stream: Stream) -> Action:
        if view.asked == "play" and view.trick.plays:
            twins = [c for c in view.legal if view.trick.cards.count(c) == 1]
            if twins:
                return PlayCard(view.seat, stream.pick(twins))
        return super().choose(view, stream)


def spare(tricks: Sequence[tuple[int, Hand]], seats: int, packs: int) -> Hand:
    """One more card for each seat of a fragment, such that no card of its `tricks` (leader, cards in order) is a revoke."""
    left = Counter(full_pack(packs))
    left.subtract(card for _, cards in tricks for card in cards)
    found = []
    for seat in range(seats):
        banned = {cards[0].suit for leader, cards in tricks if cards[(seat - leader) % seats].suit is not cards[0].suit}
        card = next(c for c, n in left.items() if n > 0 and c.suit not in banned and not is_penalty(c))
        left[card] -= 1
        found.append(card)
    return tuple(found)


def replay(game: Game, actions: Sequence[Action]) -> Game:
    for action in actions:
        game.submit(action)
    return game
