"""Running a learner's function: whatever it does, there is an outcome, and nothing of it stays behind."""

from __future__ import annotations

import builtins
import contextlib
import functools
import io
import itertools
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cancel_hearts_nb import checks
from cancel_hearts_nb.answers import plain
from cancel_hearts_nb.cards import cards
from cancel_hearts_nb.trial import run

HAND = list(cards("QS 9H"))


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """What a run puts in the place of Python's own is put back: tracing, timer, input, output."""
    before = sys.gettrace(), sys.getprofile(), builtins.input, sys.stdout, signal.getsignal(signal.SIGALRM)
    yield
    assert (sys.gettrace(), sys.getprofile(), builtins.input, sys.stdout, signal.getsignal(signal.SIGALRM)) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_answer_comes_back() -> None:
    assert run(lambda hand: hand[0], [HAND])[:3] == ("answer", HAND[0], "")
    assert run(len, [HAND]).value == 2


# --- what never ends


def counts(hand: Any) -> None:
    number = 0
    while True:
        number += 1


# on one line, as ruff would not leave it: there is no line but its own to go to
exec(compile("def spins(hand):\n    while True: pass", "cell.py", "exec"))


def swallows(hand: Any) -> None:
    while True:
        try:
            number = 1
            number += 1
        except:  # noqa: E722
            pass


def swallows_in_a_call(hand: Any) -> None:
    while True:
        try:
            one(hand)
        except BaseException:
            continue


def one(hand: Any) -> int:
    return len(hand)


def continues_finally(hand: Any) -> None:
    while True:
        try:
            one(hand)
        finally:
            continue  # noqa: B012


def twice(hand: Any) -> None:
    try:
        counts(hand)
    except:  # noqa: E722
        swallows(hand)


def suppresses(hand: Any) -> None:
    while True:
        with contextlib.suppress(BaseException):
            one(hand)


def grows(hand: Any) -> None:
    for card in hand:
        hand.append(card)


def comprehends(hand: Any) -> list[int]:
    return [number for number in itertools.count()]  # noqa: C416


def generates(hand: Any) -> int:
    return sum(number for number in itertools.count())


def endless() -> Iterator[int]:
    while True:
        yield 1


def takes_all(hand: Any) -> list[int]:
    return list(endless())


def speaks(hand: Any) -> None:
    while True:
        print("round and round")  # noqa: T201


ENDLESS = [
    counts, globals()["spins"], swallows, swallows_in_a_call, continues_finally, twice, suppresses, grows, comprehends, generates, takes_all, speaks,
]  # fmt: skip


@pytest.mark.parametrize("function", ENDLESS, ids=lambda function: function.__name__)
def test_an_endless_loop_is_stopped_after_so_many_lines(function: Callable[..., Any]) -> None:
    outcome = run(function, [HAND], steps=2_000, seconds=60)
    assert (outcome.kind, outcome.value) == ("endless", None)
    assert len(outcome.printed) <= 2_000


def test_an_endless_loop_is_stopped_without_a_timer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser, and in a thread."""
    monkeypatch.delattr(signal, "setitimer")
    for function in ENDLESS:
        assert run(function, [HAND], steps=2_000).kind == "endless"
    monkeypatch.undo()
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.extend(run(one, [HAND], steps=2_000).kind for one in ENDLESS))
    thread.start()
    thread.join()
    assert found == ["endless"] * len(ENDLESS)


def test_as_many_lines_as_allowed_are_run() -> None:
    def hundred(hand: Any) -> int:
        number = 0
        while number < 100:
            number += 1
        return number

    assert run(hundred, [HAND], steps=300).value == 100
    assert run(hundred, [HAND], steps=150).kind == "endless"


def test_lines_of_the_package_and_of_python_do_not_count() -> None:
    from cancel_hearts_nb.tasks import t03_winner

    assert run(lambda hand: t03_winner.winner(cards("4D 9D JD 3D 7D 2D")), [HAND], steps=3).kind == "answer"


def sleeps(hand: Any) -> None:
    time.sleep(60)


def sleeps_and_swallows(hand: Any) -> None:
    while True:
        try:
            time.sleep(60)
        except:  # noqa: E722
            continue


@pytest.mark.parametrize("function", [sleeps, sleeps_and_swallows])
def test_what_waits_within_a_line_is_stopped_by_the_timer(function: Callable[..., Any]) -> None:
    assert run(function, [HAND], seconds=0.05).kind == "slow"


def test_a_slow_loop_is_stopped_without_a_timer_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    assert run(counts, [HAND], steps=10**9, seconds=0.0).kind == "slow"


def test_a_timer_that_was_set_rings_later(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[int] = []
    kept = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    signal.setitimer(signal.ITIMER_REAL, 3600)
    try:
        assert run(one, [HAND]).kind == "answer"
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 3000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, kept)


def test_a_debugger_that_traces_goes_on_tracing() -> None:
    seen: list[str] = []

    def trace(frame: Any, event: str, arg: object) -> None:
        seen.append(frame.f_code.co_name)

    kept = sys.gettrace()
    sys.settrace(trace)
    try:
        run(counts, [HAND], steps=500)
        assert sys.gettrace() is trace
    finally:
        sys.settrace(kept)


def recurs(hand: Any) -> Any:
    return recurs(hand)


def recurs_and_swallows(hand: Any) -> Any:
    try:
        return recurs_and_swallows(hand)
    except:  # noqa: E722
        return 0


def test_a_recursion_without_end() -> None:
    assert run(recurs, [HAND]).kind == "recursion"
    assert run(recurs_and_swallows, [HAND], steps=500).kind == "endless"


def test_whoever_stops_the_kernel_stops_it() -> None:
    def stopped(hand: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(stopped, [HAND])


# --- what goes wrong otherwise


def raises(hand: Any) -> Any:
    number = len(hand)
    return hand[number]


def leaves(hand: Any) -> None:
    raise SystemExit(3)


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError


def unspeakable(hand: Any) -> None:
    raise Unspeakable


def test_an_error_is_told_with_its_line() -> None:
    outcome = run(raises, [HAND])
    assert outcome.kind == "raised"
    first = raises.__code__.co_firstlineno
    assert outcome.facts == {
        "line": first + 2,
        "code": "return hand[number]",
        "error": "IndexError: list index out of range",
    }
    assert run(leaves, [HAND]).facts["error"] == "SystemExit: 3"
    assert run(unspeakable, [HAND]).facts["error"] == "Unspeakable"


def test_an_error_below_is_told_where_the_learner_was() -> None:
    outcome = run(lambda hand: sorted(hand, key=lambda card: card.colour), [HAND])
    assert outcome.kind == "raised"
    assert "colour" in outcome.facts["code"]


def asks(hand: Any) -> str:
    return input("which?")


async def asynchronous(hand: Any) -> int:
    return 1


async def asynchronously(hand: Any) -> Any:
    yield 1


def yields(hand: Any) -> Iterator[int]:
    yield 1


def prints(hand: Any) -> None:
    print(len(hand))  # noqa: T201


def empties(hand: Any) -> int:
    count = 0
    while hand:
        hand.pop()
        count += 1
    return count


def does_nothing(hand: Any) -> None:
    pass


def says_nothing(hand: Any) -> None:
    """Not yet."""


def dots(hand: Any) -> None: ...


def stub(hand: Any) -> None:
    raise NotImplementedError


OTHERS = {
    "asked": [asks],
    "async": [asynchronous, asynchronously, lambda hand: asynchronous(hand)],
    "lazy": [yields, lambda hand: endless(), lambda hand: map(str, hand), lambda hand: reversed(hand), lambda hand: iter(hand)],
    "printed": [prints],
    "changed": [empties, lambda hand: hand.reverse(), lambda hand: hand.append(1) or hand],
    "unready": [does_nothing, says_nothing, dots, stub, lambda hand: None],
    "parameters": [lambda: 1, lambda hand, trick: 1, lambda *, hand: 1],
    "function": ["count", None, 3, [one], int, type("Winner", (), {}), one(HAND)],
    "answer": [lambda hand, *more: 1, lambda hand, trick=None: 1, len],
}  # fmt: skip


@pytest.mark.parametrize("kind", OTHERS)
def test_whatever_it_is_there_is_an_outcome(kind: str) -> None:
    for function in OTHERS[kind]:  # type: ignore[attr-defined]
        assert run(function, [HAND]).kind == kind, function
    assert cards("QS 9H") == tuple(HAND)


def test_prints_are_kept_back_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(prints, [HAND]).printed == "2\n"
    assert capsys.readouterr().out == ""


def test_a_value_that_lies_about_being_equal_is_no_answer() -> None:
    class Anything:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    found = checks.exercise("03_winner").highest.check(lambda trick: Anything())
    assert (found.state, found.key) == (checks.State.FAILED, "type")


# --- what the learner reads


@pytest.mark.parametrize("kind", [kind for kind in OTHERS if kind not in ("answer", "unready")])
def test_each_of_them_gets_one_clear_sentence(kind: str) -> None:
    function: Any = OTHERS[kind][0]  # type: ignore[index]
    result = checks.exercise("03_winner").highest.check(function if function is not None else "none")
    assert (result.state, result.key) == (checks.State.FAILED, kind)
    assert "highest" in result.sentence and "Traceback" not in repr(result)
    assert len(result.sentence) < 400


def test_the_sentences_say_what_happened() -> None:
    check = checks.exercise("03_winner").highest.check
    said = check(raises)
    assert "in line" in said.sentence and "`return hand[number]`" in said.sentence and "IndexError" in said.sentence
    assert 'cards("4D 9D 3D")' in said.sentence
    unseen: dict[str, Any] = {}
    exec(compile("def highest(trick):\n    return trick[9]", "<cell>", "exec"), unseen)
    assert "in line 2 of the cell with IndexError" in check(unseen["highest"]).sentence
    assert "stops with TypeError" in check(functools.partial(max, key=3)).sentence
    assert "200000 lines" in check(counts).sentence
    assert "`return`" in check(prints).sentence and check(prints).printed.startswith("3")
    assert "afterwards it is `[]`" in check(empties).sentence
    assert "`(hand, trick)`" in check(lambda hand, trick: 1).sentence.replace("highest(", "`(")
    assert "without end" in check(recurs).sentence
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert check(lambda trick: print("x") or max((c for c in trick if c.suit is trick[0].suit), key=lambda c: c.rank)).state == "passed"  # noqa: T201  # fmt: skip
    assert out.getvalue() == ""


# --- objects that fail in their own ways


class Unsigned:
    __signature__ = 5

    def __call__(self, hand: Any) -> Any:
        return hand[0]


class Unnamed:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __call__(self, hand: Any) -> Any:
        return hand[0]


@pytest.mark.parametrize("function", [Unsigned(), Unnamed()], ids=["signature", "attributes"])
def test_a_callable_that_tells_nothing_of_itself_is_called(function: Any) -> None:
    assert run(function, [HAND]).value is HAND[0]


def test_a_list_that_goes_through_its_things_in_its_own_way_is_a_list() -> None:
    class Own(list[Any]):
        def __iter__(self) -> Any:
            raise RuntimeError

        def __len__(self) -> int:
            raise RuntimeError

    assert plain(Own(HAND)) == HAND


def test_a_closed_output_loses_nothing() -> None:
    def closes(hand: Any) -> int:
        print("said")  # noqa: T201
        sys.stdout.close()
        return 1

    assert run(closes, [HAND])[:3] == ("answer", 1, "said\n")


def test_the_recursion_limit_is_put_back() -> None:
    before = sys.getrecursionlimit()

    def deepens(hand: Any) -> int:
        sys.setrecursionlimit(before + 500)
        return 1

    assert run(deepens, [HAND]).value == 1
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("loop", ["number += 1", "try: number += 1\n        except: pass"], ids=["plain", "swallows"])
def test_what_exec_made_comes_to_an_end(loop: str) -> None:
    made: dict[str, Any] = {}
    exec(f"def counts(hand):\n    number = 0\n    while True:\n        {loop}", made)
    assert run(made["counts"], [HAND], steps=10_000, seconds=2).kind == "endless"


def test_a_recursion_of_any_depth_comes_to_an_end() -> None:
    def deep(hand: Any) -> Any:
        sys.setrecursionlimit(10**6)
        return deep(hand)

    def stubborn(hand: Any) -> Any:
        sys.setrecursionlimit(10**6)
        try:
            return stubborn(hand)
        except:  # noqa: E722
            return stubborn(hand)

    assert run(deep, [HAND], steps=40_000).kind == "endless"
    assert run(stubborn, [HAND], steps=10_000).kind == "endless"
