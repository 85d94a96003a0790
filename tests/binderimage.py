"""The environment that Binder gets, built without Docker and counted: `poe binder`, or with a folder to keep it.

A folder that is there already is only counted.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pins

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 310  # MB of 1,000,000 bytes
_NOT_COUNTED = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")


def size(environment: Path) -> int:
    """Return the bytes in all files of `environment`, without __pycache__, pip and setuptools, and without links."""
    total = 0
    for place, folders, files in os.walk(environment):
        inside = Path(place).name == "site-packages"
        folders[:] = [name for name in folders if name != "__pycache__" and not (inside and _of_pip(name))]
        paths = [Path(place, name) for name in files if not (inside and _of_pip(name))]
        total += sum(path.stat().st_size for path in paths if not path.is_symlink())
    return total


def _of_pip(name: str) -> bool:
    return name in _NOT_COUNTED or (name.endswith(".dist-info") and name.split("-")[0] in _NOT_COUNTED)


def run(*command: str | Path, cwd: Path = ROOT, seconds: float = 600, **environment: str) -> str:
    """Return what `command` says, run without the Python paths and constraints of this process; it must succeed."""
    env = {key: value for key, value in pins.unconstrained().items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env={**env, **environment}, capture_output=True, text=True, timeout=seconds
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def pip(environment: Path, *args: str | Path, seconds: float = 600) -> None:
    """Run pip, which `environment` need not have, for it."""
    # compiling what is never imported takes a third of the time
    into = ["-m", "pip", "--python", environment / "bin" / "python", "install", "--quiet", "--no-compile"]
    run(sys.executable, *into, *args, seconds=seconds)


def build(environment: Path, python: str | Path = sys.executable) -> Path:
    """Make the folder `environment` from exactly binder/requirements.txt and run postBuild in it, as Binder does."""
    run(python, "-m", "venv", "--without-pip", environment)
    pip(environment, "-r", pins.FILE)
    post_build(environment)
    return environment


def post_build(environment: Path) -> None:
    """Run binder/postBuild at the top of the repository; it must succeed."""
    run(ROOT / "binder" / "postBuild", PATH=f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}")


def main(args: list[str]) -> int:
    """Build, if it is not there, and count."""
    with tempfile.TemporaryDirectory() as temporary:
        environment = Path(args[0] if args else f"{temporary}/binder").absolute()
        counted = size(environment if environment.is_dir() else build(environment))
    sys.stdout.write(f"{counted / 1e6:.1f} MB of {LIMIT} MB\n")
    return 0 if counted <= LIMIT * 1e6 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
