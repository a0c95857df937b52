"""Gram matrices as the solver sees them: entries and products of a stored K, or of one by its factor.

(book: SVM duality, Sequential minimal optimisation)
"""

import numpy as np

from margins.svm.problem import weighted_rows


class GivenGram:
    """The matrix K (n, n) as it is."""

    def __init__(self, K):
        self.K, self.dtype = K, K.dtype
        self.largest = float(max(np.abs(np.diagonal(K)).max(), np.abs(K[0]).max()))

    def diagonal(self):
        """The entries K_ii (n,)."""
        return np.diagonal(self.K)

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
        """The same matrix in float64."""
        return GivenGram(self.K.astype(np.float64, copy=False))


class FactoredGram:
    """The matrix K = F F' of low rank, never formed: its features are the rows of F (n, r)."""

    def __init__(self, F):
        self.F, self.dtype = F, np.dtype(np.float64)
        self.largest = float(np.einsum("ir,ir->i", F, F).max())

    def block(self, rows, columns):
        """The entries K_ij of some rows and columns."""
        return self.F[rows] @ self.F[columns].T

    def product(self, beta):
        """The product K beta (n,)."""
        return self.F @ (beta @ self.F)
