"""Collect: handed-in files are taken into the course folder, and everybody gets a row with a reason.

Collecting again, in whatever order, ends in the same state; nothing that was once recorded is lost.
(book: Teaching with this book, Collect)
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from margins_course.assignments.settings import Settings, read_settings
from margins_course.collecting import records
from margins_course.collecting.deliveries import Delivery, deliveries
from margins_course.collecting.names import MOODLE, Owners
from margins_course.collecting.participants import told_apart
from margins_course.collecting.records import Record, Standing
from margins_course.collecting.roster import Student, namesakes, read_roster
from margins_course.collecting.submissions import Refused, check_belongs, read_submission
from margins_course.folder import CourseFolder, write
from margins_course.problems import CourseProblem
from margins_course.tables import write_table

FEW, AT_ONCE = 3, timedelta(seconds=60)
COLUMNS = ("id", "name", "status", "seconds_late", "received", "file", "reason")


@dataclass(frozen=True)
class Collected:
    """The end of collecting: a row for everybody, the number of new deliveries, and what to know besides."""

    rows: list[dict[str, str]]
    new: int
    notes: list[str]


def collect(course: CourseFolder, name: str, where: Path | str) -> Collected:
    """The files of a zip or a folder taken in: recorded, kept, and the newest of each student made ready."""
    settings, students = read_settings(course, name), read_roster(course.roster)
    known = records.read_records(course, name)
    found = list(told_apart(Owners(students), known, list(_examined(course, settings, students, where))))
    new = records.add_records(course, name, found)
    rows = publish(course, settings, students)
    damaged = records.journal_of_deliveries(course, name).damaged
    return Collected(rows, new, [*namesakes(students), *damaged, *_doubts(found, rows)])


def publish(course: CourseFolder, settings: Settings, students: list[Student]) -> list[dict[str, str]]:
    """The submissions and the table of an assignment as its records say; the table's rows."""
    kept = records.read_records(course, settings.name)
    newest, known = records.counted(kept), {record.sha256 for record in kept}
    for student in students:
        _hand_on(course, settings.name, student, newest.get(student.id), known)
    standings = records.standings(course, settings, students)
    rows = [_row(student, standings[student.id]) for student in students]
    nobodys = [record for record in kept if record.status == records.NOBODYS]
    rows += [_nobodys_row(record) for record in sorted(nobodys, key=lambda record: record.file)]
    write_table(course.report(f"{settings.name}-collected.csv"), COLUMNS, rows)
    return rows


def _doubts(found: list[Record], rows: list[dict[str, str]]) -> list[str]:
    """A sentence where somebody is late by times that are probably not those of handing in."""
    times = [record.time for record in found if MOODLE.match(record.file)]
    late = {row["file"] for row in rows if row["status"] == "late"} & {record.file for record in found}
    if len(times) < FEW or not late or max(times) - min(times) > AT_ONCE:
        return []
    came = f"all {len(times)} files came within {AT_ONCE.seconds} seconds: probably the times of a download"
    return [f"{came}; look into Moodle who is late, and give extensions to those who were in time"]


def kept_file(course: CourseFolder, name: str, sha256: str) -> Path:
    """Where the content of a delivery is kept."""
    return course.deliveries(name) / f"{sha256}.ipynb"


def _examined(course: CourseFolder, settings: Settings, students: list[Student], where) -> Iterator[Record]:
    """A record of each file; what can be marked is kept."""
    source, owners = course.source_text(settings.name), Owners(students)
    for file in deliveries(where, settings.zone):
        student, why_nobody = owners.of(file.name)
        received = file.received.isoformat()
        if student is None:
            reason = "; ".join(filter(None, [file.refusal, why_nobody]))
            yield Record("", file.name, file.sha256, received, records.NOBODYS, reason)
            continue
        reason = _refusal(file, source)
        if not reason and not (path := kept_file(course, settings.name, file.sha256)).exists():
            write(path, file.content)
        status = records.REFUSED if reason else records.ACCEPTED
        yield Record(student.id, file.name, file.sha256, received, status, reason)


def _refusal(file: Delivery, source: str) -> str:
    """The reason why a file cannot be marked; nothing if it can."""
    if file.refusal:
        return file.refusal
    if not file.is_notebook:
        return "expected a notebook whose name ends in .ipynb"
    try:
        check_belongs(read_submission(file.content), source)
    except Refused as reason:
        return str(reason)
    return ""


def _hand_on(course: CourseFolder, name: str, student: Student, record: Record | None, known: set) -> None:
    """The delivery that counts where the marker and nbgrader expect it; what was made of another goes."""
    path = course.notebook("submitted", name, student.id)
    there = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""
    stamp = path.parent / "timestamp.txt"
    if record is None:
        if there and there in known:  # it turned out to be another's
            _forget_results(course, name, student)
            path.unlink()
            stamp.unlink(missing_ok=True)
        return
    if there != record.sha256:
        content = _content(course, name, record)
        _forget_results(course, name, student)
        write(path, content)
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != record.received:
        write(stamp, record.received)


def _content(course: CourseFolder, name: str, record: Record) -> bytes:
    path = kept_file(course, name, record.sha256)
    if not path.exists():
        raise CourseProblem(f"{path} is missing: collect the zip or folder again that held {record.file}")
    return path.read_bytes()


def _forget_results(course: CourseFolder, name: str, student: Student) -> None:
    """Nothing left of what was made of a file that does not count any more; hand marks stay."""
    page = course.notebook("feedback", name, student.id).with_suffix(".html")
    for path in (course.result(name, student.id), course.notebook("autograded", name, student.id), page):
        path.unlink(missing_ok=True)


def _row(student: Student, standing: Standing) -> dict[str, str]:
    received = standing.received.isoformat() if standing.received else ""
    late = f"{standing.seconds_late:.0f}" if standing.received else ""
    row = {"id": student.id, "name": student.name, "status": standing.status, "seconds_late": late}
    return row | {"received": received, "file": standing.file, "reason": standing.reason}


def _nobodys_row(record: Record) -> dict[str, str]:
    row = {"id": "", "name": "", "status": record.status, "seconds_late": "", "received": record.received}
    return row | {"file": record.file, "reason": record.reason}
