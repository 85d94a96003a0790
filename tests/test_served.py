"""The page around a lesson, and the ways to serve it: below a path, with kernels that wait, to a class, by a Jupyter server."""

from __future__ import annotations

import base64
import gettext
import hashlib
import inspect
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from byhand import V1, Wire, ask, kernel_of
from servers import BROKEN_PAGE, Served, free_port, kernels, serving

from cancel_hearts_nb import cli, i18n, resources, serve, voilasettings
from cancel_hearts_nb.i18n import words

slow = pytest.mark.slow
BELOW = "/some/path/"
CULLED = 20


class Visit(NamedTuple):
    """A page under its own policy, the addresses that it asked for, and what its console said."""

    page: Any
    asked: list[str]
    said: list[str]


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    """A function that opens a page of its own browser profile, with the options of a Playwright context."""
    contexts = []

    def start(**options: Any) -> Visit:
        contexts.append(browser.new_context(**{"bypass_csp": False, "color_scheme": "light", **options}))
        made = Visit(contexts[-1].new_page(), [], [])
        made.page.set_default_timeout(60_000)
        made.page.on("request", lambda request: made.asked.append(request.url))
        made.page.on("websocket", lambda wire: made.asked.append(wire.url.replace("ws:", "http:")))
        made.page.on("console", lambda message: made.said.append(message.text))
        made.page.on("pageerror", lambda error: made.said.append(f"There was an error: {error}"))
        return made

    yield start
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Served]:
    """The lessons below a path, with a kernel that waits for a player; kernels of closed pages soon go."""
    home, port = tmp_path_factory.mktemp("proxied"), free_port()
    shutil.copytree(resources.path("notebooks"), home / "notebooks", ignore=shutil.ignore_patterns(".ipynb_*"))
    place = serve.Place(port=port, path=BELOW, name="lessons.example.org", preheat=1)
    sooner = [f"--MappingKernelManager.cull_idle_timeout={CULLED}", "--MappingKernelManager.cull_interval=2"]
    with serving(home, [*serve.command(place), *sooner], port, BELOW, {"VOILA_APP_IP": place.host}) as served:
        yield served


@pytest.fixture(scope="module")
def left(proxied: Served) -> str:
    """The kernel of a page that somebody opened and left before its scripts had run; at first one kernel is waiting."""
    deadline = time.monotonic() + 60
    while not kernels(proxied.process.pid) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert len(kernels(proxied.process.pid)) == 1
    return kernel_of(ask(proxied.address, f"{BELOW}voila/render/01_cards_and_deal.ipynb")[2])


@slow
def test_below_a_path_pages_links_and_sockets_work(proxied: Served, left: str, visit: Any) -> None:
    page, asked, said = visit()
    root = proxied.address + BELOW
    page.goto(root)
    assert page.title() == "Learn Cancellation Hearts"
    page.get_by_role("link", name="Start here").click()
    page.locator(".chnb .card:not(.away)").first.wait_for()
    page.locator(".chnb-lesson").get_by_role("link", name="Cards and deal").click()
    page.locator("h1", has_text="Cards and deal").wait_for()
    assert page.url == root + "voila/render/01_cards_and_deal.ipynb"
    page.goto(root + "voila/render/07_play_a_hand.ipynb")
    page.locator("[data-play=start]").click()
    page.locator(".hand button").first.wait_for()
    assert page.url.startswith(root)
    assert not [url for url in asked if not url.startswith((root, "blob:" + proxied.address, "data:"))]
    assert any("/channels" in url for url in asked)
    assert not [line for line in said for bad in BROKEN_PAGE if bad in line]


@slow
def test_a_kernel_that_waited_learns_by_which_address_somebody_came(proxied: Served, left: str, visit: Any) -> None:
    page = visit().page
    page.goto(f"{proxied.address}{BELOW}voila/render/07_play_a_hand.ipynb?play=1nonsense")
    page.locator(".fault", has_text="cannot go on").wait_for()


@slow
def test_only_its_path_and_its_names_lead_to_the_lessons(proxied: Served) -> None:
    assert ask(proxied.address, "/")[0] == 404
    status, headers, _ = ask(proxied.address, BELOW.rstrip("/"))
    assert (status, headers["Location"]) == (301, BELOW)
    assert ask(proxied.address, BELOW, Host="lessons.example.org")[0] == 200
    assert ask(proxied.address, BELOW, Host="LESSONS.example.org:80")[0] == 200
    assert ask(proxied.address, BELOW, Host="lessons-example.org")[0] == 421
    status, _, text = ask(proxied.address, f"{BELOW}nothing")
    assert status == 404
    assert f'href="{BELOW}voila/render/00_start_here.ipynb"' in text


@slow
def test_a_page_that_is_closed_frees_its_kernel_at_once(proxied: Served, left: str, visit: Any) -> None:
    page, asked, _ = visit()
    page.goto(f"{proxied.address}{BELOW}voila/render/02_passing.ipynb")
    page.locator(".chnb").first.wait_for()
    own = next(url for url in asked if "/channels" in url).split("/kernels/")[1].split("/")[0]
    assert ask(proxied.address, f"{BELOW}api/kernels/{own}")[0] == 200
    # another page in the same tab: the browser tells the server as it leaves
    page.goto(f"{proxied.address}{BELOW}voila/render/01_cards_and_deal.ipynb")
    until = time.monotonic() + 10  # sooner than the kernels of pages that only lost their line go
    while ask(proxied.address, f"{BELOW}api/kernels/{own}")[0] == 200 and time.monotonic() < until:
        time.sleep(0.2)
    assert ask(proxied.address, f"{BELOW}api/kernels/{own}")[0] == 404


@slow
def test_the_kernel_of_a_page_that_was_left_goes_and_that_of_an_open_one_stays(
    proxied: Served, left: str, visit: Any
) -> None:
    page, asked, _ = visit()
    page.goto(f"{proxied.address}{BELOW}voila/render/02_passing.ipynb")
    page.locator(".chnb").first.wait_for()
    opened = time.monotonic()
    own = next(url for url in asked if "/channels" in url).split("/kernels/")[1].split("/")[0]
    while ask(proxied.address, f"{BELOW}api/kernels/{left}")[0] == 200 and time.monotonic() < opened + 60:
        time.sleep(0.5)
    assert ask(proxied.address, f"{BELOW}api/kernels/{left}")[0] == 404
    assert ask(proxied.address, f"{BELOW}api/kernels/{own}")[0] == 200
    # and one is waiting again, however long nobody comes
    while len(kernels(proxied.process.pid)) < 2 and time.monotonic() < opened + 90:
        time.sleep(0.5)
    assert len(kernels(proxied.process.pid)) >= 2


# --- the page around the lesson


@pytest.fixture
def lesson(dashboard: tuple[str, Any]) -> str:
    return dashboard[0] + "voila/render/02_passing.ipynb"


def hold(page: Any, pattern: str) -> list[Any]:
    """Hold back what the page asks for; each can be let go later."""
    held: list[Any] = []

    def keep(route: Any) -> None:
        held.append(route)

    page.route(pattern, keep)
    return held


def darkness(page: Any) -> bool:
    red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")[:3]
    return int(red) + int(green) + int(blue) < 150


@slow
def test_the_page_says_that_it_is_being_made_ready_and_can_be_read_meanwhile(lesson: str, visit: Any) -> None:
    page = visit(viewport={"width": 360, "height": 640}).page
    held = hold(page, "**/voila/static/voila.js")
    page.goto(lesson, wait_until="commit")
    page.get_by_role("status").wait_for()
    assert page.get_by_role("status").inner_text() == "The tables of this page are being made ready…"
    page.locator("h1", has_text="Passing").wait_for()
    page.locator("text=Three cards").first.wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    page.locator("#chnb-state").wait_for(state="detached")
    assert page.locator(".chnb, .chnb-wheel").count()


@slow
def test_without_scripts_a_sentence_says_what_is_missing(lesson: str, visit: Any) -> None:
    page = visit(java_script_enabled=False).page
    page.goto(lesson)
    assert "need JavaScript" in page.locator("noscript p").inner_text()
    assert page.locator("noscript p").is_visible()
    assert not page.locator("#chnb-state").is_visible()
    assert page.locator("h1", has_text="Passing").is_visible()


@slow
def test_a_script_that_does_not_come_is_told(lesson: str, visit: Any) -> None:
    page = visit().page
    page.route("**/voila/static/voila.js", lambda route: route.abort())
    page.goto(lesson)
    page.locator("#chnb-state", has_text="did not come").wait_for()


@slow
def test_in_the_dark_nothing_is_white_before_or_after(lesson: str, visit: Any) -> None:
    page = visit(color_scheme="dark").page
    hold(page, "**/*.js*")
    page.goto(lesson, wait_until="commit")
    page.locator("body.chnb-page").wait_for(state="attached")
    assert darkness(page)
    # what was held back goes on
    page.unroute("**/*.js*")
    page.locator(".chnb[data-theme=dark], .chnb-wheel[data-theme=dark]").first.wait_for()
    assert darkness(page)
    assert page.get_attribute("body", "data-jp-theme-light") == "false"
    page.emulate_media(color_scheme="light")
    page.locator(".chnb[data-theme=light], .chnb-wheel[data-theme=light]").first.wait_for()
    assert not darkness(page)


@slow
def test_the_policy_of_the_page_stops_what_was_written_into_it(lesson: str, visit: Any) -> None:
    page, _, said = visit()
    page.goto(lesson)
    page.locator("#chnb-state").wait_for(state="detached")
    page.evaluate("""() => {
        document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hit = 1' }));
        document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.hit = 2"><a href="javascript:window.hit = 3" id=evil>x</a>');
        document.getElementById('evil').click();
    }""")
    page.wait_for_timeout(300)
    assert page.evaluate("window.hit ?? null") is None
    # what Playwright runs at once may do more than the page itself
    later = (
        "call => new Promise(done => setTimeout(() => { try { done(call()); } catch (error) { done(error.name); } }))"
    )
    assert page.evaluate(f"({later})(() => globalThis.eval('1 + 1'))") == "EvalError"
    page.evaluate(
        "() => { fetch('http://127.0.0.1:9/').catch(() => {}); try { new WebSocket('ws://127.0.0.1:9/'); } catch {} }"
    )
    page.wait_for_timeout(300)
    blocked = [line for line in said if "Content Security Policy" in line]
    for what in ("inline script", "inline event handler", "http://127.0.0.1:9", "ws://127.0.0.1:9"):
        assert any(what in line for line in blocked), what


def test_the_policy_knows_the_one_script_that_voila_writes_into_a_page() -> None:
    """It comes when a cell takes longer than ten seconds."""
    from voila import handler

    written = re.findall(r"<script>(.*?)</script>", inspect.getsource(handler))
    hashes = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in written]
    assert hashes == re.findall("'sha256-(.*?)'", voilasettings.POLICY)


def test_language_and_direction_of_the_page() -> None:
    texts = voilasettings.texts(i18n.Words("he", gettext.NullTranslations()))
    assert (texts["language"], texts["direction"]) == ("he", "rtl")
    assert 'dir="{{ ours.direction | e }}"' in (
        resources.path("jupyter") / "voila/templates/cancel_hearts/index.html.j2"
    ).read_text("utf-8")


def test_culling_leaves_a_loading_page_alone() -> None:
    """Kernels of closed pages go, but not before the slowest page has loaded, and never under an open page."""
    settings = voilasettings.settings(words())
    culling = settings["MappingKernelManager"]
    assert culling["cull_idle_timeout"] >= 300
    assert culling["cull_interval"] > 0
    assert not {"cull_connected", "cull_busy"} & set(culling)


def test_jupyter_knows_every_setting() -> None:
    """It passes over an option that it does not know, so a misspelt one would go unnoticed."""
    from jupyter_server.serverapp import ServerApp
    from jupyter_server.services.kernels.kernelmanager import MappingKernelManager
    from traitlets.config import Config
    from voila.configuration import VoilaConfiguration
    from voila.execute import VoilaExecutor

    from cancel_hearts_nb.voilaserver import Lessons

    known = {cls.__name__: cls for cls in (ServerApp, VoilaConfiguration, VoilaExecutor, MappingKernelManager, Lessons)}
    config = Config()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", "/elsewhere")
        voilasettings.use(config, words())
        voilasettings.use(config)
        folders = os.environ["JUPYTER_PATH"].split(":")
    assert folders == [str(resources.path("jupyter")), "/elsewhere"]
    for owner, traits in config.items():
        for trait in traits:
            assert known[owner].class_traits(config=True).get(trait), f"{owner}.{trait}"
    for part in serve.command(serve.Place()):
        if part.startswith("--") and "=" in part:
            owner, trait = part[2:].split("=", 1)[0].split(".")
            cls = Lessons if owner == "Voila" else known[owner]
            assert cls.class_traits(config=True).get(trait), part


# --- a class


def test_a_class_is_told_the_address_with_a_picture_and_who_can_open_it() -> None:
    lines = list(serve.told(serve.Place("192.0.2.7", 8866), resources.path("notebooks"), words()))
    text = "\n".join(lines)
    assert "http://192.0.2.7:8866/voila/render/00_start_here.ipynb" in lines[0]
    assert "For a class: http://192.0.2.7:8866/ " in lines[1]
    assert lines[2] == serve.picture("http://192.0.2.7:8866/")
    assert "Anyone in this network can open them, without a password" in text
    alone = "\n".join(serve.told(serve.Place(), resources.path("notebooks"), words()))
    assert "network" not in alone
    assert "█" not in alone
    everywhere = "\n".join(serve.told(serve.Place("0.0.0.0"), resources.path("notebooks"), words()))
    assert "Anyone in this network" in everywhere
    assert "█" not in everywhere


def test_the_picture_holds_the_address() -> None:
    import segno

    code = segno.make("http://192.0.2.7:8866/", micro=False)
    rows = ["".join("█" if not dark else " " for dark in row) for row in code.matrix]
    shown = serve.picture("http://192.0.2.7:8866/").splitlines()
    pairs = {"█": "██", "▀": "█ ", "▄": " █", " ": "  "}
    upper = ["".join(pairs[one][0] for one in line) for line in shown]
    lower = ["".join(pairs[one][1] for one in line) for line in shown]
    lines = [line for both in zip(upper, lower, strict=True) for line in both]
    inside = [line[4:-4] for line in lines if set(line) != {"█"}]
    assert inside[: len(rows)] == rows


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[serve.Place]:
    """The places at which something would have been served."""
    places: list[serve.Place] = []
    monkeypatch.setattr(serve, "run", lambda place, browser, w, say: places.append(place))
    return places


def test_the_command_line_says_where(started: list[serve.Place], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "own_address", lambda: "192.0.2.7")
    assert cli.main([]) == 0
    assert cli.main(["--class"]) == 0
    assert cli.main(["dashboard", "--class", "--ip", "127.0.0.1", "--preheat", "5"]) == 0
    assert cli.main(["--base-url", "hearts", "--hostname", "lessons.example.org", "--port", "9000"]) == 0
    assert started == [
        serve.Place("127.0.0.1"), serve.Place("192.0.2.7"), serve.Place("127.0.0.1", preheat=5),
        serve.Place("127.0.0.1", 9000, "/hearts/", "lessons.example.org"),
    ]  # fmt: skip


def test_a_name_of_this_machine_stands_for_its_address(
    started: list[serve.Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(host: str, *args: Any, **more: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.7", 0))]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    assert cli.main(["--ip", "teacher"]) == 0
    # the server answers under addresses, and under no name that was not given with --hostname
    assert started == [serve.Place("192.0.2.7")] and started[0].is_open


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--base-url", "/a b/"], "“/a b/” cannot be a path of the lessons."),
        (["--base-url", "../up"], "“../up” cannot be a path of the lessons."),
        (["--base-url", "/./hearts/"], "“/./hearts/” cannot be a path of the lessons."),
        (["--ip", "no.such.address.invalid"], "This machine has no address “no.such.address.invalid” to listen on."),
        (["--base-url", "https://example.org/x"], "“https://example.org/x” cannot be a path of the lessons."),
        (["--base-url", "/" + "x" * 300], "cannot be a path of the lessons."),
        (["--hostname", "a name"], "“a name” cannot be the name of a machine."),
        (["--hostname", ".*"], "“.*” cannot be the name of a machine."),
        (["--hostname", "http://example.org"], "“http://example.org” cannot be the name of a machine."),
        (["--preheat", "41"], "“--preheat” must be a whole number from 0 to 40"),
    ],
)  # fmt: skip
def test_what_cannot_be(args: list[str], said: str, started: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(args) == 2
    assert said in capsys.readouterr().err
    assert not started


def test_a_machine_without_a_network_has_no_class(
    started: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Unconnected:
        def __init__(self, *kind: Any) -> None: ...

        def __enter__(self) -> Unconnected:
            return self

        def __exit__(self, *error: object) -> None: ...

        def connect(self, place: Any) -> None:
            raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "socket", Unconnected)
    assert cli.main(["--class"]) == 2
    assert "This machine is in no network, so no class can reach it." in capsys.readouterr().err
    assert not started


# --- a Jupyter server


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A Jupyter server as on JupyterHub or Binder, on a folder like a checkout's."""
    pytest.importorskip("voila")
    home, port = tmp_path_factory.mktemp("jupyter"), free_port()
    shutil.copytree(
        resources.path("notebooks"), home / "notebooks" / "notebooks", ignore=shutil.ignore_patterns(".ipynb_*")
    )
    (home / "config").mkdir()
    (home / "config" / "jupyter_server_config.py").write_text(
        "from cancel_hearts_nb import voilasettings\n\nvoilasettings.use(c)\n", encoding="utf-8"
    )
    command = [
        sys.executable, "-m", "jupyter", "server", "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--allow-root",
        "--IdentityProvider.token=", "--ServerApp.password=", "--ServerApp.base_url=/user/x/",
        "--ServerApp.disable_check_xsrf=True",
    ]  # fmt: skip
    with serving(home, command, port, "/user/x/api", {}) as served:
        yield served


@slow
def test_a_jupyter_server_shows_the_same_page(jupyter: Served, visit: Any) -> None:
    page, asked, said = visit()
    page.goto(f"{jupyter.address}/user/x/voila/render/notebooks/00_start_here.ipynb")
    page.locator(".chnb .card:not(.away)").first.wait_for()
    assert page.title() == "Start here · Cancellation Hearts"
    page.locator("#chnb-state").wait_for(state="detached")
    assert not [
        url for url in asked if not url.startswith((jupyter.address + "/user/x/", "blob:" + jupyter.address, "data:"))
    ]
    assert not [line for line in said for bad in BROKEN_PAGE if bad in line]
    page.goto(f"{jupyter.address}/user/x/voila/render/notebooks/nothing.ipynb")
    assert "There is no such page here." in page.locator("main").inner_text()


@slow
def test_a_jupyter_server_guards_the_kernels_of_lessons_alone(jupyter: Served) -> None:
    from websockets.sync.client import connect

    lesson = kernel_of(ask(jupyter.address, "/user/x/voila/render/notebooks/02_passing.ipynb")[2])
    asked = urllib.request.Request(f"{jupyter.address}/user/x/api/kernels", b"{}", method="POST")
    with urllib.request.urlopen(asked, timeout=60) as answer:
        own = json.load(answer)["id"]
    said = {}
    for kernel in (lesson, own):
        place = f"{jupyter.address.replace('http', 'ws')}/user/x/api/kernels/{kernel}/channels?session_id=x"
        with connect(place, subprotocols=[V1], open_timeout=60, max_size=None, max_queue=None) as line:
            wire = Wire(line, old=False)
            wire.send(
                "execute_request",
                {
                    "code": "6 * 7",
                    "silent": False,
                    "store_history": False,
                    "user_expressions": {},
                    "allow_stdin": False,
                },
            )
            said[kernel] = wire.said()
    assert "execute_reply" not in said[lesson]
    assert "execute_reply" in said[own]


@slow
def test_a_page_whose_kernel_does_not_start_ends_with_a_sentence(tmp_path: Any) -> None:
    """In Voilà alone the reader's browser waits for ever."""
    kernel = tmp_path / "data" / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    argv = [sys.executable, "-c", "raise SystemExit(1)", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))
    (tmp_path / "notebooks").mkdir()
    shutil.copy(resources.path("notebooks") / "02_passing.ipynb", tmp_path / "notebooks")
    port = free_port()
    # without signs of life in between, a page that never ends shows as one that is silent for too long
    command = [*serve.command(serve.Place(port=port)), "--VoilaConfiguration.http_keep_alive_timeout=600"]
    environment = {"JUPYTER_PREFER_ENV_PATH": "0"}
    address = f"http://127.0.0.1:{port}/voila/render/02_passing.ipynb"
    with serving(tmp_path, command, port, "/", environment), urllib.request.urlopen(address, timeout=60) as answer:
        page = answer.read().decode()
    assert page.count(voilasettings.FAILED) == 1 and page.rstrip().endswith("</html>")
    assert "Traceback" not in page
    assert "was not finished" in (tmp_path / "log").read_text()


def test_kernels_get_ports_that_no_connection_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    voilaserver = pytest.importorskip("cancel_hearts_nb.voilaserver")
    ports = voilaserver.KernelPorts()
    found = [ports.find_available_port("127.0.0.1") for _ in range(200)]
    assert len(set(found)) == 200
    assert all(20_000 <= port < 32_768 for port in found)
    # where all are taken, one of the system's own will do
    monkeypatch.setattr(voilaserver, "_KERNEL_PORTS", range(found[0], found[0] + 1))
    assert ports.find_available_port("127.0.0.1") not in found
    ports.return_port(found[0])
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", found[0]))
        assert ports.find_available_port("127.0.0.1") != found[0]


def test_templates_are_compiled_once_and_again_when_their_source_has_changed() -> None:
    jinja2 = pytest.importorskip("jinja2")
    renderer = pytest.importorskip("cancel_hearts_nb.voilarenderer")
    kept, sources = renderer.Compiled(), {"page": "one {{ 1 }}"}
    made = []

    class Environment(jinja2.Environment):
        def _generate(self, *given: Any, **more: Any) -> Any:
            made.append(given)
            return super()._generate(*given, **more)

    def shown() -> str:
        environment = Environment(loader=jinja2.DictLoader(sources), bytecode_cache=kept)
        return str(environment.get_template("page").render())

    assert [shown(), shown()] == ["one 1", "one 1"] and len(made) == 1
    sources["page"] = "two {{ 2 }}"
    assert shown() == "two 2" and len(made) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="no process there is between its end and its parent's word of it")
def test_the_tests_count_no_kernel_that_has_just_ended() -> None:
    def ipykernel_launcher(code: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", code, "ipykernel_launcher"])

    with ipykernel_launcher("import time; time.sleep(60)") as alive, ipykernel_launcher("") as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        assert {one.pid for one in kernels(os.getpid())} & {alive.pid, ended.pid} == {alive.pid}
        alive.kill()
