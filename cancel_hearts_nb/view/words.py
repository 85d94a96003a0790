"""The words that come with a table, and how they are looked up: labels with named placeholders, plural forms by category."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..cards import PACK
from ..i18n import CARD_NAMES, Words
from ..i18n import words as in_language
from .labels import LABELS, PLURALS

# One number for each plural category of the browser, so that it finds the form that gettext would choose
SAMPLES = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
_TEXT_STYLE = "\N{VARIATION SELECTOR-15}"

ENGLISH: dict[str, Any] = {
    "lang": "en",
    "dir": "ltr",
    "labels": LABELS,
    "cards": {},
    "short": {},
    "plurals": {key: {"one": one, "other": other} for key, (one, other) in PLURALS.items()},
}
"""The English words without card names: for tests, and for a table that was given no words."""


def table_words(language: Words | None = None) -> dict[str, Any]:
    """Return every word that a table needs apart from its sentences, as JSON-able values; English by default.

    >>> table_words()["cards"]["QS"], table_words()["plurals"]["cards"]["other"]
    ('queen of spades', '%(n)s cards')
    """
    w = language or in_language()
    return {
        "lang": w.language.replace("_", "-"),
        "dir": w.direction,
        "labels": {key: w.plain(text) for key, text in LABELS.items()},
        "plurals": {
            key: {category: w.form(forms, number) for category, number in SAMPLES.items()}
            for key, forms in PLURALS.items()
        },
        "cards": {code: w.card_name(code) for code in CARD_NAMES},
        "short": {card.code: as_text(card.symbol) for card in PACK},
    }


def as_text(text: str) -> str:
    r"""Return `text` with its suit signs in text style: phones would show a red heart picture for ♥ otherwise.

    >>> ascii(as_text("Q♠"))
    "'Q\\u2660\\ufe0e'"
    """
    for sign in "♣♦♠♥":
        text = text.replace(sign, sign + _TEXT_STYLE)
    return text


def label(words: Mapping[str, Any], key: str, **values: object) -> str:
    """The label of a key with its placeholders filled; without such a label the English one, without that the key.

    >>> label(ENGLISH, "step_of", a=3, b=50), label(ENGLISH, "unknown")
    ('Step 3 of 50', 'unknown')
    """
    text = words.get("labels", {}).get(key) or LABELS.get(key, key)
    return text % values if values else text


def plural(words: Mapping[str, Any], key: str, number: int) -> str:
    """A counted label. The category is "one" for 1, else "other": full plural rules belong to the browser and `i18n`.

    Where a language needs more categories, `words["select"]` may be a function from a number to a category; it is not
    sent to the browser. Raises KeyError for an unknown key.

    >>> plural(ENGLISH, "cards", 1), plural(ENGLISH, "cards", 0)
    ('1 card', '0 cards')
    """
    forms = words.get("plurals", {}).get(key) or ENGLISH["plurals"][key]
    select = words.get("select")
    category = select(number) if callable(select) else "one" if number == 1 else "other"
    return (forms.get(category) or forms["other"]) % {"n": number}


def short(words: Mapping[str, Any], card: str) -> str:
    """A card's short name ("Q♠"), or the words for a face-down card. No errors.

    >>> short(ENGLISH, "QS"), short(ENGLISH, "")
    ('QS', 'face-down card')
    """
    return words.get("short", {}).get(card, card) if card else label(words, "down")


def waiting(words: Mapping[str, Any], count: int, worth: int, unseen: int) -> str:
    """What the cards set aside are worth, as far as a viewer knows: of `count` cards `unseen` are face down to him.

    >>> waiting(ENGLISH, 5, 0, 5), waiting(ENGLISH, 13, 14, 5)
    ('face down', '14 points + 5 unseen')
    """
    if unseen == count:
        return label(words, "face_down")
    return " ".join([plural(words, "points", worth)] + [plural(words, "unseen", unseen)] * bool(unseen))
