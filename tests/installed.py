"""An installation tried out as its owner would, in an empty folder; run as `poe pythons` for each Python that is found.

The command gives each Python a fresh environment with the wheel, its extra `course` and the versions of the pins.
"""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import binderimage
import interpreters
import pins
from servers import BROKEN_PAGE, free_port

# What a page tells when something in it went wrong
BROKEN = (*BROKEN_PAGE, "Traceback (most recent call last)")
WIDGET = "application/vnd.jupyter.widget-view+json"


def wheel(folder: Path) -> Path:
    """Build the wheel of the checkout into `folder`, without asking for anything from elsewhere."""
    folder.mkdir(exist_ok=True)
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, binderimage.ROOT]
    binderimage.run(*build, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


def ask_pages(port: int, places: Sequence[str]) -> dict[str, str]:
    """Return each page at 127.0.0.1 that could not be shown, with what is wrong with it."""

    def ask(place: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        try:
            connection.request("GET", place)
            answer = connection.getresponse()
            page = answer.read().decode()
        finally:
            connection.close()
        wrong = [text for text in BROKEN if text in page]
        if answer.status == 200 and WIDGET in page and not wrong:
            return ""
        return f"status {answer.status}, {wrong or 'no table in it' if answer.status == 200 else page[:500]}"

    with ThreadPoolExecutor(2) as executor:
        return {place: wrong for place, wrong in zip(places, executor.map(ask, places), strict=True) if wrong}


@contextmanager
def dashboard(programs: Path, folder: Path, port: str, **environment: str) -> Iterator[str]:
    """Run `cancel-hearts` of the folder `programs` in `folder` until the block ends; yield the address it told, without http://."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "JUPYTER_PATH")}
    with subprocess.Popen(
        [programs / "cancel-hearts", "--no-browser", "--port", port],
        cwd=folder, env={**env, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            said = ""
            for line in process.stdout:
                said += line
                if "Ctrl-C" in line:
                    break
            yield said.partition("http://")[2].split()[0]
        finally:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")


class Installed:
    """An environment with the package in it, used in an empty folder far from the checkout."""

    def __init__(self, environment: Path, empty: Path) -> None:
        self.bin, self.empty = environment / "bin", empty

    def python(self, code: str) -> str:
        return binderimage.run(self.bin / "python", "-c", code, cwd=self.empty).strip()

    def hearts(self, *args: str | Path) -> str:
        return binderimage.run(self.bin / "cancel-hearts", *args, cwd=self.empty)

    def folder(self, kind: str) -> Path:
        return Path(self.python(f"from cancel_hearts_nb import resources; print(resources.path({kind!r}))"))

    def notebooks(self) -> list[str]:
        return sorted(path.name for path in self.folder("notebooks").glob("*.ipynb"))

    @contextmanager
    def dashboard(self) -> Iterator[int]:
        """Run the lessons until the block ends; yield their port."""
        with dashboard(self.bin, self.empty, str(free_port())) as address:
            yield int(address.partition(":")[2].partition("/")[0])

    def try_out(self) -> None:
        """Read a rule, replay a hand and open every lesson. Raises AssertionError."""
        assert "[trick.dead]" in self.hearts("rules", "trick.dead")
        record = next(path for path in sorted(self.folder("records").glob("*.toml")))
        assert "  1. " in self.hearts("replay", record)
        with self.dashboard() as port:
            wrong = ask_pages(port, [f"/voila/render/{name}" for name in self.notebooks()])
        assert not wrong
        assert list(self.empty.iterdir()) == [], "running in an empty folder left something there"

    def run_notebooks_twice(self) -> None:
        """Run every notebook two times in a row and compare what it shows with what is stored. Raises AssertionError."""
        for _ in range(2):
            run_notebooks(self.bin / "python", self.folder("notebooks"), self.empty)


def run_notebooks(python: str | Path, notebooks: Path, folder: Path) -> None:
    """Run the notebooks by themselves with this `python`, in `folder`, strictly compared. Raises AssertionError."""
    strictly = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout=120", "--nbval-kernel-startup-timeout=120")
    alone = ("-q", "-p", "no:cacheprovider", "--override-ini=addopts=", "--override-ini=testpaths=")
    binderimage.run(python, "-m", "pytest", *alone, *strictly, notebooks, cwd=folder)


def install(folder: Path, python: str, wheel: Path, *more: str) -> Installed:
    """Make an environment of this `python` in `folder` with the wheel, its extra `course` in the pinned versions, and `more`."""
    environment, empty, constraints = folder / "environment", folder / "empty", folder / "constraints.txt"
    empty.mkdir()
    constraints.write_text("".join(f"{name}=={version}\n" for name, version in pins.pinned().items()))
    binderimage.run(python, "-m", "venv", "--without-pip", environment)
    binderimage.pip(environment, "--constraint", constraints, f"{wheel}[course]", *more)
    return Installed(environment, empty)


def main(versions: Sequence[str]) -> int:
    """Try it out on these Pythons, or on all that are named for the package."""
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        built = wheel(Path(folder))
        for version in versions or interpreters.VERSIONS:
            python, place, start = interpreters.find(version), Path(folder, version), time.monotonic()
            if python is None:
                sys.stdout.write(f"Python {version}: not found\n")
                continue
            place.mkdir()
            try:
                there = install(place, python, built, "nbval", "pytest")
                there.try_out()
                there.run_notebooks_twice()
                told = f"works ({time.monotonic() - start:.0f} s)"
            except AssertionError as error:
                told, failed = f"DOES NOT WORK\n{error}", True
            sys.stdout.write(f"Python {version}: {told}\n")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
