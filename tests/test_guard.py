"""What somebody gets who does not come with a browser: messages and requests sent by hand to a server of lessons."""

from __future__ import annotations

import re
import shutil
import socket
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import nbformat
import pytest
from byhand import V1, Answer, Wire, ask, kernel_of, message
from servers import Served

from cancel_hearts_nb import kernelguard, resources, voilasettings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(voila: Served) -> Answer:
    """The page of a notebook with one widget and, after a cell that fails, more text."""
    made = nbformat.v4.new_notebook()
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made.cells = [
        nbformat.v4.new_markdown_cell("# A page"),
        nbformat.v4.new_code_cell("from cancel_hearts_nb import score_sheet\nscore_sheet()"),
        nbformat.v4.new_code_cell("secret = 'cGxhaW4'\nraise ValueError('the planted fault')"),
        nbformat.v4.new_markdown_cell("What stands below."),
    ]
    nbformat.write(made, voila.folder / "guarded.ipynb")
    (voila.folder / "images").mkdir(exist_ok=True)
    shutil.copy(resources.path("notebooks") / "images" / "table.png", voila.folder / "images")
    for name in ("private.toml", "tool.py", "other.png", ".hidden.png", "voila.json"):
        (voila.folder / name).write_text("{}")
    return ask(voila.address, "/voila/render/guarded.ipynb")


@pytest.fixture(scope="module")
def connect(voila: Served, page: Answer) -> Iterator[Callable[..., Wire]]:
    """A function that opens a websocket to the page's kernel."""
    from websockets.sync.client import connect

    place = f"{voila.address.replace('http', 'ws')}/api/kernels/{kernel_of(page[2])}/channels?session_id="
    with ExitStack() as opened:

        def start(old: bool = True) -> Wire:
            line = connect(
                place + uuid4().hex, subprotocols=None if old else [V1], open_timeout=20, max_size=None, max_queue=None
            )  # fmt: skip
            return Wire(opened.enter_context(line), old)

        yield start


REFUSED = {
    "execute_request": {"code": "open('by_hand', 'w')", "silent": False, "store_history": False, "user_expressions": {}, "allow_stdin": False},
    "complete_request": {"code": "secr", "cursor_pos": 4},
    "inspect_request": {"code": "secret", "cursor_pos": 6, "detail_level": 1},
    "history_request": {"output": True, "raw": True, "hist_access_type": "tail", "n": 9},
    "is_complete_request": {"code": "1"},
    "debug_request": {"type": "request", "seq": 1, "command": "debugInfo"},
    "shutdown_request": {"restart": False},
    "interrupt_request": {},
    "input_reply": {"value": "x"},
    "create_subshell_request": {},
    "comm_open": {"comm_id": "1", "target_name": "jupyter.widget", "data": {"state": {"_model_module": "@jupyter-widgets/controls", "_model_name": "TextModel"}}},
}  # fmt: skip


@pytest.mark.parametrize("old", [True, False], ids=["old", "v1"])
def test_only_what_widgets_send_reaches_the_kernel(voila: Served, connect: Callable[..., Wire], old: bool) -> None:
    wire = connect(old)
    for kind, content in REFUSED.items():
        for channel in ("shell", "control"):
            wire.send(kind, content, channel)
    said = wire.said()
    answers = set(re.findall(r"[a-z_]+_reply|execute_input|comm_\w+|debug_event|error", said))
    assert answers == {"kernel_info_reply"}
    assert "cGxhaW4" not in said
    assert not (voila.folder / "by_hand").exists()


def test_the_widgets_of_the_page_are_answered(connect: Callable[..., Wire]) -> None:
    """Without this the test above could hold because nothing is answered at all."""
    wire = connect()
    wire.send("comm_open", {"comm_id": "7", "target_name": "jupyter.widget.control", "data": {}, "target_module": None})
    wire.send("comm_msg", {"comm_id": "7", "data": {"method": "request_states"}})
    assert '"update_states"' in wire.said()


@pytest.mark.parametrize(
    "strange",
    [
        "", "{", "[]", "null", '{"header": null}', '{"header": {"msg_type": ["execute_request"]}, "content": {}}',
        '{"header": {"msg_type": "comm_msg"}, "content": ' + "[" * 100_000 + "]" * 100_000 + "}",
        b"", b"\x00" * 40, b"\xff" * 40, message("execute_request", {"code": "1"}, old=False), b"\x00\x00\x00\x01" + b"{" * 50,
        b"\x7f" + b"\xff" * 8, b"\xff" * 7 + b"\x0f" + b"\x00" * 80,
    ],
    ids=lambda one: repr(one[:12]),
)  # fmt: skip
def test_what_cannot_be_read_is_refused_and_the_connection_lives(connect: Callable[..., Wire], strange: Any) -> None:
    for old in (True, False):
        assert not kernelguard.acceptable(strange, None if old else V1)
        wire = connect(old)
        wire.socket.send(strange)
        assert "kernel_info_reply" in wire.said()


def test_a_message_longer_than_any_of_ours_ends_the_connection(connect: Callable[..., Wire]) -> None:
    from websockets.exceptions import ConnectionClosed

    wire = connect()
    wire.send("comm_msg", {"comm_id": "none", "data": "x" * (kernelguard.MOST_BYTES // 2)})
    assert "kernel_info_reply" in wire.said()

    def too_much() -> None:
        wire.send("comm_msg", {"comm_id": "none", "data": "x" * kernelguard.MOST_BYTES})
        wire.said()

    with pytest.raises((ConnectionClosed, OSError)):
        too_much()


def test_a_message_says_what_it_is_in_one_way_only() -> None:
    """What the guard reads is what the kernel reads, also where a name stands twice."""
    assert kernelguard.acceptable(message("comm_msg", {"comm_id": "1", "data": {}}), None)
    assert kernelguard.acceptable(message("comm_msg", {"comm_id": "1", "data": {}}, old=False), V1)
    twice = '{"header": {"msg_type": "comm_msg", "msg_type": "execute_request"}, "content": {}}'
    assert not kernelguard.acceptable(twice, None)


@pytest.mark.parametrize(
    "path",
    [
        "/api/kernels", "/api/kernelspecs", "/api/contents", "/api/contents/private.toml", "/api/sessions", "/api/terminals",
        "/api/config/common", "/api/status", "/api/spec.yaml", "/files/private.toml", "/view/tool.py", "/lab", "/tree",
        "/nbconvert/html/guarded.ipynb", "/login", "/logout", "/voila/api/contents/", "/voila/api/contents/private.toml",
        "/voila/execution/00000000-0000-0000-0000-000000000000",
    ],
)  # fmt: skip
def test_nothing_but_lessons_is_there(voila: Served, page: Answer, path: str) -> None:
    for method in ("GET", "POST", "DELETE", "PUT"):
        status, _, text = ask(voila.address, path, method)
        assert status in (404, 405), (method, text)
        assert "There is no such page here." in text


@pytest.mark.parametrize(
    "path",
    [
        "private.toml", "tool.py", "guarded.ipynb", "other.png", ".hidden.png", "voila.json", "images/../private.toml",
        "images/..%2fprivate.toml", "../log", "%2e%2e/log", "../../../../etc/passwd", "//etc/passwd", "images/%00.png",
        "..%5clog", "images/table.png/../../../log",
    ],
)  # fmt: skip
def test_no_file_but_the_pictures_is_served(voila: Served, page: Answer, path: str) -> None:
    for start in ("/voila/files/", "/voila/static/", "/voila/templates/cancel_hearts/static/", "/voila/labextensions/",
                  "/voila/api/themes/"):  # fmt: skip
        status, _, text = ask(voila.address, start + path)
        assert status in (400, 403, 404, 500), start
        assert "root:" not in text
        assert text != "{}"


def test_the_pictures_of_the_lessons_are_served(voila: Served, page: Answer) -> None:
    assert ask(voila.address, "/voila/files/images/table.png")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "private.toml",
        "../log",
        "../files/private.toml",
        "nowhere.ipynb",
        "..%2fnowhere.ipynb",
        ".hidden.ipynb",
        "%00.ipynb",
        "a%2f..%2f..%2fb.ipynb",
    ],
)
def test_no_page_is_made_of_other_files(voila: Served, page: Answer, path: str) -> None:
    status, headers, text = ask(voila.address, f"/voila/render/{path}")
    if status == 302:
        status, headers, text = ask(voila.address, headers["Location"])
    assert status in (403, 404)
    assert "Traceback" not in text
    assert str(voila.folder) not in text


def test_a_cell_that_fails_says_a_sentence_and_the_rest_is_shown(voila: Served, page: Answer) -> None:
    status, _, text = page
    assert status == 200
    assert voilasettings.FAILED in text
    assert "What stands below." in text
    for word in ("planted", "ValueError", "Traceback", "ExecutionError", "secret ="):
        assert word not in text
    # whoever runs the server is told
    assert "the planted fault" in (voila.folder.parent / "log").read_text(errors="replace")


EVIL = '"><img src=x onerror=alert(1)>'


def test_an_address_changes_neither_template_nor_theme(voila: Served, page: Answer) -> None:
    for query in ("template=lab&theme=" + urllib.parse.quote(EVIL), "theme=dark&template=" + urllib.parse.quote(EVIL)):
        status, _, text = ask(voila.address, f"/voila/render/guarded.ipynb?{query}")
        assert status == 200
        assert 'http-equiv="Content-Security-Policy"' in text
        assert "onerror" not in text
        assert "://" not in re.sub(r"<script (id|type)=.*?</script>", "", text, flags=re.S)


def test_what_is_asked_for_is_not_written_into_the_answer(voila: Served, page: Answer) -> None:
    for path in (urllib.parse.quote(EVIL), "voila/render/" + urllib.parse.quote(EVIL) + ".ipynb", "voila/tree/" + urllib.parse.quote(EVIL)):  # fmt: skip
        status, headers, text = ask(voila.address, f"/{path}?classic-tree=false&{urllib.parse.quote(EVIL)}")
        assert status == 404
        assert "onerror" not in text
        assert "script-src 'self' blob:" in headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "lessons<b>"])
def test_another_name_is_refused_whatever_is_asked(voila: Served, page: Answer, name: str) -> None:
    for path in ("/", "/voila/render/guarded.ipynb", "/voila/static/voila.js", "/voila/files/images/table.png", f"/api/kernels/{kernel_of(page[2])}"):  # fmt: skip
        status, _, text = ask(voila.address, path, Host=name)
        assert status == 421 if "<" not in name else status in (400, 421)
        assert "<b>" not in text
        if status == 421:
            assert "do not answer under the name" in text
    for fine in ("localhost", "127.0.0.1:1", "192.0.2.7:8866", "[::1]:8866"):
        assert ask(voila.address, "/", Host=fine)[0] == 200


def test_a_page_of_another_server_gets_no_websocket(voila: Served, page: Answer) -> None:
    headers = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "x3JJHMbDL1EzLkh9GBhXDw==",
        "Sec-WebSocket-Version": "13",
    }  # fmt: skip
    path = f"/api/kernels/{kernel_of(page[2])}/channels"
    assert ask(voila.address, path, Origin="http://evil.example", **headers)[0] == 403


def test_a_request_with_a_long_body_is_refused(voila: Served) -> None:
    host, _, port = voila.address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), 30) as line:
        line.sendall(b"POST /voila/api/shutdown/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000000\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 400")


def test_nobodys_own_configuration_changes_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cancel_hearts_nb.voilaserver import Lessons

    (tmp_path / "voila.json").write_text('{"VoilaConfiguration": {"show_tracebacks": true, "template": "lab"}}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_PATH", "")
    monkeypatch.setattr("signal.signal", lambda *args: None)
    made = Lessons()
    made.initialize([])
    assert not made.voila_configuration.show_tracebacks
    assert made.voila_configuration.template == voilasettings.TEMPLATE
