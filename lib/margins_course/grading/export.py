"""Export: tables of all marks, one of them in the columns that each LMS imports.

A mark that is not there (refused, missing, not fully marked) is blank, never 0; `marks.csv` says why.

*Canvas* (Grades, Import; `lib/gradebook_importer.rb` of its source): the columns Student, ID, SIS User ID,
SIS Login ID and Section come first, in this order; ID is Canvas's number of the person. The row whose
Student is "Points Possible" says what an assignment is worth; an assignment without a number behind its
title is found by the title, or made. An empty cell is no score.

*Moodle* (Grades, Import, CSV file; `grade/import/csv/classes/load_data.php`): columns are mapped by hand,
people by ID number or address. A dash is no grade. An empty cell is none for an item that is there, but in
one that the import makes it becomes 0; so blank is a dash here.

(book: Teaching with this book, Export)
"""

from collections.abc import Iterator
from pathlib import Path

from margins_course.collecting.records import journal_of_deliveries
from margins_course.folder import CourseFolder
from margins_course.grading.bundles import write_bundles
from margins_course.grading.hand_marks import journal_of_marks
from margins_course.grading.totals import STALE, Total, totals
from margins_course.problems import CourseProblem
from margins_course.tables import write_table

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("ID number", "Full name", "Email address")
Marks = dict[str, list[Total]]  # by assignment, in the order of the roster


def export(course: CourseFolder, names: list[str] | None = None) -> list[Path]:
    """The tables of some assignments (or of all that are marked) and bundles of feedback; their paths."""
    marks = {name: totals(course, name) for name in names or marked(course)}
    if not marks:
        raise CourseProblem(
            f"nothing is marked in {course.root}: run `margins-course grade ASSIGNMENT` first"
        )
    tables = {
        "marks.csv": (own_columns(marks), own_table(marks)),
        "marks-canvas.csv": ((*CANVAS, *marks), canvas_table(marks)),
        "marks-moodle.csv": ((*MOODLE, *marks), moodle_table(marks)),
    }
    for name, (columns, rows) in tables.items():
        write_table(course.report(name), columns, rows)
    bundles = [path for name in marks for path in write_bundles(course, name, marks[name])]
    return [*map(course.report, tables), *bundles]


def marked(course: CourseFolder) -> list[str]:
    """The assignments of which some submission is marked."""
    return sorted({path.parent.name for path in (course.root / "results").glob("*/*.json")})


def notices(course: CourseFolder, names: list[str] | None = None) -> list[str]:
    """Sentences on what a person should look at: damaged lines, strangers, answers that wait for a mark."""
    found = []
    for name in names or marked(course):
        journal = journal_of_marks(course, name)
        found += journal_of_deliveries(course, name).damaged + journal.damaged
        everybody = totals(course, name)
        known = {total.student.id for total in everybody}
        strangers = sorted({mark.student for mark in journal.entries} - known)
        found += [f"{name}: {who} has marks by hand and is not on the roster" for who in strangers]
        found += [f"{name}: {total.student}: {total.reason}" for total in everybody if _is_stale(total)]
        if waiting := sum(score.points is None for total in everybody for score in total.exercises):
            found.append(f"{name}: {waiting} answers wait for you: `margins-course review {name}`")
        if _feedback_is_old(course, name):
            found.append(
                f"{name}: marks or settings changed after the feedback was written: "
                f"`margins-course feedback {name}`, then export again"
            )
    return found


def _feedback_is_old(course: CourseFolder, name: str) -> bool:
    """Whether pages of feedback are older than what they tell."""
    pages = list((course.root / "feedback").glob(f"*/{name}/{name}.html"))
    told = [course.settings(name), course.hand_marks(name), *(course.root / "results" / name).glob("*.json")]
    changed = max((path.stat().st_mtime for path in told if path.exists()), default=0.0)
    return bool(pages) and changed > min(page.stat().st_mtime for page in pages)


def own_columns(marks: Marks) -> list[str]:
    """The columns of `marks.csv`: sums first, then each assignment with its exercises."""
    columns = ["id", "name", "total", "blank"]
    for name, everybody in marks.items():
        columns += [name, f"{name} status"]
        columns += [f"{name}: {label}" for label in _labels(everybody)]
    return columns


def own_table(marks: Marks) -> Iterator[dict]:
    """A row for everybody: score, standing and reason by assignment, points by exercise, and the sum."""
    for own in zip(*marks.values(), strict=True):
        there = [total.score for total in own if total.score is not None]
        row = {"id": own[0].student.id, "name": own[0].student.name}
        row |= {"total": float(sum(there)), "blank": len(own) - len(there)}
        for name, total in zip(marks, own, strict=True):
            row |= {name: blank_or(total.score), f"{name} status": status(total)}
            row |= {f"{name}: {score.label}": blank_or(score.points) for score in total.exercises}
        yield row


def canvas_table(marks: Marks) -> Iterator[dict]:
    """Canvas's rows; the first says what each assignment is worth."""
    yield {"Student": "Points Possible"} | {name: own[0].out_of for name, own in marks.items()}
    for own in zip(*marks.values(), strict=True):
        student = own[0].student
        row = {"Student": student.name, "ID": student.lms_id, "SIS User ID": student.id}
        scores = {name: blank_or(total.score) for name, total in zip(marks, own, strict=True)}
        yield row | {"SIS Login ID": student.email} | scores


def moodle_table(marks: Marks) -> Iterator[dict]:
    """Moodle's rows, with a dash for no grade."""
    for own in zip(*marks.values(), strict=True):
        student = own[0].student
        row = {"ID number": student.id, "Full name": student.name, "Email address": student.email}
        yield row | {name: blank_or(total.score, "-") for name, total in zip(marks, own, strict=True)}


def status(total: Total) -> str:
    """What became of a submission, and why there is no score or what to know of it."""
    standing = total.standing
    if standing.status in ("refused", "missing"):  # the total's reason says the same
        return ": ".join(filter(None, [standing.status, standing.reason]))
    return ": ".join(filter(None, [standing.status, standing.reason, total.reason]))


def blank_or(points: float | None, blank: str = "") -> float | str:
    """Points, or what stands for none."""
    return blank if points is None else float(points)


def _labels(everybody: list[Total]) -> list[str]:
    longest = max((total.exercises for total in everybody), key=len, default=())
    return [score.label for score in longest if score.out_of]


def _is_stale(total: Total) -> bool:
    return any(score.waits in STALE for score in total.exercises)
