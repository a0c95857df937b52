"""Limits on what runs outside of the sandbox: a student's answer decides how much a check has to do.

(book: Teaching with this book, How marking works)
"""

import contextlib
import resource
import signal
from collections.abc import Iterator
from pathlib import Path


class CheckTooLong(Exception):  # noqa: N818 - names what happened
    """A check that has used up its time, in which waiting counts."""


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """A block that is interrupted after some seconds, and again every second, since it may catch that."""

    def ring(*_):
        raise CheckTooLong(f"the check took longer than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def memory(size: int) -> Iterator[None]:
    """A block that may take `size` bytes more than there are now; beyond that is a MemoryError."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    allowed = [limit for limit in (now + size, soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(allowed), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
