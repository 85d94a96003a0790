"""Real servers of notebooks for the tests, started as a person would start them and stopped again."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from cancel_hearts_nb import i18n


class Served(NamedTuple):
    """A running server of notebooks: its address up to the port, the folder it serves, its settings, its process."""

    address: str
    folder: Path
    settings: Path
    process: subprocess.Popen[bytes]


@contextmanager
def serving(home: Path, command: Sequence[str], port: int, ask: str, env: Mapping[str, object]) -> Iterator[Served]:
    """Run a server until the block ends; everything it and its kernels read or write stands below `home`."""
    folder, settings, log = home / "notebooks", home / "settings", home / "log"
    settings.mkdir(exist_ok=True)
    own = {
        "JUPYTER_DATA_DIR": home / "data", "JUPYTER_CONFIG_DIR": home / "config", "JUPYTER_RUNTIME_DIR": home / "run",
        "IPYTHONDIR": home / "ipython", "PYTHONPATH": Path(i18n.__file__).parents[1], "JUPYTER_PREFER_ENV_PATH": "1", **env,
    }  # fmt: skip
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **{name: str(value) for name, value in own.items()}},
            stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(address + ask, timeout=5).read()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    pytest.fail(f"the server did not start: {' '.join(command)}\n{log.read_text(errors='replace')}")
                time.sleep(0.2)
        yield Served(address, folder, settings, process)
    finally:
        process.terminate()
        try:
            process.wait(20)  # it ends its kernels first
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
