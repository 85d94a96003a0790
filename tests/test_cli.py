"""The `cancel-hearts` command: what it shows, its exact JSON, what it refuses, and the dashboard."""

from __future__ import annotations

import http.client
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cancel_hearts_nb import __version__, cli, events, explain, record, resources, rulebook, serve, voilasettings

Captured = pytest.CaptureFixture[str]
COMMAND = [sys.executable, "-m", "cancel_hearts_nb.cli"]

FRAGMENT = """
format = 1
ruleset = "cancellation"
players = ["Al", "Beth", "Charlie", "Dave", "Eve", "Fay"]
title = "One pair: the next highest wins"

[[hand]]
partial = true
kitty = "KH QS"
tricks = [{ leader = "Al", cards = "TS 9H KS KS JS 4S", winner = "Eve" }]
"""


def wrong(capsys: Captured, *args: str) -> str:
    """What is said of a wrong command line: on the error output alone, with exit code 2."""
    assert cli.main(args) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert shown.err.endswith("\n")
    return shown.err.rstrip("\n")


def right(capsys: Captured, *args: str) -> str:
    assert cli.main(args) == 0
    shown = capsys.readouterr()
    assert not shown.err
    return shown.out


@pytest.fixture
def fragment(tmp_path: Path) -> str:
    file = tmp_path / "one pair.toml"
    file.write_text(FRAGMENT, encoding="utf-8")
    return str(file)


@pytest.fixture
def match(tmp_path: Path, capsys: Captured) -> str:
    """A whole match of four-player Hearts, with every fourth hand not passed."""
    file = str(tmp_path / "match.toml")
    right(capsys, "record", "--ruleset", "hearts", "--seats", "4", "--seed", "7", "--hands", "200", "-o", file)
    return file


# --- replay


def test_json_is_one_event_a_line_with_exactly_these_fields(fragment: str, capsys: Captured) -> None:
    lines = [json.loads(line) for line in right(capsys, "replay", fragment, "--json").splitlines()]
    assert lines == [
        {"event": "HandStarted", "rule": "deal.dealer", "number": 1, "dealer": 5},
        {"event": "Dealt", "rule": "deal.even", "hands": [["TS"], ["9H"], ["KS"], ["KS"], ["JS"], ["4S"]]},
        {"event": "KittySet", "rule": "deal.kitty", "cards": ["QS", "KH"]},
        {"event": "LeadAssigned", "rule": "play.lead", "seat": 0},
        {"event": "Played", "rule": "play.lead", "seat": 0, "card": "TS"},
        {"event": "Played", "rule": "follow.void", "seat": 1, "card": "9H"},
        {"event": "HeartsBroken", "rule": "lead.breaking", "seat": 1, "card": "9H"},
        {"event": "Played", "rule": "follow.suit", "seat": 2, "card": "KS"},
        {"event": "Played", "rule": "follow.suit", "seat": 3, "card": "KS"},
        {"event": "PairCancelled", "rule": "trick.pairs_cancel", "card": "KS", "seats": [2, 3]},
        {"event": "Played", "rule": "follow.suit", "seat": 4, "card": "JS"},
        {"event": "Played", "rule": "follow.suit", "seat": 5, "card": "4S"},
        {"event": "TrickWon", "rule": "trick.highest", "seat": 4, "card": "JS", "cards": ["TS", "9H", "KS", "KS", "JS", "4S"]},
        {"event": "AsideTaken", "rule": "trick.kitty", "seat": 4, "cards": ["QS", "KH"]},
    ]  # fmt: skip


def test_json_of_a_match_is_every_event_in_order(match: str, capsys: Captured) -> None:
    lines = [json.loads(line) for line in right(capsys, "replay", match, "--json").splitlines()]
    game = record.load(match).game
    assert lines == [events.to_json(event) for event in game.events]
    assert lines[-1]["event"] == "MatchWon"
    assert {"PassSkipped", "Passed", "Received"} <= {line["event"] for line in lines}
    assert all(line["rule"] in rulebook.BY_ID for line in lines)


def test_text_has_the_title_and_a_numbered_sentence_for_each_step(match: str, fragment: str, capsys: Captured) -> None:
    shown = right(capsys, "replay", match)
    game = record.load(match).game
    numbered = re.findall(r"^ *(\d+)\. (.*)$", shown, re.MULTILINE)
    assert numbered == [
        (str(i), explain.event(event, game.names, game.ruleset)) for i, event in enumerate(game.events, 1)
    ]
    assert shown.count("     Al: ") == len(record.load(match).hands)
    assert right(capsys, "replay", fragment).splitlines()[0] == "One pair: the next highest wins"


def test_one_step_has_its_rule_and_the_table_after_it(fragment: str, capsys: Captured) -> None:
    shown = right(capsys, "replay", fragment, "--step", "10").splitlines()
    assert shown[2] == " 10. The two K♠ cancel each other: neither Charlie nor Dave can win the trick with this card."
    assert "The rule: A pair cancels [trick.pairs_cancel]" in shown
    assert "Trick 2: Al 10♠, Beth 9♥, Charlie K♠, Dave K♠" in shown
    assert "Nobody’s yet: Q♠, K♥" in shown
    assert "     Eve: J♠" in shown
    assert "     Al: no cards" in shown
    # after the step, not before it
    shown = right(capsys, "replay", fragment, "--step", "5").splitlines()
    assert "Trick 2: Al 10♠" in shown
    assert "     Al: no cards" in shown


def test_one_step_as_json_is_that_event(fragment: str, capsys: Captured) -> None:
    every = right(capsys, "replay", fragment, "--json").splitlines()
    assert right(capsys, "replay", fragment, "--json", "--step=13").splitlines() == [every[12]]


@pytest.mark.parametrize("step", ["0", "15", "-1", "x", "", "1.5", "٣", "9" * 5000])
def test_a_step_that_is_not_there(fragment: str, capsys: Captured, step: str) -> None:
    said = wrong(capsys, "replay", fragment, "--step", step)
    assert said.startswith("“--step” must be a whole number from 1 to 14") or said == "“--step” needs a value."


def test_a_record_from_the_input(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(FRAGMENT.encode())))
    assert "Eve takes the trick" in right(capsys, "replay", "-")


def test_a_wrong_record_tells_all_that_is_wrong_and_shows_nothing(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(FRAGMENT.replace('winner = "Eve"', 'winner = "Fay"').replace("title", "titel"))
    said = wrong(capsys, "replay", str(file)).splitlines()
    assert len(said) > 1
    assert all(line.startswith("wrong.toml") for line in said)
    assert any("Did you mean “title”" in line for line in said)


@pytest.mark.parametrize("make", [None, "folder", b"\xff\xfe\x00", b"\x89PNG\r\n\x1a\n"])
def test_a_file_that_is_no_record(tmp_path: Path, capsys: Captured, make: str | bytes | None) -> None:
    file = tmp_path / "it"
    if isinstance(make, bytes):
        file.write_bytes(make)
    elif make:
        file.mkdir()
    assert wrong(capsys, "replay", str(file)).startswith("it: The file ")


# --- record


@pytest.mark.parametrize(("game", "seats", "hands"), [("cancellation", 8, 1), ("hearts", 3, 2), ("omnibus", 7, 3)])
def test_record_writes_what_replay_reads(capsys: Captured, game: str, seats: int, hands: int) -> None:
    args = ("record", "--ruleset", game, "--seats", str(seats), "--seed", "7", "--hands", str(hands))
    text = right(capsys, *args)
    found = record.loads(text)
    assert (found.game.ruleset.name, found.game.ruleset.seats, len(found.hands)) == (game, seats, hands)
    assert all(isinstance(hand[-1], events.HandScored) for hand in found.hands)
    assert right(capsys, *args) == text
    assert right(capsys, *args[:-3], "8", *args[-2:]) != text


def test_record_stops_when_the_match_ends(match: str) -> None:
    found = record.load(match)
    assert isinstance(found.game.events[-1], events.MatchWon)
    assert len(found.hands) < 200


def test_record_writes_one_hand_if_not_told_otherwise(capsys: Captured) -> None:
    text = right(capsys, "record", "--ruleset", "hearts", "--seats", "4", "--seed", "7")
    assert len(record.loads(text).hands) == 1


def test_a_file_that_exists_is_written_over_only_when_told(match: str, capsys: Captured) -> None:
    before = Path(match).read_bytes()
    args = ("record", "--ruleset", "hearts", "--seats", "4", "--seed", "8", "-o", match)
    assert "--force" in wrong(capsys, *args)
    assert Path(match).read_bytes() == before
    assert right(capsys, *args, "--force") == f"1 hand is in “{match}”.\n"
    assert Path(match).read_bytes() != before


@pytest.mark.parametrize("place", ["nowhere/x.toml", "", "nul\0x"])
def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: Captured, place: str) -> None:
    said = wrong(
        capsys, "record", "--ruleset", "hearts", "--seats", "4", "--seed", "8", "-o", str(tmp_path / place), "--force"
    )
    assert "cannot be written" in said


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("--seats 8 --seed 7", "Missing: --ruleset. See"),
        ("--ruleset hearts --seed 7", "Missing: --seats. See"),
        ("--ruleset hearts --seats 4", "Missing: --seed. See"),
        ("--ruleset hearts --seats 8 --seed 7", "8 players cannot play “hearts”: it is for 3 to 7."),
        ("--ruleset chess --seats 2 --seed 7", "There is no game “chess”."),
        ("--ruleset hearts --seats four --seed 7", "“--seats” must be a whole number from 1 to 99, not “four”."),
        ("--ruleset hearts --seats 4 --seed 9223372036854775808", "“--seed” must be a whole number from 0 to"),
        ("--ruleset hearts --seats 4 --seed 7 --hands 0", "“--hands” must be a whole number from 1 to 2000, not “0”."),
        ("--ruleset hearts --seats 4 --seed", "“--seed” needs a value."),
        ("--ruleset hearts --seats 4 --sede 7", "There is no option “--sede” here. Did you mean “--seed”?"),
        ("hearts --seats 4", "“hearts” is one word too many."),
    ],
)
def test_what_record_cannot_do(capsys: Captured, args: str, said: str) -> None:
    assert wrong(capsys, "record", *args.split()).startswith(said)


@pytest.mark.parametrize("command", ["export", "site", "replay", "scoresheet"])
def test_an_empty_name_is_no_name(
    capsys: Captured, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert wrong(capsys, command, "") == f"The name of a file is missing. See cancel-hearts {command} --help"
    assert not list(tmp_path.iterdir())


# --- rules


@pytest.mark.parametrize("game", ["cancellation", "hearts", "omnibus"])
def test_the_rule_page_has_every_rule_of_the_game_in_page_order(capsys: Captured, game: str) -> None:
    shown = right(capsys, "rules", "--ruleset", game)
    ids = re.findall(r"\[([a-z_.]+)\]$", shown, re.MULTILINE)
    assert ids == [rule.id for rule in rulebook.page(game)]
    assert "  The winner of a trick leads the next one." in shown


def test_cancellation_hearts_is_what_the_rules_are_of_if_not_told_otherwise(capsys: Captured) -> None:
    assert right(capsys, "rules") == right(capsys, "rules", "--ruleset", "cancellation")


def test_one_rule_with_its_reading(capsys: Captured) -> None:
    shown = right(capsys, "rules", "trick.dead")
    assert "Two pairs: nobody wins [trick.dead]" in shown
    assert "How it is read here: " in shown
    assert "Many tables play that such a card still wins" in shown


def test_all_that_record_lacks_is_said_together(capsys: Captured) -> None:
    assert wrong(capsys, "record").startswith("Missing: --ruleset, --seats, --seed. See")


def test_rules_that_are_not_there(capsys: Captured) -> None:
    assert wrong(capsys, "rules", "trick.deed") == "There is no rule “trick.deed”. Did you mean “trick.dead”?"
    for vague in ("trick", "trick.foo"):
        assert wrong(capsys, "rules", vague).startswith(f"There is no rule “{vague}”. There are: trick.rank, ")
    assert wrong(capsys, "rules", "qqqq") == "There is no rule “qqqq”."
    assert wrong(capsys, "rules", "trick.dead", "--ruleset", "hearts").startswith(
        "The rule “trick.dead” does not belong"
    )


# --- the command line as such


def test_help_names_every_command_and_option(capsys: Captured) -> None:
    shown = right(capsys, "--help")
    assert all(f"\n  {name} " in shown for name in cli.COMMANDS)
    assert right(capsys, "-h") == shown
    for name, command in cli.COMMANDS.items():
        shown = right(capsys, name, "--help")
        assert shown.startswith(f"Usage: cancel-hearts {name}")
        assert all(option.name in shown for option in command.options)


def test_version(capsys: Captured) -> None:
    assert right(capsys, "--version") == f"cancel-hearts {__version__}\n"


def test_unknown_commands_and_languages(capsys: Captured) -> None:
    assert wrong(capsys, "reply") == "There is no command “reply”. Did you mean “replay”?"
    assert wrong(capsys, "qqqq") == "There is no command “qqqq”. See cancel-hearts --help"
    assert wrong(capsys, "rules", "--lang", "xx") == "There is no language “xx” here. The languages are: en."
    assert wrong(capsys, "rules", "--lang=../en").startswith("There is no language")
    assert wrong(capsys, "rules", "--lang") == "“--lang” needs a value."


def test_bench_is_called_when_asked_for(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    called = []
    monkeypatch.setattr("cancel_hearts_nb.bench.main", lambda args, w: called.append((args, w.language)))
    right(capsys, "bench")
    right(capsys, "bench", "--json", "--lang", "en", "--rounds", "2")
    assert called == [([], "en"), (["--json", "--rounds", "2"], "en")]
    monkeypatch.undo()
    assert wrong(capsys, "bench", "--rounds", "none").startswith("“--rounds” must be a whole number")


def test_a_closed_pipe_is_no_error(match: str) -> None:
    """As in `cancel-hearts replay match.toml | head -1`."""
    with subprocess.Popen([*COMMAND, "replay", match], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_terminal_without_our_letters_shows_others(fragment: str, encoding: str) -> None:
    run = subprocess.run(
        [*COMMAND, "replay", fragment],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=True,
    )
    shown = run.stdout.decode(encoding)
    assert "The two KS cancel each other" in shown
    assert "\\u" not in shown
    run = subprocess.run(
        [*COMMAND, "x"], capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False
    )
    assert run.returncode == 2
    assert b'There is no command "x".' in run.stderr


# --- the dashboard


def test_without_the_extra_one_sentence_says_what_to_install(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "available", lambda: False)
    for args in ([], ["dashboard"], ["--no-browser"]):
        said = wrong(capsys, *args)
        assert said == "The dashboard needs more packages. Install them with: pip install 'cancel_hearts_nb[course]'"


@contextmanager
def listening(ip: str = "127.0.0.1", port: int = 0) -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind((ip, port))
        taken.listen()
        yield taken.getsockname()[1]


def test_a_taken_port_gives_the_next_free_one() -> None:
    with listening() as port:
        found = serve.free_port("127.0.0.1", port)
        assert port < found <= port + 10
        assert serve.free_port("127.0.0.1", found) == found


def test_no_free_port_and_no_such_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "_is_free", lambda ip, port: False)
    with pytest.raises(serve.ServeError, match="Port 65530 and those after it are taken"):
        serve.free_port("127.0.0.1", 65530)
    monkeypatch.undo()
    for ip in ("203.0.113.7", "no.such.address.invalid", "a" * 300, "\N{SNOWMAN}" * 70):
        with pytest.raises(serve.ServeError, match="This machine has no address"):
            serve.free_port(ip, 8866)


@pytest.mark.parametrize("port", ["0", "65536", "http", "-5"])
def test_a_port_that_cannot_be(capsys: Captured, port: str) -> None:
    assert wrong(capsys, "--port", port).startswith("“--port” must be a whole number from 1 to 65535")


def test_addresses_that_a_browser_understands() -> None:
    lessons = resources.path("notebooks")
    page = "voila/render/00_start_here.ipynb"
    assert serve.address(serve.Place(), lessons) == f"http://127.0.0.1:8866/{page}"
    assert serve.address(serve.Place("0.0.0.0", 80), lessons) == f"http://127.0.0.1:80/{page}"
    assert serve.address(serve.Place("::", path="/some/path/"), lessons) == f"http://[::1]:8866/some/path/{page}"


@contextmanager
def dashboard(folder: Path, *args: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Start the dashboard in `folder`, wait until it says how to stop it, and end it whatever happens."""
    env = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1]), **environment}
    run = subprocess.Popen(
        [*COMMAND, *args], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert run.stdout is not None
        said = []
        for line in run.stdout:
            said.append(line.rstrip("\n"))
            if "Ctrl-C" in line:
                break
        yield run, said
    finally:
        if run.poll() is None:
            run.send_signal(signal.SIGTERM)
        run.communicate(timeout=30)


def get(address: str) -> tuple[int, str]:
    host, _, path = address.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("GET", f"/{path}")
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_the_port_is_free_again() -> None:
    with listening() as port:
        pass
    assert serve.free_port("127.0.0.1", port) == port


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals differ elsewhere")
def test_the_dashboard_opens_says_its_address_and_stops(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = (
        f"{sys.executable} -c 'import sys, pathlib; pathlib.Path(sys.argv[2]).write_text(sys.argv[1])' %s {opened}"
    )
    with listening() as taken, dashboard(tmp_path, "--port", str(taken), BROWSER=browser) as (run, said):
        address = said[1].split()[-1]
        port = int(address.split(":")[2].split("/")[0])
        assert said[0] == f"Port {taken} is taken, so the lessons are at port {port}."
        assert port != taken
        status, page = get(address)
        assert status == 200
        assert voilasettings.FAILED not in page
        deadline = time.monotonic() + 60
        while not opened.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert opened.read_text() == address
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=30)
        assert run.returncode == 0
        assert errors == ""
        # nothing is left behind: neither a server nor a file
        assert serve.free_port("127.0.0.1", port) == port
    assert sorted(path.name for path in tmp_path.iterdir()) == ["opened"]


@pytest.mark.slow
def test_a_voila_that_cannot_start_is_told_in_a_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "command", lambda place: [sys.executable, "-c", "import sys; sys.exit('no Voilà')"])
    assert cli.main(["--no-browser", "--port", str(serve.free_port("127.0.0.1", 20000))]) == 2
    said = capfd.readouterr().err.splitlines()
    assert said == ["no Voilà", "Voilà could not be started (exit code 1); see its message above."]
