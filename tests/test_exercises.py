"""The exercises: right answers in every style pass, known mistakes meet their hints, and nothing a learner writes does harm."""

from __future__ import annotations

import copy
import signal
import time
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from test_i18n import assert_translated, outside

import exercises
from cancel_hearts_nb import checks, course, record, tasks, trial
from cancel_hearts_nb.answers import call_text, shown_value
from cancel_hearts_nb.cards import Card, cards
from cancel_hearts_nb.i18n import UnknownLanguage, Words
from cancel_hearts_nb.rulebook import BY_ID
from cancel_hearts_nb.tasks import Task

ANSWERS = Path(__file__).resolve().parent / "answers"
TASKS = [tasks.task(name) for name in tasks.NAMES]
each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)


@cache
def answers(name: str) -> dict[str, list[dict[str, str]]]:
    return tomllib.loads((ANSWERS / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def notebook(name: str) -> Any:
    return nbformat.read(exercises.EXERCISES / "source" / name / f"{name}.ipynb", as_version=4)


def written(task: Task, code: str) -> dict[str, Any]:
    """The names of a notebook in which, after its first code cell and its own solutions, `code` was run."""
    made: dict[str, Any] = {}
    first = next(cell.source for cell in notebook(task.name).cells if cell.cell_type == "code")
    for text in [first, *(part.solution for part in task.parts), code]:
        exec(compile(text, "<cell>", "exec"), made)
    return made


RIGHT = [(task, entry, part) for task in TASKS for entry in answers(task.name)["right"] for part in task.parts if f"def {part.name}(" in entry["code"]]  # fmt: skip
WRONG = [(task, entry) for task in TASKS for entry in answers(task.name)["wrong"]]


@pytest.mark.parametrize(("task", "entry", "part"), RIGHT, ids=lambda value: value["style"] if isinstance(value, dict) else value.name)  # fmt: skip
def test_a_right_answer_in_another_style_passes(task: Task, entry: dict[str, str], part: tasks.Part) -> None:
    result = checks.exercise(task.name).parts[part.name].check(written(task, entry["code"])[part.name])
    assert result.state is checks.State.PASSED, result


@each_task
def test_every_function_has_three_right_answers_beside_the_solution(task: Task) -> None:
    for part in task.parts:
        assert len([one for one, _, other in RIGHT if one is task and other is part]) >= 3, part.name
        assert checks.exercise(task.name).parts[part.name].check(written(task, "")[part.name]).state == "passed"


@pytest.mark.parametrize(("task", "entry"), WRONG, ids=lambda value: f"{value['part']} {value['met']}" if isinstance(value, dict) else value.name)  # fmt: skip
def test_a_mistake_meets_its_hint(task: Task, entry: dict[str, str]) -> None:
    found = checks.exercise(task.name).parts[entry["part"]].check(written(task, entry["code"])[entry["part"]])
    assert (found.state, found.key) == (checks.State.FAILED, entry["met"]), found
    part = next(part for part in task.parts if part.name == entry["part"])
    hints = {mistake.key: mistake.hint for mistake in part.mistakes}
    assert found.hint == hints.get(entry["met"], "")


@each_task
def test_an_exercise_names_what_there_is(task: Task) -> None:
    assert course.lesson(task.lesson)
    assert set(task.rules) <= set(BY_ID)
    assert record.load(record.example(task.example))
    assert task.points == 10 and 1 <= task.level <= 3 and 0 < task.minutes <= 90
    assert len({part.name for part in task.parts}) == len(task.parts)
    for part in task.parts:
        assert part.hints and part.wanted and part.ask and part.points > 0
        assert len({mistake.key for mistake in part.mistakes}) == len(part.mistakes)


@each_task
def test_at_least_four_mistakes_are_known_and_met(task: Task) -> None:
    met = {(entry["part"], entry["met"]) for one, entry in WRONG if one is task}
    known = {(part.name, mistake.key) for part in task.parts for mistake in part.mistakes}
    assert len(met & known) >= 4


PARTS = [(task, part) for task in TASKS for part in task.parts]
each_part = pytest.mark.parametrize(("task", "part"), PARTS, ids=lambda value: value.name)


def size(value: Any) -> int:
    """How many cards there are in the arguments of a case."""
    return sum(map(size, value)) if isinstance(value, list | tuple) else int(isinstance(value, Card))


@each_part
def test_the_smallest_cases_come_first_and_each_makes_a_record(task: Task, part: tasks.Part) -> None:
    cases = part.cases()
    sizes = [size(case.args) for case in cases]
    assert sizes == sorted(sizes)
    for case in {id(case): case for case in (*cases[:8], *cases[-4:])}.values():
        assert record.loads(case.fragment())
        assert case.rule in ("", *part.rules) or case.rule in BY_ID


@each_part
def test_the_reference_and_every_known_mistake_leave_the_arguments_alone_and_err(task: Task, part: tasks.Part) -> None:
    """What no case tells apart from a right answer would be no mistake."""
    # a judge of its own plays hundreds of hands for each, and has done so for those that an answer was written for
    written_down = {entry["met"] for one, entry in WRONG if one is task and entry["part"] == part.name}
    for mistake in [one for one in part.mistakes if part.judge is None or one.key not in written_down]:
        found = checks.exercise(task.name).parts[part.name].check(mistake.function)
        assert (found.state, found.key, found.hint) == (checks.State.FAILED, mistake.key, mistake.hint), found
    for case in part.cases():
        before = copy.deepcopy(case.args)
        part.answer(*case.args)
        assert case.args == before


@pytest.mark.parametrize(("task", "entry"), WRONG, ids=lambda value: f"{value['part']} {value['met']}" if isinstance(value, dict) else value.name)  # fmt: skip
def test_a_failed_check_names_the_rule_and_the_case_but_not_the_answer(task: Task, entry: dict[str, str]) -> None:
    part = next(part for part in task.parts if part.name == entry["part"])
    found = checks.exercise(task.name).parts[part.name].check(written(task, entry["code"])[part.name])
    assert found.sentence.count(f"`{part.name}") == 1
    case = next((case for case in part.cases() if call_text(part.name, case.args, part.answer) in found.sentence), None)
    # what the learner's own function has made of a list may be shown
    if case is not None and found.key != "changed":
        assert record.loads(found.record)
        assert (
            found.key not in {mistake.key for mistake in part.mistakes}
            or f"({case.rule})" in found.sentence
            or not case.rule
        )
        told = found.sentence.replace(call_text(part.name, case.args, part.answer), "")
        right = shown_value(part.answer(*case.args))
        assert f"`{right}`" not in told and f" {right} " not in told


def test_after_a_wrong_answer_the_table_shows_the_case_and_otherwise_the_example() -> None:
    check = checks.exercise("03_winner").highest.check
    wrong = record.loads(check(lambda trick: trick[-1]).record)
    assert wrong.game.names == ("Al", "Beth", "Charlie")
    example = record.example("02_one_pair").read_text(encoding="utf-8")
    assert check(lambda trick: None).record == example
    assert check(written(tasks.task("03_winner"), "")["highest"]).record == example


def test_hints_grow_and_the_solution_is_shown_only_when_asked_for() -> None:
    part = checks.exercise("03_winner").winner
    said = [repr(part.hint(number)) for number in (1, 2, 3)]
    assert len(set(said)) == 3 and said[0].startswith("Hint 1 of 3.")
    assert repr(part.hint(9)) == said[2] and repr(part.hint(0)) == said[0]
    assert repr(part.solution()).startswith("def winner(trick):")
    for wrong in (lambda trick: trick[0], None):
        assert "len(cancelled)" not in repr(part.check(wrong))


def test_a_function_is_found_by_its_name_where_the_check_is_called() -> None:
    def highest(trick: list[Card]) -> Card:
        return trick[0]

    exercise = checks.exercise("03_winner")
    assert exercise.highest.check().key == "led wins"
    assert [result.key for result in exercise.check()] == ["led wins", "absent", "absent"]
    assert highest(list(cards("QS"))) == cards("QS")[0]


def test_an_exercise_that_is_not_there() -> None:
    with pytest.raises(checks.UnknownExercise, match="Did you mean “01_cards”"):
        checks.exercise("1_card")
    with pytest.raises(AttributeError, match="highest, pairs, winner"):
        checks.exercise("03_winner").winer  # noqa: B018


def test_what_a_check_says_is_in_the_readers_language(pseudo_words: Words) -> None:
    exercise = checks.exercise("03_winner", "qps")
    functions: list[Any] = [
        lambda trick: trick[0], lambda trick: None, lambda: 1, "x", lambda trick: 1 / 0, lambda trick: print(4),  # noqa: T201
        lambda trick: trick.clear(), lambda trick: iter(trick), lambda trick: "QS",
    ]  # fmt: skip
    for function in functions:
        for line in repr(exercise.highest.check(function)).splitlines():
            assert not outside(line), line
    assert_translated(repr(exercise))
    assert_translated(repr(exercise.winner.hint()))
    assert 'lang="qps"' in exercise.highest.check()._repr_html_()


def test_what_a_learner_writes_is_shown_as_text() -> None:
    hostile = "<img src=x onerror=alert(1)>`</code>"

    def highest(trick: Any) -> Any:
        print(hostile)  # noqa: T201
        return hostile

    def raises(trick: Any) -> Any:
        raise ValueError(hostile)

    for function in (highest, raises):
        html = checks.exercise("03_winner").highest.check(function)._repr_html_()
        assert "<img" not in html and "&lt;img" in html


def test_a_function_that_remembers_is_told_so() -> None:
    found: list[Card] = []

    def pairs(trick: list[Card]) -> list[Card]:
        for i, card in enumerate(trick):
            if card in trick[:i]:
                found.append(card)
        return list(found)

    result = checks.exercise("03_winner").pairs.check(pairs)
    assert (result.state, result.key) == (checks.State.FAILED, "keeps")
    assert "from one call to the next" in result.hint


@pytest.mark.parametrize("timer", [True, False], ids=["with a timer", "without"])
def test_a_function_that_takes_its_time_at_every_case_ends_with_a_sentence(
    timer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "ALL_SECONDS", 0.3)
    if not timer:
        monkeypatch.delattr(signal, "setitimer", raising=False)
    calls: list[int] = []

    def highest(trick: list[Card]) -> Card:
        calls.append(1)
        until = time.monotonic() + 0.02
        while time.monotonic() < until:
            pass
        return max((card for card in trick if card.suit is trick[0].suit), key=lambda card: card.rank)

    result = checks.exercise("03_winner").highest.check(highest)
    assert (result.state, result.key) == (checks.State.FAILED, "slow in all"), result
    assert f"case {len(calls)} of " in result.sentence and "too slow" in result.sentence
    assert len(calls) < 50


def test_a_player_that_takes_its_time_at_every_turn_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "ALL_SECONDS", 0.5)

    def choose(hand: Any, legal: Any, trick: Any, unseen: Any, cautious: Card) -> Card:
        time.sleep(0.01)
        return cautious

    result = checks.exercise("06_player").choose.check(choose)
    assert (result.state, result.key) == (checks.State.FAILED, "slow"), result
    assert "takes too long" in result.sentence


@pytest.mark.parametrize("language", [5, 0, b"en", ["en"]])
def test_a_language_that_is_no_text_is_not_known(language: Any) -> None:
    with pytest.raises(UnknownLanguage, match="There is no language"):
        checks.exercise("03_winner", language)


# --- answers that no check may stumble over


def _follows_at_first(hand: list[Card], led: Any) -> Any:
    return list(hand) if len(hand) < 4 else 5


def _share_of_higher(card: Card, unseen: list[Card]) -> Any:
    same = [other for other in unseen if other.suit is card.suit]
    if len(same) > 3:
        return None
    return sum(other.rank > card.rank for other in same) / len(same) if same else 0


@pytest.mark.parametrize(
    ("task", "part", "function"),
    [
        ("02_legal", "follow", _follows_at_first),
        ("06_player", "danger", _share_of_higher),
        ("06_player", "danger", lambda card, unseen: 10**400),
    ],
    ids=["a number later", "nothing later", "a huge number"],
)
def test_what_cannot_be_compared_with_the_right_answer_is_wrong(task: str, part: str, function: Any) -> None:
    result = checks.exercise(task).parts[part].check(function)
    assert (result.state, result.key) in [(checks.State.FAILED, key) for key in ("", "higher")], result


def test_another_kind_of_answer_the_second_time_is_told() -> None:
    asked: list[Any] = []

    def follow(hand: list[Card], led: Any) -> Any:
        asked.append(led)
        return list(hand) if len(asked) == 1 else 5

    assert checks.exercise("02_legal").follow.check(follow).key == "keeps"


def test_lists_where_cards_should_be_are_of_the_wrong_kind() -> None:
    def taken(seats: int, kitty: list[Card], tricks: list[list[Card]], winners: list[int | None]) -> Any:
        won: list[Any] = [[] for _ in range(seats)]
        for trick, winner in zip(tricks, winners, strict=True):
            if winner is not None:
                won[winner].append(trick)
        return won

    result = checks.exercise("04_pile").taken.check(taken)
    assert result.key == "type" and "a list of cards for each seat" in result.sentence


def test_numbers_of_other_kinds_are_numbers() -> None:
    numpy = pytest.importorskip("numpy", reason="numpy comes with the lessons, not with the package")
    from fractions import Fraction

    def error(numbers: list[float]) -> Any:
        return numpy.std(numbers, ddof=1) / numpy.sqrt(len(numbers))

    def danger(card: Card, unseen: list[Card]) -> Any:
        same = [other for other in unseen if other.suit is card.suit]
        return Fraction(sum(other.rank < card.rank for other in same), max(len(same), 1))

    def broken(kitty: list[Card], tricks: list[list[Card]]) -> Any:
        return numpy.any([card.suit.value == "H" or card.code == "QS" for trick in tricks for card in trick])

    assert checks.exercise("06_player").standard_error.check(error).state == "passed"
    assert checks.exercise("06_player").danger.check(danger).state == "passed"
    assert checks.exercise("04_pile").hearts_broken.check(broken).state == "passed"


@pytest.mark.parametrize(("name", "part"), [("03_winner", "winner"), ("05_scoring", "shooter")])
def test_whoever_prints_may_answer_none(name: str, part: str) -> None:
    right = tasks.task(name)
    answer = next(one.answer for one in right.parts if one.name == part)

    def looks(given: Any) -> Any:
        print("looking")  # noqa: T201
        return answer(given)

    def tells(given: Any) -> None:
        print(answer(given))  # noqa: T201

    check = checks.exercise(name).parts[part].check
    assert check(looks).state == "passed" and "looking" in check(looks).printed
    assert check(tells).key == "printed"


def test_whoever_prints_and_forgets_a_return_somewhere_is_told_of_that() -> None:
    def points(taken: list[Card]) -> Any:
        print(len(taken))  # noqa: T201
        if len(taken) < 12:
            return sum(1 if card.suit.value == "H" else 13 if card.code == "QS" else 0 for card in taken)
        return None

    assert checks.exercise("05_scoring").points.check(points).key == "nothing"


def test_a_number_that_is_none_is_not_said_to_change() -> None:
    result = checks.exercise("06_player").danger.check(lambda card, unseen: float("nan"))
    assert (result.state, result.key) == (checks.State.FAILED, "")


@pytest.mark.parametrize("number", ["2", 1.5, None])
def test_a_hint_is_asked_for_with_a_number(number: Any) -> None:
    with pytest.raises(checks.NoNumber, match=r"hint\(2\)"):
        checks.exercise("03_winner").winner.hint(number)


def test_backticks_in_an_error_do_not_turn_code_into_prose() -> None:
    def highest(trick: list[Card]) -> Card:
        raise ValueError("no `card` here")

    sentence = checks.exercise("03_winner").highest.check(highest).sentence
    assert "no 'card' here" in sentence and sentence.count("`") == 4
