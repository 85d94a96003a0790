"""What the package asks for: exactly these requirements, no address of a registry, and nothing at the top but this."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

BASE = {"anywidget", "ipywidgets", "tomlkit"}
EXTRAS = {
    "course": {"jupyterlab", "matplotlib", "mistune", "numpy", "segno", "tqdm", "voila"},
    "test": {
        "axe_playwright_python",
        "babel",
        "build",
        "cancel_hearts_nb[course,site]",
        "hatchling",
        "jupyter_repo2docker",
        "mypy",
        "nbclient",
        "nbformat",
        "nbgrader",
        "nbval",
        "pip_audit",
        "playwright",
        "psutil",
        "poethepoet",
        "pytest",
        "pytest_xdist",
        "ruff",
    },
    "dask": {"distributed"},
    "nbgrader": {"nbgrader"},
    "bench": {"open_spiel"},
    "site": {"hatchling", "jupyter_server", "jupyterlab_server", "jupyterlite_core", "jupyterlite_pyodide_kernel"},
}
# These must fit the Python for browsers that a site carries, to the last digit
EXACT = {"jupyterlite_core", "jupyterlite_pyodide_kernel"}  # fmt: skip
FOLDERS = {"cancel_hearts_nb", "notebooks", "exercises", "tests", "binder"}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~ ;]", requirement)[0] for requirement in requirements}


def test_the_requirements_are_exactly_these() -> None:
    assert names(PROJECT["dependencies"]) == BASE
    assert {extra: names(some) for extra, some in PROJECT["optional-dependencies"].items()} == EXTRAS


def test_every_requirement_has_a_lower_bound_and_no_upper_one() -> None:
    extras = PROJECT["optional-dependencies"].values()
    for requirement in [*PROJECT["dependencies"], *(one for some in extras for one in some)]:
        bound = "==" if names([requirement]) <= EXACT else ">="
        ours = r"cancel_hearts_nb\[course,site\]"
        assert re.fullmatch(rf"[a-z_2]+{bound}[\d.]+|{ours}", requirement), requirement


def test_the_pythons_that_are_named() -> None:
    assert PROJECT["requires-python"] == ">=3.11"
    named = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", text)]
    assert named == ["3.11", "3.12", "3.13"]


def files() -> list[Path]:
    """All files that are in the repository or could come into it: not those that .gitignore names."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


# In pieces, so that this file does not name what it looks for
REGISTRIES = re.compile(
    r"pypi\.(?:org|python)|python"
    + r"hosted\.org|npm"
    + r"js\.(?:com|org)|deb\.deb"
    + r"ian\.org|conda\.anac"
    + r"onda|--(?:extra-)?in"
    r"dex-url|--find-" + r"links|in" + r"dex_url|PIP_IN" + r"DEX",
    re.IGNORECASE,
)


def test_no_file_names_a_registry() -> None:
    """Where packages come from is the business of whoever installs them."""
    found = []
    for path in files():
        match = REGISTRIES.search(path.read_bytes().decode("utf-8", errors="replace"))
        if match:
            found.append((str(path.relative_to(ROOT)), match.group()))
    assert not found


def test_the_search_finds_registries() -> None:
    for part, rest in (("https://py", "pi.org/simple"), ("--extra-ind", "ex-url x"), ("files.python", "hosted.org")):
        assert REGISTRIES.search(part + rest)


def test_only_the_known_folders_are_at_the_top() -> None:
    tops = {path.relative_to(ROOT).parts[0] for path in files() if len(path.relative_to(ROOT).parts) > 1}
    assert {top for top in tops if not top.startswith(".")} <= FOLDERS


def test_no_file_is_left_over() -> None:
    """Neither what editors and tools leave behind nor large files."""
    for path in files():
        assert path.suffix not in {".pyc", ".orig", ".rej", ".swp", ".bak", ".whl"}, path
        assert path.stat().st_size < 1_000_000, path
