"""Early warning: do the lessons still run with the newest versions? It tells, and never fails; run as `poe newest`.

Only what is newer than the pins is installed, into an environment of its own that sees the packages of this one.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import binderimage
import pins

SECONDS = 85
# Every lesson with its stored outputs, and some pages in a browser
CHECKS = ["notebooks", "tests/test_page.py", "-k", "not every_example"]


def say(text: str) -> None:
    """Write a line at once: whatever comes after it may take too long."""
    sys.stdout.write(f"Early warning: {text}\n")
    sys.stdout.flush()


def install(folder: Path, versions: list[str], seconds: float) -> None:
    """Make an environment in `folder` that has these packages and else those of this Python."""
    binderimage.run(sys.executable, "-m", "venv", "--without-pip", folder)
    site = binderimage.run(folder / "bin" / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    Path(site.strip(), "others.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    binderimage.pip(folder, "--ignore-installed", "--no-deps", *versions, seconds=seconds)


def check(folder: Path, seconds: float) -> tuple[bool, str]:
    """Run CHECKS in the environment in `folder`; return whether they passed, and the end of what pytest said."""
    env = {
        **pins.unconstrained(), "PYTHONPATH": str(pins.ROOT), "JUPYTER_PATH": str(Path(sys.prefix, "share", "jupyter")),
    }  # fmt: skip
    command = [folder / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *CHECKS]
    with subprocess.Popen(
        [*map(str, command)], cwd=pins.ROOT, env=env, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    ) as tests:  # fmt: skip
        try:
            said, _ = tests.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False, f"no answer within {SECONDS} seconds"
        finally:
            # when it is stopped on the way, its workers and servers too; the lessons' command ends its Voilà if asked
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(tests.pid, number)
                    time.sleep(2)
    return tests.returncode == 0, "\n".join(said.strip().splitlines()[-20:])


def warn(end: float) -> None:
    """Tell what is newer than the pins and whether the lessons still run with it, by the monotonic time `end`."""
    before = pins.pinned()
    after = pins.newest(end - time.monotonic())
    newer = pins.changes(before, after)
    if not newer:
        return say("nothing is newer than binder/requirements.txt.")
    say("newer than binder/requirements.txt: " + ", ".join(newer))
    with tempfile.TemporaryDirectory() as temporary:
        changed = [f"{name}=={version}" for name, version in after.items() if before.get(name) != version]
        install(Path(temporary), changed, end - time.monotonic())
        passed, said = check(Path(temporary), end - time.monotonic())
    say("the lessons run with them." if passed else f"THE LESSONS DO NOT RUN WITH THEM.\n{said}")


def main() -> int:
    """Warn, within SECONDS."""
    try:
        warn(time.monotonic() + SECONDS)
    except Exception as error:  # a warning that cannot be given is no failure
        say(f"could not be given: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
