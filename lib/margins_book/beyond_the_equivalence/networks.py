"""Prompts of the world of the trained networks, a head's answers to them, and what was measured in training.

(book: Beyond the equivalence, Trained in context)
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from margins.data.prompts import measured, prompt_measures
from margins_book.experiments.estimates import Estimate, mean

LINEAR_LAYER = 1 - 7 / (8 + 4 + 0.25)  # the error over d of the best linear layer on centred examples
SHAPES = {  # of a network: its heads, and the width of its feed-forward layer
    "1 head": (1, 0),
    "2 heads": (2, 0),
    "1 head, width 64": (1, 64),
    "2 heads, width 64": (2, 64),
    "4 heads, width 64": (4, 64),
}
COUNTED = ("steps on the target", "all steps", "steps on 200 prompts")
ON_TARGET = (10, 30, 100, 300, 1000, 3000)
LEARNERS = {"posterior mean": "posterior", "best linear learner": "linear", "ridge": "ridge"}
WIDTHS = (4, 8, 16, 32, 64, 128, 256)
SOURCES = {"nothing": "none", "2 tasks": "2 others", "16 tasks": "16 others", "1024 tasks": "1024 others"}


def prompts_of(
    tasks: NDArray, number: int, rng: np.random.Generator
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Prompts of 8 examples with errors of 0.5, each of one of the tasks, and the right answers."""
    w = tasks[rng.integers(len(tasks), size=number)]
    X, queries = rng.normal(size=(number, 8, 4)), rng.normal(size=(number, 4))
    y = np.einsum("bnd,bd->bn", X, w) + 0.5 * rng.normal(size=(number, 8))
    return X, y, queries, (w * queries).sum(axis=1)


def head_answers(X: NDArray, y: NDArray, queries: NDArray, W: NDArray) -> NDArray:
    """The answers of one head that compares inputs by W."""
    logits = np.einsum("bd,de,bne->bn", queries, W, X)
    s = np.exp(logits - logits.max(axis=1, keepdims=True))
    return (s * y).sum(axis=1) / s.sum(axis=1)


@cache
def new_prompts() -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Three thousand prompts of tasks that no network has seen, and their right answers."""
    tasks = np.random.default_rng(21).normal(size=(3000, 4))
    return prompts_of(tasks, 3000, np.random.default_rng(22))


@cache
def _record():
    return prompt_measures()


def plan() -> dict:
    """How training went: the numbers of tasks, the moments that were kept, the world and others."""
    return _record()[0]


def found(name: str, **where: object) -> NDArray:
    """The measures called `name` of networks or learners with these properties, one a seed."""
    return measured(_record()[1], name, **where)


def of_seeds(name: str, heads: int, inner: int, tasks: int) -> NDArray:
    """A measure of the networks of a shape that learnt so many tasks, a number for each seed."""
    return found(name, system="tasks", heads=heads, inner=inner, tasks=tasks)


def of_learners(where: str, heads: int, inner: int, *learners: str) -> dict[str, list[Estimate]]:
    """Errors on "stored" or "new" tasks over their number: of a network, and of some of LEARNERS."""
    numbers = plan()["numbers"]
    errors = {"network": [mean(of_seeds(where, heads, inner, M)) for M in numbers]}
    for name in learners:
        errors[name] = [mean(found(f"{where} {LEARNERS[name]}", tasks=M)) for M in numbers]
    return errors


def of_widths(name: str, steps: int) -> list[Estimate]:
    """A measure of networks after so many steps, over their widths."""
    return [mean(found(name, system="width", inner=m, steps=steps)) for m in WIDTHS]


@cache
def width_errors() -> dict[str, list[Estimate]]:
    """The errors over the width: all is trained, the heads are, or nothing is but the read-out."""
    return {
        "all trained": of_widths("stored", 3000),
        "heads trained": of_widths("random units", 3000),
        "nothing trained": of_widths("fitted", 0),
    }


@cache
def width_dimensions() -> dict[str, list[Estimate]]:
    """The effective dimensions over the width, of features that are trained and that are not."""
    return {"all trained": of_widths("dimension", 3000), "nothing trained": of_widths("dimension", 0)}


def heads_alone() -> Estimate:
    """The error of two trained heads without a feed-forward layer, on the prompts of all widths."""
    return mean(found("heads alone", system="width").reshape(len(WIDTHS), -1).mean(axis=0))


def gained(name: str, inner: int) -> NDArray:
    """What training the units of a width gains over "heads alone" or over "random units" on trained heads."""
    trained = {"system": "width", "inner": inner, "steps": 3000}
    return found(name, **trained) - found("stored", **trained)


def after(source: str, steps: int) -> NDArray:
    """The errors on the target after so many steps on it, with what was learnt from the source before."""
    return found("stored", system="transfer", source=SOURCES[source], steps=steps)


def on_few(source: str) -> tuple[list[int], NDArray]:
    """The steps on 200 prompts of the target after which errors were measured; the errors (steps, seeds)."""
    _, table = _record()
    chosen = (table["system"] == "few") & (table["source"] == SOURCES[source])
    steps = np.unique(table["steps"][chosen]).astype(int).tolist()
    return steps, np.array([found("stored", system="few", source=SOURCES[source], steps=k) for k in steps])


def best_on_few(source: str) -> NDArray:
    """The least error of each seed on the way, on 200 prompts of the target."""
    return on_few(source)[1].min(axis=0)


def on_the_target(source: str, counted: str) -> tuple[list[int], list[Estimate]]:
    """The numbers of steps on the target, as one of COUNTED says, and the errors."""
    if counted == COUNTED[2]:
        steps, errors = on_few(source)
        return steps[1:], [mean(row) for row in errors[1:]]
    more = 3000 * (counted == COUNTED[1] and source == "nothing")
    return list(ON_TARGET), [mean(after(source, steps + more)) for steps in ON_TARGET]


def of_kernel(name: str, source: str) -> Estimate:
    """The "norm" or the error, "kernel", of a kernel machine with the features learnt on a source."""
    return mean(found(name, system="kernel", source=source))


def values(line: list[Estimate]) -> NDArray:
    """The numbers of estimates, without their intervals."""
    return np.array([estimate.value for estimate in line])
