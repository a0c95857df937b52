"""A small course for tests of marking: a chapter with known mistakes, released and handed in."""

from margins_course.collecting.collect import collect
from margins_course.folder import CourseFolder, write
from margins_course.grading import marking
from margins_course.grading.results import read_result
from tests.margins_course.sums_assignment import CHAPTER, FULL, RIGHT, answered, by_exercise, release_chapter

MISTAKES = {
    "twice": {
        "as it came": "def twice(x):\n    return x",
        "absolute": "def twice(x):\n    return 2 * abs(x)",
    },
    "total": {"changes it": "def total(x):\n    x[0] = 1\n    return 4.0"},
}
HALF = RIGHT | {"twice": "def twice(x):\n    return 2 * abs(x)"}  # the visible check alone
ANSWERS = {"ada": RIGHT, "bob": HALF, "cyd": {}}
POINTS = {"ada": FULL, "bob": FULL | {"twice": 2.0}, "cyd": dict.fromkeys(FULL, 0.0)}


class SumsCourse(CourseFolder):
    """A course folder beside the small chapter and its known mistakes, and what a teacher does with it."""

    def release_again(self, chapter):
        """The assignment of a chapter, which may have changed."""
        folder = self.root.parent
        write(folder / "sums.md", chapter)
        for label, mistakes in MISTAKES.items():
            text = "".join(f"\n# wrong: {title}\n{code}\n" for title, code in mistakes.items())
            write(folder / "exercises" / label / "wrong.py", text)
        release_chapter(self, folder / "sums.md")

    def hand_in(self, answers):
        """The submissions of some students, by what they answered."""
        given, files = self.notebook("release", "sums").read_text(encoding="utf-8"), self.root.parent / "in"
        for who, answer in answers.items():
            write(files / f"{who}.ipynb", answered(given, answer))
        collect(self, "sums", files)

    def mark(self, **options):
        return marking.mark_class(self, "sums", progress=silent, **options)

    def points(self):
        """The points of each exercise by student, of those whose work is marked."""
        results = {path.stem: read_result(path) for path in self.root.glob("results/sums/*.json")}
        return {who: by_exercise(result.points) for who, result in results.items()}


def course_of(root, students, chapter=CHAPTER):
    """A course folder with the small chapter, released, and a class."""
    course = SumsCourse(root / "course")
    course.root.mkdir(parents=True)
    course.release_again(chapter)
    write(course.roster, "\n".join(["id,name", *(f"{one},Student {one.upper()}" for one in students)]))
    return course


def class_of_three(root):
    """A class of which three have handed in, and dan nothing."""
    course = course_of(root, [*ANSWERS, "dan"])
    course.hand_in(ANSWERS)
    return course


def silent(*_):
    """No progress."""
