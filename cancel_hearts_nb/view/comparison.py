"""One deal at two tables: change one option, see what moves, and replay both hands. Every text is made here."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from html import escape
from typing import Any

import traitlets

from ..comparing import Comparison, TrickEnd, compare, points
from ..i18n import Words, chosen, words
from ..messages import N_, NN_, Problem
from ..names import NAMES
from ..optiontexts import option_text, value_text
from ..record import Record
from ..ruleset import given_options, ruleset
from .assets import joined, packed
from .labels import FAILED
from .panels import _Shelf
from .still import Still
from .table import TableWidget
from .words import table_words

CHANGES: tuple[tuple[str, str | int], ...] = (
    ("dead_rule", "no_led"), ("dead_lead", "left_of_leader"), ("last_dead", "trick_leader"),
    ("last_dead", "second_of_top_pair"), ("pass_cycle", "none"), ("pass_count", 2), ("first_discard_ban", "on"),
    ("bm_breaks", "off"),
)  # fmt: skip
"""What the page offers to change: options of Cancellation Hearts that can move something within one hand."""
SEATS = tuple(range(6, 12))
MOST_TRIED = 200
"""How many deals are tried to find one in which something moves; ten milliseconds each."""
_TITLE = N_("The same deal, one option changed")
_PRINTED, _CHANGED = N_("As printed"), N_("With the change")
_SAME = N_("Nothing moves: in this deal both tables play the same cards and enter the same points.")
_POINTS_ONLY = N_("Both tables play the same cards, but they do not enter the same points.")
_AT_ONCE = N_("The hands part in the very first trick.")
_PARTED = NN_(
    "The first trick is the same at both tables, card for card; then the hands part.",
    "The first %(count)d tricks are the same at both tables, card for card; then the hands part.",
)
_DIED_HERE = N_("In trick %(number)d nobody wins as printed; with the change %(there)s takes it.")
_DIED_THERE = N_("In trick %(number)d %(here)s wins as printed; with the change nobody takes it.")
_OTHER_WINNER = N_("In trick %(number)d %(here)s wins as printed, and %(there)s with the change.")
_OTHER_CARDS = N_("In trick %(number)d other cards are played, though it ends the same way.")
_LOOK_AHEAD = N_("Careful players know the rules of their table, so they choose other cards already in this trick.")
_WON = NN_("%(name)s, %(count)d point", "%(name)s, %(count)d points")
_DEAD = NN_("nobody, %(count)d point in it", "nobody, %(count)d points in it")
_NOT_FOUND = NN_(
    "In %(count)d deal nothing moved: this option rarely matters.",
    "In %(count)d deals nothing moved: this option rarely matters.",
)
COMPARE_LABELS: dict[str, str] = {
    "title": _TITLE,
    "change": N_("What is changed"),
    "seats": N_("Players"),
    "seed": N_("Seed of the deal"),
    "deal": N_("Play this deal"),
    "another": N_("Another deal"),
    "find": N_("A deal where it matters"),
    "tricks": N_("Trick by trick"),
    "trick": N_("Trick"),
    "points": N_("Points entered"),
    "player": N_("Player"),
    "printed": _PRINTED,
    "changed": _CHANGED,
    "differs": N_(
        "Bold type marks what differs. Both hands are dealt alike, and the same careful computer players hold the cards. The points of a trick are those that lie in it; its winner also takes what waits from dead tricks."
    ),
    "playing": N_("The computer is playing."),
    "no_kernel": N_("Nothing answers: the page has lost the program behind it. Reload the page to compare another deal."),
    "failed": FAILED,
}  # fmt: skip


class CompareDeal(Still):
    """What one changed option moves in a deal. Made by `compare_deal`; `table` replays both hands.

    Traits, all sent to the browser: `told` (sentences and tables), `choices` (a sentence for each change), `seats`,
    `now` (what is shown: "change", "seats", "seed"), `words`, `live`.
    """

    _module = joined("js", "dom", "compare")
    _esm = packed(_module)
    _css = joined("css", "compare")

    told = traitlets.Dict().tag(sync=True)
    choices: traitlets.List[str] = traitlets.List().tag(sync=True)
    seats: traitlets.List[int] = traitlets.List().tag(sync=True)
    now = traitlets.Dict().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    live = traitlets.Bool(True).tag(sync=True)

    def __init__(
        self, change: tuple[str, str | int], seats: int, seed: int, language: Words | None = None, notice: str = ""
    ) -> None:
        w = self._w = language or words()
        # a change that was given and is not offered stands first
        self._changes = CHANGES if change in CHANGES else (change, *CHANGES)
        self._table: TableWidget | None = None
        super().__init__(
            choices=[_choice(one, w) for one in self._changes],
            seats=list(SEATS),
            words={
                "lang": w.language.replace("_", "-"),
                "dir": w.direction,
                "labels": {key: w.plain(text) for key, text in COMPARE_LABELS.items()},
                "notice": notice,
            },
        )
        self._play(self._changes.index(change), seats, seed)
        self.on_msg(self._heard)

    @property
    def table(self) -> TableWidget:
        """A table with both hands, one after the other; it follows what is chosen here."""
        if self._table is None:
            self._shelf = _Shelf(self._records(), self._w, None)
            self._table = TableWidget.of(self._shelf.replays(), table_words(self._w), self._shelf.rules())
            self._table.live = True
            self._shelf.serve(self._table)
        return self._table

    def _records(self) -> list[Record]:
        titles = [self._w.text(_PRINTED), self.choices[self.now["change"]]]
        games = (self._found.here, self._found.there)
        return [Record(game, title) for game, title in zip(games, titles, strict=True)]

    def _play(self, change: int, seats: int, seed: int) -> None:
        self._show(change, seats, seed, self._compared(change, seats, seed))

    def _compared(self, change: int, seats: int, seed: int) -> Comparison:
        option: dict[str, Any] = dict([self._changes[change]])
        return compare(ruleset("cancellation", seats), ruleset("cancellation", seats, **option), seed)

    def _show(self, change: int, seats: int, seed: int, found: Comparison) -> None:
        self._found = found
        with self.hold_sync():
            self.told = told(found, self._w)
            # as text: browsers round large numbers
            self.now = {"change": change, "seats": seats, "seed": str(seed)}
        if self._table is not None:
            self._shelf.fill(self._records())
            self._table.replace(self._shelf.replays(), replay=0, step=self._shelf.made[0][0]["start"])

    def _heard(self, widget: Any, content: Any, buffers: Any) -> None:
        """Play another deal, or the same one with another change; whatever goes wrong is said on the page."""
        if not isinstance(content, dict) or content.get("kind") not in ("deal", "another", "find"):
            return
        self._reply(content, self._answer, self._w, COMPARE_LABELS["failed"])

    def _answer(self, content: Mapping[str, Any]) -> dict[str, Any]:
        change, seats = int(content["change"]), int(content["seats"])
        if not 0 <= change < len(self._changes):
            raise LookupError(f"there is no change {change}")
        if content["kind"] == "deal":
            self._play(change, seats, int(content["seed"]))
            return {}
        search = content["kind"] == "find"
        for _ in range(MOST_TRIED if search else 1):
            # small enough to be read and typed again
            seed = secrets.randbelow(100_000)
            found = self._compared(change, seats, seed)
            if found.moved:
                break
        self._show(change, seats, seed, found)
        return {"failed": self._w.count(_NOT_FOUND, MOST_TRIED)} if search and not found.moved else {}

    def __repr__(self) -> str:
        t: dict[str, Any] = self.told
        choice: str = self.choices[self.now["change"]]
        lines = [self._w.text(_TITLE), choice, *t["says"], " | ".join(t["head"])]
        lines += [" | ".join(row[:3]) for row in t["tricks"]] + [" | ".join(t["points_head"])]
        return "\n".join(lines + [" | ".join(row[:3]) for row in t["points"]])

    def _html(self) -> str:
        t: dict[str, Any] = self.told
        says = "".join(f"<p>{escape(one)}</p>" for one in (self.choices[self.now["change"]], *t["says"]))
        tables = _html_table(t["head"], t["tricks"]) + _html_table(t["points_head"], t["points"])
        return (
            f'<div lang="{escape(self.words["lang"])}" dir="{escape(self.words["dir"])}">'
            f"<p><strong>{escape(self._w.text(_TITLE))}</strong></p>{says}{tables}"
            f"<p>{escape(self._w.text(COMPARE_LABELS['differs']))}</p></div>"
        )


def _html_table(head: list[str], rows: list[list[Any]]) -> str:
    titles = "".join(f"<th>{escape(one)}</th>" for one in head)
    body = ""
    for name, here, there, same in rows:
        cells = [f"<td>{escape(one) if same else f'<strong>{escape(one)}</strong>'}</td>" for one in (here, there)]
        body += f"<tr><th>{escape(name)}</th>{''.join(cells)}</tr>"
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _choice(change: tuple[str, str | int], w: Words) -> str:
    return w.text(N_("%(option)s: %(text)s"), option=option_text(change[0], w), text=value_text(*change, language=w))


def told(found: Comparison, language: Words) -> dict[str, Any]:
    """Return what a comparison says: "says" (sentences), and two tables of rows [name, here, there, whether the same]."""
    w = language
    here, there = points(found.here), points(found.there)
    columns = [w.text(_PRINTED), w.text(_CHANGED)]
    return {
        "says": _says(found, w),
        "head": [w.text(COMPARE_LABELS["trick"]), *columns],
        "tricks": [[str(one.number), _end(one.here, w), _end(one.there, w), one.same] for one in found.tricks],
        "points_head": [w.text(COMPARE_LABELS["player"]), *columns],
        "points": [[NAMES[seat], str(a), str(b), a == b] for seat, (a, b) in enumerate(zip(here, there, strict=True))],
    }


def _end(trick: TrickEnd, w: Words) -> str:
    if trick.winner is None:
        return w.count(_DEAD, trick.points)
    return w.count(_WON, trick.points, name=NAMES[trick.winner])


def _says(found: Comparison, w: Words) -> list[str]:
    if not found.moved:
        return [w.text(_SAME)]
    if found.alike == len(found.tricks):
        return [w.text(_POINTS_ONLY)]
    first = found.tricks[found.alike]
    here, there = [None if one.winner is None else NAMES[one.winner] for one in (first.here, first.there)]
    if here == there:
        sentence = w.text(_OTHER_CARDS, number=first.number)
    elif here is None:
        sentence = w.text(_DIED_HERE, number=first.number, there=there)
    elif there is None:
        sentence = w.text(_DIED_THERE, number=first.number, here=here)
    else:
        sentence = w.text(_OTHER_WINNER, number=first.number, here=here, there=there)
    says = [w.count(_PARTED, found.alike) if found.alike else w.text(_AT_ONCE), sentence]
    # other hands after another pass, or another leader, explain themselves
    if found.here.ruleset.pass_cycle == found.there.ruleset.pass_cycle and first.here.cards != first.there.cards:
        same_pass = found.here.ruleset.pass_count == found.there.ruleset.pass_count
        if same_pass and first.here.leader == first.there.leader and (here is None) != (there is None):
            says.append(w.text(_LOOK_AHEAD))
    return says


def compare_deal(seats: int = 8, seed: int = 250, language: str | None = None, **option: str | int) -> CompareDeal:
    """Return one deal of Cancellation Hearts at two tables: as printed, and with one `option` changed.

    `option` is one of ruleset(), given as there (none: dead_rule="no_led"). Another can be chosen on the page. Raises
    RulesetError, GameError and UnknownLanguage.

    >>> print(str(compare_deal(8, seed=250)).splitlines()[1])
    When nobody wins a trick: A trick is dead only when no card of the suit led is left; two pairs alone do not kill it.
    """
    given: dict[str, Any] = {**option} or {"dead_rule": "no_led"}
    if len(given) > 1:
        raise Problem(N_("Change one option at a time: otherwise nobody can tell what moved what."))
    changed = given_options(ruleset("cancellation", seats, **given))
    if not changed:
        raise Problem(N_("That is what the printed page says already: nothing would change."))
    return CompareDeal(next(iter(changed.items())), seats, seed, *chosen(language))


__all__ = ["CHANGES", "CompareDeal", "compare_deal", "told"]
