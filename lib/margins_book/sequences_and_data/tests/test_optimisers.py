"""Sign descent, Adam and the machine of the max norm, against other computations of the same."""

import cvxpy
import numpy as np
import pytest

from margins import attention_svm as att
from margins_book.sequences_and_data import optimisers

DATA = att.random_token_data(3, 4, 3, rng=np.random.default_rng(7), batch=5)


def test_the_gradient_is_that_of_the_library():
    W = np.random.default_rng(0).normal(size=(5, 3, 3))
    found = optimisers.gradient(optimisers.leads_of(DATA), W.reshape(5, 9))
    np.testing.assert_allclose(found.reshape(5, 3, 3), att.loss_gradient(DATA, W), atol=1e-14)


def test_margins_are_those_of_the_library():
    W = np.random.default_rng(1).normal(size=(5, 3, 3))
    expected = [att.token_margins(one, one.optimal_tokens, V).min() for one, V in zip(DATA, W, strict=True)]
    np.testing.assert_allclose(optimisers.least_margins(DATA, W), expected)


def test_adam_is_its_formula():
    rule, slopes = optimisers.adam((0.9, 0.95), 1e-3), np.random.default_rng(2).normal(size=(6, 1, 4))
    found = [rule(G, k) for k, G in enumerate(slopes, start=1)][-1]
    first, second = (
        (1 - beta) * sum(beta ** (6 - k) * G**power for k, G in enumerate(slopes, start=1)) / (1 - beta**6)
        for beta, power in ((0.9, 1), (0.95, 2))
    )
    np.testing.assert_allclose(found, first / (np.sqrt(second) + 1e-3))


def test_steps_shrink_like_one_over_the_root():
    W = optimisers.descend(DATA, {"signs": optimisers.signs}, [1, 2], step=0.3)["signs"]
    assert abs(W[0]) == pytest.approx(0.3)
    assert abs(W[1] - W[0]) == pytest.approx(0.3 / np.sqrt(2))


def test_the_max_norm_is_as_small_as_a_general_solver_finds():
    for problem in DATA:
        W, multipliers = optimisers.max_svm(problem)
        A, V = optimisers.rivals(problem), cvxpy.Variable(9)
        least = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm_inf(V)), [A @ V >= 1]).solve(solver="CLARABEL")
        assert abs(W).max() == pytest.approx(least, rel=1e-6)
        assert multipliers.sum() / abs(multipliers @ A).sum() == pytest.approx(least, rel=1e-6)
