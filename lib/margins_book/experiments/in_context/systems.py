"""The systems that are trained: over the number of tasks, over the width, and from tasks to other tasks.

(book: Beyond the equivalence, Trained in context)
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margins.prompt_network import PromptNetwork
from margins_book.experiments.in_context import measures
from margins_book.experiments.in_context.training import (
    WORLD,
    Plan,
    Prompts,
    draw_prompts,
    initial,
    trained,
)

SHAPES = ((1, 0), (2, 0), (1, 64), (2, 64))  # heads and width of the feed-forward layer
NUMBERS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)  # of tasks
WIDTHS = (4, 8, 16, 32, 64, 128, 256)
OF_WIDTHS = 8  # tasks, where the width is varied
FITTED = 20_000  # prompts to which the read-out of features that are not trained is fitted
SOURCES = {"none": 0, "2 others": 2, "16 others": 16, "1024 others": 1024}  # tasks that are learnt at first
TARGET = 16  # tasks that are learnt afterwards
MARKS = (0, 10, 30, 100, 300, 1000, 3000)  # steps on the target after which the error is measured
FEW = 200  # prompts of the target for kernel ridge regression


class Size(NamedTuple):
    """How much is trained; tests train less."""

    seeds: int = 5
    plan: Plan = Plan(steps=3000)
    transfer: Plan = Plan(steps=3000, rate=0.003, falls=False)


class Measured(NamedTuple):
    """One measured number; `tasks` is the number of tasks that the network learnt, `source` their kind."""

    system: str
    heads: int
    inner: int
    source: str
    tasks: int
    steps: int
    seed: int
    name: str
    value: float


def normal_tasks(number: int, rng: np.random.Generator) -> NDArray:
    """`number` tasks (number, d) with normal entries."""
    return rng.standard_normal((number, WORLD.d), np.float32)


def unseen(rng: np.random.Generator) -> Prompts:
    """Prompts of tasks that nobody has learnt."""
    return measures.own(draw_prompts([normal_tasks(100_000, rng)], measures.PROMPTS, WORLD, rng), 0)


def over_tasks(
    shape: tuple[int, int], size: Size, steps: tuple[int, ...], watch: Callable[[NDArray], None]
) -> tuple[dict[int, PromptNetwork], list[NDArray]]:
    """Networks of one shape, trained on each of the numbers of tasks from each seed, and their tasks.

    Number of tasks NUMBERS[k] from seed s is network k seeds + s (book: Beyond the equivalence, Trained in
    context).
    """
    rng = np.random.default_rng(0)  # the same tasks for all shapes
    tasks = [normal_tasks(number, rng) for number in NUMBERS for _ in range(size.seeds)]
    rng = np.random.default_rng([1, *shape])
    network = initial(shape, len(tasks), WORLD, rng)
    return trained(network, tasks, size.plan, rng, kept=steps, watch=watch), tasks


def rows_over_tasks(
    shape: tuple[int, int], network: PromptNetwork, tasks: list[NDArray], size: Size
) -> Iterator[Measured]:
    """The measures of networks after training, on their own tasks and on new ones."""
    rng = np.random.default_rng([2])
    new, seen = unseen(rng), draw_prompts(tasks, measures.PROMPTS, WORLD, rng)
    for r in range(len(tasks)):
        stored, net = measures.own(seen, r), measures.one(network, r)
        found = {"stored": measures.network_error(net, stored), "new": measures.network_error(net, new)}
        found |= measures.of_heads(net, stored)
        if shape == SHAPES[0]:  # the learners of the book answer the same prompts, once
            known = tasks[r].astype(float)
            for where, prompts in (("stored", stored), ("new", new)):
                found |= measures.merged(where, measures.of_learners(prompts, known, WORLD))
        yield from _rows(("tasks", *shape, "", *_which(r, size), size.plan.steps), found)


def rows_over_widths(size: Size, watch: Callable[[NDArray], None]) -> Iterator[Measured]:
    """Errors and effective dimensions of trained features, and of the features before training."""
    for inner in WIDTHS:
        rng = np.random.default_rng([3, inner])
        tasks = [normal_tasks(OF_WIDTHS, np.random.default_rng([4, s])) for s in range(size.seeds)]
        begin = initial((2, inner), size.seeds, WORLD, rng)
        after = trained(begin, tasks, size.plan, rng, watch=watch)[size.plan.steps]
        fresh = draw_prompts(tasks, measures.PROMPTS, WORLD, rng)
        learnt = draw_prompts(tasks, FITTED, WORLD, rng)
        for steps, network in ((0, begin), (size.plan.steps, after)):
            for seed in range(size.seeds):
                parts = measures.own(learnt, seed), measures.own(fresh, seed)
                found = measures.of_features(measures.one(network, seed), *parts)
                yield from _rows(("width", 2, inner, "", OF_WIDTHS, seed, steps), found)


def rows_of_transfer(size: Size, watch: Callable[[NDArray], None]) -> Iterator[Measured]:
    """Errors on the target after MARKS steps, with training on a source before them or none.

    Without a source training goes on for as many steps more as the others had before, so that budgets can be
    compared in total, too (book: Beyond the equivalence, Trained in context).
    """
    rng, plan = np.random.default_rng(5), size.transfer
    targets = [normal_tasks(TARGET, rng) for _ in range(size.seeds)]
    begin = initial(SHAPES[-1], size.seeds, WORLD, rng)
    fresh = draw_prompts(targets, measures.PROMPTS, WORLD, rng)
    learnt = draw_prompts(targets, FEW, WORLD, rng)
    for source, number in SOURCES.items():
        start = begin
        if number:
            others = [normal_tasks(number, rng) for _ in targets]
            start = trained(begin, others, plan, rng, watch=watch)[plan.steps]
        due = _marks(plan.steps, total=not number)
        runs = trained(start, targets, plan._replace(steps=due[-1]), rng, kept=due, watch=watch)
        for steps, run in runs.items():
            yield from _of_seeds(source, number, steps, run, fresh)
        yield from _of_kernels(source, number, start, learnt, fresh)
        if not number:
            yield from _of_kernels("itself", TARGET, runs[plan.steps], learnt, fresh)


def _marks(before: int, *, total: bool) -> list[int]:
    """The steps after which the error is measured, and, in `total`, `before` steps more."""
    return sorted({*MARKS, *(before + mark for mark in MARKS)}) if total else list(MARKS)


def _of_seeds(source, number, steps, network, fresh):
    """The errors of networks on the target, after these steps on it."""
    for seed in range(len(fresh.y)):
        found = {"stored": measures.network_error(measures.one(network, seed), measures.own(fresh, seed))}
        yield from _rows(("transfer", *SHAPES[-1], source, number, seed, steps), found)


def _of_kernels(source, number, network, learnt, fresh):
    """What few prompts of the target teach a kernel machine with the features of these networks."""
    for seed in range(len(fresh.y)):
        parts = measures.own(learnt, seed), measures.own(fresh, seed)
        found = measures.of_kernel(measures.one(network, seed), *parts)
        yield from _rows(("kernel", *SHAPES[-1], source, number, seed, 0), found)


def _which(r: int, size: Size) -> tuple[int, int]:
    """The number of tasks and the seed of the r-th network of a system over tasks."""
    return NUMBERS[r // size.seeds], r % size.seeds


def _rows(where, found):
    system, heads, inner, source, tasks, seed, steps = where
    for name, value in found.items():
        yield Measured(system, heads, inner, source, tasks, steps, seed, name, value)
