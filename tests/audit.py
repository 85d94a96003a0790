"""Ask pip-audit for known weaknesses of all that the lessons need; run as `poe audit`.

It fails for a weakness that is known, and only then. Where nobody answers it says “not audited”.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pins

SECONDS = 60


class Audit(NamedTuple):
    """What is known: packages that were looked up, sentences about weak ones, and why others were not looked up."""

    audited: int
    weak: list[str]
    not_audited: str

    def __str__(self) -> str:
        told = [f"{self.audited} packages audited, {len(self.weak)} weaknesses known."] if self.audited else []
        return "\n".join([*told, *self.weak, *([f"Not audited: {self.not_audited}"] if self.not_audited else [])])


def judged(answer: str) -> Audit:
    """Return what the JSON that pip-audit wrote says. It calls what it could not look up “skipped”, not wrong."""
    try:
        packages = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Audit(0, [], "pip-audit had no answer.")
    weak = [
        f"{one['name']} {one['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'no version yet'}"
        for one in packages
        for flaw in one.get("vulns", ())
    ]
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    why = f"nothing is known of {', '.join(skipped)}." if skipped else ""
    return Audit(len(packages) - len(skipped), weak, why)


def ask(versions: Mapping[str, str], seconds: float) -> Audit:
    """Return what pip-audit says of these `versions`, within `seconds`."""
    if importlib.util.find_spec("pip_audit") is None:
        return Audit(0, [], "pip-audit is not installed.")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "requirements.txt")
        file.write_text("".join(f"{name}=={version}\n" for name, version in versions.items()), encoding="utf-8")
        # what it says beside its answer can be taken for no answer at all
        options = ["--format", "json", "--no-deps", "--disable-pip", "--progress-spinner", "off", "--timeout", "10"]
        command = [sys.executable, "-m", "pip_audit", *options, "--cache-dir", folder, "-r", str(file)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=max(seconds, 0))
        except subprocess.TimeoutExpired:
            return Audit(0, [], "the advisory service did not answer in time.")
    return judged(done.stdout)


def audit(seconds: float = SECONDS) -> Audit:
    """Return what is known of the pinned packages. One is asked for first: where that has no answer, none has."""
    end = time.monotonic() + seconds
    every = pins.pinned()
    first = ask({"ipywidgets": every["ipywidgets"]}, seconds)
    return ask(every, end - time.monotonic()) if first.audited else first


def main() -> int:
    """Tell what is known."""
    found = audit()
    sys.stdout.write(f"{found}\n")
    return 1 if found.weak else 0


if __name__ == "__main__":
    sys.exit(main())
