"""What a site for visitors' own browsers runs on: Pyodide, Python compiled for browsers, and the packages it loads.

Everything is of the exact version that `data/site/pins.toml` names. npm and pip bring what is not kept already in a
folder of the user's; from where, is their business. Pyodide finds packages by a lock file, which is written here anew
for exactly the wheels that the site carries, so that no page looks for one anywhere else.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Mapping
from email.parser import HeaderParser
from pathlib import Path
from typing import Any, NamedTuple

from . import resources
from .messages import N_, Problem

LOCK = "pyodide-lock.json"
NEEDED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LOCK, "package.json", "README.md")
"""What a page needs of Pyodide's package, and what says whose it is."""
# The Python inside this Pyodide; a wheel may ask for a newer one than builds the site
_PYTHON = "3.14"
_PIP = (
    "--no-deps", "--only-binary", ":all:", "--python-version", _PYTHON, "--implementation", "py", "--abi", "none",
    "--platform", "any",
)  # fmt: skip
_LAST_LINES = 3


class RuntimeMissing(Problem):
    """What the site runs on could not be had, or is of another version."""


class Pins(NamedTuple):
    """Names with exact versions: the `tools` that build the site, its `runtime`, the `packages` it loads, and those of the `page`."""

    tools: dict[str, str]
    runtime: tuple[str, str]
    packages: dict[str, str]
    page: dict[str, str]


def pins() -> Pins:
    """Return the versions that a site is made of.

    >>> pins().runtime[0]
    'pyodide'
    """
    found = tomllib.loads((resources.path("data") / "site" / "pins.toml").read_text(encoding="utf-8"))
    name, version = found["runtime"].split("==")
    tools, packages, page = [dict([one.split("==") for one in found[key]]) for key in ("tools", "packages", "page")]
    return Pins(tools, (name, version), packages, page)


def cache_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder in which an account keeps what was fetched once, whether or not it is there yet.

    >>> cache_folder({"XDG_CACHE_HOME": "/home/al/.keep"}, "linux").as_posix()
    '/home/al/.keep/cancel_hearts_nb'
    """
    home = Path(environ.get("HOME") or "~").expanduser()
    if platform == "win32":
        base = Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "cancel_hearts_nb"


def fetch_runtime(cache: Path, say: Callable[[], None] = lambda: None) -> Path:
    """Return Pyodide's package as an archive in `cache`, brought there by npm unless it is there; `say` is called before that.

    Raises RuntimeMissing and OSError.
    """
    name, version = pins().runtime
    archive = cache / f"{name}-{version}.tgz"
    if archive.is_file():
        return archive
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeMissing(
            N_("The site needs the npm package %(package)s, and npm, which would bring it, is not installed. Give the package, a folder or a .tgz file, with --pyodide."),
            package=f"{name}@{version}",
        )  # fmt: skip
    say()
    cache.mkdir(parents=True, exist_ok=True)
    _run([npm, "pack", f"{name}@{version}", "--pack-destination", str(cache)], cache, f"{name}@{version}")
    if not archive.is_file():
        raise RuntimeMissing(N_("npm has not brought “%(file)s”."), file=archive.name)
    return archive


def unpack_runtime(given: Path, target: Path) -> None:
    """Write what a page needs of Pyodide, `given` as a folder or an archive, into the folder `target`.

    Raises RuntimeMissing when it is another package, another version, or not whole, and OSError.
    """
    name, version = pins().runtime
    found = _from_folder(given) if given.is_dir() else _from_archive(given)
    try:
        about = json.loads(found["package.json"])
        told = f"{about['name']}@{about['version']}"
    except (KeyError, TypeError, ValueError):
        raise RuntimeMissing(
            N_("“%(path)s” is not the npm package %(package)s: it has no readable package.json."),
            path=str(given), package=f"{name}@{version}",
        ) from None  # fmt: skip
    if told != f"{name}@{version}":
        raise RuntimeMissing(
            N_("“%(path)s” is %(found)s, and the site needs %(package)s."),
            path=str(given), found=told[:60], package=f"{name}@{version}",
        )  # fmt: skip
    lacking = [one for one in NEEDED if one not in found]
    if lacking:
        raise RuntimeMissing(
            N_("“%(path)s” is not whole: %(lacking)s is missing."), path=str(given), lacking=", ".join(lacking)
        )
    target.mkdir(parents=True, exist_ok=True)
    for one in NEEDED:
        (target / one).write_bytes(found[one])


def _from_folder(folder: Path) -> dict[str, bytes]:
    return {one: (folder / one).read_bytes() for one in NEEDED if (folder / one).is_file()}


def _from_archive(archive: Path) -> dict[str, bytes]:
    found = {}
    try:
        with tarfile.open(archive) as packed:
            for one in NEEDED:
                try:
                    member = packed.extractfile(f"package/{one}")
                except KeyError:
                    continue
                if member is not None:
                    found[one] = member.read()
    except (tarfile.TarError, EOFError, ValueError):
        raise RuntimeMissing(
            N_("“%(path)s” is neither a folder nor an archive that npm made."), path=str(archive)
        ) from None
    return found


def fetch_wheels(wanted: Mapping[str, str], cache: Path, say: Callable[[], None] = lambda: None) -> list[Path]:
    """Return the wheels of the packages `wanted` (version by name) in `cache`, those that lack brought by pip; `say` is called before that.

    Raises RuntimeMissing and OSError.
    """
    folder = cache / "wheels"
    lacking = [f"{name}=={version}" for name, version in wanted.items() if _wheel(folder, name, version) is None]
    if lacking:
        say()
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", *_PIP, "--dest", str(folder), *lacking]
        _run(command, folder, ", ".join(lacking))
    found = {name: _wheel(folder, name, version) for name, version in wanted.items()}
    missing = [f"{name}=={wanted[name]}" for name, wheel in found.items() if wheel is None]
    if missing:
        raise RuntimeMissing(N_("pip has not brought %(packages)s."), packages=", ".join(missing))
    return [wheel for wheel in found.values() if wheel is not None]


def _wheel(folder: Path, name: str, version: str) -> Path | None:
    return next(iter(sorted(folder.glob(f"{name.replace('-', '_')}-{version}-*-none-any.whl"))), None)


def _run(command: list[str], folder: Path, wanted: str) -> None:
    """Run a command that brings something. Raises RuntimeMissing, with the last lines of what it said."""
    # which versions are wanted is settled here, whatever this machine allows elsewhere
    env = {name: value for name, value in os.environ.items() if name not in ("PIP_CONSTRAINT", "PIP_REQUIREMENT")}
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            check=False,
        )  # fmt: skip
    except OSError as error:
        raise RuntimeMissing(
            N_("“%(command)s” could not be started (%(why)s)."), command=Path(command[0]).name, why=str(error)
        ) from None
    if done.returncode:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise RuntimeMissing(
            N_("%(wanted)s could not be fetched. The last that was said: %(why)s"),
            wanted=wanted, why=" ".join(said[-_LAST_LINES:])[:400],
        )  # fmt: skip


def write_lock(folder: Path, wheels: Iterable[Path]) -> None:
    """Copy `wheels` into Pyodide's `folder` and write its lock file anew, for these packages alone. Raises OSError."""
    listed = list(wheels)
    for wheel in listed:
        shutil.copyfile(wheel, folder / wheel.name)
    path = folder / LOCK
    old = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**old, "packages": packages(listed)}, indent=1), encoding="utf-8")


def packages(wheels: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """Return the entries of a lock file for `wheels`, by the names of their packages, each needing others of them only."""
    read = {wheel: _metadata(wheel) for wheel in wheels}
    known = {_plain(str(about["Name"])) for about, _ in read.values()}
    found = {}
    for wheel, (about, imports) in read.items():
        needs = [one for one in about.get_all("Requires-Dist") or [] if "extra" not in one.partition(";")[2]]
        names = [_plain(re.split(r"[^\w.-]", one, maxsplit=1)[0]) for one in needs]
        name = _plain(str(about["Name"]))
        found[name] = {
            "name": name,
            "version": str(about["Version"]),
            "file_name": wheel.name,
            "install_dir": "site",
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "package_type": "package",
            "imports": imports,
            "depends": sorted({one for one in names if one in known}),
            "unvendored_tests": False,
        }
    return dict(sorted(found.items()))


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _metadata(wheel: Path) -> tuple[Any, list[str]]:
    """What a wheel says of itself, and the names under which its parts are imported."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = next(one for one in names if one.endswith(".dist-info/METADATA") and one.count("/") == 1)
        text = archive.read(about).decode("utf-8")
    tops = {one.partition("/")[0] for one in names if one.endswith(".py")}
    imports = sorted({one.removesuffix(".py") for one in tops if "." not in one.removesuffix(".py")})
    return HeaderParser().parsestr(text), imports


__all__ = [
    "Pins", "RuntimeMissing", "cache_folder", "fetch_runtime", "fetch_wheels", "packages", "pins", "unpack_runtime", "write_lock",
]  # fmt: skip
