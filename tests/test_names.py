"""A name is text wherever it is shown: in the table, what is said, the picture, the score sheet, and on a real page."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from realpage import notebook
from servers import BROKEN_PAGE, Served

from cancel_hearts_nb import record, show
from cancel_hearts_nb.game import Game
from cancel_hearts_nb.players import RandomPlayer, play
from cancel_hearts_nb.ruleset import ruleset

EVIL = "<img src=x onerror=window.hit=1>"
NAMES = [EVIL, "<b>Beth</b>", "&lt;Charlie&gt;", "Dave'\""]


def write(file: Path) -> None:
    """Write a record whose players, title and text are called so."""
    game = play(Game(ruleset("hearts", 4), NAMES, seed=3, hands=1), [RandomPlayer()] * 4)
    record.dump(game, file, title=f"Title {EVIL}", about=f"About {EVIL}")


def test_the_picture_and_the_text_beside_it_show_names_as_text(tmp_path: Path) -> None:
    write(tmp_path / "evil.toml")
    bundle: Any = show(tmp_path / "evil.toml")._repr_mimebundle_()[0]
    pictures = re.findall(r"data:image/svg\+xml;base64,([^\"]+)", bundle["text/html"])
    assert pictures
    for one in pictures:
        root = ElementTree.fromstring(base64.b64decode(one))
        shown = {"".join(element.itertext()).strip("\u2066\u2067\u2068\u2069") for element in root.iter() if element.tag.endswith("text")}  # fmt: skip
        # long ones are cut short
        assert all(any(len(one) > 4 and name.startswith(one.rstrip("…")) for one in shown) for name in NAMES)
        assert not [
            element.tag for element in root.iter() if element.tag.endswith(("}img", "}script", "}foreignObject"))
        ]
    rest = re.sub(r'<img src="data:image/svg\+xml;base64,[^"]*"[^>]*>', "", bundle["text/html"])
    assert "<img" not in rest
    assert "<b>Beth" not in rest
    assert "&lt;img src=x onerror=window.hit=1&gt;" in rest
    assert EVIL in bundle["text/plain"]


@pytest.mark.slow
def test_a_real_page_shows_names_as_text(voila: Served, browser: Any) -> None:
    """The policy of the page would stop what such a name would do, so it is left out here."""
    write(voila.folder / "evil.toml")
    notebook(
        voila.folder / "evil.ipynb", "from cancel_hearts_nb import play_table, show\nshow('evil.toml')", "play_table()"
    )
    context = browser.new_context(bypass_csp=True)
    page, said = context.new_page(), []
    page.set_default_timeout(60_000)
    page.on("console", lambda message: said.append(message.text))
    page.goto(voila.address + "/voila/render/evil.ipynb")
    table = page.locator(".chnb:has(.seat)").first
    table.locator(".card:not(.away)").first.wait_for(state="attached")
    assert [one.strip("\u2068\u2069") for one in table.locator(".seat bdi").all_inner_texts()] == NAMES
    heard = ""
    for _ in range(12):
        table.get_by_role("button", name="Next", exact=True).click()
        heard += table.locator(".live").inner_text()
    assert all(name in heard for name in NAMES)
    form = page.locator(".chnb:has(.setup)")
    form.locator("[name=game]").select_option("hearts")
    form.locator("[name=name]").fill(EVIL)
    form.locator("[name=seed]").fill("7")
    form.locator("[data-play=start]").click()
    page.locator(".hand button").first.wait_for()
    assert EVIL in page.locator(".chnb:has(.hand button)").inner_text().replace("\u2068", "").replace("\u2069", "")
    assert page.evaluate("window.hit ?? null") is None
    assert page.locator("img[src=x], .chnb b:text-is('Beth')").count() == 0
    assert not [line for line in said for bad in BROKEN_PAGE if bad in line]
    context.close()
