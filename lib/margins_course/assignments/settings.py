"""What the instructor decides about an assignment: `assignments/NAME/assignment.yml`.

Exercises and their points, due date with time zone, late rule, extensions, proofs, private checks.
(book: Teaching with this book, Release)
"""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import yaml

from margins_course.assignments.chosen import Chosen, chapter_nodes, read_chosen
from margins_course.assignments.dates import BadDateError, in_words, read_date, read_zone
from margins_course.assignments.late import LateRule, read_late
from margins_course.assignments.yaml_file import YamlFile
from margins_course.collecting.roster import read_roster
from margins_course.folder import CourseFolder
from margins_course.problems import CourseProblem

KEYS = ("title", "exercises", "due", "time_zone", "late", "extensions", "proofs", "private_checks")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class Settings:
    """Everything that is decided about an assignment."""

    name: str
    title: str
    exercises: tuple[Chosen, ...]
    due: datetime | None
    zone: ZoneInfo
    late: LateRule
    extensions: dict[str, datetime]
    proofs: bool
    private_checks: Path | None

    def due_for(self, student_id: str) -> datetime | None:
        """When a student's work is due."""
        return self.extensions.get(student_id, self.due)

    @property
    def notice(self) -> str:
        """The due date and the late rule in words, for students; empty if nothing is due."""
        if self.due is None:
            return ""
        rule = self.late.in_words()
        return f"**Due:** {in_words(self.due)}" + (f"; {rule}." if rule else ".")


def read_settings(course: CourseFolder, name: str) -> Settings:
    """The settings of an assignment; the refusal of bad ones names file, line and remedy."""
    check_name(name)
    file = YamlFile(course.settings(name))
    values = file.known(file.root, "the file", KEYS)
    zone = _zone(file, values.get("time_zone"))
    due = _date(file, values["due"], "due", zone) if "due" in values else None
    folder = values.get("private_checks")
    return Settings(
        name=name,
        title=file.text(values["title"], "title") if "title" in values else name,
        exercises=tuple(read_chosen(file, values.get("exercises"))),
        due=due,
        zone=zone,
        late=read_late(file, values.get("late")),
        extensions=_extensions(file, values.get("extensions"), due, zone, _known_students(course)),
        proofs=_proofs(file, values.get("proofs")),
        private_checks=file.path.parent / file.text(folder, "private_checks") if folder else None,
    )


def check_name(name: str) -> None:
    """A refusal, unless an assignment can be called so: the name is a folder's."""
    if not NAME.fullmatch(name):
        raise CourseProblem(
            f"an assignment cannot be called {name!r}; expected letters, digits, - and _, such as homework-1"
        )


def place_of(course: CourseFolder, name: str, chapter: str, label: str | None = None) -> str:
    """File and line where an assignment's settings name a chapter or one of its exercises."""
    file = YamlFile(course.settings(name))
    exercises = file.known(file.root, "the file", KEYS)["exercises"]
    lines = {(chosen.chapter, chosen.label): line for chosen, line in read_chosen(file, exercises).items()}
    keys = chapter_nodes(file, exercises)
    return f"{file.path}, line {lines[chapter, label] if label else keys[chapter][0].start_mark.line + 1}"


def _zone(file: YamlFile, node: yaml.Node | None) -> ZoneInfo:
    try:
        return read_zone(file.text(node, "time_zone") if node else "UTC")
    except BadDateError as problem:
        file.refuse(node, str(problem))


def _date(file: YamlFile, node: yaml.Node, what: str, zone: ZoneInfo) -> datetime:
    try:
        return read_date(file.text(node, what), zone)
    except BadDateError as problem:
        file.refuse(node, f"{what}: {problem}")


def _known_students(course: CourseFolder) -> set[str] | None:
    """The ids on the roster, None if there is none yet."""
    return {student.id for student in read_roster(course.roster)} if course.roster.is_file() else None


def _extensions(
    file: YamlFile, node: yaml.Node | None, due: datetime | None, zone: ZoneInfo, students: set[str] | None
) -> dict[str, datetime]:
    """The due dates of single students, who must be on the roster."""
    found = {}
    for student, (key, value) in (file.mapping(node, "extensions") if node else {}).items():
        if students is not None and student not in students:
            said = f"{student} has an extension, but roster.csv has nobody with the id {student!r}"
            file.refuse(key, f"{said}; correct the id here or there")
        if due is None:
            file.refuse(key, f"{student} has an extension, but nothing is due; write `due:` too")
        found[student] = _date(file, value, f"the extension of {student}", zone)
        if found[student] < due:
            said = f"the extension of {student} ends before the assignment is due, {in_words(due)}"
            file.refuse(value, f"{said}; write a later date")
    return found


def _proofs(file: YamlFile, node: yaml.Node | None) -> bool:
    text = file.text(node, "proofs") if node else "true"
    if text.casefold() not in TRUTHS:
        file.refuse(node, f"proofs must be true or false, but {text!r} came")
    return TRUTHS[text.casefold()]
