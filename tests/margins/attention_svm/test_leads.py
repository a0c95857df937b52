"""The convex function from whose minimiser a path is searched: its bounds, its gradient, its ties."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins.attention_svm import TokenData, random_token_data, token_margins
from margins.attention_svm.leads import SmallestLead


@pytest.mark.parametrize("seed", range(5))
def test_the_value_lies_between_the_smallest_lead_and_that_with_the_logarithm_of_the_number(seed):
    rng = np.random.default_rng(seed)
    data = random_token_data(3, 4, 3, rng=rng)
    lead = SmallestLead(data)
    for size in (0.0, 1.0, 30.0):
        W = size * rng.normal(size=(3, 3))
        smallest = token_margins(data, data.optimal_tokens, W).min()
        assert -smallest <= lead(W)[0] + 1e-12
        assert lead(W)[0] <= -smallest + np.log(9) + 1e-12
    assert lead(np.zeros((3, 3)))[0] == pytest.approx(np.log(9)), "all nine are equal at 0: sharp there"


def test_equal_best_tokens_need_not_lead_each_other():
    X = np.array([[[1.0, 1.0], [1.0, -1.0], [-1.0, 0.0]]])
    lead = SmallestLead(TokenData(X, [[1.0, 0.0]], [1.0], [1.0, 0.0]))
    assert_allclose(lead.rows, [[2.0, 0.0, 1.0, 0.0]])


def test_where_zero_is_the_minimiser_some_way_is_named():
    """Two equal queries with opposite pulls: the function is least at 0, where it has no slope."""
    data = TokenData([[[1.0], [-1.0]], [[1.0], [-1.0]]], [[1.0], [1.0]], [1.0, -1.0], [1.0])
    assert_array_equal(SmallestLead(data).way, [[1.0]])
