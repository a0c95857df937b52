"""A sweep: the same measurement on many cells, in parallel, resumed where it stopped.

(book: Experiments, Running a sweep)
"""

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
    at any moment loses only what was being measured (book: Experiments, Running a sweep).
    """
    results = Results(path, sweep.settings)
    waiting = [cell for cell in sweep.cells if label(cell) not in results.done]
    with Progress(sweep.name, len(sweep.cells), len(sweep.cells) - len(waiting), show=show) as progress:
        for cell, rows in measured(sweep, waiting, cluster=cluster, workers=workers):
            results.append(label(cell), rows)
            progress.advance()
    return results


def measured(sweep, cells, *, cluster=None, workers=-1):
    """Pairs of a cell and its rows, in the order in which they are finished."""
    tasks = (joblib.delayed(_measure)(sweep.measure, sweep.settings, cell) for cell in cells)
    with _computers(cluster, workers):
        yield from joblib.Parallel(return_as="generator_unordered", batch_size=1)(tasks)


def _measure(measure, settings, cell):
    """A cell and its rows, measured on one thread: there is one process a core already."""
    with threadpool_limits(1):
        return cell, measure(settings, **cell)


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
