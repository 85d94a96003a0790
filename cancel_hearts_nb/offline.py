"""The course as files: every lesson as a page that opens from a memory stick, without a server, a network or a kernel."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from . import course, resources
from .i18n import VARIABLE, Words
from .messages import N_, Problem
from .view.plots import INSTALL

FIRST = "index.html"
"""The page to open: it leads to the first lesson."""
_BEGIN = N_("Begin the course")
_LESSON = re.compile(r"(\w+)\.ipynb")


class ExportError(Problem):
    """The pages cannot be made or written."""


def export(folder: Path, w: Words, force: bool = False) -> None:
    """Write the whole course into `folder`, with widgets that speak `w`.

    A new folder appears only when it is whole. One that holds anything is taken only with `force`; then files of the
    same names are replaced, each of them whole, and nothing else is touched. Raises ExportError and MissingFiles.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise ExportError(N_("“%(folder)s” is a file. Name a folder, which may be new."), folder=str(folder))
        if not force and folder.is_dir() and any(folder.iterdir()):
            raise ExportError(
                N_("The folder “%(folder)s” is not empty. With --force the pages are written into it all the same, over files of the same names."),
                folder=str(folder),
            )  # fmt: skip
        _write(folder, pages(w))
    except OSError as error:
        raise ExportError(
            N_("The pages cannot be written to “%(folder)s” (%(why)s)."),
            folder=str(folder), why=error.strerror or str(error),
        ) from None  # fmt: skip


def _write(folder: Path, files: Mapping[str, str]) -> None:
    new = not folder.exists()
    # within the folder, because that may be a stick of its own, onto which nothing can be moved
    place = folder.parent if new else folder
    place.mkdir(parents=True, exist_ok=True)
    for name in files:
        if (folder / name).is_dir():
            raise ExportError(N_("“%(folder)s” is a folder where a page belongs."), folder=str(folder / name))
    made = place / f".cancel-hearts-{secrets.token_hex(6)}"
    made.mkdir()
    try:
        for name, text in files.items():
            (made / name).write_text(text, encoding="utf-8", newline="\n")
        if new:
            made.rename(folder)
        else:
            for name in files:
                (made / name).replace(folder / name)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def pages(w: Words) -> dict[str, str]:
    """Return all pages by the name of their file; equal languages give equal pages. Raises ExportError and MissingFiles."""
    if importlib.util.find_spec("mistune") is None:
        raise ExportError(N_("The pages need more packages. Install them with: %(command)s"), command=INSTALL)
    notebooks = resources.path("notebooks")
    found = {FIRST: _first(w)}
    for one in course.lessons():
        text = (notebooks / f"{one.name}.ipynb").read_text(encoding="utf-8")
        found[f"{one.name}.html"] = lesson(one.title, text, w)
    return found


def lesson(title: str, notebook: str, w: Words) -> str:
    """Return the page of a lesson from the JSON text of its `notebook`, whose cells are run. Raises what they raise."""
    from .view.coursepage import Text, lesson_page

    markdown = _markdown()
    space: dict[str, Any] = {}
    parts: list[Any] = []
    # the widgets read both, as they do in Voilà
    with _environment({VARIABLE: w.language, "QUERY_STRING": "", "VOILA_PREHEAT": "False"}):
        for cell in json.loads(notebook)["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                parts.append(Text(markdown(source)))
            elif cell["cell_type"] == "code":
                shown = _run(source, space)
                parts += [] if shown is None else [shown]
        return lesson_page(title, parts, w)


def _run(source: str, space: dict[str, Any]) -> Any:
    """Run a cell of ours in `space`, and return the value of its last line, as a notebook shows it."""
    match ast.parse(source).body:
        case [*before, ast.Expr(value=last)]:
            exec(compile(ast.Module(before, []), "<cell>", "exec"), space)
            return eval(compile(ast.Expression(last), "<cell>", "eval"), space)
        case every:
            exec(compile(ast.Module(every, []), "<cell>", "exec"), space)
    return None


@contextlib.contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _markdown() -> Callable[[str], str]:
    """What makes HTML of a cell's text: markup in it shows as text, and links to lessons lead to their pages."""
    import mistune

    class Pages(mistune.HTMLRenderer):
        def link(self, text: str, url: str, title: str | None = None) -> str:
            other = _LESSON.fullmatch(url)
            return super().link(text, f"{other[1]}.html" if other else url, title)

    return mistune.create_markdown(renderer=Pages(escape=True), plugins=["table"])  # type: ignore[return-value]


def _first(w: Words) -> str:
    """A page that goes on to the first lesson by itself, and has a link for browsers that do not."""
    lang, to = escape(w.language.replace("_", "-")), f"{course.lessons()[0].name}.html"
    policy = "default-src 'none'; base-uri 'none'; form-action 'none'"
    text = escape(w.text(_BEGIN))
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}" dir="{w.direction}">\n<head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta http-equiv="refresh" content="0;url={to}">\n'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>{text}</title></head>\n'
        f'<body><main><h1><a href="{to}">{text}</a></h1></main></body></html>\n'
    )


__all__ = ["FIRST", "ExportError", "export", "lesson", "pages"]
