"""The roster: who is in the class, in `roster.csv` of the course folder.

Columns: `id` (your own, also the name of the student's folder) and `name`; `email` and `lms_id` if you like.
`lms_id` is the number of a person in Canvas, which Canvas puts into the names of downloaded files.
"""

import csv
import io
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from margins_course import CourseProblem

COLUMNS = ("id", "name", "email", "lms_id")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]*")


@dataclass(frozen=True)
class Student:
    id: str
    name: str
    email: str = ""
    lms_id: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.id})"


def read_roster(path: Path) -> list[Student]:
    """The students of a course, in the order of the file."""
    students = [_student(path, line, row) for line, row in _rows(path)]
    if not students:
        raise CourseProblem(f"{path}: expected at least one student, but got no row")
    _refuse_twins(path, "id", [student.id for student in students])
    _refuse_one_folder(path, [student.id for student in students])
    _refuse_twins(path, "lms_id", [student.lms_id for student in students if student.lms_id])
    return students


def shared_names(students: list[Student]) -> list[str]:
    """A sentence for every full name that several students share, unless a number tells them apart."""
    by_name = defaultdict(list)
    for student in students:
        by_name[student.name].append(student)
    remedy = "write their numbers as lms_id into the roster, or put their files into folders named by the id"
    return [
        f"{name!r} is the name of {', '.join(student.id for student in same)}; {remedy}"
        for name, same in by_name.items()
        if len(same) > 1 and not all(student.lms_id for student in same)
    ]


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """The number of its line and the cells by column, for every row that is not empty."""
    if not path.is_file():
        expected = f"write the class into it, a line for each student under the columns {', '.join(COLUMNS)}"
        raise CourseProblem(f"{path} is missing; {expected}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        expected = "save it as UTF-8 (in Excel: CSV UTF-8, comma delimited)"
        raise CourseProblem(f"{path} is not UTF-8 text; {expected}") from None
    first = text.partition("\n")[0]  # Excel writes semicolons where the comma is for decimals
    separator = ";" if ";" in first and "," not in first else ","
    table = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        header = [cell.strip().lower() for cell in next(table, [])]
        if not {"id", "name"} <= set(header):
            got = ", ".join(header) or "no row"
            raise CourseProblem(f"{path}: expected at least the columns id and name, but got {got}")
        return [(table.line_num, _cells(path, table.line_num, header, row)) for row in table if any(row)]
    except csv.Error as reason:
        raise CourseProblem(f"{path}, line {table.line_num}: {reason}; save the table as CSV again") from None


def _cells(path: Path, line: int, header: list[str], row: list[str]) -> dict[str, str]:
    if len(row) > len(header):
        remedy = 'put a name that has a comma in it between quotes, such as "Lovelace, Ada"'
        raise CourseProblem(f"{path}, line {line}: {len(row)} cells under {len(header)} columns; {remedy}")
    return {column: cell.strip() for column, cell in zip(header, row, strict=False)}


def _student(path: Path, line: int, row: dict[str, str]) -> Student:
    student = Student(*(row.get(column, "") for column in COLUMNS))
    if not ID.fullmatch(student.id):
        expected = "expected letters, digits and _ . @ -, because it names a folder"
        raise CourseProblem(f"{path}, line {line}: the id {student.id!r} cannot be used; {expected}")
    if not student.name:
        expected = "expected the full name as in the LMS"
        raise CourseProblem(f"{path}, line {line}: {student.id} has no name; {expected}")
    if student.lms_id and not re.fullmatch("[0-9]+", student.lms_id):
        expected = "expected the digits that Canvas puts into the names of files, or nothing"
        raise CourseProblem(f"{path}, line {line}: the lms_id {student.lms_id!r} is no number; {expected}")
    return student


def _refuse_twins(path: Path, column: str, values: list[str]) -> None:
    twins = [value for value, times in Counter(values).items() if times > 1]
    if twins:
        raise CourseProblem(f"{path}: {column} must be unique, but these come twice: {', '.join(twins)}")


def _refuse_one_folder(path: Path, ids: list[str]) -> None:
    """A refusal of ids that some disks take for one: they differ in case, or in full stops at the end."""
    seen: dict[str, str] = {}
    for student in ids:
        other = seen.setdefault(student.casefold().rstrip("."), student)
        if other != student:
            both = f"the ids {other} and {student}"
            raise CourseProblem(f"{path}: {both} name one folder on some disks; change one")
