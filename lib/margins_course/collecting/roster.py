"""The roster: who is in the class, in `roster.csv` of the course folder.

Columns: `id` (your own, also the name of the student's folder) and `name`; `email` and `lms_id` if you like.
`lms_id` is the number that Canvas or Moodle puts into the names of downloaded files.
(book: Teaching with this book, The class)
"""

import csv
import re
from collections import Counter
from dataclasses import dataclass

from margins_course.problems import CourseProblem

COLUMNS = ("id", "name", "email", "lms_id")


@dataclass(frozen=True)
class Student:
    """One row of the roster."""

    id: str
    name: str
    email: str = ""
    lms_id: str = ""


def read_roster(path):
    """The students of a course, in the order of the file."""
    if not path.is_file():
        raise CourseProblem(f"{path} is missing; expected a table with the columns {', '.join(COLUMNS)}")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except UnicodeDecodeError:
        expected = "save it as UTF-8 (in Excel: CSV UTF-8, comma delimited)"
        raise CourseProblem(f"{path} is not UTF-8 text; {expected}") from None
    if not rows or not {"id", "name"} <= set(rows[0]):
        came = ", ".join(map(str, rows[0])) if rows else "no row"
        expected = "expected at least the columns id and name, separated by commas"
        raise CourseProblem(f"{path}: {expected}, but {came} came")
    students = [Student(*((row.get(column) or "").strip() for column in COLUMNS)) for row in rows]
    for student in students:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.@-]*", student.id):
            expected = "expected letters, digits and _ . @ -, because it names a folder"
            raise CourseProblem(f"{path}: the id {student.id!r} cannot be used; {expected}")
    _refuse_twins(path, "id", [student.id for student in students])
    _refuse_twins(path, "lms_id", [student.lms_id for student in students if student.lms_id])
    return students


def _refuse_twins(path, column, values):
    twins = [value for value, times in Counter(values).items() if times > 1]
    if twins:
        raise CourseProblem(f"{path}: {column} must be unique, but these come twice: {', '.join(twins)}")
