"""The Pythons on this machine, by their version."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13")


def _candidates(version: str) -> Iterator[Path | str]:
    if version == "{}.{}".format(*sys.version_info):
        yield sys.executable
    yield from filter(None, [shutil.which(f"python{version}")])
    # pyenv keeps them out of the way of those that did not ask for one
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(root.glob(f"versions/{version}.*/bin/python"))


def find(version: str) -> str | None:
    """Return the path of a Python of this `version`, such as "3.12", that can make environments; None if there is none."""
    for path in _candidates(version):
        try:
            code = "import ensurepip, sys, venv; print('{}.{}'.format(*sys.version_info))"
            done = subprocess.run([path, "-c", code], capture_output=True, text=True, timeout=60)
        except OSError:
            continue
        if done.returncode == 0 and done.stdout.strip() == version:
            return str(path)
    return None
