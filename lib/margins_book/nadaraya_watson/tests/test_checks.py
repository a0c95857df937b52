"""The checks of chapter 4 accept other right answers than the reference's."""

import numpy as np
import pytest

from margins_book.nadaraya_watson import checks
from tests.margins_book.accepted import accepted_by


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
