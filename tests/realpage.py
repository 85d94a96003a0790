"""One notebook for each table size with everything that a reader meets, and a real page of it in Voilà or JupyterLab."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import labpage
import nbformat
from catalogs import add_language
from servers import Served

from cancel_hearts_nb import events as ev
from cancel_hearts_nb import i18n, record, voilasettings
from cancel_hearts_nb.game import Game
from cancel_hearts_nb.players import RandomPlayer, play
from cancel_hearts_nb.predict import Ask, What
from cancel_hearts_nb.ruleset import ruleset

SIZES = (4, 6, 8, 11)
NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()
VIEWER = 1
# milliseconds: what a kernel and a browser may take on a busy machine
PATIENCE = 60_000
BROKEN = (
    "Failed to load model class", "No version of module", "Traceback (most recent call last)", "There was an error",
    "Exception in callback", "Error creating widget", "Something went wrong", "Content Security Policy", voilasettings.FAILED,
)  # fmt: skip

ALL, SEAT, QUIZ, FAULTY, MIRRORED = "Every hand open", "As Beth sees it", "Questions", "A planted fault", "Mirrored"
# what stands on a page on which something was waited for in vain
SAYS = """root => { const at = root || document.body, text = one => at.querySelector(one)?.innerText, hand = at.querySelector('.hand');
  return JSON.stringify({ attached: at.isConnected, prompt: text('.prompt'), live: text('.live'), notice: text('.notice'), role: hand?.getAttribute('role'),
    hand: [...hand?.querySelectorAll('button') || []].map(one => one.getAttribute('aria-label') + (one.hasAttribute('aria-disabled') ? ' (no)' : '')), buttons: [...at.querySelectorAll('[data-play]')].filter(one => one.checkVisibility()).map(one => one.dataset.play),
    focus: document.activeElement?.outerHTML.slice(0, 200), scrolled: scrollY }); }"""
# the cells, by what they show
CELLS = {
    "start": """
        from pathlib import Path
        from IPython.display import display
        from cancel_hearts_nb import i18n, play_table, record, score_sheet, show
        i18n.LOCALES = Path("locale").resolve()
        hand = record.load("hand_%(seats)d.toml")
        table = show(hand)
        table.to_html("alone_%(seats)d.html")
        display(table, table)""",
    "seat": f"""
        show(record.Record(hand.game, "{SEAT}"), viewer={VIEWER}, link=False)""",
    "quiz": """
        show("quiz_%(seats)d.toml", link=False)""",
    "play": """
        play_table()""",
    "mirrored": f"""
        show(record.Record(hand.game, "{MIRRORED}"), language="he", link=False)""",
    "faulty": f"""
        faulty = show(record.Record(hand.game, "{FAULTY}"), link=False)
        faulty.answers["viewer"] = lambda content: 1 / 0
        faulty""",
    "sheet": """
        score_sheet()""",
}


@cache
def hand_of(seats: int) -> Game:
    """A hand played to its end in which pairs cancel and, with two packs, a trick dies and what waited is taken."""
    for seed in range(200):
        rules = ruleset("hearts" if seats == 4 else "cancellation", seats)
        game = play(Game(rules, NAMES[:seats], seed=seed, hands=1), [RandomPlayer()] * seats)
        kinds = {type(event) for event in game.events}
        if seats == 4 or kinds >= {ev.PairCancelled, ev.TrickDead, ev.AsideTaken, ev.HeartsBroken}:
            return game
    raise AssertionError("no such hand")


@cache
def quiz_of(seats: int) -> tuple[tuple[Ask, ...], tuple[int, ...]]:
    """The questions of a size, as marks for its record, and the steps at which they wait."""
    events = hand_of(seats).events
    lead = [i for i, event in enumerate(events) if isinstance(event, ev.LeadAssigned)]
    # the kitty hides what waits, so the points are asked of a trick after somebody has taken one
    taken = next(i for i, event in enumerate(events) if isinstance(event, ev.TrickWon))
    later = next(n for n, i in enumerate(lead, 1) if i > taken + 1)
    later = max(later, 3)
    asks = (Ask(1, 2, 1, What.LEGAL), Ask(1, later, seats, What.WINNER), Ask(1, later, seats, What.POINTS))
    steps = []
    for ask in asks:
        played = [i for i, event in enumerate(events) if isinstance(event, ev.Played) and i > lead[ask.trick - 1]]
        steps.append(played[ask.at - 1])
    return asks, tuple(steps)


def write_notebook(folder: Path, seats: int) -> str:
    """Write the notebook of a size and its records into `folder`; return its name."""
    game, (asks, _) = hand_of(seats), quiz_of(seats)
    record.dump(game, folder / f"hand_{seats}.toml", ALL)
    record.dump(game, folder / f"quiz_{seats}.toml", QUIZ, asks=asks)
    notebook(
        folder / f"real_{seats}.ipynb",
        *(source % {"seats": seats} if "%(" in source else source for source in CELLS.values()),
    )
    return f"real_{seats}.ipynb"


def prepare(folder: Path) -> None:
    """Write everything that the pages need into the folder of a server, once."""
    if (folder / "locale").exists():
        return
    shutil.copytree(i18n.LOCALES, folder / "locale")
    add_language(folder / "locale", "he", lambda form, _: form, rules_of="he")
    for seats in SIZES:
        write_notebook(folder, seats)
    notebook(
        folder / "linked.ipynb", "from cancel_hearts_nb import play_table, show\nshow('hand_4.toml')", "play_table()"
    )


def notebook(path: Path, *sources: str) -> None:
    made = nbformat.v4.new_notebook()
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made.cells = [nbformat.v4.new_code_cell(re.sub(r"(?m)^ {8}", "", source).strip()) for source in sources]
    nbformat.write(made, path)


@dataclass
class RealPage:
    """A page with the notebook of one size, run by a real kernel, and everything that was said in it and sent to it."""

    page: Any
    seats: int
    server: str
    served: Served
    said: list[str] = field(default_factory=list)
    wire: list[bytes] = field(default_factory=list)
    walk: list[dict[str, Any]] = field(default_factory=list)

    @property
    def game(self) -> Game:
        return hand_of(self.seats)

    @property
    def moving(self) -> bool:
        """Whether cards move in this page; in the others the reader has asked for none of that."""
        return self.seats == 8

    def cell(self, name: str) -> Any:
        """Bring the cell into sight (Lab may take far ones out of the page) and return the widgets that it shows."""
        index = list(CELLS).index(name)
        found = self.page.locator(".jp-Cell").nth(index)
        if self.server == "lab":
            self.page.evaluate("index => book.content.scrollToItem(index, 'start')", index)
            found = self.page.locator(f".jp-Notebook [data-windowed-list-index='{index}']")
        found = found.locator(".chnb, .chss")
        # what Lab has not laid out yet is in the page, but has no visible text
        found.first.scroll_into_view_if_needed(timeout=PATIENCE)
        return found

    def open(self) -> None:
        """Open the notebook and wait until every cell shows what it is to show."""
        name = f"real_{self.seats}.ipynb"
        if self.server == "lab":
            labpage.open_notebook(self.page, self.served.address, name)
            labpage.run_all(self.page)
        else:
            self.page.goto(f"{self.served.address}/voila/render/{name}", timeout=PATIENCE)
        self.wait()

    def wait(self) -> None:
        for name in CELLS:
            self.cell(name).locator(".card, .seat, form").first.wait_for(state="attached", timeout=PATIENCE)

    def another(self) -> Any:
        """A second page beside this one, to follow a link in."""
        page = self.page.context.new_page()
        page.set_default_timeout(PATIENCE)
        return page

    def leave(self, page: Any) -> None:
        """Close a second page; a page that stays behind another one is drawn once in a second."""
        page.close(run_before_unload=True)
        self.page.bring_to_front()

    def until(self, condition: str, root: Any = None) -> Any:
        """Wait until `condition`, a function of an element, holds of `root`, and return what it then gives."""
        handle = root.element_handle() if root is not None else None
        try:
            return self.page.wait_for_function(condition, arg=handle, timeout=PATIENCE).json_value()
        except Exception as error:
            error.add_note(f"The page says: {self.page.evaluate(SAYS, handle)}")
            raise

    def heard(self, since: int | None = 0, until: int | None = None) -> str:
        """What the kernel sent to the page, as text, from message number `since` on (None: nothing)."""
        return "" if since is None else "\n".join(one.decode("utf-8", "replace") for one in self.wire[since:until])


def real_page(browser: Any, served: Served, server: str, seats: int) -> RealPage:
    """A new page of its own browser profile: six seats by touch, on a phone in Voilà; the other sizes by mouse."""
    touch = seats == 6
    width, height = (360, 640) if touch and server == "voila" else (768, 1024) if seats == 8 and server == "voila" else (1280, 900)  # fmt: skip
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch and server == "voila",
        reduced_motion="no-preference" if seats == 8 else "reduce",
        permissions=["clipboard-read", "clipboard-write"], accept_downloads=True,
    )  # fmt: skip
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    made = RealPage(page, seats, server, served)

    def keep(message: Any) -> None:
        made.wire.append(message if isinstance(message, bytes) else message.encode())

    page.on("console", lambda message: made.said.append(message.text))
    page.on("pageerror", lambda error: made.said.append(f"There was an error: {error}"))
    page.on("websocket", lambda socket: socket.on("framereceived", keep))
    return made


def replays_sent(text: str) -> Iterator[dict[str, Any]]:
    """Every replay that stands in what a kernel sent."""
    for found in re.finditer(r'"replays": (?=\[)', text):
        yield from json.JSONDecoder().raw_decode(text, found.end())[0]
