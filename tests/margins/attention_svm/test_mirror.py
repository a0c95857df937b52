"""Mirror descent and the machines of p-norms, against descent, other solvers and their certificates."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from margins.attention_svm import frobenius_svm, mirror, random_token_data, token_margins, train


def test_at_two_it_is_normalised_descent():
    data = random_token_data(2, 4, 3, rng=np.random.default_rng(0))
    W = mirror.mirror_descent(data, 2, iterations=300)
    assert_allclose(W, train(data, iterations=300, record=1).W[-1], atol=1e-8)


@pytest.mark.parametrize("p", [1.3, 2.0, 4.0])
def test_norms_are_numpys_and_do_not_overflow(p):
    W = np.random.default_rng(2).normal(size=(3, 3))
    assert mirror.entry_norm(W, p) == pytest.approx(np.linalg.norm(W.ravel(), p))
    assert mirror.entry_norm(1e300 * W, p) == pytest.approx(1e300 * np.linalg.norm(W.ravel(), p))
    assert mirror.entry_norm(np.zeros((2, 2)), p) == 0


@pytest.mark.parametrize("p", [1.5, 2.0, 3.0])
def test_machines_are_those_of_a_general_minimiser(p):
    data = random_token_data(2, 3, 3, rng=np.random.default_rng(3))
    best = data.optimal_tokens
    solution = mirror.entry_svm(data, best, p)
    assert token_margins(data, best, solution.W).min() == pytest.approx(1)

    def ahead(w):
        margins = token_margins(data, best, w.reshape(3, 3))
        return margins[np.isfinite(margins)] - 1

    start = frobenius_svm(data, best).W.ravel()
    found = minimize(
        lambda w: (np.abs(w) ** p).sum(),
        start,
        constraints={"type": "ineq", "fun": ahead},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert mirror.entry_norm(solution.W, p) == pytest.approx(found.fun ** (1 / p), rel=1e-4)
    assert -1e-9 < solution.gap < 1e-6
    assert (solution.status, replace(solution, gap=1e-5).status) == ("optimal", "inaccurate")


def test_mirror_descent_goes_on_from_where_it_starts():
    data = random_token_data(2, 4, 3, rng=np.random.default_rng(0))
    whole = mirror.mirror_descent(data, 1.5, iterations=30)
    half = mirror.mirror_descent(data, 1.5, iterations=10)
    assert_allclose(mirror.mirror_descent(data, 1.5, start=half, iterations=20), whole, atol=1e-9)


@pytest.mark.parametrize("p", [1.5, 2.0, 3.0])
def test_a_step_has_the_length_that_was_asked_for_in_the_dual_norm(p):
    data = random_token_data(2, 4, 3, rng=np.random.default_rng(0))
    W = mirror.mirror_descent(data, p, iterations=1, step=0.3)
    assert mirror.entry_norm(mirror.mirrored(W, p), mirror.conjugate(p)) == pytest.approx(0.3)
