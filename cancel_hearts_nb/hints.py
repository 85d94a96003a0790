"""What to do now, and what each card is expected to cost: for somebody who asks for it at the table.

With numpy the hint is the sampling player's, who plays each card out in many ways; without it, the cautious player's,
whose rules of thumb bring no numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from .cautious import CautiousPlayer
from .game import Action
from .playerlist import offered
from .players import Estimate, Reason, SeatView
from .seeds import Stream

DEALS, PASS_DEALS = 1000, 500
"""How many deals of the unseen cards a hint looks at for each card, or for each pass: a tenth of a second at most, mostly."""


class Hint(NamedTuple):
    """The `action` advised, the `reason`, and the `estimates` of all cards that may be played, in hand order.

    There are none without numpy, for a fragment of a hand, and when no card is to be played.
    """

    action: Action
    reason: Reason
    estimates: tuple[Estimate, ...]


def hint(view: SeatView, stream: Stream) -> Hint:
    """Return a hint for the seat of `view`, always the same for equal views and streams.

    >>> from .game import Game
    >>> from .players import view
    >>> from .ruleset import ruleset
    >>> game = Game(ruleset("hearts", 4, pass_cycle="none"), "Al Beth Charlie Dave".split(), seed=7)
    >>> [str(one.card) for one in hint(view(game), game.stream(game.asked.seat)).estimates]
    ['2C']
    """
    careful = CautiousPlayer().advise(view, stream)
    if "sampling" not in offered():
        return Hint(*careful, ())
    from .sampling import SamplingPlayer, best

    sampling = SamplingPlayer(deals=DEALS if view.asked == "play" else PASS_DEALS)
    if view.asked != "play":
        return Hint(*sampling.advise(view, stream), ())
    found = sampling.estimates(view, stream)
    # of one card it is the rule that decides, and not what comes of it
    return Hint(*(best(view, found, careful) if len(found) > 1 else careful), found)


__all__ = ["DEALS", "Hint", "hint"]
