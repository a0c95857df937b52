"""Pivots, the ridge of their factor and the gradient steps before them."""

import numpy as np
from scipy.linalg import cho_solve

from margins.attention_svm import frobenius_svm
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.pivoting import pivoted_multipliers, ridged_factor
from tests.margins.attention_svm.draws import draw


def test_dependent_constraints_can_be_factored():
    rows = np.random.default_rng(0).normal(size=(300, 2))
    gram = rows @ rows.T
    right = gram @ np.ones(300)
    solution = cho_solve(ridged_factor(gram.copy()), right)
    np.testing.assert_allclose(gram @ solution, right, atol=1e-6 * np.abs(right).max())


def test_the_ridge_grows_until_rounding_is_harmless():
    slightly_indefinite = np.array([[1.0, 1.0], [1.0, 1.0 - 1e-11]])
    factor, _ = ridged_factor(slightly_indefinite)
    assert np.isfinite(factor).all()
    assert 0 < slightly_indefinite[0, 0] - 1.0 < 1e-9


def test_the_ridge_is_measured_by_the_largest_entry():
    factor, _ = ridged_factor(np.diag([1.0, 1e-20]))
    np.testing.assert_allclose(np.diagonal(factor), [1.0, 1e-13**0.5], rtol=1e-6)


def test_pivots_mend_a_working_set():
    """From the support, with three pairs of it exchanged for others."""
    data = draw(20, 10, 10)
    constraints = pair_constraints(data, data.optimal_tokens)
    svm = frobenius_svm(data, data.optimal_tokens)
    expected = constraints.spread(svm.multipliers, elsewhere=0.0)
    working = expected > 0
    for members in (np.argwhere(working)[:3], np.argwhere(constraints.present & ~working)[:3]):
        working[*members.T] ^= True
    found = pivoted_multipliers(constraints, working)
    np.testing.assert_allclose(found, expected, atol=1e-9 * expected.max())


def test_exchanges_that_do_not_end_are_given_up(monkeypatch):
    """Multipliers that are always wrong at as many pairs; a fiftieth exchange would be an error."""
    data = draw(5, 6, 5)
    constraints = pair_constraints(data, data.optimal_tokens)
    always = iter([-1.0 * constraints.present] * 49)
    # no problem is known whose exchanges never end, so the multipliers are made up
    monkeypatch.setattr("margins.attention_svm.pivoting._stationary_multipliers", lambda *_: next(always))
    assert pivoted_multipliers(constraints, constraints.present & (np.arange(5) == 3)[:, None]) is None
