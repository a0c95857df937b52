"""Solutions: gaps, support tokens, correlations."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from margins.attention_svm import correlation, frobenius_svm, random_token_data, token_margins
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.solution import solved
from tests.margins.attention_svm.draws import draw


@pytest.mark.parametrize(("blur", "status"), [(1e-6, "optimal"), (1e-3, "inaccurate")])
def test_a_gap_above_a_billionth_is_confessed(blur, status):
    """The gap grows with the square of what is wrong with the multipliers, here 1e-12 or 1e-6."""
    data = random_token_data(3, 3, 6, rng=np.random.default_rng(0))
    svm = frobenius_svm(data, data.optimal_tokens)
    constraints = pair_constraints(data, data.optimal_tokens)
    multipliers = svm.multipliers * (1 + blur * np.where(np.arange(len(svm.multipliers)) % 2, 1, -1))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        again = solved(constraints, "frobenius", svm.W, multipliers)
    assert again.status == status
    assert len(said) == (status == "inaccurate")
    assert 0 <= again.gap < 10 * blur**2 + 1e-12


def test_correlation_takes_lists():
    assert correlation([[1, 1], [0, 0]], [[1, 0], [0, 0]]) == pytest.approx(0.5**0.5)
    stack, one = np.random.default_rng(0).normal(size=(5, 3, 2)), np.ones((3, 2))
    for pair in ((stack, one), (one, stack)):
        np.testing.assert_allclose(correlation(*pair), [correlation(one, matrix) for matrix in stack])


def test_support_tokens_are_the_ones_at_margin_one():
    data = draw()
    solution = frobenius_svm(data, data.optimal_tokens)
    margins = token_margins(data, data.optimal_tokens, solution.W)
    np.testing.assert_array_equal(solution.support, np.abs(margins - 1) < 1e-6)
    loosely = replace(solution, gap=1e-3)  # which pins the margins down to a few hundredths only
    np.testing.assert_array_equal(loosely.support, margins <= 1 + 10 * 1e-3**0.5)
    assert loosely.support.sum() > solution.support.sum()
    carried = np.zeros((4, 5))
    carried[np.arange(5) != data.optimal_tokens[:, None]] = solution.multipliers
    assert not (carried[~solution.support] > 1e-9 * carried.max()).any()


def test_a_rank_counts_singular_values_above_a_ten_thousandth():
    data = random_token_data(3, 3, 6, rng=np.random.default_rng(0))
    W = np.diag([2.0, 1.0, 3e-4, 1.5e-4, 1e-9, 0.0])
    svm = replace(frobenius_svm(data, data.optimal_tokens), W=W)
    assert (svm.rank(), svm.rank(1e-5), svm.rank(0)) == (3, 4, 5)
