"""What a chapter writes about an exercise: statement, solution and rubric are found whole, or refused."""

import os
import subprocess
import sys

import nbformat
import pytest

from conftest import full
from extensions.coursework.notebook_parts import parted
from margins_book.page import ChapterProblem
from margins_book.page.chapter import exercise_table, read_chapter
from margins_course.assignments.notebooks import (
    ANSWER_HERE,
    as_bytes,
    nbgrader_source,
    otter_source,
    student_notebook,
)
from margins_course.assignments.sheet import Line
from margins_course.folder import write
from tests.margins_course.assignments.test_notebooks import nbgrader_release
from tests.margins_course.assignments.test_release import SMALL
from tests.margins_course.chapter_text import rubric, solved, stated
from tests.margins_course.exercises import ROOT
from tests.margins_course.sums_assignment import assignment

RUBRIC = rubric(
    "2 points: the quotient is named, THE-RUBRIC, as in {prf:ref}`twice`\n  on two lines.\n",
    "1 point: and it is whole.",
)
RUBRIC = RUBRIC.replace("rubric\n", "rubric dropdown\n") + "\n"
PROOF = stated("even", "Even · prove ★★", "Show that twice $n$ is even.")
PROOF += solved("even", f"It is divided by two, THE-SOLUTION.\n\n{RUBRIC}")
END, START = ":::{exercise-end}\n:::\n", ":::{exercise-start} Even · prove ★★\n:label: even\n:::\n"
SOLVED, OPENED = ":::{solution-end}\n:::\n", ":::{admonition} Rubric\n:class: rubric dropdown"


@pytest.fixture
def chapter(small):
    return lambda text: read_chapter(small(SMALL + text))


BOOK = "https://book/chapters/small.html"


def exercise(chapter, label="even"):
    return assignment(chapter, BOOK).sheet.exercise(label)


def student(chapter):
    return student_notebook(assignment(chapter, "page"))


def test_a_rubric_is_read_and_leaves_the_solution(chapter):
    even = exercise(chapter(PROOF))
    first = f"the quotient is named, THE-RUBRIC, as in [Twice]({BOOK}#twice) on two lines."
    assert even.rubric == (Line(first, 2.0), Line("and it is whole.", 1.0))
    assert (even.title, even.kind, even.stars, even.points) == ("Even", "prove", 2, 3.0)
    assert even.page == f"{BOOK}#even"
    assert even.statement == "Show that twice $n$ is even."
    assert even.solution == "It is divided by two, THE-SOLUTION."


def test_students_get_a_place_for_the_answer_and_nothing_of_solution_and_rubric(chapter):
    from nbgrader.utils import determine_grade  # dear, and wanted here alone

    made = assignment(chapter(PROOF), "page")
    notebook, source = student_notebook(made), nbgrader_source(made)
    statement, answer = notebook.cells[-2:]
    assert statement.source == "## Even · prove ★★ · 3 points\n\nShow that twice $n$ is even."
    assert (answer.cell_type, answer.source) == ("markdown", ANSWER_HERE)
    role = dict(answer.metadata.nbgrader)
    assert role.pop("checksum")
    expected = {"grade": True, "solution": True, "locked": False, "points": 3.0, "task": False}
    assert role == expected | {"grade_id": "even--answer", "schema_version": 3}
    assert "THE-" not in as_bytes(notebook).decode()
    assert "THE-SOLUTION" in source.cells[-1].source
    assert "- 2 points: the quotient" in source.cells[-1].source
    cleared = nbgrader_release(source).cells[-1]
    assert "THE-" not in cleared.source
    cleared.metadata.nbgrader.checksum = "of something else"
    assert determine_grade(cleared) == (None, 3.0), "marked by hand"
    otter = [cell.source for cell in otter_source(made).cells]
    begin = otter.index("# BEGIN QUESTION\nname: even_answer\npoints: 3\nmanual: true")
    assert otter[begin - 1].startswith("## Even")
    assert otter[begin + 1] == "# BEGIN SOLUTION"
    assert "THE-SOLUTION" in otter[begin + 2]
    assert otter[begin + 3 :] == ["# END SOLUTION", "# END QUESTION"]


def test_a_rubric_in_the_statement_is_shown_to_students_and_without_one_there_are_no_points(chapter):
    without = PROOF.replace(RUBRIC, "")
    read = chapter(without.replace("is even.\n", f"is even.\n\n{RUBRIC}"))
    assert exercise(read).statement == "Show that twice $n$ is even."
    assert exercise(read).rubric_points == 3
    shown = student(read).cells[-2].source
    assert "**How this is marked**\n\n- 2 points: the quotient is named, THE-RUBRIC" in shown
    assert "\n- 1 point: and it is whole." in shown
    assert "Rubric" not in shown
    assert student(chapter(without)).cells[-1].source == "## Even · prove ★★\n\nShow that twice $n$ is even."
    assert exercise(chapter(without)).points == 0


def test_an_exercise_may_have_checks_and_a_rubric(chapter):
    text = "\n:::{solution-start} twice\n:::\nAnd why.\n\n" + RUBRIC + "\n:::{solution-end}\n:::\n"
    made = assignment(chapter(text), "page")
    assert [cell.kind for cell in made.cells][-5:] == ["text", "solution", "check", "hidden-check", "answer"]
    twice = made.sheet.exercise("twice")
    assert (twice.points, twice.rubric_points) == (6, 3)
    assert twice.solution.startswith("And why.\n\n```python\ndef twice(x):")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (":::{exercise-end}\n:::", "::::{exercise-end}\n::::"),
        (":::{exercise-end}\n:::", ":::{exercise-end}\n::::"),
        (START, f":{START}".replace("even\n:::", "even\n::::")),
        (START, START.replace("even\n:::", "even\n:::::")),
        (START, START.replace(":::", "```")),
        (OPENED, f":{OPENED}"),
        (":class: rubric dropdown\n", ""),
        ("{admonition} Rubric\n", "{admonition} How I mark\n"),
    ],
)  # fmt: skip
def test_fences_of_any_length_lose_no_statement_and_no_rubric(chapter, before, after):
    text = PROOF.replace(before, after)
    assert text != PROOF
    text = text.replace("whole.\n:::", "whole.\n::::") if "::::{admonition}" in text else text
    assert exercise(chapter(text)) == exercise(chapter(PROOF))


def test_gates_in_a_code_block_are_text(chapter):
    shown = "```text\n:::{exercise-end}\n:::\n```"
    assert exercise(chapter(PROOF.replace("is even.\n", f"is even.\n\n{shown}\n"))).statement.endswith(shown)
    assert [text.label for text in chapter(f"````md\n{PROOF}\n{RUBRIC}\n````\n").texts] == ["twice"]


def test_code_in_a_statement_is_a_cell_that_students_can_run(chapter):
    code = "```{code-cell} ipython3\ndef half(x):\n    return np.divide(x, 2)\n```"
    text = PROOF.replace("is even.\n", f"is even, with `half`.\n\n{code}\n\nThe end.\n")
    made = assignment(chapter(text), "page")
    statement, example, _ = student_notebook(made).cells[-3:]
    assert statement.source.endswith("is even, with `half`.\n\nThe end.")
    assert example.source == "def half(x):\n    return np.divide(x, 2)"
    assert (example.metadata.nbgrader.locked, example.metadata.nbgrader.grade) == (True, False)
    assert any("import numpy as np" in cell.source for cell in made.cells if cell.kind == "setup")
    assert "def half" in made.sheet.exercise("even").statement


REFUSALS = {
    "no end": (END, "", "comes before the end of exercise even"),
    "no start": (START, "", "has no exercise-start before it"),
    "no solution-end": (SOLVED, "", "solution-start of even has no solution-end after it"),
    "no label": (":label: even\n", "", "has the label ''"),
    "label with two hyphens": (":label: even", ":label: even--answer", "has the label 'even--answer'"),
    "label of another": (":label: even", ":label: twice", "two exercises are labelled 'twice'"),
    "solution of nobody": ("{solution-start} even", "{solution-start} odd", "before it is labelled 'odd'"),
    "open fence": (":label: even\n:::\n", ":label: even\n", "the line that closes its fence"),
    "start with a longer fence": (START, f":{START}", "line 5[0-9]: the fence of '::::.exercise-start. .* "
                                  "4 or more times ':', but line 6[0-9] has ':::', which is shorter"),
    "end with a longer fence": (END, f":{END}", "the fence of '::::.exercise-end.' is never closed"),
    "end of the file": (SOLVED, SOLVED[:-4], "line [0-9]+: the fence .* but the text ends before it"),
    "code": ("It is divided", "```python\nIt is divided", "the fence of '```python' is never closed"),
    "end in a directive": (END, f":::::{{note}}\n{END}:::::\n", "line .*exercise-end.* of another directive"),
    "nested": ("is even.\n", "is even.\n::::{note}\n:::{tip}\n::::\n", "the fence of ':::{tip}' is never"),
    "without gates": (START, ":::{exercise} Even\n:::\n", "write {exercise-start} and {exercise-end}"),
    "empty rubric": (RUBRIC, f"{OPENED}\n:::\n", "exercise even: the rubric has no line"),
    "line without points": ("- 1 point: and", "- one point: and", "line '- one point: and it is whole.'"),
    "no points": ("- 1 point: and", "- 0 points: and", "expected more than 0 points"),
    "negative points": ("- 1 point: and", "- -1 points: and", "has the line '- -1 points"),
    "second rubric": (RUBRIC, f"{RUBRIC}\n{RUBRIC}", "exercise even has a second rubric"),
    "rubrics in both": ("is even.\n", f"is even.\n\n{RUBRIC}", "exercise even has a second rubric"),
    "open rubric": (RUBRIC, RUBRIC.replace("whole.\n:::", "whole.\n"), "line .* before the end of another"),
    "shorter fence": (":::{admonition}", ":::::{admonition}", "of ':::::.admonition. Rubric' is never"),
    "rubric outside": (SOLVED, f"{SOLVED}\n{RUBRIC}", "stands outside of all"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSALS)
def test_what_cannot_be_read_is_refused_with_its_place(chapter, kind):
    before, after, said = REFUSALS[kind]
    assert PROOF.count(before) == 1
    text = PROOF.replace(before, after)
    with pytest.raises(ChapterProblem, match=said) as refusal:
        chapter(text)
    assert str(refusal.value).startswith("small.md")
    if kind == "start with a longer fence":
        line = (SMALL + text).split("\n").index("::::{exercise-start} Even · prove ★★") + 1
        assert str(refusal.value).startswith(f"small.md, line {line}: ")


def test_the_overview_shows_what_is_marked_by_hand(chapter):
    read = chapter(PROOF)
    assert "| Even | prove | ★★ | – | – | 3 |" in exercise_table(read)
    assert "| Twice | code |  | 2 | 1 | – |" in exercise_table(read)
    assert exercise_table(read).startswith("**Doubling** (6 points)")


@pytest.mark.parametrize("are_shown", [False, *full(True)])
def test_the_page_folds_a_rubric_and_withholds_it_with_its_solution(tmp_path, are_shown):
    write(tmp_path / "index.md", f"# A page\n{PROOF.replace('{prf:ref}', '')}")
    write(
        tmp_path / "conf.py",
        'extensions = ["myst_parser", "sphinx_exercise", "extensions.coursework.exercise_cells"]\n'
        f'myst_enable_extensions = ["colon_fence"]\ncoursework_show_solutions = {are_shown}\n',
    )
    build = [sys.executable, "-m", "sphinx", "-q", "-b", "pseudoxml", tmp_path, tmp_path / "made"]
    subprocess.run(build, env=os.environ | {"PYTHONPATH": str(ROOT / "book")}, check=True)
    page = (tmp_path / "made" / "index.pseudoxml").read_text(encoding="utf-8")
    assert "Show that twice" in page
    assert [word in page for word in ("THE-SOLUTION", "THE-RUBRIC")] == [are_shown] * 2
    assert ('<admonition classes="rubric dropdown">' in page) == are_shown
    parts = parted([nbformat.v4.new_markdown_cell(PROOF)], "page", "solutions.ipynb" if are_shown else "")
    kept = ["THE-RUBRIC" in cell.source for cells in parts.solutions.values() for cell in cells]
    assert kept == [True] * are_shown
    (public,) = parts.spine
    assert "THE-RUBRIC" not in public.source
    assert "Show that twice" in public.source
