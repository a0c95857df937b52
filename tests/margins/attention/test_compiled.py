"""Support vector machines compiled into attention heads keep their signs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.svm import SVC

from margins import kernels
from margins.attention import softmax_attention, svm_to_attention
from tests.margins.draws import normal


@pytest.mark.parametrize("kernel", ["exponential", "gaussian"])
def test_compiled_svm_divides_by_a_positive_number(kernel):
    """The head's output is f(x)/(1 + sum_j k(x, x_j)) for scikit-learn's f."""
    X, gamma = normal(80, 2), 0.7
    y = np.sign(np.sin(2 * X[:, 0]) + X[:, 1])
    function = getattr(kernels, kernel)
    svc = SVC(kernel=lambda A, B: function(A, B, gamma=gamma), C=5.0).fit(X, y)
    head = svm_to_attention(X[svc.support_], svc.dual_coef_, svc.intercept_, kernel=kernel, gamma=gamma)
    points = 3 * normal(500, 2, seed=1)
    f, total = svc.decision_function(points), 1 + function(points, X[svc.support_], gamma=gamma).sum(axis=1)
    assert_allclose(head(points), f / total, atol=1e-9)
    # the same head through the public function: scale 1, not 1/sqrt(d_k)
    answer = softmax_attention(head.queries(points), head.keys, head.values, scale=1.0)
    assert_array_equal(answer[:, 0], head(points))
