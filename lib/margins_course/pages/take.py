"""Marks from the file that a review page saves where it was opened from disk, entered into the journal.

(book: Teaching with this book, Review)
"""

import json
from pathlib import Path

from margins_course.assignments.sheet import Sheet, read_sheet
from margins_course.folder import CourseFolder
from margins_course.grading.hand_marks import HandMark
from margins_course.grading.results import read_results
from margins_course.pages.exchange import NewerMark, SentMark, enter, read_sent
from margins_course.pages.review import fingerprints
from margins_course.problems import CourseProblem

KIND = "margins-course marks 1"  # what the page writes into the file, too


def take_marks(course: CourseFolder, name: str, path: Path) -> list[str]:
    """What became of each mark in the file `path`, a sentence each; one that came twice changes nothing."""
    sheet = read_sheet(course.source_text(name))
    known = fingerprints(sheet, read_results(course, name))
    taken = [read_sent(mark) for mark in _marks_in(name, Path(path))]
    return [_taken(course, name, sheet, known, sent) for sent in taken]


def _marks_in(name: str, path: Path) -> list:
    """The marks in a file, as they came."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except OSError as reason:
        raise CourseProblem(f"{path} cannot be read ({reason.strerror}); nothing was taken") from None
    except (ValueError, RecursionError):
        kept = None
    if not isinstance(kept, dict) or kept.get("kind") != KIND or not isinstance(kept.get("marks"), list):
        expected = "expected the file that `Download the marks` on a review page has saved"
        raise CourseProblem(f"{path}: {expected}; nothing was taken")
    if kept.get("assignment") != name:
        came = str(kept.get("assignment"))[:100]
        raise CourseProblem(f"{path} holds marks of {came!r}, not of {name!r}; nothing was taken")
    return kept["marks"]


def _taken(course: CourseFolder, name: str, sheet: Sheet, known: dict, sent: SentMark) -> str:
    """What became of one mark."""
    who = f"{sent.mark.exercise}, {sent.mark.student}"
    if (sent.mark.student, sent.mark.exercise) not in known:
        return f"{who}: not taken, because there is no such answer in {name}"
    try:
        enter(course, name, sent, sheet)
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
