"""Voilà as a program of its own, for lessons alone: `python -m cancel_hearts_nb.voilaserver`, which `serve` starts."""

from __future__ import annotations

import contextlib
import functools
import random
import re
import socket
from typing import Any

from jupyter_client.connect import LocalPortCache
from tornado.web import HTTPError, RedirectHandler, RequestHandler
from traitlets import Int, Unicode, default
from voila.app import Voila
from voila.tornado.contentshandler import VoilaContentsHandler
from voila.tornado.handler import TornadoVoilaHandler

from . import kernelguard, voilarenderer, voilasettings
from .i18n import chosen
from .messages import N_

MOST_BODY = 100_000
# connections begin above: at 32768 under Linux, at 49152 elsewhere
_KERNEL_PORTS, _TRIES = range(20_000, 32_768), 500
# Under the bare address of a machine no page of somebody else can pretend to be this server; under a name it can
_ADDRESSES = r"[\d.]+|\[[\da-f:.]+\]|localhost"
_OTHER_NAME = N_("The lessons do not answer under the name “%(name)s”. If it is right, start them with: %(command)s")


class Lessons(Voila):  # type: ignore[misc]
    """Voilà with the settings of the lessons, which nobody's own configuration changes, and only what they need."""

    # a name under which others reach this server, beside its addresses; how many kernels wait for players
    hostname = Unicode("", config=True)
    preheat = Int(0, config=True)

    @default("config_file_paths")
    def _no_files(self) -> list[str]:
        return []

    def initialize(self, argv: Any = None) -> None:
        """Take the settings of the lessons, then what stands on the command line."""
        voilasettings.find_template()
        voilarenderer.use()
        # the first one that is made serves the whole process
        KernelPorts.instance()
        self.words = chosen().words
        for name, traits in voilasettings.settings(self.words).items():
            self.config[name].update(traits)
        self.kernel_websocket_connection_class = kernelguard.StrictConnection
        super().initialize(argv)
        if self.preheat:
            self.voila_configuration.preheat_kernel = True
            pools = {"default": {"pool_size": 0}, voilasettings.PLAYING_PAGE: {"pool_size": self.preheat}}
            self.config["VoilaKernelManager"]["kernel_pools_config"] = pools

    def init_settings(self) -> Any:
        """Return Voilà's settings with limits and headers of ours."""
        found = super().init_settings()
        self.kernel_manager.allowed_message_types = list(kernelguard.ALLOWED)
        texts = voilasettings.texts(self.words)
        return {
            **found,
            "headers": {
                "Content-Security-Policy": f"{voilasettings.POLICY}; frame-ancestors 'self'",
                "Referrer-Policy": "same-origin",
            },
            "jinja_template_vars": {"chnb": texts},
            "websocket_max_message_size": kernelguard.MOST_BYTES,
            "default_handler_class": Missing,
        }

    def init_handlers(self) -> Any:
        """Answer under the names that are ours alone, with what a page of a lesson asks for."""
        dispensable = (VoilaContentsHandler, *(handler for _, handler in self.identity_provider.get_handlers()))
        handlers = [
            (pattern, Lesson if handler is TornadoVoilaHandler else handler, *rest)
            for pattern, handler, *rest in super().init_handlers()
            if handler not in dispensable
        ]
        if self.base_url != "/":
            # somebody who types the address leaves out its last slash
            handlers.append((re.escape(self.base_url.rstrip("/")), RedirectHandler, {"url": self.base_url}))
        names = "|".join(filter(None, (_ADDRESSES, re.escape(self.hostname.lower()))))
        self.app.add_handlers(f"(?:{names})$", [*handlers, (r".*", Missing)])
        return [(r".*", OtherName)]

    def listen(self) -> None:
        """Listen, for requests that are no longer than any of ours."""
        self.app.listen = functools.partial(self.app.listen, max_body_size=MOST_BODY)
        super().listen()


class KernelPorts(LocalPortCache):
    """Finds ports for kernels where no system takes one for the near end of a connection.

    A kernel begins to listen a while after its ports were found. Of thirty that start at once every now and then one
    met a connection of another at its port, and died.
    """

    def find_available_port(self, ip: str) -> int:
        """Return a port at `ip` that nobody uses and that was given to no other kernel."""
        for _ in range(_TRIES):
            # a server that starts at the same time draws other ones
            port = random.choice(_KERNEL_PORTS)
            if port not in self.currently_used_ports:
                with contextlib.suppress(OSError), socket.socket() as probe:
                    probe.bind((ip, port))
                    self.currently_used_ports.add(port)
                    return port
        return int(super().find_available_port(ip))


class Lesson(TornadoVoilaHandler):  # type: ignore[misc]
    """Shows a lesson, and gives its page the cookie without which it could not free its kernel when it is closed."""

    async def get(self, path: str | None = None) -> None:
        """Answer with the page of the notebook at `path`. Raises HTTPError."""
        assert self.xsrf_token
        # of a path that no folder can have an exception would come further on
        if path and ("\0" in path or ".." in path.split("/")):
            raise HTTPError(404)
        await super().get(path)


class Missing(RequestHandler):
    """Says that there is no such page."""

    status, page = 404, "404.html"

    def prepare(self) -> None:
        """Answer whatever was asked for."""
        self.set_status(self.status)
        template = self.settings["voila_jinja2_env"].get_template("error.html")
        texts = self.settings["jinja_template_vars"]["chnb"]
        self.finish(template.render(chnb={**texts, "missing": self.sentence()}, base_url=self.settings["base_url"], status_code=404))  # fmt: skip

    def set_default_headers(self) -> None:
        """Set the headers of every page here."""
        for name, value in self.settings["headers"].items():
            self.set_header(name, value)

    def sentence(self) -> str:
        """Return what is said to the reader."""
        return str(self.settings["jinja_template_vars"]["chnb"]["missing"])


class OtherName(Missing):
    """Says that this server is none of that name."""

    status = 421

    def sentence(self) -> str:
        """Return what is said to the reader."""
        name = self.request.host_name[:80]
        w = self.settings["voila"].words
        return str(w.text(_OTHER_NAME, name=name, command=f"cancel-hearts --hostname {name}"))


if __name__ == "__main__":
    Lessons.launch_instance()
