"""A site of `cancel-hearts site`, handed out under a sub-path of this machine, its pages opened and run in a real browser.

    python tests/site_pages.py DIR [NAMES]

opens every lesson and exercise of the site in DIR (or those named), waits until each has run, and tells what was shown,
how long it took, how much was fetched, and what asked for another host: nothing may.
"""

from __future__ import annotations

import http.server
import json
import os
import sys
import threading
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from servers import BROKEN_PAGE, BROWSER_ARGS

from cancel_hearts_nb import benchview

PLACE = "/some/where/"
# milliseconds for Python to be loaded and a page to run, on a busy machine
PATIENCE = 180_000
# what each lesson must show once it has run
SHOWN = {
    "00_start_here": ".chnb .card", "02_passing": ".chnb-wheel", "07_play_a_hand": ".chnb .setup", "08_how_often": ".chnb-often img.plot",
    "10_exam": ".chnb.quiz",
}  # fmt: skip
CARDS = ".chnb .card"
BROKEN = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error'], .jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"


@dataclass
class Site:
    """A site that is handed out: its `address`, the proxy that answers for all other hosts, and what was asked of both."""

    address: str
    proxy: dict[str, str]
    asked: list[tuple[str, int]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def page(self, path: str) -> str:
        return f"{self.address}notebooks/index.html?path={urllib.parse.quote(path)}"

    def fetched(self) -> int:
        return sum(size for _, size in self.asked)


@contextmanager
def handed_out(folder: Path) -> Iterator[Site]:
    """Hand out `folder` below PLACE on a free port of this machine; whatever is asked of another host is refused and noted."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if not self.path.startswith(PLACE):
                if not self.path.startswith("/"):
                    site.outside.append(self.path)
                else:
                    site.missing.append(self.path)
                self.send_error(404)
                return
            self.path = "/" + self.path.removeprefix(PLACE)
            super().do_GET()

        def do_CONNECT(self) -> None:
            site.outside.append(self.path)
            self.send_error(403)

        def send_error(self, code: int, *rest: Any, **more: Any) -> None:
            if code == 404 and self.path.startswith("/"):
                site.missing.append(self.path)
            super().send_error(code, *rest, **more)

        def copyfile(self, source: Any, outputfile: Any) -> None:
            site.asked.append((self.path, os.fstat(source.fileno()).st_size if hasattr(source, "fileno") else 0))
            super().copyfile(source, outputfile)

        def log_message(self, *args: Any) -> None:
            pass

        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, directory=str(folder), **more)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        here = f"http://127.0.0.1:{server.server_port}"
        # Chromium asks the proxy for everything that is not on this machine, its workers included
        site = Site(here + PLACE, {"server": here, "bypass": "127.0.0.1"})
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield site
        finally:
            server.shutdown()


def watch(page: Any) -> list[str]:
    """Return a list that fills with the errors that `page` or its console tells of."""
    said: list[str] = []

    def hear(text: str, wrong: bool) -> None:
        # anywidget says so after two seconds, too few for a busy machine; what is not shown is noticed anyway
        if wrong and "Failed to initialize model" not in text:
            said.append(text)

    page.on("pageerror", lambda error: hear(f"{error} {error.stack}", True))
    page.on("console", lambda message: hear(message.text, any(one in message.text for one in BROKEN_PAGE)))
    return said


def opened(page: Any, site: Site, path: str) -> None:
    """Open the notebook at `path` of the site and wait until the page says that it is ready."""
    page.goto(site.page(path), timeout=PATIENCE)
    ready(page)


def ready(page: Any) -> None:
    page.wait_for_selector(
        ".cancel-hearts-site:is([data-state=ready], [data-state=failed])", state="attached", timeout=PATIENCE
    )
    assert page.locator(".cancel-hearts-site[data-state=failed]").count() == 0, page.locator(
        ".cancel-hearts-site"
    ).inner_text()


def shown(page: Any, path: str) -> int:
    """Return how many of what a lesson must show are shown; wait for the first. Raises when a cell of it has failed."""
    what = SHOWN.get(Path(path).stem, CARDS)
    page.locator(what).first.wait_for(state="attached", timeout=PATIENCE)
    assert page.locator(BROKEN).count() == 0, page.locator(BROKEN).first.inner_text()
    return int(page.locator(what).count())


def notebooks(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder / "files").as_posix() for path in (folder / "files").rglob("*.ipynb"))


def main(folder: Path, names: list[str]) -> int:
    from playwright.sync_api import sync_playwright

    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    sys.stdout.write(f"{folder}: {size / 1e6:.1f} MB in {sum(1 for _ in folder.rglob('*'))} files\n")
    wrong = 0
    with handed_out(folder) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=benchview.chromium(), args=BROWSER_ARGS)
        for path in [one for one in notebooks(folder) if not names or any(name in one for name in names)]:
            # a new context each time: what a first visit costs
            context = browser.new_context(proxy=site.proxy)
            page, begun, before = context.new_page(), time.monotonic(), site.fetched()
            said = watch(page)
            opened(page, site, path)
            count = shown(page, path) if path.startswith("notebooks/") else page.locator(".jp-CodeCell").count()
            took, fetched = time.monotonic() - begun, (site.fetched() - before) / 1e6
            sys.stdout.write(f"{path}: {count} shown after {took:.1f} s, {fetched:.1f} MB fetched\n")
            sys.stdout.writelines(f"  {line}\n" for line in said)
            wrong += len(said)
            sys.stdout.flush()
            context.close()
        browser.close()
    sys.stdout.write(
        f"asked of other hosts: {json.dumps(site.outside)}; not found: {json.dumps(sorted(set(site.missing)))}\n"
    )
    return 1 if wrong or site.outside else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
