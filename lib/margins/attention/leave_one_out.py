"""The bandwidth of Nadaraya-Watson regression by leave-one-out cross-validation.

Kernels of the form exp(-energy / temperature) square themselves when the temperature halves:
a ladder of bandwidths costs one exponential, then one multiplication a rung.

(book: Attention as Nadaraya-Watson regression, Choosing the bandwidth)
"""

import numpy as np

from margins.attention.energies import TEMPERATURE, negated_energies, points, temperature
from margins.kernels.gram import slices
from margins.octaves import near_one
from margins.validation import finite_array, one_of, same_length, squarable

BLOCK = 256  # two 256 x 256 tiles of float64 are a megabyte: they stay in the second-level cache
FAR = 50.0  # tiles beyond 50 temperatures are left out: exp(-50) = 2e-22
FLOOR = np.exp(-FAR)
SMALLEST_EXPONENT = 700.0  # exp(-708) is the smallest normal number
ISOLATED = 1e-3  # a row whose weights sum to less is computed again, relative to its nearest neighbour
LONGEST_LADDER = 10  # every rung doubles the relative error of a weight


def loo_bandwidth(X, y, bandwidths=None, *, kernel="gaussian"):
    """The bandwidth with the smallest leave-one-out error; arguments as in `loo_errors`.

    (book: Attention as Nadaraya-Watson regression, Choosing the bandwidth)

    >>> x = np.linspace(0, 1, 9)
    >>> loo_bandwidth(x, x**2, [0.05, 0.1, 1.0])
    0.05
    """
    bandwidths, errors = loo_errors(X, y, bandwidths, kernel=kernel)
    return float(bandwidths[np.argmin(errors)])


def loo_errors(X, y, bandwidths=None, *, kernel="gaussian"):
    """Bandwidths h and their leave-one-out errors, the means of (y_i - f_h^(-i)(x_i))^2.

    f^(-i) is Nadaraya-Watson regression without point i. `X` is (n, d) or points on a line
    (n,), `y` is (n,) or (n, p). By default 100 bandwidths go from the diameter of the data
    down to a thousandth of it (book: Attention as Nadaraya-Watson regression, Choosing the bandwidth).

    >>> bandwidths, errors = loo_errors([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], [0.1, 10.0])
    >>> errors.round(3)
    array([1.   , 0.503])
    """
    one_of("kernel", kernel, tuple(TEMPERATURE))
    X, y = points("X", X), finite_array("y", y, ndim=(1, 2), dtype=np.float64, min_rows=2)
    same_length(X=X, y=squarable("y", y))
    X, ((exponent,),) = near_one(X)
    bandwidths = _default_bandwidths(X) if bandwidths is None else _checked(bandwidths, kernel, exponent)
    widest = np.argmax(np.ptp(X, axis=0))
    order = np.argsort(X[:, widest])  # neighbours share tiles, so far tiles can be left out
    X, responses = X[order], y.reshape(len(y), -1)[order]  # (n, d), (n, p)
    targets = np.column_stack([responses, np.ones(len(y))])  # numerators and denominator in one product
    temperatures = temperature(kernel, bandwidths)
    energies = negated_energies(kernel, X, X, finest=temperatures.min())
    sums = _weighted_sums(energies, targets, temperatures)  # (bandwidths, n, p + 1)
    _repair_isolated_rows(energies, targets, temperatures, sums)
    residuals = responses - sums[..., :-1] / sums[..., -1:]
    return np.ldexp(bandwidths, exponent), np.square(residuals).mean(axis=(1, 2))


def _default_bandwidths(X):
    """100 bandwidths from the diameter of the box around `X` down: ten of them halve h, five halve h^2."""
    diameter = np.linalg.norm(np.ptp(X, axis=0))
    return (diameter or 1.0) * 2 ** (-np.arange(100) / 10)


def _checked(bandwidths, kernel, exponent):
    """A vector of positive bandwidths, over 2^exponent, whose temperatures are numbers."""
    came = np.atleast_1d(finite_array("bandwidths", bandwidths, dtype=np.float64, min_rows=0))
    bandwidths = np.ldexp(came, -exponent)
    temperatures = temperature(kernel, bandwidths)
    fits = (temperatures > np.finfo(np.float64).tiny) & (temperatures < np.inf)
    if came.ndim != 1 or not ((bandwidths > 0) & fits).all():
        raise ValueError(
            f"bandwidths must be a vector of numbers > 0 whose squares are numbers beside X, but {came} came"
        )
    return bandwidths


def _ladders(temperatures, indices=slice(None)):
    """Lists of those `indices` along which the temperatures halve."""
    octaves, ladders = np.log2(temperatures), []
    indices = np.arange(len(temperatures))[indices]
    for i in indices[np.argsort(-octaves[indices])]:
        for ladder in ladders:
            if len(ladder) < LONGEST_LADDER and abs(octaves[ladder[-1]] - 1 - octaves[i]) < 1e-12:
                ladder.append(i)
                break
        else:
            ladders.append([i])
    return ladders


def _weighted_sums(energies, targets, temperatures):
    """Sums over j != i of weights times targets (bandwidths, n, p + 1), every pair of points visited once."""
    sums, ladders = np.zeros((len(temperatures), *targets.shape)), _ladders(temperatures)
    blocks = slices(len(targets), BLOCK)
    for i, I in enumerate(blocks):
        for J in blocks[i:]:
            E = energies(I, J)
            if I == J:
                np.fill_diagonal(E, -np.inf)  # point i is left out
            for b, weights in _climb(E, temperatures, ladders):
                sums[b, I] += weights @ targets[J]
                if I != J:
                    sums[b, J] += weights.T @ targets[I]
    return sums


def _climb(E, temperatures, ladders):
    """For every bandwidth that reaches the tile: its index and the weights exp(E / temperature), E <= 0."""
    nearest, furthest, weights = -E.max(), -E.min(), np.empty(E.shape)
    for ladder in ladders:
        for rung, b in enumerate(ladder):
            if nearest > FAR * temperatures[b]:
                break
            if rung == 0:
                _weigh(E, temperatures[b], furthest, weights)
            else:
                np.multiply(weights, weights, out=weights)
            if rung % 3 == 0 and furthest > FAR * temperatures[b]:
                weights += FLOOR  # it changes no digit, and keeps three squarings away from subnormal numbers
            yield b, weights


def _weigh(E, temperature, furthest, out):
    """The weights exp(E / temperature) in `out`, cut off where exp is slow: below the normal numbers."""
    np.multiply(E, 1 / temperature, out=out)
    if furthest > SMALLEST_EXPONENT * temperature:
        np.maximum(out, -SMALLEST_EXPONENT, out=out)
    np.exp(out, out=out)


def _repair_isolated_rows(energies, targets, temperatures, sums):
    """The sums of points whose neighbours are all far, made again relative to the nearest neighbour."""
    isolated = sums[..., -1] < ISOLATED  # (bandwidths, n)
    points_concerned = np.flatnonzero(isolated.any(axis=0))
    ladders = _ladders(temperatures, np.flatnonzero(isolated.any(axis=1)))
    for block in slices(len(points_concerned), BLOCK):
        rows = points_concerned[block]
        E = energies(rows, slice(None))
        E[np.arange(len(rows)), rows] = -np.inf
        E -= E.max(axis=1, keepdims=True)
        again = np.zeros((len(temperatures), len(rows), targets.shape[1]))
        for J in slices(len(targets), BLOCK):
            for b, weights in _climb(E[:, J], temperatures, ladders):
                again[b] += weights @ targets[J]
        sums[:, rows] = np.where(isolated[:, rows, None], again, sums[:, rows])
