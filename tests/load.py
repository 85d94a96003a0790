"""How a class of learners loads one server: `python tests/load.py`, on this machine alone, bounded in number and time.

Learners are HTTP and websocket clients: each gets the whole page, then plays one hand with the messages that the widget
sends. Beside them some real browser pages open. In turn the same is done with a notebook that says hello, on the same
Voilà, so that what is ours can be told from what is Voilà's. It is a command, not a test: times say nothing on a busy
machine. A small run in `tests/test_load.py` keeps it alive.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import psutil
import servers
from servers import Served, free_port, kernels, serving
from tornado.httpclient import AsyncHTTPClient
from tornado.websocket import websocket_connect

from cancel_hearts_nb import benchview, resources

LEARNERS, PAGES, ROUNDS = 30, 5, 2
MOST_LEARNERS, MOST_PAGES, MOST_ROUNDS = 40, 5, 3
SECONDS = 180
"""The longest that one round may take."""
OURS, HELLO = "07_play_a_hand.ipynb", "hello.ipynb"
WITHIN, MORE_MB = 1.3, 25
_FAILED = ("There was an error when executing cell", "This part of the page did not work")
_TWICE = "00ff"


@dataclass
class Found:
    """What was measured of one page: seconds and bytes, and what went wrong in words.

    `work` is the processor time of server and kernels for each page of a round: what else the machine does counts less.
    """

    page: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    hands: int = 0
    pss: list[int] = field(default_factory=list)
    rss: list[int] = field(default_factory=list)
    size: int = 0
    work: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Learner:
    """One client: a page, then its kernel's websocket."""

    def __init__(self, address: str, found: Found) -> None:
        self.address, self.found, self.session = address, found, uuid.uuid4().hex
        self.kernel = ""

    async def open(self, name: str) -> None:
        """Get the whole page and connect to its kernel."""
        begun = time.perf_counter()
        client = AsyncHTTPClient()
        got = await client.fetch(
            f"{self.address}/voila/render/{name}", request_timeout=SECONDS, connect_timeout=SECONDS
        )
        self.found.page.append(time.perf_counter() - begun)
        text = got.body.decode()
        self.found.size = len(got.body)
        self.found.errors += [bad for bad in _FAILED if bad in text]
        config = re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', text, re.DOTALL)
        assert config, "the page names no kernel"
        self.kernel = json.loads(config[1])["kernelId"]
        socket = f"ws{self.address.removeprefix('http')}/api/kernels/{self.kernel}/channels?session_id={self.session}"
        self.line = await websocket_connect(socket, max_message_size=50_000_000)
        await self.say("kernel_info_request", {})
        await self.hear(lambda kind, content: content if kind == "kernel_info_reply" else None)

    async def say(self, kind: str, content: dict[str, Any], **metadata: str) -> None:
        header = {
            "msg_id": uuid.uuid4().hex, "msg_type": kind, "session": self.session, "username": "", "version": "5.3",
            "date": "2000-01-01T00:00:00Z",
        }  # fmt: skip
        message = {"header": header, "parent_header": {}, "metadata": metadata, "content": content, "channel": "shell"}
        await self.line.write_message(json.dumps({**message, "buffers": []}))

    async def hear(self, wanted: Callable[[str, dict[str, Any]], Any]) -> Any:
        """Return the first thing that `wanted` makes of a message."""
        while True:
            got = await self.line.read_message()
            if got is None:
                raise ConnectionError("the websocket was closed")
            if isinstance(got, bytes):
                # a message with buffers: where its parts begin, then the first part as JSON
                start, end = (int.from_bytes(got[i : i + 4], "big") for i in (4, 8))
                got = got[start : end or None].decode()
            message = json.loads(got)
            found = wanted(message["header"]["msg_type"], message["content"])
            if found is not None:
                return found

    async def play(self, seed: int) -> None:
        """Sit down with the values that the form proposes, and play one hand."""
        control = uuid.uuid4().hex
        await self.say(
            "comm_open", {"comm_id": control, "target_name": "jupyter.widget.control", "data": {}}, version="1.0.0"
        )
        await self.say("comm_msg", {"comm_id": control, "data": {"method": "request_states"}})
        states = await self.hear(lambda kind, content: content.get("data", {}).get("states"))
        ((self.table, state),) = [(key, one["state"]) for key, one in states.items() if "form" in one["state"]]
        fields = {one["id"]: one["value"] for group in state["form"]["groups"] for one in group["fields"]}
        self.asked = state["play"]
        await self.act("start", values={**state["form"].get("kept", {}), **fields, "seed": str(seed)})
        while self.asked.get("on") and (ask := self.asked["ask"])["kind"] in ("pass", "play", "moon"):
            if ask["kind"] == "moon":
                await self.act("moon", choice=ask["choices"][0][0])
            else:
                await self.act(ask["kind"], cards=ask["legal"][: ask.get("count", 1)])
        assert self.asked.get("ask", {}).get("kind") in ("next", "over"), f"the hand stopped: {str(self.asked)[:200]}"
        self.found.hands += 1

    async def act(self, what: str, **more: Any) -> None:
        begun, mark = time.perf_counter(), uuid.uuid4().hex
        content = {"kind": "play", "do": what, "stamp": self.asked.get("stamp"), "id": mark, **more}
        await self.say("comm_msg", {"comm_id": self.table, "data": {"method": "custom", "content": content}})

        def answered(kind: str, content: dict[str, Any]) -> bool | None:
            if kind != "comm_msg" or content.get("comm_id") != self.table:
                return None
            data = content["data"]
            self.asked = data.get("state", {}).get("play", self.asked)
            said = data.get("content", {})
            if said.get("failed"):
                self.found.errors.append(said["failed"])
            return True if said.get("reply") == mark else None

        await self.hear(answered)
        self.found.answers.append(time.perf_counter() - begun)

    async def leave(self) -> None:
        """Free the kernel, as Voilà's page does when it is closed."""
        if self.kernel:
            address = f"{self.address}/voila/api/shutdown/{self.kernel}"
            secret = {"Cookie": f"_xsrf={_TWICE}", "X-XSRFToken": _TWICE}
            await AsyncHTTPClient().fetch(address, method="POST", body="", headers=secret, raise_error=False)


def work(server: Served) -> float:
    """Return the seconds of processor time that the server and its kernels have taken."""
    found = 0.0
    for process in (psutil.Process(server.process.pid), *kernels(server.process.pid)):
        with suppress(psutil.Error):
            times = process.cpu_times()
            found += times.user + times.system
    return found


def weigh(server: Served, found: Found) -> None:
    """Add the memory of each kernel: its own part of it where the system tells (Linux), and all that it has in use."""
    for process in kernels(server.process.pid):
        try:
            memory = process.memory_full_info()
        except psutil.Error:
            continue
        found.rss.append(memory.rss)
        found.pss.append(getattr(memory, "pss", memory.rss))


class Browser(threading.Thread):
    """Real pages, opened together; Playwright wants a thread of its own."""

    def __init__(self, address: str, wait_for: str, pages: int, path: str, found: Found) -> None:
        super().__init__()
        self.address, self.wait_for, self.pages, self.path, self.found = address, wait_for, pages, path, found
        self.done = threading.Event()

    def run(self) -> None:
        try:
            self._open()
        except Exception as error:
            self.found.errors.append(f"browser: {error}"[:300])

    def _open(self) -> None:
        from playwright.sync_api import sync_playwright
        from servers import BROWSER_ARGS

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=self.path, args=BROWSER_ARGS)
            opened = []
            for _ in range(self.pages):
                page = browser.new_page()
                page.on("pageerror", lambda error: self.found.errors.append(f"page: {error}"[:300]))
                opened.append((page, time.perf_counter()))
                page.goto(self.address, wait_until="commit", timeout=SECONDS * 1000)
            for page, begun in opened:
                page.wait_for_selector(self.wait_for, timeout=SECONDS * 1000, state="attached")
                self.found.shown.append(time.perf_counter() - begun)
            self.done.wait(SECONDS)
            browser.close()


async def round_of(server: Served, name: str, learners: int, pages: int, path: str, found: Found) -> None:
    """Let all come at once, play where there is something to play, weigh the kernels, and let all go."""
    wait_for = ".chnb[data-play]" if name == OURS else "text=hello"
    address = f"{server.address}/voila/render/{name}"
    browser = Browser(address, wait_for, pages, path, found) if pages else None
    if browser:
        browser.start()
    everybody = [Learner(server.address, found) for _ in range(learners)]
    came = list(everybody)

    async def all_of_them(do: Callable[[Learner, int], Awaitable[None]]) -> None:
        async def one(learner: Learner, seed: int) -> None:
            try:
                await do(learner, seed)
            except Exception as error:
                found.errors.append(f"{type(error).__name__}: {error}"[:300])
                everybody.remove(learner)

        doing = [one(learner, i + 1) for i, learner in enumerate(everybody)]
        await asyncio.wait_for(asyncio.gather(*doing), SECONDS)

    try:
        before = work(server)
        await all_of_them(lambda learner, seed: learner.open(name))
        found.work.append((work(server) - before) / (learners + pages))
        if name == OURS:
            await all_of_them(Learner.play)
        weigh(server, found)
    finally:
        if browser:
            browser.done.set()
            await asyncio.to_thread(browser.join)
        for learner in came:
            await learner.leave()
        for process in kernels(server.process.pid):
            # those of the browser's pages, and of whoever did not get as far as to leave
            with suppress(psutil.Error):
                process.kill() if not pages else process.terminate()


@contextmanager
def lessons(home: Path) -> Iterator[Served]:
    """Serve our playing page, and one that says hello, with the settings of the dashboard."""
    folder = home / "notebooks"
    folder.mkdir()
    (folder / OURS).write_bytes((resources.path("notebooks") / OURS).read_bytes())
    hello = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell('print("hello")')])
    nbformat.write(hello, folder / HELLO)
    port = free_port()
    # where nothing compiled may be kept, each kernel compiles everything anew, which no learner meets
    with serving(home, servers.lessons(port), port, "/", {"PYTHONDONTWRITEBYTECODE": ""}) as served:
        yield served


def measure(learners: int, pages: int, rounds: int, path: str = "") -> dict[str, Found]:
    """Return what was found of both pages, in turn, after one visit each that nobody counts.

    learners: 1 to MOST_LEARNERS; pages: 0 to MOST_PAGES browser pages of the Chromium at `path`; rounds: 1 to
    MOST_ROUNDS. More than that is cut.
    """
    learners, pages, rounds = min(learners, MOST_LEARNERS), min(pages, MOST_PAGES), min(rounds, MOST_ROUNDS)
    found = {HELLO: Found(), OURS: Found()}

    async def everything(server: Served) -> None:
        AsyncHTTPClient.configure(None, max_clients=2 * MOST_LEARNERS, max_body_size=50_000_000)
        for name in found:
            await round_of(server, name, 1, 0, path, Found())
        for _ in range(rounds):
            for name, one in found.items():
                await round_of(server, name, learners, pages, path, one)

    # a thread that drives a browser, as a test before may have left it, has a loop already
    with tempfile.TemporaryDirectory() as home, lessons(Path(home)) as server, ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, everything(server)).result()
    return found


def report(found: dict[str, Found], learners: int) -> str:
    """Return what was found as lines of text."""
    lines = []
    for name, one in found.items():
        lines.append(f"{name}: {len(one.page)} pages of {one.size / 1000:.0f} KB")
        lines.append(f"  time to the full page: {_spread(one.page)}")
        lines.append(f"  processor time of server and kernel for a page: {statistics.median(one.work or [0]):.2f} s")
        if one.shown:
            lines.append(f"  time until it is seen in a browser: {_spread(one.shown)}")
        if one.answers:
            lines.append(f"  {one.hands} hands played; time to an answer: {_spread(one.answers)}")
        if one.pss:
            mean, all_of_it = statistics.mean(one.pss) / 1e6, statistics.mean(one.rss) / 1e6
            lines.append(f"  memory of a kernel: {mean:.1f} MB of its own share (PSS), {all_of_it:.1f} MB in use (RSS)")
        lines.append(f"  errors: {len(one.errors)}")
        lines += [f"    {error}" for error in sorted(set(one.errors))[:10]]
    hello, ours = found.values()
    if hello.page and ours.page and hello.pss and ours.pss:
        times = statistics.median(ours.page) / statistics.median(hello.page)
        more = (statistics.mean(ours.pss) - statistics.mean(hello.pss)) / 1e6
        lines.append(f"{learners} learners at once: {times:.2f} times hello’s median (at most {WITHIN} wanted)")
        lines.append(f"{statistics.median(ours.work) / statistics.median(hello.work):.2f} times hello’s processor time")
        lines.append(f"{more:+.1f} MB a kernel (PSS; at most {MORE_MB} wanted)")
    return "\n".join(lines)


def _spread(values: list[float]) -> str:
    if not values:
        return "none"
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"median {statistics.median(ordered):.2f} s, p95 {p95:.2f} s"


def main(arguments: list[str] | None = None) -> int:
    """Measure and report; 1 when there were errors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--learners", type=int, default=LEARNERS, help=f"at most {MOST_LEARNERS}")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"browser pages beside them, at most {MOST_PAGES}")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"at most {MOST_ROUNDS}")
    asked = parser.parse_args(arguments)
    path = benchview.chromium() or ""
    found = measure(max(1, asked.learners), max(0, asked.pages) if path else 0, max(1, asked.rounds), path)
    sys.stdout.write(report(found, min(asked.learners, MOST_LEARNERS)) + "\n")
    return int(any(one.errors for one in found.values()))


if __name__ == "__main__":
    sys.exit(main())
