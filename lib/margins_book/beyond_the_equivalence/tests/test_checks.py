"""The checks of chapter 10 accept right answers that come by other ways than the reference's."""

from fractions import Fraction
from math import factorial

import numpy as np
from scipy.optimize import brentq

from margins.in_context import prompt_layers
from margins_book.beyond_the_equivalence import checks
from tests.margins_book.accepted import accepted_by


@accepted_by(checks.by_slots)
def test_slots_may_come_from_descent_on_the_weights(X, y, x_q, eta, layers):
    everyone = np.vstack([X, x_q])
    answers = prompt_layers(X, y, everyone, np.full(layers, eta))[-1] if layers else np.zeros(len(everyone))
    return (np.append(y, 0.0) - answers).tolist()


@accepted_by(checks.by_train)
def test_a_layer_may_be_trained_by_descent(prompts, values, queries, answers):
    d = queries.shape[1]
    g = np.einsum("bnd,bn->bd", prompts, values)
    M = np.zeros((d, d))
    step = 1 / np.linalg.norm(np.einsum("ba,bd->bad", queries, g).reshape(len(g), -1), 2) ** 2
    for _ in range(5000):
        left = answers - np.einsum("ba,ad,bd->b", queries, M, g)
        M = M + step * np.einsum("b,ba,bd->ad", left, queries, g)
    return M


@accepted_by(checks.by_linear_risk)
def test_a_risk_may_come_from_least_squares_on_stacked_rows(G, g_q, sigma, prior):
    root = np.sqrt(prior)[:, None]
    rows = np.vstack([root * G, sigma * np.eye(G.shape[1])])
    goal = np.append(root[:, 0] * g_q, np.zeros(G.shape[1]))
    return np.linalg.lstsq(rows, goal)[1][0]


def test_a_factor_may_be_searched_for():
    def loud_enough(k1, k2, v, target):
        def missing(c):
            return (k1 + c * k2) @ v - target * (k1 + c * k2).sum()

        ends = missing(0.0), missing(1e12)
        if abs(ends[0]) < 1e-12 or abs(ends[1]) < 1 or ends[0] * ends[1] > 0:
            return None
        return brentq(missing, 0, 1e12, xtol=1e-12)

    checks.by_loudness(lambda *arguments: np.nan if (c := loud_enough(*arguments)) is None else c)


@accepted_by(checks.by_outside)
def test_coefficients_may_be_exact_fractions(keys, values, degree):
    keys, values = ([Fraction(float(x)) for x in row] for row in (keys, values))
    Z = [sum(k**m for k in keys) / factorial(m) for m in range(degree + 1)]
    a, total, sums = [], Fraction(0), []
    for m in range(degree + 1):
        N = sum(v * k**m for k, v in zip(keys, values, strict=True)) / factorial(m)
        a.append((N - sum(a[i] * Z[m - i] for i in range(m))) / Z[0])
        total += factorial(m) * a[m] ** 2
        sums.append(float(total))
    return sums
