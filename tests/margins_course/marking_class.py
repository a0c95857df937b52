"""A small course for tests of marking: a chapter with known mistakes, released and handed in."""

from datetime import UTC, datetime

from margins_course.collecting.collect import collect
from margins_course.folder import CourseFolder
from margins_course.grading.results import read_result
from tests.margins_course.sums_assignment import CHAPTER, answered, release_chapter

MISTAKES = {
    "twice": {
        "as it came": "def twice(x):\n    return x",
        "absolute": "def twice(x):\n    return 2 * abs(x)",
    },
    "total": {"changes it": "def total(x):\n    x[0] = 1\n    return 4.0"},
}
MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


def course_of(root, students, chapter=CHAPTER):
    """A course folder with the small chapter and a class, and the students' notebook."""
    course = CourseFolder(root / "course")
    course.root.mkdir(parents=True)
    release_again(course, chapter)
    lines = ["id,name", *(f"{student},Student {student.upper()}" for student in students)]
    course.roster.write_text("\n".join(lines), encoding="utf-8")
    return course, course.notebook("release", "sums").read_text(encoding="utf-8")


def release_again(course, chapter):
    """The assignment of a chapter that lies beside the course folder, with known mistakes."""
    path = course.root.parent / "sums.md"
    path.write_text(chapter, encoding="utf-8")
    for label, mistakes in MISTAKES.items():
        folder = path.parent / "exercises" / label
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(f"\n# wrong: {title}\n{code}\n" for title, code in mistakes.items())
        (folder / "wrong.py").write_text(text, encoding="utf-8")
    release_chapter(course, path)


def hand_in(course, student, answers):
    """The submissions of some students, by what they answered."""
    for who, answer in answers.items():
        path = course.root.parent / "in" / f"{who}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(answered(student, answer), encoding="utf-8")
    collect(course, "sums", course.root.parent / "in")


def points(course, who):
    """All points of a student by check."""
    return read_result(course.result("sums", who)).points


def silent(*_):
    """No progress."""
