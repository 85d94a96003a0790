"""A table at which a person plays: set up, played, kept in the page's address, and taken up again from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, cast

import traitlets

from .. import events as ev
from .. import explain
from ..faults import RecordError
from ..game import Game
from ..i18n import Words, chosen
from ..messages import N_, Problem
from ..rules.nouns import Refusal
from ..ruleset import BLACK_MARIA
from ..session import Seen, Session, new_seed
from .assets import packed, script, style
from .faces import faces
from .layout import links
from .links import query
from .replay import as_text, hand_replays, table_rules, table_words
from .scene import fold_all, pairs
from .setupform import form, values_of
from .table import TableWidget

_FALLBACK = N_("Here you play a match against the computer. Run this page, or open it as a dashboard, to sit down.")
_TOO_LONG = N_("This match has grown too long to be kept in the address. A reload would begin anew.")


class PlayWidget(TableWidget):
    """A table with one person at it. Made by `play_table`; the person's intents come as messages.

    Besides those of a table it has two traits: `play`, what is asked now, and `form`, the set-up form. The frames of
    the running hand reach the browser as messages, to be added to its copy of `replays`.
    """

    _module = script("play")
    _esm = packed(_module)
    _css = style("play")

    play = traitlets.Dict().tag(sync=True)
    form = traitlets.Dict().tag(sync=True)

    @classmethod
    def at(cls, language: Words, query: Mapping[str, str]) -> Self:
        """Return a table in the words of `language`, at the game that `query` (an address's) names, or at the form."""
        table = cls(words=table_words(language), faces=faces())
        table._w = language
        table._values = {}
        table._session = None
        table._linked = set()
        table.answers["play"] = table._answer
        fault = ""
        try:
            if query.get("play"):
                table._sit(Session.resume(query["play"], language), resumed=True)
            elif query.get("hand"):
                at = query.get("at", "0")
                step = int(at) if at.isascii() and at.isdigit() and len(at) < 10 else -1
                table._sit(Session.from_link(query["hand"], step, language=language), resumed=True)
        except RecordError as error:
            fault = " ".join(one.sentence(language) for one in error.faults[:3])
        except Problem as problem:
            fault = language.problem(problem)
        table._fill(table._values, fault)
        if table._session is None:
            table._tell()
        return table

    _w: Words
    _session: Session | None
    _values: dict[str, Any]
    _linked: set[str]
    _match = 0

    def __repr__(self) -> str:
        return super().__repr__() if self.replays else self._w.text(_FALLBACK)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None or self.replays:
            return bundle
        data, metadata = bundle
        return {**data, "text/plain": repr(self)}, metadata

    # -- messages

    def _answer(self, content: Mapping[str, Any]) -> dict[str, Any]:
        self._do(content)
        return {"type": "done"}

    def _do(self, intent: Mapping[str, Any]) -> None:
        what, session = intent.get("do"), self._session
        if what == "form":
            self._fill(intent.get("values"))
        elif what == "start":
            self._start(intent.get("values"))
        elif what == "sync":
            self.send_state(["replays", "layouts", "play"])
        elif session is None:
            return
        elif intent.get("stamp") != session.stamp:
            self._tell()
        elif what == "new":
            self._start({**self._values, "seed": str(new_seed())})
        elif what == "hint":
            hint = session.hint()
            self.send({"type": "note", "tone": "hint", **hint, "text": as_text(hint["text"])})
        else:
            reply = session.act(intent)
            if reply.changed:
                self._grow()
            elif reply.text:
                self.send({"type": "note", "tone": "no", "text": as_text(reply.text), "rule": reply.rule})

    # -- what the page is told

    def _fill(self, values: Any, fault: str = "") -> None:
        made = form(values, self._w)
        self.form = {**made.fields, "fault": fault or made.fault}

    def _start(self, values: Any) -> None:
        made = form(values, self._w)
        if made.setup is None:
            self.form = {**made.fields, "tries": self.form.get("tries", 0) + 1}
            return
        rules, names, seat, players, seed, lessons = made.setup
        self._values = dict(values)
        self.form = made.fields
        self._sit(Session(rules, names, seat, players, seed, lessons=lessons, language=self._w))

    def _sit(self, session: Session, resumed: bool = False) -> None:
        """Show the match from its first hand on, at once (`resumed`) or card by card from the deal."""
        if self._session is not None and session is not self._session:
            # what is still on its way from the match before is an answer to an older question
            session.stamp = self._session.stamp + 1
        self._session = session
        self._match += 1
        if resumed:
            self._values = values_of(session)
        self._linked = set()
        shown = [self._replay(session.seen(hand)) for hand in range(session.hands)]
        last = len(shown[-1]["frames"]) - 1
        self.rulebook = table_rules([session.ruleset.name], self._w)
        self.replace(shown, replay=len(shown) - 1, step=last if resumed else min(1, last))
        self._tell()

    def _grow(self) -> None:
        """Send what is new since the last time; where the past has changed, cut it first."""
        session = self._session
        assert session is not None
        if session.hands < len(self.replays):
            self._sit(session)
            return
        index = len(self.replays) - 1
        kept: dict[str, Any] = self.replays[index]
        now = self._replay(session.seen(index))
        old, new = kept["frames"], now["frames"]
        same = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        parts = ("frames", "captions", "where")
        if same < len(old):
            for name in parts:
                del kept[name][same:]
            kept["why"] = {step: text for step, text in kept["why"].items() if int(step) < same}
            self.send({"type": "cut", "replay": index, "to": same})
        if same < len(new):
            more = {name: now[name][same:] for name in parts}
            added = self._lines(kept, new, same)
            for name in parts:
                kept[name].extend(more[name])
            kept["links"].update(added)
            why = {step: text for step, text in now["why"].items() if int(step) >= same}
            kept["why"].update(why)
            self.send({"type": "more", "replay": index, "from": same, "links": added, "why": why, **more})
        if session.hands > len(self.replays):
            last = {**self._replay(session.seen()), "layout": kept["layout"], "page": kept["page"]}
            self._linked.clear()
            last["links"] = self._lines(last, last["frames"], 0)
            # the browser adds its own copy, so that the hands before are not sent again
            self.replays.append(last)
            self.send({"type": "hand", "replay": last})
        self._tell()

    def _lines(self, kept: Mapping[str, Any], all_frames: Sequence[Mapping[str, Any]], since: int) -> dict[str, Any]:
        """The lines of the pairs that occur from frame `since` on."""
        found: dict[str, Any] = {}
        for i, scene in enumerate(fold_all(all_frames)):
            group = pairs(scene) if i >= since and all_frames[i]["e"] == "PairCancelled" else []
            if group and (name := str(group)) not in self._linked:
                self._linked.add(name)
                lines: dict[str, Any] = links(self.layouts[kept["layout"]], [group])
                found.update(lines)
        return found

    def _tell(self) -> None:
        session = self._session
        if session is None:
            self.play = {"on": False}
            return
        ask = session.ask()
        code = session.code()
        self.play = {
            "on": True,
            "match": self._match,
            "stamp": session.stamp,
            "ask": {**ask, "refused": {key: [as_text(t), rule] for key, (t, rule) in ask.get("refused", {}).items()}},
            "count": [len(one["frames"]) for one in self.replays],
            "seat": session.seat,
            "names": list(session.names),
            "seed": "" if session.seed is None else str(session.seed),
            "lessons": session.lessons,
            "sheet": session.sheet(),
            "code": code,
            "warning": "" if code else self._w.text(_TOO_LONG),
        }

    def _replay(self, seen: Seen) -> dict[str, Any]:
        session = self._session
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


def play_table(language: str | None = None) -> PlayWidget:
    """Return a table at which a person sets up and plays a match against the computer.

    `language` None is the one chosen for the whole dashboard (`i18n.chosen`). In a dashboard the page's address may
    name a game to go on with. Raises UnknownLanguage.

    >>> play_table().play["on"]
    False
    """
    w, notice = chosen(language)
    table = PlayWidget.at(w, query())
    table.notice = notice
    return table


__all__ = ["PlayWidget", "play_table"]
