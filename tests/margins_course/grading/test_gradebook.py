"""nbgrader's gradebook says what the marks say, and keeps what was entered in it."""

import pytest

from margins_course.assignments.sheet import Sheet
from margins_course.collecting.collect import collect
from margins_course.folder import write
from margins_course.grading import gradebook
from margins_course.grading.gradebook import update_gradebook
from margins_course.grading.results import HandMark, append_hand_mark
from tests.margins_course.courses import (
    NAME,
    SHEET,
    answered,
    marked,
    notebook,
    zipped,
)
from tests.margins_course.grading.test_export import ALL, EARLY, FILES, TEXTS


# ---- nbgrader
def in_gradebook(course, student):
    """Score, extra credit, whether it waits and the comment, by cell, as nbgrader reads them."""
    with gradebook.open_gradebook(course) as book:
        submission = book.find_submission(NAME, student)
        (own,) = submission.notebooks
        grades = {
            g.name: (g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade) for g in own.grades
        }
        comments = {c.name: c.manual_comment for c in own.comments if c.manual_comment}
        return submission.score, submission.max_score, grades, comments, own.late_submission_penalty


@pytest.mark.full
def test_the_gradebook_says_what_we_say_and_keeps_what_was_entered_in_nbgrader(course):
    assert update_gradebook(course, NAME) == []
    score, out_of, grades, comments, penalty = in_gradebook(course, "ada")
    assert (score, out_of, penalty) == (13.25, 15.0, 0.0)
    assert grades["proof--answer"] == (0.0, 3.25, None, False)
    assert grades["twice--hidden-check-1"] == (3.0, None, None, False)
    assert comments == {"proof--answer": "On proof", "both--answer": "On both"}
    assert in_gradebook(course, "cyd")[2]["proof--answer"] == (None, None, None, True)
    assert in_gradebook(course, "bob")[0] == 0.0

    with gradebook.open_gradebook(course) as book:  # a person enters something in formgrader
        (own,) = book.find_submission(NAME, "cyd").notebooks
        next(grade for grade in own.grades if grade.name == "proof--answer").manual_score = 2.5
        (own,) = book.find_submission(NAME, "ada").notebooks
        next(grade for grade in own.grades if grade.name == "proof--answer").manual_score = 1.0
        book.db.commit()
    (said,) = update_gradebook(course, NAME)
    assert said.startswith(
        "sums: Cyd Oz (cyd): nbgrader's gradebook holds manual_score '2.5' for proof--answer"
    )
    assert in_gradebook(course, "cyd")[2]["proof--answer"][1] == 2.5
    assert in_gradebook(course, "ada")[2]["proof--answer"][1] == 3.25  # we have a mark of our own

    prints = marked(course, "cyd", ALL, TEXTS)
    append_hand_mark(course, NAME, HandMark("cyd", "proof", prints["proof"], (1.0, 0.0)), SHEET)
    append_hand_mark(course, NAME, HandMark("cyd", "twice", prints["twice"], (), -1.5), SHEET)
    assert update_gradebook(course, NAME) == []
    _, _, grades, _, _ = in_gradebook(course, "cyd")
    assert grades["proof--answer"] == (0.0, 1.0, None, False)
    assert grades["twice--check-1"] == (2.0, None, -1.5, False)


@pytest.mark.full
def test_the_gradebook_forgets_work_that_turned_out_to_be_anothers(course, tmp_path):
    update_gradebook(course, NAME)
    roster = course.roster.read_text(encoding="utf-8")
    course.roster.write_text(
        roster.replace("Cyd Oz,,1002", "Cyd Ox,,1").replace("Eve Poe,,1004", "Cy Oz,,1002")
    )
    rows = collect(course, NAME, zipped(tmp_path / "b.zip", [(FILES["cyd"], answered("cyd"), EARLY)])).rows
    assert [row["id"] for row in rows if row["file"] == FILES["cyd"]] == ["eve"]
    assert update_gradebook(course, NAME) == []
    with gradebook.open_gradebook(course) as book:
        assert {s.student.id for s in book.assignment_submissions(NAME)} == {"ada", "bob"}


@pytest.mark.full
def test_a_changed_assignment_changes_the_gradebook_and_names_what_went(course):
    update_gradebook(course, NAME)
    smaller = Sheet(NAME, "Sums", SHEET.exercises[:2])
    write(course.notebook("source", NAME), notebook(sheet=smaller, solved=True))
    said = update_gradebook(course, NAME)
    gone = "ada: manual_score '4.0' for both--answer left nbgrader's gradebook"
    assert f"{gone}: that cell is not released any more" in said
    score, out_of, grades, _, _ = in_gradebook(course, "ada")
    assert (score, out_of) == (8.25, 10.0)
    assert set(grades) == {"twice--check-1", "twice--hidden-check-1", "proof--answer"}
    write(course.notebook("source", NAME), notebook(solved=True))
    assert update_gradebook(course, NAME) == []
    assert in_gradebook(course, "ada")[:2] == (13.25, 15.0)
