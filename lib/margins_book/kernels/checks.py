"""Self-checks of the exercises on kernels: against features written out, or points left out one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margins_book.checking.verdicts import call, parts, praise, real_array, require, same_array


def ker_features(features: Callable[..., Any]) -> None:
    """Check of `features(K)`: vectors whose inner products are K, as short as its rank, or None."""
    rng = np.random.default_rng(0)
    full, flat = rng.normal(size=(5, 5)), rng.normal(size=(6, 2))
    twins = flat[[0, 1, 0, 2, 1]]
    for case, vectors, size in (
        ("one point, K = 4", np.array([[2.0]]), 1.0), ("five points in general position", full, 1.0),
        ("six points of a plane", flat, 1.0), ("the same, entries times 1e-6", flat, 1e-6),
        ("the same, entries times 1e6", flat, 1e6), ("points that come twice", twins, 1.0),
    ):
        K = size * vectors @ vectors.T
        _judge_features(call(features, K, case=case), K, np.linalg.matrix_rank(vectors), case=case)
    no_gram_matrices: tuple[tuple[Any, ...], ...] = (
        ("1 like 2 like 3, not 1", [[1.0, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]], "look at eigenvalues."),
        ("entries 1, 1.000001 and again", [[1, 1 + 1e-6], [1 + 1e-6, 1]], "beside 2, -1e-6 is no rounding"),
        ("entries 0, 1, 1, 0", [[0.0, 1], [1, 0]], "a vector of length 0 has no products but 0."),
        ("minus a Gram matrix", (-flat @ flat.T).tolist(), "lengths squared are not negative."),
        ("not symmetric, entries 1, 0, 0.5, 1", [[1.0, 0], [0.5, 1]], "compare K with its transpose."),
        ("not symmetric, entries 1, 0.5, 0, 1", [[1.0, 0.5], [0, 1]], "compare K with its transpose."),
        ("the same times 1e-12", [[1e-12, 5e-13], [0, 1e-12]], "rounding is small beside K's own entries."))
    for case, entries, hint in no_gram_matrices:
        got = call(features, np.array(entries), case=case)
        require(got is None, f"{case}: no Gram matrix, so None is expected, but got features. Hint: {hint}")
    praise("Right: as many columns as the rank, or the news that no vectors have these products.")


def _judge_features(got, K, rank, *, case):
    """As many rows as K, as many columns as its rank, and products that are its entries."""
    require(got is not None, f"{case}: None came, but it is a Gram matrix. Hint: rounding is not negative.")
    got = real_array(got, case=case, dims=2)
    require(
        len(got) == len(K),
        f"{case}: the answer has shape {got.shape}, expected ({len(K)}, {rank}).")
    width = got.shape[1]
    require(
        width == rank, f"{case}: {width} columns, but the rank is {rank}. Hint: which eigenvalues are zero?")
    scale = np.abs(K).max()
    same_array(
        got @ got.T / scale, K / scale, case=f"{case}, products of the rows", hint="roots of eigenvalues.")


def ker_nearest_mean(nearest_mean: Callable[..., Any]) -> None:
    """Check of `nearest_mean(K, y, K_new)`: the label of the nearer mean in feature space."""
    rng = np.random.default_rng(1)
    line, labels = np.array([[0.0], [1.0], [5.0]]), np.array([-1.0, -1.0, 1.0])
    new = np.array([[2.0], [2.6], [2.8], [-9.0], [2.75]])
    unequal = np.where(np.arange(12) < 3, 1.0, -1.0)
    cases = [
        ("points 0, 1 against 5", line, labels, new),
        ("the same, 100 higher", line + 100, labels, new + 100)]
    for trial in range(4):
        vectors = rng.normal(size=(12, 3)) + 2 * unequal[:, None] + 3
        order = rng.permutation(12)
        new = rng.normal(size=(40, 3)) * 3 + 3
        cases.append((f"three points against nine, trial {trial}", vectors[order], unequal[order], new))
    for case, vectors, y, new in cases:
        distances = [np.linalg.norm(new - vectors[y == label].mean(axis=0), axis=1) for label in (1, -1)]
        expected = np.where(distances[0] <= distances[1], 1.0, -1.0)
        got = call(nearest_mean, vectors @ vectors.T, y, vectors @ new.T, case=case)
        same_array(got, expected, case=case, hint="both means have a length, and classes a size.")
    praise("Right: distances to means of features, from kernel values alone.")


def ker_ridge_intercept(ridge_with_intercept: Callable[..., Any]) -> None:
    """Check of `ridge_with_intercept(K, y, penalty)`: the coefficients, and an intercept without penalty."""
    rng = np.random.default_rng(2)
    x = np.array([-1.0, 0, 2, 2, 7])
    flat = rng.normal(size=(7, 2)) + 3
    cases = (
        ("two orthogonal features, y = 1, 3, penalty 1", np.eye(2), np.array([1.0, 3.0]), 1.0),
        ("seven points of a plane, penalty 0.5", flat @ flat.T, rng.normal(size=7) + 10, 0.5),
        ("the same points, penalty 20", flat @ flat.T, rng.normal(size=7) - 10, 20.0),
        ("constant y", flat @ flat.T, np.full(7, 4.0), 0.1),
        ("K = -|x - x'|, penalty 0.3", -np.abs(np.subtract.outer(x, x)), np.array([1.0, 2, 0, 1, -1]), 0.3))
    for case, K, y, penalty in cases:
        got = call(ridge_with_intercept, K, y, penalty, case=case)
        got = parts(got, ("coefficients", "intercept"), case=case)
        a, b = _with_intercept(K, y, penalty)
        hint = "the coefficients sum to zero, and (K + penalty I) a + b = y."
        same_array(got[0], a, case=f"{case}, coefficients", hint=hint)
        same_array(got[1], b, case=f"{case}, intercept", hint=hint)
    praise("Right: the residuals are the penalty times the coefficients, and add up to zero.")


def _with_intercept(K, y, penalty):
    """The coefficients (n,) and the intercept, by eliminating the former."""
    ones = np.ones(len(y))
    of_y, of_ones = np.linalg.solve(K + penalty * np.eye(len(y)), np.column_stack([y, ones])).T
    b = of_y.sum() / of_ones.sum()
    return of_y - b * of_ones, b


def ker_loo_path(leave_one_out_path: Callable[..., Any]) -> None:
    """Check of `leave_one_out_path(K, y, penalties)`: mean squared errors of points left out."""
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(9, 3))
    twins = vectors[[0, 1, 2, 0, 1]]
    shapes = np.exp(-np.square(np.subtract.outer(np.arange(6.0), np.arange(6.0)) / 2))
    cases = (
        ("one point, K = 2, y = 3", np.array([[2.0]]), np.array([3.0]), [1.0, 5.0]),
        ("nine points of a space", vectors @ vectors.T, rng.normal(size=9), [0.1, 1.0, 10.0]),
        ("the same, penalties not in order", vectors @ vectors.T, rng.normal(size=9) + 5, [3.0, 0.01, 50.0]),
        ("points that come twice", twins @ twins.T, rng.normal(size=5), [0.5]),
        ("six points under a Gaussian kernel", shapes, rng.normal(size=6), [1e-3, 1.0]))
    for case, K, y, penalties in cases:
        expected = [np.mean(_left_out(K, y, penalty) ** 2) for penalty in penalties]
        got = call(leave_one_out_path, K, y, np.array(penalties), case=case)
        same_array(
            got, expected, case=case, hint="fit without the point, then judge that point; square; mean.")
    praise("Right: all the fits without a point, and none of them was made.")


def _left_out(K, y, penalty):
    """The errors (n,) of ridge regressions fitted without the point, one after the other."""
    errors = np.empty(len(y))
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        a = np.linalg.solve(K[np.ix_(rest, rest)] + penalty * np.eye(len(y) - 1), y[rest])
        errors[i] = y[i] - K[i, rest] @ a
    return errors
