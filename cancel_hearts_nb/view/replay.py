"""From a record to what a table shows: frames without language, and beside them every word in one language.

The frames come redacted for the viewer, and the sentences are made from the same redacted events, so that neither can
say what the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import events as ev
from .. import explain, frames
from ..cards import PACK
from ..game import Game
from ..i18n import CARD_NAMES, Words, words
from ..messages import N_
from ..record import Record, hands_of
from ..rulebook import page
from ..ruleset import Ruleset
from .labels import LABELS, PLURALS

# One number for each plural category of the browser, so that it finds the form that gettext would choose
_SAMPLES = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
_TEXT_STYLE = "\N{VARIATION SELECTOR-15}"

TITLE_AND_HAND = N_("%(title)s · hand %(hand)d")
UNTITLED = N_("Hand %(hand)d")
_WHERE = {
    "deal": N_("Hand %(hand)d · the deal"),
    "pass": N_("Hand %(hand)d · passing"),
    "card": N_("Hand %(hand)d · trick %(trick)d · card %(card)d"),
    "trick": N_("Hand %(hand)d · trick %(trick)d"),
    "end": N_("Hand %(hand)d · the end"),
}


def table_words(language: Words | None = None) -> dict[str, Any]:
    """Return every word that a table needs apart from its sentences, as JSON-able values; English by default.

    >>> table_words()["cards"]["QS"], table_words()["plurals"]["cards"]["other"]
    ('queen of spades', '%(n)s cards')
    """
    w = language or words()
    return {
        "lang": w.language,
        "dir": w.direction,
        "labels": {key: w.plain(text) for key, text in LABELS.items()},
        "plurals": {
            key: {category: w.form(forms, number) for category, number in _SAMPLES.items()}
            for key, forms in PLURALS.items()
        },
        "cards": {code: w.card_name(code) for code in CARD_NAMES},
        "short": {card.code: _as_text(card.symbol) for card in PACK},
    }


def table_rules(games: Sequence[str], language: Words | None = None) -> list[dict[str, str]]:
    """Return the rules of `games` in page order, each once, in the words of a language; English by default.

    Keys: "id", "heading" (the rule's own title), "section" (the heading on the page), "text", "reading".

    >>> table_rules(["hearts"])[0]["heading"]
    'How many can play'
    """
    w = language or words()
    found = {rule.id: rule for game in games for rule in page(game)}
    texts = [explain.rule_text(rule, w) for rule in found.values()]
    return [
        {
            "id": t["id"],
            "heading": t["title"],
            "section": t["heading"],
            "text": _as_text(t["text"]),
            "reading": _as_text(t["reading"]),
        }
        for t in texts
    ]


def replays(record: Record, language: Words | None = None, viewer: int | None = None) -> list[dict[str, Any]]:
    """Return one replay for each hand of `record`, as `TableWidget.of` takes them.

    `viewer` is the seat whose cards are shown, None shows all hands. English by default.
    """
    return hand_replays(record.game, language, viewer, title=record.title, about=record.about)


def hand_replays(
    game: Game, language: Words | None = None, viewer: int | None = None, *, title: str = "", about: str = ""
) -> list[dict[str, Any]]:
    """Return one replay for each hand of `game`, as `TableWidget.of` takes them; see `replays`.

    >>> from ..ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
    >>> hand_replays(game)[0]["captions"][0]
    'Hand 1 begins: Beth deals.'
    """
    w = language or words()
    hands = hands_of(game.events)
    found = []
    for events in hands:
        number = events[0].number  # type: ignore[attr-defined]
        name = title if title and len(hands) == 1 else w.text(UNTITLED, hand=number)
        if title and len(hands) > 1:
            name = w.text(TITLE_AND_HAND, title=title, hand=number)
        found.append(_replay(events, game.names, game.ruleset, w, viewer, name, about))
    return found


def _replay(
    events: Sequence[ev.Event],
    names: tuple[str, ...],
    rules: Ruleset,
    w: Words,
    viewer: int | None,
    title: str,
    about: str,
) -> dict[str, Any]:
    made = frames.frames(events, rules, viewer)
    captions = [_as_text(explain.event(frame.event, names, rules, w)) for frame in made]
    return {
        "title": title,
        "about": about,
        "game": w.text(explain.GAME_NAMES[rules.name]),
        "seats": rules.seats,
        "names": list(names),
        "viewer": viewer,
        "start": _start(events),
        "frames": frames.to_json(made),
        "captions": captions,
        "where": _places(events, w),
    }


def _start(events: Sequence[ev.Event]) -> int:
    """A whole hand starts when the cards are dealt; a few tricks start with the first lead, since nothing came before."""
    if events[0].middle is None:  # type: ignore[attr-defined]
        return min(1, len(events) - 1)
    return next(i for i, event in enumerate(events) if isinstance(event, ev.LeadAssigned))


def _places(events: Sequence[Any], w: Words) -> list[str]:
    found = []
    hand = trick = card = 0
    for e in events:
        kind = "trick"
        if isinstance(e, ev.HandStarted):
            hand, trick, kind = e.number, e.middle.first_trick - 1 if e.middle else 0, "deal"
        elif isinstance(e, ev.Dealt | ev.KittySet):
            kind = "deal"
        elif isinstance(e, ev.PassSkipped | ev.Passed | ev.Received):
            kind = "pass"
        elif isinstance(e, ev.LeadAssigned):
            trick, card = trick + 1, 0
        elif isinstance(e, ev.Played):
            card, kind = card + 1, "card"
        elif isinstance(e, ev.HeartsBroken | ev.PairCancelled):
            kind = "card"
        elif isinstance(e, ev.MoonShot | ev.MoonChosen | ev.HandScored | ev.MatchWon):
            kind = "end"
        found.append(w.text(_WHERE[kind], hand=hand, trick=trick, card=card))
    return found


def _as_text(text: str) -> str:
    """Suit signs in text style: phones would show a red heart picture for ♥ otherwise."""
    for sign in "♣♦♠♥":
        text = text.replace(sign, sign + _TEXT_STYLE)
    return text
