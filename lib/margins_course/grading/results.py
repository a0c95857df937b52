"""What is kept of marks: results of the checks as JSON, points and comments by hand as a journal.

results/ has a file for each submission: checks by name, work by exercise. marks/ has a journal in which the
last line on a student and an exercise counts. A mark by hand belongs to what was marked: its fingerprint says
which answer, with which verdicts, the person saw.
"""

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from margins_course import CourseProblem
from margins_course.assignments.sheet import Sheet
from margins_course.collecting.roster import ID
from margins_course.folder import UNREADABLE, CourseFolder, Journal, append_to_journal, read_journal


@dataclass(frozen=True)
class Piece:
    """A cell of a student's: text or code, and what it did when it ran in the sandbox."""

    kind: str  # "markdown" or "code"
    source: str
    printed: str = ""
    error: tuple[str, str, str] | None = None  # kind, message, traceback
    pictures: tuple[str, ...] = ()  # PNG in base64, made outside of the sandbox from pixels


@dataclass(frozen=True)
class Work:
    """All that a student wrote for one exercise; the fingerprint changes with it and with the verdicts."""

    pieces: tuple[Piece, ...] = ()
    fingerprint: str = ""


@dataclass(frozen=True)
class Key:
    """Hashes of what a result was made from: the file, what it is marked by, and the environment."""

    file: str
    checks: str
    environment: str


@dataclass(frozen=True)
class Result:
    """The marks of one submission by check, and the student's work by exercise."""

    key: Key
    points: dict[str, float]
    messages: dict[str, str | None]  # what a failed check said; None where it passed
    praise: dict[str, str] = field(default_factory=dict)  # what a visible check said that passed
    corners: dict[str, str] = field(default_factory=dict)  # the case that a failed hidden check had reached
    work: dict[str, Work] = field(default_factory=dict)
    ran_out: bool = False  # of time, beside others: it is marked once more, alone


def fingerprint(pieces: tuple[Piece, ...], messages: dict[str, str | None], worth: list[float]) -> str:
    """The hash of what a person marks: the answer with what it showed, which checks passed, all points.

    The words of errors are left out: they may name a time, which is another one in each run.
    """
    shown = [[p.kind, p.source, p.printed, p.error and p.error[0], p.pictures] for p in pieces]
    passed = sorted((name, said is None) for name, said in messages.items())
    return hashlib.sha256(json.dumps([shown, passed, worth]).encode()).hexdigest()


def as_json(result: Result) -> str:
    return json.dumps(dataclasses.asdict(result), indent=1, sort_keys=True)


def read_result(path: Path) -> Result | None:
    """The result in a file that `as_json` made; None if there is none, or if an older edition wrote it."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        work = {label: _work(found) for label, found in kept.pop("work").items()}
        return Result(Key(**kept.pop("key")), work=work, **kept)
    except (FileNotFoundError, *UNREADABLE):
        return None


def _work(kept: dict) -> Work:
    pieces = tuple(
        Piece(**{**p, "error": p["error"] and tuple(p["error"]), "pictures": tuple(p["pictures"])})
        for p in kept["pieces"]
    )
    return Work(pieces, kept["fingerprint"])


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
    return read_journal(course.hand_marks(name), mark_from_json)


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
    append_to_journal(course.hand_marks(name), [dataclasses.asdict(made)])
    return made


def _check(mark: HandMark, sheet: Sheet) -> None:
    labels = [exercise.label for exercise in sheet.exercises]
    if not _is_mark(mark) or not ID.fullmatch(mark.student):
        said = "expected the id of a student, text for text and numbers for points"
        raise CourseProblem(f"a mark for {mark.student!r}: {said}")
    if mark.exercise not in labels:
        raise CourseProblem(f"{mark.exercise!r} is no exercise of {sheet.name}; expected {', '.join(labels)}")
    who = f"{mark.student}, {mark.exercise}"
    if len(mark.comment) > LONGEST_COMMENT:
        raise CourseProblem(f"{who}: {len(mark.comment)} characters of comment; at most {LONGEST_COMMENT}")
    rubric, points = sheet.exercise(mark.exercise).rubric, mark.lines
    if points is not None and len(points) != len(rubric):
        raise CourseProblem(f"{who}: got {points!r}; expected points for {len(rubric)} lines of the rubric")
    for number, (got, line) in enumerate(zip(points or (), rubric, strict=False), 1):
        if not 0 <= got <= line.points:
            raise CourseProblem(f"{who}: got {got!r} points in line {number}; expected 0 to {line.points:g}")


def mark_from_json(kept: dict) -> HandMark:
    """The mark in an object of a journal or of a page; one of the UNREADABLE errors if there is none."""
    mark = HandMark(**{**kept, "lines": None if kept["lines"] is None else tuple(kept["lines"])})
    if not _is_mark(mark):
        raise ValueError("expected text for text and numbers for points")
    return mark


def _is_mark(mark: HandMark) -> bool:
    """Whether all parts of a mark are of the types that they should be."""
    texts = all(isinstance(getattr(mark, name), str) for name in TEXTS)
    return texts and all(map(_is_number, [mark.adjust, *(mark.lines or ())]))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST < value < LARGEST
