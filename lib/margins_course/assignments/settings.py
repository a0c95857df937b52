"""What the instructor decides about an assignment, read from `assignments/NAME/assignment.yml`.

Exercises and their points, due date with time zone, late rule, extensions, private checks.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import yaml

from margins_course import CourseProblem
from margins_course.assignments.due_dates import LateRule, date_in_words, read_date, read_late, read_zone
from margins_course.assignments.yaml_file import YamlFile, is_empty, line_of
from margins_course.collecting.roster import read_roster
from margins_course.folder import CourseFolder

POINTS = re.compile(r"[0-9]{1,5}(\.[0-9]{1,2})?")


@dataclass(frozen=True)
class Chosen:
    chapter: str  # its name or number, or the path of an .md file
    label: str
    points: float | None = None  # None: the chapter's own


def _exercises(file: YamlFile, node: yaml.Node | None) -> tuple[list[Chosen], dict[tuple[str, str], int]]:
    """The chosen exercises in their order; the lines of chapters and exercises."""
    chapters = file.mapping(node, "exercises")
    if not chapters:
        file.refuse(node or file.root, "no exercises are chosen; `exercises:` lists them under their chapter")
    found, lines = [], {}
    for chapter, (key, listed) in chapters.items():
        lines[chapter, ""] = line_of(key)
        if is_empty(listed) or not file.items(listed, f"the exercises of {chapter}"):
            file.refuse(key, f"no exercise of {chapter} is chosen; choose one, or put # before this line")
        for item in file.items(listed, f"the exercises of {chapter}"):
            found.append(_chosen(file, chapter, item))
            label = found[-1].label
            if (chapter, label) in lines:
                file.refuse(item, f"{label} comes twice, first in line {lines[chapter, label]}; keep one")
            lines[chapter, label] = line_of(item)
    return found, lines


def _chosen(file: YamlFile, chapter: str, node: yaml.Node) -> Chosen:
    """One item of the list: a label, or `label: points`."""
    if isinstance(node, yaml.ScalarNode):
        return Chosen(chapter, file.text(node, "an exercise"))
    pairs = file.mapping(node, "an exercise")
    if len(pairs) != 1:
        said = "expected one exercise a line, `- label` or `- label: points`"
        file.refuse(node, f"{said}, but got {', '.join(pairs) or 'nothing'}")
    ((label, (_, value)),) = pairs.items()
    points = file.text(value, f"the points of {label}")
    if not POINTS.fullmatch(points) or float(points) == 0:
        expected = "expected a number above 0 with at most two decimals, such as 8 or 2.5"
        file.refuse(value, f"{label} has the points {points!r}; {expected}")
    return Chosen(chapter, label, float(points))


KEYS = ("title", "exercises", "due", "time_zone", "late", "extensions", "private_checks")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


@dataclass(frozen=True)
class Settings:
    name: str
    title: str
    exercises: tuple[Chosen, ...]
    due: datetime | None
    zone: ZoneInfo
    late: LateRule
    extensions: dict[str, datetime]
    private_checks: Path | None
    lines: dict[tuple[str, str], int] = field(default_factory=dict)  # of chapters ("") and their exercises

    def due_for(self, student_id: str) -> datetime | None:
        return self.extensions.get(student_id, self.due)

    @property
    def notice(self) -> str:
        """The due date and the late rule in words, for students; empty if nothing is due."""
        if self.due is None:
            return ""
        rule = self.late.in_words()
        return f"**Due:** {date_in_words(self.due)}" + (f"; {rule}." if rule else ".")


def read_settings(course: CourseFolder, name: str) -> Settings:
    """The settings of an assignment; the refusal of bad ones names file, line and remedy."""
    check_name(name)
    file = YamlFile(course.settings(name))
    values = file.known(file.root, "the file", KEYS)
    zone = file.value(values.get("time_zone"), "time_zone", read_zone, ZoneInfo("UTC"))
    due = file.value(values.get("due"), "due", partial(read_date, zone=zone), None)
    students = {s.id for s in read_roster(course.roster)} if course.roster.is_file() else None
    private = values.get("private_checks")
    exercises, lines = _exercises(file, values.get("exercises"))
    return Settings(
        name=name,
        title=file.value(values.get("title"), "title", str, name),
        exercises=tuple(exercises),
        due=due,
        zone=zone,
        late=read_late(file, values.get("late")),
        extensions=_extensions(file, values.get("extensions"), due, zone, students),
        private_checks=file.value(private, "private_checks", file.path.parent.joinpath, None),
        lines=lines,
    )


def check_name(name: str) -> None:
    """A refusal, unless an assignment can be called so: the name is a folder's."""
    if not NAME.fullmatch(name):
        expected = "expected letters, digits, - and _, such as homework-1"
        raise CourseProblem(f"an assignment cannot be called {name!r}; {expected}")


def _extensions(
    file: YamlFile, node: yaml.Node | None, due: datetime | None, zone: ZoneInfo, students: set[str] | None
) -> dict[str, datetime]:
    """The due dates of single students, who must be on the roster."""
    found = {}
    for student, (key, value) in file.mapping(node, "extensions").items():
        if students is not None and student not in students:
            said = f"{student} has an extension, but roster.csv has nobody with the id {student!r}"
            file.refuse(key, f"{said}; correct the id here or there")
        if due is None:
            file.refuse(key, f"{student} has an extension, but nothing is due; write `due:` too")
        found[student] = file.value(value, f"the extension of {student}", partial(read_date, zone=zone), due)
        if found[student] < due:
            said = f"the extension of {student} ends before the assignment is due, {date_in_words(due)}"
            file.refuse(value, f"{said}; write a later date")
    return found
