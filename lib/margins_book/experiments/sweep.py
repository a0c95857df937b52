"""A sweep: the same measurement on many cells, in parallel, resumed where it stopped.

(book: The paper in a minute, What ran)
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import joblib

from margins.validation import count
from margins_book.experiments.lock import locked
from margins_book.experiments.progress import Progress
from margins_book.experiments.report import label
from margins_book.experiments.results import Results
from margins_book.experiments.types import Cell, Measure, Row, Settings
from margins_book.experiments.worker import measured_cell

CLUSTER_TIMEOUT = "20s"  # for the scheduler of a cluster to answer


@dataclass(frozen=True)
class Sweep:
    """A measurement with its settings and its cells.

    `measure(settings, **cell)` returns the rows of one cell as dicts; it must not depend on other cells
    (book: The paper in a minute, What ran).

    >>> def measure(settings, *, seed):
    ...     return [{"largest": np.random.default_rng(seed).normal(size=settings["draws"]).max()}]
    >>> Sweep("extremes", measure, cells=[{"seed": 0}, {"seed": 1}], settings={"draws": 100}).cells
    [{'seed': 0}, {'seed': 1}]
    """

    name: str
    measure: Measure
    cells: list[Cell]
    settings: Settings = field(default_factory=dict)


def run(
    sweep: Sweep, path: Path | str, *, cluster: str | None = None, workers: int = -1, show: bool = True
) -> Results:
    """The `Results` of all cells of `sweep`; those in the file `path` are not measured again.

    Cells go to `workers` processes of this computer (-1: one a core), or to a Dask cluster if the address of
    its scheduler is given. Each finished cell is on the disk before the next is counted, so that stopping
    at any moment loses only what was being measured; a file that another process is adding to is refused
    (book: The paper in a minute, What ran).

    >>> from tempfile import TemporaryDirectory
    >>> def measure(settings, *, seed):
    ...     return [{"square": settings["factor"] * seed**2}]
    >>> sweep = Sweep("squares", measure, [{"seed": 2}, {"seed": 3}], {"factor": 10})
    >>> with TemporaryDirectory() as folder:
    ...     results = run(sweep, f"{folder}/squares.csv", workers=1, show=False)
    >>> results.table()["square"]
    array([40, 90])
    """
    return run_all(sweep.name, [(sweep, path)], cluster=cluster, workers=workers, show=show)[0]


def run_all(
    name: str,
    sweeps: Sequence[tuple[Sweep, Path | str]],
    *,
    cluster: str | None = None,
    workers: int = -1,
    show: bool = True,
) -> list[Results]:
    """The `Results` of several sweeps, pairs of a sweep and its file, whose cells share the cores.

    Cells are begun in the order given: with the longest first, all cores are busy to the end
    (book: The paper in a minute, What ran).

    >>> from tempfile import TemporaryDirectory
    >>> def measure(settings, *, seed):
    ...     return [{"seed": seed}]
    >>> sweeps = [Sweep(name, measure, [{"seed": 0}, {"seed": 1}]) for name in ("first", "second")]
    >>> with TemporaryDirectory() as folder:
    ...     pairs = [(sweep, f"{folder}/{sweep.name}.csv") for sweep in sweeps]
    ...     [len(results.done) for results in run_all("both", pairs, workers=1, show=False)]
    [2, 2]
    """
    with ExitStack() as locks:
        for _, path in sweeps:
            locks.enter_context(locked(Path(path)))
        results = [Results(path, sweep.settings) for sweep, path in sweeps]
        _measure_missing(name, [sweep for sweep, _ in sweeps], results, cluster, workers, show)
    return results


def _measure_missing(
    name: str, sweeps: list[Sweep], results: list[Results], cluster: str | None, workers: int, show: bool
) -> None:
    """Measures the cells of the `sweeps` that are missing in their `results`, and adds them there."""
    waiting = [
        (k, cell)
        for k, sweep in enumerate(sweeps)
        for cell in sweep.cells
        if label(cell) not in results[k].done
    ]
    total = sum(len(sweep.cells) for sweep in sweeps)
    tasks = [(sweeps[k], cell) for k, cell in waiting]
    with Progress(name, total, total - len(waiting), show=show) as progress:
        for number, rows, seconds in _finished(tasks, cluster, workers):
            k, cell = waiting[number]
            results[k].append(label(cell), rows, seconds)
            progress.advance()


def measured(
    sweep: Sweep, cells: Sequence[Cell], *, cluster: str | None = None, workers: int = -1
) -> Iterator[tuple[Cell, list[Row], float]]:
    """Cells of a `sweep`, their rows and seconds of processor time, in the order in which they are finished.

    No file is written (book: The paper in a minute, What ran).

    >>> def measure(settings, *, seed):
    ...     return [{"square": seed**2}]
    >>> sweep = Sweep("squares", measure, [{"seed": 2}, {"seed": 3}])
    >>> [(cell, rows) for cell, rows, seconds in measured(sweep, sweep.cells, workers=1)]
    [({'seed': 2}, [{'square': 4}]), ({'seed': 3}, [{'square': 9}])]
    """
    for number, rows, seconds in _finished([(sweep, cell) for cell in cells], cluster, workers):
        yield cells[number], rows, seconds


def _finished(
    tasks: list[tuple[Sweep, Cell]], cluster: str | None, workers: int
) -> Iterator[tuple[int, list[Row], float]]:
    """The numbers of the tasks, pairs of a sweep and a cell, with what they gave, as they are finished."""
    owner = os.getpid() if cluster is None else None
    calls = (
        joblib.delayed(measured_cell)(number, sweep.measure, sweep.settings, cell, owner)
        for number, (sweep, cell) in enumerate(tasks)
    )
    with _joblib_backend(cluster, workers):
        yield from joblib.Parallel(return_as="generator_unordered", batch_size=1)(calls)


@contextmanager
def _joblib_backend(cluster: str | None, workers: int) -> Iterator[None]:
    """The processes to which joblib sends its tasks: of this computer, or of a Dask cluster."""
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
        client = Client(cluster, timeout=CLUSTER_TIMEOUT)
    except (OSError, ValueError) as reason:
        raise ValueError(f"no Dask scheduler answers at cluster = {cluster!r}: {reason}") from None
    with client, joblib.parallel_config(backend="dask", client=client):
        yield
