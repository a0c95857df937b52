"""The bandwidth of Nadaraya-Watson regression by leave-one-out cross-validation.

Kernels of the form exp(-energy / temperature) square themselves when the temperature halves: a chain of
bandwidths costs one exponential, then one multiplication a step.
"""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike, Kernel
from margins.attention.energies import checked_kernel, negated_energies, points, sample_weights, temperature
from margins.kernels.gram import kernel_matrix, slices
from margins.validation import finite_array, same_length, squarable

BLOCK = 256  # two 256 x 256 tiles of float64 are a megabyte: they stay in the second-level cache
NEGLIGIBLE_EXPONENT = 50.0  # tiles beyond 50 temperatures are left out: exp(-50) = 2e-22
NEGLIGIBLE_WEIGHT = np.exp(-NEGLIGIBLE_EXPONENT)
SMALLEST_EXPONENT = 700.0  # exp(-708) is the smallest normal number
SMALLEST_TRUSTED_SUM = 1e-3  # rows of smaller sums are computed again, relative to their nearest neighbour
LONGEST_CHAIN = 10  # every step doubles the relative error of a weight


def loo_bandwidth(
    X: ArrayLike,
    y: ArrayLike,
    bandwidths: ArrayLike | None = None,
    *,
    kernel: str | Kernel = "gaussian",
    weights: ArrayLike | None = None,
) -> float:
    """The bandwidth with the smallest leave-one-out error; arguments as in `loo_errors`.

    (book: Attention as Nadaraya-Watson regression, Choosing the bandwidth)

    >>> x = np.linspace(0, 1, 9)
    >>> loo_bandwidth(x, x**2, [0.05, 0.1, 1.0])
    0.05
    """
    candidates, errors = loo_errors(X, y, bandwidths, kernel=kernel, weights=weights)
    return float(candidates[np.argmin(errors)])


def loo_errors(
    X: ArrayLike,
    y: ArrayLike,
    bandwidths: ArrayLike | None = None,
    *,
    kernel: str | Kernel = "gaussian",
    weights: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """Bandwidths h and their leave-one-out errors, the means of (y_i - f_h^(-i)(x_i))^2.

    f^(-i) is Nadaraya-Watson regression without point i. `X` is (n, d) or points on a line
    (n,), `y` is (n,) or (n, p). By default 100 bandwidths go from the diameter of the data
    down to a thousandth of it. `kernel` is a name or a function as for `nadaraya_watson`; where a
    function's values at a point sum to 0, the error is infinite. A weight w_i says how often point i
    is there: one of the w_i is left out, all of it where w_i <= 1, and the mean is weighted too
    (book: Attention as Nadaraya-Watson regression, Choosing the bandwidth).

    >>> bandwidths, errors = loo_errors([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], [0.1, 10.0])
    >>> errors.round(3)
    array([1.   , 0.503])
    """
    kernel = checked_kernel(kernel)
    X, y = points("X", X), finite_array("y", y, ndim=(1, 2), dtype=np.float64, min_rows=2)
    same_length(X=squarable("X", X), y=squarable("y", y))
    X, y, weights = _weighted(X, y, weights)
    if not isinstance(kernel, str):
        return _errors_by_function(kernel, X, y.reshape(len(y), -1), weights, bandwidths)
    bandwidths = _default_bandwidths(X) if bandwidths is None else _positive_vector(bandwidths, kernel)
    widest = np.argmax(np.ptp(X, axis=0))
    order = np.argsort(X[:, widest])  # neighbours share tiles, so far tiles can be left out
    X, responses = X[order], y.reshape(len(y), -1)[order]  # (n, d), (n, p)
    weights = None if weights is None else weights[order]
    targets, own = _targets(responses, weights)
    temperatures = temperature(kernel, bandwidths)
    energies = negated_energies(kernel, X, X, finest=temperatures.min())
    sums = _weighted_sums(energies, targets, temperatures) + own  # (bandwidths, n, p + 1)
    _repair_isolated_rows(energies, targets, own, temperatures, sums)
    return bandwidths, _mean_squares(sums, responses, weights)


def _weighted(X: Array, y: Array, weights: ArrayLike | None) -> tuple[Array, Array, Array | None]:
    """The points, the responses and the weights without the points of weight 0."""
    if weights is None:
        return X, y, None
    weights = sample_weights("weights", weights, len(X))
    if np.count_nonzero(weights) < 2:
        raise ValueError("weights must be > 0 for at least 2 points, or nothing remains when one is left out")
    return X[weights > 0], y[weights > 0], weights[weights > 0]


def _targets(responses: Array, weights: Array | None) -> tuple[Array, Array]:
    """Weighted responses and ones (n, p + 1), and the part of each that remains when the point is left out.

    Numerators and denominator come from one product. Weights count relative to the largest.
    """
    targets = np.column_stack([responses, np.ones(len(responses))])
    if weights is None:
        return targets, np.zeros_like(targets)
    remaining = np.maximum(weights - 1, 0)
    return targets * (weights / weights.max())[:, None], targets * (remaining / weights.max())[:, None]


def _mean_squares(sums: Array, responses: Array, weights: Array | None) -> Array:
    """The mean squared errors of the quotients of `sums` (bandwidths, n, p + 1), weighted: (bandwidths,)."""
    squares = np.square(responses - sums[..., :-1] / sums[..., -1:])
    return (
        squares.mean(axis=(1, 2))
        if weights is None
        else np.average(squares.mean(axis=2), axis=1, weights=weights)
    )


def _errors_by_function(kernel, X, responses, weights, bandwidths):
    """The same for a kernel that is a function; the error is inf where its values at some point sum to 0."""
    bandwidths = _default_bandwidths(X) if bandwidths is None else _positive_vector(bandwidths)
    targets, own = _targets(responses, weights)
    errors = np.full(len(bandwidths), np.inf)
    for b, h in enumerate(bandwidths):
        K = kernel_matrix(kernel, X / h, X / h)
        diagonal = np.diagonal(K)[:, None].copy()
        sums = (K - np.diagflat(diagonal)) @ targets + diagonal * own
        if sums[:, -1].min() > 0:
            errors[b] = _mean_squares(sums[None], responses, weights)[0]
    if not np.isfinite(errors).any():
        raise ValueError(
            "the kernel's values between points sum to 0 or less at every bandwidth; use larger ones"
        )
    return bandwidths, errors


def _default_bandwidths(X: Array) -> Array:
    """100 bandwidths from the diameter of the box around `X` down: ten of them halve h, five halve h^2."""
    diameter = np.linalg.norm(np.ptp(X, axis=0))
    return (diameter or 1.0) * 2 ** (-np.arange(100) / 10)


def _positive_vector(bandwidths: ArrayLike, kernel: str = "laplacian") -> Array:
    """A vector of bandwidths > 0 whose temperatures are numbers; a function's are they themselves."""
    got = np.atleast_1d(finite_array("bandwidths", bandwidths, dtype=np.float64))
    temperatures = temperature(kernel, got)
    if got.ndim != 1 or not ((temperatures > np.finfo(np.float64).tiny) & (temperatures < np.inf)).all():
        raise ValueError(f"bandwidths must be numbers > 0 whose squares are numbers, but they are {got}")
    return got


def halving_chains(temperatures: Array, indices: slice | Array = slice(None)) -> list[list[int]]:
    """Lists of those `indices` along which the temperatures halve."""
    halvings = np.log2(temperatures)
    chains: list[list[int]] = []
    chosen = np.arange(len(temperatures))[indices]
    for i in chosen[np.argsort(-halvings[chosen])].tolist():
        for chain in chains:
            if len(chain) < LONGEST_CHAIN and abs(halvings[chain[-1]] - 1 - halvings[i]) < 1e-12:
                chain.append(i)
                break
        else:
            chains.append([i])
    return chains


def _weighted_sums(energies, targets, temperatures):
    """Sums over j != i of weights times targets (bandwidths, n, p + 1), every pair of points visited once."""
    sums, chains = np.zeros((len(temperatures), *targets.shape)), halving_chains(temperatures)
    blocks = slices(len(targets), BLOCK)
    for i, I in enumerate(blocks):
        for J in blocks[i:]:
            E = energies(I, J)
            if I == J:
                np.fill_diagonal(E, -np.inf)  # point i is left out
            for b, weights in _weights_along(E, temperatures, chains):
                sums[b, I] += weights @ targets[J]
                if I != J:
                    sums[b, J] += weights.T @ targets[I]
    return sums


def _weights_along(E, temperatures, chains):
    """For every bandwidth that reaches the tile: its index and the weights exp(E / temperature), E <= 0."""
    nearest, furthest, weights = -E.max(), -E.min(), np.empty(E.shape)
    for chain in chains:
        for step, b in enumerate(chain):
            if nearest > NEGLIGIBLE_EXPONENT * temperatures[b]:
                break  # and so the rest of the chain, which is colder
            if step == 0:
                np.multiply(E, 1 / temperatures[b], out=weights)
                if furthest > SMALLEST_EXPONENT * temperatures[b]:  # exp is slow below the normal numbers
                    np.maximum(weights, -SMALLEST_EXPONENT, out=weights)
                np.exp(weights, out=weights)
            else:  # half the temperature of the step before
                np.multiply(weights, weights, out=weights)
            if step % 3 == 0 and furthest > NEGLIGIBLE_EXPONENT * temperatures[b]:
                # no digit changes, and three squarings do not reach the slow subnormal numbers
                weights += NEGLIGIBLE_WEIGHT
            yield b, weights


def _repair_isolated_rows(energies, targets, own, temperatures, sums):
    """The sums of points whose neighbours are all far, made again relative to the nearest neighbour.

    Where a part of the point itself remains, it is its own nearest neighbour.
    """
    isolated = sums[..., -1] < SMALLEST_TRUSTED_SUM  # (bandwidths, n)
    points_concerned = np.flatnonzero(isolated.any(axis=0))
    chains = halving_chains(temperatures, np.flatnonzero(isolated.any(axis=1)))
    for block in slices(len(points_concerned), BLOCK):
        rows = points_concerned[block]
        E = energies(rows, slice(None))
        E[np.arange(len(rows)), rows] = -np.inf
        E -= np.where(own[rows, -1:] > 0, 0, E.max(axis=1, keepdims=True))
        again = np.tile(own[rows], (len(temperatures), 1, 1))
        for J in slices(len(targets), BLOCK):
            for b, weights in _weights_along(E[:, J], temperatures, chains):
                again[b] += weights @ targets[J]
        sums[:, rows] = np.where(isolated[:, rows, None], again, sums[:, rows])
