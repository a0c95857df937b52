"""The checks of chapter 2 accept other right answers than the reference's."""

import numpy as np
import pytest

from margins_book.checking.verdicts import CheckFailed
from margins_book.kernels import checks
from tests.margins_book.accepted import accepted_by


@accepted_by(checks.ker_features)
def test_features_may_come_from_a_pivoted_elimination(K):
    size = np.abs(K).max()
    if np.abs(K - K.T).max() > 1e-9 * size or np.linalg.eigvalsh(K).min() < -1e-9 * size:
        return None
    rest, columns = K.copy(), []
    while np.diagonal(rest).max() > 1e-9 * size:
        pivot = np.argmax(np.diagonal(rest))
        columns.append(rest[:, pivot] / np.sqrt(rest[pivot, pivot]))
        rest = rest - np.outer(columns[-1], columns[-1])
    return np.column_stack(columns)


def test_features_of_more_columns_than_the_rank_are_refused():
    with pytest.raises(CheckFailed, match="one point, K = 4: 2 columns, but the rank is 1"):
        checks.ker_features(lambda K: np.array([[2.0, 0.0]]))
