"""The lesson “Play a hand” as people meet it: served by `cancel-hearts`, played in a real browser, reloaded in the middle."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from servers import kill_kernels

from cancel_hearts_nb import record
from cancel_hearts_nb.game import Game
from cancel_hearts_nb.ruleset import ruleset

pytestmark = pytest.mark.slow


@pytest.fixture
def page(watched_page: Any) -> Any:
    return watched_page


@pytest.fixture
def server(dashboard: tuple[str, subprocess.Popen[str]]) -> tuple[str, subprocess.Popen[str]]:
    """The address of the lesson, and the process that serves it."""
    return dashboard[0] + "voila/render/07_play_a_hand.ipynb", dashboard[1]


def open_at(page: Any, address: str) -> None:
    page.goto(address)
    page.locator(".chnb .setup, .chnb .hand").first.wait_for(timeout=30_000, state="attached")
    page.wait_for_function("document.querySelector('.chnb').dataset.play")


def ready(page: Any) -> str:
    """End the moves of the others, as somebody in a hurry would, and return what is asked."""
    page.wait_for_function(
        """() => { const skip = document.querySelector('[data-play=skip]'); if (skip && !skip.hidden) skip.click();
          return skip && skip.hidden && !/others are playing/.test(document.querySelector('.prompt').textContent); }""",
    )
    return str(page.inner_text(".prompt"))


def cards(page: Any) -> int:
    return int(page.locator(".hand button").count())


def play_one(page: Any) -> None:
    """Play the first card that may be played."""
    before = cards(page)
    page.locator(".hand button:not([aria-disabled])").first.click(position={"x": 8, "y": 14})
    page.wait_for_function(f"document.querySelectorAll('.hand button').length < {before}")


def test_a_whole_hand_with_a_reload_in_the_middle_of_the_pass_and_of_a_trick(
    page: Any, server: tuple[str, Any]
) -> None:
    open_at(page, server[0])
    page.select_option("[name=game]", "hearts")
    page.wait_for_function("document.querySelector('[name=seats]').value === '4'")
    page.fill("[name=name]", "Zoë <b>")
    page.select_option("[name=seat]", "2")
    page.wait_for_function("document.querySelector('[name=seat]').value === '2'")
    assert page.input_value("[name=name]") == "Zoë <b>"
    page.fill("[name=seed]", "7")
    page.click("[data-play=start]")
    page.wait_for_selector(".hand button")
    prompt = ready(page)
    assert "Choose 3 cards" in prompt
    hand = page.locator(".hand button").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert "play=" in page.url

    page.reload()
    page.wait_for_selector(".hand button")
    assert ready(page) == prompt
    assert page.locator(".hand button").evaluate_all("all => all.map(one => one.ariaLabel)") == hand
    for i in range(3):
        page.locator(".hand button").nth(i).click(position={"x": 8, "y": 14})
    page.click("[data-play=commit_play]")
    page.wait_for_function("document.querySelector('.hand').getAttribute('role') === 'toolbar'")
    ready(page)
    for _ in range(4):
        play_one(page)
        ready(page)
    hand = page.locator(".hand button").evaluate_all("all => all.map(one => [one.ariaLabel, one.ariaDisabled])")
    trick = page.locator("ol.trick").inner_text()

    page.reload()
    page.wait_for_selector(".hand button")
    ready(page)
    assert page.locator(".hand button").evaluate_all("all => all.map(one => [one.ariaLabel, one.ariaDisabled])") == hand
    assert page.locator("ol.trick").inner_text() == trick
    while cards(page):
        play_one(page)
        ready(page)
    if page.locator(".moon button").count():
        page.locator(".moon button").first.click()
    page.wait_for_selector("[data-play=next_hand]")
    assert page.locator(".scores tbody tr").count() == 1
    assert page.locator(".scores thead th").count() == 5
    assert "Zoë <b>" in page.locator(".scores thead").inner_text()
    page.click("[data-play=next_hand]")
    page.wait_for_function("document.querySelectorAll('.hand button').length === 13")
    assert "Choose 3 cards" in ready(page)


def test_a_link_to_a_deal_and_step_sits_down_there(page: Any, server: tuple[str, Any]) -> None:
    game = Game(ruleset("cancellation", 6), "Al Beth Charlie Dave Eve Fay".split(), seed=5)
    open_at(page, f"{server[0]}?hand={record.encode(game)}&at=2")
    page.wait_for_selector(".hand button")
    assert "Choose 3 cards for Beth" in ready(page)
    assert cards(page) == 17


def test_a_broken_address_says_a_sentence_and_the_form_works(page: Any, server: tuple[str, Any]) -> None:
    open_at(page, f"{server[0]}?play=1nonsense")
    assert "cannot go on" in page.inner_text(".fault")
    page.click("[data-play=start]")
    page.wait_for_selector(".hand button")
    assert "Choose 3 cards" in ready(page)


def test_a_dead_kernel_is_said(page: Any, server: tuple[str, subprocess.Popen[str]]) -> None:
    open_at(page, server[0])
    page.click("[data-play=start]")
    page.wait_for_selector(".hand button")
    ready(page)
    kill_kernels(server[1].pid)
    page.click("[data-play=hint]")
    page.wait_for_selector("[data-lost]")
    assert "connection is lost" in page.inner_text(".prompt")
