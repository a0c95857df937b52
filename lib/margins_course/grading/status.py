"""The whole course at a glance: how far each assignment is, and the command that comes next.

(book: Teaching with this book, Status)
"""

from collections.abc import Iterator
from dataclasses import dataclass

from margins_course import CourseProblem
from margins_course.assignments.settings import read_settings
from margins_course.folder import CourseFolder, read_table, spreadsheet_cell
from margins_course.grading.export import current_page, points_or_blank
from margins_course.grading.marking import collected_students
from margins_course.grading.outdated import why_not_released
from margins_course.grading.totals import Total, totals

COLUMNS = ("assignment", "released", "collected", "marked", "outdated", "waiting", "feedback", "exported")
Row = dict[str, str]


def status(course: CourseFolder) -> Iterator[Row]:
    """A row for each assignment; `next` is the command that comes next, or what is wrong."""
    for name in assignment_names(course):
        try:
            yield {"assignment": name} | _row(course, name)
        except (CourseProblem, OSError) as problem:  # it hides no other assignment
            yield {"assignment": name, "next": str(problem)}


def assignment_names(course: CourseFolder) -> list[str]:
    """All assignments that were begun or released."""
    settings = {path.parent.name for path in course.root.glob("assignments/*/assignment.yml")}
    return sorted(settings | {path.name for path in course.root.glob("source/*")})


def _row(course: CourseFolder, name: str) -> Row:
    settings = read_settings(course, name)
    if not course.notebook("source", name).is_file():
        return {"released": "no", "next": f"margins-course release {name}"}
    changed = why_not_released(course.source_text(name), settings)
    found = _Counts(course, name, totals(course, name))
    return {
        "released": "outdated" if changed else "yes",
        "collected": f"{len(found.collected)} of {len(found.everybody)}",
        "marked": str(len(found.marked)),
        "outdated": str(found.outdated),
        "waiting": str(found.waiting),
        "feedback": f"{found.pages} of {len(found.marked)}",
        "exported": {None: "no", 0: "yes"}.get(found.differ, "outdated"),
        "next": f"margins-course release {name}" if changed else found.next,
    }


@dataclass(frozen=True)
class _Counts:
    course: CourseFolder
    name: str
    everybody: list[Total]

    @property
    def collected(self) -> list[Total]:
        return [total for total in self.everybody if total.standing.sha256]

    @property
    def marked(self) -> list[Total]:
        return [total for total in self.everybody if total.result]

    @property
    def outdated(self) -> int:
        """The results that are there and do not count."""
        there = [self.course.result(self.name, total.student.id).exists() for total in self.collected]
        return sum(there) - len(self.marked)

    @property
    def waiting(self) -> int:
        """The answers that wait for a person."""
        return sum(score.points is None for total in self.marked for score in total.exercises)

    @property
    def pages(self) -> int:
        return sum(bool(current_page(self.course, self.name, total)) for total in self.marked)

    @property
    def differ(self) -> int | None:
        """How many marks are not as in the table exported last, None if there is none."""
        path = self.course.report("marks.csv")
        rows = {row["id"]: row for row in read_table(path)} if path.is_file() else {}
        if not any(self.name in row for row in rows.values()):
            return None
        there = [rows.get(total.student.id, {}).get(self.name) for total in self.everybody]
        now = [spreadsheet_cell(points_or_blank(total.score)) for total in self.everybody]
        return sum(one != other for one, other in zip(there, now, strict=True))

    @property
    def next(self) -> str:
        if not self.collected or collected_students(self.course, self.name)[1]:
            return f"margins-course collect {self.name} FILES"
        for is_due, step in (
            (len(self.marked) < len(self.collected), "grade"),
            (self.waiting, "review"),
            (self.pages < len(self.marked), "feedback"),
            (self.differ != 0, "export"),
        ):
            if is_due:
                return f"margins-course {step} {self.name}"
        return ""
