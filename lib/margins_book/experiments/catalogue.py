"""The named experiments, and a run of them: blocks of problems, measured on all cores."""

import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from margins_book.experiments import (
    feasibility,
    global_convergence,
    local_convergence,
    path_limits,
    ranks,
    ranks_first_order,
    rates,
    recorded,
    run_classes,
    several_tokens,
    trajectories,
)
from margins_book.experiments.estimates import Cell, Row, Settings, Table
from margins_book.experiments.report import largest_gap

EXPERIMENTS: dict[str, Any] = {  # modules with SETTINGS, PROBLEMS, measure and estimates
    "trajectories": trajectories,
    "local-convergence": local_convergence,
    "ranks": ranks,
    "ranks-first-order": ranks_first_order,
    "path-limits": path_limits,
    "rates": rates,
    "feasibility": feasibility,
    "run-classes": run_classes,
    "global-convergence": global_convergence,
    "several-tokens": several_tokens,
}
LONGEST = ("path-limits", "rates", "local-convergence", "global-convergence", "several-tokens")
# numbers in an array: once one of this size was allocated and freed, glibc keeps the freed memory of smaller
# arrays for the next ones, instead of returning it and requesting it again at every step of a training
LARGE_ARRAY = 3 << 20


def question(name: str) -> str:
    """The question that an experiment asks, the first line of its description."""
    return (EXPERIMENTS[name].__doc__ or "").partition("\n")[0]


def cells(name: str, seeds: int | None = None) -> list[Cell]:
    """The cells of an experiment: of each of its sizes, one for each block of its seeds, or of `seeds`."""
    experiment = EXPERIMENTS[name]
    block = experiment.SETTINGS["block"]
    return [
        size | {"seed": first}
        for size, count in experiment.PROBLEMS
        for first in range(0, seeds or count, block)
    ]


@dataclass
class Run:
    """What an experiment measured: the rows of each block of problems, and its processor time."""

    name: str
    blocks: list[list[Row]]
    seconds: float

    def table(self) -> Table:
        """All rows, as columns."""
        rows = [row for block in self.blocks for row in block]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def text(self) -> str:
        """The text of its record."""
        how = getattr(EXPERIMENTS[self.name], "RECORDED", {})
        lines = [line for block in self.blocks for line in recorded.packed(block, **how)]
        gap = largest_gap(self.table())
        head = {"settings": EXPERIMENTS[self.name].SETTINGS, "sorted": not how.get("in_order", True)}
        return recorded.text_of(head | {"gap": None if np.isnan(gap) else float(f"{gap:.1e}")}, lines)


def run(
    names: Iterable[str], folder: Path | str, *, seeds: int | None = None, workers: int = -1, verbose: int = 5
) -> dict[str, Run]:
    """Measures whole experiments in `workers` processes (-1: one a core), each on one thread.

    Blocks that are finished wait in `folder` until all are: a run that was stopped goes on from them.
    """
    names = list(names)
    unfinished = Path(folder) / "unfinished"
    measured = joblib.Memory(unfinished, verbose=0).cache(measured_block)
    first = sorted(names, key=lambda name: LONGEST.index(name) if name in LONGEST else len(LONGEST))
    tasks = [(name, cell) for name in first for cell in cells(name, seeds)]
    alone = {"inner_max_num_threads": 1, "idle_worker_timeout": 5}  # seconds, if this process is killed
    with joblib.parallel_config("loky", n_jobs=workers, verbose=verbose, **alone):
        found = joblib.Parallel(batch_size=1)(
            joblib.delayed(measured)(name, EXPERIMENTS[name].SETTINGS, cell) for name, cell in tasks
        )
    runs = {name: Run(name, [], 0.0) for name in names}
    for (name, _), (rows, seconds) in zip(tasks, found, strict=True):
        runs[name].blocks.append(rows)
        runs[name].seconds += seconds
    shutil.rmtree(unfinished)
    return runs


def measured_block(name: str, settings: Settings, cell: Cell) -> tuple[list[Row], float]:
    """The rows of a block of problems, and the seconds of processor time that they took."""
    begin = time.process_time()
    np.empty(LARGE_ARRAY)
    return EXPERIMENTS[name].measure(settings, **cell), time.process_time() - begin
