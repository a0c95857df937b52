"""Marks that come from a review page or from a file that it saved: checked, then entered into the journal.

A page names the version of the mark that it began from. Where the journal has another by now, nothing is
written and both are shown.
(book: Teaching with this book, Review)
"""

import contextlib
import dataclasses
import fcntl
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from margins_course import CourseProblem
from margins_course.assignments.sheet import Sheet, read_sheet
from margins_course.folder import CourseFolder
from margins_course.grading.results import (
    HandMark,
    Result,
    Work,
    append_hand_mark,
    is_number,
    read_hand_marks,
)
from margins_course.grading.totals import totals

FIELDS = {"student", "exercise", "fingerprint", "lines", "adjust", "comment"}


@dataclass(frozen=True)
class SentMark:
    """A mark that came from a page, and the version that the page began from ("": none)."""

    mark: HandMark
    base: str


class NewerMark(Exception):  # noqa: N818 - it is no error of the program's
    """Another mark of the same answer, which the page had not seen."""

    def __init__(self, stored: HandMark):
        super().__init__("the journal has another mark of this answer")
        self.stored = stored


def version(mark: HandMark | None) -> str:
    """A name for all that a mark says and for when it was written."""
    if mark is None:
        return ""
    return hashlib.sha256(json.dumps(dataclasses.asdict(mark), sort_keys=True).encode()).hexdigest()[:16]


def mark_as_json(mark: HandMark) -> dict:
    """A mark as the page reads it."""
    return dataclasses.asdict(mark) | {"version": version(mark)}


def read_sent_mark(data: object) -> SentMark:
    """The mark in an object that came from a page, whatever came."""
    if not isinstance(data, dict) or set(data) != FIELDS | {"base"}:
        got = ", ".join(sorted(map(str, data))) if isinstance(data, dict) else type(data).__name__
        raise CourseProblem(f"expected a mark with {', '.join(sorted(FIELDS))} and base, but got {got[:200]}")
    for key in ("student", "exercise", "fingerprint", "comment", "base"):
        if not _is_text(data[key]):
            raise CourseProblem(f"{key}: expected text that can be written as UTF-8")
    lines = data["lines"]
    if not (lines is None or (isinstance(lines, list) and all(map(is_number, lines)))):
        raise CourseProblem("lines: expected a list of numbers or null")
    if not is_number(data["adjust"]):
        raise CourseProblem("adjust: expected a number")
    points = None if lines is None else tuple(map(float, lines))
    fields = {key: data[key] for key in FIELDS} | {"lines": points, "adjust": float(data["adjust"])}
    return SentMark(HandMark(**fields), data["base"])


def _is_text(value):
    return isinstance(value, str) and value == value.encode("utf-8", "ignore").decode()


def enter_mark(course: CourseFolder, name: str, sent: SentMark, sheet: Sheet) -> HandMark:
    """The mark as the journal has it now; `NewerMark` where the page had not seen what is there."""
    with _journal_lock(course.hand_marks(name).parent):
        stored = read_hand_marks(course, name).get((sent.mark.student, sent.mark.exercise))
        if stored is not None and _says_the_same(stored, sent.mark):
            return stored  # the answer to the page was lost on its way
        if stored is not None and version(stored) != sent.base:
            raise NewerMark(stored)
        return append_hand_mark(course, name, sent.mark, sheet)


def _says_the_same(one, other):
    return dataclasses.replace(one, when="") == dataclasses.replace(other, when="")


@contextlib.contextmanager
def _journal_lock(folder: Path):
    """A block during which no other review of the course reads or writes the journal."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


FILE_KIND = "margins-course marks 1"  # what the page writes into the file, too


def import_marks(course: CourseFolder, name: str, path: Path) -> list[str]:
    """What became of each mark in the file `path`, a sentence each; one that came twice changes nothing."""
    sheet = read_sheet(course.source_text(name))
    results = {total.student.id: total.result for total in totals(course, name) if total.result}
    known = fingerprints(sheet, results)
    taken = [read_sent_mark(mark) for mark in _marks_in(name, Path(path))]
    return [_imported(course, name, sheet, known, sent) for sent in taken]


def fingerprints(sheet: Sheet, results: dict[str, Result]) -> dict[tuple[str, str], str]:
    """What identifies each answer, by student and exercise."""
    return {
        (student, exercise.label): result.work.get(exercise.label, Work()).fingerprint
        for student, result in results.items()
        for exercise in sheet.exercises
    }


def _marks_in(name: str, path: Path) -> list:
    """The marks in a file, as they came."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except OSError as reason:
        raise CourseProblem(f"{path} cannot be read ({reason.strerror}); nothing was taken") from None
    except (ValueError, RecursionError):
        kept = None
    if not isinstance(kept, dict) or kept.get("kind") != FILE_KIND or not isinstance(kept.get("marks"), list):
        expected = "expected the file that `Download the marks` on a review page has saved"
        raise CourseProblem(f"{path}: {expected}; nothing was taken")
    if kept.get("assignment") != name:
        got = str(kept.get("assignment"))[:100]
        raise CourseProblem(f"{path} holds marks of {got!r}, not of {name!r}; nothing was taken")
    return kept["marks"]


def _imported(course: CourseFolder, name: str, sheet: Sheet, known: dict, sent: SentMark) -> str:
    """What became of one mark."""
    who = f"{sent.mark.exercise}, {sent.mark.student}"
    if (sent.mark.student, sent.mark.exercise) not in known:
        return f"{who}: not taken, because there is no such answer in {name}"
    try:
        enter_mark(course, name, sent, sheet)
    except NewerMark as newer:
        both = f"In the journal: {_in_words(newer.stored)}. In the file: {_in_words(sent.mark)}"
        return f"{who}: not taken, because it was marked elsewhere meanwhile. {both}"
    except CourseProblem as problem:
        return f"{who}: not taken: {problem}"
    if sent.mark.fingerprint != known[sent.mark.student, sent.mark.exercise]:
        return f"{who}: taken, but the answer changed after it was marked: look again"
    return f"{who}: taken"


def _in_words(mark: HandMark) -> str:
    """A mark in a sentence: points by line, what is added, the comment."""
    lines = "no points yet" if mark.lines is None else " + ".join(f"{points:g}" for points in mark.lines)
    adjust = f", adjusted by {mark.adjust:+g}" if mark.adjust else ""
    return f"{lines or '0'} points{adjust}, comment {mark.comment[:200]!r}"
