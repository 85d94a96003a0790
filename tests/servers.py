"""Real servers of notebooks for the tests, started as a person would start them and stopped again."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

import psutil
import pytest

from cancel_hearts_nb import benchview, i18n, serve, voilasettings

# what a page or its console says when something in it is broken
BROKEN_PAGE = (
    "Failed to load model class", "No version of module", "There was an error", "Content Security Policy", voilasettings.FAILED,
)  # fmt: skip

# it would ask its maker about every form
BROWSER_ARGS = [*benchview.ARGS, "--disable-features=AutofillServerCommunication"]


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


def lessons(port: int) -> list[str]:
    """The command that serves the notebooks of its working folder as the dashboard does."""
    return serve.command(serve.Place(port=port))


def kernels(server: int, name: str = "ipykernel_launcher") -> list[psutil.Process]:
    """The running kernels of a server's process; with a name, the kernels of that id alone."""
    found = []
    for child in psutil.Process(server).children(recursive=True):
        # a server ends kernels and starts others at any time: one that is just going is none
        with contextlib.suppress(psutil.Error):
            if name in " ".join(child.cmdline()):
                found.append(child)
    return found


def kill_kernels(server: int, name: str = "ipykernel_launcher") -> None:
    """End a server's kernels as a fault would; fails where there are none."""
    found = kernels(server, name)
    assert found
    for kernel in found:
        with contextlib.suppress(psutil.NoSuchProcess):
            kernel.kill()
    _, alive = psutil.wait_procs(found, 60)
    assert not alive


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Link:
    """A line to a port of this machine that can be cut and mended, while both ends stay as they are."""

    def __init__(self, to: int) -> None:
        self._to, self._open = to, True
        self._ends: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *what: object) -> None:
        self.cut()
        self._door.close()

    def cut(self) -> None:
        """End all connections, and let none come to stand."""
        self._open = False
        while self._ends:
            end = self._ends.pop()
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def mend(self) -> None:
        self._open = True

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._door.accept()
                if not self._open:
                    here.close()
                    continue
                there = socket.create_connection(("127.0.0.1", self._to))
                self._ends += [here, there]
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    @staticmethod
    def _pass_on(one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
