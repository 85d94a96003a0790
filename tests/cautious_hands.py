"""Play the hands anew to which a learner's player is compared; run as `poe cautious-hands` after rules or the cautious player have changed."""

from __future__ import annotations

import sys

from cancel_hearts_nb import resources
from cancel_hearts_nb.tasks import hands

if __name__ == "__main__":
    (resources.path("data") / hands.KEPT).write_text(hands.dumps(), encoding="utf-8", newline="\n")
    sys.exit(0)
