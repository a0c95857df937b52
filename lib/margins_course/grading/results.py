"""What marking found in one submission, as a JSON file in results/: checks by name, work by exercise.

(book: Teaching with this book, The folder)
"""

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from margins_course.collecting.roster import read_roster
from margins_course.folder import CourseFolder
from margins_course.journal import UNREADABLE


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
class Result:
    """The marks of one submission by check, and the student's work by exercise."""

    key: str
    points: dict[str, float]
    messages: dict[str, str | None]  # what a failed check said; None where it passed
    praise: dict[str, str] = field(default_factory=dict)  # what a visible check said that passed
    corners: dict[str, str] = field(default_factory=dict)  # the case that a failed hidden check had reached
    work: dict[str, Work] = field(default_factory=dict)
    notebook: dict = field(default_factory=dict)  # the submission as it was run, for nbgrader's tools


def fingerprint(pieces: tuple[Piece, ...], messages: dict[str, str | None]) -> str:
    """The hash of what a person marks: the answer with what it printed and drew, and which checks passed.

    The words of errors are left out: they may name a time, which is another one in each run.
    """
    shown = [[p.kind, p.source, p.printed, p.error and p.error[0], p.pictures] for p in pieces]
    passed = sorted((name, said is None) for name, said in messages.items())
    return hashlib.sha256(json.dumps([shown, passed]).encode()).hexdigest()


def as_json(result: Result) -> str:
    """A result as its file's content."""
    return json.dumps(dataclasses.asdict(result), indent=1, sort_keys=True)


def read_result(path: Path) -> Result:
    """The result in a file that `as_json` made."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    work = {label: _work(found) for label, found in kept.pop("work").items()}
    return Result(**kept, work=work)


def read_if_there(path: Path) -> Result | None:
    """The result in a file; None if there is none, or if an older edition wrote it."""
    try:
        return read_result(path) if path.exists() else None
    except UNREADABLE:
        return None


def read_results(course: CourseFolder, name: str) -> dict[str, Result]:
    """The results of the students of the roster who have one."""
    ids = [student.id for student in read_roster(course.roster)]
    found = {i: read_if_there(course.result(name, i)) for i in ids}
    return {i: result for i, result in found.items() if result is not None}


def _work(kept: dict) -> Work:
    pieces = tuple(
        Piece(**{**p, "error": p["error"] and tuple(p["error"]), "pictures": tuple(p["pictures"])})
        for p in kept["pieces"]
    )
    return Work(pieces, kept["fingerprint"])
