"""Writes marks into nbgrader's gradebook for nbgrader's own tools; marks are never read from it.

(book: Teaching with this book, The folder)
"""

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat

from margins_course.assignments.cells import grade_id, nbgrader_role
from margins_course.collecting.roster import Student, read_roster
from margins_course.folder import CourseFolder
from margins_course.grading.results import HandMark, read_hand_marks, read_result
from margins_course.grading.totals import ExerciseScore, Total, totals


def update_gradebook(course: CourseFolder, name: str) -> list[str]:
    """An assignment written into the gradebook; a sentence on each mark in it that was entered elsewhere.

    It comes at the end of marking and of export.
    """
    everybody, marks = totals(course, name), read_hand_marks(course, name)
    with open_gradebook(course) as book:
        said = enter_assignment(book, name, course.source_text(name))
        enter_students(book, read_roster(course.roster))
        for total in everybody:
            if total.exercises:
                points = read_result(course.result(name, total.student.id)).points
                own = {score.label: marks.get((total.student.id, score.label)) for score in total.exercises}
                said += enter_total(book, name, total, points, own)
            elif total.standing.received is None:
                said += _remove_submission(book, name, total)
        book.db.commit()
    return said


@contextlib.contextmanager
def open_gradebook(course: CourseFolder) -> Iterator[Any]:
    """The gradebook of a course folder, closed at the end."""
    from nbgrader.api import Gradebook  # here, because nbgrader takes seconds to import
    from sqlalchemy.exc import SAWarning

    tools = str(Path(sys.executable).parent)  # nbgrader calls alembic by its name
    with (
        mock.patch.dict(os.environ, PATH=f"{tools}{os.pathsep}{os.environ.get('PATH', '')}"),
        warnings.catch_warnings(),
        contextlib.closing(Gradebook(course.gradebook_url)) as gradebook,
    ):
        warnings.simplefilter("ignore", SAWarning)  # about nbgrader's own way with its session
        yield gradebook


def enter_assignment(gradebook: Any, name: str, source: str) -> list[str]:
    """The assignment with its checks and answer cells as nbgrader enters them; what went with old cells."""
    gradebook.update_or_create_assignment(name)
    notebook = gradebook.update_or_create_notebook(name, name)
    graded, answered = set(), set()
    for cell in nbformat.reads(source, as_version=4).cells:
        own, called = nbgrader_role(cell), grade_id(cell)
        if own.grade and own.points:
            graded.add(called)
            gradebook.update_or_create_grade_cell(
                called, name, name, max_score=own.points, cell_type=cell.cell_type
            )
        if own.solution:
            answered.add(called)
            gradebook.update_or_create_solution_cell(called, name, name)
    said = _remove_cells(gradebook, notebook.grade_cells, graded)
    said += _remove_cells(gradebook, notebook.solution_cells, answered)
    gradebook.db.commit()
    return said


def enter_students(gradebook: Any, students: list[Student]) -> None:
    """The roster as nbgrader keeps it."""
    for student in students:
        first, _, last = student.name.rpartition(" ")
        gradebook.update_or_create_student(
            student.id, first_name=first, last_name=last, email=student.email or None
        )
    gradebook.db.commit()


def enter_marks(gradebook: Any, name: str, student: str, points: dict[str, float], received: datetime) -> Any:
    """A submission with its points by check; the rest waits for a person."""
    from nbgrader.api import Comment, Grade

    moment = received.astimezone(UTC).replace(tzinfo=None)
    submission = gradebook.update_or_create_submission(name, student, timestamp=moment)
    (notebook,) = submission.notebooks
    cells = {grade.cell for grade in notebook.grades} | {comment.cell for comment in notebook.comments}
    for cell in set(notebook.notebook.grade_cells) - cells:  # released after this was first entered
        gradebook.db.add(Grade(cell=cell, notebook=notebook))
    for cell in set(notebook.notebook.solution_cells) - cells:
        gradebook.db.add(Comment(cell=cell, notebook=notebook))
    for grade in notebook.grades:
        grade.auto_score = points.get(grade.cell.name)
        grade.needs_manual_grade = grade.cell.name not in points
    gradebook.db.commit()
    return submission


def enter_total(
    gradebook: Any, name: str, total: Total, points: dict[str, float], marks: Mapping[str, HandMark | None]
) -> list[str]:
    """A student's points and comments; a sentence on each that nbgrader holds and no mark of ours says."""
    assert total.standing.received is not None, "a result belongs to a delivery, which has a time"
    submission = enter_marks(gradebook, name, total.student.id, points, total.standing.received)
    (notebook,) = submission.notebooks
    grades = {grade.cell.name: grade for grade in notebook.grades}
    comments = {comment.cell.name: comment for comment in notebook.comments}
    held = []
    for score in total.exercises:
        mark, answer = marks.get(score.label), f"{score.label}--answer"
        if grade := grades.get(answer) or grades.get(f"{score.label}--check-1"):
            held += _enter_points(grade, score, mark, answer in grades)
        if comment := comments.get(answer) or comments.get(f"{score.label}--solution-1"):
            text = (mark.comment or None) if mark and not score.waits else None
            held += _enter(comment, "manual_comment", text, mark)
    if total.score is not None and total.before_lateness is not None:
        notebook.late_submission_penalty = total.before_lateness - total.score
    advice = "it was left there and counts for nothing; enter it on the review page if it should count"
    return [f"{name}: {total.student}: nbgrader's gradebook holds {what}: {advice}" for what in held]


def _enter_points(grade, score: ExerciseScore, mark: HandMark | None, is_answer: bool) -> list[str]:
    """What a person gave: the score of the answer's cell, or what is added to the first check's."""
    given = score.points - score.automatic if mark and not score.waits and score.points is not None else None
    if is_answer:
        grade.auto_score = None if score.points is None else 0.0
        grade.needs_manual_grade = score.points is None
        return _enter(grade, "manual_score", given, mark)
    return _enter(grade, "extra_credit", given or None, mark)


def _enter(row, field: str, value, mark: HandMark | None) -> list[str]:
    """A field set, unless a person entered something in nbgrader of which we know nothing."""
    held = getattr(row, field)
    if mark is None and held not in (None, value):
        return [_said(row, field)]
    setattr(row, field, value)
    return []


def _said(row, field: str) -> str:
    return f"{field} {str(getattr(row, field))[:60]!r} for {row.cell.name}"


def _entered(rows) -> list[str]:
    """What people gave, in nbgrader or through us, in rows that are about to go."""
    fields = ("manual_score", "extra_credit", "manual_comment")
    found = [(row, field) for row in rows for field in fields if getattr(row, field, None)]
    return [
        f"{row.notebook.student.id}: {_said(row, field)} left nbgrader's gradebook" for row, field in found
    ]


def _remove_submission(gradebook: Any, name: str, total: Total) -> list[str]:
    """The submission of a student taken out who has none (any more); what people had given for it."""
    said = []
    for submission in gradebook.assignment_submissions(name):
        if submission.student.id == total.student.id:
            rows = [row for own in submission.notebooks for row in (*own.grades, *own.comments)]
            said = [f"{what}: the submission is {total.standing.status}" for what in _entered(rows)]
            gradebook.remove_submission(name, total.student.id)
    return said


def _remove_cells(gradebook, cells, names: set[str]) -> list[str]:
    """Cells that are no longer in the assignment taken out; what people had given for them."""
    said = []
    for cell in [cell for cell in cells if cell.name not in names]:
        rows = [*(cell.grades or ()), *(cell.comments or ())]
        said += [f"{what}: that cell is not released any more" for what in _entered(rows)]
        for row in (*rows, cell):
            gradebook.db.delete(row)
    gradebook.db.commit()
    return said
