"""The hand-written JavaScript and CSS of the pages, joined: a module that is one text needs no server to find its parts."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).parent / "static"


def joined(suffix: str, *names: str) -> str:
    """Return the files of `static/` with these names and this suffix, one after the other. Raises OSError.

    >>> joined("js", "dom", "scoresheet").count("export default")
    1
    """
    return "\n".join((STATIC / f"{name}.{suffix}").read_text(encoding="utf-8") for name in names)
