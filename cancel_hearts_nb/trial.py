"""Running a learner's function so that nothing it does can harm the lesson: on copies, under a budget, with its prints kept.

The budget counts the lines that the learner's own code runs, which stops an endless loop at the same place on every
platform. Beside it stands a limit in seconds where the platform has a timer: it ends what waits or computes within one
line. A single call into C that never looks at signals, such as `list(itertools.count())`, is beyond both.
"""

from __future__ import annotations

import builtins
import contextlib
import copy
import dis
import functools
import inspect
import io
import linecache
import signal
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MethodType, TracebackType
from typing import Any, NamedTuple

from .faults import shown

STEPS = 200_000
"""How many lines a function may run; what the exercises ask for needs some hundreds."""
SECONDS = 10.0
"""How long a function may take, on any machine that anybody would use."""
ALL_SECONDS = 60.0
"""How long all calls of one check may take together; right answers need a few seconds for some thousands of them."""
_MOST_PRINTED = 2_000
_NEAR = 50
_OURS = str(Path(__file__).parent)


class Outcome(NamedTuple):
    """What became of a call: its `kind`, the `value` returned, what was `printed`, and `facts` for the sentence about it.

    Kinds: "answer", then `value` counts; "unready", when there is nothing in the function yet; and what went wrong:
    "function" (it is none), "parameters", "async", "lazy" (a generator or the like), "raised", "recursion", "endless", "slow",
    "asked" (for input), "printed" (and returned nothing), "changed" (its arguments).
    """

    kind: str
    value: Any = None
    printed: str = ""
    facts: Mapping[str, Any] = {}


class Clock:
    """The time that the calls of one check have together, `seconds` from now.

    >>> clock = Clock(60)
    >>> clock.over, clock.left
    (False, 10.0)
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = ALL_SECONDS if seconds is None else seconds
        self._until = time.monotonic() + self.seconds

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self._until

    @property
    def left(self) -> float:
        """The seconds that the next call may take, for `run`: above 0, so that a timer can be set to them."""
        return max(0.001, min(SECONDS, self._until - time.monotonic()))


class _Over(BaseException):
    """The budget is used up. No Exception, so that a learner's `except Exception` does not keep it.

    Raising in a trace function ends the tracing. When a bare `except` has swallowed this, it sets it up again as it
    goes, and so is raised anew at the next line, until the loop is left.
    """

    again: Callable[[], None] | None = None

    def __init__(self, again: Callable[[], None]) -> None:
        super().__init__()
        self.again = again

    def __del__(self) -> None:
        try:
            if self.again is not None:
                self.again()
        except BaseException:
            # at the very end of a deep recursion there may be no room even for this
            pass


class _Asked(Exception):
    """The learner's function waits for input that will never come."""


def run(
    function: object, args: Sequence[Any], steps: int = STEPS, seconds: float = SECONDS, copied: bool = True
) -> Outcome:
    """Return what became of calling `function` with copies of `args`, within `steps` lines and `seconds`.

    An answer has the number of `lines` among its facts. Without `copied` the function gets `args` themselves, and
    whether it changes them is for the caller to see, who calls it some thousand times.

    Never raises on account of `function`, except for KeyboardInterrupt: whoever stops the kernel means it.

    >>> run(lambda hand: len(hand), [["QS", "9H"]]).value
    2
    >>> run(lambda hand: hand.clear(), [["QS", "9H"]]).kind
    'changed'
    >>> run(lambda hand: [card for card in iter(int, 1)], [[]], steps=1000).kind
    'endless'
    """
    wrong = _unfit(function, args)
    if wrong is not None:
        return wrong
    assert callable(function)
    given, before = (copy.deepcopy(list(args)), copy.deepcopy(list(args))) if copied else (list(args), [])
    budget, said = _Budget(steps, seconds), _Said()
    value: Any = None
    try:
        with contextlib.redirect_stdout(said), _no_input():
            value = budget.call(function, given)
    except KeyboardInterrupt:
        raise
    except _Asked:
        return Outcome("asked", printed=said.getvalue())
    except BaseException as error:
        if not budget.over:
            return _raised(function, error, said.getvalue())
    printed = said.getvalue()
    if budget.over:
        return Outcome(budget.over, printed=printed, facts={"steps": steps, "seconds": seconds})
    try:
        return _judged(function, value, printed, given, before, steps - budget.left)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # a value of the learner's own kind may raise whenever it is looked at
        return _raised(function, error, printed)


def _judged(
    function: object, value: Any, printed: str, given: Sequence[Any], before: Sequence[Any], lines: int
) -> Outcome:
    """Return what is to be said of the `value` that came back."""
    if inspect.iscoroutine(value) or inspect.isasyncgen(value) or inspect.isawaitable(value):
        if inspect.iscoroutine(value):
            value.close()
        return Outcome("async", printed=printed)
    if isinstance(value, Iterator):
        return Outcome("lazy", printed=printed, facts={"type": shown(type(value).__name__)})
    for now, was in zip(given, before, strict=False):
        if not _same(now, was):
            return Outcome("changed", value, printed, {"was": was, "now": now})
    if value is None and _is_empty(function):
        return Outcome("unready", printed=printed)
    if value is None and printed.strip():
        return Outcome("printed", printed=printed)
    return Outcome("answer", value, printed, {"lines": lines})


def _unfit(function: object, args: Sequence[Any]) -> Outcome | None:
    """Return why `function` cannot be called with `args`, or None."""
    if not callable(function) or isinstance(function, type):
        return Outcome("function", facts={"given": shown(_repr(function)), "type": shown(type(function).__name__)})
    try:
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            return Outcome("async")
        signature = inspect.signature(function)
        given = shown(str(signature))
    except Exception:
        # functions written in C may not tell what they take, and objects of the learner's own fail in their own ways
        return None
    try:
        signature.bind(*args)
    except TypeError:
        return Outcome("parameters", facts={"count": len(args), "given": given})
    return None


def _raised(function: object, error: BaseException, printed: str) -> Outcome:
    line, code = _place(error.__traceback__)
    if isinstance(error, NotImplementedError):
        return Outcome("unready", printed=printed)
    if isinstance(error, RecursionError):
        return Outcome("recursion", printed=printed, facts={"line": line, "code": code})
    try:
        text = str(error)
    except BaseException:
        text = ""
    told = type(error).__name__ + (f": {text}" if text else "")
    return Outcome("raised", printed=printed, facts={"line": line, "code": code, "error": shown(told, 200)})


def _place(trace: TracebackType | None) -> tuple[int, str]:
    """Return the line, from 1, at which the learner's code was last, and what is written there; (0, "") when unknown."""
    found = (0, "")
    while trace is not None:
        code = trace.tb_frame.f_code
        if _is_learners(code.co_filename):
            found = (trace.tb_lineno, linecache.getline(code.co_filename, trace.tb_lineno).strip()[:80])
        trace = trace.tb_next
    return found


def _repr(value: object) -> str:
    try:
        return repr(value)
    except BaseException:
        return type(value).__name__


def _same(now: object, was: object) -> bool:
    """Return whether an argument is as it was, a type included that only counts as equal."""
    try:
        return type(now) is type(was) and bool(now == was)
    except Exception:
        return False


_NOTHING = {"RESUME", "NOP", "LOAD_CONST", "LOAD_CONST_IMMORTAL", "RETURN_CONST", "RETURN_VALUE", "CACHE"}


def _is_empty(function: object) -> bool:
    """Return whether nothing is written in `function` but `pass`, `...`, a text or `return None`."""
    code = function.__code__ if isinstance(function, FunctionType | MethodType) else None
    return isinstance(code, CodeType) and all(step.opname in _NOTHING for step in dis.get_instructions(code))


class _Said(io.StringIO):
    """Keeps the first that is printed, so that a loop that prints fills no memory."""

    def write(self, text: str) -> int:
        if self.tell() < _MOST_PRINTED:
            super().write(text[: _MOST_PRINTED - self.tell()])
        return len(text)

    def close(self) -> None:
        """Keep what was printed, whoever closes the output."""


@contextlib.contextmanager
def _no_input() -> Iterator[None]:
    def refuse(*_: object) -> str:
        raise _Asked

    kept = builtins.input
    builtins.input = refuse
    try:
        yield
    finally:
        builtins.input = kept


# Python's own library may stand in an archive, as it does in a browser
_KNOWN = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), str(Path(contextlib.__file__).parent), _OURS}


@functools.lru_cache(maxsize=1024)
def _is_learners(filename: str) -> bool:
    """Return whether the code of this file is the learner's: neither Python's, nor an installed package's, nor ours."""
    # what Python writes itself, for a dataclass for example, is called <string>
    if filename.startswith("<frozen") or filename == "<string>":
        return False
    if "site-packages" in filename or "dist-packages" in filename:
        return False
    return not filename.startswith(tuple(place + separator for place in _KNOWN for separator in "/\\"))


@functools.lru_cache(maxsize=1024)
def _spins(code: CodeType) -> bool:
    """Return whether a step of this code jumps to itself, as in `while True: pass`: Python 3.11 reports no line for each turn."""
    return any(step.opname.startswith("JUMP") and step.argval == step.offset for step in dis.get_instructions(code))


def _counts(frame: FrameType) -> bool:
    """Return whether lines of this frame are counted: those of the learner's code, and of what `exec` made of a text of theirs."""
    name = frame.f_code.co_filename
    # what Python writes itself for a module has the names of that module around it
    written = name == "<string>" and frame.f_globals.get("__name__", "__main__") == "__main__"
    return written or _is_learners(name)


class _Budget:
    """Counts the learner's lines and the time; `over` says what was used up ("endless" or "slow"), "" while there is some."""

    def __init__(self, steps: int, seconds: float) -> None:
        self.left = steps
        self.seconds = seconds
        self.over = ""
        self.running = False

    def call(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """Return what `function` returns. Raises whatever it raises, and _Over; what is returned when over counts for nothing."""
        kept, deep = (sys.gettrace(), sys.getprofile()), sys.getrecursionlimit()
        self.until = time.monotonic() + self.seconds
        self.running = True
        try:
            with self._timer():
                sys.settrace(self._enter)
                return function(*args)
        finally:
            self.running = False
            sys.settrace(kept[0])
            sys.setprofile(kept[1])
            sys.setrecursionlimit(deep)

    def _enter(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        if not _counts(frame):
            return None
        frame.f_trace_opcodes = _spins(frame.f_code)
        return self._step

    def _step(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any]:
        if event in ("line", "opcode") and self.running:
            self.left -= 1
            if self.left <= 0:
                self._end("slow" if time.monotonic() > self.until else "endless")
            elif self.left % 4096 == 0 and time.monotonic() > self.until:
                self._end("slow")
        return self._step

    def _end(self, why: str) -> None:
        self.over = self.over or why
        self.left = 0
        # where the loop calls anything, that is the first moment to go on
        sys.setprofile(self._again)
        # without a name here: it would keep itself alive, and go too late
        raise _Over(self._again)

    def _again(self, *_: object) -> None:
        """Trace the frames of the learner's that are running, down to the call and not whoever asked for it.

        Only the nearest: as they are left one by one, the others come near, and there may be a hundred thousand.
        """
        if not self.running:
            return
        frame: FrameType | None = sys._getframe(1)
        near = _NEAR
        while frame is not None and near and frame.f_code is not _Budget.call.__code__:
            near -= 1
            if _counts(frame):
                frame.f_trace = self._step
            frame = frame.f_back
        sys.settrace(self._enter)

    @contextlib.contextmanager
    def _timer(self) -> Iterator[None]:
        """End what runs when the time is up, where the platform can do that."""
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield
            return

        def ring(signum: int, frame: FrameType | None) -> None:
            self.left = 0
            while frame is not None and not _counts(frame):
                if frame.f_code.co_filename == __file__:
                    # what counts the lines is not to be interrupted: it ends the run itself, or the next ring does
                    return
                frame = frame.f_back
            if self.running:
                self._end("slow")

        kept = signal.signal(signal.SIGALRM, ring)
        # again and again, since what is raised may be swallowed by a line that waits once more
        before = signal.setitimer(signal.ITIMER_REAL, self.seconds, 0.1)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, kept)
            if before[0]:
                signal.setitimer(signal.ITIMER_REAL, *before)
