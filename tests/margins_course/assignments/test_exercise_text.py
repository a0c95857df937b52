"""What a chapter writes about an exercise: statement, solution and rubric are found whole, or refused."""

import os
import re
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
from tests.margins_course.assignments.test_notebooks import nbgrader_release
from tests.margins_course.assignments.test_release import ROOT, SMALL
from tests.margins_course.sums_assignment import assignment

PROOF = """
:::{exercise-start} Even · prove ★★
:label: even
:::
Show that twice $n$ is even.

:::{exercise-end}
:::

:::{solution-start} even
:class: dropdown
:::
It is divided by two, THE-SOLUTION.

:::{admonition} Rubric
:class: rubric dropdown
- 2 points: the quotient is named, THE-RUBRIC, as in {prf:ref}`twice`
  on two lines.

- 1 point: and it is whole.
:::

:::{solution-end}
:::
"""
RUBRIC = PROOF[PROOF.index(":::{admonition}") : PROOF.index(":::{solution-end}")]
END, START = ":::{exercise-end}\n:::\n", ":::{exercise-start} Even · prove ★★\n:label: even\n:::\n"
SOLVED, OPENED = ":::{solution-end}\n:::\n", ":::{admonition} Rubric\n:class: rubric dropdown"


@pytest.fixture
def chapter(tmp_path):
    def read(text):
        path = tmp_path / "small.md"
        path.write_text(SMALL + text, encoding="utf-8")
        return read_chapter(path)

    return read


BOOK = "https://book/chapters/small.html"


def stated(chapter, label="even"):
    return assignment(chapter, BOOK).sheet.exercise(label)


def student(chapter):
    return student_notebook(assignment(chapter, "page"))


def test_a_rubric_is_read_and_leaves_the_solution(chapter):
    even = stated(chapter(PROOF))
    first = f"the quotient is named, THE-RUBRIC, as in [Twice]({BOOK}#twice) on two lines."
    assert even.rubric == (Line(first, 2.0), Line("and it is whole.", 1.0))
    assert (even.title, even.kind, even.stars, even.points) == ("Even", "prove", 2, 3.0)
    assert even.page == f"{BOOK}#even"
    assert even.statement == "Show that twice $n$ is even."
    assert even.solution == "It is divided by two, THE-SOLUTION."


def test_students_get_a_place_for_the_answer_and_nothing_of_solution_and_rubric(chapter):
    read = chapter(PROOF)
    notebook = student(read)
    statement, answer = notebook.cells[-2:]
    assert statement.source == "## Even · prove ★★ · 3 points\n\nShow that twice $n$ is even."
    assert (answer.cell_type, answer.source) == ("markdown", ANSWER_HERE)
    role = dict(answer.metadata.nbgrader)
    assert role.pop("checksum")
    expected = {"grade": True, "solution": True, "locked": False, "points": 3.0, "task": False}
    assert role == expected | {"grade_id": "even--answer", "schema_version": 3}
    assert "THE-" not in as_bytes(notebook).decode()
    source = nbgrader_source(assignment(read, "page"))
    assert "THE-SOLUTION" in source.cells[-1].source
    assert "- 2 points: the quotient" in source.cells[-1].source


def test_nbgrader_clears_the_source_of_an_answer_and_knows_it_as_marked_by_hand(chapter):
    from nbgrader.utils import determine_grade, is_grade, is_solution

    cleared = nbgrader_release(nbgrader_source(assignment(chapter(PROOF), "page"))).cells[-1]
    assert "THE-" not in cleared.source
    assert is_grade(cleared)
    assert is_solution(cleared)
    cleared.metadata.nbgrader.checksum = "of something else"
    assert determine_grade(cleared) == (None, 3.0)


def test_otter_gets_a_question_that_is_marked_by_hand(chapter):
    sources = [cell.source for cell in otter_source(assignment(chapter(PROOF), "page")).cells]
    begin = sources.index("# BEGIN QUESTION\nname: even_answer\npoints: 3\nmanual: true")
    assert sources[begin - 1].startswith("## Even")
    assert sources[begin + 1] == "# BEGIN SOLUTION"
    assert "THE-SOLUTION" in sources[begin + 2]
    assert sources[begin + 3 :] == ["# END SOLUTION", "# END QUESTION"]


def test_a_rubric_in_the_statement_is_shown_to_students(chapter):
    text = PROOF.replace(RUBRIC, "").replace("is even.\n", f"is even.\n\n{RUBRIC}")
    read = chapter(text)
    assert stated(read).statement == "Show that twice $n$ is even."
    assert stated(read).rubric_points == 3
    shown = student(read).cells[-2].source
    assert "**How this is marked**\n\n- 2 points: the quotient is named, THE-RUBRIC" in shown
    assert "\n- 1 point: and it is whole." in shown
    assert "Rubric" not in shown


def test_an_exercise_without_checks_and_rubric_comes_along_as_a_statement(chapter):
    read = chapter(PROOF.replace(RUBRIC, ""))
    assert student(read).cells[-1].source == "## Even · prove ★★\n\nShow that twice $n$ is even."
    assert stated(read).points == 0


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
    assert stated(chapter(text)) == stated(chapter(PROOF))


def test_the_line_of_a_refusal_is_that_of_the_file(chapter):
    text = PROOF.replace(START, f":{START}")
    line = (SMALL + text).split("\n").index("::::{exercise-start} Even · prove ★★") + 1
    with pytest.raises(ChapterProblem, match=rf"^small.md, line {line}: "):
        chapter(text)


def test_nested_admonitions_of_unequal_fences_are_folded_whole(chapter):
    inner = "```{admonition} Inner\nIn the middle.\n```"
    outer = f":::::{{admonition}} Outer\n:class: dropdown\nBefore.\n\n{inner}\n\nAfter.\n::::::"
    cells = student(chapter(PROOF.replace("is even.\n", f"is even.\n\n{outer}\n"))).cells
    (statement,) = [cell.source for cell in cells if "Show that twice" in cell.source]
    assert "<details><summary><b>Outer</b></summary>\n\nBefore." in statement
    assert "**Inner.**\n\nIn the middle." in statement
    assert "After." in statement
    assert not re.search("admonition|:::", statement)


def test_gates_and_rubrics_in_a_code_block_are_text(chapter):
    assert [text.label for text in chapter(f"````md\n{PROOF}\n{RUBRIC}\n````\n").texts] == ["twice"]
    shown = "```text\n:::{exercise-end}\n:::\n```"
    even = stated(chapter(PROOF.replace("is even.\n", f"is even.\n\n{shown}\n")))
    assert even.statement.endswith(shown)


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
    with pytest.raises(ChapterProblem, match=said) as refusal:
        chapter(PROOF.replace(before, after))
    assert str(refusal.value).startswith("small.md")


def test_the_overview_shows_what_is_marked_by_hand(chapter):
    read = chapter(PROOF)
    assert "| Even | prove | ★★ | – | – | 3 |" in exercise_table(read)
    assert "| Twice | code |  | 2 | 1 | – |" in exercise_table(read)
    assert exercise_table(read).startswith("**Doubling** (6 points)")


@pytest.mark.parametrize("are_shown", [False, *full(True)])
def test_the_page_folds_a_rubric_and_withholds_it_with_its_solution(tmp_path, are_shown):
    (tmp_path / "index.md").write_text(f"# A page\n{PROOF.replace('{prf:ref}', '')}", encoding="utf-8")
    (tmp_path / "conf.py").write_text(
        'extensions = ["myst_parser", "sphinx_exercise", "extensions.coursework.exercise_cells"]\n'
        'myst_enable_extensions = ["colon_fence"]\n'
        f"coursework_show_solutions = {are_shown}\n",
        encoding="utf-8",
    )
    build = [sys.executable, "-m", "sphinx", "-q", "-b", "pseudoxml", tmp_path, tmp_path / "made"]
    subprocess.run(build, env=os.environ | {"PYTHONPATH": str(ROOT / "book")}, check=True)
    page = (tmp_path / "made" / "index.pseudoxml").read_text(encoding="utf-8")
    assert "Show that twice" in page
    assert [word in page for word in ("THE-SOLUTION", "THE-RUBRIC")] == [are_shown] * 2
    assert ('<admonition classes="rubric dropdown">' in page) == are_shown


def test_the_pages_notebook_withholds_a_rubric_with_its_solution():
    for solutions in ("solutions.ipynb", ""):
        parts = parted([nbformat.v4.new_markdown_cell(PROOF)], "page", solutions)
        kept = ["THE-RUBRIC" in cell.source for cells in parts.solutions.values() for cell in cells]
        assert kept == ([True] if solutions else [])
        (public,) = parts.spine
        assert "THE-RUBRIC" not in public.source
        assert "Show that twice" in public.source
