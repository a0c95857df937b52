"""What the checks say about a submission's functions: points, messages, praise, and the cases it missed.

Checks run here and call the functions wherever those are. A hidden check is tried only where every visible
one of its exercise passes: an answer that fails what everybody can see has earned nothing that nobody sees.
(book: Teaching with this book, How marking works)
"""

import contextlib
import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from unittest import mock

from nbformat import NotebookNode

from margins_course.assignments.cells import grade_id, is_hidden, label_of
from margins_course.assignments.contract import Form
from margins_course.grading.reference import Reference
from margins_course.problems import CourseProblem
from margins_course.sandbox.answers import Limits
from margins_course.sandbox.bounds import alarm, memory

LONGEST_MESSAGE, LARGEST_CHECK = 1000, 2 << 30  # characters; bytes
NOT_TRIED = "not tried, because the visible check fails"
CORNER = re.compile(r"^\s*# corner: *(.*?) *$")


@dataclass
class Judgement:
    """What each check said, by its name."""

    points: dict[str, float] = field(default_factory=dict)
    messages: dict[str, str | None] = field(default_factory=dict)  # None where it passed
    praise: dict[str, str] = field(default_factory=dict)
    corners: dict[str, str] = field(default_factory=dict)


def judged(reference: Reference, answers, limits: Limits, only: str | None = None) -> Judgement:
    """The verdicts of all checks, or of those of one exercise, about the functions of some answers."""
    functions = {name: conforming(answers.function(name), form) for name, form in reference.forms.items()}
    checks = [check for check in reference.checks if only in (None, label_of(check))]
    made, failed = Judgement(), set()
    for check in sorted(checks, key=is_hidden):  # a visible one's message must not know hidden data
        name, label = grade_id(check), label_of(check)
        if is_hidden(check) and label in failed:
            made.points[name], made.messages[name] = 0.0, NOT_TRIED
            continue
        answers.begin_check()
        found = verdict(reference, check, functions, limits)
        made.points[name], made.messages[name] = 0.0 if found.said else reference.points[name], found.said
        if is_hidden(check) and found.said:
            made.corners[name] = corner_of(check, found.line)
        elif found.said:
            failed.add(label)
        elif not is_hidden(check) and found.printed:
            made.praise[name] = found.printed
    return made


@dataclass(frozen=True)
class Verdict:
    """What a check said, None if it passed; what it printed; the line in which it failed."""

    said: str | None = None
    printed: str = ""
    line: int = 0


def verdict(
    reference: Reference, check: NotebookNode, functions: dict[str, Callable], limits: Limits
) -> Verdict:
    """The verdict of one check, within limits of time and memory."""
    printed = io.StringIO()
    try:
        with listening(printed), alarm(limits.check + limits.call), memory(LARGEST_CHECK):
            reference.run(check, functions)
    except CourseProblem:  # no sandbox could be made, which is no answer's fault
        raise
    except Exception as reason:
        return Verdict(_words(reason), "", _line_in(check, reason))
    return Verdict(None, printed.getvalue().strip()[:LONGEST_MESSAGE])


def _words(reason):
    """What an exception says; some cannot say it, such as one about a number of too many digits."""
    try:
        return f"{type(reason).__name__}: {reason}"[:LONGEST_MESSAGE]
    except Exception:
        return f"{type(reason).__name__}: the check failed with a message that cannot be shown"


def conforming(function: Callable, form: Form) -> Callable:
    """A function whose answers have the form that the reference's have."""

    def conformed(*positional, **named):
        return form.conform(function(*positional, **named))

    conformed.__name__ = getattr(function, "__name__", "answer")
    return conformed


def corner_of(check: NotebookNode, line: int) -> str:
    """The author's nearest comment `# corner: ...` above a line of a check."""
    above = [CORNER.match(text) for text in check.source.splitlines()[:line]]
    return next((found[1] for found in reversed(above) if found), "")


@contextlib.contextmanager
def listening(printed: io.StringIO) -> Iterator[None]:
    """A block in which a check that passes prints its praise, as in a notebook, and it is kept."""
    with mock.patch.dict(os.environ), contextlib.redirect_stdout(printed):
        os.environ.pop("NBGRADER_EXECUTION", None)
        yield


def _line_in(check, reason):
    """The line of the check's own code, outside of its functions, in which it stopped; 0 if in none."""
    trace, line = reason.__traceback__, 0
    while trace is not None:
        code = trace.tb_frame.f_code
        if (code.co_filename, code.co_name) == (grade_id(check), "<module>"):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
