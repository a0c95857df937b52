"""The checks of chapter 5 accept right answers that come by other ways than the reference's."""

import numpy as np

from margins import random_features as rf
from margins_book.random_features import checks
from tests.margins_book.accepted import accepted_by


@accepted_by(checks.rf_go_on)
def test_going_on_may_use_the_masked_matrix(state, phi_q, phi_k, V):
    ones = np.column_stack([V, np.ones(len(V))])
    sums = phi_q @ state + np.tril(phi_q @ phi_k.T) @ ones
    return [sums[:, :-1] / sums[:, -1:], state + phi_k.T @ ones]


@accepted_by(checks.rf_projections_needed)
def test_projections_may_be_counted_with_the_library_s_variances(q, k, error):
    kinds = ("positive", "hyperbolic", "trigonometric")
    single = [float(rf.softmax_feature_variance(q, k, 1, kind)) for kind in kinds]
    allowed = (error * np.exp(q @ k)) ** 2
    return [max(1, int(np.ceil(variance / allowed))) for variance in single]


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


@accepted_by(checks.rf_jackknife)
def test_the_jackknife_may_be_a_mean_of_pseudo_values(N, Z):
    m, whole = len(Z), N.sum(axis=0) / Z.sum()
    pseudo = [m * whole - (m - 1) * np.delete(N, r, 0).sum(axis=0) / np.delete(Z, r).sum() for r in range(m)]
    return np.mean(pseudo, axis=0)


@accepted_by(checks.rf_no_overflow)
def test_a_performer_may_work_in_logarithms(Q, K, V, omega):
    logits = np.logaddexp.reduce(
        (Q @ omega.T)[:, None] + (K @ omega.T - (K * K).sum(axis=1, keepdims=True) / 2), axis=-1
    )
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights @ V / weights.sum(axis=1, keepdims=True)


@accepted_by(checks.rf_witness)
def test_a_witness_may_be_the_eigenvector(w, n):
    values, vectors = np.linalg.eigh((np.abs(np.subtract.outer(range(n), range(n))) <= w).astype(float))
    return vectors[:, 0] if values[0] < -1e-9 else None
