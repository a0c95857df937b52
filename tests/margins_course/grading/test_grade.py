"""Marking in the box agrees with the proof in one process, on every chapter; each exercise stands alone."""

import json
from functools import cache

import numpy as np
import pytest

from margins_course import CourseProblem
from margins_course.assignments.notebooks import as_bytes, student_notebook
from margins_course.collecting.submissions import read_submission
from margins_course.grading.grade import NOT_TRIED, grade, run_check, run_checks
from margins_course.grading.reference import InProcessAnswers, read_reference, with_copied_data
from margins_course.grading.student_work import Given, work_by_exercise
from margins_course.sandbox.answers import Limits
from tests.margins_course.assignments.test_checks_of_the_book import SAMPLED, name
from tests.margins_course.chapter_text import with_changes
from tests.margins_course.exercises import CHAPTERS, assigned, deserved, solutions, source, variants
from tests.margins_course.slips import mutants
from tests.margins_course.sums_assignment import (
    CHAPTER,
    FOUR,
    HIDDEN,
    RIGHT,
    TEN,
    answered,
    by_exercise,
    notebooks,
)

pytestmark = pytest.mark.usefixtures("boxes")
SEVERAL = """def judge(x):
    # corner: of a helper that several cases use
    assert np.allclose(twice(x), 2 * x, atol=1e-9), "twice HIDDEN-WORD"

# corner: large numbers
judge(np.array([1e9, 1.0]))
# corner: negative numbers
for secret in (np.array([-1.0]), np.array([-2.0])):
    judge(secret)
"""


@cache
def given_out(path):
    """The students' notebook of a chapter."""
    return as_bytes(student_notebook(assigned(path))).decode()


@pytest.fixture(scope="module")
def corners(tmp_path_factory):
    return notebooks(tmp_path_factory.mktemp("corners"), with_changes(CHAPTER, (HIDDEN, SEVERAL + HIDDEN)))[0]


def checked(text, code):
    """What the checks say to an answer of `twice`, which runs here and crosses as into a box and out."""
    reference = read_reference(text)
    return run_checks(reference, InProcessAnswers(reference, code), Limits(), only="twice")


def marked(submitted, text):
    """The result of a notebook that is text."""
    return grade(submitted.encode(), text)


@pytest.mark.parametrize("path", SAMPLED, ids=name)  # forms and checks of all are tried without a box
def test_reference_gets_every_point_and_the_notebook_as_given_out_holds_no_work(path):
    made, right = assigned(path), marked(answered(given_out(path), solutions(path)), source(path))
    everything = sum(sum(check.points for check in exercise.checks) for exercise in made.sheet.exercises)
    assert sum(right.points.values()) == everything, right.messages
    assert set(right.messages.values()) == {None}
    cells, sheet = read_submission(given_out(path).encode()), made.sheet
    blank = work_by_exercise(cells, {}, Given(read_reference(source(path)), sheet), {})
    assert blank.keys() == right.work.keys() == {exercise.label for exercise in sheet.exercises}
    assert not any(work.pieces for work in blank.values())
    coded = {exercise.label for exercise in sheet.exercises if exercise.functions}
    assert {label for label, work in right.work.items() if work.pieces} == coded
    assert {check.partition("--")[0] for check in right.praise} == coded
    assert all(said.startswith("Right: ") for said in right.praise.values())


def rows_of_answers(path):
    """Submissions that answer every exercise with a known mistake, until each was made, or with a mutant."""
    mistakes = {label: list(variants(label).values()) for label in solutions(path)}
    for turn in range(max(map(len, mistakes.values()))):
        yield {label: row[turn % len(row)] for label, row in mistakes.items()}
    slips = {label: [code for _, code in mutants(solution)] for label, solution in solutions(path).items()}
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        yield {label: row[int(share * len(row))] for label, row in slips.items()}


@pytest.mark.full
@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_both_executors_agree_on_known_mistakes_and_on_mutants(path):
    for answers in rows_of_answers(path):
        result = marked(answered(given_out(path), answers), source(path))
        for label, code in answers.items():
            boxed = {n: points for n, points in result.points.items() if n.startswith(f"{label}--")}
            assert boxed == deserved(path, label, code), f"{code}\n{result.messages}"


def test_a_hidden_check_is_not_tried_where_the_visible_one_fails(sums):
    """What it was asked would tell the hidden data, and what it knows by heart would earn points."""
    text, student = sums
    code = "def twice(x):\n    print(x)\n    return 2 * x if len(x) == 2 else x"
    result = marked(answered(student, RIGHT | {"twice": code}), text)
    assert result.messages["twice--hidden-check-1"] == NOT_TRIED
    assert result.points["twice--hidden-check-1"] == 0.0
    assert "twice--hidden-check-1" not in result.corners


FORMS = {
    "return tuple(2 * v for v in x)": None,
    "return np.asarray(2 * x, dtype=int)": None,
    "return [2 * x]": "WrongForm: expected numbers in 1 dimension, but got an array of shape (1, 3)",
    "return x": "AssertionError: twice 0, 1, 2",
    "x *= 2; return x": "StudentError: it changed one of its arguments; work on a copy",
}


@pytest.mark.parametrize("answer", FORMS)
def test_answers_of_another_form_are_taken_or_refused_with_a_sentence(sums, answer):
    result, said = checked(sums[0], f"def twice(x):\n    {answer}"), FORMS[answer]
    got = result.messages["twice--check-1"]
    assert got is None if said is None else got.startswith(said)
    assert by_exercise(result.points)["twice"] == (0.0 if said else 5.0)


CORNER_OF = {
    "2.0 * np.minimum(x, 1e6)": "large numbers",
    "2 * np.abs(x)": "negative numbers",
    "np.where(x > 10, 0, 2 * x) if len(x) == 2 else 2 * x": "large numbers",
    "x if len(x) == 2 and x[0] == 11 else 2 * x": "negative numbers",
}


@pytest.mark.parametrize("answer", CORNER_OF)
def test_a_failed_hidden_check_names_the_corner_if_it_has_one_and_no_data(sums, corners, answer):
    code = f"def twice(x):\n    return {answer}"
    assert checked(corners, code).corners == {"twice--hidden-check-1": CORNER_OF[answer]}
    assert set(checked(sums[0], code).corners.values()) <= {""}


def test_praise_is_for_those_who_earned_it_and_for_visible_checks_only(tmp_path):
    changes = [(check, f'{check}\nprint("Right: {name}.")') for check, name in ((FOUR, "four"), (TEN, "H"))]
    text, student = notebooks(tmp_path, with_changes(CHAPTER, *changes))
    assert marked(answered(student, RIGHT), text).praise == {"total--check-1": "Right: four."}
    assert marked(student, text).praise == {}


@pytest.mark.parametrize("code", ["kept.append(3)", "def change():\n    kept[0] = 3\nchange()"])
def test_what_trusted_code_changes_is_its_own(code):
    """What it does not name need not be copied for each of a hundred answers."""
    given = {"kept": [1], "other": [2]}
    own = with_copied_data(given, code)
    exec(code, own)
    assert given["kept"] == [1] != own["kept"]
    assert own["other"] is given["other"]


def test_an_assignment_of_an_earlier_version_is_refused(sums):
    text, student = sums
    old = json.loads(text)
    for cell in old["cells"]:
        cell["metadata"].pop("answers", None)
    with pytest.raises(CourseProblem, match="run `margins-course release` again"):
        marked(student, json.dumps(old))


def test_a_check_that_an_answer_makes_huge_fails_before_it_takes_the_memory(sums):
    reference = read_reference(sums[0])
    (check, *_) = reference.checks
    huge = {"twice": lambda x: np.empty(6 << 27)}  # 6 GB, never touched
    assert run_check(reference, check, huge, Limits()).said.startswith("MemoryError")
    assert run_check(reference, check, {"twice": lambda x: 2 * x}, Limits()).said is None
