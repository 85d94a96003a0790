"""What Binder installs, each by its version; run as `poe pins` on the Python of binder/runtime.txt to take the newest.

The tests are run with these versions too: .ci/run makes them constraints of its installation.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "binder" / "requirements.txt"
# The package itself, from the checkout around the file, with all that the lessons need
LOCAL = "-e .[course]"
_HEAD = """\
# What the lessons need, down to the last package. Renew it with: python tests/pins.py
"""


class PinsError(Exception):
    """The newest versions cannot be told here."""


def pinned(text: str | None = None) -> dict[str, str]:
    """Return the version of each package in `text`, or in the file."""
    text = FILE.read_text(encoding="utf-8") if text is None else text
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", LOCAL))]
    return dict(line.split("==") for line in lines)


def written(versions: dict[str, str]) -> str:
    """Return the text of the file for these `versions`."""
    return _HEAD + "".join(f"{name}=={versions[name]}\n" for name in sorted(versions, key=str.lower)) + LOCAL + "\n"


def python() -> str:
    """Return the Python of Binder, such as "3.11"."""
    return (FILE.parent / "runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")


def unconstrained() -> dict[str, str]:
    """Return the environment of this process without the constraints that .ci/run sets for pip."""
    return {key: value for key, value in os.environ.items() if key != "PIP_CONSTRAINT"}


def newest(seconds: float = 300) -> dict[str, str]:
    """Ask pip for the newest versions that go together on this Python, without installing any. Raises PinsError."""
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"]
    try:
        done = subprocess.run(
            [*pip, f"{ROOT}[course]"], env=unconstrained(), capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise PinsError(f"pip did not answer within {seconds:.0f} seconds") from None
    if done.returncode:
        raise PinsError(f"pip could not tell: {done.stderr.strip()[-500:]}")
    found = [one["metadata"] for one in json.loads(done.stdout)["install"]]
    return {one["name"]: one["version"] for one in found if one["name"] != "cancel_hearts_nb"}


def changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return a line for each package that differs."""
    names = sorted(before.keys() | after.keys(), key=str.lower)
    return [
        f"{name} {before.get(name, '(none)')} -> {after.get(name, '(none)')}"
        for name in names
        if before.get(name) != after.get(name)
    ]


def main(arguments: Sequence[str]) -> int:
    """Write the newest versions into the file and tell what changed."""
    argparse.ArgumentParser(description="Pin the newest versions for Binder and CI.").parse_args(arguments)
    here = "{}.{}".format(*sys.version_info)
    if here != python() or not sys.platform.startswith("linux"):
        sys.stderr.write(f"Binder runs Python {python()} on Linux, this is {here} on {sys.platform}.\n")
        return 1
    before = pinned() if FILE.is_file() else {}
    try:
        after = newest()
    except PinsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    FILE.write_text(written(after), encoding="utf-8")
    sys.stdout.write("".join(f"{line}\n" for line in changes(before, after)) or "Nothing is newer.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
