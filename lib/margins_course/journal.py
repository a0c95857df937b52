"""Journals: files to which lines are added and from which nothing is ever taken, one JSON object a line.

Two processes may write at once; a line is on the disk when `append` returns, and where it cannot be, `append`
says so loudly. A line that a crash cut off is left where it is, named, and counts for nothing.
(book: Teaching with this book, The folder)
"""

import contextlib
import fcntl
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from margins_course.problems import CourseProblem

UNREADABLE = ValueError, TypeError, KeyError, AttributeError, RecursionError


@dataclass(frozen=True)
class Journal:
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


def append(path: Path, entries: Iterable[dict]) -> None:
    """New lines at the end of a journal, on the disk; a `CourseProblem` if they are not."""
    text = "".join(json.dumps(entry, sort_keys=True) + "\n" for entry in entries).encode("ascii")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)  # closing the file opens the lock
            _add(handle, text)
        finally:
            os.close(handle)
        _keep_name(path.parent)
    except OSError as reason:
        remedy = "nothing of this was kept: see to the disk, then do the last step again"
        raise CourseProblem(f"{path} could not be written ({reason.strerror}); {remedy}") from None


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
