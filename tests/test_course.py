"""The course as data: every rule is taught in one lesson, has an example record that shows it, and a question."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import minutes
import pytest

from cancel_hearts_nb import course, questions, record, resources
from cancel_hearts_nb import events as ev
from cancel_hearts_nb.rulebook import BY_ID, RULES
from cancel_hearts_nb.rules import legality
from cancel_hearts_nb.rules.nouns import Position
from cancel_hearts_nb.state import State, apply
from cancel_hearts_nb.view.panels import gallery, show

IDS = [rule.id for rule in RULES]


@cache
def shown(name: str) -> frozenset[str]:
    """The rules that the record `name` shows: behind its events, and behind refusals of cards that somebody holds."""
    loaded = record.load(record.example(name))
    found: set[str] = set()
    for events in loaded.hands:
        state = State(loaded.game.ruleset)
        for e in events:
            if isinstance(e, ev.Played):
                assert state.trick is not None
                hand: Any = state.hands[e.seat]
                position = Position(
                    loaded.game.ruleset, e.seat, hand, state.trick, state.trick_number, state.hearts_broken
                )
                found |= {refusal.rule for card in hand if (refusal := legality.refusal(position, card))}
            apply(state, e)
            found.add(e.rule)
    return frozenset(found)


@cache
def showable() -> frozenset[str]:
    """What records can show: the rules behind events and refusals anywhere in the examples and the golden records."""
    from test_golden import GOLDEN  # the folder of records that go through every rule

    found: set[str] = set()
    for path in GOLDEN:
        for events in record.load(path).hands:
            found |= {e.rule for e in events}
    return frozenset(found | {"lead.opening_free", "lead.hearts_unbroken", "follow.first_trick", "follow.suit"})


def test_the_notebooks_and_the_lessons_have_the_same_names_and_order() -> None:
    names = [lesson.name for lesson in course.lessons()]
    assert names == sorted(names)
    written = {path.stem for path in resources.path("notebooks").glob("*.ipynb")}
    assert written <= set(names)
    assert [lesson.exam for lesson in course.lessons()] == [False] * 10 + [True]
    assert {path.stem for path in resources.path("questions").glob("*.toml")} <= set(names)


@pytest.mark.parametrize("lesson", course.lessons(), ids=lambda lesson: lesson.name)
def test_a_lesson_is_short_and_teaches_only_rules_that_exist(lesson: course.Lesson) -> None:
    assert lesson.title
    assert 0 < lesson.minutes <= 15
    assert abs(sum(minutes.parts(lesson.name).values()) - lesson.minutes) < 0.75
    assert set(lesson.rules) <= set(BY_ID)


def test_the_gallery_offers_what_the_course_names_and_no_other_record() -> None:
    names = course.gallery()
    assert len(set(names)) == len(names) >= 8
    replayed = [one["title"] for one in gallery().replays]
    assert replayed == [record.load(record.example(name)).title for name in names]


@pytest.mark.parametrize("lesson", course.lessons(), ids=lambda lesson: lesson.name)
def test_the_notebook_of_every_lesson_is_there(lesson: course.Lesson) -> None:
    assert (resources.path("notebooks") / f"{lesson.name}.ipynb").is_file()


def test_a_table_may_show_several_records_but_not_none() -> None:
    some = [record.example(name) for name in ("22_only_hearts", "01_plain_trick")]
    assert [one["title"] for one in show(some).replays] == ["Only hearts in hand", "A plain trick"]
    with pytest.raises(record.RecordError, match="no record to show"):
        show([])


def test_the_map_on_the_first_page_has_every_lesson_with_its_minutes_in_order() -> None:
    first = (resources.path("notebooks") / f"{course.lessons()[0].name}.ipynb").read_text(encoding="utf-8")
    rows = re.findall(r'"\| \[([^]]+)\]\((\w+)\.ipynb\) \|[^|]+\| (\d+) \|', first)
    assert rows == [(lesson.title, lesson.name, str(lesson.minutes)) for lesson in course.lessons()]


@pytest.mark.parametrize("id", IDS)
def test_every_rule_is_taught_in_exactly_one_lesson(id: str) -> None:
    assert len([lesson.name for lesson in course.lessons() if id in lesson.rules]) == 1


@pytest.mark.parametrize("id", IDS)
def test_every_rule_has_an_example_record_that_shows_it(id: str) -> None:
    lesson = course.teaches(id)
    assert lesson is not None
    name = lesson.rules[id]
    assert record.load(record.example(name)).game.ruleset.name in BY_ID[id].games
    if id in showable():
        assert id in shown(name)


@pytest.mark.parametrize("id", IDS)
def test_every_rule_has_a_question_in_the_lesson_that_teaches_it(id: str) -> None:
    lesson = course.teaches(id)
    assert lesson is not None
    assert any(id in question.rules for question in questions.of_lesson(lesson.name))


@pytest.mark.parametrize("lesson", course.lessons(), ids=lambda one: one.name)
def test_the_ids_read_by_themselves_are_those_of_the_questions(lesson: course.Lesson) -> None:
    assert course.question_ids(lesson.name) == tuple([one.id for one in questions.of_lesson(lesson.name)])
