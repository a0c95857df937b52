"""The whole course at a glance: how far each assignment is, and the command that comes next."""

from collections.abc import Iterator

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
    settings = {path.parent.name for path in course.root.glob("assignments/*/assignment.yml")}
    for name in sorted(settings | {path.name for path in course.root.glob("source/*")}):
        try:
            yield {"assignment": name} | _row(course, name)
        except (CourseProblem, OSError) as problem:  # it hides no other assignment
            yield {"assignment": name, "next": str(problem)}


def _row(course: CourseFolder, name: str) -> Row:
    settings = read_settings(course, name)
    if not course.notebook("source", name).is_file():
        return {"released": "no", "next": f"margins-course release {name}"}
    changed, everybody = why_not_released(course.source_text(name), settings), totals(course, name)
    collected = [total for total in everybody if total.standing.sha256]
    marked = [total for total in everybody if total.result]
    there = sum(course.result(name, total.student.id).exists() for total in collected)
    waiting = sum(score.points is None for total in marked for score in total.exercises)
    pages = sum(bool(current_page(course, name, total)) for total in marked)
    exported = _exported(course, name, everybody)
    due = [("release", bool(changed))]
    due.append(("collect", not collected or bool(collected_students(course, name)[1])))
    due += [("grade", len(marked) < len(collected)), ("review", waiting > 0)]
    due += [("feedback", pages < len(marked)), ("export", exported != "yes")]
    step = next((step for step, is_due in due if is_due), "")
    return {
        "released": "outdated" if changed else "yes",
        "collected": f"{len(collected)} of {len(everybody)}",
        "marked": str(len(marked)),
        "outdated": str(there - len(marked)),  # results that do not count
        "waiting": str(waiting),
        "feedback": f"{pages} of {len(marked)}",
        "exported": exported,
        "next": step and f"margins-course {step} {name}" + (" FILES" if step == "collect" else ""),
    }


def _exported(course: CourseFolder, name: str, everybody: list[Total]) -> str:
    """Whether the table exported last has an assignment's marks as they are now."""
    path = course.report("marks.csv")
    rows = {row["id"]: row for row in read_table(path)} if path.is_file() else {}
    if not any(name in row for row in rows.values()):
        return "no"
    there = [rows.get(total.student.id, {}).get(name) for total in everybody]
    now = [spreadsheet_cell(points_or_blank(total.score)) for total in everybody]
    return "yes" if there == now else "outdated"
