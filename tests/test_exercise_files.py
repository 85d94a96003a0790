"""The exercises as files: copies that are not stale and give nothing away, and nbgrader's own routine with the real nbgrader."""

from __future__ import annotations

import ast
import copy
import os
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import exercises
from cancel_hearts_nb import checks, resources, tasks, trial
from cancel_hearts_nb.course import lessons
from cancel_hearts_nb.tasks import Task

ANSWERS = Path(__file__).resolve().parent / "answers"
TASKS = [tasks.task(name) for name in tasks.NAMES]
each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
NOT_ATTEMPTED = "Not attempted."
# nbgrader's own database code speaks of itself
pytestmark = pytest.mark.filterwarnings("ignore:Object of type <Submitted")


def read(task: Task, folder: str) -> NotebookNode:
    return nbformat.read(exercises.EXERCISES / folder / task.name / f"{task.name}.ipynb", as_version=4)


def marked(notebook: NotebookNode, what: str) -> dict[str, NotebookNode]:
    return {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if exercises.mark(cell, what)}


# --- the copies


def test_every_exercise_has_its_source_and_no_copy_is_stale_or_left_over() -> None:
    assert [path.stem for path in exercises.sources()] == list(tasks.NAMES)
    made = exercises.files()
    stale = [path.name for path, text in made.items() if not path.is_file() or path.read_text("utf-8") != text]
    assert not stale, f"run `poe exercises`: {stale}"
    found = {*exercises.EXERCISES.glob("release/**/*"), *exercises.EXERCISES.glob("solutions/**/*")}
    assert {path for path in found if path.is_file() and ".ipynb_checkpoints" not in path.parts} == set(made)


def test_an_installation_finds_the_learners_copies() -> None:
    folder = resources.path("exercises") / "release"
    assert sorted(path.name for path in folder.iterdir()) == list(tasks.NAMES)


@each_task
def test_the_instructors_notebook_and_the_package_say_the_same(task: Task) -> None:
    notebook = read(task, "source")
    nbformat.validate(notebook)
    solutions, graded = marked(notebook, "solution"), marked(notebook, "grade")
    assert list(solutions) == [part.name for part in task.parts]
    assert list(graded) == [f"grade_{part.name}" for part in task.parts]
    for part in task.parts:
        assert exercises.unmarked(solutions[part.name].source) == part.solution.strip("\n")
        cell = graded[f"grade_{part.name}"]
        assert (cell.metadata.nbgrader.points, cell.metadata.nbgrader.locked) == (part.points, True)
        # nothing but the engine, and nothing that another cell has to bring
        assert (
            cell.source == f'from cancel_hearts_nb import checks\n\nchecks.exercise("{task.name}").{part.name}.grade()'
        )
    ids = [cell.metadata.nbgrader.grade_id for cell in notebook.cells if "nbgrader" in cell.metadata]
    assert len(set(ids)) == len(ids)
    title = notebook.cells[0].source
    assert title.startswith(f"# {task.title}\n")
    assert all(f"`{rule}`" in title for rule in task.rules)
    assert f"| about {task.minutes} minutes | {task.level} of 3 | {task.points} |" in title


@each_task
def test_every_function_has_its_check_its_table_and_its_hints(task: Task) -> None:
    code = [cell.source for cell in read(task, "source").cells if cell.cell_type == "code"]
    for part in task.parts:
        at = next(i for i, source in enumerate(code) if source.startswith(f"def {part.name}("))
        # each in a cell of its own, since a cell shows only its last line; a number cannot be shown on a table
        shown = [] if "read_record" not in code[at + 2] else ["read_record(result.record)"]
        assert code[at + 1 : at + 2 + len(shown)] == [f"result = exercise.{part.name}.check()\nresult", *shown]
        assert code[at + 2 + len(shown)].endswith(f"# exercise.{part.name}.hint()\n# exercise.{part.name}.solution()")
    assert "read_record(result.record)" in code


@each_task
def test_a_learners_copy_gives_nothing_away(task: Task) -> None:
    text = (exercises.EXERCISES / "release" / task.name / f"{task.name}.ipynb").read_text(encoding="utf-8")
    for mark in ("BEGIN SOLUTION", "END SOLUTION", "HIDDEN TESTS"):
        assert mark not in text
    notebook = read(task, "release")
    nbformat.validate(notebook)
    assert "widgets" not in notebook.metadata
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
    for part in task.parts:
        body = ast.parse(marked(notebook, "solution")[part.name].source).body[-1]
        assert isinstance(body, ast.FunctionDef)
        assert [type(line) for line in body.body] == [ast.Expr, ast.Raise]
        for line in part.solution.splitlines():
            if line.startswith("    ") and not line.strip().startswith(('"""', "return", "for ", "else:")):
                assert line not in text, line


@each_task
def test_the_solutions_have_no_graded_cells_and_no_marks(task: Task) -> None:
    notebook = read(task, "solutions")
    nbformat.validate(notebook)
    assert all("nbgrader" not in cell.metadata for cell in notebook.cells)
    text = "\n".join(cell.source for cell in notebook.cells)
    assert "###" not in text and "grade()" not in text
    for part in task.parts:
        assert part.solution.strip("\n") in text


def crafted() -> NotebookNode:
    """An instructor's notebook with everything that nbgrader knows and the exercises may come to use."""

    def meta(id: str, **more: Any) -> dict[str, Any]:
        plain = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
        return {"nbgrader": {**plain, "grade_id": id, **more}}

    cells = [
        new_markdown_cell("# Crafted", id="c0"),
        new_markdown_cell("Do not change this.", id="c1", metadata=meta("read", locked=True)),
        new_code_cell("x = 1\n### BEGIN SOLUTION\nx = 2\n### END SOLUTION\nx", id="c2", metadata=meta("region", solution=True)),
        new_code_cell("y = 3", id="c3", metadata=meta("whole", solution=True), execution_count=7),
        new_code_cell(
            "assert x\n### BEGIN HIDDEN TESTS\nassert x == 2\n### END HIDDEN TESTS", id="c4",
            metadata=meta("test", grade=True, locked=True, points=2),
        ),
        new_code_cell("if x:\n    ### BEGIN SOLUTION\n    y = 1\n    ### END SOLUTION", id="c5", metadata=meta("inner", solution=True)),
    ]  # fmt: skip
    return new_notebook(cells=cells, metadata={"kernelspec": exercises_kernel(), "language_info": {"name": "python"}})


def exercises_kernel() -> dict[str, str]:
    return {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}


def test_hidden_tests_and_solutions_go() -> None:
    made = exercises.release(crafted())
    assert [cell.source for cell in made.cells[2:]] == [
        "x = 1\n# YOUR CODE HERE\nraise NotImplementedError()\nx", "# YOUR CODE HERE\nraise NotImplementedError()", "assert x",
        "if x:\n    # YOUR CODE HERE\n    raise NotImplementedError()",
    ]  # fmt: skip
    assert [cell.source for cell in exercises.solutions(crafted()).cells[2:]] == [
        "x = 1\nx = 2\nx",
        "y = 3",
        "if x:\n    y = 1",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "### BEGIN SOLUTION\nx", "### END SOLUTION", "### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION\n### END SOLUTION",
        "### BEGIN HIDDEN TESTS", "#BEGIN SOLUTION\nx\n# END SOLUTION", "### BEGIN SOLUTION here\n### END SOLUTION",
    ],
)  # fmt: skip
def test_broken_marks_are_not_passed_over(source: str) -> None:
    notebook = crafted()
    notebook.cells[2].source = source
    with pytest.raises(exercises.BrokenMarks):
        exercises.release(notebook)


# --- nbgrader


class Course:
    """A course directory with the exercises in it, and nbgrader to work on it."""

    def __init__(self, root: Path) -> None:
        from nbgrader.apps import NbGraderAPI
        from traitlets.config import PyFileConfigLoader

        self.root = root
        config = PyFileConfigLoader("nbgrader_config.py", path=str(exercises.EXERCISES)).load_config()
        config.CourseDirectory.root = str(root)
        # a check that is too slow is to end with its own sentence
        assert config.Execute.timeout > trial.ALL_SECONDS
        # here a cell that takes longer than this is a failure
        config.Execute.timeout = 30
        self.api = NbGraderAPI(config=config)

    def put(self, folder: str, name: str, notebook: NotebookNode) -> Path:
        path = self.root / folder / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(exercises.text(notebook), encoding="utf-8")
        return path

    def generate(self, name: str) -> str:
        done = self.api.generate_assignment(name, force=True)
        assert done["success"], done
        return (self.root / "release" / name / f"{name}.ipynb").read_text(encoding="utf-8")

    def autograde(self, student: str, name: str, notebook: NotebookNode) -> dict[str, float]:
        """The points of each graded cell, after `student` has handed in `notebook`."""
        self.put(f"submitted/{student}", name, notebook)
        done = self.api.autograde(name, student, force=True)
        assert done["success"], done
        with self.api.gradebook as book:
            handed_in = book.find_submission_notebook(name, name, student)
            return {grade.name: grade.score for grade in handed_in.grades}

    def validate(self, path: Path) -> dict[str, Any]:
        from nbgrader.validator import Validator

        found: dict[str, Any] = Validator().validate(str(path))
        return found


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    root = tmp_path_factory.mktemp("course")
    (root / "jupyter").mkdir()
    own = {name: str(root / "jupyter" / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    # nbgrader calls `alembic` by its name
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**own, "PATH": path}.items():
            patch.setenv(name, value)
        made = Course(root)
        for task in TASKS:
            made.put("source", task.name, read(task, "source"))
        yield made


@pytest.mark.slow
def test_nbgrader_makes_the_same_copies(course: Course) -> None:
    course.put("source", "crafted", crafted())
    assert course.generate("crafted") == exercises.text(exercises.release(crafted()))
    for task in TASKS:
        assert course.generate(task.name) == exercises.text(read(task, "release")), task.name


@pytest.mark.slow
@each_task
def test_the_instructors_copy_validates(course: Course, task: Task) -> None:
    assert course.validate(course.root / "source" / task.name / f"{task.name}.ipynb") == {}


@pytest.mark.slow
@each_task
def test_the_untouched_copy_fails_and_says_not_attempted(course: Course, task: Task) -> None:
    path = course.put("untouched", task.name, read(task, "release"))
    failed = course.validate(path)["failed"]
    assert len(failed) == len(task.parts)
    for part, cell in zip(task.parts, failed, strict=True):
        assert part.name in cell["source"]
        # one sentence, no wall, and no line too long for a page of feedback
        lines = cell["error"].strip().splitlines()
        assert lines[0].startswith(NOT_ATTEMPTED) and len(lines) <= 3 and max(map(len, lines)) <= 96


def answered(task: Task, code: dict[str, str]) -> NotebookNode:
    """A learner's copy with these functions in it, each in its cell."""
    notebook = copy.deepcopy(read(task, "release"))
    for name, cell in marked(notebook, "solution").items():
        cell.source = code.get(name, cell.source)
    return notebook


def solved(task: Task) -> dict[str, str]:
    return {part.name: part.solution for part in task.parts}


# the last one plays a thousand hands in each run, and did so when it was validated
@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS[:-1], ids=lambda task: task.name)
def test_a_wrong_function_costs_its_points_and_no_others(course: Course, task: Task) -> None:
    course.generate(task.name)
    entries = tomllib.loads((ANSWERS / f"{task.name}.toml").read_text(encoding="utf-8"))["wrong"]
    last = task.parts[-1]
    wrong = next(entry["code"] for entry in entries if entry["part"] == last.name)
    points = course.autograde("partial", task.name, answered(task, {**solved(task), last.name: wrong}))
    assert points == {f"grade_{part.name}": 0 if part is last else part.points for part in task.parts}


@pytest.mark.slow
def test_the_feedback_shows_the_case_on_the_table(course: Course) -> None:
    """Feedback is a page without a kernel: the table must be there as a picture."""
    task = tasks.task("03_winner")
    course.generate(task.name)
    course.autograde(
        "wondering", task.name, answered(task, {**solved(task), "winner": "def winner(trick):\n    return trick[0]"})
    )
    done = course.api.generate_feedback(task.name, "wondering", force=True)
    assert done["success"], done
    page = (course.root / "feedback" / "wondering" / task.name / f"{task.name}.html").read_text(encoding="utf-8")
    case = page[page.index("The case that went wrong") :]
    assert case.index("Card table: Al leads.") < case.index("<li>Al: 4♦") < case.index('class="cell')
    assert page.count('<img alt="Card table') == 1 + len(task.parts)
    assert "widget-view+json" not in page and "unpkg" not in page


@pytest.mark.slow
def test_lost_copied_and_changed_cells_cost_nothing(course: Course) -> None:
    """The learner has deleted the first cells, copied one that is to be written, and rewritten a graded one."""
    task = tasks.task("03_winner")
    course.generate(task.name)
    notebook = answered(task, solved(task))
    twin = copy.deepcopy(marked(notebook, "solution")["pairs"])
    twin.id = "twin"
    at = notebook.cells.index(marked(notebook, "solution")["pairs"])
    notebook.cells.insert(at, twin)
    marked(notebook, "grade")["grade_winner"].source = "assert False"
    notebook.cells = [cell for cell in notebook.cells if "import" not in cell.source or exercises.mark(cell, "grade")]
    assert course.autograde("messy", task.name, notebook) == {"grade_highest": 3, "grade_pairs": 3, "grade_winner": 4}


# --- without nbgrader


def test_a_graded_cell_says_one_sentence_and_no_more() -> None:
    graded = checks.exercise("03_winner").winner
    with pytest.raises(checks.NotPassed) as caught:
        graded.grade(lambda trick: trick[0])
    assert " ".join(caught.value._render_traceback_()) == str(caught.value).replace("\n", " ")
    assert "\n" not in str(caught.value) or str(caught.value).count("\n") == 1
    with pytest.raises(checks.NotPassed, match=NOT_ATTEMPTED):
        graded.grade()


@each_task
def test_the_teachers_tables_say_what_the_package_says(task: Task) -> None:
    text = (exercises.EXERCISES / "README.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and task.name in line]
    about, points = (row.strip("| ").split(" | ") for row in rows)
    rules = " ".join(f"`{rule}`" for rule in task.rules)
    assert about[:2] == [f"[{task.name}](release/{task.name}/{task.name}.ipynb)", titles()[task.lesson]]
    assert about[3:] == [rules, str(task.level), str(task.minutes), str(task.points)]
    assert points == [task.name, ", ".join(f"`{part.name}` {part.points}" for part in task.parts)]


def titles() -> dict[str, str]:
    return {lesson.name: lesson.title for lesson in lessons()}
