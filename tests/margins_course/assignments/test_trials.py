"""Trials of checks before a release: the book's pass them; blind, unfair and toothless ones are refused."""

import re

import pytest

from margins_book.page import ChapterProblem
from margins_book.page.chapter import read_chapter
from margins_course import CourseProblem
from margins_course.assignments.notebooks import as_bytes, nbgrader_source
from margins_course.assignments.trials import MUST_FAIL, MUST_PASS, complete_source, try_source
from margins_course.folder import CourseFolder, write
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


def tried(tmp_path, old="", new="", mistakes=None):
    """The trials of the small chapter with a part of its text replaced."""
    assert CHAPTER.count(old) == 1 or not old
    (tmp_path / "sums.md").write_text(CHAPTER.replace(old, new) if old else CHAPTER, encoding="utf-8")
    folder = tmp_path / "exercises"
    if mistakes is not None:
        write(folder / "twice" / "wrong.py", mistakes)
    made = assignment(read_chapter(tmp_path / "sums.md"), "https://example.org/sums.html")
    found = try_source(as_bytes(complete_source(nbgrader_source(made), [folder])).decode())
    found.require_sound()
    return found


# of the others test_checks_of_the_book.py tries reference, stub and mistakes
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


def test_a_hidden_check_that_takes_constants_earns_them_nothing_and_is_shown(tmp_path):
    found = tried(tmp_path, HIDDEN, 'assert twice(secret)[1] <= 0, "blind"')
    rows = [row for row in found.rows if row.is_blind]
    assert "every number is 0" in [row.answer for row in rows]
    assert not any(row.fault for row in rows)


BLIND = "assert not np.any(np.abs(twice(np.arange(3.0)) - [0, 2, 4]) > 1e-9)"
UNFAIR = "assert twice(np.arange(3.0)).tolist() == [0, 2, 4]"
STRICT = 'assert np.allclose(twice(np.array([0.1])), [0.2], rtol=1e-12, atol=0), "strict"'
SORTED = f"{MISTAKES}\n# wrong: sorted\ndef twice(x):\n    return x + x\n"
REFUSED = {  # what must be said -> what is replaced, by what, and known mistakes
    "twice, always 0: passes a visible check and": (VISIBLE, "twice(np.arange(3.0))"),
    "twice, every number is NaN: passes a visible": (VISIBLE, BLIND),
    "twice, nothing written: passes a hidden check": (HIDDEN, "assert secret is not None"),
    "twice, in lists: is not treated alike everywhere: in the notebook": (VISIBLE, UNFAIR),
    "twice, single precision .*: is not treated alike": (HIDDEN, STRICT),
    "twice, wrong: sorted: passes every check, but is a known mistake": ("", "", SORTED),
    r"wrong\.py: no line begins with '# wrong: '": ("", "", "def twice(x):\n    return x\n"),
    "the reference fails twice--check-1: AssertionError: twice 0": ("return 2 * x\n", "return 3 * x\n"),
}


@pytest.mark.parametrize("said", REFUSED)
def test_checks_that_cannot_be_trusted_are_refused_by_exercise_and_row(tmp_path, said):
    with pytest.raises(ChapterProblem, match=said):
        tried(tmp_path, *REFUSED[said])


def test_release_writes_the_report_even_if_it_refuses(tmp_path):
    course = CourseFolder(tmp_path / "course")
    path = tmp_path / "sums.md"
    write(path, CHAPTER)
    write(tmp_path / "exercises" / "twice" / "wrong.py", MISTAKES)
    release_chapter(course, path)
    report = course.report("sums-checks.txt").read_text(encoding="utf-8")
    assert re.match("twice .* 7 forms of the right one pass, 2 known mistakes lose points\ntotal ", report)
    for answer in ("every number is NaN", "wrong: the half"):
        row = re.search(f"^twice +{answer} .*$", report, re.M)[0]
        assert row.endswith("in the notebook: fails, marked: fails, hidden: fails")
    before = course.source("sums").read_bytes()
    path.write_text(CHAPTER.replace(VISIBLE, "twice(np.arange(3.0))"), encoding="utf-8")
    with pytest.raises(CourseProblem, match="the checks cannot be trusted"):
        release_chapter(course, path)
    assert "in the notebook: passes" in course.report("sums-checks.txt").read_text(encoding="utf-8")
    assert course.source("sums").read_bytes() == before
