"""The owner of a handed-in file, found from the name that the LMS gave it. The evidence:

*ID/any-name.ipynb* and *ID.ipynb*: the id of the roster, given by the teacher or by a hub. It decides.

*Canvas*, `lovelaceada_LATE_1001_78_sums.ipynb`: the letters of the name that Canvas sorts by, `LATE` where
Canvas says so, Canvas's number of the person, the number of the file, the student's own file name. The
number decides, and must be an `lms_id` of the roster. The name only contradicts: where it is another
student's, or holds no word of the student's own (a group's file bears the group's name and the number of
one member), the file is refused. Students choose the last part and perhaps their own name, so where two
numbers of the roster could be read the file is refused too. `anon_` stands for a name in anonymous grading.

*Moodle*, `Ada Lovelace_555_assignsubmission_file/sums.ipynb`: the full name, then the number of a
participant in this one assignment. That number is an `lms_id` of the roster only by chance or because the
teacher wrote it there, so the name decides, and the number between students of one name; where both point
to different people, the file is refused. Moodle writes no underscore within a name, so that none can
pretend to have a number.
"""

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath

from margins_course.collecting.roster import Student

MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<number>[0-9]+)_assignsubmission_(?P<plugin>[a-z]+_?)")
ANONYMOUS = re.compile(r"(LATE_)?anon_[0-9A-Za-z]+_[0-9]+_")
BY_HAND = "or put the file into a folder that is named after the id of the student whose it is"
NOBODY = f"nobody on the roster has this id, number or name; correct the roster, {BY_HAND}"


@dataclass(frozen=True)
class CanvasName:
    """One reading of a file's name as Canvas's: there may be several, since students choose the end of it."""

    name: str
    late: bool
    number: str
    attachment: str


class Owners:
    """The students of a roster, found by what the name of a file says."""

    def __init__(self, students: list[Student]):
        self.by_id = {student.id: student for student in students}
        self.by_number = {student.lms_id: student for student in students if student.lms_id}
        self.by_name, self.by_letters = defaultdict(list), defaultdict(list)
        for student in students:
            self.by_name[letters_and_digits(student.name)].append(student)
            self.by_letters["".join(sorted(letters_and_digits(student.name)))].append(student)

    def is_owners_folder(self, name: str) -> bool:
        """Whether a folder is one student's by its name, and none around the folders of a whole class."""
        return name in self.by_id or MOODLE.match(name) is not None

    def owner_of(self, name: str) -> tuple[Student | None, str]:
        """The student whose file it is; or nobody, and why."""
        parts = PurePosixPath(name).parts
        first = parts[0] if parts else ""
        stem = first[: -len(".ipynb")] if first.lower().endswith(".ipynb") else first
        if found := self.by_id.get(first) or self.by_id.get(stem):
            return found, ""
        if match := MOODLE.match(first):
            return self._of_moodle(match["name"], match["number"])
        if len(parts) == 1 and ANONYMOUS.match(first):
            return None, "Canvas gave no name: end anonymous grading of this assignment, then download again"
        if readings := canvas_names(name):
            return self._of_canvas(readings)
        return None, NOBODY

    def _of_moodle(self, name: str, number: str) -> tuple[Student | None, str]:
        named, numbered = self.by_name[letters_and_digits(name)], self.by_number.get(number)
        if len(named) > 1 and numbered not in named:
            twins = " and ".join(map(str, named))
            remedy = f"write {number} as lms_id of the one whose it is into the roster, {BY_HAND}"
            return None, f"the name is that of {twins}: {remedy}"
        if not named:
            chance = f"; the number is the lms_id of {numbered}, which alone says nothing" if numbered else ""
            remedy = f"write the name as in Moodle into the roster, {BY_HAND}"
            reason = f"nobody on the roster is called {name!r} (is it a group's, or anonymous?){chance}"
            return None, f"{reason}; {remedy}"
        if numbered and numbered not in named:
            return None, _contradiction(numbered, named[0])
        return numbered or named[0], ""

    def _of_canvas(self, readings: list[CanvasName]) -> tuple[Student | None, str]:
        found = list(dict.fromkeys(self.by_number[r.number] for r in readings if r.number in self.by_number))
        first = readings[0]
        if not found or first.number not in self.by_number:  # what comes behind it is the student's own
            remedy = f"write {first.number} as lms_id of the one whose it is into the roster, {BY_HAND}"
            return None, f"nobody on the roster has the lms_id {first.number}: {remedy}"
        if len(found) > 1:
            both = " and ".join(map(str, found))
            reason = f"two numbers in the name are the lms_id of {both}"
            return None, f"{reason}: look into Canvas whose it is, {BY_HAND}"
        (student,) = found
        name = next(reading.name for reading in readings if reading.number == student.lms_id)
        letters = letters_and_digits(name)
        named = self.by_letters["".join(sorted(letters))]
        if named and student not in named:
            return None, _contradiction(student, named[0])
        if not named and not any(word in letters for word in _words(student.name)):
            reason = f"the number is that of {student}, but no word of that name is in {first.name!r}"
            remedy = f"if it is no group's, write the name as in Canvas into the roster, {BY_HAND}"
            return None, f"{reason}: {remedy}"
        return student, ""


def canvas_names(file: str) -> list[CanvasName]:
    """All readings of a file's name as Canvas's; none if it cannot be one."""
    parts = file.split("_") if "/" not in file else []
    readings = []
    for place in range(1, len(parts) - 2):
        if all(re.fullmatch("[0-9]+", part) for part in parts[place : place + 2]):
            late = parts[place - 1] == "LATE"  # Canvas writes names in small letters
            name = "_".join(parts[: place - late])
            readings.append(CanvasName(name, late, parts[place], parts[place + 1]))
    return readings


def canvas_says_late(file: str, student: Student) -> bool | None:
    """Whether Canvas calls a student's file late; None if the name is not Canvas's."""
    readings = [reading for reading in canvas_names(file) if reading.number == student.lms_id]
    if not readings or MOODLE.match(file):
        return None
    return any(reading.late for reading in readings)


def letters_and_digits(name: str) -> str:
    """The letters and digits of a name, small and without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", name).casefold() if c.isalnum())


def _words(name: str) -> list[str]:
    words = [letters_and_digits(word) for word in re.split(r"[\s\-_,.]+", name) if letters_and_digits(word)]
    return [word for word in words if len(word) > 1] or words


def _contradiction(numbered: Student, named: Student) -> str:
    remedy = f"look into the LMS whose it is and correct lms_id in the roster, {BY_HAND}"
    return f"the number is that of {numbered}, the name that of {named}: {remedy}"
