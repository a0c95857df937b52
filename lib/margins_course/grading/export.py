"""Export: tables of all marks for each LMS, and zips that give every student their page of feedback.

A mark that is not there (refused, missing, not fully marked) is blank, never 0; `marks.csv` says why.

*Canvas* (Grades, Import; `lib/gradebook_importer.rb` of its source): the columns Student, ID, SIS User ID,
SIS Login ID and Section come first, in this order; ID is Canvas's number of the person. The row whose Student
is "Points Possible" says what an assignment is worth; an assignment without a number behind its title is
found by the title, or made. An empty cell is no score. Feedback (assignment, Upload Submissions after a
download; read from `Assignment` and `lib/content_zipper.rb`) is files named as downloaded, of which Canvas
reads the first two parts between underscores that are numbers, the person's and the file's.

*Moodle* (Grades, Import, CSV file; `grade/import/csv/classes/load_data.php`): columns are mapped by hand,
people by ID number or address. A dash is no grade. An empty cell is none for an item that is there, but in
one that the import makes it becomes 0; so blank is a dash here. Feedback (assignment, View all submissions,
Upload multiple feedback files in a zip; read from `mod/assign/feedback/file/importziplib.php`) is folders
named as in the zip of all submissions, of which Moodle reads what stands between underscores: a name, the
number of the participant, `assignsubmission`, `file`. Before 4.1 a last underscore was required; so the
folder's name ends as it did when it was downloaded.

Names in the zips are built anew from the roster and the numbers, so that nothing of a student's own file name
is in a path. The same pages give the same bytes.
"""

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from margins_course import CourseProblem
from margins_course.collecting.owners import MOODLE, canvas_names, letters_and_digits
from margins_course.collecting.records import journal_of_deliveries
from margins_course.collecting.roster import Student
from margins_course.folder import CourseFolder, write, write_table
from margins_course.grading.results import journal_of_marks
from margins_course.grading.totals import STALE_MARKS, Total, totals
from margins_course.wording import counted

CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE_COLUMNS = ("ID number", "Full name", "Email address")
Marks = dict[str, list[Total]]  # by assignment, in the order of the roster


def export(course: CourseFolder, names: Sequence[str] = ()) -> list[Path]:
    """The tables of some assignments (or of all that are marked) and bundles of feedback; their paths."""
    marks = {name: totals(course, name) for name in names or marked_assignments(course)}
    if not marks:
        raise CourseProblem(f"nothing is marked in {course.root}: run `margins-course grade NAME` first")
    tables = {
        "marks.csv": (marks_columns(marks), marks_rows(marks)),
        "marks-canvas.csv": ((*CANVAS_COLUMNS, *marks), canvas_rows(marks)),
        "marks-moodle.csv": ((*MOODLE_COLUMNS, *marks), moodle_rows(marks)),
    }
    for name, (columns, rows) in tables.items():
        write_table(course.report(name), columns, rows)
    bundles = [path for name in marks for path in write_bundles(course, name, marks[name])]
    return [*map(course.report, tables), *bundles]


def marked_assignments(course: CourseFolder) -> list[str]:
    """The assignments of which some submission is marked."""
    return sorted({path.parent.name for path in (course.root / "results").glob("*/*.json")})


def notices(course: CourseFolder, names: Sequence[str] = ()) -> list[str]:
    """Sentences on what a person should look at: damaged lines, strangers, answers that wait for a mark."""
    found = []
    for name in names or marked_assignments(course):
        journal = journal_of_marks(course, name)
        found += journal_of_deliveries(course, name).damaged + journal.damaged
        everybody = totals(course, name)
        known = {total.student.id for total in everybody}
        strangers = sorted({mark.student for mark in journal.entries} - known)
        found += [f"{name}: {who} has marks by hand and is not on the roster" for who in strangers]
        stale = (t for t in everybody if any(score.waits in STALE_MARKS for score in t.exercises))
        found += [f"{name}: {total.student}: {total.reason}" for total in stale]
        blank = Counter(total.reason for total in everybody if total.standing.sha256 and not total.result)
        found += [f"{name}: {number} without a mark: {reason}" for reason, number in blank.items()]
        if waiting := sum(score.points is None for total in everybody for score in total.exercises):
            found.append(f"{name}: {counted(waiting, 'answer')} to mark: `margins-course review {name}`")
        if outdated := sum(current_page(course, name, total) == b"" for total in everybody):
            remedy = f"`margins-course feedback {name}`, then export again"
            found.append(f"{name}: {counted(outdated, 'outdated page')} of feedback left out: {remedy}")
    return found


def current_page(course: CourseFolder, name: str, total: Total) -> bytes | None:
    """A student's page of feedback; empty if it tells of another total, None if there is none."""
    path = course.feedback(name, total.student.id)
    content = path.read_bytes() if path.exists() else None
    return content if content is None or total.digest.encode() in content else b""


def marks_columns(marks: Marks) -> list[str]:
    """The columns of `marks.csv`: sums first, then each assignment with its exercises."""
    columns = ["id", "name", "total", "blank"]
    for name, everybody in marks.items():
        exercises = max((total.exercises for total in everybody), key=len, default=())
        columns += [name, f"{name} status"]
        columns += [f"{name}: {score.label}" for score in exercises if score.out_of]
    return columns


def marks_rows(marks: Marks) -> Iterator[dict]:
    """A row for everybody: score, standing and reason by assignment, points by exercise, and the sum."""
    for own in zip(*marks.values(), strict=True):
        there = [total.score for total in own if total.score is not None]
        row = {"id": own[0].student.id, "name": own[0].student.name}
        row |= {"total": float(sum(there)), "blank": len(own) - len(there)}
        for name, total in zip(marks, own, strict=True):
            row |= {name: points_or_blank(total.score), f"{name} status": status(total)}
            row |= {f"{name}: {score.label}": points_or_blank(score.points) for score in total.exercises}
        yield row


def canvas_rows(marks: Marks) -> Iterator[dict]:
    """Canvas's rows; the first says what each assignment is worth."""
    yield {"Student": "Points Possible"} | {name: own[0].out_of for name, own in marks.items()}
    for own in zip(*marks.values(), strict=True):
        student = own[0].student
        row = {"Student": student.name, "ID": student.lms_id, "SIS User ID": student.id}
        scores = {name: points_or_blank(total.score) for name, total in zip(marks, own, strict=True)}
        yield row | {"SIS Login ID": student.email} | scores


def moodle_rows(marks: Marks) -> Iterator[dict]:
    """Moodle's rows, with a dash for no grade."""
    for own in zip(*marks.values(), strict=True):
        student = own[0].student
        row = {"ID number": student.id, "Full name": student.name, "Email address": student.email}
        yield row | {name: points_or_blank(total.score, "-") for name, total in zip(marks, own, strict=True)}


def status(total: Total) -> str:
    """What became of a submission, and why there is no score or what to know of it."""
    standing = total.standing
    if standing.status in ("refused", "missing"):
        return total.reason  # which says both
    return ": ".join(filter(None, [standing.status, standing.reason, total.reason]))


def points_or_blank(points: float | None, blank: str = "") -> float | str:
    return blank if points is None else float(points)


FORBIDDEN = re.compile(r"""[\x00-\x1f\x7f-\x9f&<>"`|':\\/*?]""")  # what Moodle takes out of names, and more


def write_bundles(course: CourseFolder, name: str, everybody: list[Total]) -> list[Path]:
    """The bundles of an assignment for those LMSs from which files came; their paths."""
    made = []
    for lms, member in (("moodle", moodle_member), ("canvas", canvas_member)):
        pages = {}
        for total in everybody:
            path = member(total.standing.file, total.student, name)
            if path and (page := current_page(course, name, total)):
                pages[path] = page
        if pages:
            made.append(course.report(f"{name}-feedback-{lms}.zip"))
            write(made[-1], zip_of_pages(pages))
    return made


def moodle_member(file: str, student: Student, name: str) -> str:
    """Where a student's page lies in Moodle's bundle; nothing if the file did not come from Moodle."""
    match = MOODLE.match(file)
    if not match or match["plugin"].rstrip("_") != "file":
        return ""
    person = " ".join(FORBIDDEN.sub("", student.name.replace("_", " ")).split()) or student.id
    return f"{person}_{match['number']}_assignsubmission_{match['plugin']}/{name}.html"


def canvas_member(file: str, student: Student, name: str) -> str:
    """The name of a student's page in Canvas's bundle; nothing if the file did not come from Canvas."""
    for reading in () if MOODLE.match(file) else canvas_names(file):
        if reading.number == student.lms_id:
            # no number but the two that count
            person = re.sub("[0-9]", "", letters_and_digits(student.name)) or "student"
            late = "_LATE" if reading.late else ""
            return f"{person}{late}_{reading.number}_{reading.attachment}_{name}.html"
    return ""


def zip_of_pages(pages: dict[str, bytes]) -> bytes:
    """A zip of pages by path, the same bytes for the same pages."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, content in sorted(pages.items()):
            member = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 3  # 3: Unix, for the rights
            member.external_attr = 0o644 << 16
            archive.writestr(member, content)
    return buffer.getvalue()
