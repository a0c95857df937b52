"""Points and comments that a person gave, in a journal: the last line on a student and an exercise counts.

A mark belongs to what was marked: the fingerprint says which answer, with which verdicts, the person saw.
(book: Teaching with this book, Review)
"""

import dataclasses
from dataclasses import dataclass
from datetime import UTC, datetime

from margins_course.assignments.sheet import Sheet
from margins_course.collecting.roster import ID
from margins_course.folder import CourseFolder
from margins_course.journal import Journal, append, read_journal
from margins_course.problems import CourseProblem

LONGEST_COMMENT, LARGEST = 20_000, 1e9  # characters; points, so that a number is finite
TEXTS = ("student", "exercise", "fingerprint", "comment", "when")


@dataclass(frozen=True)
class HandMark:
    """The points that a person gave an answer by line of the rubric, and what they said to it."""

    student: str
    exercise: str
    fingerprint: str
    lines: tuple[float, ...] | None  # None: not marked yet
    adjust: float = 0.0  # added to the points of the whole exercise
    comment: str = ""
    when: str = ""  # set when it is written


def journal_of_marks(course: CourseFolder, name: str) -> Journal:
    """Every change of a mark in the order in which they were made, and sentences on damaged lines."""
    return read_journal(course.hand_marks(name), _hand_mark)


def read_hand_marks(course: CourseFolder, name: str) -> dict[tuple[str, str], HandMark]:
    """The marks that count, by student and exercise."""
    return {(mark.student, mark.exercise): mark for mark in journal_of_marks(course, name).entries}


def append_hand_mark(course: CourseFolder, name: str, mark: HandMark, sheet: Sheet) -> HandMark:
    """A mark written down, with the time; a `CourseProblem` if it cannot be or says what it may not."""
    _check(mark, sheet)
    lines = None if mark.lines is None else tuple(map(float, mark.lines))
    comment = mark.comment.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate fits no page
    when = datetime.now(UTC).isoformat(timespec="microseconds")
    made = dataclasses.replace(mark, lines=lines, adjust=float(mark.adjust), comment=comment, when=when)
    append(course.hand_marks(name), [dataclasses.asdict(made)])
    return made


def _check(mark: HandMark, sheet: Sheet) -> None:
    labels = [exercise.label for exercise in sheet.exercises]
    if not all(isinstance(getattr(mark, field), str) for field in TEXTS) or not ID.fullmatch(mark.student):
        raise CourseProblem(f"a mark for {mark.student!r}: expected the id of a student, and text for text")
    if mark.exercise not in labels:
        raise CourseProblem(f"{mark.exercise!r} is no exercise of {sheet.name}; expected {', '.join(labels)}")
    who = f"{mark.student}, {mark.exercise}"
    if len(mark.comment) > LONGEST_COMMENT:
        raise CourseProblem(f"{who}: {len(mark.comment)} characters of comment; at most {LONGEST_COMMENT}")
    if not is_number(mark.adjust):
        raise CourseProblem(f"{who}: {mark.adjust!r} came to be added to the points; expected a number")
    if mark.lines is not None:
        _check_lines(who, mark.lines, sheet.exercise(mark.exercise).rubric)


def _check_lines(who: str, points, rubric) -> None:
    if not isinstance(points, list | tuple) or len(points) != len(rubric):
        raise CourseProblem(f"{who}: {points!r} came; expected points for {len(rubric)} lines of the rubric")
    for number, (came, line) in enumerate(zip(points, rubric, strict=True), 1):
        if not is_number(came) or not 0 <= came <= line.points:
            raise CourseProblem(f"{who}: {came!r} points in line {number}; expected 0 to {line.points:g}")


def is_number(value: object) -> bool:
    """Whether something that was read is a number of points."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST < value < LARGEST


def _hand_mark(kept: dict) -> HandMark:
    lines = kept["lines"]
    mark = HandMark(**{**kept, "lines": None if lines is None else tuple(lines)})
    if not all(isinstance(getattr(mark, field), str) for field in TEXTS):
        raise ValueError
    if not all(map(is_number, [mark.adjust, *(mark.lines or ())])):
        raise ValueError
    return mark
