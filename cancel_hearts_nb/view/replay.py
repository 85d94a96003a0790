"""From a record to what a table shows: frames without language, and beside them every word in one language.

The frames come redacted for the viewer, and the sentences are made from the same redacted events, so that neither can
say what the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import events as ev
from .. import explain, frames, optiontexts
from .. import record as records
from ..faults import RecordError
from ..game import Game
from ..i18n import Words, words
from ..messages import N_
from ..predict import Ask, questions
from ..record import Record, hands_of
from ..rulebook import page
from ..ruleset import GAME_NAMES, PRESET_TEXTS, Ruleset, given_options
from .words import as_text

TITLE_AND_HAND = N_("%(title)s · hand %(hand)d")
UNTITLED = N_("Hand %(hand)d")
_WHERE = {
    "deal": N_("Hand %(hand)d · the deal"),
    "pass": N_("Hand %(hand)d · passing"),
    "card": N_("Trick %(trick)d, led by %(name)s · card %(card)d · hand %(hand)d"),
    "trick": N_("Trick %(trick)d, led by %(name)s · hand %(hand)d"),
    "lead": N_("Trick %(trick)d · hand %(hand)d"),
    "end": N_("Hand %(hand)d · the end"),
}
# a few tricks without the rest of their hand
_WHERE_PART = {
    "deal": N_("The cards of these tricks"),
    "card": N_("Trick %(trick)d, led by %(name)s · card %(card)d"),
    "trick": N_("Trick %(trick)d, led by %(name)s"),
    "lead": N_("Trick %(trick)d"),
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
            "text": as_text(t["text"]),
            "reading": as_text(t["reading"]),
        }
        for t in texts
    ]


def table_page(rules: Ruleset, language: Words | None = None) -> dict[str, Any]:
    """Return the rules page of one table: "ids" in page order, the "options" in force, what "others" play.

    An option has a "title", a "text", the id of its "rule", and "changed": whether it differs from the printed page.

    >>> from ..ruleset import ruleset
    >>> table_page(ruleset("hearts", 4, target=50))["options"][-2]["changed"]
    True
    """
    w = language or words()
    changed = given_options(rules)
    return {
        "ids": [rule.id for rule in page(rules.name)],
        "options": [
            {
                "title": one["title"],
                "text": as_text(one["text"]),
                "rule": one["rule"],
                "changed": one["option"] in changed,
            }
            for one in optiontexts.in_force(rules, w)
        ],
        "others": [
            {"title": w.text(title), "text": w.text(PRESET_TEXTS[name])}
            for name, title in optiontexts.PRESET_TITLES.items()
            if name != "printed" and rules.name == "cancellation"
        ],
    }


def replays(record: Record, language: Words | None = None, viewer: int | None = None) -> list[dict[str, Any]]:
    """Return one replay for each hand of `record`, as `TableWidget.of` takes them.

    `viewer` is the seat whose cards are shown, None shows all hands. English by default.
    """
    return hand_replays(record.game, language, viewer, title=record.title, about=record.about, asks=record.asks)


def hand_replays(
    game: Game,
    language: Words | None = None,
    viewer: int | None = None,
    *,
    title: str = "",
    about: str = "",
    asks: Sequence[Ask] = (),
) -> list[dict[str, Any]]:
    """Return one replay for each hand of `game`, as `TableWidget.of` takes them; see `replays`.

    Only where all hands are shown a replay holds the hand's code and the record as a file: both tell every card.

    >>> from ..ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
    >>> hand_replays(game)[0]["captions"][0]
    'Hand 1 begins: Beth deals.'
    """
    w = language or words()
    hands = hands_of(game.events)
    found: list[dict[str, Any]] = []
    sheet: list[dict[str, Any]] = []
    on_page = table_page(game.ruleset, w)
    # the examples of the course are in the catalogs; anybody else's words stand as they are
    shown, told = w.plain(title), w.plain(about)
    file = {"name": title, "text": toml(game, title, about, asks)} if viewer is None else None
    for events in hands:
        started: Any = events[0]
        number = started.number
        name = shown if title and len(hands) == 1 else w.text(UNTITLED, hand=number)
        if title and len(hands) > 1:
            name = w.text(TITLE_AND_HAND, title=shown, hand=number)
        made = replay_of(events, game.names, game.ruleset, w, viewer, name, told)
        sheet += [
            {"hand": number, "points": list(e.points), "totals": list(e.totals)}
            for e in events
            if isinstance(e, ev.HandScored)
        ]
        made |= {
            "lesson": title,
            "hand": number,
            "page": on_page,
            "sheet": [] if started.middle else list(sheet),
            "asks": [
                {**one, "text": as_text(one["text"]), "reply": as_text(one["reply"])}
                for one in questions(events, game.ruleset, game.names, asks, viewer, w)
            ],
            "code": code(game, number, asks) if viewer is None else "",
        }
        if file and file["text"]:
            made["file"] = file
        found.append(made)
    return found


def toml(game: Game, title: str = "", about: str = "", asks: Sequence[Ask] = ()) -> str:
    """Return the record of `game` as TOML text, or "" while it cannot be written (a fragment that is not played out)."""
    try:
        return records.dumps(game, title, about, asks)
    except RecordError:
        return ""


def code(game: Game, hand: int, asks: Sequence[Ask] = ()) -> str:
    """Return the code for links of hand number `hand` of `game`, or "" while it cannot be written."""
    try:
        return records.encode(game, hand, asks)
    except RecordError:
        return ""


def replay_of(
    events: Sequence[ev.Event],
    names: tuple[str, ...],
    rules: Ruleset,
    w: Words,
    viewer: int | None,
    title: str,
    about: str,
) -> dict[str, Any]:
    """Return the replay of the `events` of one hand, or of its first ones, in the words `w`.

    viewer: the seat whose cards are shown, None for all hands; title, about: what stands above it, as told by whoever
    made the hand. Other parts of a replay ("lesson", "asks", "sheet" …) are up to the caller.

    >>> from ..game import Game
    >>> from ..ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4), "Al Beth Charlie Dave".split(), seed=7)
    >>> replay_of(game.events[:2], game.names, game.ruleset, words(), 0, "", "")["where"]
    ['Hand 1 · the deal', 'Hand 1 · the deal']
    """
    made = frames.frames(events, rules, viewer)
    captions = [as_text(explain.event(frame.event, names, rules, w)) for frame in made]
    special = [as_text(explain.why(frame.event, names, rules, w)) for frame in made]
    return {
        "title": title,
        "about": about,
        "game": w.text(GAME_NAMES[rules.name]),
        "seats": rules.seats,
        "names": list(names),
        "viewer": viewer,
        "start": _start(events),
        "frames": frames.to_json(made),
        "captions": captions,
        "where": _places(events, names, w),
        "why": {str(step): text for step, text in enumerate(special) if text},
    }


def _start(events: Sequence[ev.Event]) -> int:
    """A whole hand starts when the cards are dealt; a few tricks start with the first lead, since nothing came before."""
    if events[0].middle is None:  # type: ignore[attr-defined]
        return min(1, len(events) - 1)
    return next(i for i, event in enumerate(events) if isinstance(event, ev.LeadAssigned))


def _places(events: Sequence[Any], names: Sequence[str], w: Words) -> list[str]:
    found = []
    hand = trick = card = 0
    name = ""
    texts = _WHERE
    for e in events:
        kind = "trick"
        if isinstance(e, ev.HandStarted):
            hand, trick, kind = e.number, 0, "deal"
            texts = _WHERE_PART if e.middle else _WHERE
        elif isinstance(e, ev.Dealt | ev.KittySet):
            kind = "deal"
        elif isinstance(e, ev.PassSkipped | ev.Passed | ev.Received):
            kind = "pass"
        elif isinstance(e, ev.LeadAssigned):
            trick, card, name, kind = trick + 1, 0, names[e.seat], "lead"
        elif isinstance(e, ev.Played):
            card, kind = card + 1, "card"
        elif isinstance(e, ev.HeartsBroken | ev.PairCancelled):
            kind = "card"
        elif isinstance(e, ev.MoonShot | ev.MoonChosen | ev.HandScored | ev.MatchWon):
            kind = "end"
        found.append(w.text(texts[kind], hand=hand, trick=trick, card=card, name=name))
    return found
