"""The checks of chapter 7 accept other right answers than the reference's."""

import numpy as np
import pytest
from scipy.stats import beta

from margins_book.checking.verdicts import CheckFailed
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


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"high0": 0.0}, "0 of 10, high: .* Hint: the upper end makes 0 hits as likely as 0.025."),
        ({"low0": 0.1}, "0 of 10, low: .* Hint: without a hit the lower end is 0."),
        ({"low10": 0.0}, "10 of 10, low: .* Hint: the lower end makes 10 hits as likely as 0.025."),
        ({"high10": 0.9}, "10 of 10, high: .* Hint: if all are hits the upper end is 1."),
    ],
)
def test_each_end_of_an_interval_has_its_own_hint(wrong, message):
    def exact_interval(hits, runs, level):
        tail = (1 - level) / 2
        low = beta.ppf(tail, hits, runs - hits + 1) if hits else 0.0
        high = beta.ppf(1 - tail, hits + 1, runs - hits) if hits < runs else 1.0
        return wrong.get(f"low{hits}", low), wrong.get(f"high{hits}", high)

    with pytest.raises(CheckFailed, match=f"^{message}$"):
        checks.lo_interval(exact_interval)
