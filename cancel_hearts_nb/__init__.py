"""Learn Cancellation Hearts, Hearts and Omnibus Hearts, with the rule behind every step.

Names are loaded when they are first used, so that importing the package costs next to nothing. Functions that share
a name with their module are taken from it: `from cancel_hearts_nb.ruleset import ruleset`.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_WHERE = {
    "Card": "cards", "parse": "cards",
    "Ruleset": "ruleset",
    "Game": "game", "PassCards": "game", "PlayCard": "game", "ChooseMoon": "game", "IllegalAction": "game",
    "Position": "rules.nouns", "Trick": "rules.nouns",
    "legal_cards": "rules.legality", "refusal": "rules.legality",
    "RandomPlayer": "players", "SeatView": "players", "play": "players",
    "score_sheet": "view.scoresheet",
    "example": "record",
    "gallery": "view.panels", "show": "view.panels", "story": "view.panels", "read_record": "view.panels",
    "how_often": "view.often", "compare_deal": "view.comparison",
    "compare_games": "view.rulesets", "compare_pages": "view.rulesets",
    "play_table": "view.play",
    "lesson": "view.lesson", "quiz": "view.quiz", "exam": "view.quiz", "passing_wheel": "view.wheel",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])
