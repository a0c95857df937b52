"""A submission in the sandbox: its cells are run, and its functions called, within limits of time.

A cell that ends the sandbox is left out when the sandbox is started again; a function that does so is not
called again. The time that this takes is the time of its exercise. So whatever a submission does, it costs
the exercise that does it.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margins_course.sandbox.figures import MOST_PICTURES, MOST_PICTURES_IN_A_CELL, pictures_in
from margins_course.sandbox.limits import LIMITS, NO_EXERCISE, Limits, Stopwatch, TimeBudget, TimeUsedUp
from margins_course.sandbox.process import NoAnswer, SandboxFailure, SandboxProcess

LONGEST_OUTPUT, LONGEST_OUTPUT_OF_ALL = 20_000, 500_000  # characters kept of a cell, and of all of them
DRAWING_SECONDS = 5.0  # seconds for the figures of a cell
KINDS = [ValueError, TypeError, IndexError, KeyError, ZeroDivisionError, NameError, NotImplementedError]
KINDS += [AttributeError, ArithmeticError, OverflowError, RuntimeError, np.linalg.LinAlgError]
ERRORS: dict[str, type[Exception]] = {kind.__name__: kind for kind in KINDS}  # that checks may expect
STRAY = "it replied more than once"


class StrayReply(SandboxFailure):
    """A reply to an earlier request: the cell or function that was asked then has replied twice."""


class StudentError(Exception):
    """What a student's function raised, or did instead of answering."""


@dataclass
class CellResult:
    """What a cell printed, the error in which it ended (kind, message, traceback) and its pictures."""

    printed: str = ""
    error: tuple[str, str, str] | None = None
    pictures: tuple[str, ...] = ()  # PNG in base64, made outside of the sandbox


class Answers(contextlib.AbstractContextManager):
    """The functions of a submission, whose `cells` are pairs of a name and Python source.

    `exercises` says of cells and functions by name to which exercise they belong: its time is theirs.
    """

    def __init__(
        self, cells: list[tuple[str, str]], limits: Limits = LIMITS, exercises: dict[str, str] | None = None
    ) -> None:
        self.cells, self.limits, self.exercises = cells, limits, dict(exercises or {})
        self.results: dict[str, CellResult] = {}
        self.process: Any = None  # a SandboxProcess from `start` on
        self.requests: list[str] = []  # the cell or function of each request
        self.ended_by = NO_EXERCISE  # the cell or function that ended the last sandbox, if one did
        self.output_left = LONGEST_OUTPUT_OF_ALL
        self.stopped: dict[str, str] = {}  # why a cell or function is not tried again
        self.time_budget = TimeBudget(self.limits, self.exercises)

    def __enter__(self) -> "Answers":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.process.close()

    def begin_check(self) -> None:
        """A sandbox that runs and a fresh clock, for the next check."""
        if not self.process.is_alive:
            self.start()
        self.time_budget.begin_check()

    def start(self) -> None:
        """A fresh sandbox in which every cell has run, except those that end it."""
        while not self._run_cells():
            pass
        self.ended_by = NO_EXERCISE

    def _run_cells(self):
        """Whether a fresh sandbox has run all cells; its start is the time of what ended the last one."""
        self.process = SandboxProcess()
        self.time_budget.spend(self.ended_by, self.process.processor_time())
        for name, source in self.cells:
            if name not in self.stopped and not self._run(name, source):
                return False
        return True

    def _run(self, name, source):
        """Whether the sandbox still runs after a cell."""
        is_first, request = name not in self.results, {"run": source, "name": name}
        try:
            allowed = self.time_budget.for_cell(name) if is_first else self.time_budget.for_cell_again()
            reply = self._ask(request, name, allowed, paid_by=name if is_first else self.ended_by)
        except StrayReply:
            return False
        except (TimeUsedUp, SandboxFailure) as reason:
            self.stopped[name] = why = str(reason)
            self.results.setdefault(name, CellResult(error=("Stopped", why, why)))
            return isinstance(reason, TimeUsedUp)
        if not is_first:  # a later run could tell what the checks have asked since
            return True
        self.results[name] = self._kept(reply)
        return self._draw(name, reply.get("figures"))

    def _kept(self, reply):
        """What a cell said, as long as there is room: every page of the class is made from it."""
        printed, error = _text(reply.get("output"), min(LONGEST_OUTPUT, self.output_left)), _error(reply)
        self.output_left -= len(printed)
        if error:
            kind, said, trace = error
            error = kind, said[: max(200, self.output_left)], trace[: self.output_left]
            self.output_left -= min(self.output_left, len(error[1]) + len(error[2]))
        return CellResult(printed, error)

    def _draw(self, name, number):
        """Whether the sandbox still runs when a cell's figures are drawn; if not, the cell is still kept."""
        kept = sum(len(result.pictures) for result in self.results.values())
        most = min(MOST_PICTURES_IN_A_CELL, MOST_PICTURES - kept)
        if type(number) is not int or number <= 0 or most <= 0:
            return True
        try:
            seconds, which = self.time_budget.for_cell(name)
            reply = self._ask({"draw": most}, name, (min(seconds, DRAWING_SECONDS), which), paid_by=name)
        except (TimeUsedUp, SandboxFailure) as reason:
            return isinstance(reason, TimeUsedUp)
        self.results[name].pictures = pictures_in(reply.get("value"), most)
        return True

    def _ask(self, request, name, allowed, *, paid_by):
        """The reply to a request; the time is that of `paid_by`, or of `name` if it ends the sandbox."""
        (seconds, which), watch = allowed, Stopwatch(self.process.processor_time, self.limits.patience)
        try:
            self.requests.append(name)
            reply = self.process.ask(request | {"number": len(self.requests)}, seconds, self.limits.patience)
            if type(reply) is not dict or reply.get("number") != len(self.requests):
                raise self._not_answered(reply, name)
        except BaseException as reason:
            self.process.close()
            if not isinstance(reason, StrayReply):
                self.ended_by = paid_by = name
            self.time_budget.ran_out |= isinstance(reason, NoAnswer)
            if isinstance(reason, NoAnswer) and which:
                raise SandboxFailure(f"{reason}, the rest of {which}") from None
            raise
        finally:
            self.time_budget.spend(paid_by, watch.seconds())
        return reply

    def _not_answered(self, reply, name):
        """Why a reply does not count; whoever was asked what it replies to is left out from now on."""
        number = reply.get("number") if type(reply) is dict else None
        asked = dict(enumerate(self.requests, 1))
        earlier = asked.get(number, name) if type(number) is int else name
        if earlier == name or earlier in self.stopped:
            return SandboxFailure("the answer cannot be read")
        self.stopped[earlier] = STRAY
        if earlier in self.results:
            self.results[earlier].error = ("Stopped", STRAY, STRAY)
        self.ended_by = earlier
        return StrayReply(STRAY)

    def function(self, name: str) -> Callable:
        """A function that a check can call as if it were the student's own."""
        self.exercises.setdefault(name, name)  # who says nothing of exercises has one for each function

        def proxy(*positional, **named):
            if name in self.stopped:
                raise StudentError(self.stopped[name])
            try:
                if not self.process.is_alive:
                    self.start()
                return self._value(name, {"call": name, "arguments": [list(positional), named]})
            except TimeUsedUp as reason:
                raise StudentError(str(reason)) from None

        proxy.__name__ = name
        return proxy

    def _value(self, name, request):
        try:
            reply = self._ask(request, name, self.time_budget.for_call(name), paid_by=name)
        except StrayReply:
            self.start()
            return self._value(name, request)
        except SandboxFailure as reason:
            self.stopped[name] = str(reason)
            raise StudentError(str(reason)) from None
        if error := _error(reply):
            raise _as_exception(*error[:2])
        if reply.get("changed") is not False:
            raise StudentError("it changed one of its arguments; work on a copy")
        return reply.get("value")


def _text(value, length):
    """Text from the sandbox, cut to a length; nothing if it is not text."""
    return value[:length] if type(value) is str else ""


def _error(reply):
    """Kind, message and traceback of the error in a reply, or None; the sandbox may have said anything."""
    if "error" not in reply:
        return None
    parts = reply["error"] if type(reply["error"]) is list else []
    kind, said, trace = [_text(part, 4000) for part in [*parts, "", "", ""][:3]]
    return (kind[:100] if kind.isidentifier() else "Error"), said, trace


def _as_exception(kind, said):
    """The exception of that name, so that checks may expect one; else a StudentError."""
    if kind in ERRORS:
        return ERRORS[kind](said)
    return StudentError(said if kind == "WireError" else f"{kind}: {said}")
