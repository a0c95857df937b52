"""The server inside the sandbox: it limits itself, executes a student's cells and calls their functions.

Everything here may be overwritten by the code that it runs, and nothing outside relies on it. Only the limits
hold against that code: they are set before any of it runs.

Bubblewrap can bound the bytes of a file system in memory but not the number of its files. The server remounts
it for that, with a right that bubblewrap leaves to the process. The student's code starts when the right is
gone for good: it is in no set of capabilities, and no program can bring it back, because bubblewrap has
forbidden new privileges.
"""

import contextlib
import ctypes
import errno
import gc
import io
import os
import re
import resource
import sys
from types import CodeType
from typing import Any

from margins_course.sandbox import figures, imports, wire

LIMITS = {"AS": 2 << 30, "NPROC": 4, "FSIZE": 64 << 20, "CPU": 600, "NOFILE": 64}
LIMITS["SIGPENDING"] = 64  # and timers: of both an account has one store
LIMITS["CORE"] = 1  # and not 0: only with 1 does the kernel hand no dump to a program of the system's
WRITABLE = {"/tmp": 64 << 20, "/dev/shm": 1 << 20}  # bytes by file system
MOST_FILES = 4000  # in each
REMOUNT = 32 | 4 | 2  # MS_REMOUNT, MS_NODEV, MS_NOSUID
VERSION_3 = 0x20080522  # of the kernel's structures of capabilities

TOP_LEVEL_AWAIT, IS_COROUTINE = 0x2000, 0x80  # ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, inspect.CO_COROUTINE
MEMORY = f"the sandbox's limit of {LIMITS['AS'] >> 30} GB of memory"
REASONS = {
    errno.ENOSPC: f"the sandbox's limit of {WRITABLE['/tmp'] >> 20} MB and {MOST_FILES} files",
    errno.EFBIG: f"the sandbox's limit of {LIMITS['FSIZE'] >> 20} MB a file",
    errno.EMFILE: f"the sandbox's limit of {LIMITS['NOFILE']} open files",
    errno.EAGAIN: "the sandbox's limit of one process",
    errno.EROFS: "in the sandbox only /tmp can be written",
    errno.EPERM: "the sandbox has no network and refuses what reaches beyond it",
    errno.ENOMEM: MEMORY,
}
THREADS = f"the sandbox's limit of {LIMITS['NPROC']} threads"


def set_limits() -> None:
    """Sets this process's limits for good; an OSError names a limit that cannot be set."""
    kernel = ctypes.CDLL(None, use_errno=True)
    _bound_files(kernel)
    _give_up_rights(kernel)
    for name, value in LIMITS.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (most, most))


def limit_of(reason: BaseException) -> str:
    """The limit of the sandbox that an exception comes from, in words; "" if it is none."""
    if isinstance(reason, MemoryError):
        return MEMORY
    if isinstance(reason, OSError):
        return REASONS.get(reason.errno or 0, "")
    return THREADS if isinstance(reason, RuntimeError) and "new thread" in str(reason) else ""


def _bound_files(kernel):
    """The bound on the number of files in every file system of the sandbox that can be written."""
    for folder in WRITABLE:
        said = f"nr_inodes={MOST_FILES}".encode()
        failed = kernel.mount(b"tmpfs", folder.encode(), b"tmpfs", REMOUNT, said)
        _require_zero(failed, f"remounting {folder}")


def _give_up_rights(kernel):
    """No capability from here on; the call binds one thread, so there may be no other."""
    if len(os.listdir("/proc/self/task")) != 1:
        raise OSError("the sandbox has started threads before its limits")
    header, nothing = (ctypes.c_uint32 * 2)(VERSION_3, 0), (ctypes.c_uint32 * 6)()
    _require_zero(kernel.capset(header, nothing), "giving up capabilities")


def _require_zero(result, what):
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


LONGEST_OUTPUT = 20_000  # characters
NOTEBOOK_SYNTAX = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?+[ \t]*)$", re.M)  # such as %timeit, !ls, name?
NOTEBOOK_VALUES = re.compile(r"^([ \t]*\w[\w.,= \t]*=[ \t]*)[%!].*$", re.M)  # such as files = !ls


class FirstOutput(io.TextIOBase):
    """A stream that keeps the beginning of what is printed, and counts nothing else."""

    def __init__(self):
        self.text = ""

    def write(self, text: str) -> int:
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
        return compile(source, name, "exec", TOP_LEVEL_AWAIT)
    except SyntaxError:
        source = without_notebook_lines(source)
    return compile(source, name, "exec", TOP_LEVEL_AWAIT)


def without_notebook_lines(source: str) -> str:
    """A cell without lines for the notebook program; the value of such a line is an empty list."""
    return NOTEBOOK_VALUES.sub(r"\1[]", NOTEBOOK_SYNTAX.sub(r"\1pass", source))


def run_cell(code: CodeType, names: dict) -> None:
    """Runs a cell to its end, also where it waits with `await`, which a notebook allows outside functions."""
    found = eval(code, names)
    if code.co_flags & IS_COROUTINE:
        import asyncio  # here, because it takes long to load and few cells wait

        asyncio.run(found)


def execute(request: dict, names: dict) -> dict:
    """The answer to a request: to run a cell, draw its figures, call a function, or decode a picture."""
    if "draw" in request:
        return {"value": figures.draw_waiting(request["draw"])}
    if "picture" in request:
        return {"value": figures.photograph(request["picture"])}
    figures.close_all()
    if "run" in request:
        run_cell(compiled(request["run"], request["name"]), names)
        return {"value": None}
    if request["call"] not in names:
        raise NameError(f"name {request['call']!r} is not defined")
    positional, named = request["arguments"]
    before = wire.pack([positional, named])
    value = names[request["call"]](*positional, **named)
    return {"value": value, "changed": wire.pack([positional, named]) != before}


def answer(request: Any, names: dict) -> bytes:
    """The packed answer to a request, an error included, with what was printed and how much was drawn."""
    printed, number = FirstOutput(), {"number": request.get("number")}
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            made = execute(request, names)
        return wire.pack(made | shown_output(printed) | number)
    except BaseException as reason:
        return wire.pack({"error": describe_error(reason)} | shown_output(printed) | number)


def shown_output(printed: FirstOutput) -> dict:
    return {"output": printed.text, "figures": len(figures.waiting())}


def describe_error(reason: BaseException) -> list[str]:
    """Kind, message and traceback of an exception; a message says which limit of the sandbox it met."""
    import traceback  # here, because few sandboxes need it

    limit = limit_of(reason)
    while reason.__traceback__ and reason.__traceback__.tb_frame.f_code.co_filename == __file__:
        reason = reason.with_traceback(reason.__traceback__.tb_next)  # the student's own code comes first
    try:
        said, trace = str(reason), _without_folders("".join(traceback.format_exception(reason)))
    except Exception:  # the student's own kind of exception can fail to say anything
        said = trace = "an exception without a message"
    said = ": ".join(part for part in (limit, said) if part)
    return [type(reason).__name__, said[:2000], trace[-3000:]]


def _without_folders(trace: str) -> str:
    """A traceback without the folders in which the marker's Python lies."""
    folders = [os.path.dirname(contextlib.__file__), *sys.path, sys.prefix, sys.base_prefix]
    for folder in sorted(filter(None, folders), key=len, reverse=True):
        trace = trace.replace(f"{folder}/", "")
    return trace


def main() -> None:
    set_limits()
    requests, answers = private_pipes()
    imports.install()
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
    main()
