"""Questions as data files: what the engine decides it decides, and whatever is wrong with a file is said by name."""

from __future__ import annotations

from typing import Any

import pytest

from cancel_hearts_nb import course, questions
from cancel_hearts_nb.cards import parse
from cancel_hearts_nb.questions import QuizError, judged, loads, of_lesson, report

LESSONS = [lesson.name for lesson in course.lessons() if of_lesson(lesson.name)]
HEAD = "format = 1\n[[question]]\n"
WHO = """id = "who"
rules = ["lead.after_dead"]
record = "03_two_pairs"
trick = 1
at = 8
what = "leader"
text = "Who leads?"
reply = "Noor."
"""
LEADS = '{ text = "Noor", value = "Noor" }, { text = "Omar", value = "Omar", reply = "No." }'


def one(text: str) -> dict[str, Any]:
    return judged(loads(HEAD + text)[0])


def faults(text: str) -> list[str]:
    with pytest.raises(QuizError) as caught:
        loads(text, "x.toml")
    return report(caught.value)


def right(question: dict[str, Any]) -> list[str]:
    return [choice["text"] for choice in question["choices"] if choice["ok"]]


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_question_of_a_lesson_has_an_answer_and_names_its_rule(lesson: str) -> None:
    ids = [question.id for question in of_lesson(lesson)]
    assert len(set(ids)) == len(ids)
    for question in of_lesson(lesson):
        found = judged(question)
        assert found["text"]
        assert found["reply"]
        assert found["ruled"].startswith("The rule is “") == bool(found["rules"])
        if found["form"] == "number":
            continue
        assert right(found)
        assert found["form"] == ("one" if len(right(found)) == 1 and "card" not in found["choices"][0] else "many")
        for choice in found["choices"]:
            # whoever is wrong is told why
            assert choice["ok"] or choice["say"], (question.id, choice["text"])


def test_the_right_answer_stands_now_here_now_there() -> None:
    own = [judged(one) for lesson in LESSONS for one in of_lesson(lesson) if one.choices]
    places = {[choice["ok"] for choice in question["choices"]].index(True) for question in own}
    assert {0, 1, 2} <= places


def test_the_engine_judges_what_rests_on_a_record() -> None:
    assert right(one(WHO + f"choices = [{LEADS}]")) == ["Noor"]
    # the same question of the second trick, which Sami wins: the same choices would have no right one
    trick = 'id = "w"\nrules = ["trick.highest"]\nrecord = "03_two_pairs"\ntrick = 2\nat = 8\nwhat = "winner"\n'
    assert right(one(trick)) == ["Sami"]
    assert one(trick.replace("winner", "points"))["answer"] == 0


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ('record = "11_moon"\nwhat = "moon"', '"Haruto"'),
        ('record = "12_whole_hand"\nwhat = "moon"', '"none"'),
        ('record = "12_whole_hand"\nwhat = "score"\nplayer = "Hiro"', "21"),
        ('record = "11_moon"\nwhat = "total"\nplayer = "Greta"', "26"),
        ('record = "07_both_black_marias"\ntrick = 1\nat = 8\nwhat = "points"', "26"),
        ('game = "cancellation"\nseats = 7\nwhat = "kitty_size"', "6"),
        ('game = "cancellation"\nseats = 7\nwhat = "hand_size"', "14"),
        ('game = "hearts"\nseats = 5\nwhat = "removed"', '"2C 2D"'),
        ('game = "hearts"\nseats = 4\nwhat = "removed"', '""'),
        ('game = "hearts"\nseats = 4\nhand = 3\nwhat = "direction"', '"across"'),
        ('game = "cancellation"\nseats = 6\nhand = 2\nwhat = "direction"', '"right"'),
        ('game = "cancellation"\nseats = 6\noptions = { pass_cycle = "none" }\nhand = 2\nwhat = "direction"', '"none"'),
        ('game = "hearts"\nseats = 4\nwhat = "target"', "100"),
        ('game = "hearts"\nseats = 4\nwhat = "packs"', "1"),
        ('game = "cancellation"\nseats = 11\nwhat = "pass_count"', "3"),
    ],
)
def test_values_are_held_against_the_engine(place: str, value: str) -> None:
    wrong = '"2S"' if "removed" in place else '"Nobody there"' if value.startswith('"') else "-5"
    made = one(
        f'id = "a"\nrules = ["score.hand"]\ntext = "?"\nreply = "!"\n{place}\n'
        f'choices = [{{ text = "A", value = {value} }}, {{ text = "B", value = {wrong}, reply = "no" }}]'
    )
    assert right(made) == ["A"]


def test_legal_cards_are_one_choice_each_or_several_together() -> None:
    place = 'id = "a"\nrules = ["follow.void"]\nrecord = "10_hearts_broken"\ntrick = 1\nat = 3\nwhat = "legal"\n'
    found = one(place)
    assert found["form"] == "many"
    held = [choice["card"] for choice in found["choices"]]
    assert parse(held[0])
    text = f'text = "?"\nreply = "!"\nchoices = [{{ text = "A", value = "{held[0]}" }}, {{ text = "B", value = "9C", reply = "x" }}]'
    assert any("must name cards of this hand" in line for line in faults(HEAD + place + text))


def test_the_position_stands_before_a_pair_is_named() -> None:
    spot = of_lesson("04_cancellation")[0].spot
    assert spot is not None
    assert spot.events[spot.step].name == "Played"
    assert spot.events[spot.reveal].name == "TrickWon"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The line “format = 1” is missing"),
        ("format = 1", "There is no [[question]] in this file"),
        ("format = 1\nquestions = 2", "The key “questions” is not known here"),
        ("format = ", "This is not TOML"),
        (HEAD + 'id = "a b"', "question “a b”: “id” must be a short name"),
        (HEAD + 'id = "a"', "question “a”: “rules” must be a list"),
        (HEAD + 'id = "a"\nrules = ["x.y"]', "question “a”: There is no rule “x.y”."),
        (HEAD + 'id = "a"\nrules = ["trick.dead"]', "needs “choices”, or a “record”"),
        (HEAD + WHO.replace("03_two_pairs", "03_two"), "Did you mean “03_two_pairs”?"),
        (HEAD + WHO.replace("trick = 1", "trick = 9"), "there is no trick 9 with 8 cards"),
        (HEAD + WHO.replace("at = 8", "at = 9"), "there is no trick 1 with 9 cards"),
        (HEAD + WHO.replace('"leader"', '"liar"'), "In a record “what” can be: winner, legal, points, leader"),
        (HEAD + WHO.replace("trick = 1", "trick = 2") + f"choices = [{LEADS}]", "No trick follows this one"),
        (HEAD + WHO + f"hand = 4\nchoices = [{LEADS}]", "There is no hand 4 in this record."),
        (HEAD + WHO + f"seat = 4\nchoices = [{LEADS}]", "The key “seat” is not known here."),
        (HEAD + WHO + "choices = []", "“choices” must be a list of 2 to 12 answers"),
        (HEAD + WHO + 'choices = [{ text = "A", value = "Omar", reply = "x" }, { text = "B", value = "Uma", reply = "x" }]', "None of the choices is right."),
        (HEAD + WHO + f'choices = [{LEADS}, {{ text = "C", right = true }}]', "give every choice a “value” and no “right” (“C”)"),
        (HEAD + WHO + f'choices = [{LEADS}, {{ text = "C" }}]', "The choice “C” needs a “value”"),
        (HEAD + WHO + f'choices = [{LEADS}, {{ text = "C", value = "Uma" }}]', "The wrong answer “C” needs a “reply”"),
        (HEAD + WHO + f'choices = [{LEADS}, {{ text = "Noor", value = "Noor" }}]', "Two choices have the same text."),
        (HEAD + WHO + f"choices = [{LEADS}]\n[[question]]\n{WHO}choices = [{LEADS}]", "There is a question of this id already"),
        (HEAD + WHO.replace('text = "Who leads?"', 'text = "a\\nb"'), "“text” must be one line."),
        (HEAD + 'id = "a"\nrules = ["pass.count"]\ngame = "hearts"\nseats = 9\nwhat = "packs"', "it is for 3 to 7. [rule deal.players]"),
        (HEAD + 'id = "a"\nrules = ["pass.count"]\ngame = "hearts"\nseats = 4\nwhat = "colour"', "At a table “what” can be: hand_size"),
        (HEAD + 'id = "a"\nrules = ["pass.count"]\nat = 3\nwhat = "winner"', "says nothing without a “record” or a “game”"),
        (HEAD + 'id = "a"\nrules = ["score.hand"]\nrecord = "03_two_pairs"\nwhat = "score"\nplayer = "Noor"', "not played to its end"),
        (HEAD + 'id = "a"\nrules = ["score.hand"]\nrecord = "11_moon"\nwhat = "score"\nplayer = "Noor"', "“player” must be one of these players: Greta"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_question(text: str, said: str) -> None:
    assert any(said in line for line in faults(text)), faults(text)


def test_a_question_of_an_idea_may_stand_without_a_rule() -> None:
    found = one(
        'id = "a"\nrules = []\ntext = "?"\nreply = "!"\nchoices = [{ text = "A", right = true }, { text = "B", reply = "no" }]'
    )
    assert (found["rules"], found["ruled"]) == ([], "")


def test_all_faults_are_said_at_once() -> None:
    broken = 'id = "a b"\nrules = 1\n[[question]]\nid = "c"\nrules = ["x.y"]\n'
    assert len(faults(HEAD + broken)) >= 3


def test_a_file_that_is_not_there_or_no_text(tmp_path: Any) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    for name in ("a.toml", "b.toml"):
        with pytest.raises(QuizError, match="cannot be read"):
            questions.load(tmp_path / name)


def test_the_texts_of_data_files_go_through_the_catalogs(make_language: Any) -> None:
    words = make_language("xx", lambda form, _: "ø" + form)
    found = judged(of_lesson("02_passing")[0], words)
    texts = [found["text"], found["reply"], *[choice["text"] for choice in found["choices"]]]
    assert all(text.startswith("ø") for text in texts)
    assert all(choice["say"].startswith("ø") for choice in found["choices"] if "say" in choice)
