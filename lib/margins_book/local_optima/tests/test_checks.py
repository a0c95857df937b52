"""The checks of chapter 7 accept right answers that come by other ways than the reference's."""

import numpy as np
from scipy.optimize import brentq, linprog, minimize
from scipy.stats import binom

from margins.attention_svm import TokenData, token_margins
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


@accepted_by(checks.lo_locally_optimal)
def test_a_choice_may_be_judged_by_the_library(X, Z, scores, tokens, W):
    ones = np.ones(len(X))
    data = TokenData(X, Z, ones, np.ones(X.shape[2]))
    near = token_margins(data, tokens, W) < 1 + 1e-6
    chosen = np.take_along_axis(scores, tokens[:, None], axis=1)
    return np.all((scores < chosen) | ~near)


@accepted_by(checks.lo_interval)
def test_an_interval_may_be_searched_for(hits, runs, level):
    tail = (1 - level) / 2
    low = brentq(lambda p: binom.sf(hits - 1, runs, p) - tail, 0, 1, xtol=1e-14) if hits else 0
    high = brentq(lambda p: binom.cdf(hits, runs, p) - tail, 0, 1, xtol=1e-14) if hits < runs else 1
    return [low, high]


@accepted_by(checks.lo_all_support)
def test_support_may_be_decided_by_a_linear_program(X, Z, tokens):
    rows = [
        np.outer(X[i, chosen] - x, Z[i]).ravel()
        for i, chosen in enumerate(tokens)
        for t, x in enumerate(X[i])
        if t != chosen
    ]
    gram = np.array(rows) @ np.array(rows).T
    return linprog(np.zeros(len(gram)), A_eq=gram, b_eq=np.ones(len(gram))).status == 0


@accepted_by(checks.lo_margin_product)
def test_the_margin_of_queries_may_come_from_a_general_solver(X, Z, Y, v):
    signed, start = Y[:, None] * Z, np.zeros(Z.shape[1])
    feasible = linprog(start, A_ub=-signed, b_ub=-np.ones(len(Y)), bounds=(None, None))
    if feasible.status != 0:
        return 0
    bounds = [{"type": "ineq", "fun": lambda u: signed @ u - 1, "jac": lambda u: signed}]
    u = minimize(
        lambda u: u @ u, feasible.x, jac=lambda u: 2 * u, constraints=bounds, method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    ).x  # fmt: skip
    scores = np.sort(Y[:, None] * (X @ v), axis=1)
    return np.min(scores[:, -1] - scores[:, -2]) / np.linalg.norm(u) / np.linalg.norm(v)


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
