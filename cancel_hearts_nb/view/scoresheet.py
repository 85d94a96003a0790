"""A score sheet for people with real cards: one page that works by itself, and the same thing as a widget.

The page gets what it must know of the rules as data (`scoresheet.catalogue`) and every word it shows; it adds up.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any, Self

import traitlets

from .. import optiontexts
from ..cards import parse
from ..i18n import Words, chosen, words
from ..messages import N_, NN_
from ..ruleset import GAME_NAMES
from ..scoresheet import catalogue
from .assets import STATIC, joined
from .labels import LABELS
from .still import Still
from .words import SAMPLES, as_text

# Not among the labels of the table: every table carries its labels with it
SHEET_LABELS: dict[str, str] = {
    "sheet": N_("Score sheet"),
    "intro": N_("For people with real cards on a real table. It adds up, checks the points and says who deals and where to pass. Nothing leaves this device."),
    "game": N_("Game"),
    "seats": N_("Players"),
    "names": N_("Names, clockwise round the table"),
    "name_of": N_("Name of player %(n)s"),
    "player": N_("Player %(n)s"),
    "deals_first": N_("Deals first"),
    "deals_first_of": N_("%(name)s deals first"),
    "lots": N_("Draw lots for the first deal"),
    "lots_fell": N_("The lot falls on %(name)s."),
    "target": N_("Points at which the match ends"),
    "options": N_("How your table plays"),
    "start": N_("Start the match"),
    "keep": N_("Keep these changes"),
    "cancel": N_("Cancel"),
    "same_names": N_("Two players are called “%(name)s”; each needs a name of their own."),
    "bad_target": N_("The target must be a whole number from 1 to 9999."),
    "remove": N_("Leave these cards out of the pack: %(cards)s."),
    "to_points": N_("%(game)s, to %(n)s points"),
    "hand": N_("Hand"),
    "hand_n": N_("Hand %(n)s"),
    "hand_said": N_("Hand %(n)s."),
    "deals": N_("%(name)s deals."),
    "leads": N_("%(name)s leads."),
    "low_club_leads": N_("Whoever holds the %(card)s leads it."),
    "pass_none": N_("In this hand nobody passes cards."),
    "enter": N_("Enter hand %(n)s"),
    "enter_again": N_("Go on with hand %(n)s"),
    "correct": N_("Hand %(n)s: correct it"),
    "what_took": N_("Hand %(n)s: who took what?"),
    "correcting": N_("Correct hand %(n)s"),
    "whose": N_("Whose cards"),
    "lost_of": N_("Lost"),
    "lost_long": N_("Lost with a dead last trick"),
    "hearts": N_("Hearts"),
    "queens": N_("Black Marias"),
    "queen": N_("Black Maria"),
    "chip": N_("%(name)s: %(points)s"),
    "chip_said": N_("%(name)s: %(points)s."),
    "chip_open": N_("%(name)s: not entered yet"),
    "took": N_("Taken by %(name)s"),
    "hearts_of": N_("Hearts taken by %(name)s"),
    "rest": N_("The rest goes to %(name)s"),
    "clear": N_("Clear"),
    "cleared": N_("All numbers of this hand are cleared."),
    "close": N_("Close"),
    "save": N_("Enter the hand"),
    "save_again": N_("Save the correction"),
    "turn": N_("Next: %(name)s."),
    "all_there": N_("All points are there."),
    "cards_differ": N_("The points agree, but the cards do not."),
    "bonus_missing": N_("The bonus card is missing."),
    "bonus_many": N_("The bonus card is there twice."),
    "moon_ask": N_("%(name)s has shot the moon. What does %(name)s choose?"),
    "moon_first": N_("First say what the moon does."),
    "subtract": N_("Take %(points)s points off the score of %(name)s"),
    "add_to_others": N_("Give every other player %(points)s points"),
    "moon_subtract": N_("%(name)s has shot the moon: %(points)s points come off the score of %(name)s."),
    "moon_add_to_others": N_("%(name)s has shot the moon: every other player gets %(points)s points more."),
    "moon_short": N_("moon"),
    "entered": N_("Hand %(n)s is entered."),
    "corrected": N_("Hand %(n)s is corrected."),
    "scores": N_("Scores"),
    "total": N_("Total"),
    "lost_head": N_("Lost"),
    "lowest_mark": N_("lowest"),
    "deals_now": N_("deals"),
    "leads_now": N_("leads"),
    "score_of": N_("%(name)s %(points)s"),
    "highest": N_("Highest: %(high)s of %(target)s."),
    "standing": N_("Lowest: %(low)s. Highest: %(high)s of %(target)s."),
    "wins": N_("%(names)s wins the match with the lowest total: %(points)s."),
    "shares": N_("%(names)s share the lowest total and the win: %(points)s."),
    "tied": N_("The target is reached, but several players share the lowest total: play another hand."),
    "ended_before": N_("By these scores the match ended with hand %(n)s. What comes after it does not count."),
    "not_counted": N_("not counted"),
    "floor": N_("No total falls below zero."),
    "undo": N_("Undo hand %(n)s"),
    "undone": N_("Hand %(n)s is taken back. Its numbers are still here."),
    "edit": N_("Change names or choices"),
    "again": N_("New match with the same players"),
    "sure": N_("This empties the sheet of the match that you are playing."),
    "sure_yes": N_("Empty it and begin again"),
    "text": N_("As text"),
    "copy_text": N_("Copy the text"),
    "copy_link": N_("Copy a link to this sheet"),
    "copied": N_("Copied."),
    "not_copied": N_("It could not be copied. Select it and copy it yourself."),
    "link": N_("Link to this sheet"),
    "print": N_("Print"),
    "print_empty": N_("Print an empty sheet"),
    "tools": N_("More"),
    "broken": N_("This link does not hold a whole score sheet, so it was not opened."),
    "other": N_("This link opened another sheet. The one kept on this device is still here."),
    "other_open": N_("Open the sheet kept on this device"),
    "way_left": N_("passed to the left"),
    "way_right": N_("passed to the right"),
    "way_across": N_("passed across"),
    "way_none": N_("nothing passed"),
    "list": N_(", "),
    "failed": LABELS["failed"],
}  # fmt: skip
SHEET_PLURALS: dict[str, tuple[str, str]] = {
    "points": NN_("%(n)s point", "%(n)s points"),
    "pass_left": NN_("Pass %(n)s card to the left.", "Pass %(n)s cards to the left."),
    "pass_right": NN_("Pass %(n)s card to the right.", "Pass %(n)s cards to the right."),
    "pass_across": NN_("Pass %(n)s card across the table.", "Pass %(n)s cards across the table."),
    "missing": NN_("%(n)s point is missing.", "%(n)s points are missing."),
    "many": NN_("%(n)s point too many.", "%(n)s points too many."),
    "hearts_missing": NN_("%(n)s heart is missing.", "%(n)s hearts are missing."),
    "hearts_many": NN_("%(n)s heart too many.", "%(n)s hearts too many."),
    "queens_missing": NN_("%(n)s Black Maria is missing.", "%(n)s Black Marias are missing."),
    "queens_many": NN_("%(n)s Black Maria too many.", "%(n)s Black Marias too many."),
    "cards_each": NN_("Each player gets %(n)s card.", "Each player gets %(n)s cards."),
    "kitty": NN_("%(n)s card is left over as the kitty.", "%(n)s cards are left over as the kitty."),
    "with_hands": NN_("%(n)s hand is entered.", "%(n)s hands are entered."),
}


def sheet_words(language: Words | None = None) -> dict[str, Any]:
    """Return every word that a score sheet shows, as JSON-able values; English by default.

    >>> found = sheet_words()
    >>> found["games"]["omnibus"], found["options"]["tie"]["values"]["shared"]
    ('Omnibus Hearts', 'Players who share the lowest total share the win.')
    """
    w = language or words()
    table = catalogue()
    options: dict[str, dict[str, Any]] = {}
    codes: set[str] = set()
    for sizes in table.values():
        for found in sizes.values():
            codes |= {*found["rules"]["removed"], found["rules"]["low_club"], found["rules"]["bonus_card"]}
            for name, values in found["options"].items():
                made = options.setdefault(name, {"title": optiontexts.option_text(name, w), "values": {}})
                for value, change in values:
                    made["values"][value] = as_text(optiontexts.value_text(name, value, w))
                    codes |= {change.get("bonus_card", "")}
    codes.discard("")
    return {
        "lang": w.language,
        "dir": w.direction,
        "labels": {key: w.plain(text) for key, text in SHEET_LABELS.items()},
        "plurals": {
            key: {category: w.form(forms, number) for category, number in SAMPLES.items()}
            for key, forms in SHEET_PLURALS.items()
        },
        "games": {game: w.text(name) for game, name in GAME_NAMES.items()},
        "options": options,
        "cards": {code: w.card_name(code) for code in sorted(codes)},
        "short": {code: as_text(w.card(parse(code))) for code in sorted(codes)},
    }


def page(language: Words | None = None) -> str:
    """Return the score sheet as the text of one HTML file, which needs nothing else; English by default.

    >>> page().startswith("<!doctype html>"), "http" in page().replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    (True, False)
    """
    w = language or words()
    script = joined("js", "dom", "scoresheet")
    # a page opened from a file cannot import another file, so the module becomes a part of it
    script = script.replace("\nexport default ", "\nconst sheet = ").replace("\nexport ", "\n")
    data = {"catalogue": catalogue(), "words": sheet_words(w)}
    return _PAGE % {
        "lang": escape(w.language),
        "dir": w.direction,
        "title": escape(w.plain(SHEET_LABELS["sheet"])),
        "css": joined("css", "scoresheet"),
        # nothing in the data may end the element that holds it
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "script": script,
    }


_PAGE = """<!doctype html>
<html lang="%(lang)s" dir="%(dir)s">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>%(title)s</title>
<style>
%(css)s</style>
</head>
<body class="chss-page">
<main id="sheet"></main>
<script type="application/json" id="data">%(data)s</script>
<script type="module">
%(script)s
const data = JSON.parse(document.getElementById('data').textContent);
const model = { get: key => data[key], set() {}, save_changes() {}, on() {}, off() {} };
sheet().render({ model, el: document.getElementById('sheet'), address: true });
</script>
</body>
</html>
"""


class ScoreSheet(Still):
    """A score sheet for a real table, as a widget. It works without a kernel, and keeps what is entered in the browser.

    Made by `ScoreSheet.of` or `score_sheet()`. Traits: `catalogue` and `words` go to the browser; `state` is the sheet
    as the browser writes it, "" at first, and keeps two views of one widget in step.

    >>> ScoreSheet.of()
    Score sheet
    """

    _module = joined("js", "dom", "scoresheet")
    _esm = _module
    _css = STATIC / "scoresheet.css"

    catalogue = traitlets.Dict().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    state = traitlets.Unicode("").tag(sync=True)

    _language: Words

    @classmethod
    def of(cls, language: Words | None = None, notice: str = "") -> Self:
        """Return an empty score sheet with a `notice` above it, or none; English by default."""
        made = cls(catalogue=catalogue(), words={**sheet_words(language), "notice": notice})
        made._language = language or words()
        return made

    def to_html(self, path: str | Path) -> Path:
        """Write the score sheet as one HTML file that works by itself, on a phone too, and return its path.

        A file that exists is written over. Raises OSError when it cannot be written.
        """
        target = Path(path)
        target.write_text(page(self._language), encoding="utf-8", newline="\n")
        return target

    def __repr__(self) -> str:
        return str(self.words["labels"]["sheet"])

    def _html(self) -> str:
        """What a score sheet is for."""
        said = self.words["labels"]
        return (
            f'<div lang="{escape(self.words["lang"])}" dir="{escape(self.words["dir"])}">'
            f"<p><strong>{escape(said['sheet'])}</strong></p><p>{escape(said['intro'])}</p></div>"
        )


def score_sheet(language: str | None = None) -> ScoreSheet:
    """Return a score sheet for people who play with real cards; `to_html(path)` writes it as a page for a phone.

    `language` None is the one chosen for the whole dashboard (`i18n.chosen`). Raises UnknownLanguage.

    >>> score_sheet()
    Score sheet
    """
    return ScoreSheet.of(*chosen(language))
