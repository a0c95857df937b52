"""The course folder: where everything lies, and how its files are written: whole, as journals, as tables.

source/, release/, submitted/ and feedback/ are laid out as nbgrader's; assignments/ holds what the instructor
decided, otter/ the export, deliveries/ all files that came, results/ one JSON file per submission, marks/ the
points given by hand, review/ the address of the review pages, reports/ the tables.

A journal is a file to which lines are added and from which nothing is ever taken, one JSON object a line. Two
processes may write at once. `append_to_journal` returns when a line is on the disk, and raises where it
cannot be. A line that a crash cut off stays where it is, is named, and counts for nothing. A table is CSV
that a spreadsheet opens without running anything in it.
"""

import contextlib
import csv
import fcntl
import hashlib
import io
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from margins_course import CourseProblem


class CourseFolder:
    """Where everything of one course lies."""

    def __init__(self, root: Path | str):
        self.root = Path(root).resolve()

    def notebook(self, step: str, assignment: str, student: str | None = None) -> Path:
        """The notebook of an assignment at a step such as "source" or "submitted"."""
        middle = (step,) if student is None else (step, student)
        return self.root.joinpath(*middle, assignment, f"{assignment}.ipynb")

    def result(self, assignment: str, student: str) -> Path:
        return self.root / "results" / assignment / f"{student}.json"

    def feedback(self, assignment: str, student: str) -> Path:
        return self.notebook("feedback", assignment, student).with_suffix(".html")

    def settings(self, assignment: str) -> Path:
        return self.root / "assignments" / assignment / "assignment.yml"

    def deliveries(self, assignment: str) -> Path:
        """The folder of all files that came for an assignment, and of their records."""
        return self.root / "deliveries" / assignment

    def hand_marks(self, assignment: str) -> Path:
        """The journal of points and comments given by hand."""
        return self.root / "marks" / f"{assignment}.jsonl"

    def report(self, name: str) -> Path:
        return self.root / "reports" / name

    @property
    def roster(self) -> Path:
        return self.root / "roster.csv"

    def source(self, assignment: str) -> Path:
        """The instructor's notebook, which must have been released."""
        path = self.notebook("source", assignment)
        if not path.is_file():
            there = ", ".join(sorted(found.parent.name for found in self.root.glob("source/*/*.ipynb")))
            problem = f"{assignment!r} is not released in {self.root}; released are: {there or 'none'}"
            remedy = f"run `margins-course release {assignment}` first, or name the folder with --course"
            raise CourseProblem(f"{problem}; {remedy}")
        return path

    def source_text(self, assignment: str) -> str:
        return self.source(assignment).read_text(encoding="utf-8")


DRAFT = ".draft-"


def write(path: Path, content: str | bytes) -> None:
    """A file with `content` on the disk, whole or not at all, so that a power cut leaves no half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=DRAFT)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
            file.flush()
            os.fsync(handle)
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except BaseException as reason:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        if isinstance(reason, OSError):
            raise OSError(reason.errno, reason.strerror, str(path)) from None
        raise
    _keep_name(path.parent)


def hash_of(path: Path) -> str:
    """The SHA-256 of a file's content, "" if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def delete_leftovers(course: CourseFolder) -> None:
    """Deletes what processes that were killed an hour ago or more have left: drafts, targets of attacks."""
    for path in [*course.root.glob(f"*/**/{DRAFT}*"), *course.root.glob(".canary-*")]:
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > 3600:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


UNREADABLE = ValueError, TypeError, KeyError, AttributeError, RecursionError


class Journal(NamedTuple):
    """What a journal holds, in its order, and a sentence for each line that cannot be read."""

    entries: list[Any]
    damaged: list[str]


def read_journal(path: Path, make: Callable[[dict], Any]) -> Journal:
    """Every line of a journal, as `make` makes it of the JSON object."""
    lines = path.read_bytes().split(b"\n") if path.exists() else []
    entries, damaged = [], []
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            entries.append(make(json.loads(line)))
        except UNREADABLE:
            start = line[:60].decode("utf-8", "replace")
            damaged.append(f"{path}, line {number}, is cut off or damaged and counts for nothing: {start}")
    return Journal(entries, damaged)


def append_to_journal(path: Path, entries: Iterable[dict]) -> None:
    """New lines at the end of a journal, on the disk; a `CourseProblem` if they are not."""
    text = "".join(json.dumps(entry, sort_keys=True) + "\n" for entry in entries).encode("ascii")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path, os.O_RDWR | os.O_APPEND | os.O_CREAT) as handle:
            _add(handle, text)
        _keep_name(path.parent)
    except OSError as reason:
        remedy = "nothing of this was kept: see to the disk, then do the last step again"
        raise CourseProblem(f"{path} could not be written ({reason.strerror}); {remedy}") from None


@contextlib.contextmanager
def locked(path: Path, flags: int = os.O_RDONLY) -> Iterator[int]:
    """The handle of a file or folder, which nobody else locks meanwhile."""
    handle = os.open(path, flags, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # closing the file opens the lock
        yield handle
    finally:
        os.close(handle)


def _add(handle: int, text: bytes) -> None:
    """The lines, whole: what is written of them when an error comes is taken back."""
    end = os.lseek(handle, 0, os.SEEK_END)
    if end and os.pread(handle, 1, end - 1) != b"\n":
        text = b"\n" + text  # a crash cut off the last line, which must not swallow this one
    try:
        while text:
            text = text[os.write(handle, text) :]
        os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(handle, end)
        raise


def _keep_name(folder: Path) -> None:
    """The name of a new file, on the disk too."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# A semicolon begins a cell where the comma is for decimals, and a quotation mark behind it is no part of the
# cell. Some spreadsheets take the wide forms of East Asian keyboards too.
FORMULA = re.compile('(^|;)([ "]*)([=+\\-@\uff1d\uff0b\uff0d\uff20])(?!$)')

# colours, bells, writing backwards
TERMINAL_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def spreadsheet_cell(value: object) -> str:
    """A cell's text; what a spreadsheet would take for a formula gets an apostrophe in front."""
    if isinstance(value, str):
        return FORMULA.sub(r"\1\2'\3", one_line(value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def one_line(text: str) -> str:
    """Text that neither breaks a row nor steers the terminal on which it is printed."""
    return " ".join(TERMINAL_CONTROLS.sub(" ", text).split())


def printable(text: str) -> str:
    """Text of several lines that does not steer the terminal, whatever file names are in it."""
    return "\n".join(TERMINAL_CONTROLS.sub(" ", line) for line in text.split("\n"))


def write_table(path: Path, columns: Sequence[str], rows: Iterable[dict]) -> None:
    """A CSV file of dictionaries, whole or not at all."""
    buffer = io.StringIO(newline="")
    table = csv.writer(buffer)
    table.writerow(columns)
    table.writerows([spreadsheet_cell(row.get(column, "")) for column in columns] for row in rows)
    write(path, "\ufeff" + buffer.getvalue())  # the mark that tells Excel of UTF-8


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))
