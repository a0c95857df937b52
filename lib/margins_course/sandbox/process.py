"""One sandboxed process of a student's code, asked through pipes and within a limit of time.

A process that does not start is no student's fault and stops the marking. What happens after its first word
is the student's.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import tempfile
import time
from typing import Any

from margins_course import CourseProblem
from margins_course.sandbox import wire
from margins_course.sandbox.bubblewrap import bubblewrap_command, seccomp_filter
from margins_course.sandbox.limits import PATIENCE, Stopwatch

START_SECONDS = 60.0  # seconds in which a sandbox must have started, on however busy a machine
LOOKS = 0.05  # seconds between two looks at how much time a sandbox has used
EXIT_SECONDS = 0.5  # seconds in which a process that has closed its pipe must have ended, to be asked how


class SandboxFailure(Exception):  # noqa: N818 - what the code in the sandbox did, not an error of ours
    """The code in the sandbox ended its process, did not answer in time, or sent no valid frame."""


class NoAnswer(SandboxFailure):
    """The code in the sandbox did not answer in time."""


class SandboxProcess:
    """One process of a student's code, behind a pipe."""

    def __init__(self) -> None:
        self._used = 0.0
        self.inside: int | None
        self._clock: int | None
        with tempfile.TemporaryFile() as errors:
            self.process, self.inside, self._clock = _started(errors)
            self.writable, self.readable = select.poll(), select.poll()
            self.writable.register(self.process.stdin, select.POLLOUT)
            self.readable.register(self.process.stdout, select.POLLIN)
            os.set_blocking(self.process.stdin.fileno(), False)
            self._await_start(errors)

    def _await_start(self, errors):
        """Waits for the server's first message, which it sends before it has seen anything of a student's."""
        try:
            self._next_value(Stopwatch(lambda: 0.0), START_SECONDS / PATIENCE)
        except BaseException as reason:
            self.close()
            if isinstance(reason, OSError | EOFError | wire.WireError):
                raise _not_started(errors) from None
            raise

    def processor_time(self) -> float:
        """The seconds of processor time that all threads of the sandbox have used."""
        with contextlib.suppress(OSError):  # it has ended: then it is what was read last
            if self._clock is not None:
                self._used = time.clock_gettime(self._clock)
        return self._used

    def ask(self, request: dict, seconds: float, patience: float = PATIENCE) -> object:
        """The answer to a request; without one in time, the sandbox is closed and a SandboxFailure raised."""
        watch, frame = Stopwatch(self.processor_time, patience), wire.pack(request)
        try:
            self._send(frame, watch, seconds)
            return self._next_value(watch, seconds)
        except TimeoutError:
            self.close()
            raise NoAnswer(f"no answer after {seconds:.3g} seconds") from None
        except (OSError, EOFError):
            raise SandboxFailure(self._how_it_ended()) from None
        except wire.WireError as reason:
            self.close()
            raise SandboxFailure(f"the answer cannot be read: {reason}") from None
        except BaseException:  # an interruption: what comes next would be the answer to an earlier question
            self.close()
            raise

    def _send(self, frame, watch, seconds):
        frame, pipe = memoryview(frame), self.process.stdin.fileno()
        while len(frame):
            _wait(self.writable, watch, seconds)
            frame = frame[os.write(pipe, frame) :]

    def _next_value(self, watch, seconds):
        text, arrays = wire.lengths(self._receive(wire.HEADER.size, watch, seconds))
        return wire.unpack(self._receive(text, watch, seconds), self._receive(arrays, watch, seconds))

    def _receive(self, length, watch, seconds):
        received, pipe = bytearray(), self.process.stdout.fileno()
        while len(received) < length:
            _wait(self.readable, watch, seconds)
            piece = os.read(pipe, min(length - len(received), 1 << 20))
            if not piece:
                raise EOFError
            received += piece
        return bytes(received)

    def _how_it_ended(self):
        """What is known of the end of a process that has closed its pipe; the sandbox is closed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(EXIT_SECONDS)
        code = self.process.returncode
        self.close()
        said = "the code ended its own Python process"
        if code in (128 + signal.SIGKILL, -signal.SIGKILL):
            return f"{said}, or used up the processor time or memory that there is"
        if code in (128 + signal.SIGSEGV, -signal.SIGSEGV):
            return f"{said} by an access to memory that it does not have"
        return said

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """The end of the sandbox and of every process in it, waited for."""
        self.processor_time()
        self._clock = None
        if self.inside is not None:  # the first process of the sandbox: the kernel ends the others with it
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


def popen(command: list[str], errors: Any, descriptors: list[int]) -> subprocess.Popen:
    """The process of a command of bubblewrap's, which inherits those descriptors and nothing else."""
    return subprocess.Popen(
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
        pass_fds=descriptors,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},  # fixed: nothing of the caller's comes in
    )


def _started(errors):
    """The process of bubblewrap, a handle of the first process in the sandbox, and its clock."""
    (info_end, tell), (read, calls) = os.pipe(), os.pipe()
    with os.fdopen(calls, "wb") as program:
        program.write(seccomp_filter())
    process = popen(bubblewrap_command(tell, read), errors, [tell, read])
    os.close(tell)
    os.close(read)
    with os.fdopen(info_end) as info:  # ends when bubblewrap has said it, or has ended
        said = info.read()
    try:
        inside = json.loads(said)["child-pid"]
        clock = ~inside << 3 | 2  # the kernel's name of its clock, as clock_getcpuclockid(3) makes it
        return process, os.pidfd_open(inside), clock
    except (ValueError, ProcessLookupError):
        process.kill()
        process.wait()
        raise _not_started(errors) from None


def _not_started(errors):
    """The problem that no sandbox starts, with what the programs say that make it."""
    errors.seek(0)
    said = errors.read().decode(errors="replace").strip().splitlines()
    said = f"it says: {said[-1]}" if said else "is the machine out of memory?"
    return CourseProblem(f"bubblewrap cannot start a sandbox on this machine; {said}")


def _wait(pipe, watch, seconds):
    """Until something can be done with a polled pipe; a TimeoutError if that takes too long."""
    while not pipe.poll(1000 * LOOKS):
        if watch.seconds() >= seconds:
            raise TimeoutError
