"""The systems that are trained: over the number of tasks, over the width, and from tasks to other tasks."""

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

NUMBERS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)  # of tasks
ALONE, TWO = (2, 0), (2, 64)  # two heads, without a feed-forward layer and with one
SHAPES = {  # heads and width of the feed-forward layer, and the numbers of tasks that are learnt
    (1, 0): NUMBERS,
    ALONE: NUMBERS,
    (1, 64): NUMBERS,
    TWO: NUMBERS,
    (4, 64): NUMBERS,
    (8, 64): NUMBERS[-1:],
}
WIDTHS = (4, 8, 16, 32, 64, 128, 256)
OF_WIDTHS = 8  # tasks, where the width is varied
FITTED = 20_000  # prompts to which the read-out of features that are not trained is fitted
SOURCES = {"none": 0, "2 others": 2, "16 others": 16, "1024 others": 1024}  # tasks that are learnt at first
TARGET = 16  # tasks that are learnt afterwards
MARKS = (0, 10, 30, 100, 300, 1000, 3000)  # steps on the target after which the error is measured
FEW = 200  # prompts of the target for kernel ridge regression, and for training on no others
FEW_MARKS = (0, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000)  # steps on them


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

    Number of tasks SHAPES[shape][k] from seed s is network k seeds + s.
    """
    rng = np.random.default_rng(0)  # the same tasks for all shapes
    drawn = [normal_tasks(number, rng) for number in NUMBERS for _ in range(size.seeds)]
    tasks = [w for w in drawn if len(w) in SHAPES[shape]]
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
        if shape == (1, 0):  # the learners of the book answer the same prompts, once
            known = tasks[r].astype(float)
            for where, prompts in (("stored", stored), ("new", new)):
                learners = measures.of_learners(prompts, known, WORLD)
                found |= {f"{where} {name}": error for name, error in learners.items()}
        yield from _rows(("tasks", *shape, "", len(tasks[r]), r % size.seeds, size.plan.steps), found)


def rows_over_widths(size: Size, watch: Callable[[NDArray], None]) -> Iterator[Measured]:
    """Errors and effective dimensions of trained features, and of the features before training.

    On the same prompts two trained heads answer alone, and with a layer of random units before them.
    """
    tasks = [normal_tasks(OF_WIDTHS, np.random.default_rng([4, s])) for s in range(size.seeds)]
    rng = np.random.default_rng(6)
    alone = trained(initial(ALONE, size.seeds, WORLD, rng), tasks, size.plan, rng)[size.plan.steps]
    for inner in WIDTHS:
        rng = np.random.default_rng([3, inner])
        begin = initial((2, inner), size.seeds, WORLD, rng)
        after = trained(begin, tasks, size.plan, rng, watch=watch)[size.plan.steps]
        fresh = draw_prompts(tasks, measures.PROMPTS, WORLD, rng)
        learnt = draw_prompts(tasks, FITTED, WORLD, rng)
        for seed in range(size.seeds):
            parts = measures.own(learnt, seed), measures.own(fresh, seed)
            untrained, network, heads = (measures.one(made, seed) for made in (begin, after, alone))
            found = measures.of_features(network, *parts)
            found["heads alone"] = measures.network_error(heads, parts[1])
            found["random units"] = measures.fitted_error(untrained._replace(heads=heads.heads), *parts)
            where = "width", 2, inner, "", OF_WIDTHS, seed
            yield from _rows((*where, 0), measures.of_features(untrained, *parts))
            yield from _rows((*where, size.plan.steps), found)


def rows_of_transfer(size: Size, watch: Callable[[NDArray], None]) -> Iterator[Measured]:
    """Errors on the target after MARKS steps, with training on a source before them or none.

    Without a source training goes on for as many steps more as the others had before, so that budgets can be
    compared in total, too. Each step on the target draws new prompts of it; in the system "few" all steps use
    the same FEW prompts.
    """
    rng, plan = np.random.default_rng(5), size.transfer
    targets = [normal_tasks(TARGET, rng) for _ in range(size.seeds)]
    begin = initial(TWO, size.seeds, WORLD, rng)
    fresh = draw_prompts(targets, measures.PROMPTS, WORLD, rng)
    learnt = draw_prompts(targets, FEW, WORLD, rng)
    for source, number in SOURCES.items():
        start = begin
        if number:
            others = [normal_tasks(number, rng) for _ in targets]
            start = trained(begin, others, plan, rng, watch=watch)[plan.steps]
        due = _marks(MARKS, plan.steps, total=not number)
        runs = trained(start, targets, plan._replace(steps=due[-1]), rng, kept=due, watch=watch)
        yield from _of_seeds(("transfer", *TWO, source, number), runs, fresh)
        due = _marks(FEW_MARKS, plan.steps, total=not number)
        few = trained(start, targets, plan._replace(steps=due[-1]), rng, kept=due, prompts=learnt)
        yield from _of_seeds(("few", *TWO, source, number), few, fresh)
        yield from _of_kernels(source, number, start, learnt, fresh)
        if not number:
            yield from _of_kernels("itself", TARGET, runs[plan.steps], learnt, fresh)


def _marks(marks: tuple[int, ...], before: int, *, total: bool) -> list[int]:
    """The steps after which the error is measured, and, in `total`, `before` steps more."""
    return sorted({*marks, *(before + mark for mark in marks)}) if total else list(marks)


def _of_seeds(where, runs, fresh):
    """The errors of networks on the target, after numbers of steps on it."""
    for steps, network in runs.items():
        for seed in range(len(fresh.y)):
            found = {"stored": measures.network_error(measures.one(network, seed), measures.own(fresh, seed))}
            yield from _rows((*where, seed, steps), found)


def _of_kernels(source, number, network, learnt, fresh):
    """What few prompts of the target teach a kernel machine with the features of these networks."""
    for seed in range(len(fresh.y)):
        parts = measures.own(learnt, seed), measures.own(fresh, seed)
        found = measures.of_kernel(measures.one(network, seed), *parts)
        yield from _rows(("kernel", *TWO, source, number, seed, 0), found)


def _rows(where, found):
    system, heads, inner, source, tasks, seed, steps = where
    for name, value in found.items():
        yield Measured(system, heads, inner, source, tasks, steps, seed, name, value)
