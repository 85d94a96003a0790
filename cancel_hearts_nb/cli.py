"""The `cancel-hearts` command: the dashboard, the course as files, replays, records, rules, the score sheet, figures.

Sentences go to the output, everything that is wrong goes to the error output; the exit code is 0, or 2 when something
was wrong.
"""

from __future__ import annotations

import codecs
import difflib
import json
import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import __version__, explain, record, rulebook
from . import events as ev
from .commandline import LANG, PROGRAM, VERSION, Command, Given, Option, UsageError, overview, read, unknown, usage
from .game import Game, State, fold
from .i18n import Words, chosen, words
from .messages import N_, NN_, Problem
from .players import RandomPlayer, play
from .rules.deal import GAMES
from .ruleset import GAME_NAMES, ruleset

NAMES = ("Al", "Beth", "Charlie", "Dave", "Eve", "Fay", "Guy", "Hal", "Ida", "Jon", "Kay")
FINE, WRONG = 0, 2


_READING = N_("How it is read here: %(reading)s")


def _line(text: str = "") -> None:
    sys.stdout.write(text + "\n")


def _say(sentence: str) -> None:
    _line(sentence)
    # the output may be a pipe, and the command goes on for a while
    sys.stdout.flush()


def _dashboard(given: Given, w: Words) -> None:
    from . import serve

    port = given.number("--port", serve.PORT, 1, 65535)
    many = given.number("--preheat", 0, 0, serve.MOST_PREHEATED)
    path = serve.path(given.text("--base-url", "/"))
    name = serve.name(given.options["--hostname"]) if "--hostname" in given.options else ""
    asked = given.options.get("--ip")
    # under a name that is no address the lessons answer nobody but a proxy
    ip = serve.listening(asked) if asked else serve.own_address() if "--class" in given.options else "127.0.0.1"
    serve.run(serve.Place(ip, port, path, name, many), "--no-browser" not in given.options, w, _say)


def _replay(given: Given, w: Words) -> None:
    assert given.argument is not None
    if given.argument == "-":
        text = sys.stdin.buffer.read(record.MOST_BYTES + 1).decode("utf-8-sig", errors="replace")
        found = record.loads(text, "-")
    else:
        found = record.load(given.argument)
    game = found.game
    step = given.number("--step", 0, 1, len(game.events))
    shown = range(step - 1, step) if step else range(len(game.events))
    if "--json" in given.options:
        for i in shown:
            _line(json.dumps(ev.to_json(game.events[i])))
        return
    for text in filter(None, (found.title, found.about)):
        _line(text)
        _line()
    for i in shown:
        event = game.events[i]
        if isinstance(event, ev.HandStarted) and i and not step:
            _line()
        _line(f"{i + 1:3}. {explain.event(event, game.names, game.ruleset, w)}")
        if step:
            _the_rule(rulebook.rule(event.rule), w)  # type: ignore[attr-defined]
            _table(fold(game.ruleset, game.events[: i + 1]), game, w)
        elif isinstance(event, ev.Dealt):
            _hands(event.hands, game.names, w)


def _the_rule(rule: rulebook.Rule, w: Words) -> None:
    said = explain.rule_text(rule, w)
    _line()
    _line(w.text(N_("The rule: %(title)s [%(id)s]"), title=said["title"], id=rule.id))
    _line(f"  {said['text']}")
    if said["reading"]:
        _line("  " + w.text(_READING, reading=said["reading"]))


def _table(s: State, game: Game, w: Words) -> None:
    """Show what lies on the table and what everybody holds."""
    _line()
    trick = s.trick or (s.tricks[-1] if s.tricks else None)
    if trick is not None and trick.plays:
        listed = [w.text(N_("%(name)s %(card)s"), name=game.names[p.seat], card=p.card) for p in trick.plays]
        _line(w.text(N_("Trick %(number)d: %(plays)s"), number=s.trick_number, plays=w.join(listed)))
    if s.aside:
        _line(w.text(N_("Nobody’s yet: %(cards)s"), cards=w.cards(card for card in s.aside if card)))
    _line(w.text(N_("Hands:")))
    _hands(s.hands, game.names, w)
    if any(s.totals):
        listed = [w.text(N_("%(name)s %(points)d"), name=game.names[i], points=n) for i, n in enumerate(s.totals)]
        _line(w.text(N_("Totals: %(list)s"), list=w.join(listed)))


def _hands(hands: Iterable[ev.Seen], names: Sequence[str], w: Words) -> None:
    for name, hand in zip(names, hands, strict=True):
        held = w.cards(card for card in hand if card) or w.text(N_("no cards"))
        _line("     " + w.text(N_("%(name)s: %(cards)s"), name=name, cards=held))


def _record(given: Given, w: Words) -> None:
    rules = ruleset(given.text("--ruleset", None), given.number("--seats", None, 1, 99))
    seed = given.number("--seed", None, 0, 2**63 - 1)
    hands = given.number("--hands", 1, 1, record.MOST_HANDS)
    game = Game(rules, NAMES[: rules.seats], seed, hands=hands)
    text = record.dumps(play(game, [RandomPlayer()] * rules.seats))
    file = given.options.get("-o", "-")
    if file == "-":
        sys.stdout.write(text)
        return
    _write(Path(file), text, force="--force" in given.options)
    played = sum(isinstance(event, ev.HandScored) for event in game.events)
    _line(w.count(NN_("%(count)d hand is in “%(file)s”.", "%(count)d hands are in “%(file)s”."), played, file=file))


def _write(file: Path, text: str, force: bool) -> None:
    try:
        with file.open("w" if force else "x", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except FileExistsError:
        raise UsageError(N_("“%(file)s” exists already. With --force it is written over."), file=str(file)) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(N_("“%(file)s” cannot be written (%(why)s)."), file=str(file), why=why) from None


def _rules(given: Given, w: Words) -> None:
    game = given.text("--ruleset", "cancellation")
    if game not in GAMES:
        raise UsageError(
            N_("There is no game “%(given)s”. The games are: %(known)s."), given=game[:40], known=", ".join(GAMES)
        )
    if given.argument is not None:
        if given.argument not in rulebook.BY_ID:
            group = given.argument.partition(".")[0]
            alike = [id for id in rulebook.BY_ID if id.startswith(f"{group}.")]
            if alike and not difflib.get_close_matches(given.argument, alike, n=1, cutoff=0.8):
                raise UsageError(
                    N_("There is no rule “%(given)s”. There are: %(known)s."),
                    given=given.argument[:60], known=", ".join(alike),
                )  # fmt: skip
            raise unknown(
                given.argument, rulebook.BY_ID, N_("There is no rule “%(given)s”."),
                N_("There is no rule “%(given)s”. Did you mean “%(near)s”?"),
            )  # fmt: skip
        rule = rulebook.rule(given.argument)
        if "--ruleset" in given.options and game not in rule.games:
            raise UsageError(
                N_("The rule “%(id)s” does not belong to this game (%(game)s)."),
                id=rule.id, game=w.text(GAME_NAMES[game]),
            )  # fmt: skip
        _line(w.text(rule.heading))
        _print_rule(rule, w)
        return
    _line(w.text(GAME_NAMES[game]))
    heading = ""
    for rule in rulebook.page(game):
        if rule.heading != heading:
            heading = rule.heading
            _line()
            _line(w.text(heading))
        _print_rule(rule, w)


def _print_rule(rule: rulebook.Rule, w: Words) -> None:
    said = explain.rule_text(rule, w)
    _line()
    _line("  " + w.text(N_("%(title)s [%(id)s]"), title=said["title"], id=rule.id))
    _line(f"    {said['text']}")
    if said["reading"]:
        _line("    " + w.text(_READING, reading=said["reading"]))


def _scoresheet(given: Given, w: Words) -> None:
    from .view.scoresheet import page

    assert given.argument is not None
    _write(Path(given.argument), page(w), force="--force" in given.options)
    _line(w.text(N_("The score sheet is in “%(file)s”. It works by itself, on a phone too."), file=given.argument))


def _export(given: Given, w: Words) -> None:
    from . import offline

    assert given.argument is not None
    offline.export(Path(given.argument), w, force="--force" in given.options)
    page = Path(given.argument, offline.FIRST)
    _line(
        w.text(
            N_("The course is in “%(page)s”. Open that file with a browser; nothing else is needed."), page=str(page)
        )
    )


def _site(given: Given, w: Words) -> None:
    from . import website

    assert given.argument is not None
    folder, runtime = Path(given.argument), given.options.get("--pyodide")
    try:
        website.build(folder, w, _say, Path(runtime) if runtime else None, force="--force" in given.options)
    except OSError as error:
        raise website.SiteError(
            N_("The site cannot be built: “%(file)s” (%(why)s)."),
            file=str(error.filename or folder), why=error.strerror or str(error),
        ) from None  # fmt: skip
    _line(
        w.text(
            N_("The site is in “%(folder)s”. Any web server can hand it out, under any address."), folder=given.argument
        )
    )
    _line(
        w.text(
            N_("To look at it here, at http://127.0.0.1:8000/: %(command)s"),
            command=shlex.join([sys.executable, "-m", "http.server", "-b", "127.0.0.1", "-d", given.argument]),
        )
    )


def _simulate(given: Given, w: Words) -> None:
    from . import simulatetable

    rules = simulatetable.tables(given.text("--ruleset", None), given.options.get("--seats"))
    simulatetable.main(
        rules,
        given.number("--hands", simulatetable.HANDS, 1, simulatetable.MOST_HANDS),
        given.number("--seed", 0, 0, 2**63 - 1),
        given.text("--policy", "random"),
        given.number("--workers", 1, 1, simulatetable.MOST_WORKERS),
        w,
    )


def _strength(given: Given, w: Words) -> None:
    from . import strength

    if not {"--hands", "--seed", "--deals", "-o"} & set(given.options):
        sys.stdout.writelines(line + "\n" for line in strength.lines(strength.kept(), w))
        return
    results = strength.measure_all(
        given.number("--hands", strength.HANDS, 2, strength.MOST_HANDS),
        given.number("--seed", 0, 0, 2**63 - 1),
        given.number("--deals", strength.DEALS, 1, strength.MOST_DEALS),
        # for somebody who watches: it takes seconds a hand
        (lambda game, hand: sys.stderr.write(f"\r{game} {hand} "))
        if sys.stderr.isatty()
        else (lambda game, hand: None),
    )
    sys.stdout.writelines(line + "\n" for line in strength.lines(results, w))
    file = given.options.get("-o", "-")
    if file != "-":
        _write(Path(file), strength.dumps(results), force="--force" in given.options)


def _bench(given: Given, w: Words) -> None:
    from . import bench

    args = [part for name, value in given.options.items() if name != LANG.name for part in (name, value) if part]
    bench.main(args, w)


_FILE, _NUMBER, _NAME = N_("FILE"), N_("N"), N_("NAME")
_GAME = Option("--ruleset", N_("the game: cancellation, hearts or omnibus"), _NAME)
DASHBOARD = "dashboard"
COMMANDS: dict[str, Command] = {
    DASHBOARD: Command(
        _dashboard,
        N_("Open the lessons in a browser. This is what happens without a command, too."),
        (
            Option("--no-browser", N_("only say the address, do not open a browser")),
            Option("--port", N_("the port to use; if it is taken, the next free one"), _NUMBER),
            Option("--ip", N_("the address to listen on; others can reach the lessons unless it is 127.0.0.1"), N_("ADDRESS")),
            Option("--class", N_("let everybody in this network open the lessons; shows the address and a picture of it for phones")),
            Option("--preheat", N_("how many kernels of the playing page wait for players, so that it opens faster (0 if not given)"), _NUMBER),
            Option("--base-url", N_("the path below which the lessons are, for a proxy, such as /hearts/"), N_("PATH")),
            Option("--hostname", N_("the name under which a proxy shows the lessons; other names are refused"), _NAME),
        ),
    ),
    "replay": Command(
        _replay,
        N_("Show a record file step by step, with a sentence for each step."),
        (
            Option("--json", N_("one event a line, as JSON, instead of sentences")),
            Option("--step", N_("this step alone (from 1), with the rule behind it and the table after it"), _NUMBER),
        ),
        (_FILE, N_("the record; - reads it from the input")),
        needed=True,
    ),
    "record": Command(
        _record,
        N_("Play hands with players who choose at random, and write the record."),
        (
            replace(_GAME, needed=True),
            Option("--seats", N_("how many play: 6 to 11, in hearts and omnibus 3 to 7"), _NUMBER, needed=True),
            Option(
                "--seed",
                N_("a number from which all chance follows: equal seeds give equal hands"),
                _NUMBER,
                needed=True,
            ),
            Option("--hands", N_("how many hands (1 if not given); fewer when the match ends before"), _NUMBER),
            Option("--output", N_("the file to write, instead of the output"), _FILE, "-o"),
            Option("--force", N_("write over a file that exists")),
        ),
    ),
    "rules": Command(
        _rules,
        N_("Show the rules of a game, or one rule, in our own words."),
        (_GAME,),
        (N_("ID"), N_("one rule, such as trick.dead")),
    ),
    "scoresheet": Command(
        _scoresheet,
        N_("Write a score sheet for a real table: one page that works by itself, on a phone too."),
        (Option("--force", N_("write over a file that exists")),),
        (_FILE, N_("the page to write, such as scores.html")),
        needed=True,
    ),
    "export": Command(
        _export,
        N_("Write the whole course as pages that need no server and no network, such as for a memory stick."),
        (Option("--force", N_("write into a folder that is not empty, over files of the same names")),),
        (N_("FOLDER"), N_("the folder to write, such as course")),
        needed=True,
    ),
    "site": Command(
        _site,
        N_("Build a site of plain files, whose lessons run in each visitor’s own browser."),
        (
            Option("--pyodide", N_("the npm package of Pyodide, a folder or a .tgz file, where npm cannot fetch it"), N_("PATH")),
            Option("--force", N_("replace a site that is in the folder already")),
        ),
        (N_("DIR"), N_("the folder to write, which is made")),
        needed=True,
    ),
    "simulate": Command(
        _simulate,
        N_("Simulate many hands at once, and show how often tricks die, what the first one costs, and more."),
        (
            replace(_GAME, needed=True),
            Option("--seats", N_("how many play, such as 8, or from one to another, such as 6..11 (all if not given)"), _NUMBER),
            Option("--hands", N_("how many hands at each table (10000 if not given)"), _NUMBER),
            Option("--policy", N_("how everybody plays: random (if not given) or cautious"), _NAME),
            Option("--seed", N_("a number from which all chance follows (0 if not given)"), _NUMBER),
            Option("--workers", N_("how many processes work at it (1 if not given)"), _NUMBER),
        ),
    ),
    "strength": Command(
        _strength,
        N_("Show how strong the computer players are, as it was measured once, or measure it anew."),
        (
            Option("--hands", N_("measure anew, with so many hands at each table (20 if another option is given)"), _NUMBER),
            Option("--seed", N_("measure anew; from this number all chance follows (0 if not given)"), _NUMBER),
            Option("--deals", N_("measure anew; so many deals the sampling player looks at for a choice (200 if not given)"), _NUMBER),
            Option("--output", N_("measure anew, and write the results to this file, too"), _FILE, "-o"),
            Option("--force", N_("write over a file that exists")),
        ),
    ),
    "bench": Command(
        _bench,
        N_("Measure how fast hands are played, and how large they are."),
        (
            Option("--rounds", N_("how often everything is measured"), _NUMBER),
            Option("--seconds", N_("how long each measurement takes"), _NUMBER),
            Option("--json", N_("the figures as JSON instead of a table")),
        ),
    ),
}  # fmt: skip


def _language(args: Sequence[str]) -> Words:
    """Return the words in which even a mistake elsewhere on the command line is told.

    Without --lang they are those of the environment variable CANCEL_HEARTS_LANG, else English.
    """
    found = None
    for i, word in enumerate(args):
        after = args[i + 1] if i + 1 < len(args) else ""
        if word == LANG.name and after:
            found = after
        elif word.startswith(f"{LANG.name}="):
            found = word.partition("=")[2]
    w, notice = chosen(found)
    if notice:
        _tell([notice])
    return w


def _run(args: list[str], w: Words) -> None:
    name = args.pop(0) if args and not args[0].startswith("-") else ""
    if name and name not in COMMANDS:
        raise unknown(
            name, COMMANDS, N_("There is no command “%(given)s”. See cancel-hearts --help"),
            N_("There is no command “%(given)s”. Did you mean “%(near)s”?"),
        )  # fmt: skip
    if not name and VERSION.name in args:
        _line(f"{PROGRAM} {__version__}")
        return
    shown, command = name or DASHBOARD, COMMANDS[name or DASHBOARD]
    given = read(shown, command, args)
    if "-h" in given.options:
        for line in usage(shown, command, w) if name else overview(COMMANDS, w):
            _line(line)
        return
    command.run(given, w)


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out the command line `argv` (the program's own when None) and return the exit code.

    >>> main(["rules", "lead.winner"])
    Tricks
    <BLANKLINE>
      The winner leads [lead.winner]
        The winner of a trick leads the next one.
    0
    """
    args = list(sys.argv[1:] if argv is None else argv)
    _open_streams()
    _write_anywhere()
    w = words()
    try:
        w = _language(args)
        _run(args, w)
        sys.stdout.flush()
    except Problem as error:
        return _tell([w.problem(error)])
    except record.RecordError as error:
        return _tell(record.report(error, w))
    except BrokenPipeError:
        # whoever reads the output has seen enough; Python must not try to write the rest when it ends
        _discard_output()
    except OSError as error:
        # the output is a full disk, say
        _discard_output()
        return _tell([w.text(N_("The output cannot be written (%(why)s)."), why=error.strerror or str(error))])
    except KeyboardInterrupt:
        return 130
    return FINE


def _open_streams() -> None:
    """A program can be started without its standard streams; then what is written to them goes nowhere."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: PTH123, SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115


def _discard_output() -> None:
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _tell(lines: Iterable[str]) -> int:
    sys.stdout.flush()
    for line in lines:
        sys.stderr.write(line + "\n")
    return WRONG


# What a terminal of few letters shows instead; cards become what records call them
_PLAIN = str.maketrans({
    "♣": "C", "♦": "D", "♠": "S", "♥": "H", "“": '"', "”": '"', "‘": "'", "’": "'", "…": "...", "–": "-",
    "\u2068": "", "\u2069": "",
})  # fmt: skip


def _simpler(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_PLAIN)
    return text.encode("ascii", "backslashreplace").decode("ascii"), error.end


def _write_anywhere() -> None:
    """Make the outputs show something readable where the terminal lacks a letter, instead of failing."""
    codecs.register_error("cancel-hearts", _simpler)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="cancel-hearts")


if __name__ == "__main__":
    sys.exit(main())
