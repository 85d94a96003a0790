"""The site for visitors' own browsers: what it is made of, what is refused, and its pages in a real browser without a network.

The site itself is built where the extra `site` is installed. `python tests/site_pages.py DIR` opens every page of one.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import site_pages
from site_pages import Site
from test_play_page import cards, play_one, ready

from cancel_hearts_nb import cli, course, playerlist, resources, webruntime, website
from cancel_hearts_nb.i18n import words
from cancel_hearts_nb.names import NAMES
from cancel_hearts_nb.ruleset import ruleset
from cancel_hearts_nb.session import Session
from cancel_hearts_nb.view import often, plots, setupform
from cancel_hearts_nb.view.often import how_often

ROOT = Path(__file__).resolve().parent.parent
EXTRA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]["site"]
HEAVY = ("numpy", "matplotlib", "segno", "tqdm")
NAME, VERSION = webruntime.pins().runtime


# --- what it is made of


def test_every_version_is_exact_and_the_extra_installs_the_same_tools() -> None:
    pins = webruntime.pins()
    assert {f"{name}=={version}" for name, version in pins.tools.items()} == {
        one.replace("_", "-") for one in EXTRA if "==" in one
    }
    for version in (VERSION, *pins.tools.values(), *pins.packages.values(), *pins.page.values()):
        assert re.fullmatch(r"\d+(\.\d+)+", version), version


def test_the_runtime_is_the_one_that_the_kernel_was_made_for() -> None:
    constants = pytest.importorskip("jupyterlite_pyodide_kernel.constants", reason="the extra site is not installed")
    assert constants.PYODIDE_VERSION == VERSION


def test_what_our_wheel_asks_for_is_in_the_browser_too() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    have = {**webruntime.pins().packages}
    for one in asked:
        name, least = one.split(">=")
        assert [int(part) for part in have[name].split(".")] >= [int(part) for part in least.split(".")], one


def runtime(folder: Path, **changed: bytes | None) -> Path:
    """A stand-in for Pyodide's package in `folder`; None leaves a file out."""
    files: dict[str, bytes | None] = dict.fromkeys(webruntime.NEEDED, b"x")
    files["package.json"] = json.dumps({"name": NAME, "version": VERSION}).encode()
    files[webruntime.LOCK] = b'{"info": {"python": "3.14"}, "packages": {"numpy": {}}}'
    folder.mkdir(parents=True)
    for name, content in {**files, **changed}.items():
        if content is not None:
            (folder / name).write_bytes(content)
    return folder


def packed(folder: Path, archive: Path) -> Path:
    with tarfile.open(archive, "w:gz") as made:
        made.add(folder, "package")
    return archive


def test_the_runtime_comes_from_a_folder_or_an_archive(tmp_path: Path) -> None:
    folder = runtime(tmp_path / "a", **{"pyodide.asm.wasm": b"wasm", "console.html": b"not needed"})
    for i, given in enumerate((folder, packed(folder, tmp_path / "a.tgz"))):
        target = tmp_path / f"out{i}"
        webruntime.unpack_runtime(given, target)
        assert {path.name for path in target.iterdir()} == set(webruntime.NEEDED)
        assert (target / "pyodide.asm.wasm").read_bytes() == b"wasm"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"package.json": b'{"name": "pyodide", "version": "0.1.0"}'}, "pyodide@0.1.0, and the site needs pyodide@"),
        ({"package.json": b'{"name": "left-pad", "version": "1.0"}'}, "is left-pad@1.0"),
        ({"package.json": b"[]"}, "no readable package.json"),
        ({"package.json": None}, "no readable package.json"),
        ({"pyodide.asm.wasm": None}, "pyodide.asm.wasm is missing"),
    ],
    ids=["version", "name", "list", "none", "lacking"],
)
def test_another_runtime_is_refused_and_writes_nothing(
    tmp_path: Path, changed: dict[str, bytes | None], said: str
) -> None:
    folder = runtime(tmp_path / "a", **changed)
    for given in (folder, packed(folder, tmp_path / "a.tgz")):
        with pytest.raises(webruntime.RuntimeMissing, match=said):
            webruntime.unpack_runtime(given, tmp_path / "out")
        assert not (tmp_path / "out").exists()


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    given = tmp_path / "x.tgz"
    given.write_bytes(b"\x1f\x8bnothing")
    with pytest.raises(webruntime.RuntimeMissing, match="neither a folder nor an archive"):
        webruntime.unpack_runtime(given, tmp_path / "out")


def test_without_npm_a_sentence_says_what_to_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webruntime.shutil, "which", lambda name: None)
    with pytest.raises(webruntime.RuntimeMissing, match=f"{NAME}@{VERSION}.*npm.*not installed.*--pyodide"):
        webruntime.fetch_runtime(tmp_path)


def test_what_is_kept_is_not_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def fetch(command: list[str], folder: Path, wanted: str) -> None:
        asked.append(command)
        if "pack" in command:
            (folder / f"{NAME}-{VERSION}.tgz").touch()
        for one in command[command.index("--dest") + 2 :] if "--dest" in command else ():
            name, version = one.replace("-", "_").split("==")
            (folder / f"{name}-{version}-py3-none-any.whl").touch()

    monkeypatch.setattr(webruntime, "_run", fetch)
    monkeypatch.setattr(webruntime.shutil, "which", lambda name: "/usr/bin/npm")
    said: list[str] = []
    for _ in range(2):
        assert webruntime.fetch_runtime(tmp_path / "c", lambda: said.append("npm")).is_file()
        found = webruntime.fetch_wheels({"a-b": "1.0", "c": "2"}, tmp_path / "c", lambda: said.append("pip"))
        assert [path.name for path in found] == ["a_b-1.0-py3-none-any.whl", "c-2-py3-none-any.whl"]
    assert said == ["npm", "pip"] and len(asked) == 2
    webruntime.fetch_wheels({"a-b": "1.0", "c": "3"}, tmp_path / "c")
    # of another version only the one that lacks
    assert asked[-1][-1] == "c==3" and "a-b==1.0" not in asked[-1]


def test_a_fetch_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webruntime, "_PIP", ("--no-such-option",))
    with pytest.raises(webruntime.RuntimeMissing, match=r"a==1.0 could not be fetched.*no such option"):
        webruntime.fetch_wheels({"a": "1.0"}, tmp_path)
    monkeypatch.setattr(webruntime, "_run", lambda *command: None)
    with pytest.raises(webruntime.RuntimeMissing, match=r"pip has not brought a==1\.0"):
        webruntime.fetch_wheels({"a": "1.0"}, tmp_path)


def wheel(folder: Path, name: str, *needs: str) -> Path:
    made = folder / f"{name.replace('-', '_')}-1.0-py3-none-any.whl"
    module = name.replace("-", "_")
    about = "".join([f"Requires-Dist: {one}\n" for one in needs])
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(f"{module}/__init__.py", "")
        archive.writestr(f"{module}_one.py", "")
        archive.writestr(f"{module}-1.0.data/data/share/setup.py", "")
        archive.writestr(
            f"{module}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{about}\n"
        )
    return made


def test_the_lock_file_names_these_wheels_alone(tmp_path: Path) -> None:
    wheels = [
        wheel(tmp_path, "Left_Pad", "right.pad (>=1)", 'docs-only; extra == "docs"', "windows; sys_platform == 'win32'"),
        wheel(tmp_path, "right-pad"), wheel(tmp_path, "docs-only"),
    ]  # fmt: skip
    folder = runtime(tmp_path / "pyodide")
    webruntime.write_lock(folder, wheels)
    lock = json.loads((folder / webruntime.LOCK).read_text())
    assert lock["info"] == {"python": "3.14"}
    assert list(lock["packages"]) == ["docs-only", "left-pad", "right-pad"]
    left = lock["packages"]["left-pad"]
    assert left["depends"] == ["right-pad"]
    assert left["imports"] == ["Left_Pad", "Left_Pad_one"]
    assert hashlib.sha256((folder / left["file_name"]).read_bytes()).hexdigest() == left["sha256"]


# --- what is refused


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert cli.main(["site", *args]) == 2
    return capsys.readouterr().err


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were installed."""
    monkeypatch.setattr(website.importlib.metadata, "version", lambda name: webruntime.pins().tools[name])


def test_an_installation_without_a_checkout_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "site-packages" / "cancel_hearts_nb")
    assert "from a checkout" in refused(capsys, str(tmp_path / "x"))


def test_missing_and_other_tools_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def none(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(website.importlib.metadata, "version", none)
    assert f"Install them with: {website.INSTALL}" in refused(capsys, str(tmp_path / "x"))
    monkeypatch.setattr(website.importlib.metadata, "version", lambda name: "0.1")
    assert "needs jupyterlite-core 0.8.6, and 0.1 is installed" in refused(capsys, str(tmp_path / "x"))


@pytest.mark.usefixtures("tools")
def test_a_full_folder_and_a_file_are_refused_before_anything_is_fetched(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(webruntime, "fetch_runtime", lambda *given: pytest.fail("fetched"))
    (tmp_path / "kept").write_text("mine")
    assert "is not empty. With --force" in refused(capsys, str(tmp_path))
    assert "is a file, not a folder" in refused(capsys, str(tmp_path / "kept"), "--force")
    assert "The name of a file is missing" in refused(capsys)


@pytest.mark.usefixtures("tools")
def test_a_build_that_fails_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(*given: Any) -> None:
        raise website.SiteError("It rained.")

    given = runtime(tmp_path / "pyodide")
    monkeypatch.setattr(webruntime, "fetch_wheels", lambda wanted, *rest: [wheel(tmp_path, name) for name in wanted])
    monkeypatch.setattr(website, "_kernel_wheels", list)
    monkeypatch.setattr(website, "_own_wheel", lambda *given: wheel(tmp_path, "cancel-hearts-nb"))
    monkeypatch.setattr(website, "_kernel_extension", lambda: tmp_path)
    monkeypatch.setattr(website, "_run_build", fails)
    (tmp_path / "out").mkdir()
    assert refused(capsys, str(tmp_path / "out" / "site"), "--pyodide", str(given)) == "It rained.\n"
    assert list((tmp_path / "out").iterdir()) == []
    assert "cannot be built: “" in refused(
        capsys, str(tmp_path / "out" / "site"), "--pyodide", str(tmp_path / "nowhere")
    )


def made(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_a_site_replaces_an_earlier_one_and_nothing_else(tmp_path: Path) -> None:
    site = made(tmp_path / "new", **{website.MARK: "new", "index.html": "new"})
    folder = made(tmp_path / "out", **{website.MARK: "old", "index.html": "old", "CNAME": "mine"})
    website._move(site, folder, tmp_path / "old")
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        website.MARK: "new",
        "index.html": "new",
        "CNAME": "mine",
    }


def test_what_is_no_site_is_never_replaced(tmp_path: Path) -> None:
    site = made(tmp_path / "new", **{website.MARK: "new", "notebooks": "new"})
    folder = made(tmp_path / "out", notebooks="the only copy")
    with pytest.raises(website.SiteError, match=r"holds no site, but things .* notebooks"):
        website._move(site, folder, tmp_path / "old")
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"notebooks": "the only copy"}


# --- its first page and its notebooks


def test_the_first_page_has_every_lesson_the_direction_and_no_other_host(
    pseudo_words: Any, make_language: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "exercises" / "release" / "01"
    folder.mkdir(parents=True)
    book = {"cells": [{"cell_type": "markdown", "source": ["# Count <b>\n", "x"]}]}
    (folder / "01 a.ipynb").write_text(json.dumps(book))
    page = website.front_page(tmp_path, words())
    for lesson in course.lessons():
        assert f"path=notebooks/{lesson.name}.ipynb" in page
    assert "path=exercises/release/01/01%20a.ipynb'>Count &lt;b&gt;</a>" in page
    assert re.findall(r"(?:src|href)=[\"'](?!data:|notebooks/)[^\"']*", page) == []
    assert "<h2>Exercises" in page and "<h2>Exercises" not in website.front_page(tmp_path / "none", words())
    mirrored = website.front_page(tmp_path / "none", make_language("he", lambda form, _: form, "he"))
    assert '<html lang="he" dir="rtl">' in mirrored
    assert "<h2>⟦" in website.front_page(tmp_path / "none", pseudo_words)


def test_lessons_run_by_themselves_and_exercises_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson, exercise = tmp_path / "a.ipynb", tmp_path / "b.ipynb"
    website._copy_notebook(resources.path("notebooks") / "01_cards_and_deal.ipynb", lesson, lesson=True)
    website._copy_notebook(resources.path("notebooks") / "01_cards_and_deal.ipynb", exercise, lesson=False)
    one, two = json.loads(lesson.read_text()), json.loads(exercise.read_text())
    assert one["metadata"]["cancel_hearts"] == {"run": True} and "cancel_hearts" not in two["metadata"]
    hidden = [
        cell["metadata"].get("jupyter", {}).get("source_hidden") for cell in one["cells"] if cell["cell_type"] == "code"
    ]
    assert set(hidden) == {True}
    assert not any("jupyter" in cell["metadata"] for cell in two["cells"])
    # no cell is added, and no word is another
    original = json.loads((resources.path("notebooks") / "01_cards_and_deal.ipynb").read_text())
    assert [cell["source"] for cell in one["cells"]] == [cell["source"] for cell in original["cells"]]


# --- without numpy, as in a browser

BLOCKED = """
import ast, json, sys
for name in {names!r}:
    sys.modules[name] = None
import cancel_hearts_nb
for path in sys.argv[1:]:
    space = {{}}
    for cell in json.load(open(path, encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, path, "exec"), space)
            if last is not None:
                shown = eval(compile(ast.Expression(last.value), path, "eval"), space)
                assert repr(shown) and getattr(shown, "_repr_mimebundle_", lambda: 1)()
    print(path)
assert not {{"numpy", "matplotlib", "segno", "tqdm"}} & {{name for name, module in sys.modules.items() if module}}
"""


@pytest.mark.slow
def test_every_lesson_works_without_what_a_browser_does_not_have() -> None:
    paths = sorted(map(str, resources.path("notebooks").glob("*.ipynb")))
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED.format(names=HEAVY), *paths], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == paths and len(paths) == len(course.lessons())


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if neither numpy nor matplotlib were installed."""
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name in HEAVY else found(name, *rest))


@pytest.mark.usefixtures("bare")
def test_the_figures_show_what_is_stored_and_offer_nothing_else(make_language: Any) -> None:
    assert "sampling" not in playerlist.offered()
    stored = often.drawn("dead", "en")
    assert how_often("dead").picture == stored and how_often("dead").sizes == []
    # a language whose plots must be drawn gets the picture all the same, its words beside it
    mirrored = often.HowOften("dead", make_language("he", lambda form, _: "ש" + form, "he"))
    assert mirrored.picture == stored and mirrored.told["title"].startswith("ש")
    with pytest.raises(plots.PlotsMissing):
        plots.svg(plots.Plot("T", "x", "y", ()))


def test_the_form_says_that_nobody_looks_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    def told() -> str | None:
        fields = setupform.form({}, words()).fields["groups"][0]["fields"]
        return next(field for field in fields if field["id"] == "others").get("help")

    monkeypatch.setattr(setupform, "offered", lambda: ("random", "cautious", "sampling"))
    assert told() is None
    monkeypatch.setattr(setupform, "offered", lambda: ("random", "cautious"))
    assert "need numpy" in (told() or "")


# --- the site, built


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as a person would build it. What it takes is fetched once for an account."""
    if importlib.util.find_spec("jupyterlite_core") is None or shutil.which("npm") is None:
        pytest.skip("a site is built with the extra “site” and npm, and one of them is not here")
    made = tmp_path_factory.mktemp("site") / "made"
    done = subprocess.run(
        [sys.executable, "-m", "cancel_hearts_nb.cli", "site", str(made)], cwd=ROOT, capture_output=True, text=True
    )
    if re.search(r"connection broken by|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN", done.stderr):
        pytest.skip(f"what a site is made of did not come: {done.stderr.strip()[-300:]}")
    assert done.returncode == 0, done.stderr
    assert "-m http.server" in done.stdout
    return made


@pytest.mark.slow
def test_the_built_site_is_whole_small_and_asks_nobody_else(folder: Path) -> None:
    assert [path.name for path in folder.parent.iterdir()] == ["made"]
    assert not list(folder.rglob("*.map"))
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 45e6
    settings = json.loads((folder / website.MARK).read_text())["jupyter-config-data"]["litePluginSettings"]
    (kernel,) = settings.values()
    assert kernel["pyodideUrl"].startswith("./static/pyodide/") and kernel["disablePyPIFallback"] is True
    lock = json.loads((folder / "static" / "pyodide" / webruntime.LOCK).read_text())["packages"]
    assert set(kernel["loadPyodideOptions"]["packages"]) <= set(lock) and "numpy" not in lock
    for one in lock.values():
        content = (folder / "static" / "pyodide" / one["file_name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == one["sha256"]
        assert set(one["depends"]) <= set(lock)
    told = json.loads((folder / "api" / "contents" / "notebooks" / "all.json").read_text())["content"]
    assert {one["name"] for one in told} == {f"{lesson.name}.ipynb" for lesson in course.lessons()}
    assert not any(one["writable"] for one in told)


@pytest.fixture(scope="module")
def handed(folder: Path) -> Iterator[Site]:
    with site_pages.handed_out(folder) as site:
        yield site


@pytest.fixture(scope="module")
def context(request: pytest.FixtureRequest, handed: Site) -> Iterator[Any]:
    """A visitor's browser, for all pages of a visit; everything but the site is out of reach, and noted."""
    # asked for only now: where there is no site, there is nothing for a browser to do
    made = request.getfixturevalue("browser").new_context(proxy=handed.proxy, viewport={"width": 1280, "height": 900})
    made.set_default_timeout(site_pages.PATIENCE)
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["01_cards_and_deal", "03_following_suit"])
def test_a_lesson_shows_cards_in_the_visitors_own_browser(context: Any, handed: Site, name: str) -> None:
    page = context.new_page()
    said = site_pages.watch(page)
    site_pages.opened(page, handed, f"notebooks/{name}.ipynb")
    assert site_pages.shown(page, name) > 20
    # run in the page, and not only stored in the notebook
    step = page.locator(".chnb input[type=range]").first
    before = step.input_value()
    page.locator("[data-go=next]").first.click()
    page.wait_for_function("([one, before]) => one.value !== before", arg=[step.element_handle(), before])
    assert (said, handed.outside, handed.missing) == ([], [], [])
    page.close()


@pytest.mark.slow
def test_a_whole_hand_is_played_on_from_its_address_with_a_hint_in_words(context: Any, handed: Site) -> None:
    page = context.new_page()
    said = site_pages.watch(page)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    page.goto(handed.address)
    address = str(page.locator("text=Take a seat and play").evaluate("link => link.href"))
    assert address == handed.page(f"notebooks/{website.PLAY}.ipynb")
    # as a reload finds it: with eleven players each has nine cards
    begun = Session(ruleset("cancellation", 11), NAMES, 0, "cautious", seed=7)
    page.goto(f"{address}&play={begun.code()}")
    site_pages.ready(page)
    page.wait_for_selector(".hand button")
    assert "Choose 3 cards" in ready(page)
    assert cards(page) == 9
    page.click("[data-play=hint]")
    page.wait_for_selector(".chnb [data-mark~=hint]")
    assert re.search(r"Pass .*: ", page.locator(".chnb .cap").inner_text())
    assert page.locator(".hand .exp").count() == 0
    for i in range(3):
        page.locator(".hand button").nth(i).click(position={"x": 8, "y": 14})
    page.click("[data-play=commit_play]")
    page.wait_for_function("document.querySelector('.hand').getAttribute('role') === 'toolbar'")
    ready(page)
    while cards(page):
        before = page.url
        play_one(page)
        ready(page)
        page.wait_for_function("before => location.href !== before", arg=before)
        assert "&play=" in page.url
    page.wait_for_selector("[data-play=next_hand]")
    assert page.locator(".scores thead th[scope=col]").count() == 12
    page.click("a:has-text('Next: How often?')")
    page.wait_for_url("**path=notebooks%2F08_how_often.ipynb")
    assert (said, dialogs, handed.outside, handed.missing) == ([], [], [], [])
    page.close()


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "exercises" / "release" / "03_winner").is_dir(), reason="there are no exercises yet")
def test_an_exercise_is_written_and_checked(context: Any, handed: Site) -> None:
    page = context.new_page()
    said = site_pages.watch(page)
    page.on("dialog", lambda dialog: dialog.accept())
    site_pages.opened(page, handed, "exercises/release/03_winner/03_winner.ipynb")

    def run(text: str, code: str = "") -> Any:
        cell = page.locator(".jp-CodeCell", has_text=text).first
        cell.locator(".cm-content").click()
        if code:
            page.keyboard.press("Control+a")
            page.keyboard.insert_text(code)
        page.keyboard.press("Shift+Enter")
        return cell.locator(".jp-OutputArea-output").first

    run("exercise = checks.exercise").wait_for()
    suited = "[card for card in trick if card.suit == trick[0].suit]"
    for cards_tried, judged in (("trick", "Not yet"), (suited, "Passed")):
        run("def highest(trick)", f"def highest(trick):\n    return max({cards_tried}, key=lambda card: card.rank)")
        shown = run("result = exercise.highest.check()")
        page.wait_for_function(
            "([one, text]) => one.innerText.includes(text)", arg=[page.locator(".jp-Notebook").element_handle(), judged]
        )
        assert judged in shown.inner_text()
    assert (said, handed.outside, handed.missing) == ([], [], [])
    page.close()
