"""A submission in its box: its cells are run, and its functions called, within limits of time.

A cell that ends the box is left out when the box is started again; a function that does so is not called
again. So whatever a submission does, it costs the exercise that does it.
(book: Teaching with this book, How marking works)
"""

import builtins
import time
from dataclasses import dataclass, field

import numpy as np

from margins_course.sandbox.box import Box, BoxFailure

LONGEST = 20_000  # characters of output kept of a cell
TAKING_A_MESSAGE = ("ValueError", "TypeError", "IndexError", "KeyError", "ZeroDivisionError", "NameError")
TAKING_A_MESSAGE += (
    "NotImplementedError",
    "AttributeError",
    "ArithmeticError",
    "OverflowError",
    "RuntimeError",
)


@dataclass(frozen=True)
class Limits:
    """Seconds for one cell or call, for one check, and for all that a submission does."""

    call: float = 10.0
    check: float = 30.0
    submission: float = 120.0


class StudentError(Exception):
    """What a student's function raised, or did instead of answering."""


@dataclass
class CellResult:
    """What a cell printed, and the error in which it ended: its kind, message and traceback."""

    printed: str = ""
    error: tuple[str, str, str] | None = None


@dataclass
class Answers:
    """The functions of a submission, whose `cells` are pairs of a name and Python source."""

    cells: list[tuple[str, str]]
    limits: Limits = field(default_factory=Limits)
    unsafe: bool = False
    results: dict[str, CellResult] = field(default_factory=dict)

    def __post_init__(self):
        self.box, self.deadly = None, {}  # a cell or function that ended a box, and how
        self.end = time.monotonic() + self.limits.submission
        self.check_end = self.end

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.box.close()

    def begin_check(self):
        """The clock of the next check."""
        self.check_end = min(self.end, time.monotonic() + self.limits.check)

    def start(self):
        """A fresh box in which every cell has run that does not end it."""
        while not self._run_cells():
            pass

    def _run_cells(self):
        """Whether the box has outlived all cells."""
        self.box = Box(unsafe=self.unsafe)
        for name, source in self.cells:
            if name in self.deadly:
                continue
            try:
                reply = self._ask({"run": source, "name": name}, self.end)
            except BoxFailure as reason:
                self._leave_out(name, str(reason))
                return time.monotonic() > self.end
            self._note(name, CellResult(_text(reply.get("output"), LONGEST), _error(reply)))
        return True

    def _note(self, cell, result):
        """What a cell did the first time: a later run could tell what the checks have asked since."""
        self.results.setdefault(cell, result)

    def _leave_out(self, cell, reason):
        """From now on the cell, and when time is up all that have not run, as if they were not there."""
        is_late = time.monotonic() > self.end
        for name in [cell, *(name for name, _ in self.cells if is_late and name not in self.results)]:
            self.deadly[name] = reason
            self._note(name, CellResult(error=("Stopped", reason, reason)))

    def _ask(self, request, end):
        left = min(self.limits.call, end - time.monotonic())
        if left <= 0:
            self.box.close()
            raise BoxFailure("the time allowed for it is used up")
        reply = self.box.ask(request, left)
        if type(reply) is not dict:
            self.box.close()
            raise BoxFailure("the answer cannot be read")
        return reply

    def function(self, name):
        """A function that a check can call as if it were the student's own."""

        def proxy(*positional, **named):
            if name in self.deadly:
                raise StudentError(self.deadly[name])
            if time.monotonic() > self.end:
                raise StudentError("the time allowed for a submission is used up")
            if not self.box.is_alive:
                self.start()
            return self._value(name, {"call": name, "arguments": [list(positional), named]})

        proxy.__name__ = name
        return proxy

    def _value(self, name, request):
        try:
            reply = self._ask(request, self.check_end)
        except BoxFailure as reason:
            self.deadly[name] = str(reason)
            raise StudentError(str(reason)) from None
        if error := _error(reply):
            raise _as_exception(*error[:2])
        if reply.get("changed") is not False:
            raise StudentError("it changed one of its arguments; work on a copy")
        return reply.get("value")


def _text(value, length):
    """Text from the box, cut to a length; nothing if it is not text."""
    return value[:length] if type(value) is str else ""


def _error(reply):
    """Kind, message and traceback of the error in a reply, or None; the box may have said anything."""
    if "error" not in reply:
        return None
    parts = reply["error"] if type(reply["error"]) is list else []
    kind, said, trace = [_text(part, 4000) for part in [*parts, "", "", ""][:3]]
    return (kind[:100] if kind.isidentifier() else "Error"), said, trace


def _as_exception(kind, said):
    """The builtin exception of that name, so that checks may expect one; else a StudentError."""
    if kind in TAKING_A_MESSAGE:
        return getattr(builtins, kind)(said)
    if kind == "LinAlgError":
        return np.linalg.LinAlgError(said)
    return StudentError(f"{kind}: {said}")
