"""The checks of chapter 3 accept other right answers than the reference's."""

import itertools
import math
import re

import numpy as np
import pytest
from scipy.optimize import brentq

from margins_book.softmax_kernel import checks
from tests.margins_book.accepted import accepted_by


def at_which(keys_attended):
    """The answer of a student who takes for the keys attended what this function of weights says."""

    def temperature_for(logits, wanted):
        def surplus(log_tau):
            weights = np.exp((logits - logits.max()) / (np.ptp(logits) * np.exp(log_tau)))
            weights = weights[weights > 0] / weights.sum()
            return keys_attended(weights) - wanted

        return np.ptp(logits) * np.exp(brentq(surplus, -30, 30, xtol=1e-13))

    return temperature_for


def entropy(weights):
    return float(-(weights * np.log(weights)).sum())


@pytest.mark.parametrize(
    ("temperature_for", "hint"),
    [
        (
            lambda logits, wanted: 1 / at_which(lambda p: math.exp(entropy(p)))(logits, wanted),
            "divided by tau",
        ),
        (at_which(lambda p: math.exp(entropy(p) / math.log(2))), "not in bits"),
        (at_which(lambda p: 2 ** entropy(p)), "not 2^H"),
        (lambda logits, wanted: 0.1, "must be larger"),
        (lambda logits, wanted: 10.0, "must be smaller"),
    ],
)
def test_a_wrong_temperature_is_told_why(temperature_for, hint):
    with pytest.raises(AssertionError, match=re.escape(hint)):
        checks.softmax_temperature(temperature_for)


@pytest.mark.parametrize(
    ("exponentials", "hint"),
    [
        ([[2, 1, 2], [1, 2, 2], [2, 2, 4]], "some logits are negative"),
        (2 ** (np.array([[1, 0, 1], [0, -1, -1], [1, -1, 0]]) / 2**0.5), "the root is left out here"),
        (np.exp([[1, 0, 1], [0, -1, -1], [1, -1, 0]]), "powers of 2"),
        ([[2, 1, 2], [1, 0.5, 0.5], [2, 1, 1]], "token 3 gives the weight 0.5 to token 1"),
        ([[2, 1, 2], [1, 0.5, 0.5], [0.57, 0.14, 0.29]], "do not round them"),
    ],
)
def test_wrong_weights_of_three_tokens_are_told_why(exponentials, hint):
    weights = exponentials / np.sum(exponentials, axis=1, keepdims=True)
    with pytest.raises(AssertionError, match=re.escape(hint)):
        checks.softmax_three_tokens(lambda values: weights @ values)


@accepted_by(checks.softmax_features)
def test_features_may_repeat_monomials(X, degree, scale):
    columns = [np.ones((len(X), 1))]
    for k in range(1, degree + 1):
        tuples = itertools.product(range(X.shape[1]), repeat=k)
        products = np.column_stack([np.prod(X[:, list(picked)], axis=1) for picked in tuples])
        columns.append(math.sqrt(scale**k / math.factorial(k)) * products)
    return np.hstack(columns)


@accepted_by(checks.softmax_reveal)
def test_keys_may_come_from_ratios_with_one_key(Q, A):
    logits = np.log(A / A[:, :1]) * math.sqrt(Q.shape[1])
    keys = (np.linalg.pinv(Q) @ logits).T
    return keys - keys.mean(axis=0)


@accepted_by(checks.softmax_witnesses)
def test_witnesses_may_be_other_tokens(W_Q, W_K):
    M = W_Q @ W_K.T
    size = np.abs(M).max()
    left, values, right = np.linalg.svd(M - M.T)
    if values[0] > 1e-9 * size:
        return np.stack([3 * left[:, 0], right[0]])
    eigenvalues, vectors = np.linalg.eigh(M + M.T)
    return None if eigenvalues[0] >= -1e-9 * size else np.outer([2.0, 1.0], vectors[:, 0])
