"""A small course without boxes: an assignment with a coded exercise, a proof and one that is both.

Its files are made by hand, so that what is collected, counted and exported is known to the hundredth.
"""

import json
import zipfile
from dataclasses import replace
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from margins_book.page.chapter import Cell
from margins_course.assignments.combine import Assignment
from margins_course.assignments.notebooks import ANSWER_HERE, as_bytes, nbgrader_source, student_notebook
from margins_course.assignments.settings import LateRule, Settings
from margins_course.assignments.sheet import Check, Exercise, Line, Sheet
from margins_course.collecting.collect import collect
from margins_course.folder import CourseFolder, hash_of, write
from margins_course.grading import results
from margins_course.grading.outdated import checks_hash
from margins_course.grading.results import HandMark, Piece, Work
from margins_course.grading.totals import totals
from tests.margins_course.sums_assignment import answered as with_answers

NAME, ZONE = "sums", ZoneInfo("Europe/Berlin")
DUE = datetime(2026, 3, 1, 12, 0, tzinfo=ZONE)
EARLY, LATE = (2026, 3, 1, 9, 0, 0), (2026, 3, 1, 12, 31, 0)  # half an hour and a minute after it is due
ALL = {"twice--check-1": 2.0, "twice--hidden-check-1": 3.0, "both--check-1": 1.0}
TEXTS = {"proof": "Clear.", "both": "Also."}


def _exercise(label, checks, rubric):
    made = [Check(f"{label}--{name}", points, "hidden" in name) for name, points in checks]
    lines = tuple(Line(f"line {number}", points) for number, points in enumerate(rubric, 1))
    kind = "code" if checks else "prove"
    page = "https://example.org/sums.html"
    functions = (label,) if checks else ()
    return Exercise(label, label.title(), kind, 1, NAME, page, "", "", functions, tuple(made), lines)


TWICE = _exercise("twice", [("check-1", 2.0), ("hidden-check-1", 3.0)], [])
PROOF = _exercise("proof", [], [2.0, 3.0])
BOTH = _exercise("both", [("check-1", 1.0)], [4.0])
SHEET = Sheet(NAME, "Sums", (TWICE, PROOF, BOTH))


@cache
def notebook(sheet=SHEET, solved=False):
    """The assignment's notebook: yours if `solved`, else the students'."""
    cells = []
    for one in sheet.exercises:
        if one.checks:
            code = f"def {one.label}(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
            cells.append(Cell("solution", code, one.label, name=f"{one.label}--solution-1"))
        if one.rubric:
            cells.append(Cell("answer", "Clear.", one.label, one.rubric_points, f"{one.label}--answer"))
        for check in one.checks:
            kind = "hidden-check" if check.hidden else "check"
            cells.append(Cell(kind, "assert True", one.label, check.points, check.name))
    made = Assignment(tuple(cells), sheet)
    return as_bytes(nbgrader_source(made) if solved else student_notebook(made)).decode()


def answered(text):
    """A notebook with answers of its own, told apart by `text`."""
    answers = {"twice": f"def twice(x):\n    return {text!r}", "proof--answer": f"Clear: {text}."}
    return with_answers(notebook(), answers)


class SmallCourse(CourseFolder):
    """The course folder of a class, and what a test does with it or asks of it."""

    @property
    def records(self):
        """The journal of deliveries."""
        return self.deliveries(NAME) / "records.jsonl"

    def came(self, *members):
        """What collecting finds in a zip of such members."""
        number = len(list(self.root.parent.glob("*.zip")))
        return collect(self, NAME, zipped(self.root.parent / f"{number}.zip", members))

    def placed(self, who):
        """The text of the file that counts."""
        return self.notebook("submitted", NAME, who).read_text(encoding="utf-8")

    def marked(self, student, points, answers=None, sheet=SHEET):
        """A result as marking would write it; the fingerprints by exercise."""
        texts, work, everything = answers or {}, {}, {}
        for exercise in sheet.exercises:
            given = ANSWER_HERE if exercise.rubric else "def twice(x):\n    ..."
            pieces = (Piece("markdown" if exercise.rubric else "code", texts.get(exercise.label, given)),)
            messages = {c.name: None if points.get(c.name) else "wrong" for c in exercise.checks}
            work[exercise.label] = Work(pieces, results.fingerprint(pieces, messages, exercise.worth))
            everything |= messages
        every = {name: points.get(name, 0.0) for name in everything}
        file = hash_of(self.notebook("submitted", NAME, student))
        key = results.Key(file, checks_hash(self.source_text(NAME)), "here")
        write(self.result(NAME, student), results.as_json(results.Result(key, every, everything, work=work)))
        return {label: done.fingerprint for label, done in work.items()}

    def give(self, student, label, lines, adjust=0.0, comment=""):
        """A person's mark for what counts of a student's work."""
        (work,) = [one.result.work[label] for one in totals(self, NAME) if one.student.id == student]
        mark = HandMark(student, label, work.fingerprint, lines, adjust, comment)
        results.append_hand_mark(self, NAME, mark, SHEET)

    def state(self):
        """All that collecting leaves, without the journal, whose lines tell of the way there."""
        parts = [self.root / "submitted", self.root / "reports", self.deliveries(NAME)]
        files = [path for part in parts for path in sorted(part.rglob("*")) if path.is_file()]
        return {str(path): path.read_bytes() for path in files if path != self.records}


came, marked = SmallCourse.came, SmallCourse.marked


def made_course(root, students, sheet=SHEET):
    """A course folder with the assignment released and a class of `id,name,email,lms_id` rows."""
    course = SmallCourse(root / "course")
    write(course.notebook("source", NAME), notebook(sheet=sheet, solved=True))
    write(course.notebook("release", NAME), notebook(sheet=sheet))
    write(course.roster, "\n".join(["id,name,email,lms_id", *students]))
    return course


DEFAULTS = Settings(NAME, "Sums", (), DUE, ZONE, LateRule(), {}, None)


def settings_of(monkeypatch, **changes):
    """The settings that every module reads from now on."""
    made = replace(DEFAULTS, **changes)
    for module in ("collecting.collect", "grading.totals", "pages.feedback"):
        monkeypatch.setattr(f"margins_course.{module}.read_settings", lambda course, name: made)
    return made


def zipped(path, members):
    """A zip of (name, content, local time) as an LMS makes it; without a time a member came early."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content, *moment in members:
            file.writestr(zipfile.ZipInfo(name, *(moment or [EARLY])), content, zipfile.ZIP_DEFLATED)
    return path


def rows_by_id(collected):
    return {row["id"]: row for row in collected.rows if row["id"]}


def moodle(name, number, file="sums.ipynb"):
    return f"{name}_{number}_assignsubmission_file/{file}"


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
