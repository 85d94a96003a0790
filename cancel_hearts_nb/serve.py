"""The dashboard: Voilà, started on the lessons as a program of its own, watched and stopped.

Voilà runs in the folder of the notebooks, wherever the package is installed, so nothing is copied anywhere. It listens
on this machine alone unless told otherwise.
"""

from __future__ import annotations

import contextlib
import errno
import http.client
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from . import resources
from .i18n import VARIABLE, Words
from .messages import N_, Problem

PORT = 8866
FIRST_PAGE = "00_start_here.ipynb"
_PORTS_TRIED = 50
_START_SECONDS = 60.0
_STOP_SECONDS = 10.0
# A page may take a while to connect to its kernel. Kernels of closed tabs go after ten minutes; one that is busy or
# has a page never does (Jupyter's defaults for cull_busy and cull_connected).
_CULL_AFTER, _CULL_EVERY = 600, 60
# Each kernel says this of the connection inside this machine, which players can do nothing about
_NOISE = (b"Kernel is running over TCP without encryption", b"websocket_ping_")
_FAILED_CELL = N_("Please reload the page. If it happens again, tell whoever gave you this course what you did.")


class ServeError(Problem):
    """The dashboard cannot be started."""


def available() -> bool:
    """Return whether what the dashboard needs, the extra “course”, is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("voila", "ipykernel"))


def free_port(ip: str, wanted: int) -> int:
    """Return `wanted`, or the next port after it that nobody uses at `ip`. Raises ServeError.

    >>> 0 < free_port("127.0.0.1", 20000) < 65536
    True
    """
    for port in range(wanted, min(wanted + _PORTS_TRIED, 65536)):
        if _is_free(ip, port):
            return port
    raise ServeError(N_("Port %(port)d and those after it are taken. Choose another one with --port."), port=wanted)


def _is_free(ip: str, port: int) -> bool:
    try:
        places = socket.getaddrinfo(ip, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, place in places:
            with socket.socket(family, kind, protocol) as probe:
                if os.name == "posix":
                    # as the server does: a port that was only just left counts as free
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(place)
                probe.listen(1)
    except (OSError, UnicodeError) as error:
        code = getattr(error, "errno", None)
        if code == errno.EADDRINUSE:
            return False
        if code in (errno.EACCES, errno.EPERM):
            raise ServeError(
                N_("Port %(port)d may not be used by this account. Choose one above 1023."), port=port
            ) from None
        raise ServeError(N_("This machine has no address “%(ip)s” to listen on."), ip=ip[:60]) from None
    return True


def command(ip: str, port: int, w: Words) -> list[str]:
    """Return the command that serves the notebooks of its working folder at `ip` and `port`.

    >>> from .i18n import words
    >>> command("127.0.0.1", 8866, words())[1:3]
    ['-m', 'voila']
    """
    return [
        sys.executable, "-m", "voila", "--no-browser",
        f"--Voila.ip={ip}",
        f"--Voila.port={port}",
        "--Voila.port_retries=0",
        "--Voila.log_level=ERROR",
        f"--MappingKernelManager.cull_idle_timeout={_CULL_AFTER}",
        f"--MappingKernelManager.cull_interval={_CULL_EVERY}",
        "--VoilaConfiguration.strip_sources=True",
        "--VoilaConfiguration.show_tracebacks=False",
        f"--VoilaExecutor.cell_error_instruction={w.text(_FAILED_CELL)}",
    ]  # fmt: skip


def address(ip: str, port: int, folder: Path) -> str:
    """Return the address of the first lesson in `folder`, as a browser on this machine reaches it.

    >>> address("0.0.0.0", 8866, Path("nowhere"))
    'http://127.0.0.1:8866/'
    """
    host = _host(ip)
    page = f"voila/render/{FIRST_PAGE}" if (folder / FIRST_PAGE).is_file() else ""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/{page}"


def _host(ip: str) -> str:
    # “every address” is for listening; a browser needs one of them
    return {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(ip, ip)


def run(ip: str, wanted: int, browser: bool, w: Words, say: Callable[[str], None]) -> None:
    """Serve the lessons until the user or a signal stops it, telling `say` what happens. Raises ServeError.

    The tables of the lessons speak the language of `w`: their kernels find it in the environment (`i18n.VARIABLE`).
    """
    if not available():
        raise ServeError(
            N_("The dashboard needs more packages. Install them with: %(command)s"),
            command="pip install 'cancel_hearts_nb[course]'",
        )
    folder = resources.path("notebooks")
    port = free_port(ip, wanted)
    if port != wanted:
        say(w.text(N_("Port %(wanted)d is taken, so the lessons are at port %(port)d."), wanted=wanted, port=port))
    with _stopped_by_signals(), _server(folder, ip, port, w) as server:
        _wait(server, ip, port)
        place = address(ip, port, folder)
        say(w.text(N_("The lessons are open. Their address is %(address)s"), address=place))
        say(w.text(N_("Press Ctrl-C to stop.")))
        if browser:
            # without any browser on the machine this returns False, and the address has been said
            webbrowser.open(place)
        code = server.wait()
        raise ServeError(N_("Voilà has stopped by itself (exit code %(code)d); see its message above."), code=code)


class _Stop(BaseException):
    """Raised by a signal that asks to end."""


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Make Ctrl-C, a closed terminal and a polite kill all end the block quietly, so that Voilà is stopped with us."""
    stopping = False

    def stop(number: int, frame: Any) -> None:
        nonlocal stopping
        # a second signal must not break off the stopping that the first one began
        if not stopping:
            stopping = True
            raise _Stop

    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), stop) for name in names}
    try:
        yield
    except _Stop:
        pass
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


@contextlib.contextmanager
def _server(folder: Path, ip: str, port: int, w: Words) -> Iterator[subprocess.Popen[bytes]]:
    # in a session of its own, a Ctrl-C in the terminal reaches us alone, and we stop it in order
    apart: dict[str, Any] = (
        {"start_new_session": True}
        if os.name == "posix"
        else {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    )
    # the kernel must be of this Python, not one that somebody once registered for their account; it speaks our language
    environment = {**os.environ, "JUPYTER_PREFER_ENV_PATH": "1", VARIABLE: w.language}
    server = subprocess.Popen(
        command(ip, port, w), cwd=folder, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **apart,
    )  # fmt: skip
    messages = threading.Thread(target=_pass_on, args=(server.stderr,), daemon=True)
    messages.start()
    try:
        yield server
    finally:
        server.terminate()
        try:
            server.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        # what it said last must stand above what we say of it; a kernel that outlives it may keep the pipe open
        messages.join(2)


def _pass_on(messages: Any) -> None:
    for line in messages:
        if not any(noise in line for noise in _NOISE):
            sys.stderr.write(line.decode(errors="replace"))
            sys.stderr.flush()


def _wait(server: subprocess.Popen[bytes], ip: str, port: int) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        code = server.poll()
        if code is not None:
            raise ServeError(N_("Voilà could not be started (exit code %(code)d); see its message above."), code=code)
        connection = http.client.HTTPConnection(_host(ip), port, timeout=5)
        try:
            connection.request("GET", "/")
            if connection.getresponse().status == 200:
                return
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.1)
    raise ServeError(N_("Voilà did not answer within %(seconds)d seconds."), seconds=int(_START_SECONDS))
