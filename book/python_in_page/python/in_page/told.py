"""Errors as a reader can use them: the lines of code that the reader wrote or sees, then what went wrong."""

import traceback

MOST_STEPS = 6  # a recursion without end has a thousand


def told(reason, titles):
    """The error `reason` as text; of its steps only those in code whose name is in `titles`."""
    said = "".join(traceback.format_exception_only(reason))
    if isinstance(reason, SyntaxError) and reason.filename in titles:
        return said
    steps = [step for step in traceback.extract_tb(reason.__traceback__) if step.filename in titles]
    left_out = "  ...\n" * (len(steps) > MOST_STEPS)
    return left_out + "".join(map(_line, steps[-MOST_STEPS:])) + said


def _line(step):
    inside = "" if step.name == "<module>" else f", in {step.name}"
    return f"  {step.filename}, line {step.lineno}{inside}\n    {step.line}\n"
