"""Collects handed-in files into the course folder; a table says of every student what became of their work.

Collecting again, in whatever order, ends in the same state; nothing that was once recorded is lost. In one
assignment of Moodle's a student has one number of a participant, whatever name they bear: where students may
change their names, the name alone would let one take another's place.
"""

import dataclasses
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from margins_course.assignments.settings import Settings, read_settings
from margins_course.collecting import records
from margins_course.collecting.deliveries import Delivery, deliveries
from margins_course.collecting.owners import BY_HAND, MOODLE, Owners
from margins_course.collecting.records import Record, Standing
from margins_course.collecting.roster import Student, read_roster, shared_names
from margins_course.collecting.submissions import Refused, check_belongs, read_submission
from margins_course.folder import CourseFolder, hash_of, write, write_table

BESIDE = (".pdf", ".png", ".jpg", ".jpeg", ".heic")
FEWEST_FILES, DOWNLOAD_SPAN = 3, timedelta(seconds=60)
COLUMNS = ("id", "name", "status", "seconds_late", "received", "file", "reason")


class Collected(NamedTuple):
    """The end of collecting: a row for everybody, the number of new deliveries, and what to know besides."""

    rows: list[dict[str, str]]
    new: int
    notes: list[str]


def collect(course: CourseFolder, name: str, where: Path | str) -> Collected:
    """The files of a zip or a folder taken in: recorded, kept, and the newest of each student made ready."""
    settings, students = read_settings(course, name), read_roster(course.roster)
    known, owners = records.read_records(course, name), Owners(students)
    examined = list(_examined(course, settings, owners, where))
    found = list(one_participant_each(owners, known, examined))
    new = records.add_records(course, name, found)
    rows, lost = write_submissions(course, settings, students)
    damaged = records.journal_of_deliveries(course, name).damaged
    return Collected(rows, new, [*shared_names(students), *damaged, *lost, *_time_warnings(found, rows)])


def write_submissions(
    course: CourseFolder, settings: Settings, students: list[Student]
) -> tuple[list[dict[str, str]], list[str]]:
    """The submissions and the table of an assignment as its records say; its rows, and what was lost."""
    kept = records.read_records(course, settings.name)
    standings, known = records.standings(course, settings, students), {record.sha256 for record in kept}
    lost = [_place_submission(course, settings.name, standings[s.id], known) for s in students]
    rows = [_row(student, standings[student.id]) for student in students]
    nobodys = {(record.file, record.sha256): record for record in kept if record.status == records.NOBODYS}
    columns = ("status", "received", "file", "reason")
    for _, record in sorted(nobodys.items()):
        rows.append({"id": "", "name": ""} | {column: getattr(record, column) for column in columns})
    write_table(course.report(f"{settings.name}-collected.csv"), COLUMNS, rows)
    return rows, list(filter(None, lost))


def _time_warnings(found: list[Record], rows: list[dict[str, str]]) -> list[str]:
    """A sentence where somebody is late by times that are probably not those of handing in."""
    times = [record.time for record in found if MOODLE.match(record.file)]
    late = {row["file"] for row in rows if row["status"] == "late"} & {record.file for record in found}
    if len(times) < FEWEST_FILES or not late or max(times) - min(times) > DOWNLOAD_SPAN:
        return []
    span = f"all {len(times)} files came within {DOWNLOAD_SPAN.seconds} seconds"
    got = f"{span}: probably the times of a download"
    return [f"{got}; look into Moodle who is late, and give extensions to those who were in time"]


def kept_file(course: CourseFolder, name: str, sha256: str) -> Path:
    return course.deliveries(name) / f"{sha256}.ipynb"


def _examined(course: CourseFolder, settings: Settings, owners: Owners, where) -> Iterator[Record]:
    """A record of each file; what can be marked is kept."""
    source = course.source_text(settings.name)
    for file in deliveries(where, settings.zone, owners.is_owners_folder):
        student, why_nobody = owners.owner_of(file.name)
        received = file.received.isoformat()
        if student is None:
            reason = "; ".join(filter(None, [file.refusal, why_nobody]))
            yield Record("", file.name, file.sha256, received, records.NOBODYS, reason)
            continue
        reason = _refusal(file, source)
        kept = records.file_beside if _is_beside(file) else kept_file
        path = kept(course, settings.name, file.sha256)
        if (_is_beside(file) or not reason) and hash_of(path) != file.sha256:
            write(path, file.content)
        status = records.REFUSED if reason else records.ACCEPTED
        yield Record(student.id, file.name, file.sha256, received, status, reason)


def _is_beside(file: Delivery) -> bool:
    """Whether a file may hold a proof that belongs to a notebook."""
    return bool(file.sha256) and file.name.lower().endswith(BESIDE)


def _refusal(file: Delivery, source: str) -> str:
    """The reason why a file cannot be marked; nothing if it can."""
    if file.refusal:
        return file.refusal
    if _is_beside(file):
        return "it is no notebook, and the review page has a link to it"
    if not file.name.lower().endswith(".ipynb"):
        return "expected a notebook whose name ends in .ipynb"
    try:
        check_belongs(read_submission(file.content), source)
    except Refused as reason:
        return str(reason)
    return ""


def _place_submission(course: CourseFolder, name: str, standing: Standing, known: set[str]) -> str:
    """Writes the file that counts to `submitted/`; a sentence if it is lost, "" if all is well."""
    path = course.notebook("submitted", name, standing.student)
    there, wanted = hash_of(path), standing.sha256
    if there == wanted or (not wanted and there not in known):
        return ""
    if not wanted:  # it turned out to be another's
        path.unlink()
        return ""
    kept = kept_file(course, name, wanted)
    if hash_of(kept) != wanted:
        what = f"{standing.student}: {kept} is missing or damaged"
        return f"{what}: collect the zip or folder again that held {standing.file}"
    write(path, kept.read_bytes())
    return ""


def _row(student: Student, standing: Standing) -> dict[str, str]:
    received = standing.received.isoformat() if standing.received else ""
    late = f"{standing.seconds_late:.0f}" if standing.received else ""
    row = {"id": student.id, "name": student.name, "status": standing.status, "seconds_late": late}
    return row | {"received": received, "file": standing.file, "reason": standing.reason}


def one_participant_each(owners: Owners, known: list[Record], found: list[Record]) -> Iterator[Record]:
    """The records that were found, and those known that change: no student has two participants' files.

    Whose `lms_id` is one of the numbers has the files with that number; else they have none of them.
    """
    everything = [(record, *_participant(owners, record.file)) for record in [*known, *found]]
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    for _, student, number in everything:
        if student:
            numbers[student.id].add(number)
    for place, (record, student, number) in enumerate(everything):
        own = numbers[student.id] if student else set()
        if student and len(own) > 1 and number != student.lms_id:
            who = f"the participants {' and '.join(sorted(own))} are both called {student.name}"
            remedy = f"look into Moodle who is {student}, write the number as lms_id into the roster"
            reason = f"{who}: {remedy}, {BY_HAND}"
            yield dataclasses.replace(record, student="", status=records.NOBODYS, reason=reason)
        elif place >= len(known):
            yield record


def _participant(owners: Owners, file: str) -> tuple[Student | None, str]:
    """The student whom Moodle's name of a file points to, and the participant's number; None if to none."""
    match = MOODLE.match(file)
    return (owners.owner_of(file)[0], match["number"]) if match else (None, "")
