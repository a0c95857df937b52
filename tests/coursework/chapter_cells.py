"""A chapter's exercises as its source has them: set-up, solutions and checks, run without a kernel."""

import contextlib
import io
import re
from dataclasses import dataclass, field

import jupytext

KINDS = ("solution", "check", "hidden-check")
SOLUTION = re.compile(r"(?ms)^([ \t]*)### BEGIN SOLUTION\n.*?^[ \t]*### END SOLUTION[ \t]*$")


@dataclass
class Exercise:
    """One coded exercise: the source of its solution cell and of its checks, hidden ones included."""

    solution: str = ""
    checks: list[str] = field(default_factory=list)


def read(chapter):
    """The untagged code cells of a chapter, in order, and its exercises by label."""
    setup, exercises = [], {}
    for cell in jupytext.read(chapter).cells:
        if cell.cell_type != "code":
            continue
        kinds = [kind for kind in KINDS if kind in cell.metadata.get("tags", [])]
        if not kinds:
            setup.append(cell.source)
            continue
        exercise = exercises.setdefault(cell.metadata["exercise"], Exercise())
        if kinds == ["solution"]:
            exercise.solution = cell.source
        else:
            exercise.checks.append(cell.source)
    return setup, exercises


def stub(solution):
    """The solution cell as a student gets it."""
    return SOLUTION.sub(r"\1raise NotImplementedError()", solution)


def failures(attempt, exercise, names):
    """The message of each check of `exercise` that `attempt` fails, None where it passes."""
    names = dict(names)
    exec(compile(attempt, "attempt", "exec"), names)
    return [message_of(check, names) for check in exercise.checks]


def message_of(check, names):
    """What a check says against the functions in `names`, or None."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            exec(compile(check, "check", "exec"), dict(names))
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return None


def namespace(setup):
    """The names that a chapter's own cells define; its figures are drawn, but not shown."""
    names = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        for source in setup:
            exec(compile(source, "chapter", "exec"), names)
    return names
