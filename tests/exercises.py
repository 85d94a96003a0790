"""Make the copies of the exercises for learners, and the solutions, from the instructor's notebooks; run as `poe exercises`.

The notebooks below `exercises/source` carry nbgrader's marks and metadata. What stands below `exercises/release` is
what `nbgrader generate_assignment` makes of them, made here without nbgrader; what stands below `exercises/solutions` is for
learners afterwards: solved, and without the graded cells.
"""

from __future__ import annotations

import copy
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
_MARK = re.compile(r"(\s*)### (BEGIN|END) (SOLUTION|HIDDEN TESTS)\s*")


class BrokenMarks(ValueError):
    """The marks of a cell are not in pairs, or one is written otherwise."""


def without(source: str, region: str, stub: tuple[str, ...] = ()) -> str:
    """Return the text of a cell with every `region` ("SOLUTION" or "HIDDEN TESTS") replaced by `stub`. Raises BrokenMarks."""
    return "\n".join([line for line, inside in _lines(source, region, stub) if not inside])


def unmarked(source: str) -> str:
    """Return the text of a cell with its solutions and without their marks, and without hidden tests. Raises BrokenMarks."""
    kept = without(source, "HIDDEN TESTS")
    return "\n".join([line for line in kept.split("\n") if not _MARK.fullmatch(line)])


def _lines(source: str, region: str, stub: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    inside = False
    for line in source.split("\n"):
        mark = _MARK.fullmatch(line)
        if mark is None or mark[3] != region:
            if mark is None and ("BEGIN " + region in line or "END " + region in line):
                raise BrokenMarks(line)
            yield line, inside
            continue
        if inside is (mark[2] == "BEGIN"):
            raise BrokenMarks(source)
        inside = not inside
        if inside:
            yield from ((mark[1] + one, False) for one in stub)
    if inside:
        raise BrokenMarks(source)


def mark(cell: NotebookNode, what: str) -> bool:
    """Return whether nbgrader's metadata of `cell` say that it is `what`: "grade", "solution" or "locked"."""
    return bool(cell.metadata.get("nbgrader", {}).get(what))


def checksum(cell: NotebookNode) -> str:
    """Return what nbgrader would have as the checksum of a marked `cell`."""
    marks: Any = cell.metadata.nbgrader
    grade, solution = mark(cell, "grade"), mark(cell, "solution")
    locked = not solution and (grade or mark(cell, "locked"))
    parts = [cell.source, cell.cell_type, str(grade), str(solution), str(locked), marks.grade_id]
    return hashlib.md5("".join([*parts, *([str(float(marks.points))] if grade else [])]).encode()).hexdigest()


def _cleared(notebook: NotebookNode) -> NotebookNode:
    made = copy.deepcopy(notebook)
    for cell in made.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return made


def release(notebook: NotebookNode) -> NotebookNode:
    """Return the learner's copy of an instructor's `notebook`. Raises BrokenMarks."""
    made = _cleared(notebook)
    for cell in made.cells:
        solved = cell.source
        cell.source = without(without(solved, "SOLUTION", STUB), "HIDDEN TESTS")
        if mark(cell, "solution") and cell.source == solved:
            cell.source = "\n".join(STUB)
        if "nbgrader" in cell.metadata:
            cell.metadata.deletable = False
            if not mark(cell, "solution"):
                cell.metadata.editable = False
            cell.metadata.nbgrader |= {"cell_type": cell.cell_type, "checksum": checksum(cell)}
    return made


def solutions(notebook: NotebookNode) -> NotebookNode:
    """Return an instructor's `notebook` as a learner may have it afterwards: solved, without graded cells. Raises BrokenMarks."""
    made = _cleared(notebook)
    made.cells = [cell for cell in made.cells if not mark(cell, "grade")]
    for cell in made.cells:
        cell.source = unmarked(cell.source)
        cell.metadata.pop("nbgrader", None)
    return made


def text(notebook: NotebookNode) -> str:
    """Return `notebook` as the text of a file, the same every time."""
    return str(nbformat.writes(notebook, version=4)).rstrip("\n") + "\n"


def sources(exercises: Path = EXERCISES) -> list[Path]:
    """Return the instructor's notebooks, in order."""
    return sorted(path for path in exercises.glob("source/*/*.ipynb") if path.stem == path.parent.name)


def files(exercises: Path = EXERCISES) -> dict[Path, str]:
    """Return what every generated file should hold. Raises BrokenMarks."""
    found = {}
    for path in sources(exercises):
        notebook = nbformat.read(path, as_version=4)
        for folder, make in (("release", release), ("solutions", solutions)):
            found[exercises / folder / path.stem / path.name] = text(make(notebook))
    return found


def main() -> int:
    """Write the copies, say which of them changed, and take away those whose source is gone."""
    made = files()
    for path, content in made.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")
            sys.stdout.write(f"written: {path.relative_to(EXERCISES.parent)}\n")
    for path in [*EXERCISES.glob("release/*/*.ipynb"), *EXERCISES.glob("solutions/*/*.ipynb")]:
        if path not in made:
            path.unlink()
            sys.stdout.write(f"removed: {path.relative_to(EXERCISES.parent)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
