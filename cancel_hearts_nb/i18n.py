"""Languages: the catalogs, plural forms, direction of writing, and the isolation of names and cards inside sentences.

There is no current language: whoever shows something holds a `Words` and passes it on. A message that a catalog lacks
is shown in English, never as an empty string.
"""

from __future__ import annotations

import functools
import gettext
import os
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .cards import Card
from .messages import N_, Problem

DOMAIN = "cancel_hearts_nb"
VARIABLE = "CANCEL_HEARTS_LANG"
"""The environment variable that names the language wherever none is asked for: `dashboard --lang` sets it."""
LOCALES = Path(__file__).parent / "locale"
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
_OPEN, _CLOSE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"

# Full names, not rank and suit glued together: other languages inflect them
CARD_NAMES = {
    "2C": N_("two of clubs"), "3C": N_("three of clubs"), "4C": N_("four of clubs"), "5C": N_("five of clubs"),
    "6C": N_("six of clubs"), "7C": N_("seven of clubs"), "8C": N_("eight of clubs"), "9C": N_("nine of clubs"),
    "TC": N_("ten of clubs"), "JC": N_("jack of clubs"), "QC": N_("queen of clubs"), "KC": N_("king of clubs"),
    "AC": N_("ace of clubs"),
    "2D": N_("two of diamonds"), "3D": N_("three of diamonds"), "4D": N_("four of diamonds"),
    "5D": N_("five of diamonds"), "6D": N_("six of diamonds"), "7D": N_("seven of diamonds"),
    "8D": N_("eight of diamonds"), "9D": N_("nine of diamonds"), "TD": N_("ten of diamonds"),
    "JD": N_("jack of diamonds"), "QD": N_("queen of diamonds"), "KD": N_("king of diamonds"),
    "AD": N_("ace of diamonds"),
    "2S": N_("two of spades"), "3S": N_("three of spades"), "4S": N_("four of spades"), "5S": N_("five of spades"),
    "6S": N_("six of spades"), "7S": N_("seven of spades"), "8S": N_("eight of spades"), "9S": N_("nine of spades"),
    "TS": N_("ten of spades"), "JS": N_("jack of spades"), "QS": N_("queen of spades"), "KS": N_("king of spades"),
    "AS": N_("ace of spades"),
    "2H": N_("two of hearts"), "3H": N_("three of hearts"), "4H": N_("four of hearts"), "5H": N_("five of hearts"),
    "6H": N_("six of hearts"), "7H": N_("seven of hearts"), "8H": N_("eight of hearts"), "9H": N_("nine of hearts"),
    "TH": N_("ten of hearts"), "JH": N_("jack of hearts"), "QH": N_("queen of hearts"), "KH": N_("king of hearts"),
    "AH": N_("ace of hearts"),
}  # fmt: skip
LIST_SEPARATOR = N_(", ")


class UnknownLanguage(Problem):
    """There is no catalog for that language."""


class Words:
    """One language: `language` ("en"), `direction` ("ltr" or "rtl"), and the sentences of its catalog.

    >>> words().text("%(name)s leads.", name="Al")
    'Al leads.'
    """

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self.direction = "rtl" if language.partition("-")[0].partition("_")[0] in RIGHT_TO_LEFT else "ltr"
        self._translations = translations

    def text(self, message: str, **params: object) -> str:
        """Return `message` in this language with `params` filled in; texts among them are isolated."""
        return self._fill(self._translations.gettext(message) if message else "", params)

    def count(self, forms: tuple[str, str], count: int, **params: object) -> str:
        """Return the plural form that `count` needs, with `count` and `params` filled in."""
        return self._fill(self._translations.ngettext(*forms, count), {"count": count, **params})

    def form(self, forms: tuple[str, str], count: int) -> str:
        """Return the plural form that `count` needs, its placeholders still in it."""
        return self._translations.ngettext(*forms, count)

    def plain(self, message: str) -> str:
        """Return `message` in this language, its placeholders still in it."""
        return self._translations.gettext(message) if message else ""

    def problem(self, problem: Problem) -> str:
        """Return the sentence of `problem` in this language."""
        return self.text(problem.message, **problem.params)

    def card(self, card: Card) -> str:
        """Return the short name of `card`: "Q♠"."""
        return card.symbol

    def card_name(self, code: str) -> str:
        """Return the full name of the card with this code: "queen of spades"."""
        return self._translations.gettext(CARD_NAMES[code])

    def cards(self, cards: Iterable[Card]) -> str:
        """Return the short names of `cards`, as a list in a sentence."""
        return self.join(card.symbol for card in cards)

    def join(self, items: Iterable[str]) -> str:
        """Return `items` as a list in a sentence."""
        return self._translations.gettext(LIST_SEPARATOR).join(self.isolate(item) for item in items)

    def isolate(self, text: str) -> str:
        """Return `text` so that it cannot turn the writing around it; unchanged where it could not anyway."""
        if self.direction == "rtl" or any(unicodedata.bidirectional(c) in _TURNING for c in text):
            return f"{_OPEN}{text}{_CLOSE}"
        return text

    def _fill(self, message: str, params: dict[str, object]) -> str:
        shown: dict[str, object] = {
            key: self.cards(value) if isinstance(value, tuple) else self.isolate(value) if isinstance(value, str) else self.isolate(value.symbol) if isinstance(value, Card) else value
            for key, value in params.items()
        }  # fmt: skip
        return message % shown if shown else message.replace("%%", "%")


_TURNING = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"})


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a catalog, in alphabetical order.

    >>> "en" in languages()
    True
    """
    found = {path.parent.parent.name for path in LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return tuple(sorted(found))


def words(language: str = "en") -> Words:
    """Return the `Words` of `language`. Raises UnknownLanguage when there is no catalog for it.

    >>> words("en").direction
    'ltr'
    """
    if not isinstance(language, str) or len(language) > 20:
        raise _unknown(language)
    path = LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    if not language.replace("-", "").replace("_", "").isalnum() or not path.is_file():
        if language == "en":
            return Words("en", gettext.NullTranslations())
        raise _unknown(language)
    return Words(language, _catalog(path, path.stat().st_mtime_ns))


class Chosen(NamedTuple):
    """The `words` to speak, and a `notice` for the reader when they are not those that the environment asks for."""

    words: Words
    notice: str = ""


def chosen(language: str | None = None) -> Chosen:
    """Return the words of `language`, or for None those that the environment variable CANCEL_HEARTS_LANG names.

    Without the variable that is English; so it is when the variable names no language, with a notice that says so.
    Raises UnknownLanguage for a `language` that was asked for.

    >>> chosen("en").words.language, chosen("en").notice
    ('en', '')
    """
    asked = os.environ.get(VARIABLE, "").strip()
    if language is not None or not asked:
        return Chosen(words("en" if language is None or language == "" else language))
    try:
        return Chosen(words(asked))
    except UnknownLanguage as error:
        return Chosen(words(), words().problem(error))


def _unknown(language: object) -> UnknownLanguage:
    return UnknownLanguage(
        N_("There is no language “%(language)s” here. The languages are: %(known)s."),
        language=str(language)[:20], known=", ".join(languages()),
    )  # fmt: skip


@functools.lru_cache(maxsize=32)
def _catalog(path: Path, changed: int) -> gettext.GNUTranslations:
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)
