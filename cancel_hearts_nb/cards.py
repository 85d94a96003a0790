"""Cards, suits and packs, without a single word of the game.

A card is a value: the two queens of spades of a double pack are equal, and here they are even one object, so that
comparing is cheap. Hands are sorted tuples in which a card may stand twice.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Iterable, Sequence
from typing import Any

from .messages import N_, Problem


class CardError(Problem):
    """A text that is not a card."""


class Suit(enum.Enum):
    """The four suits, in the order in which a hand is held: clubs, diamonds, spades, hearts.

    >>> Suit("S").symbol
    '♠'
    """

    CLUBS = "C"
    DIAMONDS = "D"
    SPADES = "S"
    HEARTS = "H"

    @property
    def symbol(self) -> str:
        """The suit sign, one character: ♣ ♦ ♠ ♥."""
        return _SYMBOLS[self.value]


# short names, also because looking a member up in its enumeration costs ten times as much
CLUBS, DIAMONDS, SPADES, HEARTS = Suit


class Rank(enum.IntEnum):
    """The thirteen ranks, 2 low to ace high (C3, H1); the value is 2 to 14.

    >>> Rank.ACE > Rank.KING, Rank.TEN.letter
    (True, 'T')
    """

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """The one-character name: 2 to 9, T, J, Q, K, A."""
        return _LETTERS[self.value - 2]


_SYMBOLS = {"C": "♣", "D": "♦", "S": "♠", "H": "♥"}
_LETTERS = "23456789TJQKA"
_SUITS = tuple(Suit)


class Card:
    """One face: `rank`, `suit`, `index` (0 to 51, the order in a hand) and `code` ("QS"). Equal faces are one object.

    >>> Card(Rank.QUEEN, Suit.SPADES), str(Card(Rank.TEN, Suit.HEARTS))
    (QS, 'TH')
    >>> Card(Rank.QUEEN, Suit.SPADES) is parse("Q♠")
    True
    """

    __slots__ = ("rank", "suit", "index", "code")
    rank: Rank
    suit: Suit
    index: int
    code: str
    _all: dict[tuple[Rank, Suit], Card] = {}

    def __new__(cls, rank: Rank, suit: Suit) -> Card:
        """Return the one card of that `rank` and `suit`."""
        known = cls._all.get((rank, suit))
        if known is not None:
            return known
        card = super().__new__(cls)
        object.__setattr__(card, "rank", Rank(rank))
        object.__setattr__(card, "suit", Suit(suit))
        object.__setattr__(card, "index", _SUITS.index(suit) * 13 + int(rank) - 2)
        object.__setattr__(card, "code", card.rank.letter + card.suit.value)
        cls._all[card.rank, card.suit] = card
        return card

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(name)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(name)

    def __reduce__(self) -> tuple[type[Card], tuple[Rank, Suit]]:
        return Card, (self.rank, self.suit)

    def __str__(self) -> str:
        return self.code

    __repr__ = __str__

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    @property
    def symbol(self) -> str:
        """The short name with the suit sign: "Q♠", "10♥"."""
        return ("10" if self.rank is Rank.TEN else self.rank.letter) + self.suit.symbol


Hand = tuple[Card, ...]

PACK: Hand = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
_BY_CODE = {card.code: card for card in PACK}
_RANKS = {letter: letter for letter in _LETTERS} | {"10": "T"}
_SUIT_LETTERS = {suit.value: suit.value for suit in Suit} | {sign: letter for letter, sign in _SYMBOLS.items()}
_STYLE_MARKS = str.maketrans("", "", "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}")


def parse(text: str) -> Card:
    """Return the card that `text` names: "QS", "Q♠", "TS", "10S" or "10♠", in either case. Raises CardError.

    >>> parse("10♠"), parse("qs")
    (TS, QS)
    >>> parse("1S")
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.cards.CardError: “1S” is not a card. Write the rank (2 to 9, T or 10, J, Q, K, A) and then the suit (C, D, S or H), as in QS or 10H.
    """
    plain = text.translate(_STYLE_MARKS).upper()
    card = _BY_CODE.get(plain)
    if card is None and plain:
        card = _BY_CODE.get(_RANKS.get(plain[:-1], "?") + _SUIT_LETTERS.get(plain[-1], "?"))
    if card is None:
        raise CardError(
            N_(
                "“%(text)s” is not a card. Write the rank (2 to 9, T or 10, J, Q, K, A) and then the suit (C, D, S or H), as in QS or 10H."
            ),
            text=text[:20],
        )
    return card


def cards(text: str) -> Hand:
    """Return the cards named in `text`, separated by blanks, in the order written. Raises CardError.

    >>> cards("QS 9H 9H")
    (QS, 9H, 9H)
    """
    return tuple(parse(word) for word in text.split())


def text(some: Iterable[Card | None]) -> str:
    """Return the codes of `some` cards, separated by blanks; a hidden card (None) is "??".

    >>> text(cards("10S Q♥"))
    'TS QH'
    """
    return " ".join("??" if card is None else card.code for card in some)


def in_order(some: Iterable[Card]) -> Hand:
    """Return `some` cards sorted as a hand is held: clubs, diamonds, spades, hearts, each from low to high.

    >>> in_order(cards("AH 2C QS 9H 9H"))
    (2C, QS, 9H, 9H, AH)
    """
    return tuple(sorted(some, key=_by_index))


_by_index = operator.attrgetter("index")


def find(card: Card | None, some: Sequence[Card | None]) -> int:
    """Return the first place of `card` in `some` cards, from 0, or -1 when it is not there.

    >>> find(parse("9H"), cards("QS 9H 9H")), find(None, cards("QS"))
    (1, -1)
    """
    # `some.index` and `in` compare with `==`, which costs many times as much and says nothing more: equal is the same
    for place, held in enumerate(some):
        if held is card:
            return place
    return -1


def missing(wanted: Iterable[Card], held: Iterable[Card]) -> Hand:
    """Return the cards of `wanted` that `held` lacks, each as often as it is lacking, in hand order.

    >>> missing(cards("QS QS 4D"), cards("QS 4D 5C"))
    (QS,)
    """
    left, lacking = list(held), []
    for card in wanted:
        place = find(card, left)
        if place < 0:
            lacking.append(card)
        else:
            del left[place]
    return in_order(lacking) if lacking else ()
