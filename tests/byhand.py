"""Requests and kernel messages as somebody sends them who has no browser."""

from __future__ import annotations

import http.client
import json
import re
import struct
import urllib.parse
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

V1 = "v1.kernel.websocket.jupyter.org"
Answer = tuple[int, dict[str, str], str]


def ask(address: str, path: str, method: str = "GET", **headers: str) -> Answer:
    """Send exactly this path, which a browser would tidy up first; return status, headers and text."""
    found = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection(found.hostname or "", found.port, timeout=30)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode(errors="replace")
    finally:
        connection.close()


def kernel_of(page: str) -> str:
    found = re.search(r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', page, re.S)
    assert found
    return str(json.loads(found[1])["kernelId"])


def header(kind: str) -> dict[str, str]:
    return {
        "msg_id": uuid4().hex, "msg_type": kind, "session": "by-hand", "username": "", "version": "5.3",
        "date": "2026-01-01T00:00:00Z",
    }  # fmt: skip


def message(kind: str, content: Any, channel: str = "shell", old: bool = True) -> str | bytes:
    """A message in the old form, as JSON, or in the one that browsers use."""
    parts = [header(kind), {}, {"version": "1.0.0"}, content]
    if old:
        return json.dumps(dict(zip(("header", "parent_header", "metadata", "content"), parts, strict=True)) | {"channel": channel, "buffers": []})  # fmt: skip
    packed = [channel.encode(), *(json.dumps(part).encode() for part in parts)]
    offsets = [8 * (len(packed) + 2)]
    for part in packed:
        offsets.append(offsets[-1] + len(part))
    return struct.pack(f"<{len(offsets) + 1}Q", len(offsets), *offsets) + b"".join(packed)


@dataclass
class Wire:
    """A websocket to a kernel, spoken to by hand, in the old form or the one that browsers use."""

    socket: Any
    old: bool

    def send(self, kind: str, content: Any, channel: str = "shell") -> None:
        self.socket.send(message(kind, content, channel, self.old))

    def said(self) -> str:
        """Everything that the kernel says until it has answered a question that it does answer."""
        asked = message("kernel_info_request", {}, "shell", self.old)
        number = re.search(r'"msg_id": "(\w+)"', asked if isinstance(asked, str) else asked.decode(errors="replace"))
        assert number
        self.socket.send(asked)
        said, ended = "", set()
        while len(ended) < 2:
            found = self.socket.recv(timeout=20)
            text = found if isinstance(found, str) else found.decode(errors="replace")
            said += "\n" + text
            # the answer, and that the kernel is idle again: they come in two streams
            ended |= {word for word in ("kernel_info_reply", '"idle"') if word in text and number[1] in text}
        return said
