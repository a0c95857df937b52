"""The record of the trained networks: made from seeds, kept in `margins.data`."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from margins.data.prompts import MEASURES, NETWORKS, SEED, networks_text
from margins.prompt_network import PromptNetwork
from margins_book.experiments.in_context import measures, training
from margins_book.experiments.in_context.systems import (
    ALONE,
    NUMBERS,
    SHAPES,
    Measured,
    Size,
    over_tasks,
    rows_of_transfer,
    rows_over_tasks,
    rows_over_widths,
)
from margins_book.experiments.recorded import text_of

SYSTEMS = {"widths": rows_over_widths, "transfer": rows_of_transfer}  # of which no network is kept
MOMENTS = 60  # evenly spaced in the logarithm of the steps, as far as they differ
EARLY = 10  # mean losses that are recorded step by step, so that a test can make them again


class Losses:
    """The mean losses of the first steps of a training."""

    def __init__(self) -> None:
        self.early: list[float] = []

    def __call__(self, losses: NDArray) -> None:
        if len(self.early) < EARLY:
            self.early.append(round(float(losses.mean()), 4))


def record(size: Size | None = None, workers: int = -1) -> tuple[str, str]:
    """Trains all systems, in `workers` processes (-1: one a core); the texts of the two files."""
    size = size or Size()
    parts = {title(shape): delayed(of_shape)(shape, size) for shape in SHAPES}
    parts |= {name: delayed(of_system)(rows, size) for name, rows in SYSTEMS.items()}
    made = Parallel(workers, verbose=50)(reversed(parts.values()))  # the last ones take longest
    networks, rows, losses = zip(*reversed(made), strict=True)
    head: dict[str, Any] = {"seeds": size.seeds, "early losses": dict(zip(parts, losses, strict=True))}
    head |= {"world": training.WORLD._asdict(), "numbers": list(NUMBERS), "moments": moments(size.plan.steps)}
    head |= {"plan": size.plan._asdict(), "transfer": size.transfer._asdict()}
    kept = {name: network for part in networks for name, network in part.items()}
    return networks_text(kept), text_of(head, lines_of([row for part in rows for row in part]))


def of_system(
    rows: Callable[[Size, Losses], Iterable[Measured]], size: Size
) -> tuple[dict[str, PromptNetwork], list[Measured], list[float]]:
    """No networks, the measures, and the first losses of one of SYSTEMS."""
    losses = Losses()
    return {}, list(rows(size, losses)), losses.early


def of_shape(
    shape: tuple[int, int], size: Size
) -> tuple[dict[str, PromptNetwork], list[Measured], list[float]]:
    """The kept network of one shape, for most tasks from the first seed; all measures, the first losses."""
    losses = Losses()
    watched = moments(size.plan.steps) if shape == ALONE else []  # its heads are kept during training
    runs, tasks = over_tasks(shape, size, tuple(watched), losses)
    last = runs[size.plan.steps]
    most = -size.seeds  # the largest number of tasks, the first seed
    kept = {title(shape): measures.one(last, most)}
    if watched:
        states = [measures.one(runs[step], most) for step in watched]
        parts = zip(*states, strict=True)
        kept["2 heads in training"] = PromptNetwork(*(np.stack(part) for part in parts))
    return kept, list(rows_over_tasks(shape, last, tasks, size)), losses.early


def title(shape: tuple[int, int]) -> str:
    """The name under which the networks of a shape are kept."""
    heads, inner = shape
    words = "1 head" if heads == 1 else f"{heads} heads"
    return f"{words}, width {inner}" if inner else words


def moments(steps: int) -> list[int]:
    """The numbers of steps after which the watched heads are kept, from 0 to all."""
    between = np.geomspace(1, steps, MOMENTS).round().astype(int)
    return [0, *np.unique(between).tolist()]


def lines_of(rows: list[Measured]) -> list[dict[str, Any]]:
    """The lines of the table: each has the numbers of all seeds, which `rows` has in their order."""
    lines: dict[Measured, dict[str, str]] = {}
    for row in rows:
        numbers = lines.setdefault(row._replace(seed=0, value=0.0), {})
        numbers[f"{SEED}{row.seed}"] = f"{row.value:.4g}"
    own = ("seed", "value")
    return [{k: v for k, v in line._asdict().items() if k not in own} | lines[line] for line in lines]


def write(networks: str, table: str) -> None:
    """Makes these texts the record."""
    NETWORKS.write_text(networks, encoding="ascii")
    MEASURES.write_text(table, encoding="ascii")
