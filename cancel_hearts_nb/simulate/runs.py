"""`run`: any number of hands, in tasks for one or more workers; what is found depends on neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..messages import N_, Problem
from ..ruleset import Ruleset
from . import dealing, policies
from .chance import seeds_of
from .outcome import Outcome, outcome
from .results import NOTHING, Result, Sums, measured
from .shape import shape
from .table import Block, block_size

T = TypeVar("T")

CHUNK = 32_768
"""How many hands a task plays: a tenth of a second or more, beside which sending it somewhere costs little."""


class RunError(Problem):
    """A number of hands, a seed or a chunk that cannot be."""


class Task(NamedTuple):
    """The hands `low` to `high` - 1 (from 0) of the match `seed`, with a policy for each seat."""

    rules: Ruleset
    seed: int
    low: int
    high: int
    cautious: tuple[bool, ...]
    keep: bool


def carry_out(task: Task) -> tuple[Sums, Outcome | None]:
    """Play the hands of `task` and return their sums and, if it says so, the values of each. It runs in any process."""
    sums, kept = NOTHING, []
    for few in cut(task, block_size(task.cautious)):
        block = begin(few)
        block.play()
        part = outcome(block)
        sums += measured(part)
        if task.keep:
            kept.append(part)
    return sums, _joined(kept)


def cut(task: Task, size: int) -> list[Task]:
    """Return `task` in parts of `size` hands."""
    return [task._replace(low=low, high=min(low + size, task.high)) for low in range(task.low, task.high, size)]


def begin(task: Task) -> Block:
    """Return the hands of `task`, dealt and passed."""
    # hands are counted from 1 in a match
    numbers = np.arange(task.low + 1, task.high + 1)
    return dealing.block(shape(task.rules), seeds_of(task.seed, len(numbers)), numbers, task.cautious)


def _joined(parts: Sequence[Outcome]) -> Outcome | None:
    return Outcome(*[np.concatenate(column) for column in zip(*parts, strict=True)]) if parts else None


def run(
    ruleset: Ruleset,
    hands: int,
    seed: int = 0,
    *,
    policy: str | Sequence[str] = policies.RANDOM,
    first: int = 0,
    chunk: int = CHUNK,
    executor: Executor | None = None,
    progress: bool = False,
    keep: bool = False,
) -> Result:
    """Simulate `hands` hands of the match `seed` and return what they came to.

    Hand k (from `first`, which counts from 0) is the hand of number k + 1 of `Game(ruleset, names, seed)`: its deal,
    dealer, pass and chance; but the totals before each are 0, and no match ends. `policy` is "random" or "cautious",
    or a sequence with one for each seat. `keep` also keeps the values of each hand (some 60 bytes each).

    `executor` is any `concurrent.futures.Executor`, of which only `map` is used: a process pool, or that of a Dask
    cluster (`Client.get_executor()`, extra `dask`). It is given tasks of `chunk` hands; what is found depends on neither.
    A task pays if it takes at least 0.1 seconds, which the default does on a usual machine; with few hands and several
    workers take a smaller one, so that each worker gets some. `progress` shows a bar (tqdm) on the error output.

    An interruption (Ctrl-C) ends it early: the result holds the hands played so far, always the first ones, and says how
    many they are. Raises RunError and UnknownPolicy.

    >>> from ..ruleset import ruleset
    >>> found = run(ruleset("cancellation", 8), 500, seed=7)
    >>> found.hands, found.estimate("dead_tricks")
    (500, Estimate(mean=2.054, error=0.05910291286068086, samples=500))
    """
    for name, value, least in (("hands", hands, 1), ("chunk", chunk, 1), ("first", first, 0), ("seed", seed, 0)):
        if type(value) is not int or not least <= value < 2**63:
            raise RunError(
                N_("“%(name)s” must be a whole number of at least %(least)d, not %(given)s."),
                name=name, least=least, given=str(value)[:40],
            )  # fmt: skip
    cautious = policies.by_seat(shape(ruleset), policy)
    sums, kept = NOTHING, []
    tasks = cut(Task(ruleset, seed, first, first + hands, cautious, keep), chunk)
    try:
        with _bar(hands, progress) as bar:
            for part, values in spread(carry_out, tasks, executor):
                sums += part
                if values is not None:
                    kept.append(values)
                if bar is not None:
                    bar.update(part.count)
    except KeyboardInterrupt:
        # what is finished counts; `hands` says how many those are
        pass
    names = tuple([policies.CAUTIOUS if careful else policies.RANDOM for careful in cautious])
    return Result(ruleset, names, seed, first, hands, sums, _joined(kept))


def spread(do: Callable[[Task], T], tasks: Sequence[Task], executor: Executor | None) -> Iterator[T]:
    """Yield what `do` returns for each of `tasks`, in their order, carried out here or by `executor`."""
    if executor is None:
        yield from map(do, tasks)
        return
    found: Iterator[T] = executor.map(do, tasks)
    # closing what `map` returned takes back the tasks that nobody has begun
    with closing(found) if hasattr(found, "close") else nullcontext():  # type: ignore[type-var]
        yield from found


def _bar(hands: int, progress: bool) -> Any:
    if not progress:
        return nullcontext()
    try:
        from tqdm import tqdm
    except ImportError:
        # hands can be played without a bar
        return nullcontext()
    return tqdm(total=hands, unit="", unit_scale=True)
