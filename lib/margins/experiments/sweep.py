"""A sweep: the same measurement on many cells, in parallel, resumed where it stopped.

(book: The paper in a minute, What ran)
"""

import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field

import joblib
from threadpoolctl import threadpool_limits

from margins.experiments.progress import Progress
from margins.experiments.report import label
from margins.experiments.results import Results
from margins.validation import count

PATIENCE = "20s"  # for the scheduler of a cluster to answer


@dataclass(frozen=True)
class Sweep:
    """A measurement with its settings and its cells.

    `measure(settings, **cell)` returns the rows of one cell as dicts; it must not depend on other cells.
    """

    name: str
    measure: Callable
    cells: list
    settings: dict = field(default_factory=dict)


def run(sweep, path, *, cluster=None, workers=-1, show=True):
    """The `Results` of all cells of `sweep`; those in the file `path` are not measured again.

    Cells go to `workers` processes of this computer (-1: one a core), or to a Dask cluster if the address of
    its scheduler is given. Each finished cell is on the disk before the next is counted, so that stopping
    at any moment loses only what was being measured (book: The paper in a minute, What ran).
    """
    return run_all(sweep.name, [(sweep, path)], cluster=cluster, workers=workers, show=show)[0]


def run_all(name, sweeps, *, cluster=None, workers=-1, show=True):
    """The `Results` of several sweeps, pairs of a sweep and its file, whose cells share the cores.

    Cells are begun in the order given: with the longest first, all cores are busy to the end.
    """
    results = [Results(path, sweep.settings) for sweep, path in sweeps]
    waiting = [
        (k, cell)
        for k, (sweep, _) in enumerate(sweeps)
        for cell in sweep.cells
        if label(cell) not in results[k].done
    ]
    total = sum(len(sweep.cells) for sweep, _ in sweeps)
    tasks = [(sweeps[k][0], cell) for k, cell in waiting]
    with Progress(name, total, total - len(waiting), show=show) as progress:
        for number, rows, seconds in _finished(tasks, cluster, workers):
            k, cell = waiting[number]
            results[k].append(label(cell), rows, seconds)
            progress.advance()
    return results


def measured(sweep, cells, *, cluster=None, workers=-1):
    """Cells, their rows and seconds of processor time, in the order in which they are finished."""
    for number, rows, seconds in _finished([(sweep, cell) for cell in cells], cluster, workers):
        yield cells[number], rows, seconds


def _finished(tasks, cluster, workers):
    """The numbers of the tasks, pairs of a sweep and a cell, with what they gave, as they are finished."""
    calls = (
        joblib.delayed(_measure)(number, sweep.measure, sweep.settings, cell)
        for number, (sweep, cell) in enumerate(tasks)
    )
    with _computers(cluster, workers):
        yield from joblib.Parallel(return_as="generator_unordered", batch_size=1)(calls)


def _measure(number, measure, settings, cell):
    """The number, rows and seconds of a cell, measured on one thread: there is one process a core already."""
    begin = time.process_time()
    with threadpool_limits(1):
        return number, measure(settings, **cell), time.process_time() - begin


@contextmanager
def _computers(cluster, workers):
    """The place where joblib sends its tasks."""
    if cluster is None:
        if workers != -1:
            count("workers", workers)
        with joblib.parallel_config(backend="loky", n_jobs=workers):
            yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("a cluster needs the package distributed: pip install distributed") from None
    try:
        client = Client(cluster, timeout=PATIENCE)
    except (OSError, ValueError) as reason:
        raise ValueError(f"no Dask scheduler answers at cluster = {cluster!r}: {reason}") from None
    with client, joblib.parallel_config(backend="dask", client=client):
        yield
