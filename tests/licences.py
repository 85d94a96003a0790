"""The licences of all that the lessons need: `poe licences` lists them and fails for one that is not ALLOWED.

Each package says its licence in its metadata, in one of three ways: as an expression of SPDX names, as a classifier, or
in words of its own. The first that is there counts.
"""

from __future__ import annotations

import itertools
import re
import sys
from email.message import Message
from importlib import metadata

import pins

# What one may pass on with a course under BSD-3-Clause: names as SPDX has them. LGPL and GPL are not among them.
ALLOWED = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0",
    "PSF-2.0", "Python-2.0", "Unlicense", "Zlib",
    "BSD",  # as a classifier says it, without the number of clauses
}  # fmt: skip
_CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}
_WORDS = {
    "apache 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "mit license": "MIT",
    "psfl": "PSF-2.0",
}


def licence(of: Message) -> str:
    """Return the licence that the metadata `of` a package tells, in SPDX names where we know them, or "" if none."""
    if of.get("License-Expression"):
        return str(of["License-Expression"])
    names = [line.rpartition(" :: ")[2] for line in of.get_all("Classifier", []) if line.startswith("License :: ")]
    told = [_CLASSIFIERS.get(name, name) for name in names if name != "OSI Approved"]
    if told:
        return " AND ".join(told)
    words = str(of.get("License") or "").strip()
    return "" if words == "UNKNOWN" else _WORDS.get(words.lower(), words.partition("\n")[0])


def allowed(expression: str) -> bool:
    """Return whether every licence of an SPDX expression is allowed, of those joined with OR at least one."""
    tokens = re.findall(r"\(|\)|[^\s()]+", expression)
    # the names become truths; anything else that stands in it is refused
    said = [
        token.lower() if token in ("AND", "OR") else token if token in "()" else str(token in ALLOWED)
        for token in tokens
    ]
    # free words such as “BSD (3-clause)” are no expression
    if any(before not in ("AND", "OR", "(") and token == "(" for before, token in itertools.pairwise(tokens)):
        return False
    try:
        return bool(said) and bool(eval(" ".join(said), {"__builtins__": {}}))
    except SyntaxError:
        return False


def listed() -> dict[str, str]:
    """Return the licence of each pinned package that is installed here, by its name."""
    found = {}
    for name in pins.pinned():
        try:
            found[name] = licence(metadata.metadata(name))  # type: ignore[arg-type]
        except metadata.PackageNotFoundError:
            continue
    return found


def main() -> int:
    """List them."""
    found = listed()
    for name, told in found.items():
        sys.stdout.write(f"{name:30}{told or '(not told)'}{'' if allowed(told) else '   NOT ALLOWED'}\n")
    missing = [name for name in pins.pinned() if name not in found]
    if missing:
        sys.stdout.write(f"Not installed here: {', '.join(missing)}\n")
    return 0 if all(map(allowed, found.values())) else 1


if __name__ == "__main__":
    sys.exit(main())
