"""From a submission to its result: a function of two notebooks, in one process or on all cores.

Students' cells run in the sandbox. Checks run here, as they stand in the instructor's notebook, with every
function that a solution defines replaced by one that asks the sandbox: there is no message "passed" that
could be forged, and no hidden check where students' code could read it. A hidden check is tried only where
every visible one of its exercise passes.
"""

import contextlib
import hashlib
import io
import multiprocessing
import os
import re
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from unittest import mock

from nbformat import NotebookNode

from margins_course import CourseProblem
from margins_course.assignments.answer_forms import Form
from margins_course.assignments.cells import grade_id, is_hidden, label_of
from margins_course.assignments.sheet import read_sheet
from margins_course.collecting.submissions import read_submission
from margins_course.grading.environment import environment_hash
from margins_course.grading.outdated import checks_hash
from margins_course.grading.reference import InProcessAnswers, Reference, read_reference
from margins_course.grading.results import Key, Result
from margins_course.grading.student_work import Given, work_by_exercise
from margins_course.sandbox.answers import LIMITS, Answers, CellResult, Limits
from margins_course.sandbox.limits import CheckTooLong, end_with_parent, memory_limit, time_limit
from margins_course.sandbox.photographs import decoded_photographs

LONGEST_MESSAGE, LARGEST_CHECK = 1000, 2 << 30  # characters; bytes
NOT_TRIED = "not tried, because the visible check fails"
CORNER = re.compile(r"^\s*# corner: *(.*?) *$")
Progress = Callable[[int, int], None]  # is told how many are done, and of how many


@dataclass
class CheckResults:
    """What each check said, by its name."""

    points: dict[str, float] = field(default_factory=dict)
    messages: dict[str, str | None] = field(default_factory=dict)  # None where it passed
    praise: dict[str, str] = field(default_factory=dict)
    corners: dict[str, str] = field(default_factory=dict)


def run_checks(
    reference: Reference, answers: Answers | InProcessAnswers, limits: Limits, only: str | None = None
) -> CheckResults:
    """The verdicts of all checks, or of those of one exercise, about the functions of some answers."""
    functions = {name: with_form(answers.function(name), form) for name, form in reference.forms.items()}
    checks = [check for check in reference.checks if only in (None, label_of(check))]
    made, failed = CheckResults(), set()
    for check in sorted(checks, key=is_hidden):  # a visible one's message must not know hidden data
        name, label = grade_id(check), label_of(check)
        if is_hidden(check) and label in failed:
            made.points[name], made.messages[name] = 0.0, NOT_TRIED
            continue
        answers.begin_check()
        found = run_check(reference, check, functions, limits)
        made.points[name], made.messages[name] = 0.0 if found.said else reference.points[name], found.said
        if is_hidden(check) and found.said:
            made.corners[name] = corner_of(check, found.line)
        elif found.said:
            failed.add(label)
        elif not is_hidden(check) and found.printed:
            made.praise[name] = found.printed
    return made


@dataclass(frozen=True)
class CheckOutcome:
    """What a check said, None if it passed; what it printed; the line in which it failed."""

    said: str | None = None
    printed: str = ""
    line: int = 0


def run_check(
    reference: Reference, check: NotebookNode, functions: dict[str, Callable], limits: Limits
) -> CheckOutcome:
    """The verdict of one check, within limits of time and memory."""
    printed = io.StringIO()
    try:
        with (
            mock.patch.dict(os.environ),
            contextlib.redirect_stdout(printed),
            time_limit(limits.check + limits.call),
            memory_limit(LARGEST_CHECK),
        ):
            os.environ.pop("NBGRADER_EXECUTION", None)  # as in a notebook, where a check that passes says so
            reference.run(check, functions)
    except CourseProblem:  # no sandbox could be made, which is no answer's fault
        raise
    except Exception as reason:
        return CheckOutcome(_words(reason), "", _line_in(check, reason))
    return CheckOutcome(None, printed.getvalue().strip()[:LONGEST_MESSAGE])


def _words(reason):
    """What an exception says; some cannot say it, such as one about a number of too many digits."""
    try:
        return f"{type(reason).__name__}: {reason}"[:LONGEST_MESSAGE]
    except Exception:
        return f"{type(reason).__name__}: the check failed with a message that cannot be shown"


def with_form(function: Callable, form: Form) -> Callable:
    """A function whose answers have the form that the reference's have."""

    def conformed(*positional, **named):
        return form.conform(function(*positional, **named))

    conformed.__name__ = getattr(function, "__name__", "answer")
    return conformed


def corner_of(check: NotebookNode, line: int) -> str:
    """The author's nearest comment `# corner: ...` above a line of a check."""
    above = [CORNER.match(text) for text in check.source.splitlines()[:line]]
    return next((found[1] for found in reversed(above) if found), "")


def _line_in(check, reason):
    """The line of the check's own code, outside of its functions, in which it stopped; 0 if in none."""
    own = (grade_id(check), "<module>")
    steps = [(step.f_code, line) for step, line in traceback.walk_tb(reason.__traceback__)]
    return next((line for code, line in reversed(steps) if (code.co_filename, code.co_name) == own), 0)


def grade(submitted: bytes, source: str, limits: Limits = LIMITS, *, alone: bool = True) -> Result:
    """The result of a submitted notebook; `Refused` where none can be made.

    `submitted` is the student's file, bytes of whatever kind, `source` the text of the instructor's notebook.
    Where others are marked beside it (not `alone`), the result says whether time ran out.
    """
    reference = read_reference(source)
    reference.require_forms()
    cells, given = read_submission(submitted), Given(reference, read_sheet(source))
    to_run, exercises = cells_to_run(cells, reference, given)
    with Answers(to_run, limits, exercises) as answers:
        made = run_checks(reference, answers, limits)
        results, ran_out = answers.results, answers.time_budget.ran_out
    results |= _attached_pictures(cells)
    ran_out |= any((said or "").startswith(CheckTooLong.__name__) for said in made.messages.values())
    work = work_by_exercise(cells, results, given, made.messages)
    file = hashlib.sha256(submitted).hexdigest()
    key = Key(file, checks_hash(source), environment_hash())
    return Result(key, made.points, made.messages, made.praise, made.corners, work, ran_out and not alone)


def _attached_pictures(cells: list[NotebookNode]) -> dict[str, CellResult]:
    """The pictures in cells of text, by the names that these have."""
    found = {f"cell {number}": cell.pictures for number, cell in enumerate(cells) if cell.get("pictures")}
    made = iter(decoded_photographs([one for several in found.values() for one in several]))
    return {name: CellResult(pictures=tuple(islice(made, len(own)))) for name, own in found.items()}


def cells_to_run(
    cells: list[NotebookNode], reference: Reference, given: Given
) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """What runs in the sandbox, in order: the set-up as it was given, then the student's own code.

    Besides, the exercise of each cell and function by name: its time is the exercise's.
    """
    exercises = {name: label_of(cell) for name, cell in reference.functions.items()}
    to_run = [(grade_id(cell), cell.source) for cell in reference.setup]
    for number, (cell, here) in enumerate(zip(cells, given.places(cells), strict=True)):
        if cell.cell_type == "code" and not given.is_locked(cell):
            to_run.append((f"cell {number}", cell.source))
            exercises[f"cell {number}"] = here
    return to_run, exercises


@contextlib.contextmanager
def worker_pool() -> Iterator[ProcessPoolExecutor]:
    """Processes for as many jobs at once as there are cores; an interruption leaves the rest undone."""
    processes = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=processes, initializer=end_with_parent) as pool:
        try:
            yield pool
        except BrokenProcessPool:
            problem = "a process that marks was killed, probably because the machine ran out of memory"
            remedy = "what is marked is kept, and the same line goes on from there"
            raise CourseProblem(f"{problem}; {remedy}") from None
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def as_finished(jobs: dict[Any, Future], progress: Progress) -> Iterator[tuple[Any, Any]]:
    """The results of jobs as they come, each with its key in `jobs`, counted by `progress`."""
    keys = {job: key for key, job in jobs.items()}
    for done, job in enumerate(as_completed(keys), 1):
        yield keys[job], job.result()
        progress(done, len(jobs))
