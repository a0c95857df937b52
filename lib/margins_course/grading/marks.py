"""Marks: one table of everybody and everything, and one in the columns that each LMS imports.

(book: Teaching with this book, Marks)
"""

from margins_course.collecting.roster import read_roster
from margins_course.grading import gradebook
from margins_course.problems import CourseProblem
from margins_course.tables import read_table, write_table

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("ID number", "Full name", "Email address")


def write_marks(course):
    """The three tables of all chapters that are marked; their paths."""
    students = read_roster(course.roster)
    scores, points = marked(course) if course.gradebook.exists() else ({}, {})  # to open one makes one
    if not scores:
        raise CourseProblem(f"nothing is marked in {course.root}: run `margins-course grade CHAPTER` first")
    chapters = list(scores)
    own = own_table(course, students, chapters, scores)
    tables = {
        "marks.csv": (
            ("id", "name", *[f"{c}{part}" for c in chapters for part in ("", " status")], "total"),
            own,
        ),
        "marks-canvas.csv": ((*CANVAS, *chapters), canvas_table(students, scores, points)),
        "marks-moodle.csv": ((*MOODLE, *chapters), moodle_table(students, scores)),
    }
    for name, (columns, rows) in tables.items():
        write_table(course.report(name), columns, rows)
    return [course.report(name) for name in tables]


def marked(course):
    """The scores of every chapter that is marked, and the points that it is worth."""
    with gradebook.opened(course) as book:
        chapters = sorted(assignment.name for assignment in book.assignments)
        scores = {chapter: gradebook.scores(book, chapter) for chapter in chapters}
        return scores, {chapter: book.find_assignment(chapter).max_score for chapter in chapters}


def own_table(course, students, chapters, scores):
    """Score and what became of the submission, by chapter, and the sum."""
    statuses = {chapter: collected(course, chapter) for chapter in chapters}
    for student in students:
        row = {"id": student.id, "name": student.name, "total": 0.0}
        for chapter in chapters:
            row[chapter] = score(scores[chapter], student)
            row[f"{chapter} status"] = statuses[chapter].get(student.id, "")
            row["total"] += row[chapter]
        yield row


def collected(course, chapter):
    """What became of each student's files when a chapter was collected, with the reason."""
    path = course.report(f"{chapter}-collected.csv")
    rows = read_table(path) if path.exists() else []
    return {row["id"]: ": ".join(filter(None, [row["status"], row["reason"]])) for row in rows if row["id"]}


def canvas_table(students, scores, points):
    """Canvas's columns; the second row says what each assignment is worth."""
    yield {"Student": "Points Possible"} | points
    for student in students:
        known = {"Student": student.name, "ID": student.lms_id, "SIS User ID": student.id}
        yield known | {"SIS Login ID": student.email} | {c: score(scores[c], student) for c in scores}


def moodle_table(students, scores):
    """Moodle's columns for the import of grades, which finds people by ID number or address."""
    for student in students:
        known = {"ID number": student.id, "Full name": student.name, "Email address": student.email}
        yield known | {chapter: score(scores[chapter], student) for chapter in scores}


def score(scores, student):
    return float(scores[student.id][0]) if student.id in scores else 0.0
