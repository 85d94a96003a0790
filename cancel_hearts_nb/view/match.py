"""The match that is being played at a table: what the page is told of it, from the first deal to the last score.

The form in which it is set up stands in `setupform`, the widget in `play`. This part holds the game and is loaded when
somebody sits down, so that a page whose form is still being read needs no engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from .. import events as ev
from .. import explain
from ..faults import RecordError
from ..game import Game
from ..i18n import Words
from ..messages import N_, Problem
from ..optiontexts import options_of
from ..rules.nouns import Refusal
from ..ruleset import BLACK_MARIA
from ..seeds import new_seed
from ..session import Seen, Session
from .layout import links
from .replay import hand_replays, table_rules
from .scene import fold_all, pairs
from .setupform import Setup
from .table import TableWidget
from .words import as_text

_TOO_LONG = N_("This match has grown too long to be kept in the address. A reload would begin anew.")


class Match:
    """The matches played at one `table`, in the words of `w`: one `session` at a time, a number for each.

    The table's `replays` are what the page has; `told` takes what is asked now, as plain JSON.
    """

    def __init__(self, table: TableWidget, w: Words, told: Callable[[dict[str, Any]], None]) -> None:
        self._table = table
        self._w = w
        self._told = told
        self._linked: set[str] = set()
        self._number = 0
        self.session: Session | None = None

    def begin(self, setup: Setup) -> None:
        """Begin the match of `setup`, seen card by card from the deal."""
        rules, names, seat, players, seed, lessons = setup
        self._sit(Session(rules, names, seat, players, seed, lessons=lessons, language=self._w))

    def resume(self, asked: Mapping[str, str]) -> tuple[dict[str, Any], str]:
        """Go on with the game that the words `asked` of an address name ("play", or "hand" and "at").

        Returns the values of the form that stand for it, and what is wrong; one of the two is empty.
        """
        try:
            if asked.get("play"):
                session = Session.resume(asked["play"], self._w)
            else:
                at = asked.get("at", "0")
                step = int(at) if at.isascii() and at.isdigit() and len(at) < 10 else -1
                session = Session.from_link(asked["hand"], step, language=self._w)
            self._sit(session, resumed=True)
        except RecordError as error:
            return {}, " ".join(one.sentence(self._w) for one in error.faults[:3])
        except Problem as problem:
            return {}, self._w.problem(problem)
        return values_of(session), ""

    def answers(self, intent: Mapping[str, Any]) -> bool:
        """Return whether `intent` answers what is asked now; an answer to an older question changes nothing."""
        return self.session is not None and intent.get("stamp") == self.session.stamp

    def act(self, intent: Mapping[str, Any]) -> None:
        """Do what the person wants, and send what comes of it."""
        session = self.session
        assert session is not None
        if intent.get("do") == "hint":
            hint = session.hint()
            self._table.send({"type": "note", "tone": "hint", **hint, "text": as_text(hint["text"])})
            return
        reply = session.act(intent)
        if reply.changed:
            self._grow()
        elif reply.text:
            self._table.send({"type": "note", "tone": "no", "text": as_text(reply.text), "rule": reply.rule})

    def _sit(self, session: Session, resumed: bool = False) -> None:
        """Show the match from its first hand on, at once (`resumed`) or card by card from the deal."""
        if self.session is not None and session is not self.session:
            # what is still on its way from the match before is an answer to an older question
            session.stamp = self.session.stamp + 1
        self.session = session
        self._number += 1
        self._linked = set()
        shown = [self._replay(session.seen(hand)) for hand in range(session.hands)]
        last = len(shown[-1]["frames"]) - 1
        self._table.rulebook = table_rules([session.ruleset.name], self._w)
        self._table.replace(shown, replay=len(shown) - 1, step=last if resumed else min(1, last))
        self.tell()

    def _grow(self) -> None:
        """Send what is new since the last time; where the past has changed, cut it first."""
        session = self.session
        assert session is not None
        if session.hands < len(self._table.replays):
            self._sit(session)
            return
        index = len(self._table.replays) - 1
        kept: dict[str, Any] = self._table.replays[index]
        now = self._replay(session.seen(index))
        old, new = kept["frames"], now["frames"]
        same = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        parts = ("frames", "captions", "where")
        if same < len(old):
            for name in parts:
                del kept[name][same:]
            kept["why"] = {step: text for step, text in kept["why"].items() if int(step) < same}
            self._table.send({"type": "cut", "replay": index, "to": same})
        if same < len(new):
            more = {name: now[name][same:] for name in parts}
            added = self._lines(kept, new, same)
            for name in parts:
                kept[name].extend(more[name])
            kept["links"].update(added)
            why = {step: text for step, text in now["why"].items() if int(step) >= same}
            kept["why"].update(why)
            self._table.send({"type": "more", "replay": index, "from": same, "links": added, "why": why, **more})
        if session.hands > len(self._table.replays):
            last = {**self._replay(session.seen()), "layout": kept["layout"], "page": kept["page"]}
            self._linked.clear()
            last["links"] = self._lines(last, last["frames"], 0)
            # the browser adds its own copy, so that the hands before are not sent again
            self._table.replays.append(last)
            self._table.send({"type": "hand", "replay": last})
        self.tell()

    def _lines(self, kept: Mapping[str, Any], all_frames: Sequence[Mapping[str, Any]], since: int) -> dict[str, Any]:
        """The lines of the pairs that occur from frame `since` on."""
        found: dict[str, Any] = {}
        for i, scene in enumerate(fold_all(all_frames)):
            group = pairs(scene) if i >= since and all_frames[i]["e"] == "PairCancelled" else []
            if group and (name := str(group)) not in self._linked:
                self._linked.add(name)
                lines: dict[str, Any] = links(self._table.layouts[kept["layout"]], [group])
                found.update(lines)
        return found

    def tell(self) -> None:
        """Tell the page what is asked now."""
        session = self.session
        assert session is not None
        ask = session.ask()
        code = session.code()
        self._told(
            {
                "on": True,
                "match": self._number,
                "stamp": session.stamp,
                "ask": {
                    **ask,
                    "refused": {key: [as_text(t), rule] for key, (t, rule) in ask.get("refused", {}).items()},
                },
                "count": [len(one["frames"]) for one in self._table.replays],
                "seat": session.seat,
                "names": list(session.names),
                "seed": "" if session.seed is None else str(session.seed),
                "lessons": session.lessons,
                "sheet": session.sheet(),
                "code": code,
                "warning": "" if code else self._w.text(_TOO_LONG),
            }
        )

    def _replay(self, seen: Seen) -> dict[str, Any]:
        session = self.session
        assert session is not None
        # what a hand's replay is made of, without the game behind it
        made = hand_replays(cast(Game, seen), self._w, session.seat)[0]
        return {**made, "sheet": [], "room": _long_sentences(seen, session.seat, self._w)}


def _long_sentences(seen: Seen, seat: int, w: Words) -> list[str]:
    """Sentences about as long as any that will come, so that the page keeps room for them and does not jump."""
    names, rules = seen.names, seen.ruleset
    longest = max(names, key=len)
    facts = {"seat": seat, "card": BLACK_MARIA, "legal": (), "suit": None}
    # as wide as nine cards, but none: nothing here may look like a card that somebody holds
    refused = explain.refusal(Refusal("lead.opening_free", facts), names, w) + ", 000" * min(rules.hand_size, 9)
    scored = ev.HandScored((10,) * rules.seats, (10,) * rules.seats, (10,) * rules.seats)
    return [
        refused.replace(BLACK_MARIA.symbol, "00"),
        explain.event(scored, names, rules, w),
        explain.event(ev.KittySet((None,) * 5), [longest] * rules.seats, rules, w),
    ]


def values_of(session: Session) -> dict[str, Any]:
    """Return the values of the form that stand for the match of `session`.

    >>> from ..i18n import words
    >>> from ..ruleset import ruleset
    >>> from .setupform import form
    >>> one = Session(ruleset("hearts", 4, target=60), "Al Beth Charlie Dave".split(), 2, "random", 7)
    >>> form(values_of(one), words()).setup == (one.ruleset, one.names, 2, ("random",) * 4, 7, True)
    True
    """
    rules, seat, same = session.ruleset, session.seat, len(set(session.players)) == 1
    return {
        "game": rules.name, "was_game": rules.name, "seats": str(rules.seats), "was_seats": str(rules.seats),
        "preset": "printed", "was_preset": "printed", "seat": str(seat), "lessons": session.lessons,
        "seed": str(new_seed() if session.seed is None else session.seed),
        "others": session.players[0] if same else "each",
        **{f"player{i}": kind for i, kind in enumerate(session.players)},
        **{"name" if i == seat else f"name{i}": name for i, name in enumerate(session.names)},
        **{name: str(getattr(rules, name)) for name in options_of(rules.name)},
    }  # fmt: skip
