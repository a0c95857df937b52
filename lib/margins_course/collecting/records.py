"""Records of deliveries in a journal that is never rewritten, and the file of each student that counts.

A delivery is a file name, a content and a time. If a file comes again, the latest finding on whose it is
counts (the roster may have been corrected). Of a student's deliveries that can be marked the newest decides
which content counts (at equal times the last by file name), and the earliest of that content how late it is.
So neither the order of zips matters nor that they come again.
"""

import dataclasses
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

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

    @property
    def own_name(self) -> str:
        return PurePosixPath(self.file.replace("\\", "/")).name


@dataclass(frozen=True)
class Standing:
    """What became of a student's deliveries (accepted, late, refused or missing), and which file counts."""

    student: str
    status: str
    reason: str
    received: datetime | None
    seconds_late: float
    file: str
    sha256: str = ""
    beside: tuple[str, ...] = ()  # hashes of the files beside the notebook, which may hold a proof


def journal_of_deliveries(course: CourseFolder, name: str) -> Journal:
    """The records of an assignment as they were written, and sentences on damaged lines."""
    return read_journal(_path(course, name), _record)


def read_records(course: CourseFolder, name: str) -> list[Record]:
    """One record for each delivery, with the latest finding on its file."""
    records = journal_of_deliveries(course, name).entries
    latest = {(r.file, r.sha256): r for r in records}
    found = (dataclasses.replace(latest[r.file, r.sha256], received=r.received) for r in records)
    return list(dict.fromkeys(found))


def add_records(course: CourseFolder, name: str, found: list[Record]) -> int:
    """The records that say something new, written down; how many these are."""
    known = set(read_records(course, name))
    new = [record for record in dict.fromkeys(found) if record not in known]
    if new:
        append_to_journal(_path(course, name), map(dataclasses.asdict, new))
    return len(new)


def counting(records: list[Record]) -> dict[str, tuple[Record, Record]]:
    """Of each student with a file that can be marked: its earliest delivery, and the newest of all."""
    accepted = sorted((r for r in records if r.status == ACCEPTED), key=_time_and_file)
    newest = {record.student: record for record in accepted}
    first = {(record.student, record.sha256): record for record in reversed(accepted)}
    return {who: (first[who, record.sha256], record) for who, record in newest.items()}


def standings(course: CourseFolder, settings: Settings, students: list[Student]) -> dict[str, Standing]:
    """What became of everybody's deliveries, from the records and the settings alone."""
    records = read_records(course, settings.name)
    counts, refused = counting(records), defaultdict(list)
    for record in sorted(records, key=_time_and_file, reverse=True):
        if record.status == REFUSED:
            refused[record.student].append(record)
    made = {s.id: _standing(s, settings, counts.get(s.id), refused[s.id]) for s in students}
    beside = files_beside(course, settings.name, records)
    hashes = {who: tuple(sorted(record.sha256 for record in beside[who])) for who in made}
    return {who: dataclasses.replace(one, beside=hashes[who]) for who, one in made.items()}


def _standing(
    student: Student, settings: Settings, counts: tuple[Record, Record] | None, refused: list[Record]
) -> Standing:
    newer = [other for other in refused if counts is None or other.time >= counts[1].time]
    reasons = list(dict.fromkeys(f"{other.file}: {other.reason}" for other in newer))
    if len(reasons) > MOST_REASONS:
        reasons[MOST_REASONS:] = [f"and {len(reasons) - MOST_REASONS} files more"]
    if counts is None:
        status = "refused" if reasons else "missing"
        return Standing(student.id, status, "; ".join(reasons), None, 0.0, "")
    first, newest = counts
    late, remark = _lateness(student, settings.due_for(student.id), first)
    status, reason = "late" if late else "accepted", "; ".join(filter(None, [*reasons, remark]))
    return Standing(student.id, status, reason, first.time, late, newest.file, newest.sha256)


def _lateness(student: Student, due: datetime | None, record: Record) -> tuple[float, str]:
    """Seconds, and what to know of them: Canvas's zip knows who is late, and no time but its own."""
    late = max(0.0, (record.time - due).total_seconds()) if due else 0.0
    by_canvas = canvas_says_late(record.file, student)
    if by_canvas is False and late:
        return 0.0, "Canvas does not call it late; the time in its zip is that of the download"
    if by_canvas and late:
        return late, "Canvas calls it late; by how much its zip does not say, at most until the download"
    if by_canvas:
        early = "it came before the time that holds in assignment.yml"
        return 0.0, f"Canvas calls it late, but {early if due else 'assignment.yml names no time'}"
    return late, ""


def _time_and_file(record: Record) -> tuple[datetime, str, str]:
    return record.time, record.file, record.sha256


def file_beside(course: CourseFolder, name: str, sha256: str) -> Path:
    """Where a file is kept that somebody handed in beside a notebook."""
    return course.deliveries(name) / "beside" / (sha256 or "none")


def files_beside(course: CourseFolder, name: str, records: list[Record]) -> defaultdict[str, list[Record]]:
    """The files beside the notebooks by student, each content once; none is ever opened here."""
    found: defaultdict[str, list[Record]] = defaultdict(list)
    for record in {(r.student, r.sha256): r for r in records}.values():
        if file_beside(course, name, record.sha256).is_file():
            found[record.student].append(record)
    return found


def _path(course: CourseFolder, name: str) -> Path:
    return course.deliveries(name) / "records.jsonl"


def _record(kept: dict) -> Record:
    record = Record(**kept)
    if not all(isinstance(value, str) for value in kept.values()) or record.time.tzinfo is None:
        raise ValueError
    return record
