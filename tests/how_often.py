"""Play the hands behind the figures of how often tricks die, and write their results and plots; run as `poe how-often`.

Equal seeds give equal results; the day on which it ran is the only thing that changes.
"""

from __future__ import annotations

import datetime
import sys
from pathlib import Path

from cancel_hearts_nb import howoften
from cancel_hearts_nb.view import often, plots

DATA = Path(howoften.__file__).resolve().parent / "data"
SEED, HANDS = 7, 20_000


def main() -> int:
    """Write the file of results, then a plot for each figure."""
    found = howoften.play(HANDS, SEED, made=datetime.datetime.now(datetime.UTC).date().isoformat())
    (DATA / howoften.FILE).write_text(howoften.dumps(found), encoding="utf-8", newline="\n")
    (DATA / often.FILES).mkdir(exist_ok=True)
    for figure in often.FIGURES:
        text = plots.svg(often.plot_of(figure, found))
        path = DATA / often.FILES / f"{figure}.svg"
        path.write_text(text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{path}: {len(text.encode())} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
