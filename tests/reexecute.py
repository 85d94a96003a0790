"""Run the notebooks anew and keep their outputs; run as `poe notebooks`, with names of notebooks to take only these.

What is saved does not depend on who ran it and when: no widget state, no times, no version of Python.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}


def clean(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Take out of an executed `notebook` what would differ next time, and widget state, which goes stale in files."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            # a random id of a widget that no longer exists; what is shown instead stands beside it
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
    return notebook


def execute(path: Path) -> None:
    """Run the notebook at `path` in its folder, with this Python, and save it. Raises CellExecutionError."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    nbformat.write(clean(notebook), path)


def main(names: list[str]) -> int:
    """Run the notebooks called `names`, or all of them."""
    for path in [Path(name) for name in names] or sorted(NOTEBOOKS.rglob("*.ipynb")):
        if ".ipynb_checkpoints" not in path.parts:
            sys.stdout.write(f"{path}\n")
            execute(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
