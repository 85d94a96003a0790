"""What Binder serves: its environment is built from one file alone, stays small, and shows every page.

The same environment then tries out the wheel, in an empty folder: `poe pythons` does that with other Pythons.
"""

from __future__ import annotations

import http.server
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import badges
import binderimage
import installed
import interpreters
import pins
import pytest
from conftest import in_ci
from servers import Served, free_port, serving

from cancel_hearts_nb import voilasettings

ROOT = binderimage.ROOT
BINDER = ROOT / "binder"
FIRST, PLAYING = voilasettings.FIRST_PAGE, voilasettings.PLAYING_PAGE
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb"))

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Binder and its pins are for Linux")


# --- without building anything


def tree(folder: Path, files: dict[str, int]) -> Path:
    for name, length in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x" * length)
    return folder


def test_the_count_leaves_out_what_it_says_and_nothing_else(tmp_path: Path) -> None:
    site = "lib/python3.11/site-packages"
    made = tree(
        tmp_path / "small",
        {
            "pyvenv.cfg": 1, "share/jupyter/pip/lab.js": 20, f"{site}/numpy/core.so": 300, f"{site}/pipes/a.py": 4_000,
            f"{site}/pip/a.py": 7, f"{site}/pip-24.0.dist-info/METADATA": 7, f"{site}/setuptools/a/b.py": 7,
            f"{site}/setuptools-65.dist-info/x": 7, f"{site}/pkg_resources/a.py": 7, f"{site}/_distutils_hack/a.py": 7,
            f"{site}/distutils-precedence.pth": 7, f"{site}/numpy/__pycache__/core.pyc": 7, "bin/__pycache__/a.pyc": 7,
            f"{site}/numpy/pip/a.py": 50_000,
        },
    )  # fmt: skip
    (made / "bin" / "python").symlink_to(made / "pyvenv.cfg")
    (made / "lib64").symlink_to(made / "lib")
    assert binderimage.size(made) == 54_321


def test_the_command_counts_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert binderimage.main([str(tree(tmp_path / "small", {"a": 1_240_000}))]) == 0
    assert capsys.readouterr().out == "1.2 MB of 310 MB\n"
    (tmp_path / "small" / "b").touch()
    os.truncate(tmp_path / "small" / "b", 310_000_001)  # a file with a hole takes no room
    assert binderimage.main([str(tmp_path / "small")]) == 1


@pytest.mark.parametrize("found", ["7.8.5", "8.1.7"])
def test_post_build_stops_at_another_ipywidgets(tmp_path: Path, found: str) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\ncase "$2" in *ipywidgets*) echo {found};; *) echo {tmp_path};; esac\n')
    python.chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [BINDER / "postBuild"], cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert f"ipywidgets {found} is installed" in done.stderr and pins.pinned()["ipywidgets"] in done.stderr
    assert not (tmp_path / "etc").exists()


def repo2docker(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_repo2docker_takes_the_folder(tmp_path: Path) -> None:
    """It needs no Docker to say what it would build."""
    if importlib.util.find_spec("repo2docker") is None:
        pytest.skip("jupyter-repo2docker is not installed")
    shutil.copytree(BINDER, tmp_path / "binder")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    done = repo2docker(tmp_path)
    assert done.returncode == 0, done.stderr
    recipe = done.stdout
    assert f"Building conda environment for python={pins.python()}\n" in done.stderr
    # the requirements name the checkout, so it must be there when they are installed
    steps = [
        "COPY --chown=0:0 src/ ${REPO_DIR}/",
        'install --no-cache-dir -r "binder/requirements.txt"',
        "RUN ./binder/postBuild",
    ]
    places = [recipe.find(step) for step in steps]
    assert -1 not in places and places == sorted(places), recipe
    (tmp_path / "binder" / "runtime.txt").write_text("python-3.99\n")
    assert repo2docker(tmp_path).returncode != 0, "it did not look at the folder"


# --- the links in the README


def test_the_readme_leads_to_the_playing_page_the_course_and_jupyterlab() -> None:
    found = badges.badges(badges.README.read_text(encoding="utf-8"))
    assert [(badge.way, badge.page) for badge in found] == [
        ("voila/render/", f"notebooks/{PLAYING}"), ("voila/render/", f"notebooks/{FIRST}"), ("lab/tree/", f"notebooks/{FIRST}"),
    ]  # fmt: skip
    for badge in found:
        assert (ROOT / badge.page).is_file()
    assert len({(badge.repository, badge.branch) for badge in found}) == 1


LINK = "https://mybinder.org/v2/gh/OWNER/REPO/HEAD?urlpath="


@pytest.mark.parametrize(
    "wrong",
    [
        LINK + "%2Fvoila%2Frender%2Fa.ipynb",  # an error 404 on Binder
        LINK + "voila/render/a.ipynb",
        LINK + "voila%2Frender/a.ipynb",
        LINK + "tree%2Fa.ipynb",
        LINK.replace("urlpath", "filepath") + "a.ipynb",
        LINK.replace("/HEAD", "") + "lab%2Ftree%2Fa.ipynb",
    ],
)
def test_a_link_of_another_form_is_found(wrong: str) -> None:
    assert badges.badges(f"[a]({LINK}voila%2Frender%2Fa.ipynb)") == [
        badges.Badge("OWNER/REPO", "HEAD", "voila/render/", "a.ipynb")
    ]
    with pytest.raises(ValueError, match=r"another form|neither"):
        badges.badges(f"[a]({wrong})")


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("git@github.com:me/my.cards.git\n", "me/my.cards"),
        ("https://github.com/me/cards", "me/cards"),
        ("https://github.com/me/cards.git", "me/cards"),
        ("ssh://git@github.com/me/cards.git", "me/cards"),
        ("/srv/me/cards", None),
        ("https://example.org/me/cards.git", None),
        ("", None),
    ],
)
def test_a_fork_puts_in_its_own_name(address: str, name: str | None) -> None:
    assert badges.repository(address) == name
    text = f"[a]({LINK}lab%2Ftree%2Fa.ipynb) [b]({LINK}voila%2Frender%2Fa.ipynb) OWNER/REPO"
    if name:
        moved = badges.renamed(text, name)
        assert {badge.repository for badge in badges.badges(moved)} == {name}
        assert moved.endswith(" OWNER/REPO")


# --- the environment, built once for what follows


@contextmanager
def fetching() -> Iterator[None]:
    """Skip the test where packages cannot be had; CI has a network."""
    try:
        yield
    except AssertionError as error:
        if in_ci() or "connection broken by" not in str(error):
            raise
        pytest.skip("without a network no packages can be had")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment of exactly binder/requirements.txt, on its Python where that is found."""
    folder = tmp_path_factory.mktemp("binder") / "environment"
    with fetching():
        return binderimage.build(folder, interpreters.find(pins.python()) or sys.executable)


@pytest.mark.slow
def test_the_file_brings_itself_and_nothing_else(environment: Path) -> None:
    code = "import importlib.metadata as m, json; print(json.dumps({d.name: d.version for d in m.distributions()}))"
    found: dict[str, str] = json.loads(binderimage.run(environment / "bin" / "python", "-c", code))
    del found["cancel_hearts_nb"]
    assert pins.changes(pins.pinned(), found) == []


@pytest.mark.slow
def test_the_environment_is_small(environment: Path) -> None:
    assert binderimage.size(environment) <= binderimage.LIMIT * 1_000_000


@pytest.fixture(scope="module")
def server(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """JupyterLab's server as Binder starts it, at the top of the repository, with Voilà inside."""
    home, port = tmp_path_factory.mktemp("lab"), free_port()
    (home / "notebooks").symlink_to(ROOT)
    command = [
        str(environment / "bin" / "jupyter-lab"), "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--allow-root",
        "--IdentityProvider.token=", f"--ServerApp.root_dir={ROOT}",
    ]  # fmt: skip
    env = {"PYTHONPATH": "", "JUPYTER_PATH": "", "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    with serving(home, command, port, "/api", env) as served:
        yield served


@pytest.mark.slow
def test_every_page_is_shown_by_voila_inside_jupyterlab(server: Served) -> None:
    port = int(server.address.rpartition(":")[2])
    assert f"notebooks/{PLAYING}" in PAGES
    assert installed.ask_pages(port, [f"/voila/render/{page}" for page in PAGES]) == {}


@pytest.mark.slow
def test_pages_have_the_settings_of_the_lessons(server: Served) -> None:
    """Not Voilà's own template, which asks another host for fonts."""
    page = urllib.request.urlopen(f"{server.address}/voila/render/notebooks/{FIRST}", timeout=120).read().decode()
    assert '<html lang="en" dir="ltr">' in page
    assert re.findall(r"""(?:src|href)=["'](?:https?:)?//[^"']*""", page) == []


@pytest.mark.slow
def test_jupyterlab_opens_the_first_lesson(server: Served) -> None:
    page = urllib.request.urlopen(f"{server.address}/lab/tree/notebooks/{FIRST}", timeout=60)
    assert page.status == 200 and b"JupyterLab" in page.read()
    there = json.loads(urllib.request.urlopen(f"{server.address}/api/contents/notebooks/{FIRST}", timeout=60).read())
    assert there["type"] == "notebook"


def test_a_page_that_cannot_be_shown_is_found() -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(500 if self.path == "/fallen" else 200)
            self.end_headers()
            texts = {"/empty": "no table", "/failed": f"{installed.WIDGET} There was an error when executing cell"}
            self.wfile.write(texts.get(self.path, installed.WIDGET).encode())

        def log_message(self, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        wrong = installed.ask_pages(server.server_port, ["/good", "/empty", "/failed", "/fallen"])
        server.shutdown()
    assert list(wrong) == ["/empty", "/failed", "/fallen"]


# --- the wheel; from here on the environment has it instead of the checkout


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_folder(environment: Path, tmp_path: Path) -> None:
    built, empty = installed.wheel(tmp_path / "dist"), tmp_path / "empty"
    empty.mkdir()
    binderimage.pip(environment, "--no-index", "--no-deps", "--force-reinstall", built)
    # all that the wheel asks for is there already
    binderimage.pip(environment, "--no-index", f"{built}[course]")
    there = installed.Installed(environment, empty)
    assert there.folder("notebooks").is_relative_to(environment)
    assert there.notebooks() == [Path(page).name for page in PAGES]
    there.try_out()


@pytest.mark.slow
@pytest.mark.parametrize("version", [version for version in interpreters.VERSIONS if version != pins.python()])
def test_the_wheel_works_in_an_empty_folder_on_another_python(version: str, tmp_path: Path) -> None:
    python = interpreters.find(version)
    if python is None:
        pytest.skip(f"Python {version} is not on this machine")
    built = installed.wheel(tmp_path / "dist")
    with fetching():
        there = installed.install(tmp_path, python, built)
    there.try_out()


def test_pythons_are_found_by_version() -> None:
    here = "{}.{}".format(*sys.version_info)
    assert interpreters.find(here) == sys.executable
    assert interpreters.find("3.1") is None
