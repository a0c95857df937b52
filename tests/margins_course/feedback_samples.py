"""A sheet of three exercises and what marking found of them: what the tests of feedback show."""

import base64
import io

from PIL import Image

from margins_course.assignments.sheet import Check, Exercise, Line, Sheet
from margins_course.collecting.records import Standing
from margins_course.collecting.roster import Student
from margins_course.grading.results import HandMark, Piece, Result, Work
from margins_course.grading.totals import ExerciseScore, Total

BOOK = "https://book.example.org/chapters/01_sums.html#"
SECRET = "11.0 SECRET"


ADA = Student("ada", "Ada Lovelace")


STANDING = Standing("ada", "accepted", "", None, 0.0, "")


def score(label, points, out_of, waits=""):
    return ExerciseScore(label, points, out_of, waits)


def png(width=4, height=3):
    kept = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(kept, "PNG")
    return base64.b64encode(kept.getvalue()).decode()


def coded(label, title):
    checks = (Check(f"{label}--check-1", 2.0, False), Check(f"{label}--hidden-check-1", 3.0, True))
    return Exercise(label, title, "code", 1, "01", BOOK + label, "See the hint.", checks=checks)


RUBRIC = (
    Line("The triangle inequality, $|a+b| \\le |a|+|b|$, is named.", 3.0),
    Line("Nothing is missing.", 1.0),
)
SHEET = Sheet(
    "01",
    "Sums",
    (
        coded("twice", "Twice in $\\R^n$"),
        coded("total", "Total"),
        Exercise("bound", "A bound", "prove", 2, "01", BOOK + "bound", "Show it.", rubric=RUBRIC),
    ),
)
WORK = {
    "twice": Work((Piece("code", "def twice(x):\n    return 2 * x", "printed\n", None, (png(),)),), "t"),
    "total": Work((Piece("code", "total = 1 / 0", "", ("ZeroDivisionError", "division", "line 1")),), "s"),
    "bound": Work((Piece("markdown", "By the *triangle inequality*, $|a+b| \\le |a|+|b|$."),), "b"),
}
NAMES = [check.name for exercise in SHEET.exercises for check in exercise.checks]
PASSED = Result("k", dict.fromkeys(NAMES, 2.0), dict.fromkeys(NAMES), work=WORK)
SCORES = (score("twice", 5.0, 5.0), score("total", 0.0, 5.0), score("bound", 4.0, 4.0))
TOTAL = Total(ADA, STANDING, 9.0, "", 14.0, 9.0, 1.0, SCORES)
MARK = HandMark("ada", "bound", "b", (3.0, 1.0), comment="A *clear* proof.")


def failed(*names, **parts):
    """The result in which some checks failed, each with a message that tells its data."""
    messages = PASSED.messages | dict.fromkeys(names, f"AssertionError: {SECRET}")
    return Result("k", {n: 0.0 if messages[n] else 2.0 for n in NAMES}, messages, work=WORK, **parts)
