"""The student's side of the wall: runs in the box, executes cells, answers calls.

Everything here may be overwritten by the code that it runs, and nothing outside relies on it.
(book: Teaching with this book, How marking works)
"""

import contextlib
import os
import re
import sys
import traceback

from margins_course.sandbox import wire
from margins_course.sandbox.lazy_modules import Lazily

LONGEST_OUTPUT = 20_000  # characters
FOR_THE_NOTEBOOK = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?+[ \t]*)$", re.M)  # such as %timeit, !ls, name?


class FirstOutput:
    """A stream that keeps the beginning of what is printed, and counts nothing else."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text[: LONGEST_OUTPUT - len(self.text)]
        return len(text)

    def flush(self):
        """Nothing to do: what is kept is kept at once."""


def private_pipes():
    """The two ends of the connection, out of the way of the code's own input and output."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    return requests, answers


def compiled(source, name):
    """The code of a cell; what is no Python may be lines for the notebook program, which are passed over."""
    try:
        return compile(source, name, "exec")
    except SyntaxError:
        return compile(FOR_THE_NOTEBOOK.sub(r"\1pass", source), name, "exec")


def carry_out(request, names):
    """The answer to a request: to run a cell, or to call a function."""
    if "run" in request:
        exec(compiled(request["run"], request["name"]), names)
        return {"value": None}
    if request["call"] not in names:
        raise NameError(f"name {request['call']!r} is not defined")
    positional, named = request["arguments"]
    before = wire.pack([positional, named])
    value = names[request["call"]](*positional, **named)
    return {"value": value, "changed": wire.pack([positional, named]) != before}


def answer(request, names):
    """The packed answer to a request, an error included, with what was printed meanwhile."""
    printed = FirstOutput()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            made = carry_out(request, names)
        return wire.pack(made | {"output": printed.text})
    except BaseException as reason:
        last = traceback.format_exc()[-3000:]
        return wire.pack({"error": [type(reason).__name__, str(reason)[:2000], last], "output": printed.text})


def main():
    requests, answers = private_pipes()
    sys.meta_path.insert(0, Lazily())
    names = {"__name__": "__main__"}
    while header := requests.read(wire.HEADER.size):
        parts = [requests.read(length) for length in wire.lengths(header)]
        answers.write(answer(wire.unpack(*parts), names))
        answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
