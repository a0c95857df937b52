"""Trials of checks before a release: the book's pass them; blind, unfair and toothless ones are refused."""

import pytest

from margins_book.page import ChapterProblem
from margins_book.page.chapter import read_chapter
from margins_course import CourseProblem
from margins_course.assignments.answer_forms import FORMS_KEY
from margins_course.assignments.notebooks import as_bytes, nbgrader_source
from margins_course.assignments.trials import MUST_FAIL, MUST_PASS, complete_source, try_source
from margins_course.folder import CourseFolder
from tests.margins_course.assignments.test_checks_of_the_book import SAMPLED, name
from tests.margins_course.exercises import assigned, source, variants
from tests.margins_course.sums_assignment import CHAPTER, assignment, release_chapter

VISIBLE = 'assert np.array_equal(twice(np.arange(3.0)), [0, 2, 4]), "twice 0, 1, 2"'
HIDDEN = 'assert np.allclose(twice(secret), [22, -6], atol=1e-9), "twice HIDDEN-WORD"'
MISTAKES = """\
import numpy as np

# wrong: the half
def twice(x):
    return x / 2

# wrong: the absolute value
def twice(x):
    return 2 * np.abs(x)
"""


def tried(tmp_path, *changes, mistakes=None):
    """The trials of the small chapter with some of its text replaced."""
    text = CHAPTER
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / "sums.md").write_text(text, encoding="utf-8")
    folder = tmp_path / "exercises"
    if mistakes is not None:
        (folder / "twice").mkdir(parents=True)
        (folder / "twice" / "wrong.py").write_text(mistakes, encoding="utf-8")
    made = assignment(read_chapter(tmp_path / "sums.md"), "https://example.org/sums.html")
    found = try_source(as_bytes(complete_source(nbgrader_source(made), [folder])).decode())
    found.require_sound()
    return found


# of the others test_checks_of_the_book.py tries reference, stub and mistakes, test_answer_forms.py forms
@pytest.mark.parametrize("path", SAMPLED, ids=name)
def test_the_checks_of_the_book_are_neither_blind_nor_unfair(path):
    rows = try_source(source(path)).rows
    assert [f"{row.exercise}, {row.answer}: {row.fault}" for row in rows if row.fault] == []
    assert [f"{row.exercise}, {row.answer}" for row in rows if row.is_blind] == []
    labels = {row.exercise for row in rows}
    assert labels == {one.label for one in assigned(path).sheet.exercises if one.functions}
    for label in labels:
        mine = [row for row in rows if row.exercise == label]
        assert len([row for row in mine if row.answer.startswith("wrong: ")]) == len(variants(label)) >= 3
        assert len([row for row in mine if row.expected == MUST_FAIL]) >= 20
        assert len([row for row in mine if row.expected == MUST_PASS]) == 7


def test_the_table_has_a_line_a_row_and_the_summary_one_an_exercise(tmp_path):
    found = tried(tmp_path, mistakes=MISTAKES)
    assert found.table.count("\n") == len(found.rows) + 1
    assert "wrong: the half" in found.table
    assert "in the notebook: fails, marked: fails, hidden: fails" in found.table
    first, second = found.summary
    assert first.split()[0] == "twice"
    assert "7 forms of the right one pass, 2 known mistakes lose points" in first
    assert "0 known mistakes" in second


def test_a_hidden_check_that_takes_constants_earns_them_nothing_and_is_shown(tmp_path):
    found = tried(tmp_path, (HIDDEN, 'assert twice(secret)[1] <= 0, "blind"'))
    rows = [row for row in found.rows if row.is_blind]
    assert "every number is 0" in [row.answer for row in rows]
    assert not any(row.fault for row in rows)


BLIND = "assert not np.any(np.abs(twice(np.arange(3.0)) - [0, 2, 4]) > 1e-9)"
UNFAIR = "assert twice(np.arange(3.0)).tolist() == [0, 2, 4]"
STRICT = 'assert np.allclose(twice(np.array([0.1])), [0.2], rtol=1e-12, atol=0), "strict"'
SORTED = f"{MISTAKES}\n# wrong: sorted\ndef twice(x):\n    return x + x\n"
REFUSED = {
    "takes everything": (
        (VISIBLE, "twice(np.arange(3.0))"),
        None,
        "always 0: passes a visible check and",
    ),
    "takes NaN": ((VISIBLE, BLIND), None, "every number is NaN: passes a visible"),
    "asks nothing": ((HIDDEN, "assert secret is not None"), None, "nothing written: passes a hidden check"),
    "refuses lists": ((VISIBLE, UNFAIR), None, "in lists: is not treated alike everywhere: in the notebook"),
    "refuses what the notebook takes": ((HIDDEN, STRICT), None, "single precision .*: is not treated alike"),
    "takes a mistake": ((), SORTED, "wrong: sorted: passes every check, but is a known mistake"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_check_that_is_blind_or_unfair_is_refused_by_exercise_and_row(tmp_path, kind):
    change, mistakes, said = REFUSED[kind]
    with pytest.raises(CourseProblem, match=f"twice, {said}"):
        tried(tmp_path, *([change] if change else []), mistakes=mistakes)


def test_single_precision_is_taken_where_the_notebook_takes_it(tmp_path):
    tried(tmp_path)
    notebook = nbgrader_source(assignment(read_chapter(tmp_path / "sums.md"), "https://example.org"))
    forms = [cell.metadata.get(FORMS_KEY) for cell in complete_source(notebook, []).cells]
    assert next(filter(None, forms))["twice"]["numbers"]["single"] is True


def test_a_file_of_mistakes_without_mistakes_is_refused(tmp_path):
    with pytest.raises(ChapterProblem, match=r"wrong\.py: no line begins with '# wrong: '"):
        tried(tmp_path, mistakes="def twice(x):\n    return x\n")


def test_a_reference_that_fails_its_checks_is_refused(tmp_path):
    with pytest.raises(CourseProblem, match="the reference fails twice--check-1: AssertionError: twice 0"):
        tried(tmp_path, ("return 2 * x\n", "return 3 * x\n"))


def test_release_writes_the_report_even_if_it_refuses(tmp_path):
    course = CourseFolder(tmp_path / "course")
    path = tmp_path / "sums.md"
    path.write_text(CHAPTER, encoding="utf-8")
    release_chapter(course, path)
    report = course.report("sums-checks.txt").read_text(encoding="utf-8")
    assert report.startswith("twice ")
    assert "every number is NaN" in report
    before = course.source("sums").read_bytes()
    path.write_text(CHAPTER.replace(VISIBLE, "twice(np.arange(3.0))"), encoding="utf-8")
    with pytest.raises(CourseProblem, match="the checks cannot be trusted"):
        release_chapter(course, path)
    assert "in the notebook: passes" in course.report("sums-checks.txt").read_text(encoding="utf-8")
    assert course.source("sums").read_bytes() == before
