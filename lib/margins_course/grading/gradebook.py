"""nbgrader's gradebook: one writer puts results in; formgrader, feedback and marks read it.

(book: Teaching with this book, The folder)
"""

import contextlib
import os
import sys
import warnings
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

import nbformat


@contextlib.contextmanager
def opened(course):
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


def enter_assignment(gradebook, chapter, source):
    """The assignment with its checks and solution cells, as nbgrader enters them."""
    gradebook.update_or_create_assignment(chapter)
    gradebook.update_or_create_notebook(chapter, chapter)
    for cell in nbformat.reads(source, as_version=4).cells:
        role = cell.metadata.get("nbgrader")
        if role and role.grade and role.points:
            gradebook.update_or_create_grade_cell(
                role.grade_id, chapter, chapter, max_score=role.points, cell_type="code"
            )
        elif role and role.solution:
            gradebook.update_or_create_solution_cell(role.grade_id, chapter, chapter)
    gradebook.db.commit()


def enter_students(gradebook, students):
    for student in students:
        first, _, last = student.name.rpartition(" ")
        gradebook.update_or_create_student(
            student.id, first_name=first, last_name=last, email=student.email or None
        )
    gradebook.db.commit()


def enter_marks(gradebook, chapter, student, points, received):
    """A submission's points by check; what was marked by hand stays."""
    moment = received.astimezone(UTC).replace(tzinfo=None)
    submission = gradebook.update_or_create_submission(chapter, student, timestamp=moment)
    for grade in submission.notebooks[0].grades:
        grade.auto_score = points[grade.name]
        grade.needs_manual_grade = False
    gradebook.db.commit()


def received_time(path):
    """When a submission came, from the file beside it."""
    return datetime.fromisoformat((path.parent / "timestamp.txt").read_text(encoding="utf-8").strip())


def scores(gradebook, chapter):
    """Score and greatest score by student, for all whose work on a chapter is entered."""
    submissions = gradebook.assignment_submissions(chapter)
    return {submission.student_id: (submission.score, submission.max_score) for submission in submissions}
