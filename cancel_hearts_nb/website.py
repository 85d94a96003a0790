"""The course as a site of plain files whose notebooks run in the visitor's own browser: JupyterLite with our wheel in it.

Any web server can hand it out, under any address, to any number of people, and no page asks another host for anything.
It is made of a checkout, in a folder beside the one that is asked for, and moved there when it is whole.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

from . import course, resources, webruntime
from .i18n import VARIABLE, Words
from .messages import N_, Problem

INSTALL = "pip install -e '.[site]'"
MARK = "jupyter-lite.json"
"""The file by which a folder is known to hold a site."""
PLAY = "07_play_a_hand"
_PAGE = "notebooks/index.html?path="
_EXTENSION = "cancel-hearts-site"
# What the kernel asks for when it starts, so that one answer of Pyodide's brings it all, and the course's own
_LOADED = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "cancel-hearts-nb")
_KERNEL = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
_ICONS = ("favicon-notebook.ico", "favicon-busy-1.ico", "favicon-busy-2.ico", "favicon-busy-3.ico")
_LAST_LINES = 4
WORDS: dict[str, str] = {
    "loading": N_("Python is being loaded into your browser: some ten megabytes, the first time. Until then the pictures stand still."),
    "running": N_("The page is being run. In a moment its tables can be used."),
    "ready": N_("Everything on this page now runs in your own browser."),
    "failed": N_("Python could not be loaded into this browser (%(error)s). Reload the page; if that does not help, try an up-to-date browser."),
}  # fmt: skip
_TITLE = N_("Learn Cancellation Hearts")
_ABOUT = N_(
    "A card game of tricks, learned one step at a time, with the rule behind every step. Everything on these pages runs in your own browser: nothing is installed, and nothing that you do is sent anywhere."
)
_FIRST = N_(
    "The first page of a visit takes some seconds longer, because Python is loaded into your browser. Please leave the page open while that goes on."
)
_START = N_("Begin with the first lesson")
_TAKE_A_SEAT = N_("Take a seat and play")
_LESSONS = N_("The lessons")
_EXERCISES = N_("Exercises")
_EXERCISES_ABOUT = N_(
    "For whoever learns to program: write the rules of the game yourself, and have them checked. Run a cell with Shift and Enter."
)
_KEPT = N_("What you answer and write is kept in this browser alone.")
_MINUTES = N_("about %(n)s minutes")


class SiteError(Problem):
    """The site cannot be built."""


def build(folder: Path, w: Words, say: Callable[[str], None], pyodide: Path | None = None, force: bool = False) -> None:
    """Write the site into `folder`, in the words of `w`, telling `say` what takes time.

    pyodide: its npm package, a folder or an archive; None lets npm fetch it. With `force` an earlier site in `folder` is
    replaced, and what else is in there stays. Raises SiteError, webruntime.RuntimeMissing and OSError.
    """
    root = _checkout()
    _check_tools()
    folder = folder.absolute()
    _check_folder(folder, force)
    cache, pins = webruntime.cache_folder(), webruntime.pins()
    wanted = {**pins.packages, **pins.page}
    fetching = w.text(
        N_("Fetching what the site is made of. It is kept in “%(folder)s” for the next time."), folder=str(cache)
    )
    archive = pyodide or webruntime.fetch_runtime(cache, lambda: say(fetching))
    wheels = dict(zip(wanted, webruntime.fetch_wheels(wanted, cache, lambda: say(fetching)), strict=True))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".cancel-hearts-site-", dir=folder.parent) as made:
        source, target = Path(made) / "source", Path(made) / "site"
        runtime = source / "static" / "pyodide"
        webruntime.unpack_runtime(archive, runtime)
        loaded = [wheels[name] for name in pins.packages]
        webruntime.write_lock(runtime, [*loaded, *_kernel_wheels(), _own_wheel(root, Path(made) / "dist")])
        _write_contents(source / "content")
        _write_settings(source, w)
        _write_extension(source / "extension", w)
        say(w.text(N_("Building the site.")))
        page = [wheels["anywidget"], *[wheels[name] for name in pins.page]]
        _run_build(source, target, [*page, _kernel_extension(), source / "extension"])
        _finish(target, w)
        _move(target, folder, Path(made) / "old")


def _checkout() -> Path:
    found = resources.checkout()
    if found is None:
        raise SiteError(
            N_(
                "A site is built from a checkout of the course, the folder with its pyproject.toml; this installation is none."
            )
        )
    return found


def _check_tools() -> None:
    for name, version in webruntime.pins().tools.items():
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            raise SiteError(
                N_("Building a site needs more packages. Install them with: %(command)s"), command=INSTALL
            ) from None
        if found != version:
            raise SiteError(
                N_("Building a site needs %(name)s %(wanted)s, and %(found)s is installed. Install it with: %(command)s"),
                name=name, wanted=version, found=found, command=INSTALL,
            )  # fmt: skip


def _check_folder(folder: Path, force: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise SiteError(N_("“%(folder)s” is a file, not a folder."), folder=str(folder))
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise SiteError(
            N_("“%(folder)s” is not empty. With --force a site that is in it is replaced, and the rest stays."),
            folder=str(folder),
        )


def _move(site: Path, folder: Path, old: Path) -> None:
    """Bring the finished `site` to `folder`; of what is there only an earlier site gives way, to `old`. Raises SiteError."""
    if not folder.exists():
        site.rename(folder)
        return
    names = sorted([path.name for path in site.iterdir()])
    taken = [name for name in names if (folder / name).exists()]
    if taken and not (folder / MARK).is_file():
        raise SiteError(
            N_("“%(folder)s” holds no site, but things that have the names of its parts: %(names)s. Choose another folder."),
            folder=str(folder), names=", ".join(taken[:5]),
        )  # fmt: skip
    old.mkdir()
    for name in taken:
        (folder / name).rename(old / name)
    for name in names:
        (site / name).rename(folder / name)


def _own_wheel(root: Path, folder: Path) -> Path:
    _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], root)
    return next(iter(folder.glob("*.whl")))


def _kernel_extension() -> Path:
    """The part of the kernel that a page loads, as its package installed it."""
    files = importlib.metadata.files("jupyterlite-pyodide-kernel") or []
    found = [one for one in files if one.name == "package.json" and "labextensions" in one.parts]
    return Path(str(found[0].locate())).resolve().parent


def _kernel_wheels() -> list[Path]:
    """The wheels that the kernel brings along: itself, and stand-ins for what it replaces."""
    folder = _kernel_extension() / "static" / "pypi"
    return [path for path in sorted(folder.glob("*.whl")) if not path.name.startswith("widgetsnbextension-3")]


def _write_contents(folder: Path) -> None:
    """Copy the lessons, and the exercises when there are any, laid out as in a checkout, so that their links hold."""
    lessons = resources.path("notebooks")
    for path in sorted(lessons.glob("*.ipynb")):
        _copy_notebook(path, folder / "notebooks" / path.name, lesson=True)
    with contextlib.suppress(resources.MissingFiles):
        release = resources.path("exercises") / "release"
        for path in sorted(release.rglob("*")):
            target = folder / "exercises" / "release" / path.relative_to(release)
            if path.suffix == ".ipynb" and ".ipynb_checkpoints" not in path.parts:
                _copy_notebook(path, target, lesson=False)
            elif path.suffix in (".toml", ".py", ".md", ".txt"):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)


def _copy_notebook(source: Path, target: Path, lesson: bool) -> None:
    """Copy a notebook for the kernel in the browser; a lesson runs when it is opened, its code out of sight."""
    notebook = json.loads(source.read_text(encoding="utf-8"))
    notebook["metadata"] = {**notebook["metadata"], "kernelspec": _KERNEL}
    if lesson:
        notebook["metadata"]["cancel_hearts"] = {"run": True}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["metadata"] = {**cell["metadata"], "jupyter": {"source_hidden": True}}
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _write_settings(source: Path, w: Words) -> None:
    kernel = {
        # whatever is not in the site is not looked for elsewhere
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": list(_LOADED), "env": {"HOME": "/home/pyodide", VARIABLE: w.language}},
    }
    settings = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": w.text(_TITLE),
            "appUrl": "./notebooks",
            "faviconUrl": "./notebooks/favicon.ico",
            "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
        },
    }
    (source / MARK).write_text(json.dumps(settings), encoding="utf-8")
    overrides = {
        # every cell is drawn, also those far below: a table must not lose its place when it is scrolled out of sight
        "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
        "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
        "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    }
    (source / "overrides.json").write_text(json.dumps(overrides), encoding="utf-8")


def _write_extension(folder: Path, w: Words) -> None:
    """Write the small program that runs a lesson when it is opened, with the sentences that it shows."""
    shutil.copytree(resources.path("data") / "site" / "extension", folder)
    script = folder / "static" / "run.js"
    told = {
        "lang": w.language.replace("_", "-"),
        "dir": w.direction,
        **{key: w.plain(text) for key, text in WORDS.items()},
    }
    text = f"const words = {json.dumps(told)};\n{script.read_text(encoding='utf-8')}"
    script.write_text(f"(() => {{\n{text}}})();\n", encoding="utf-8")


def _run_build(source: Path, target: Path, extensions: list[Path]) -> None:
    command = [
        sys.executable, "-m", "jupyterlite_core", "build", f"--lite-dir={source}", f"--output-dir={target}",
        f"--contents={source / 'content'}", "--apps=notebooks", "--no-sourcemaps", "--no-unused-shared-packages",
        "--ignore-sys-prefix", *[f"--LiteBuildConfig.federated_extensions={one}" for one in extensions],
        "--settings-overrides", str(source / "overrides.json"),
    ]  # fmt: skip
    # nobody's own settings of Jupyter
    own = {name: str(source / "own") for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    _run(command, source, JUPYTER_NO_CONFIG="1", **own)
    if not (target / MARK).is_file():
        raise SiteError(N_("The site has not been built: “%(file)s” is missing."), file=MARK)


def _finish(site: Path, w: Words) -> None:
    """Write what is our own: the first page, lessons that nobody changes, icons where Jupyter looks for them."""
    (site / "index.html").write_text(front_page(site / "files", w), encoding="utf-8")
    # GitHub Pages would leave out what begins with an underscore
    (site / ".nojekyll").touch()
    # a browser that kept its own copy of a lesson would show it for ever, however new the site is
    listing = site / "api" / "contents" / "notebooks" / "all.json"
    told = json.loads(listing.read_text(encoding="utf-8"))
    told["content"] = [{**one, "writable": False} for one in told["content"]]
    listing.write_text(json.dumps(told), encoding="utf-8")
    page = site / "notebooks" / "index.html"
    # until Jupyter has found its icon, a browser asks for one that is not there; its words and our prose are English
    head = page.read_text(encoding="utf-8").replace("<html>", '<html lang="en">', 1)
    page.write_text(head.replace("<head>", '<head>\n    <link rel="icon" href="favicon.ico">', 1), encoding="utf-8")
    icons = site / "static" / "favicons"
    icons.mkdir()
    for name in _ICONS:
        shutil.copyfile(site / "notebooks" / "favicon.ico", icons / name)
    for path in site.rglob("*.map"):
        path.unlink()


def _run(command: list[str], folder: Path, **environment: str) -> None:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        said = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        raise SiteError(
            N_("“%(command)s” has failed. The last that it said: %(why)s"),
            command=" ".join(command[1:4]), why=" ".join(said[-_LAST_LINES:])[:400],
        )  # fmt: skip


def front_page(files: Path, w: Words) -> str:
    """Return the first page of a site in the words of `w`, with links to what stands below `files`.

    >>> from .i18n import words
    >>> "07_play_a_hand" in front_page(Path("nowhere"), words())
    True
    """
    template = Template((resources.path("data") / "site" / "index.html").read_text(encoding="utf-8"))
    lessons = "".join([
        f"<li>{_link(one.name, w.text(one.title))} <small>{_said(_MINUTES, w, n=str(one.minutes))}</small></li>\n"
        for one in course.lessons()
    ])  # fmt: skip
    exercises = "".join(
        [f"<li><a href='{escape(_address(path))}'>{escape(title)}</a></li>\n" for path, title in _exercises(files)]
    )
    section = (
        f"<h2>{_said(_EXERCISES, w)}</h2>\n<p>{_said(_EXERCISES_ABOUT, w)}</p>\n<ol>\n{exercises}</ol>\n"
        if exercises
        else ""
    )
    return template.substitute(
        lang=escape(w.language.replace("_", "-")), dir=w.direction, title=_said(_TITLE, w), about=_said(_ABOUT, w),
        first=_said(_FIRST, w), start=_link(course.lessons()[0].name, w.text(_START)), play=_link(PLAY, w.text(_TAKE_A_SEAT)),
        lessons_title=_said(_LESSONS, w), lessons=lessons, exercises=section, kept=_said(_KEPT, w),
    )  # fmt: skip


def _said(message: str, w: Words, **params: str) -> str:
    return escape(w.text(message, **params))


def _address(path: str) -> str:
    return _PAGE + quote(path)


def _link(lesson: str, text: str) -> str:
    return f"<a href='{escape(_address(f'notebooks/{lesson}.ipynb'))}'>{escape(text)}</a>"


def _exercises(files: Path) -> Iterator[tuple[str, str]]:
    """The exercises below `files`: the path of each, and the heading that its notebook begins with."""
    for path in sorted((files / "exercises").rglob("*.ipynb")):
        cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
        lines = [line for cell in cells for line in "".join(cell["source"]).splitlines() if line.startswith("# ")]
        yield path.relative_to(files).as_posix(), lines[0].removeprefix("# ").strip() if lines else path.stem


__all__ = ["INSTALL", "MARK", "SiteError", "build", "front_page"]
