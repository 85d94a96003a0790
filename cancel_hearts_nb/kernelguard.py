"""What the kernels of lessons take from a browser: the messages of widgets, and nothing that runs what somebody wrote.

Voilà shows what a notebook's author wrote; its page talks to the kernel about widgets alone. Whoever sends other
messages by hand is not answered. JupyterLab on the same server starts kernels of its own, which work as ever.
"""

from __future__ import annotations

import itertools
import json
import struct
from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

ALLOWED = ("comm_open", "comm_close", "comm_msg", "comm_info_request", "kernel_info_request")
_NEW = "v1.kernel.websocket.jupyter.org"
_MOST_PARTS = 1000
# a widget that a page makes would be of a class that it names; ours are all made by the kernel
_TARGETS = ("jupyter.widget.control",)
MOST_BYTES = 4_000_000
"""The longest message: a record file of the longest allowed length, as JSON."""


class GuardedConnection(ZMQChannelsWebsocketConnection):
    """A page's connection to its kernel that passes on what widgets need, if it was Voilà that started the kernel."""

    def handle_incoming_message(self, incoming_msg: Any) -> None:
        """Pass `incoming_msg` on to the kernel, unless it has no business there."""
        if self.is_guarded() and not acceptable(incoming_msg, self.subprotocol):
            self.log.warning("refused a message that no widget sends")
            return
        super().handle_incoming_message(incoming_msg)

    def is_guarded(self) -> bool:
        """Return whether this kernel is one that Voilà started: it tells each of them so in its environment."""
        arguments = self.kernel_manager._launch_args or {}
        return "VOILA_PREHEAT" in (arguments.get("env") or {})


class StrictConnection(GuardedConnection):
    """The same where every kernel is a lesson's."""

    def is_guarded(self) -> bool:
        """Return True."""
        return True


def acceptable(message: str | bytes, subprotocol: str | None) -> bool:
    """Return whether `message`, as it came over a websocket that speaks `subprotocol`, is one that widgets send.

    >>> acceptable('{"header": {"msg_type": "comm_msg"}, "content": {}}', None)
    True
    >>> acceptable('{"header": {"msg_type": "execute_request"}, "content": {"code": "1"}}', None)
    False
    """
    try:
        header, content = _parts(message, subprotocol)
        kind = header["msg_type"]
        return kind in ALLOWED and (kind != "comm_open" or content["target_name"] in _TARGETS)
    # whatever cannot be read, or is nested deeper than can be followed
    except Exception:
        return False


def _parts(message: str | bytes, subprotocol: str | None) -> tuple[Any, Any]:
    if len(message) > MOST_BYTES:
        raise ValueError
    if isinstance(message, str) and subprotocol != _NEW:
        given = json.loads(message)
        return given["header"], given["content"]
    offsets = _offsets(message, *((8, "<Q") if subprotocol == _NEW else (4, ">I")))  # type: ignore[arg-type]
    if subprotocol != _NEW:
        given = json.loads(message[slice(*[*offsets, None][:2])])
        return given["header"], given["content"]
    parts = [message[start:end] for start, end in itertools.pairwise(offsets)]
    # the channel, then header, parent header, metadata and content
    return json.loads(parts[1]), json.loads(parts[4])


def _offsets(message: bytes, width: int, form: str) -> list[int]:
    # their number comes first, and whoever believes a huge one counts for ever
    size = min(len(message) // width, _MOST_PARTS) * width
    number, *rest = [one[0] for one in struct.iter_unpack(form, message[:size])]
    found = rest[:number]
    if len(found) != number or sorted(found) != found or found[-1] > len(message):
        raise ValueError
    return found
