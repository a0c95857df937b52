"""Records of deliveries in a journal that is never rewritten, and the file of each student that counts.

A delivery is a file name with a content. If it comes again, the latest finding on whose it is holds (the
roster may have been corrected), and of all times at which a student's content came the earliest counts. So it
does not matter in which order zips are collected, nor how often.
(book: Teaching with this book, Collect)
"""

import dataclasses
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from margins_course.assignments.settings import Settings
from margins_course.collecting.owners import canvas_says_late
from margins_course.collecting.roster import Student
from margins_course.folder import CourseFolder, Journal, append_to_journal, read_journal

ACCEPTED, REFUSED, NOBODYS = "accepted", "refused", "nobody's"
MOST_REASONS = 5


@dataclass(frozen=True)
class Record:
    """One delivery: whose it is ("" if nobody's), what came and when, and whether it can be marked."""

    student: str
    file: str
    sha256: str  # "" where the file was refused unread
    received: str
    status: str
    reason: str

    @property
    def time(self) -> datetime:
        return datetime.fromisoformat(self.received)


@dataclass(frozen=True)
class Standing:
    """What became of a student's deliveries: accepted, late, refused or missing."""

    student: str
    status: str
    reason: str
    received: datetime | None
    seconds_late: float
    file: str


def journal_of_deliveries(course: CourseFolder, name: str) -> Journal:
    """The records of an assignment as they were written, and sentences on damaged lines."""
    return read_journal(_path(course, name), _record)


def read_records(course: CourseFolder, name: str) -> list[Record]:
    """One record for each delivery, with its latest owner and its earliest time."""
    return latest_records(journal_of_deliveries(course, name).entries)


def add_records(course: CourseFolder, name: str, found: list[Record]) -> int:
    """The records that say something new, written down; how many these are."""
    before = journal_of_deliveries(course, name).entries
    known, new = {_identity(record): record for record in latest_records(before)}, []
    for record in found:
        old = known.get(_identity(record))
        if old and _updated(old, record) == old:
            continue
        new.append(record)
        known[_identity(record)] = _updated(old or record, record)
    if new:
        append_to_journal(_path(course, name), map(dataclasses.asdict, new))
    return len(new)


def latest_records(records: list[Record]) -> list[Record]:
    """The records without those that later ones replace."""
    latest: dict[tuple[str, str], Record] = {}
    for record in records:
        latest[_identity(record)] = _updated(latest.pop(_identity(record), record), record)
    return list(latest.values())


def _updated(old: Record, new: Record) -> Record:
    """The later finding on a delivery, with the earlier time."""
    return dataclasses.replace(new, received=min(old, new, key=_time).received)


def newest_accepted(records: list[Record]) -> dict[str, Record]:
    """The newest delivery of each student that can be marked; a content counts from when it first came."""
    contents: dict[tuple[str, str], Record] = {}
    for record in records:
        if record.status == ACCEPTED:
            same = contents.get((record.student, record.sha256), record)
            contents[record.student, record.sha256] = min(same, record, key=_time_and_file)
    newest: dict[str, Record] = {}
    for record in contents.values():
        rival = newest.get(record.student, record)
        newest[record.student] = max(rival, record, key=_time_and_file)
    return newest


def standings(course: CourseFolder, settings: Settings, students: list[Student]) -> dict[str, Standing]:
    """What became of everybody's deliveries, from the records and the settings alone."""
    records = read_records(course, settings.name)
    newest, refused = newest_accepted(records), defaultdict(list)
    for record in records:
        if record.status == REFUSED:
            refused[record.student].append(record)
    return {s.id: _standing(s, settings, newest.get(s.id), refused[s.id]) for s in students}


def _standing(student: Student, settings: Settings, record: Record | None, refused: list[Record]) -> Standing:
    newer = [other for other in refused if record is None or other.time >= record.time]
    newer.sort(key=_time_and_file, reverse=True)
    reasons = [f"{other.file}: {other.reason}" for other in newer[:MOST_REASONS]]
    if len(newer) > MOST_REASONS:
        reasons.append(f"and {len(newer) - MOST_REASONS} files more")
    if record is None:
        status = "refused" if reasons else "missing"
        return Standing(student.id, status, "; ".join(reasons), None, 0.0, "")
    late, remark = _lateness(student, settings.due_for(student.id), record)
    status, reason = "late" if late else "accepted", "; ".join(filter(None, [*reasons, remark]))
    return Standing(student.id, status, reason, record.time, late, record.file)


def _lateness(student: Student, due: datetime | None, record: Record) -> tuple[float, str]:
    """Seconds, and what to know of them: Canvas's zip knows who is late, and no time but its own."""
    late = max(0.0, (record.time - due).total_seconds()) if due else 0.0
    by_canvas = canvas_says_late(record.file, student)
    if by_canvas is False and late:
        return 0.0, "Canvas does not call it late; the time in its zip is that of the download"
    if by_canvas and late:
        return late, "Canvas calls it late; by how much its zip does not say, at most until the download"
    if by_canvas:
        why = (
            "it came before the time that holds in assignment.yml" if due else "assignment.yml names no time"
        )
        return 0.0, f"Canvas calls it late, but {why}"
    return late, ""


def _identity(record: Record) -> tuple[str, str]:
    return record.file, record.sha256


def _time(record: Record) -> datetime:
    return record.time


def _time_and_file(record: Record) -> tuple[datetime, str]:
    return record.time, record.file


def file_beside(course: CourseFolder, name: str, sha256: str) -> Path:
    """Where a file is kept that somebody handed in beside a notebook."""
    return course.deliveries(name) / "beside" / (sha256 or "none")


def _path(course: CourseFolder, name: str) -> Path:
    return course.deliveries(name) / "records.jsonl"


def _record(kept: dict) -> Record:
    record = Record(**kept)
    if not all(isinstance(value, str) for value in kept.values()) or record.time.tzinfo is None:
        raise ValueError
    return record
