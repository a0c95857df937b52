"""Kernels that the caller wrote: their matrices pass, and everything else is refused with the remedy."""

import numpy as np
import pytest

from margins.kernels.callables import CONTRACT, REMEDY, kernel_matrix
from tests.margins.draws import normal


def skewed(X, Y):
    """A function of two matrices that tells its arguments apart: <x, y> + 2 x_1."""
    return X @ Y.T + 2 * X[:, :1]


@pytest.mark.parametrize("m", [3, 5])
def test_the_matrix_is_the_function_of_the_points_in_their_order(m):
    X, Y = normal(3, 2), normal(m, 2, seed=1)
    expected = [[x @ y + 2 * x[0] for y in Y] for x in X]
    np.testing.assert_allclose(kernel_matrix(skewed, X, Y), expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("answer", "got"),
    [
        (np.ones((4, 3)), r"for 3 and 4 points it returned an array of shape \(4, 3\)"),
        (1.5, r"it returned the number 1\.5"),
        (
            np.full((3, 4), np.nan),
            r"the matrix of the kernel contains NaN or infinity, first at index \[0, 0\]",
        ),
    ],
)
def test_what_is_no_matrix_of_the_points_is_refused(answer, got):
    with pytest.raises(ValueError, match=got):
        kernel_matrix(lambda X, Y: answer, normal(3, 2), normal(4, 2))


def test_an_error_in_the_function_is_raised_with_the_contract_and_the_remedy():
    with pytest.raises(ZeroDivisionError) as caught:
        kernel_matrix(lambda X, Y: 1 / 0, normal(3, 2), normal(4, 2))
    (note,) = caught.value.__notes__
    assert note == f"raised by the kernel for matrices (3, 2) and (4, 2); {CONTRACT}; {REMEDY}"
