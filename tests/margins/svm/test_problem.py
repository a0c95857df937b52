"""The problem's objectives and refusals: bounds, symmetry and eigenvalues at the edge of what is allowed."""

import numpy as np
import pytest

from margins.svm.problem import checked_gram, require_psd
from tests.margins.svm.problems import clouds


@pytest.mark.parametrize(("roundings", "refused"), [(0.5, False), (1.5, True)])
def test_a_negative_eigenvalue_is_refused_from_n_roundings_of_single_precision_on(roundings, refused):
    smallest = -roundings * 2 * float(np.finfo(np.float32).eps)
    if refused:
        with pytest.raises(ValueError, match=f"smallest eigenvalue is {smallest:.3g}"):
            require_psd(np.diag([1.0, smallest]))
    else:
        require_psd(np.diag([1.0, smallest]))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_matrix_is_symmetric_beside_its_largest_entry_of_either_sign(sign):
    """Negated distances have 0 for their largest entry, and no two products round alike."""
    X, _ = clouds(12, 2, 0.5)
    K = sign * np.sqrt(np.square(X[:, None] - X).sum(axis=-1))
    blurred = K * (1 + 1e-6 * np.triu(np.ones((12, 12)), 1))
    assert checked_gram(blurred, 12) is blurred
    with pytest.raises(ValueError, match="K must be symmetric, but K and its transpose differ by up to"):
        checked_gram(K * (1 + 1e-2 * np.triu(np.ones((12, 12)), 1)), 12)
