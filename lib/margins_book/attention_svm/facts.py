"""What the checks of attention's support vector machine measure: derivatives, projections, limits, a table.

(book: Attention converges to an SVM)
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margins import attention_svm as att
from margins_book.experiments.estimates import mean
from margins_book.experiments.published import published


def slopes_at(data: att.TokenData, W: NDArray) -> NDArray:
    """The gradients of the loss at many W (..., d, d)."""
    parts = (data.X, data.Z, data.Y, data.v)
    copies = [np.broadcast_to(a, (*W.shape[:-2], *a.shape)) for a in parts]
    return att.loss_gradient(att.TokenData(*copies), W)


def curvatures(data: att.TokenData, W: NDArray, h: float = 1e-5) -> NDArray:
    """The eigenvalues of the Hessian of the loss at each W (m, d, d), by central differences of step h."""
    size = W.shape[-1] ** 2
    units = h * np.eye(size).reshape(-1, *W.shape[1:])  # every entry of W alone
    slopes = slopes_at(data, W[:, None] + units) - slopes_at(data, W[:, None] - units)
    return np.linalg.eigvalsh(slopes.reshape(-1, size, size) / (2 * h))


def leaders_part(problem: att.TokenData, W: NDArray, E: NDArray) -> NDArray:
    """The part of E in the span of the matrices x z' of the tokens that W selects."""
    selected = att.softmax_weights(problem, W).argmax(axis=1)
    leaders = problem.X[np.arange(len(selected)), selected]
    span = np.einsum("nd,ne->nde", leaders, problem.Z).reshape(len(leaders), -1)
    return (np.linalg.lstsq(span.T, E.ravel())[0] @ span).reshape(E.shape)


def limit_of(radii: ArrayLike, distances: ArrayLike) -> float:
    """The limit of distances that differ from it by a multiple of 1/R, from the last two radii."""
    products = np.multiply(radii, distances)
    return (np.diff(products) / np.diff(radii))[-1]


def beside_the_plots(aligned: Mapping[str, Mapping[str, NDArray]], steps: Sequence[int]) -> Iterator[str]:
    """For each form of training and each number of steps the mean correlations with both machines, in a line.

    `aligned` has an array (steps, runs) for each machine of each form; behind them what the paper plots.
    """
    known = published("local-convergence")
    for form, with_norm in aligned.items():
        for k, step in enumerate(steps):
            found = [mean(of[k]) for of in with_norm.values()]
            each = ", ".join(f"{m.value:.3f} ± {m.high - m.value:.3f}" for m in found)
            seen = [known.get((f"form={form} iteration={step}", name.lower())) for name in with_norm]
            values = [value for value in seen if value is not None]
            plotted = "; plotted " + ", ".join(f"{s.value:.3f}" for s in values)
            yield f"{form:8} {step:4}: {each}" + plotted * (len(values) == len(seen))
