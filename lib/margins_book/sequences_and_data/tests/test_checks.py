"""The checks of chapter 9 accept right answers that come by other ways than the reference's."""

import numpy as np
from scipy.optimize import minimize

from margins.attention_svm import TokenData, causal_data, loss_gradient
from margins_book.sequences_and_data import checks
from tests.margins_book.accepted import accepted_by


@accepted_by(checks.sd_prefix_best)
def test_the_best_of_a_prefix_may_be_kept_while_walking(values, labels):
    low = high = 0
    found = []
    for k, (value, label) in enumerate(zip(values, labels, strict=True)):
        high = k if value > values[high] else high
        low = k if value < values[low] else low
        found.append(high if label > 0 else low)
    return found


def test_the_causal_gradient_may_come_from_the_library_or_position_by_position():
    def by_library(X, Y, v, W):
        if len(X) == 1:
            return np.zeros_like(W)
        return loss_gradient(causal_data(X[None], Y[None], v), W)

    def by_position(X, Y, v, W):
        total = np.zeros_like(W)
        for k in range(1, len(X)):
            seen = np.stack([X[: k + 1]])
            total += loss_gradient(TokenData(seen, X[k][None], Y[k][None], v), W)
        return total / len(X)

    for gradient in (by_library, by_position):
        checks.sd_causal_gradient(gradient)


@accepted_by(checks.sd_collapse)
def test_the_rate_of_collapse_may_come_from_a_general_solver(X, selected, e):
    D = X[selected] - np.delete(X, selected, axis=0)

    def squared(lam):
        rest = e + lam @ D
        return rest @ rest, 2 * D @ rest

    bounds = [(0, None)] * len(D)
    options = {"ftol": 1e-16, "gtol": 1e-12, "maxiter": 1000}
    found = minimize(squared, np.ones(len(D)), jac=True, bounds=bounds, options=options)
    return np.sqrt(found.fun) if found.fun > 1e-12 else 0


@accepted_by(checks.sd_mirror_step)
def test_a_mirror_step_may_be_taken_entry_by_entry(W, G, p, step):
    size = sum(abs(g) ** (p / (p - 1)) for g in G.ravel()) ** ((p - 1) / p)
    answer = np.zeros(W.shape)
    for place, w in np.ndenumerate(W):
        theta = np.copysign(abs(w) ** (p - 1), w) - step * G[place] / size
        answer[place] = np.copysign(abs(theta) ** (1 / (p - 1)), theta)
    return answer.tolist()
