"""Exercise 2: which cards may be played, when following, when leading, and in one position."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence

from .. import seeds
from ..cards import HEARTS, Card, Suit, cards, in_order
from ..messages import N_
from ..rules.legality import Narrowing, narrow
from ..rules.nouns import Play, Position, Trick
from ..ruleset import BLACK_MARIA, ruleset
from . import fragments
from .nouns import Case, Mistake, Part, Task

Cards = Sequence[Card]

_RULES = ruleset("cancellation", 6)


def _narrowed(hand: Cards, trick: Cards, first_trick: bool, hearts_broken: bool) -> Narrowing:
    made = Trick(0, tuple([Play(seat, card) for seat, card in enumerate(trick)]))
    return narrow(Position(_RULES, len(trick), in_order(hand), made, 1 if first_trick else 2, hearts_broken))


# What is right, from the engine


def follow(hand: Cards, led: Suit) -> list[Card]:
    """Return the cards that may be played when the suit `led` was led.

    >>> follow(cards("4D QS 7H 7H"), Suit.SPADES)
    [QS]
    """
    return list(_narrowed(hand, [_of(led, hand)], False, True).legal)


def lead(hand: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    """Return the cards that may be led.

    >>> lead(cards("4D QS 7H 7H"), first_trick=False, hearts_broken=False)
    [4D, QS]
    """
    return list(_narrowed(hand, (), first_trick, hearts_broken).legal)


def legal_cards(hand: Cards, trick: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    """Return the cards that may be played after the cards of `trick`.

    >>> legal_cards(cards("4D QS 7H 7H"), cards("9S KS"), first_trick=False, hearts_broken=False)
    [QS]
    """
    return list(_narrowed(hand, trick, first_trick, hearts_broken).legal)


# The cases, the smallest first


def _of(led: Suit, hand: Cards) -> Card:
    """Return a card of the suit `led` that somebody else can have played."""
    return next(card for card in cards("9C 9D 9S 9H 5C 5D 5S 5H") if card.suit is led and list(hand).count(card) < 2)


def _rule(found: Narrowing, hand: Cards, trick: Cards, first_trick: bool) -> str:
    """Return the id of the rule that decides."""
    if trick:
        return "follow.suit" if found.steps or any(card.suit is trick[0].suit for card in hand) else "follow.void"
    if found.waived or (BLACK_MARIA in found.legal and any(card.suit is HEARTS for card in hand) and not first_trick):
        return "lead.heart_over_bm" if BLACK_MARIA in hand else "play.waived"
    return found.steps[0][0] if found.steps else "lead.opening_free" if first_trick else "play.lead"


def _hands(count: int, salt: int) -> list[Cards]:
    """Return `count` hands of 3 to 9 cards, always the same ones, with many hearts and spades."""
    found: list[Cards] = []
    for number in range(count):
        suits = (HEARTS, Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)[: 1 + number % 4]
        pack = [card for card in _RULES.pack if card.suit in suits and (len(suits) > 2 or card.rank > 7)]
        found.append(seeds.shuffled(pack, salt + number)[: 3 + number % 7])
    return found


@functools.cache
def _follow_cases() -> tuple[Case, ...]:
    small = [
        ("4D 9S", "D"),
        ("4D 9S", "C"),
        ("QS 2H", "S"),
        ("QS 7C", "H"),
        ("KD KD 3C", "D"),
        ("5H 8C AH", "H"),
        ("3S 9S QS", "S"),
    ]
    given: list[tuple[Cards, Suit]] = [(cards(hand), Suit(led)) for hand, led in small]
    given += [(hand, suit) for hand in _hands(16, 200) for suit in Suit]
    return tuple([_follow_case(hand, led) for hand, led in sorted(given, key=lambda one: len(one[0]))])


def _follow_case(hand: Cards, led: Suit) -> Case:
    has = any(card.suit is led for card in hand)
    rule = "follow.suit" if has else "follow.void"
    return Case((list(hand), led), rule, functools.partial(fragments.held, tuple(hand), (_of(led, hand),)))


@functools.cache
def _lead_cases() -> tuple[Case, ...]:
    small = [
        ("4D 7H", False, False), ("4D 7H", False, True), ("4D QS", False, False), ("4D QS", True, False),
        ("4D 7H", True, False), ("3H 8H", False, False), ("3H 8H", True, False), ("QS 7H", False, False),
        ("QS 7H", True, False), ("QS 7H", False, True), ("QS QS 5C", True, False), ("2C KD AS", True, False),
    ]  # fmt: skip
    given: list[tuple[Cards, bool, bool]] = [(cards(hand), first, broken) for hand, first, broken in small]
    given += [(hand, *when) for hand in _hands(24, 300) for when in ((True, False), (False, False), (False, True))]
    return tuple(
        [
            _case(hand, (), first, broken, leading=True)
            for hand, first, broken in sorted(given, key=lambda one: len(one[0]))
        ]
    )


@functools.cache
def _cases() -> tuple[Case, ...]:
    small = [
        ("4D 7H", "", False, False), ("4D 9S", "2D", False, True), ("4D 9S", "2D KS", False, True), ("4D 7H", "2C", False, False),
        ("QS 7H", "2C", True, False), ("QS 7H", "", True, False), ("7H 9C", "2C 8H", False, True), ("QS 5H", "3S", True, False),
    ]  # fmt: skip
    given: list[tuple[Cards, Cards, bool, bool]] = [
        (cards(hand), cards(trick), first, broken) for hand, trick, first, broken in small
    ]
    for number, hand in enumerate(_hands(32, 400)):
        left = seeds.shuffled(
            [card for card in _RULES.pack if card not in hand and card.suit is not HEARTS], 500 + number
        )
        when = ((True, False), (False, False), (False, True))[number % 3]
        given.append((hand, tuple(left[: number % 6]), *when))
    return tuple(
        [
            _case(hand, trick, first, broken)
            for hand, trick, first, broken in sorted(given, key=lambda one: len(one[0]) + len(one[1]))
        ]
    )


def _case(hand: Cards, trick: Cards, first: bool, broken: bool, leading: bool = False) -> Case:
    rule = _rule(_narrowed(hand, trick, first, broken), hand, trick, first)
    args = (list(hand), first, broken) if leading else (list(hand), list(trick), first, broken)
    return Case(args, rule, functools.partial(fragments.held, tuple(hand), tuple(trick), first, broken))


# How learners err


def _only_suit(hand: Cards, led: Suit) -> list[Card]:
    return [card for card in hand if card.suit is led]


def _anything(hand: Cards, led: Suit) -> list[Card]:
    return list(hand)


def _no_twins(hand: Cards, led: Suit) -> list[Card]:
    return list(dict.fromkeys(follow(hand, led)))


def _maria_apart(hand: Cards, led: Suit) -> list[Card]:
    own = [card for card in hand if card.suit is led and card is not BLACK_MARIA]
    return own or list(hand)


def _no_penalty(hand: Cards, led: Suit) -> list[Card]:
    own = _only_suit(hand, led)
    return own or [card for card in hand if not _penalty(card)] or list(hand)


def _one(hand: Cards, led: Suit) -> list[Card]:
    return follow(hand, led)[:1]


def _penalty(card: Card) -> bool:
    return card.suit is HEARTS or card is BLACK_MARIA


def _plain(hand: Cards) -> list[Card]:
    return [card for card in hand if not _penalty(card)]


def _no_hearts(hand: Cards) -> list[Card]:
    return [card for card in hand if card.suit is not HEARTS]


def _hearts_any_time(hand: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    return lead(hand, first_trick, True) if not first_trick else _plain(hand) or list(hand)


def _first_like_others(hand: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    return lead(hand, False, hearts_broken)


def _maria_waits(hand: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    if hearts_broken and not first_trick:
        return list(hand)
    return _plain(hand) or _no_hearts(hand) or list(hand)


def _maria_waits_simply(hand: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    return list(hand) if hearts_broken and not first_trick else _plain(hand) or list(hand)


def _empty(hand: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    if first_trick:
        return _plain(hand)
    return list(hand) if hearts_broken else _no_hearts(hand)


def _all_dropped(hand: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    return _empty(hand, first_trick, hearts_broken) or list(hand)


def _follows_last(hand: Cards, trick: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    return follow(hand, trick[-1].suit) if trick else lead(hand, first_trick, hearts_broken)


def _always_leads(hand: Cards, trick: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    return lead(hand, first_trick, hearts_broken)


def _bans_discards(hand: Cards, trick: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    legal = legal_cards(hand, trick, first_trick, hearts_broken)
    void = bool(trick) and all(card.suit is not trick[0].suit for card in hand)
    return _plain(legal) or legal if void and first_trick else legal


def _unbroken_discards(hand: Cards, trick: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    legal = legal_cards(hand, trick, first_trick, hearts_broken)
    return _no_hearts(legal) or legal if trick and trick[0].suit is not HEARTS and not hearts_broken else legal


def _never_leads(hand: Cards, trick: Cards, first_trick: bool, hearts_broken: bool) -> list[Card]:
    return follow(hand, trick[0].suit) if trick else list(hand)


FOLLOW = '''
def follow(hand, led):
    """Return a list of the cards of the hand that may be played when the suit led is `led`."""
    same = []
    for card in hand:
        if card.suit == led:
            same.append(card)
    if same:
        return same
    return list(hand)
'''

LEAD = '''
def lead(hand, first_trick, hearts_broken):
    """Return a list of the cards of the hand that may be led."""
    allowed = list(hand)
    if first_trick:
        plain = [card for card in allowed if card.suit != Suit.HEARTS and card != black_maria]
        if plain:
            allowed = plain
    if not hearts_broken:
        others = [card for card in allowed if card.suit != Suit.HEARTS]
        if others:
            allowed = others
    return allowed
'''

LEGAL = '''
def legal_cards(hand, trick, first_trick, hearts_broken):
    """Return a list of the cards of the hand that may be played."""
    if trick:
        return follow(hand, trick[0].suit)
    return lead(hand, first_trick, hearts_broken)
'''


def _same_cards(given: list[Card], right: list[Card]) -> bool:
    return Counter(given) == Counter(right)


_WANTED = N_("It must return a list of cards, all of them from the hand.")

TASK = Task(
    "02_legal",
    N_("Which cards may be played?"),
    lesson="03_following_suit",
    level=1,
    minutes=40,
    example="27_the_only_spade",
    parts=(
        Part(
            "follow", 3, ("follow.suit", "follow.void"),
            N_("Write `follow(hand, led)`: it returns a list of the cards of the hand that may be played when the suit `led` was led."),
            _WANTED,
            follow, _follow_cases,
            (
                N_("First collect the cards of the hand whose suit is `led`."),
                N_("Is that list empty? Then the player has none of the suit led and may play any card."),
                N_("An empty list counts as false: `if same:` asks whether there is something in it."),
            ),
            FOLLOW,
            (
                Mistake("void", N_("Whoever has no card of the suit led may play any card. Your list is empty then."), _only_suit),
                Mistake("led suit", N_("Whoever has a card of the suit led must play one. Did you forget to look at `led`?"), _anything),
                Mistake("maria", N_("The Black Maria is a spade like the others: she may follow when spades are led, and she must when she is the only one."), _maria_apart),
                Mistake("twins", N_("Of two equal cards in the hand both may be played. Keep both in your list."), _no_twins),
                Mistake("no penalty", N_("Whoever has none of the suit led may throw away hearts and the Black Maria too."), _no_penalty),
                Mistake("one card", N_("This gives one card only. Is a `return` inside the loop?"), _one),
            ),
            fits=_same_cards,
        ),
        Part(
            "lead", 4, ("lead.opening_free", "lead.hearts_unbroken", "lead.black_maria", "lead.heart_over_bm", "play.waived"),
            N_("Write `lead(hand, first_trick, hearts_broken)`: it returns a list of the cards of the hand that may be led."),
            _WANTED,
            lead, _lead_cases,
            (
                N_("Begin with the whole hand, and take cards away: first those that the first trick forbids, then those that unbroken hearts forbid."),
                N_("Before you take cards away, look whether anything would be left. If not, this rule is dropped, but the next one still holds."),
                N_("The first trick forbids hearts and the Black Maria. Unbroken hearts forbid hearts only."),
            ),
            LEAD,
            (
                Mistake("hearts", N_("As long as hearts are not broken, no heart may be led if there is anything else."), _hearts_any_time),
                Mistake("first lead", N_("The first lead of a hand may be neither a heart nor the Black Maria if there is anything else."), _first_like_others),
                Mistake("maria waits", N_("Except as the first lead of a hand, the Black Maria may be led at any time; only hearts wait until they are broken."), _maria_waits),
                Mistake("maria waits too", N_("Except as the first lead of a hand, the Black Maria may be led at any time. And as long as hearts are not broken, whoever has nothing but hearts beside her must lead her, even as the first lead."), _maria_waits_simply),
                Mistake("nothing left", N_("Something must be led. A rule that would forbid every card of the hand is dropped."), _empty),
                Mistake("all dropped", N_("With only hearts and the Black Maria, the first rule is dropped, but hearts are still not broken: the Black Maria must be led."), _all_dropped),
            ),
            fits=_same_cards,
        ),
        Part(
            "legal_cards", 3, ("follow.suit", "follow.void", "lead.opening_free", "lead.hearts_unbroken"),
            N_("Write `legal_cards(hand, trick, first_trick, hearts_broken)`: it returns a list of the cards of the hand that may be played after the cards of `trick`, which may be empty."),
            _WANTED,
            legal_cards, _cases,
            (
                N_("Is the trick empty? Then this player leads."),
                N_("Otherwise the first card of the trick tells which suit was led: `trick[0].suit`."),
                N_("Both are written already: call your `lead` and your `follow`."),
            ),
            LEGAL,
            (
                Mistake("last card", N_("The suit led is that of the first card of the trick, not of the last."), _follows_last),
                Mistake("trick", N_("Once somebody has led, the suit led must be followed. Did you forget to look at `trick`?"), _always_leads),
                Mistake("first discard", N_("In Cancellation Hearts only the lead of the first trick is restricted. Whoever has none of the suit led may throw away any card, then too."), _bans_discards),
                Mistake("unbroken discard", N_("Hearts that are not broken may not be led, but they may be thrown away. That is how they are broken."), _unbroken_discards),
                Mistake("lead", N_("With an empty trick this player leads. Then the rules for leading hold, not only for following."), _never_leads),
            ),
            fits=_same_cards,
        ),
    ),
)  # fmt: skip
