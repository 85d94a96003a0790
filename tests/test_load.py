"""The load script lives: two learners get both pages and play a hand each. How fast that is, no test says."""

from __future__ import annotations

import load
import pytest

pytestmark = pytest.mark.slow


def test_two_learners_play_a_hand_without_an_error() -> None:
    pytest.importorskip("voila")
    found = load.measure(2, 0, 1)
    hello, ours = found[load.HELLO], found[load.OURS]
    assert hello.errors == ours.errors == []
    assert len(hello.page) == len(ours.page) == ours.hands == 2
    assert hello.hands == 0 and hello.answers == []
    # the start, a pass, and as many cards as a hand of eight players has
    assert len(ours.answers) == 2 * 15
    assert len(hello.pss) == len(ours.pss) == 2 and min(ours.pss) > min(hello.pss) > 10_000_000
    said = load.report(found, 2)
    assert "2 hands played" in said and "errors: 0" in said and "2 learners at once" in said


def test_what_went_wrong_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = {load.HELLO: load.Found(), load.OURS: load.Found(errors=["ConnectionError: gone", "ConnectionError: gone"])}
    asked = []
    monkeypatch.setattr(load, "measure", lambda *what: asked.append(what[:3]) or found)
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert load.main(["--learners", "7", "--rounds", "1"]) == 1
    assert asked == [(7, 0, 1)]
    assert "errors: 2\n    ConnectionError: gone\n" in capsys.readouterr().out
    found[load.OURS].errors.clear()
    assert load.main([]) == 0


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    async def instead(server: object, name: str, learners: int, pages: int, path: str, found: load.Found) -> None:
        rounds.append((learners, pages))

    class Nobody:
        def __init__(self, home: object) -> None: ...
        def __enter__(self) -> object: ...
        def __exit__(self, *what: object) -> None: ...

    monkeypatch.setattr(load, "round_of", instead)
    monkeypatch.setattr(load, "lessons", Nobody)
    load.measure(10_000, 100, 50)
    assert rounds == [(1, 0)] * 2 + [(load.MOST_LEARNERS, load.MOST_PAGES)] * 2 * load.MOST_ROUNDS
