"""Collect: each student's file into the course folder, and one row with a reason for everybody.

(book: Teaching with this book, Collect)
"""

from datetime import datetime

from margins_course.collecting.deliveries import deliveries, owner
from margins_course.collecting.roster import read_roster
from margins_course.collecting.submissions import Refused, check_belongs, read_submission
from margins_course.folder import write
from margins_course.problems import CourseProblem
from margins_course.tables import write_table

COLUMNS = ("id", "name", "status", "seconds_late", "received", "file", "reason")


def collect(course, chapter, where, due=None):
    """A row for every student of the roster, and one for each file that is nobody's."""
    source = course.source(chapter).read_text(encoding="utf-8")
    students = read_roster(course.roster)
    came, nobodys = {}, []
    for delivery in deliveries(where):
        student = owner(delivery, students)
        came.setdefault(student.id, []).append(delivery) if student else nobodys.append(delivery)
    rows = [_row(course, chapter, student, came.get(student.id, []), source, due) for student in students]
    rows += [_nobodys_row(delivery) for delivery in nobodys]
    write_table(course.report(f"{chapter}-collected.csv"), COLUMNS, rows)
    return rows


def _row(course, chapter, student, files, source, due):
    """What became of a student's files: the newest that can be marked is kept."""
    refusals = []
    for file in sorted(files, key=lambda file: (file.received, file.name), reverse=True):
        try:
            _accept(file, source)
        except Refused as reason:
            refusals.append(f"{file.name}: {reason}")
            continue
        _keep(course, chapter, student, file)
        return _student_row(student, file, due, "; ".join(refusals))
    row = {"id": student.id, "name": student.name, "reason": "; ".join(refusals)}
    if course.notebook("submitted", chapter, student.id).exists():
        earlier = "the file collected earlier counts"
        return row | {"status": "earlier", "reason": "; ".join([*refusals, earlier])}
    return row | {"status": "refused" if files else "missing"}


def _student_row(student, file, due, reason):
    late = max(0.0, (file.received - due).total_seconds()) if due else 0.0
    row = {"id": student.id, "name": student.name, "status": "late" if late else "accepted", "reason": reason}
    return row | {"seconds_late": f"{late:.0f}", "received": file.received.isoformat(), "file": file.name}


def _nobodys_row(delivery):
    reason = delivery.refusal or "nobody on the roster has this id, number or name"
    return {
        "status": "nobody's",
        "file": delivery.name,
        "reason": reason,
        "received": delivery.received.isoformat(),
    }


def _accept(file, source):
    """Nothing, or the reason why a file cannot be marked."""
    if file.refusal:
        raise Refused(file.refusal)
    if not file.is_notebook:
        raise Refused("expected a notebook whose name ends in .ipynb")
    check_belongs(read_submission(file.content), source)


def _keep(course, chapter, student, file):
    """The file under the name that nbgrader expects, with the time at which it came."""
    path = course.notebook("submitted", chapter, student.id)
    write(path, file.content)
    write(path.parent / "timestamp.txt", file.received.isoformat())


def parse_due(text):
    """The moment that an instructor typed, in the time zone of this computer unless it names another."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        raise CourseProblem(
            f"--due {text!r} is no date and time; expected such as '2026-10-01 23:59'"
        ) from None
