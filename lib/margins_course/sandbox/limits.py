"""Limits of time and memory: of a submission by exercise, and of the checks that run outside of the sandbox.

Time is processor time, so that what else the machine does costs nobody a point.
"""

import contextlib
import ctypes
import resource
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PR_SET_PDEATHSIG = 1  # of the kernel's prctl.h
NO_EXERCISE = ""  # the exercise of cells and functions that belong to no exercise: they share one account
PATIENCE = 10.0  # seconds on the clock that count as one of processor time: for those who sleep


@dataclass(frozen=True)
class Limits:
    """Seconds of processor time for one cell or call, one check, one exercise, and all of a submission."""

    call: float = 10.0
    check: float = 30.0
    submission: float = 400.0  # ten exercises that use up theirs; those of a larger assignment share it
    exercise: float = 40.0
    patience: float = PATIENCE


LIMITS = Limits()  # where nobody says others


class Stopwatch:
    """The time of a sandbox: its processor time, however busy the machine is, or a share of the clock's."""

    def __init__(self, processor_time: Callable[[], float], patience: float = PATIENCE) -> None:
        self.processor_time, self.patience = processor_time, patience
        self.began = processor_time(), time.monotonic()

    def seconds(self) -> float:
        used, passed = self.processor_time() - self.began[0], time.monotonic() - self.began[1]
        return max(used, passed / self.patience)


class TimeUsedUp(Exception):  # noqa: N818 - names what happened
    """There is no time left; the message says of what."""


class TimeBudget:
    """What is left of the limits; `exercises` says to which exercise a cell or a function belongs."""

    def __init__(self, limits: Limits, exercises: Mapping[str, str]) -> None:
        self.limits, self.exercises = limits, exercises
        self.used: defaultdict[str, float] = defaultdict(float)  # seconds by exercise
        self.used_by_check = 0.0
        self.ran_out = False  # whether something was ended for its time

    def begin_check(self) -> None:
        self.used_by_check = 0.0

    def for_call(self, name: str) -> tuple[float, str]:
        """The seconds that a call of a function has now, and of which limit they are the rest, if of one."""
        left = self.limits.check - self.used_by_check
        return self._least((left, f"{self.limits.check:g} seconds for a check"), self._of_exercise(name))

    def for_cell(self, name: str) -> tuple[float, str]:
        """The seconds that a cell has when it runs for the first time."""
        return self._least(self._of_exercise(name))

    def for_cell_again(self) -> tuple[float, str]:
        """The seconds that a cell has when it runs again because another has ended the sandbox."""
        return self._least()

    def spend(self, name: str, seconds: float) -> None:
        self.used[self.exercises.get(name, NO_EXERCISE)] += seconds
        self.used_by_check += seconds

    def _of_exercise(self, name):
        exercise = self.exercises.get(name, NO_EXERCISE)
        whose = "an exercise" if exercise else "all cells of no exercise"
        return self.limits.exercise - self.used[exercise], f"{self.limits.exercise:g} seconds for {whose}"

    def _least(self, *others):
        left = self.limits.submission - sum(self.used.values())
        whole = (left, f"{self.limits.submission:g} seconds for a submission")
        seconds, which = min([(self.limits.call, ""), whole, *others])
        if seconds <= 0:
            self.ran_out = True
            raise TimeUsedUp(f"the {which} are used up")
        return seconds, which


class CheckTooLong(Exception):  # noqa: N818 - names what happened
    """A check that has used up its time."""


TIMERS = ((signal.SIGPROF, signal.ITIMER_PROF, 1.0), (signal.SIGALRM, signal.ITIMER_REAL, PATIENCE))


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """A block interrupted after seconds of processor time, then every second: it may catch the exception."""

    def ring(*_):
        raise CheckTooLong(f"the check took longer than {seconds:g} seconds")

    before = [signal.signal(order, ring) for order, _, _ in TIMERS]
    for _, timer, patience in TIMERS:
        signal.setitimer(timer, seconds * patience, 1.0)
    try:
        yield
    finally:
        for (order, timer, _), handler in zip(TIMERS, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(order, handler)


def end_with_parent() -> None:
    """From now on this process ends when the one that started it does, however that ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@contextlib.contextmanager
def memory_limit(size: int | None) -> Iterator[None]:
    """A block that may take `size` bytes more than there are now; beyond that is a MemoryError.

    With None nothing limits it: programs that are started there do not inherit another block's limit.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = [hard]
    if size is not None:
        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        allowed = [limit for limit in (now + size, soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(allowed), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
