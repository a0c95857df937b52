"""Bundles of feedback: a zip that gives every student their page, in the form that each LMS takes.

*Moodle* (assignment, View all submissions, Upload multiple feedback files in a zip; read from
`mod/assign/feedback/file/importziplib.php`): folders named as in the zip of all submissions, of which
Moodle reads what stands between underscores: a name, the number of the participant, `assignsubmission`,
`file`. Before 4.1 a last underscore was required; so the folder's name ends as it did when it was
downloaded.

*Canvas* (assignment, Upload Submissions after a download; read from `Assignment` and
`lib/content_zipper.rb`): files named as downloaded, of which Canvas reads the first two parts between
underscores that are numbers, the person's and the file's, and comments on the submission that has this
file.

Names are built anew from the roster and the numbers, so that nothing of a student's own file name is in a
path. The same pages give the same bytes.
(book: Teaching with this book, Feedback)
"""

import io
import re
import zipfile
from pathlib import Path

from margins_course.collecting.names import MOODLE, canvas_names, plain
from margins_course.collecting.roster import Student
from margins_course.folder import CourseFolder, write
from margins_course.grading.totals import Total

FORBIDDEN = re.compile(r"""[\x00-\x1f\x7f-\x9f&<>"`|':\\/*?]""")  # what Moodle takes out of names, and more


def write_bundles(course: CourseFolder, name: str, everybody: list[Total]) -> list[Path]:
    """The bundles of an assignment for those LMSs from which files came; their paths."""
    made = []
    for lms, member in (("moodle", moodle_member), ("canvas", canvas_member)):
        pages = {}
        for total in everybody:
            page = course.notebook("feedback", name, total.student.id).with_suffix(".html")
            path = member(total.standing.file, total.student, name)
            if path and page.exists():
                pages[path] = page.read_bytes()
        if pages:
            made.append(course.report(f"{name}-feedback-{lms}.zip"))
            write(made[-1], bundle(pages))
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
    readings = [] if MOODLE.match(file) else canvas_names(file)
    for reading in readings:
        if reading.number == student.lms_id:
            person = re.sub("[0-9]", "", plain(student.name)) or "student"  # no number but the two that count
            late = "_LATE" if reading.late else ""
            return f"{person}{late}_{reading.number}_{reading.attachment}_{name}.html"
    return ""


def bundle(pages: dict[str, bytes]) -> bytes:
    """A zip of pages by path, the same bytes for the same pages."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, content in sorted(pages.items()):
            member = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 3  # 3: Unix, for the rights
            member.external_attr = 0o644 << 16
            archive.writestr(member, content)
    return buffer.getvalue()
