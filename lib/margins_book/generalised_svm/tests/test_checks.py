"""The checks of chapter 8 accept right answers that come by other ways than the reference's."""

import numpy as np
from scipy.optimize import minimize_scalar

from margins.attention_svm import TokenData, correlation, generalised_program, sparsemax
from margins_book.generalised_svm import checks
from tests.margins_book.accepted import accepted_by


@accepted_by(checks.gs_curvatures)
def test_ranges_may_be_found_by_halving(gamma, m):
    def more_than(count, lam):
        return (sparsemax(gamma / (2 * lam)) > 1e-12).sum() > count

    ends = []
    for count in (m - 1, m):  # the lambda from which on more than `count` tokens share
        low, high = 0.0, 100.0
        if not more_than(count, high):
            ends.append(np.inf)
            continue
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if more_than(count, middle) else (middle, high)
        ends.append(high)
    return np.array(ends).tolist()


@accepted_by(checks.gs_coefficient)
def test_the_best_coefficient_may_be_searched_for(F, M, G):
    def lost(angle):
        return -correlation(np.cos(angle) * F + np.sin(angle) * M, G)

    angles = np.linspace(-np.pi / 2, np.pi / 2, 2001)
    best = lost(angles[:, None, None]).argmin()
    if best in (0, 2000):
        return float("nan")
    around = angles[best - 1], angles[best + 1]
    found = minimize_scalar(lost, bounds=around, method="bounded", options={"xatol": 1e-12})
    return np.array(np.tan(found.x)) if abs(found.x) < np.pi / 2 - 1e-6 else np.nan


@accepted_by(checks.gs_parts)
def test_both_parts_may_come_from_a_conic_solver(X, kept, p):
    data = TokenData(X[None], np.eye(X.shape[1])[:1], [1.0], np.zeros(X.shape[1]))
    finite, direction = generalised_program(data, kept[None], np.where(kept, p, 0.0)[None])
    return [part.W[:, 0] if part.status == "optimal" else None for part in (finite, direction)]


def test_relu_mixtures_may_come_from_a_modelling_language():
    import cvxpy

    def relu_mixture(X, V):
        s = cvxpy.Variable(len(X))
        head = cvxpy.sum(cvxpy.pos((V @ X.T) @ s))
        cvxpy.Problem(cvxpy.Minimize(head), [s >= 0, cvxpy.sum(s) == 1]).solve(solver=cvxpy.CLARABEL)
        return s.value.tolist()

    checks.gs_relu_mixture(relu_mixture)
