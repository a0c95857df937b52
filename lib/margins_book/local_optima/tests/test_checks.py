"""The checks of chapter 7 accept other right answers than the reference's."""

import numpy as np

from margins_book.local_optima import checks
from tests.margins_book.accepted import accepted_by


@accepted_by(checks.lo_locally_optimal)
def test_a_choice_may_be_judged_by_distances_sorted(X, Z, scores, tokens, W):
    for i, chosen in enumerate(tokens):
        heights = X[i] @ W @ Z[i]
        behind = np.argsort(heights)[::-1]
        near = [t for t in behind if t != chosen and heights[chosen] - heights[t] < 1.00001]
        if not all(scores[i, t] < scores[i, chosen] for t in near):
            return 0
    return 1


@accepted_by(checks.lo_lower_rank)
def test_a_machine_of_lower_rank_may_be_found_by_random_equations(W, a, z):
    rng = np.random.default_rng(0)
    while True:
        U, sizes, Vt = np.linalg.svd(W)
        r = int((sizes > 1e-8 * sizes[0]).sum())
        margins = np.einsum("ci,ij,cj->c", a, W, z)
        touching = margins < 1 + 1e-8
        if r * (r + 1) <= 2 * touching.sum():
            return W
        root = np.sqrt(sizes[:r])
        left, right = U[:, :r] * root, Vt[:r].T * root
        rows = [np.outer(p, q) + np.outer(q, p) for p, q in zip(a @ left, z @ right, strict=True)]
        rows, upper = np.array([*rows, 2 * np.diag(sizes[:r])]), np.triu_indices(r)
        equal = rows[[*touching, True]][:, *upper] * np.where(upper[0] == upper[1], 0.5, 1.0)
        null = np.linalg.svd(equal)[2][np.linalg.matrix_rank(equal, tol=1e-9 * np.abs(equal).max()) :]
        D = np.zeros((r, r))
        D[upper] = rng.normal(size=len(null)) @ null
        D = D + np.triu(D, 1).T
        slopes = np.einsum("cij,ij->c", rows[:-1], D) / 2
        to_edge = -1 / np.linalg.eigvalsh(D)[0]
        inactive = ~touching & (slopes < 0)
        step = min([to_edge, *(1 - margins[inactive]) / slopes[inactive]])
        W = left @ (np.eye(r) + step * D) @ right.T
