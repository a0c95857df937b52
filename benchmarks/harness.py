"""The stopwatch: CPU time on one thread, both sides interleaved in one run, medians, error beside it."""

import statistics
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the speed table."""

    job: str
    peer: str
    ours_seconds: float
    peer_seconds: float
    goal: float | None  # ratio to stay under; None where the row only informs
    accuracy: str  # what both sides reached, e.g. "KKT 3e-11 against 8e-9"

    @property
    def ratio(self):
        return self.ours_seconds / self.peer_seconds

    def __str__(self):
        goal = (
            ""
            if self.goal is None
            else f" (goal {self.goal:g}: {'met' if self.ratio <= self.goal else 'MISSED'})"
        )
        times = f"{self.ours_seconds * 1e3:.3g} ms against {self.peer_seconds * 1e3:.3g} ms"
        return f"{self.job} vs {self.peer}: ratio {self.ratio:.3g}{goal}; {times}; {self.accuracy}"


def cpu_seconds(call):
    """CPU time of one call of `call()`, in seconds, and what it returned."""
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def compare(job, peer, ours_call, peer_call, *, accuracy, goal=None, repeats=5):
    """A `Row` from `repeats` interleaved runs; `accuracy(ours, peers)` words the last errors."""
    ours_call(), peer_call()  # caches and lazy imports are warm on both sides
    ours_times, peer_times = [], []
    for _ in range(repeats):
        seconds, ours = cpu_seconds(ours_call)
        ours_times.append(seconds)
        seconds, peers = cpu_seconds(peer_call)
        peer_times.append(seconds)
    medians = statistics.median(ours_times), statistics.median(peer_times)
    return Row(job, peer, *medians, goal, accuracy(ours, peers))
