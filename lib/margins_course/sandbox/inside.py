"""The server inside the sandbox: it executes a student's cells and answers calls of their functions.

Everything here may be overwritten by the code that it runs, and nothing outside relies on it. Only the limits
hold against that code: they are set before any of it runs.
(book: Teaching with this book, How marking works)
"""

import contextlib
import gc
import io
import os
import re
import sys
from types import CodeType

from margins_course.sandbox import figures, notebook, wire
from margins_course.sandbox.confine import confine, limit_behind
from margins_course.sandbox.lazy_modules import Lazily

LONGEST_OUTPUT = 20_000  # characters
FOR_THE_NOTEBOOK = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?+[ \t]*)$", re.M)  # such as %timeit, !ls, name?


class FirstOutput(io.TextIOBase):
    """A stream that keeps the beginning of what is printed, and counts nothing else."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += str.__getitem__(text, slice(LONGEST_OUTPUT - len(self.text)))
        return len(text)


def private_pipes() -> tuple[io.BufferedReader, io.BufferedWriter]:
    """The two ends of the connection, out of the way of the code's own input and output."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    return requests, answers


def compiled(source: str, name: str) -> CodeType:
    """The code of a cell; what is no Python may be lines for the notebook program, which are passed over."""
    try:
        return compile(source, name, "exec")
    except SyntaxError:
        return compile(FOR_THE_NOTEBOOK.sub(r"\1pass", source), name, "exec")


def carry_out(request: dict, names: dict) -> dict:
    """The answer to a request: to run a cell, to draw its figures, or to call a function."""
    if "draw" in request:
        return {"value": figures.drawn(request["draw"])}
    figures.close_all()
    if "run" in request:
        exec(compiled(request["run"], request["name"]), names)
        return {"value": None}
    if request["call"] not in names:
        raise NameError(f"name {request['call']!r} is not defined")
    positional, named = request["arguments"]
    before = wire.pack([positional, named])
    value = names[request["call"]](*positional, **named)
    return {"value": value, "changed": wire.pack([positional, named]) != before}


def answer(request: dict, names: dict) -> bytes:
    """The packed answer to a request, an error included, with what was printed and how much was drawn."""
    printed = FirstOutput()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            made = carry_out(request, names)
        return wire.pack(made | seen(printed))
    except BaseException as reason:
        return wire.pack({"error": described(reason)} | seen(printed))


def seen(printed: FirstOutput) -> dict:
    """What a cell showed: text, and the number of its figures."""
    return {"output": printed.text, "figures": figures.number()}


def described(reason: BaseException) -> list[str]:
    """Kind, message and traceback of an exception; a message says which limit of the sandbox it met."""
    import traceback  # here, because few boxes need it

    limit = limit_behind(reason)
    try:
        said, trace = str(reason), traceback.format_exc()
    except Exception:  # the student's own kind of exception can fail to say anything
        said = trace = "an exception without a message"
    said = ": ".join(part for part in (limit, said) if part)
    return [type(reason).__name__, said[:2000], trace[-3000:]]


def main(*, is_sealed: bool) -> None:
    """The server: limits first, then requests until there are no more."""
    confine(is_sealed=is_sealed)
    requests, answers = private_pipes()
    sys.meta_path.insert(0, Lazily())
    notebook.install()
    gc.set_threshold(50_000, 20, 50)  # imports make many objects and hardly any garbage
    names, reply = {"__name__": "__main__"}, wire.pack("ready")
    while True:
        answers.write(reply)
        answers.flush()
        header = requests.read(wire.HEADER.size)
        if not header:
            os._exit(0)
        parts = [requests.read(length) for length in wire.lengths(header)]
        reply = answer(wire.unpack(*parts), names)


if __name__ == "__main__":
    main(is_sealed="sealed" in sys.argv)
