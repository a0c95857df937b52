"""The checks of chapter 4 accept right answers that come by other ways than the reference's."""

import numpy as np
import pytest
from scipy.optimize import nnls

from margins.attention import attention_weights, gaussian_lift
from margins_book.nadaraya_watson import checks
from tests.margins_book.accepted import accepted_by


@accepted_by(checks.nw_leave_one_out)
def test_errors_left_out_may_come_from_masked_attention(keys, values, bandwidths):
    others, found = ~np.eye(len(keys), dtype=bool), []
    for h in bandwidths:
        lifted = gaussian_lift(keys[:, None], keys[:, None], bandwidth=h)
        weights = attention_weights(*lifted, scale=1.0, mask=others)
        found.append(np.square(values - weights @ values).mean())
    return found  # a list will do


@accepted_by(checks.nw_merge)
def test_states_may_merge_by_logarithms(left, right):
    peak = max(left[0], right[0])
    if peak == -np.inf:
        return left
    with np.errstate(divide="ignore"):
        total = np.exp(np.logaddexp(*(state[0] + np.log(state[1]) for state in (left, right))) - peak)
    shares = [np.exp(state[0] - peak) for state in (left, right)]
    return [
        peak,
        total,
        sum(share * state[2] for share, state in zip(shares, (left, right), strict=True)),
    ]


@accepted_by(checks.nw_compile)
def test_a_head_may_have_larger_values_more_keys_and_another_order(S, a, b, gamma):
    keys = np.zeros((len(S) + 2, S.shape[1] + 2))
    keys[2:] = np.column_stack([2 * gamma * S, np.full(len(S), -gamma), -gamma * (S**2).sum(axis=1)])
    return np.sqrt(keys.shape[1]) * keys, 7 * np.r_[b / 2, b / 2, a]


@pytest.mark.parametrize(
    ("scale_of", "has_key", "hint"),
    [
        (lambda d: 1, True, "scale"),
        (lambda d: d**0.5, True, "scale"),
        (lambda d: (d + 2) ** 0.5, False, "b needs a key"),
    ],
)
def test_who_forgets_the_scale_is_not_told_of_a_key(scale_of, has_key, hint):
    def head_of(S, a, b, gamma):
        keys = np.column_stack([2 * gamma * S, np.full(len(S), -gamma), -gamma * (S**2).sum(axis=1)])
        keys = scale_of(S.shape[1]) * keys
        return (np.vstack([keys, 0 * keys[:1]]), np.append(a, b)) if has_key else (keys, a)

    with pytest.raises(AssertionError, match=hint):
        checks.nw_compile(head_of)


@accepted_by(checks.nw_winners)
def test_winners_may_come_from_convex_combinations(keys):
    found = []
    for j, key in enumerate(keys):
        rest = np.delete(keys, j, axis=0)
        stacked = np.vstack([(rest - key).T, np.ones(len(rest))])
        found.append(len(rest) == 0 or nnls(stacked, [0.0, 0.0, 1.0])[1] > 1e-9)
    return np.array(found)


@accepted_by(checks.nw_local_linear)
def test_a_local_line_may_be_fitted_through_the_origin_of_each_query(queries, keys, values, h):
    answers = []
    for q in queries:
        weights = np.exp(-(((q - keys) / h) ** 2) / 2)
        middle = np.average(keys, weights=weights)
        spread = weights * (keys - middle)
        slope = spread @ values / (spread @ (keys - middle))
        answers.append(np.average(values, weights=weights) + slope * (q - middle))
    return answers
