"""What the chapter measures: layers beside the machines of their queries, and attention trained on real data.

(book: Sequences, causality, depth and real data)
"""

import pickle
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margins import attention_svm as att
from margins.attention_svm import layers
from margins_book.experiments.estimates import mean


def by_content(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, computed once for arguments that hold the same: a story asks for what its chapter found.

    >>> doubled = by_content(lambda a: 2 * a)
    >>> doubled(np.ones(2)) is doubled(np.ones(2))
    True
    """
    known: dict[bytes, Any] = {}

    @wraps(function)
    def remembered(*arguments: Any) -> Any:
        key = sha256(pickle.dumps(arguments)).digest()
        if key not in known:
            known[key] = function(*arguments)
        return known[key]

    return remembered


def read_layers(depth: int, residual: bool, steps: int, problems: int = 24, seed: int = 1) -> NDArray:
    """Per layer and problem: correlation with the machine of asked and of all queries, margin, agreement.

    The agreement is the share of the queries asked that select the token of the best momentary score.
    """
    data = att.random_token_data(4, 4, 10, rng=np.random.default_rng(seed), batch=problems)
    start = 0.1 * np.random.default_rng(seed + 1).normal(size=(depth, problems, 10, 10))
    return _read(data, start, residual, steps)


@by_content
def _read(data, start, residual, steps):
    """What `read_layers` finds in these problems from this start."""
    depth, problems = start.shape[:2]
    W = layers.train_layers(data, start, residual=residual, iterations=steps)[-1]
    now, found = layers.forward(data, W, residual=residual), []
    asked = layers.asked_positions(now.weights, residual=residual)
    momentary = [read.scores.argmax(-1) for read in layers.readings(data, W, residual=residual)]
    for l, b in np.ndindex(depth, problems):
        chosen, row = now.weights[l][b].argmax(axis=-1), []
        for queries in (asked[l, b], np.ones((4, 4), bool)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # machines of twins are known less accurately
                machine = att.frobenius_svm(
                    layers.layer_data(now.tokens[l][b], data[b], queries), chosen[queries]
                )
            row += [att.correlation(W[l, b], machine.W) if machine.feasible else np.nan, machine.margin]
        agree = (momentary[l][b] == chosen)[asked[l, b]].mean()
        found.append((row[0], row[2], row[1], agree))
    return np.array(found).reshape(depth, problems, 4)


def layers_table(table: Mapping[tuple[int, bool], NDArray]) -> str:
    """The medians of what `read_layers` finds, by depth and residual connections, as a table in Markdown."""
    names = "layers, residual connections", "layer", "correlation: asked", "all queries", "margin"
    lines = [f"| {' | '.join([*names, 'best momentary score'])} |", "|---" * 6 + "|"]
    for (depth, residual), found in table.items():
        medians = np.nanmedian(found, axis=1)
        for layer, (asked, every, margin, agree) in enumerate(medians, 1):
            numbers = f"{asked:.2f} | {every:.2f} | {margin:.2f} | {agree:.0%}"
            lines.append(f"| {depth}, {'with' if residual else 'without'} | {layer} | {numbers} |")
    return "\n".join(lines)


def together(sets: Sequence[att.TokenData], fields: Sequence[str] = "XZYv") -> att.TokenData:
    """The problems `sets` as one batch."""
    return att.TokenData(*(np.array([getattr(one, field) for one in sets]) for field in fields))


def accuracy(data: att.TokenData, W: NDArray) -> float:
    """The share of sequences whose output has the sign of the label."""
    return float(((att.softmax_weights(data, W) * data.scores).sum(axis=-1) > 0).mean())


@by_content
def study(problems: Sequence[tuple[att.TokenData, att.TokenData, float]], steps: int) -> tuple[Any, dict]:
    """Per problem (train, test, baseline): what the training of W found, and what it was worth."""
    data = together([train for train, _, _ in problems])
    run, found = att.train(data, iterations=steps, record=[0, 10, 30, 100, 300, steps]), []
    machines = att.frobenius_svm(data, run.tokens)
    for j, (machine, (train, test, baseline)) in enumerate(zip(machines, problems, strict=True)):
        ordered, W = np.sort(train.scores, axis=1), run.W[:, j]
        gaps = (ordered[:, -1] - ordered[:, -2]) / np.ptp(ordered, axis=1)
        is_best = train.optimal_sets[np.arange(len(train.Y)), run.tokens[j]]
        turned = att.correlation(W[-1], machine.W) if machine.feasible else np.nan
        found.append(
            {
                "correlation with the machine": turned,
                "margin": machine.margin,
                "share of best tokens selected": is_best.mean(),
                "score gap over range": np.median(gaps),
                "training accuracy": accuracy(train, W[-1]),
                "test, machine on means": baseline,
                "test, after 30 steps": accuracy(test, W[2]),
                "test, at the end": accuracy(test, W[-1]),
            }
        )
    return run, {name: np.array([row[name] for row in found]) for name in found[0]}


def gains_table(accuracies: Mapping[str, NDArray]) -> str:
    """Mean accuracies over the splits and their gains over the first of them, as a table in Markdown."""
    start, *_ = accuracies.values()
    lines = ["| classifier | accuracy | gain over the start |", "|---|---|---|"]
    for name, values in accuracies.items():
        lines.append(f"| {name} | {mean(values)} | {'' if values is start else mean(values - start)} |")
    return "\n".join(lines)
