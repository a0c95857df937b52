"""The stopwatch, CPU time on one thread with both sides in turn, and the tables of the page of timings."""

import datetime
import platform
import re
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from margins_book.experiments.paper import processor

PAGE = Path(__file__).resolve().parent.parent / "book" / "performance.md"
SECTION = r"(?<=^% {name}\n)(.*?)(?=^% end of {name}$)"
COLUMNS = ("job", "peer", "ours", "the peer", "ratio", "goal", "accuracy")


class Row(NamedTuple):
    """One line of a table of timings."""

    job: str
    peer: str
    ours_seconds: float
    peer_seconds: float
    goal: float | None  # ratio to stay under; None where the row only informs
    accuracy: str  # what both sides reached, e.g. "KKT 3e-11 against 8e-9"

    def __str__(self):
        ratio, goal = self.ours_seconds / self.peer_seconds, ""
        if self.goal is not None:
            goal = f"{self.goal:g} {'met' if ratio <= self.goal else '**missed**'}"
        times = [legible(seconds) for seconds in (self.ours_seconds, self.peer_seconds)]
        return line([self.job, self.peer, *times, f"{ratio:.2g}", goal, self.accuracy])


def budget(job, seconds, most, accuracy):
    """A row whose peer is the budget."""
    return Row(job, "the budget", seconds, most, 1.0, accuracy)


def compare(job, peer, ours_call, peer_call, *, accuracy, goal=None, repeats=5, share=1.0):
    """A `Row` from `repeats` interleaved runs; `accuracy(ours, peers)` words the last errors.

    Where the peer does a `share` of the job, its time is scaled to all of it.
    """
    ours_call(), peer_call()  # caches and lazy imports are warm on both sides
    ours_times, peer_times = [], []
    for _ in range(repeats):
        start = time.process_time()
        ours = ours_call()
        middle = time.process_time()
        peers = peer_call()
        ours_times.append(middle - start)
        peer_times.append((time.process_time() - middle) / share)
    return Row(job, peer, *map(statistics.median, (ours_times, peer_times)), goal, accuracy(ours, peers))


def write(name, rows, *, page=PAGE):
    """Puts the `rows` into the page between the lines `% name` and `% end of name`; the rest is by hand."""
    when = f"Measured {datetime.date.today().isoformat()} by `python -m benchmarks {name}` on {machine()}."
    table = [line(COLUMNS), line(["---"] * len(COLUMNS)), *map(str, rows)]
    new, section = "\n".join([when, "", *table]) + "\n", re.compile(SECTION.format(name=name), re.M | re.S)
    text, count = section.subn(lambda _: new, page.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"{page} must have one part between % {name} and % end of {name}, but has {count}")
    page.write_text(text, encoding="utf-8")


def machine():
    """What the times were taken on: processor, Python, NumPy with its BLAS, and the peers loaded."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    peers = [peer for peer in ("scipy", "sklearn", "cvxpy", "torch") if peer in sys.modules]
    versions = [f"{peer} {sys.modules[peer].__version__}" for peer in peers]
    numpy = f"NumPy {np.__version__} with {blas['name']} {blas['version']}"
    return ", ".join([processor(), f"Python {platform.python_version()}", numpy, *versions])


def legible(seconds):
    """A time to three digits: in milliseconds, from a second on in seconds."""
    number, unit = (seconds, "s") if seconds >= 1 else (seconds * 1e3, "ms")
    return f"{float(f'{number:.3g}'):,g} {unit}"


def line(cells):
    """A line of a Markdown table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
