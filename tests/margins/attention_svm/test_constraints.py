"""Constraints of pairs of tokens: duplicates are told apart from neighbours."""

import numpy as np
import pytest

from margins.attention_svm import TokenData
from margins.attention_svm.constraints import pair_constraints


@pytest.mark.parametrize(("factor", "duplicates"), [(1, True), (100, False)])
def test_tokens_within_rounding_are_duplicates(factor, duplicates):
    x = np.array([1.0, 2.0])
    X = np.array([[x, x * (1 + factor * np.finfo(float).eps), -x]])
    constraints = pair_constraints(TokenData(X, [[1.0, 0.0]], [1.0], [1.0, 0.0]), [0])
    assert constraints.present.tolist() == [[False, True, True]]
    assert (not constraints.differences[0, 1].any()) == duplicates
    np.testing.assert_array_equal(constraints.differences[0, 2], 2 * x)
    assert (constraints.lengths[0] == 0) == duplicates


@pytest.mark.parametrize("small", [1e-6, 1e-12])
def test_rounding_is_that_of_the_largest_coordinate(small):
    x = np.array([1.0, small])
    X = np.array([[x, x * (1 + np.finfo(float).eps), -x]])
    constraints = pair_constraints(TokenData(X, [[1.0, 0.0]], [1.0], [1.0, 0.0]), [0])
    assert (constraints.lengths == 0).tolist() == [True, False]
