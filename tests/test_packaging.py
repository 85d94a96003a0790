"""What is built and what an installation finds: wheel, source package, editable; each really installed and run."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed import dashboard

from cancel_hearts_nb import __version__, resources, voilasettings

ROOT = Path(__file__).resolve().parent.parent
NAME = f"cancel_hearts_nb-{__version__}"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="paths of an environment differ elsewhere"),
]


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run([*map(str, command)], cwd=cwd, env={**env, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source package, the wheel built from the checkout and, in `again`, the wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir"]
    run(*build, folder, "--sdist", "--wheel", ROOT, cwd=folder)
    with tarfile.open(folder / f"{NAME}.tar.gz") as source:
        # the first releases of Python 3.11 have no filters, later ones ask for one
        source.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    run(*build, folder / "again", "--wheel", folder / NAME, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return built / f"{NAME}-py3-none-any.whl"


def files(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def tracked(folder: str) -> set[str]:
    """The files below `folder` of the checkout that belong to the project, by their path inside it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder], cwd=ROOT, capture_output=True
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    return {str(Path(name).relative_to(folder)) for name in names}


def test_the_wheel_holds_the_package_the_notebooks_the_learners_exercises_and_nothing_else(wheel: Path) -> None:
    names = set(files(wheel))
    package = {f"cancel_hearts_nb/{name}" for name in tracked("cancel_hearts_nb")}
    notebooks = {f"cancel_hearts_nb/share/notebooks/{name}" for name in tracked("notebooks")}
    exercises = {f"cancel_hearts_nb/share/exercises/release/{name}" for name in tracked("exercises/release")}
    assert {name for name in names if ".dist-info/" not in name} == package | notebooks | exercises
    assert "cancel_hearts_nb/share/exercises/release/01_cards/01_cards.ipynb" in names
    assert "cancel_hearts_nb/share/notebooks/00_start_here.ipynb" in names
    assert "cancel_hearts_nb/locale/en/LC_MESSAGES/cancel_hearts_nb.mo" in names
    assert any(name.startswith("cancel_hearts_nb/data/records/") and name.endswith(".toml") for name in names)
    assert {Path(name).suffix for name in names if name.startswith("cancel_hearts_nb/view/static/")} >= {".js", ".css"}
    assert f"{NAME}.dist-info/licenses/LICENSE" in names


def test_the_source_package_builds_the_same_wheel(built: Path, wheel: Path) -> None:
    assert files(built / "again" / wheel.name) == files(wheel)


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    metadata = files(wheel)[f"{NAME}.dist-info/METADATA"].decode()
    head = metadata.partition("\n\n")[0].splitlines()
    assert {"Name: cancel_hearts_nb", "License-Expression: BSD-3-Clause", "Requires-Python: >=3.11"} <= set(head)
    assert "# cancel_hearts_nb" in metadata
    entries = files(wheel)[f"{NAME}.dist-info/entry_points.txt"].decode()
    assert "cancel-hearts = cancel_hearts_nb.cli:main" in entries


class Environment:
    """A fresh virtual environment that sees the packages of this one, but not an editable install in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.EnvBuilder(with_pip=False, symlinks=True).create(folder / "venv")
        self.bin = folder / "venv" / "bin"
        self.empty = folder / "empty"
        self.empty.mkdir()
        # a plain line in a .pth file: what .pth files over there point to is not followed
        site = Path(self.python("-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])").strip())
        (site / "others.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")

    def python(self, *args: str | Path) -> str:
        return run(self.bin / "python", *args, cwd=self.empty)

    def install(self, *what: str | Path) -> None:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            self.bin / "python",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
        ]
        run(*pip, "--ignore-installed", "--no-build-isolation", *what, cwd=self.empty)

    def hearts(self, *args: str) -> str:
        return run(self.bin / "cancel-hearts", *args, cwd=self.empty)

    def place(self, kind: str) -> Path:
        code = f"from cancel_hearts_nb import resources; print(resources.path({kind!r}))"
        return Path(self.python("-c", code).strip())


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[Environment]:
    made = Environment(tmp_path)
    yield made
    assert list(made.empty.iterdir()) == [], "running in an empty folder left something there"


@pytest.mark.parametrize("way", ["wheel", "source"])
def test_an_installed_wheel_finds_everything_in_itself(
    built: Path, wheel: Path, environment: Environment, way: str
) -> None:
    environment.install(wheel if way == "wheel" else built / "again" / wheel.name)
    for kind in ("notebooks", "exercises", "records", "questions", "data", "plots", "locale", "jupyter"):
        place = environment.place(kind)
        assert place.is_relative_to(environment.folder), place
        assert any(place.iterdir())
    assert "Two pairs: nobody wins [trick.dead]" in environment.hearts("rules", "trick.dead", "--lang", "en")
    text = environment.hearts("record", "--ruleset", "cancellation", "--seats", "8", "--seed", "7")
    assert "[[hand]]" in text
    record = next(path for path in sorted(environment.place("records").iterdir()) if path.suffix == ".toml")
    assert "  1. " in environment.hearts("replay", str(record))
    if way == "wheel":
        environment.hearts("export", str(environment.folder / "course"))
        assert len(list((environment.folder / "course").glob("??_*.html"))) == len(
            list(environment.place("notebooks").glob("*.ipynb"))
        )


def test_an_editable_install_finds_the_checkout_and_leaves_no_copy(environment: Environment) -> None:
    environment.install("--editable", ROOT)
    assert environment.place("notebooks") == ROOT / "notebooks"
    assert environment.place("records") == ROOT / "cancel_hearts_nb" / "data" / "records"
    assert not list(environment.folder.rglob("site-packages/cancel_hearts_nb"))
    assert "[trick.dead]" in environment.hearts("rules")


def test_folders_of_others_are_not_taken_for_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel without its notebooks must not serve a `notebooks` folder that stands beside it in site-packages."""
    (tmp_path / "notebooks").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "cancel_hearts_nb")
    with pytest.raises(resources.MissingFiles):
        resources.path("notebooks")
    (tmp_path / "pyproject.toml").touch()
    assert resources.path("notebooks") == tmp_path / "notebooks"
    (tmp_path / "cancel_hearts_nb" / "share" / "notebooks").mkdir(parents=True)
    assert resources.path("notebooks") == tmp_path / "cancel_hearts_nb" / "share" / "notebooks"


def test_the_dashboard_runs_from_a_wheel_in_an_empty_folder(wheel: Path, environment: Environment) -> None:
    environment.install(wheel)
    # what Jupyter's packages keep beside the environment that they were installed into
    beside = str(Path(sys.prefix) / "share" / "jupyter")
    with dashboard(environment.bin, environment.empty, "28866", JUPYTER_PATH=beside) as address:
        host, _, path = address.partition("/")
        connection = http.client.HTTPConnection(host, timeout=60)
        connection.request("GET", f"/{path}")
        answer = connection.getresponse()
        page = answer.read().decode()
    assert answer.status == 200
    assert voilasettings.FAILED not in page
    assert '<html lang="en" dir="ltr">' in page
    assert "application/vnd.jupyter.widget-view+json" in page
