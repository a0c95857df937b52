"""In-context regression: layers of linear attention that fit the examples of their prompt.

A token is (x, slot): an example's slot begins at its value y, that of the query at 0.
"""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.validation import count, finite_array, positive, same_length


def prompt_layers(
    X: ArrayLike, y: ArrayLike, queries: ArrayLike, steps: ArrayLike, *, masked: bool = True
) -> Array:
    """The predictions (L + 1, m) in the query's slot after 0, 1, ..., L layers of linear attention.

    Layer l adds -eta_l <x_i, x_j> r_j to the slot r_i, summed over the keys j: the examples, and if not
    `masked` the query too. Masked, the slots are the residuals of l steps of gradient descent from 0 on
    (1/2) sum_j (y_j - <w, x_j>)^2, and the query's is -<w_l, x_q>. `X` is (n, d), `y` (n,), each row of
    `queries` (m, d) has a prompt of its own, and `steps` (L,) are the eta_l
    (book: Beyond the equivalence, Learning in the prompt).

    >>> X, y = np.array([[1.0], [2.0]]), np.array([2.0, 4.0])
    >>> prompt_layers(X, y, [[3.0]], steps=[0.1, 0.1, 0.1])[:, 0]  # towards 2 * 3
    array([-0.  ,  3.  ,  4.5 ,  5.25])
    """
    X, queries = (finite_array(n, x, ndim=2, dtype=np.float64) for n, x in (("X", X), ("queries", queries)))
    y, steps = (finite_array(n, x, ndim=1, dtype=np.float64) for n, x in (("y", y), ("steps", steps)))
    same_length(X=X, y=y)
    if X.shape[1] != queries.shape[1]:
        raise ValueError(f"queries must have {X.shape[1]} columns as X has, but its shape is {queries.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        seen = np.array(list(_layer_by_layer(X, y, queries, steps, masked)))  # (L + 1, m)
    if not np.isfinite(seen).all():
        raise ValueError("the predictions overflow: X and queries times the steps must be smaller")
    return seen


def _layer_by_layer(X, y, queries, steps, masked):
    """The predictions (m,) after 0, 1, ... of the layers with these `steps`."""
    gram, cross = X @ X.T, queries @ X.T  # (n, n), (m, n)
    own = np.zeros(len(queries)) if masked else np.square(queries).sum(axis=1)  # (m,)
    slots, asked = np.tile(y, (len(queries), 1)), np.zeros(len(queries))  # (m, n), (m,)
    yield -asked
    for eta in steps:
        heard = slots @ gram + (0 if masked else asked[:, None] * cross)  # (m, n)
        asked = asked - eta * ((cross * slots).sum(axis=1) + own * asked)
        slots = slots - eta * heard
        yield -asked


def best_single_layer(covariance: ArrayLike, n: int, noise: float) -> Array:
    """The matrix M (d, d) with the least mean squared error of x_q' M X'y over random linear tasks.

    M = ((n + 1) S + (tr S + noise^2) I)^-1 for prompts of n examples with x ~ N(0, S), y = <w, x> + an
    error of standard deviation `noise`, and w of mean 0 and covariance I
    (book: Beyond the equivalence, What training puts into a layer).

    >>> best_single_layer(np.eye(2), n=6, noise=1.0)
    array([[0.1, 0. ],
           [0. , 0.1]])
    """
    S = finite_array("covariance", covariance, ndim=2, dtype=np.float64)
    if S.shape[0] != S.shape[1] or not np.allclose(S, S.T) or np.linalg.eigvalsh(S)[0] <= 0:
        raise ValueError(f"covariance must be symmetric positive definite, but got {S.tolist()}")
    n, noise = count("n", n), positive("noise", noise, allow_zero=True)
    return np.linalg.inv((n + 1) * S + (np.trace(S) + noise**2) * np.eye(len(S)))


def chebyshev_steps(low: float, high: float, layers: int) -> Array:
    """The steps (L,) whose residual polynomial prod_l (1 - eta_l s) is smallest on [low, high].

    They are the inverse zeros of the Chebyshev polynomial of degree L moved to [low, high]
    (book: Beyond the equivalence, Depth is more steps).

    >>> steps = chebyshev_steps(1.0, 4.0, layers=2)
    >>> np.prod(1 - np.outer([1.0, 2.5, 4.0], steps), axis=1).round(4)  # equally large at both ends
    array([ 0.2195, -0.2195,  0.2195])
    """
    low, high, layers = positive("low", low), positive("high", high), count("layers", layers)
    if not low < high:
        raise ValueError(f"high must exceed low={low:g}, but got {high:g}")
    zeros = np.cos(np.pi * (np.arange(layers) + 0.5) / layers)  # (L,)
    return 1 / ((high + low) / 2 + (high - low) / 2 * zeros)
