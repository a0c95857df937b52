"""Release: chapters become assignments, nothing secret leaves, what cannot be marked is refused."""

import ast
import json
import re

import pytest

from margins_book.page.chapter import read_chapter
from margins_course import CourseProblem
from margins_course.assignments.new_settings import write_new_settings
from margins_course.assignments.notebooks import as_bytes, nbgrader_source, student_notebook
from margins_course.assignments.release import prepare, release
from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import read_sheet
from margins_course.folder import CourseFolder
from tests.margins_course.chapter_text import coded, head
from tests.margins_course.exercises import messages, reference_of
from tests.margins_course.sums_assignment import assignment, release_chapter

SETUP = """\
import numpy as np
import decimal  # no exercise needs it

def helper(x):
    return np.add(x, x)
unused = helper(3)
kept = []
kept.append(helper)"""
STATEMENT = """\
Write `twice(x)`, see {prf:ref}`a-theorem` and {numref}`ex-lines`.

:::{admonition} Hint
:class: dropdown
Add it to itself.
:::"""
SMALL = head("Doubling", SETUP) + coded(
    "twice",
    STATEMENT,
    "return x + x",
    (2, 'assert twice(2) == 4, "twice two"'),
    (1, 'assert twice(5) == kept[0](5), "twice five"'),
)


def prepared(path, more=""):
    """The assignment of a chapter's file with the settings that it gets at first, and some more."""
    course = CourseFolder(path.parent / "course")
    if not course.settings(path.stem).exists():
        write_new_settings(course, path.stem, [str(path)])
    with course.settings(path.stem).open("a", encoding="utf-8") as file:
        file.write(more)
    return prepare(course, read_settings(course, path.stem))


def test_students_get_no_solution_and_no_hidden_check_and_statements_in_plain_markdown(assigned):
    text = as_bytes(student_notebook(assigned)).decode()
    assert not re.search("SOLUTION|HIDDEN", text)
    stated = {cell.exercise for cell in assigned.cells if cell.kind == "text"}
    for cell in assigned.cells:
        assert cell.exercise in {"", None, *stated}
        if cell.kind == "text" and cell.exercise:
            assert not re.search(r":::|\{prf:ref\}", cell.source)
        if cell.kind == "solution":
            inside = cell.source.split("### BEGIN SOLUTION\n")[1].split("### END")[0]
            lines = [line.strip() for line in inside.splitlines() if len(line.strip()) > 25]
            assert not [line for line in lines if json.dumps(line)[1:-1] in text]
        if cell.kind.startswith("hidden"):
            assert json.dumps(cell.source, ensure_ascii=False)[1:-1] not in text
            assert cell.name not in text


def test_every_assert_of_a_check_says_what_is_wrong(assigned):
    for cell in assigned.cells:
        if cell.is_graded:
            asserts = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Assert)]
            assert all(node.msg for node in asserts), f"{cell.name}: an assert without a message"


def test_students_setup_leaves_out_what_only_hidden_checks_use(small):
    made = assignment(read_chapter(small()), "page")
    assert [cell.kind for cell in made.cells if "setup" in cell.kind] == ["hidden-setup"]
    reference = reference_of(made)
    assert messages(reference, "twice", reference.solutions[0].source) == [None, None]


def test_a_check_that_needs_another_exercise_stops_the_release(small, tmp_path):
    second = SMALL[SMALL.index(":::{exercise-start}") :].replace("twice", "double")
    second = second.replace("2) ==", "2) + 0 * twice(1) ==")
    with pytest.raises(CourseProblem, match="double--check-1: NameError: name 'twice' is not defined"):
        release_chapter(CourseFolder(tmp_path / "course"), small(SMALL + "\n" + second))


def private(small, name, content):
    """The small chapter's file, and a folder of private checks beside the settings that it will get."""
    path = small()
    folder = CourseFolder(path.parent / "course").settings(path.stem).parent / "private"
    folder.mkdir(parents=True)
    (folder / name).write_text(content, encoding="utf-8")
    return path


def test_private_checks(small):
    check = '# points: 1.5\nassert twice(-1) == -2, "twice minus one"\n'
    made = prepared(private(small, "twice.py", check), "private_checks: private\n")
    assert made.sheet.points == 4.5
    assert "minus one" in as_bytes(nbgrader_source(made)).decode()
    assert "minus one" not in as_bytes(student_notebook(made)).decode()
    said = messages(reference_of(made), "twice", "def twice(x):\n    return abs(2 * x)")
    assert said == [None, None, "AssertionError: twice minus one"]
    (twice,) = made.sheet.exercises
    assert [(check.name, check.hidden) for check in twice.checks][-1] == ("twice--private-check-1", True)


NO_CHECKS = [
    ("", "", "is not a folder"),
    ("other.py", "# points: 1\n", "no coded exercise 'other'; it has twice"),
    ("twice.py", "assert twice(1)\n", "the first line must be"),
    ("twice.py", "# points: 0\n", "the first line must be"),
    ("twice.py", "# points: 1\nassert (\n", "this is not Python"),
    ("twice.py", "# points: " + "9" * 400 + "\nassert twice", r"twice\.py"),  # infinitely many
    ("twice.py", "# points: 3\nx=" + "-" * 99_999 + "1", r"twice\.py"),
]


@pytest.mark.parametrize(("name", "content", "said"), NO_CHECKS, ids=lambda text: text[:20])
def test_private_checks_that_cannot_be_used_are_refused(small, name, content, said):
    path = private(small, name, content) if name else small()
    with pytest.raises(CourseProblem, match=said):
        prepared(path, "private_checks: private\n")


def test_release_writes_notebooks_twice_the_same_and_the_sheet_into_the_instructors_alone(small, tmp_path):
    course = CourseFolder(tmp_path / "course")
    assigned, files = release_chapter(course, small())
    source, student = files
    assert files == [course.notebook(step, "small") for step in ("source", "release")]
    sheet, (twice,) = assigned.sheet, assigned.sheet.exercises
    assert (sheet.title, sheet.points, twice.label) == ("Doubling: exercises", 3, "twice")
    assert (twice.title, twice.kind, twice.functions) == ("Twice", "code", ("twice",))
    assert twice.page.endswith("/chapters/small.html#twice")
    assert "return x + x" in twice.solution
    assert "BEGIN" not in twice.solution
    assert read_sheet(source.read_text(encoding="utf-8")) == sheet
    assert "margins_course" not in json.loads(student.read_text(encoding="utf-8"))["metadata"]
    before = [path.read_bytes() for path in files]
    assert release(course, "small")[1] == files
    assert [path.read_bytes() for path in files] == before
