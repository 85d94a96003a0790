"""Style and types, as part of the tests: what `poe lint` and `poe types` check."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
@pytest.mark.parametrize("command", ["ruff check", "ruff format --check", "mypy"])
def test_the_code_passes(command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}:\n{(done.stdout + done.stderr)[-3000:]}"
