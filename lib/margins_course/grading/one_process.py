"""Answers of trusted code, run in this process and not in the sandbox: what passes here passes there.

Values are packed and unpacked as on their way into the sandbox and out of it.
(book: Teaching with this book, Release)
"""

from collections.abc import Callable

from margins_course.assignments.proof import fresh, silence
from margins_course.grading.reference import Reference
from margins_course.sandbox import wire
from margins_course.sandbox.answers import StudentError


class OneProcess:
    """The functions that a piece of code defines beside an assignment's set-up, without a sandbox."""

    def __init__(self, reference: Reference, source: str):
        self.names = fresh(reference.given, source)
        with silence():
            exec(compile(source, "answer", "exec"), self.names)

    def begin_check(self) -> None:
        """The start of a check: what runs here is trusted to end."""

    def own(self, name: str) -> Callable:
        """The function of that name as it is."""

        def missing(*_, **__):
            raise NameError(f"name {name!r} is not defined")

        return self.names.get(name, missing)

    def function(self, name: str) -> Callable:
        """The function of that name as a check outside of the sandbox would call it."""

        def proxy(*positional, **named):
            arguments = crossed([list(positional), named])
            before = wire.pack(arguments)
            value = self.own(name)(*arguments[0], **arguments[1])
            if wire.pack(arguments) != before:
                raise StudentError("it changed one of its arguments; work on a copy")
            return crossed(value)

        return proxy


def crossed(value: object) -> object:
    """A value as it comes out of the sandbox."""
    frame = memoryview(wire.pack(value))
    text, _ = wire.lengths(bytes(frame[: wire.HEADER.size]))
    rest = frame[wire.HEADER.size :]
    return wire.unpack(bytes(rest[:text]), bytes(rest[text:]))
