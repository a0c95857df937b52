"""One process of a student's code behind a pipe: asked with a limit of time, gone when we are gone.

(book: Teaching with this book, How marking works)
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import time

from margins_course.problems import CourseProblem
from margins_course.sandbox import wire
from margins_course.sandbox.calls import call_filter
from margins_course.sandbox.seal import FIRST_TO_DIE, callers_environment, environment, limited, sealed


class BoxFailure(Exception):  # noqa: N818 - what the code in the box did, not an error of ours
    """The code in the box ended its process, said nothing in time, or answered nonsense."""


class Box:
    """One process of a student's code, behind a pipe."""

    def __init__(self, *, unsafe=False):
        if unsafe:
            self.process = _started([*FIRST_TO_DIE, *limited()], env=environment())
            self.inside = None
        else:
            self.process, self.inside = _started_in_a_box()
        self.writable, self.readable = select.poll(), select.poll()
        self.writable.register(self.process.stdin, select.POLLOUT)
        self.readable.register(self.process.stdout, select.POLLIN)
        os.set_blocking(self.process.stdin.fileno(), False)

    def ask(self, request, seconds):
        """The answer to a request; without one in time, the box is closed and a BoxFailure raised."""
        until, frame = time.monotonic() + seconds, wire.pack(request)
        try:
            self._send(frame, until)
            text, arrays = wire.lengths(self._receive(wire.HEADER.size, until))
            return wire.unpack(self._receive(text, until), self._receive(arrays, until))
        except TimeoutError:
            self.close()
            raise BoxFailure(f"no answer after {seconds:.3g} seconds") from None
        except (OSError, EOFError):
            self.close()
            raise BoxFailure("the code ended its own Python process") from None
        except wire.WireError as reason:
            self.close()
            raise BoxFailure(f"the answer cannot be read: {reason}") from None
        except BaseException:  # an interruption: what comes next would be the answer to an earlier question
            self.close()
            raise

    def _send(self, frame, until):
        frame, pipe = memoryview(frame), self.process.stdin.fileno()
        while len(frame):
            _wait(self.writable, until)
            frame = frame[os.write(pipe, frame) :]

    def _receive(self, length, until):
        received, pipe = bytearray(), self.process.stdout.fileno()
        while len(received) < length:
            _wait(self.readable, until)
            piece = os.read(pipe, min(length - len(received), 1 << 20))
            if not piece:
                raise EOFError
            received += piece
        return bytes(received)

    @property
    def is_alive(self):
        return self.process.poll() is None

    def close(self):
        """The end of the box and of every process in it, waited for."""
        if self.inside is not None:  # the first process of the box: the kernel ends the others with it
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.inside, signal.SIGKILL)
            select.select([self.inside], [], [])
            os.close(self.inside)
            self.inside = None
        if self.is_alive:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def _started(command, **options):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, bufsize=0, start_new_session=True, **pipes, **options)


def _started_in_a_box():
    """The process of bubblewrap, and a handle of the first process in the box."""
    (told, tell), (read, calls) = os.pipe(), os.pipe()
    with os.fdopen(calls, "wb") as program:
        program.write(call_filter())
    process = _started(sealed(tell, read), pass_fds=[tell, read], env=callers_environment())
    os.close(tell)
    os.close(read)
    with os.fdopen(told) as info:  # ends when bubblewrap has said it, or is gone
        said = info.read()
    try:
        return process, os.pidfd_open(json.loads(said)["child-pid"])
    except (ValueError, ProcessLookupError):
        process.kill()
        process.wait()
        raise CourseProblem("bubblewrap could not make another box; is the machine out of memory?") from None


def _wait(pipe, until):
    """Until something can be done with a polled pipe; a TimeoutError if that takes too long."""
    if not pipe.poll(max(0.0, 1000 * (until - time.monotonic()))):
        raise TimeoutError
