"""Totals: checks, marks by hand, changes and lateness end in the score that is deserved."""

from dataclasses import replace
from datetime import timedelta

import pytest

from margins_course.assignments.settings import LateRule
from margins_course.assignments.sheet import Exercise, Line, Sheet
from margins_course.folder import write
from margins_course.grading.results import Piece, Work
from margins_course.grading.totals import (
    CHANGED,
    NOT_MARKED,
    RUBRIC_CHANGED,
    given_texts,
    needs_manual_marking,
    round_up,
    totals,
)
from margins_course.pages.review_cards import cards
from tests.margins_course.courses import (
    ALL,
    DUE,
    NAME,
    PROOF,
    SHEET,
    TEXTS,
    TWICE,
    answered,
    made_course,
    notebook,
    settings_of,
)

ROSTER = ("ada,Ada Lovelace,,", "bob,Bob Lee,,", "cyd,Cyd Oz,,")
VERY_LATE = (2026, 3, 2, 12, 0, 2)  # a day and two seconds after the due time
WAITING = f"proof: {NOT_MARKED}; both: {NOT_MARKED}"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Ada handed in, Bob's file is broken, nothing came of Cyd."""
    settings_of(monkeypatch)
    course = made_course(tmp_path, ROSTER)
    course.came(("ada.ipynb", answered("a")), ("bob.ipynb", "broken"))
    return course


def given(course, **by_hand):
    """Ada's total after marks by hand: lines by exercise, or lines and an adjustment."""
    for label, mark in by_hand.items():
        course.give("ada", label, *(mark if isinstance(mark, list) else [mark]))
    return of_ada(course)


def of_ada(course):
    return totals(course, NAME)[0]


def waits(total):
    return [score.waits for score in total.exercises]


def points(total):
    return [score.points for score in total.exercises]


def test_a_file_beside_the_notebook_may_be_the_proof_and_waits_for_a_person(course):
    """Once the proof that was photographed into a PDF scored 0 before anybody had looked at it."""
    course.came(("ada.ipynb", notebook()), ("ada/proof.pdf", "%PDF"))
    course.marked("ada", {})
    assert (of_ada(course).score, of_ada(course).reason) == (None, WAITING)
    for exercise in SHEET.exercises[1:]:
        (card,) = cards(exercise, totals(course, NAME), given_texts(course, NAME))
        assert card.waits
    assert given(course, proof=(2.0, 3.0), both=(0.0,)).score == 5.0


def test_a_file_that_comes_beside_a_marked_notebook_makes_its_proofs_wait_again(course):
    """Once a proof that came as a PDF after the marking was never read."""
    course.marked("ada", ALL, TEXTS)
    assert given(course, twice=(), proof=(1.0, 2.0), both=(4.0,)).score == 13.0
    for content in ("%PDF 1", "%PDF 2"):
        for name in ("ada/proof.pdf", "ada/again.pdf"):  # the same content again changes nothing
            course.came((name, content))
            assert waits(of_ada(course)) == (["", CHANGED, CHANGED] if "proof" in name else [""] * 3)
            assert given(course, proof=(2.0, 3.0), both=(4.0,)).score == 15.0


def test_a_submission_that_waits_for_a_person_has_no_score(course):
    course.marked("ada", ALL, TEXTS)
    assert (of_ada(course).score, of_ada(course).reason) == (None, WAITING)
    total = given(course, proof=(1.0, 2.0), both=[None, 1.0])  # a comment alone is no mark
    assert points(total) == [5.0, 3.0, None]
    assert total.reason == f"both: {NOT_MARKED}"
    total = given(course, both=(4.0,))
    assert (total.score, total.before_lateness, total.factor, total.reason) == (13.0, 13.0, 1.0, "")
    assert points(total) == [5.0, 3.0, 5.0]


def test_an_empty_answer_earns_0_without_waiting(course):
    for untouched in ({}, {"proof": "", "both": " \n"}):
        course.marked("ada", {}, untouched)
        assert (of_ada(course).score, of_ada(course).reason) == (0.0, "")
        assert points(of_ada(course)) == [0.0, 0.0, 0.0]


def test_a_stale_mark_does_not_count_and_is_flagged_until_confirmed(course):
    course.marked("ada", {}, TEXTS)
    assert given(course, proof=[(0.0, 1.0), 0.5], both=(4.0,), twice=[(), 2.0]).score == 1.5 + 4 + 2
    course.marked("ada", ALL, TEXTS | {"proof": "A better one.", "twice": "def twice(x): return 2 * x"})
    assert points(of_ada(course)) == [5.0, None, None]  # the gift of 2 is gone
    assert waits(of_ada(course)) == [CHANGED] * 3  # of the last one the verdict changed
    total = given(course, proof=[(0.0, 1.0), 0.5], both=(4.0,))
    assert total.score == 5 + 1.5 + 5
    assert total.reason == f"twice: {CHANGED}"


def with_exercise(number, **changes):
    """The sheet in which an exercise is another."""
    exercises = list(SHEET.exercises)
    exercises[number] = replace(exercises[number], **changes)
    return Sheet(NAME, "Sums", tuple(exercises))


def test_a_mark_under_another_rubric_or_maximum_does_not_count(course):
    course.marked("ada", ALL, TEXTS)
    given(course, proof=(2.0, 3.0), twice=[(), 1.0])
    more = (PROOF.rubric[0], replace(PROOF.rubric[1], points=4.0))
    fewer = (replace(PROOF.rubric[0], points=1.0), PROOF.rubric[1])
    for rubric, why in ((PROOF.rubric[:1], RUBRIC_CHANGED), (fewer, RUBRIC_CHANGED), (more, CHANGED)):
        sheet = with_exercise(1, rubric=rubric)
        write(course.notebook("source", NAME), notebook(sheet=sheet, solved=True))
        assert "margins-course grade sums" in of_ada(course).reason
        course.marked("ada", ALL, TEXTS, sheet=sheet)
        assert waits(of_ada(course))[1] == why
    sheet = with_exercise(0, checks=(replace(TWICE.checks[0], points=4.0), TWICE.checks[1]))
    write(course.notebook("source", NAME), notebook(sheet=sheet, solved=True))
    course.marked("ada", {"twice--check-1": 4.0}, TEXTS, sheet=sheet)
    assert (points(of_ada(course))[0], waits(of_ada(course))[0]) == (4.0, CHANGED)


def test_an_exercise_stays_between_0_and_its_points(course):
    course.marked("ada", ALL, TEXTS)
    total = given(course, twice=[(), 100.0], proof=[(2.0, 3.0), 0.25], both=[(0.0,), -7.0])
    assert points(total) == [5.0, 5.0, 0.0]
    assert total.score == 10.0


@pytest.mark.parametrize(
    "kept", ["", "{}", "[", "[]", '{"key": "old", "points": {}, "messages": {}, "notebook": {}}']
)
def test_a_result_of_another_edition_counts_as_none(course, kept):
    write(course.result(NAME, "ada"), kept)
    assert "the checks have not run" in of_ada(course).reason


@pytest.mark.parametrize(
    ("rule", "extension", "factor", "score"),
    [
        (LateRule(), None, 1.0, 13.0),
        (LateRule(per_day=0.1), None, 0.8, 10.4),
        (LateRule(per_day=0.1), timedelta(seconds=2), 0.9, 11.7),
        (LateRule(per_day=0.1), timedelta(days=1, seconds=2), 1.0, 13.0),
        (LateRule(days=1), None, 0.0, 0.0),
        (LateRule(per_day=0.07, days=2), None, 0.86, 11.18),
    ],
)
def test_lateness_costs_what_the_rule_says_after_the_students_own_due_time(
    course, monkeypatch, rule, extension, factor, score
):
    course.came(("ada.ipynb", answered("late"), VERY_LATE))
    course.marked("ada", ALL, TEXTS)
    given(course, proof=(1.0, 2.0), both=(4.0,))
    settings_of(monkeypatch, late=rule, extensions={"ada": DUE + extension} if extension else {})
    total = of_ada(course)
    assert (total.factor, total.score) == (pytest.approx(factor), score)
    assert total.before_lateness == 13.0
    assert (f"{100 * factor:g} % of the points count" in total.reason) == (factor < 1)


def test_a_day_is_over_after_its_last_second_and_the_grace_ends_before_the_first():
    rule, day, grace = LateRule(0.1, 3, timedelta(minutes=15)), 86400, 900
    late = {-day: 1, 0: 1, grace: 1, grace + 1: 0.9, day: 0.9, day + 1: 0.8, 3 * day: 0.7, 3 * day + 1: 0}
    assert {seconds: rule.factor(seconds) for seconds in late} == late
    assert [LateRule().factor(seconds) for seconds in (0, 1, 1e9)] == [1, 1, 1]
    assert LateRule(0.5).factor(5 * day) == 0
    assert [LateRule(days=0, grace=timedelta(minutes=1)).factor(s) for s in (60, 61)] == [1, 0]


def test_hundredths_are_rounded_for_the_student():
    exact = {10 / 3: 3.34, 0.1 + 0.2: 0.3, 13 * 0.9: 11.7, 0.0: 0.0}
    exact |= {n / 100: n / 100 for n in range(5000)}
    assert {number: round_up(number) for number in exact} == exact
    assert all(0 <= round_up(n / 700) - n / 700 < 0.01 for n in range(5000))


def test_code_alone_does_not_wait_for_a_reader_where_a_proof_was_asked_too():
    kind = "code and prove"
    exercise = Exercise("both", "Both", kind, 2, "", "", "", "", ("f",), rubric=(Line("why", 2.0),))
    code, aside = Piece("code", "def f(x):\n    return x"), Piece("code", "print('evidence')")
    blank, text = Piece("markdown", "*Write your answer here.*"), Piece("markdown", "because")
    for piece, is_read in ((blank, False), (text, True), (aside, True)):
        assert needs_manual_marking(exercise, Work((code, piece)), {"", blank.source}, ()) == is_read
