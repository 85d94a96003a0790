"""Hints: never an illegal card, never nothing, in whatever position somebody asks for one."""

from __future__ import annotations

from collections import Counter

import pytest

from cancel_hearts_nb import hints
from cancel_hearts_nb.cards import parse
from cancel_hearts_nb.game import Game, PlayCard
from cancel_hearts_nb.players import RandomPlayer, view
from cancel_hearts_nb.rules.trick import is_penalty
from cancel_hearts_nb.ruleset import BLACK_MARIA, ruleset

NAMES = "Al Beth Charlie Dave Eve Fay Guy Hal Iris Jon Kate".split()
TABLES = [("hearts", 3), ("hearts", 4), ("omnibus", 5), ("cancellation", 6), ("cancellation", 8), ("cancellation", 11)]


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "DEALS", 6)
    monkeypatch.setattr(hints, "PASS_DEALS", 4)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_hint_is_legal_and_tells_of_every_card_that_may_be_played(name: str, seats: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(60):
        game = Game(ruleset(name, seats), NAMES[:seats], seed=seed, hands=1)
        while game.asked is not None:
            seen, stream = view(game), game.stream(game.asked.seat)
            hand = seen.hand
            kinds = {
                "one card": len(hand) == 1, "twins": hand.count(BLACK_MARIA) == 2,
                "penalty only": len(hand) > 1 and all(map(is_penalty, hand)), "other": len(met) < 3 and len(hand) % 3 == 0,
            }  # fmt: skip
            wanted = [kind for kind, is_so in kinds.items() if is_so and met[kind] < 4]
            if game.asked.kind == "play" and wanted:
                met.update(wanted)
                found = hints.hint(seen, stream)
                assert game.refusal(found.action) is None
                assert [one.card for one in found.estimates] == list(dict.fromkeys(game.legal_cards()))
                least = min(found.estimates, key=lambda one: one.points - one.others)
                assert found.action == PlayCard(seen.seat, least.card)
                assert all(0 <= one.maria <= 1 and one.points_error >= 0 for one in found.estimates)
            game.submit(RandomPlayer().advise(seen, game.stream(game.asked.seat)).action)
    assert met["one card"] and (met["twins"] or name != "cancellation") and (met["penalty only"] or seats > 8)


def test_a_hint_for_a_pass_and_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(ruleset("cancellation", 8), NAMES[:8], seed=3)
    assert game.refusal(hints.hint(view(game), game.stream(0)).action) is None
    plain = Game(ruleset("hearts", 4, pass_cycle="none"), NAMES[:4], seed=7)
    monkeypatch.setattr(hints, "offered", lambda: ("random", "cautious"))
    found = hints.hint(view(plain), plain.stream(plain.asked.seat))
    assert found.estimates == () and found.action == PlayCard(plain.asked.seat, parse("2C"))
