"""Marks that come from a review page: checked, then entered into the journal.

A page names the version of the mark that it began from. Where the journal has another by now, nothing is
written and both are shown.
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
from margins_course.assignments.sheet import Sheet
from margins_course.folder import UNREADABLE, CourseFolder
from margins_course.grading.results import HandMark, append_hand_mark, mark_from_json, read_hand_marks

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
    fields = dict(data) if isinstance(data, dict) else {}
    base = fields.pop("base", None)
    if fields.keys() != FIELDS or not isinstance(base, str):
        raise CourseProblem(f"expected a mark with {', '.join(sorted(FIELDS))} and base")
    try:
        return SentMark(mark_from_json(fields), base)
    except UNREADABLE as reason:
        raise CourseProblem(f"this is no mark: {reason}") from None


def enter_mark(course: CourseFolder, name: str, sent: SentMark, sheet: Sheet) -> HandMark:
    """The mark as the journal has it now; `NewerMark` where the page had not seen what is there."""
    with _journal_lock(course.hand_marks(name).parent):
        stored = read_hand_marks(course, name).get((sent.mark.student, sent.mark.exercise))
        if stored is not None and dataclasses.replace(stored, when=sent.mark.when) == sent.mark:
            return stored  # the answer to the page was lost on its way
        if stored is not None and version(stored) != sent.base:
            raise NewerMark(stored)
        return append_hand_mark(course, name, sent.mark, sheet)


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
