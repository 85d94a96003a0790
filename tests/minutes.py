"""How many minutes a lesson takes, counted from what is in it; run as `python tests/minutes.py`.

Counted are the words of the page and of the questions, the steps of the examples, and the questions themselves. Whoever
is told to look at one part of a whole hand looks at that part.
"""

from __future__ import annotations

import re
import sys

import nbformat

from cancel_hearts_nb import course, predict, questions, record, resources

WORDS_PER_MINUTE = 150
STEP_SECONDS = 3
ASK_SECONDS = 12
QUESTION_SECONDS = 25
# What else a cell puts on the page, in seconds: to read it, or to use it once
CALLS = {
    "passing_wheel": 20,
    "read_record": 60,
    "story": 120,
    "how_often": 90,
    "compare_pages": 120,
    "compare_deal": 180,
    "compare_games": 120,
    "play_table": 780,
    "exam": 840,
}
# Steps that are looked at of a whole hand: about its beginning, or its end
MOST_STEPS = 30
# Reference tables, to look things up in
LOOKED_UP = ("## Glossary", "## For those who run the course themselves", "## In short", "## What the table shows")


def words(text: str) -> int:
    """How many words `text` has; signs of Markdown are none."""
    return len(re.findall(r"[\w’♣♦♠♥]+", re.sub(r"\]\([^)]*\)", "", text)))


def replay(name: str) -> float:
    """Seconds for the example record `name`: its steps, its questions and what is said of it."""
    found = record.load(record.example(name))
    limit = 10_000 if found.game.state.middle is not None else MOST_STEPS
    seconds = 60 * words(found.about) / WORDS_PER_MINUTE
    for events in found.hands[:1]:
        asked = predict.questions(events, found.game.ruleset, found.game.names, found.asks)
        seconds += STEP_SECONDS * min(len(events), limit)
        seconds += ASK_SECONDS * len([one for one in asked if one["step"] < limit])
    return seconds


def parts(name: str) -> dict[str, float]:
    """Minutes of the lesson `name`: "words", "examples", "others", "questions"."""
    notebook = nbformat.read(resources.path("notebooks") / f"{name}.ipynb", as_version=4)
    text = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    # what stands below this comment in a cell is for those who want to see more
    code = "\n".join(cell.source.partition("# if you like")[0] for cell in notebook.cells if cell.cell_type == "code")
    read = sum(words(one.partition("```")[0]) for one in text if not one.startswith(LOOKED_UP))
    shown = re.findall(r'example\("(\w+)"\)', code)
    if "gallery()" in code:
        shown = list(course.gallery()[:3])
    asked = questions.of_lesson(name)
    others = sum(CALLS.get(call, 0) for call in re.findall(r"^(?:\w+ = )?(\w+)\(", code, re.MULTILINE))
    return {
        "words": read / WORDS_PER_MINUTE,
        "examples": sum(map(replay, shown)) / 60,
        "others": others / 60,
        "questions": len(asked) * QUESTION_SECONDS / 60,
    }


if __name__ == "__main__":
    for lesson in course.lessons():
        counted = parts(lesson.name)
        each = ", ".join(f"{key} {value:.1f}" for key, value in counted.items())
        sys.stdout.write(f"{lesson.name}: {sum(counted.values()):.1f} ({each}); said: {lesson.minutes}\n")
