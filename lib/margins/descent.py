"""Gradient descent on the logistic loss without intercept, and the direction it turns to."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.svm import NotSeparableError, smo
from margins.validation import ascending_counts, count, finite_array, positive, same_length, signs, squarable


@frozen
class Descent:
    """The recorded iterates of a descent: after `steps[k]` steps the weights are `weights[k]`.

    (book: SVM duality, What gradient descent wants)

    >>> Descent(np.array([0, 10]), np.array([[0.0, 0.0], [3.0, 4.0]])).directions
    array([[0. , 0. ],
           [0.6, 0.8]])
    """

    steps: Array  # (r,)
    weights: Array  # (r, d)

    @property
    def norms(self) -> Array:
        """The lengths ||w|| (r,)."""
        return np.linalg.norm(self.weights, axis=1)

    @property
    def directions(self) -> Array:
        """The unit vectors w / ||w||, zero where w is (r, d)."""
        norms = self.norms[:, None]
        return np.divide(self.weights, norms, out=np.zeros_like(self.weights), where=norms > 0)

    def angles(self, direction: ArrayLike) -> Array:
        """The angles in radians between the iterates and a fixed direction (r,)."""
        direction = _vector("direction", direction, self.weights.shape[1])
        if not direction.any():
            raise ValueError("direction must not be 0, to which no vector has an angle")
        unit = direction / np.linalg.norm(direction)
        # 2 arcsin(half the chord) keeps the digits that arccos of a number near 1 loses
        chords = np.linalg.norm(self.directions - unit, axis=1)
        return 2 * np.arcsin(np.minimum(chords / 2, 1))


def logistic_descent(
    X: ArrayLike,
    y: ArrayLike,
    steps: int,
    *,
    step_size: float | None = None,
    normalised: bool = False,
    record: Sequence[int] | None = None,
) -> Descent:
    """Gradient descent from w = 0 on the logistic loss L(w) = sum_i log(1 + exp(-y_i w.x_i)).

    A step is w <- w - eta grad L(w), or, normalised, w <- w - eta grad L(w) / ||grad L(w)||. On
    separable data both turn to the max-margin direction, the first like 1 / log t, the second like
    1 / t. The default eta is the inverse smoothness of L, 4 / (largest eigenvalue of X'X), or
    1 / max ||x_i|| when normalised. Iterates are recorded after the step counts `record` (ascending),
    by default about a hundred spread evenly in log t (book: SVM duality, What gradient descent wants).

    >>> path = logistic_descent([[1.0, 0.2], [-1.0, 0.1]], [1, -1], 1000, record=[0, 10, 1000])
    >>> path.directions.round(3)
    array([[0.   , 0.   ],
           [0.999, 0.049],
           [0.999, 0.046]])
    """
    Z = squarable("X", _signed_points(X, y))
    steps = count("steps", steps)
    record = _log_spaced(steps) if record is None else ascending_counts("record", record, at_most=steps)
    eta = _default_step_size(Z, normalised) if step_size is None else positive("step_size", step_size)
    w, done, weights, direction_at = np.zeros(Z.shape[1]), 0, [], _descent_direction(Z, normalised)
    for wanted in record:
        for _ in range(wanted - done):
            step = direction_at(w)
            step *= eta
            w += step
        done = wanted
        weights.append(w.copy())
    return Descent(np.array(record), np.array(weights))


def _default_step_size(Z, normalised):
    """The inverse smoothness 4 / ||Z||^2 of the loss, or 1 / max ||z_i|| for normalised steps."""
    if not Z.any():
        raise ValueError("X must hold a point other than 0 to set a step_size by; every point is 0")
    return 1 / np.linalg.norm(Z, axis=1).max() if normalised else 4 / np.linalg.norm(Z, ord=2) ** 2


def logistic_loss(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> float:
    """The logistic loss sum_i log(1 + exp(-y_i w.x_i)), without overflow.

    (book: SVM duality, What gradient descent wants)

    >>> round(logistic_loss([[1.0], [-1.0]], [1, -1], [0.0]), 4)  # 2 log 2
    1.3863
    """
    Z = _signed_points(X, y)
    return float(np.logaddexp(0, -Z @ _vector("w", w, Z.shape[1])).sum())


def hard_margin_direction(X: ArrayLike, y: ArrayLike) -> Array:
    """The unit vector w that maximises the margin min_i y_i w.x_i of a hyperplane through the origin (d,).

    It comes from the hard margin with intercept on the points z_i = y_i x_i, labelled +1, and their mirror
    images -z_i, labelled -1: by symmetry that intercept is 0. A `NotSeparableError` says that no
    hyperplane through the origin separates (book: SVM duality, What gradient descent wants).

    >>> hard_margin_direction([[2.0, 0.0], [0.0, 2.0], [-3.0, -3.0]], [1, 1, -1]).round(4)
    array([0.7071, 0.7071])
    """
    Z = squarable("X", _signed_points(X, y))
    mirrored = np.concatenate([Z, -Z])  # (2n, d)
    labels = np.repeat([1.0, -1.0], len(Z))
    try:
        solution = smo(mirrored @ mirrored.T, labels, trusted=True)
    except NotSeparableError as error:
        ray = error.ray[: len(Z)] + error.ray[len(Z) :]
        raise NotSeparableError("no hyperplane through the origin separates the classes", ray) from error
    w = (solution.alpha * labels) @ mirrored
    return w / np.linalg.norm(w)


def _vector(name: str, value: ArrayLike, d: int) -> Array:
    """A vector of d numbers (d,)."""
    vector = finite_array(name, value, ndim=1, dtype=np.float64)
    if len(vector) != d:
        raise ValueError(f"{name} must have {d} entries, one a column of X, but it has {len(vector)}")
    return vector


def _signed_points(X: ArrayLike, y: ArrayLike) -> Array:
    """The points z_i = y_i x_i, which a weight vector classifies correctly where w.z_i > 0 (n, d)."""
    X = finite_array("X", X, ndim=2, dtype=np.float64)
    y = signs("y", y)
    same_length(X=X, y=y)
    return y[:, None] * X


def _descent_direction(Z, normalised):
    """The function of w that gives the negative gradient of the loss there, or its unit vector (d,).

    -grad L = sum_i s_i z_i with log s_i = -log(1 + exp(z_i.w)). Once every margin exceeds 745 all s_i
    round to zero and the unit vector to 0 / 0; not if the s_i are first divided by their largest.
    Few points take less time than new memory does, so each answer is written over the one before.
    """
    zero, slopes, direction = np.zeros(()), np.empty(len(Z)), np.empty(Z.shape[1])

    def direction_at(w):
        Z.dot(w, out=slopes)
        np.logaddexp(zero, slopes, out=slopes)  # -log s_i
        least = slopes[slopes.argmin()] if normalised else zero  # quicker than min() for few points
        np.subtract(least, slopes, out=slopes)
        np.exp(slopes, out=slopes)
        slopes.dot(Z, out=direction)
        if normalised and (length := math.sqrt(direction.dot(direction))) > 0:
            np.divide(direction, length, out=direction)
        return direction

    return direction_at


def _log_spaced(steps):
    """About a hundred step counts from 0 to `steps`, evenly spread in their logarithm."""
    return [0, *np.unique(np.geomspace(1, steps, 100).round().astype(int)).tolist()]
