"""The checks of chapter 5 accept other right answers than the reference's."""

import numpy as np

from margins_book.random_features import checks
from tests.margins_book.accepted import accepted_by


def test_blocks_may_come_from_singular_vectors_or_gram_schmidt():
    def polar(G, lengths):
        U, _, W = np.linalg.svd(G)
        return (U @ W) * lengths[..., None]

    def gram_schmidt(G, lengths):
        rows = G.copy()
        for r in range(G.shape[1]):
            for s in range(r):
                rows[:, r] -= np.einsum("nd,nd->n", rows[:, r], rows[:, s])[:, None] * rows[:, s]
            rows[:, r] /= np.linalg.norm(rows[:, r], axis=1, keepdims=True)
        return rows * lengths[..., None]

    checks.rf_orthogonal_blocks(polar)
    checks.rf_orthogonal_blocks(gram_schmidt)


@accepted_by(checks.rf_witness)
def test_a_witness_may_be_the_eigenvector(w, n):
    values, vectors = np.linalg.eigh((np.abs(np.subtract.outer(range(n), range(n))) <= w).astype(float))
    return vectors[:, 0] if values[0] < -1e-9 else None


@accepted_by(checks.rf_projections_needed)
def test_numbers_may_have_32_bits_as_in_the_page(q, k, error):
    a, b = ((q + k) ** 2).sum(), ((q - k) ** 2).sum()
    needed = np.ceil(np.array([np.expm1(a), np.cosh(a) - 1, np.cosh(b) - 1]) / error**2)
    return np.maximum(1, needed.astype(np.int32))
