"""The dashboard: Voilà, started on the lessons as a program of its own, watched and stopped.

Voilà runs in the folder of the notebooks, wherever the package is installed, so nothing is copied anywhere. It listens
on this machine alone unless told otherwise; how it shows the lessons, `voilasettings` says.
"""

from __future__ import annotations

import contextlib
import errno
import http.client
import importlib.util
import io
import ipaddress
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import resources
from .i18n import VARIABLE, Words
from .messages import N_, Problem
from .voilasettings import FIRST_PAGE

PORT = 8866
_PORTS_TRIED = 50
_MOST_PATH, _MOST_NAME = 200, 253
MOST_PREHEATED = 40
_START_SECONDS = 60.0
_STOP_SECONDS = 10.0
# Each kernel says this of the connection inside this machine, which players can do nothing about
_NOISE = (b"Kernel is running over TCP without encryption", b"websocket_ping_")


class ServeError(Problem):
    """The dashboard cannot be started."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the lessons are served: at address `ip` and `port`, below `path`, also under `name`; `preheat` kernels wait.

    `ip` "127.0.0.1" is this machine alone; `path` begins and ends with a slash; `name` is "" without a proxy.
    """

    ip: str = "127.0.0.1"
    port: int = PORT
    path: str = "/"
    name: str = ""
    preheat: int = 0

    @property
    def host(self) -> str:
        """The address under which a browser on this machine reaches it: “every address” is for listening alone."""
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self.ip, self.ip)
        return f"[{host}]" if ":" in host else host

    @property
    def root(self) -> str:
        """The address of the list of lessons.

        >>> Place("::", 80, "/hearts/").root
        'http://[::1]:80/hearts/'
        """
        return f"http://{self.host}:{self.port}{self.path}"

    @property
    def is_open(self) -> bool:
        """Whether others can reach it.

        >>> Place().is_open, Place("localhost").is_open, Place("0.0.0.0").is_open
        (False, False, True)
        """
        try:
            return not ipaddress.ip_address(self.ip or "0.0.0.0").is_loopback
        except ValueError:
            return self.ip != "localhost"


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
        raise _no_address(ip) from None
    return True


def path(given: str) -> str:
    """Return `given`, the path below which the lessons are, with a slash at both ends. Raises ServeError.

    >>> path("some/path")
    '/some/path/'
    """
    # browsers take a part “.” out of an address
    parts = [part for part in given.split("/") if part]
    if not re.fullmatch(r"[\w~./-]*", given, re.ASCII) or ".." in given or "." in parts or len(given) > _MOST_PATH:
        raise ServeError(
            N_("“%(given)s” cannot be a path of the lessons. One is like this: /hearts/"), given=given[:60]
        )
    return "/" + "".join(f"{part}/" for part in parts)


def listening(given: str) -> str:
    """Return the address that `given`, itself an address or a name of this machine, stands for. Raises ServeError.

    >>> listening("127.1"), listening("localhost")
    ('127.0.0.1', 'localhost')
    """
    if given == "localhost":
        return given
    try:
        return str(socket.getaddrinfo(given, None, type=socket.SOCK_STREAM)[0][4][0])
    except (OSError, UnicodeError):
        raise _no_address(given) from None


def _no_address(ip: str) -> ServeError:
    return ServeError(N_("This machine has no address “%(ip)s” to listen on."), ip=ip[:60])


def name(given: str) -> str:
    """Return `given`, the name of a machine in the network. Raises ServeError.

    >>> name("lessons.example.org")
    'lessons.example.org'
    """
    if not re.fullmatch(r"[a-z\d]([a-z\d.-]*[a-z\d])?", given, re.ASCII | re.IGNORECASE) or len(given) > _MOST_NAME:
        raise ServeError(
            N_("“%(given)s” cannot be the name of a machine. One is like this: lessons.example.org"), given=given[:60]
        )
    return given


def own_address() -> str:
    """Return the address under which others in this network reach this machine. Raises ServeError when it has none.

    Nothing is sent: only the way out is looked up, to an address that is reserved for examples (RFC 5737).
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found = str(probe.getsockname()[0])
        except OSError:
            found = "0.0.0.0"
    address = ipaddress.ip_address(found)
    if address.is_loopback or address.is_unspecified:
        raise ServeError(N_("This machine is in no network, so no class can reach it. Connect it to one first."))
    return found


def command(place: Place) -> list[str]:
    """Return the command that serves the notebooks of its working folder at `place`.

    >>> command(Place(port=8866))[1:3]
    ['-m', 'cancel_hearts_nb.voilaserver']
    """
    return [
        sys.executable, "-m", "cancel_hearts_nb.voilaserver", "--no-browser",
        f"--Voila.ip={place.ip}",
        f"--Voila.port={place.port}",
        "--Voila.port_retries=0",
        "--Voila.log_level=ERROR",
        f"--Voila.base_url={place.path}",
        f"--Lessons.hostname={place.name}",
        f"--Lessons.preheat={place.preheat}",
    ]  # fmt: skip


def address(place: Place, folder: Path) -> str:
    """Return the address of the first lesson in `folder`, as a browser on this machine reaches it.

    >>> address(Place("0.0.0.0", 8866), Path("nowhere"))
    'http://127.0.0.1:8866/'
    """
    return place.root + (f"voila/render/{FIRST_PAGE}" if (folder / FIRST_PAGE).is_file() else "")


def picture(text: str) -> str:
    """Return `text` as a QR code of block letters for a terminal, or "" where segno is not installed.

    >>> len(picture("http://192.0.2.7:8866/").splitlines()) > 10
    True
    """
    try:
        import segno
    except ImportError:
        return ""
    out = io.StringIO()
    segno.make(text, micro=False).terminal(out, compact=True)
    return out.getvalue()


def run(place: Place, browser: bool, w: Words, say: Callable[[str], None]) -> None:
    """Serve the lessons until the user or a signal stops it, telling `say` what happens. Raises ServeError.

    The tables of the lessons speak the language of `w`: their kernels find it in the environment (`i18n.VARIABLE`).
    """
    if not available():
        raise ServeError(
            N_("The dashboard needs more packages. Install them with: %(command)s"),
            command="pip install 'cancel_hearts_nb[course]'",
        )
    folder = resources.path("notebooks")
    wanted = place.port
    place = replace(place, port=free_port(place.ip, wanted))
    if place.port != wanted:
        say(
            w.text(N_("Port %(wanted)d is taken, so the lessons are at port %(port)d."), wanted=wanted, port=place.port)
        )
    with _stopped_by_signals(), _server(folder, place, w) as server:
        _wait(server, place)
        for line in told(place, folder, w):
            say(line)
        if browser:
            # without any browser on the machine this returns False, and the address has been said
            webbrowser.open(address(place, folder))
        code = server.wait()
        raise ServeError(N_("Voilà has stopped by itself (exit code %(code)d); see its message above."), code=code)


def told(place: Place, folder: Path, w: Words) -> Iterator[str]:
    """Yield what is said once the lessons in `folder` are served at `place`; where others can reach them, a QR code too."""
    first = address(place, folder)
    yield w.text(N_("The lessons are open. Their address is %(address)s"), address=first)
    if place.is_open:
        if place.ip == place.host:
            yield w.text(
                N_("For a class: %(address)s or this picture, which a phone’s camera reads:"), address=place.root
            )
            yield picture(place.root)
        yield w.text(N_("Anyone in this network can open them, without a password, as long as this command runs."))
    yield w.text(N_("Press Ctrl-C to stop."))


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
def serving(folder: Path, w: Words) -> Iterator[Place]:
    """Serve the notebooks of `folder` to this machine alone until the block ends; gives the place. Raises ServeError."""
    place = Place(port=free_port("127.0.0.1", PORT + 100))
    with _server(folder, place, w) as server:
        _wait(server, place)
        yield place


@contextlib.contextmanager
def _server(folder: Path, place: Place, w: Words) -> Iterator[subprocess.Popen[bytes]]:
    # in a session of its own, a Ctrl-C in the terminal reaches us alone, and we stop it in order
    apart: dict[str, Any] = (
        {"start_new_session": True}
        if os.name == "posix"
        else {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    )
    # the kernel must be of this Python, not one that somebody once registered for their account; it speaks our language
    environment = {**os.environ, "JUPYTER_PREFER_ENV_PATH": "1", VARIABLE: w.language}
    # a kernel that waits for a player is told by Voilà, at this address, who came
    environment["VOILA_APP_IP"] = place.host
    server = subprocess.Popen(
        command(place), cwd=folder, env=environment,
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


def _wait(server: subprocess.Popen[bytes], place: Place) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        code = server.poll()
        if code is not None:
            raise ServeError(N_("Voilà could not be started (exit code %(code)d); see its message above."), code=code)
        connection = http.client.HTTPConnection(place.host.strip("[]"), place.port, timeout=5)
        try:
            connection.request("GET", place.path)
            if connection.getresponse().status == 200:
                return
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.1)
    raise ServeError(N_("Voilà did not answer within %(seconds)d seconds."), seconds=int(_START_SECONDS))
