"""Gram matrices as the solver sees them: blocks of entries and products, whether or not K itself is stored.

(book: SVM duality, Sequential minimal optimisation)
"""

from functools import cached_property

import numpy as np

from margins.kernels.distances import negated_squares
from margins.kernels.families import gaussian
from margins.svm.large import constants
from margins.svm.problem import weighted_rows


class GivenGram:
    """The matrix K (n, n) as it is."""

    is_coarse = False

    def __init__(self, K):
        self.K, self.dtype = K, K.dtype
        self.largest = float(max(np.abs(np.diagonal(K)).max(), np.abs(K[0]).max()))

    @property
    def exact(self):
        """The matrix itself; not stored as an attribute, for a cycle of references would keep its memory."""
        return self

    def diagonal(self):
        """The entries K_ii (n,)."""
        return np.diagonal(self.K)

    def rows(self, gradients):
        """The rows of K, one by one: a list is quicker to index than an array."""
        return list(self.K)

    def block(self, rows, columns):
        """The entries K_ij of some rows and columns, in memory of its own."""
        return self.K[np.ix_(rows, columns)]

    def full_rows(self, rows):
        """The rows of K with these indices (k, n)."""
        return self.K[rows]

    def product(self, beta):
        """The product K beta in float64 (n,)."""
        return weighted_rows(self.K, beta)

    def restricted(self, index):
        """The Gram matrix of the points `index`."""
        return GivenGram(self.block(index, index))

    def in_float64(self):
        return GivenGram(self.K.astype(np.float64, copy=False))


class FactoredGram:
    """The matrix K = F F' of low rank, never formed: its features are the rows of F (n, r)."""

    def __init__(self, F):
        self.F, self.dtype = F, np.dtype(np.float64)
        self.largest = float(np.einsum("ir,ir->i", F, F).max())

    def block(self, rows, columns):
        return self.F[rows] @ self.F[columns].T

    def product(self, beta):
        return self.F @ (beta @ self.F)


class GaussianGram:
    """The matrix exp(-gamma ||x_i - x_j||^2) of points X (n, d), in tiles that are made when they are needed.

    `dtype` is that of the entries; sums over them are kept in float64. Climbing in float32 takes half the
    time, so that only `exact` is in float64: the last gradient and Newton's method take it from there.
    """

    largest = 1.0

    def __init__(self, X, gamma, dtype=np.float32):
        points = np.sqrt(gamma) * (X - X.mean(axis=0, dtype=np.float64))
        if dtype == np.float64 or not np.abs(points).max() <= constants.FLOAT32_RADIUS:
            points, dtype = np.sqrt(gamma) * X, np.float64
        self.X, self.gamma, self.dtype = X, gamma, np.dtype(dtype)
        points = points.astype(dtype)
        self._exponents = negated_squares(points, points, scale=1.0)
        self._scratch = np.empty(constants.TILE, dtype)  # kept: fresh memory costs more than the kernel
        self.is_coarse = X.dtype == np.float64 and self.dtype == np.float32

    @property
    def exact(self):
        """The same matrix in float64."""
        return self if self.dtype == np.float64 else self._exact

    @cached_property
    def _exact(self):
        return GaussianGram(self.X, self.gamma, np.float64)

    def in_float64(self):
        """The same matrix in float64, for further climbing."""
        return self.exact

    @cached_property
    def stored(self):
        """The same matrix in float64, as a whole."""
        return GivenGram(gaussian(self.X.astype(np.float64, copy=False), gamma=self.gamma))

    def diagonal(self):
        return np.ones(len(self.X), self.dtype)

    def rows(self, gradients):
        """The rows of K, each made when a climb with these `gradients` first asks for it."""
        return RowsOnDemand(self, gradients)

    def block(self, rows, columns):
        return self._filled(rows, columns, len(columns))

    def full_rows(self, rows, out=None):
        """The rows of K with these indices (k, n), written into `out` if there is one."""
        return self._filled(rows, slice(None), len(self.X), out)

    def product(self, beta):
        """The product K beta (n,), summed in float64 tile by tile."""
        total, support = np.zeros(len(beta)), np.flatnonzero(beta)
        for first in range(0, len(support), constants.TILE_WIDTH):
            columns = support[first : first + constants.TILE_WIDTH]
            weights, step = beta[columns].astype(self.dtype), constants.TILE // len(columns)
            for start in range(0, len(total), step):
                rows = slice(start, min(start + step, len(total)))
                shape = rows.stop - start, len(columns)
                tile = self._scratch[: shape[0] * shape[1]].reshape(shape)
                self._fill(tile, rows, columns)
                total[rows] += tile @ weights
        return total

    def restricted(self, index):
        return GaussianGram(self.X[index], self.gamma, self.dtype)

    def _filled(self, rows, columns, width, out=None):
        """The entries K_ij of some rows and `width` columns, in new memory or in `out`."""
        block = np.empty((len(rows), width), self.dtype) if out is None else out
        step = max(1, constants.TILE // max(1, width))
        for start in range(0, len(rows), step):
            self._fill(block[start : start + step], rows[start : start + step], columns)
        return block

    def _fill(self, into, rows, columns):
        """Writes K[rows, columns], at most a little above 1 where rounding lifts an exponent."""
        self._exponents(rows, columns, into)
        np.exp(into, out=into)


class RowsOnDemand(dict):
    """The rows of a `GaussianGram`, made in batches: the one asked for, and those of the worst violators.

    A dictionary: looking up a row that is there costs no Python call.
    """

    def __init__(self, gram, gradients):
        self.gram, self.gradients = gram, gradients
        self.missing = np.ones(len(gram.X), bool)
        self.memory = np.empty((0, len(gram.X)), gram.dtype)  # for the next rows

    def __missing__(self, i):
        batch = self._batch(i)
        rows = self.gram.full_rows(batch, self._memory_for(len(batch)))
        self.update(zip(batch.tolist(), rows, strict=True))
        self.missing[batch] = False
        return self[i]

    def _batch(self, i):
        """The index i, and the missing rows of those points that violate optimality most: one batch."""
        growing, shrinking = self.gradients
        b, missing = (growing.max() + shrinking.min()) / 2, np.flatnonzero(self.missing)
        urgency = np.maximum(growing[missing] - b, b - shrinking[missing])  # (missing,)
        urgency[np.searchsorted(missing, i)] = np.inf
        few = min(constants.ROW_BATCH, len(missing))
        batch = np.argpartition(urgency, -few)[-few:]
        return missing[batch[urgency[batch] > 0]]

    def _memory_for(self, count):
        """Memory for some more rows (count, n)."""
        if len(self.memory) < count:
            n, size = self.memory.shape[1], self.memory.itemsize
            rows = max(count, min(n, constants.ROW_MEMORY // (n * size)))
            self.memory = np.empty((rows, n), self.memory.dtype)
        taken, self.memory = self.memory[:count], self.memory[count:]
        return taken
