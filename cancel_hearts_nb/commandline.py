"""The command line: what options and commands are, how one is read, and the help that is shown for it.

The standard library's parser takes its words from a catalog that belongs to nobody and glues sentences together; here
each one is whole and comes from the catalogs like all others.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .i18n import Words
from .messages import N_, Problem

PROGRAM = "cancel-hearts"


class UsageError(Problem):
    """A command line that cannot be carried out."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its `name`, what it does, the placeholder of its `value` ("" when it takes none), a `short` name.

    A command cannot do without a `needed` one.
    """

    name: str
    text: str
    value: str = ""
    short: str = ""
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what runs it, what it does, its `argument` (placeholder and text; `needed` or not), its `options`."""

    run: Callable[[Given, Words], None]
    text: str
    options: tuple[Option, ...] = ()
    argument: tuple[str, str] = ("", "")
    needed: bool = False


@dataclass(slots=True)
class Given:
    """What stood on the command line: the `argument` or None, and the options by name (a flag holds "")."""

    argument: str | None = None
    options: dict[str, str] = field(default_factory=dict)

    def number(self, name: str, default: int | None, least: int, most: int) -> int:
        """Return the whole number given for the option `name`. Raises UsageError when it is missing or does not fit.

        >>> Given(options={"--step": "3"}).number("--step", None, 1, 9)
        3
        """
        text = self.options.get(name)
        if text is None and default is not None:
            return default
        text = self.text(name, None)
        # isdecimal alone would also take the digits of other scripts
        if not (text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
            raise UsageError(
                N_("“%(option)s” must be a whole number from %(least)d to %(most)d, not “%(given)s”."),
                option=name, least=least, most=most, given=text[:40],
            )  # fmt: skip
        return int(text)

    def text(self, name: str, default: str | None) -> str:
        """Return the text given for the option `name`. Raises UsageError when it is missing and there is no default."""
        found = self.options.get(name, default)
        if found is None:
            raise UsageError(N_("“%(option)s” is missing."), option=name)
        return found


LANG = Option("--lang", N_("the language of what is shown, such as en"), N_("LANGUAGE"))
HELP = Option("--help", N_("show this and end"), short="-h")
VERSION = Option("--version", N_("show the version and end"))
COMMON = (LANG, HELP)


def read(name: str, command: Command, args: Sequence[str]) -> Given:
    """Return what `args` give to `command`, which is called `name`. Raises UsageError.

    >>> replay = Command(lambda given, w: None, "", (Option("--step", "", "N"),), ("FILE", ""))
    >>> read("replay", replay, ["hand.toml", "--step=3"])
    Given(argument='hand.toml', options={'--step': '3'})
    """
    known = {key: option for option in (*command.options, *COMMON) for key in (option.name, option.short) if key}
    given, rest = Given(), iter(args)
    for word in rest:
        if word == "--":
            _take_argument(given, command, rest)
        elif not word.startswith("-") or word == "-":
            _take_argument(given, command, [word])
        else:
            key, equals, value = word.partition("=")
            if key not in known:
                raise unknown(
                    key, known, N_("There is no option “%(given)s” here."),
                    N_("There is no option “%(given)s” here. Did you mean “%(near)s”?"),
                )  # fmt: skip
            option = known[key]
            if not option.value and equals:
                raise UsageError(N_("“%(option)s” takes no value."), option=key)
            if option.value and not equals:
                value = next(rest, "")
            if option.value and not value:
                raise UsageError(N_("“%(option)s” needs a value."), option=key)
            given.options[option.short or option.name] = value
    # an empty name would be that of the folder one is in
    if command.needed and not given.argument and "-h" not in given.options:
        raise UsageError(N_("The name of a file is missing. See %(help)s"), help=f"{PROGRAM} {name} --help")
    lacking = [option.name for option in command.options if option.needed and option.name not in given.options]
    if lacking and "-h" not in given.options:
        raise UsageError(
            N_("Missing: %(options)s. See %(help)s"), options=", ".join(lacking), help=f"{PROGRAM} {name} --help"
        )
    return given


def _take_argument(given: Given, command: Command, some: Iterable[str]) -> None:
    for word in some:
        if not command.argument[0] or given.argument is not None:
            raise UsageError(N_("“%(given)s” is one word too many."), given=word[:60])
        given.argument = word


def unknown(given: str, known: Iterable[str], message: str, with_near: str) -> UsageError:
    """Return the error that `given` is not `known`: `with_near` (%(given)s, %(near)s) if one of them resembles it, else `message`.

    >>> str(unknown("replya", ["replay"], "No “%(given)s”.", "No “%(given)s”, but “%(near)s”."))
    'No “replya”, but “replay”.'
    """
    near = difflib.get_close_matches(given, list(known), n=1)
    return UsageError(with_near, given=given[:60], near=near[0]) if near else UsageError(message, given=given[:60])


def overview(commands: Mapping[str, Command], w: Words) -> Iterator[str]:
    """Yield the lines of the help that names all `commands`."""
    yield w.text(N_("Usage: %(usage)s"), usage=f"{PROGRAM} [{'|'.join(commands)}] …")
    yield ""
    yield w.text(N_("Learn Cancellation Hearts, with the rule behind every step."))
    yield ""
    rows = [(name, w.text(command.text)) for name, command in commands.items()]
    yield from _aligned([*rows, *(_row(option, w) for option in (*COMMON, VERSION))])


def usage(name: str, command: Command, w: Words) -> Iterator[str]:
    """Yield the lines of the help for `command`, which is called `name`."""
    place = w.text(command.argument[0]) if command.argument[0] else ""
    shown = place if command.needed or not place else f"[{place}]"
    parts = [
        _option_usage(option, w) if option.needed else f"[{_option_usage(option, w)}]" for option in command.options
    ]
    yield w.text(N_("Usage: %(usage)s"), usage=" ".join(part for part in (PROGRAM, name, shown, *parts) if part))
    yield ""
    yield w.text(command.text)
    yield ""
    rows = [(place, w.text(command.argument[1]))] if place else []
    yield from _aligned([*rows, *(_row(option, w) for option in (*command.options, *COMMON))])


def _aligned(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    width = max(len(left) for left, _ in rows)
    for left, right in rows:
        yield f"  {left.ljust(width)}  {right}"


def _option_usage(option: Option, w: Words) -> str:
    name = option.short or option.name
    return f"{name} {w.text(option.value)}" if option.value else name


def _row(option: Option, w: Words) -> tuple[str, str]:
    names = ", ".join(part for part in (option.short, option.name) if part)
    return (f"{names} {w.text(option.value)}" if option.value else names), w.text(option.text)
