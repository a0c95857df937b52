"""Every gradient that the library writes out by hand, against central differences of its function."""

import numpy as np
import pytest

from margins import attention_svm as att
from margins import descent
from margins.attention.metric import left_out
from margins.attention_svm import layers, paths
from margins.attention_svm.excess import LogExcess, SmallestLead

RNG = np.random.default_rng(0)
POINTS, SIGNS, TARGETS = RNG.normal(size=(12, 3)), np.repeat([1.0, -1.0], 6), RNG.normal(size=12)
ONE = att.random_token_data(3, 4, 3, rng=0)
DATA = att.TokenData(ONE.X, ONE.Z, ONE.Y, ONE.v, np.arange(4) != np.array([[4], [2], [4]]))


def logistic_loss(w):
    # private: descent starts at 0, where half of the formula cannot be seen
    direction = descent._descent_direction(SIGNS[:, None] * POINTS, normalised=False)
    return descent.logistic_loss(POINTS, SIGNS, w), -direction(w)


def two_layers(residual):
    def loss(W):
        outputs = layers.forward(DATA, W, residual=residual).outputs
        gradient = np.array([one.gradient for one in layers.readings(DATA, W, residual=residual)])
        return np.logaddexp(0, -DATA.Y * outputs).mean(), gradient

    return loss


FUNCTIONS = {  # of one array: its value and its gradient, and the shape of the array
    "logistic loss": (logistic_loss, 3),
    "error left out": (lambda A: left_out(A, POINTS, TARGETS), (2, 3)),
    "logistic excess": (LogExcess(DATA), (3, 3)),
    "excess of the correlation": (LogExcess(DATA, loss=att.CORRELATION), (3, 3)),
    "excess of factors": (paths._of_factors(LogExcess(DATA)), (2, 3, 2)),
    "smallest lead": (SmallestLead(ONE), (3, 3)),
    "two layers": (two_layers(residual=False), (2, 3, 3)),
    "two layers with residuals": (two_layers(residual=True), (2, 3, 3)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_gradient_is_that_of_its_function(name):
    function, shape = FUNCTIONS[name]
    at = 2 * np.random.default_rng(1).normal(size=shape)
    steps = 1e-6 * np.eye(at.size).reshape(-1, *at.shape)
    slopes = [(function(at + step)[0] - function(at - step)[0]) / 2e-6 for step in steps]
    np.testing.assert_allclose(function(at)[1].ravel(), slopes, rtol=1e-6, atol=1e-8)
