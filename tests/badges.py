"""The README's links to Binder; run as `poe badges` in a checkout from GitHub to put in where it came from.

A link names a repository, and inside it a page: with Voilà's and JupyterLab's addresses as they stand behind the
address of the server, without a slash before them, and every slash in them written %2F.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
# Stands in the README until somebody puts in a real one
PLACEHOLDER = "OWNER/REPO"
_LINK = re.compile(r"https://mybinder\.org/v2/gh/([^/\s)]+/[^/\s)]+)/([^?\s)]+)\?urlpath=([^\s)]+)")
_FROM = re.compile(r"(?:https://|ssh://git@|git@)github\.com[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?")


class Badge(NamedTuple):
    """Where a link leads: the repository, its branch, how the page is opened, and the page by its path."""

    repository: str
    branch: str
    way: str
    page: str


def badges(text: str) -> list[Badge]:
    """Return all links to Binder in `text`. Raises ValueError for one that would lead nowhere."""
    found = []
    if text.count("//mybinder.org/v2/") != len(_LINK.findall(text)):
        raise ValueError("a link to Binder has another form than v2/gh/OWNER/REPO/BRANCH?urlpath=…")
    for repository, branch, place in _LINK.findall(text):
        way = next((way for way in ("voila%2Frender%2F", "lab%2Ftree%2F") if place.startswith(way)), None)
        if way is None or "/" in place:
            raise ValueError(f"{place} is neither voila%2Frender%2F… nor lab%2Ftree%2F…")
        found.append(Badge(repository, branch, unquote(way), unquote(place.removeprefix(way))))
    return found


def repository(address: str) -> str | None:
    """Return the owner and name in the address of a GitHub repository, or None.

    >>> repository("git@github.com:me/cards.git")
    'me/cards'
    """
    match = _FROM.fullmatch(address.strip())
    return match and match.group(1)


def renamed(text: str, to: str) -> str:
    """Return `text` with its links to Binder leading to the repository `to`."""
    for old in {badge.repository for badge in badges(text)}:
        text = text.replace(f"//mybinder.org/v2/gh/{old}/", f"//mybinder.org/v2/gh/{to}/")
    return text


def main() -> int:
    """Put the repository that this checkout came from into the README."""
    remote = subprocess.run(["git", "remote", "get-url", "origin"], cwd=ROOT, capture_output=True, text=True)
    found = repository(remote.stdout)
    if found is None:
        sys.stderr.write("This checkout does not come from GitHub, so the README keeps its links to Binder.\n")
        return 1
    README.write_text(renamed(README.read_text(encoding="utf-8"), found), encoding="utf-8")
    sys.stdout.write(f"The README's links to Binder lead to {found}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
