"""Edges of the refusals: sizes that are too small, and labels that are neither 0 nor one of the two."""

import numpy as np
import pytest

from margins.validation import count, one_of, signs, squarable


@pytest.mark.parametrize("size", [1e-148, 1e-300, 1e154, 1e300])
def test_entries_whose_squares_leave_the_range_are_refused(size):
    with pytest.raises(ValueError, match=r"X has .* rescale them"):
        squarable("X", np.array([[size, 0.0]]))


@pytest.mark.parametrize("size", [0.0, 1e-145, 1.0, 1e150])
def test_entries_whose_squares_are_numbers_pass(size):
    X = np.array([[size, 0.0]])
    assert squarable("X", X) is X


def test_labels_are_the_two_signs_alone():
    for other in (2.0, 0.5, -3.0):
        with pytest.raises(ValueError, match="y must hold the labels -1 and"):
            signs("y", [1, -1, other])


def test_a_word_is_a_word_alone():
    for other in (np.array(["positive"]), np.array(["positive", "other"]), ["positive"], None):
        with pytest.raises(ValueError, match="kind must be one of 'positive', 'other', but"):
            one_of("kind", other, ("positive", "other"))


@pytest.mark.parametrize("value", [2**63, 10**400])
def test_counts_beyond_the_integers_of_numpy_are_refused(value):
    with pytest.raises(ValueError, match="n must be an integer of 64 bits, but"):
        count("n", value)
    assert count("n", 2**63 - 1) == 2**63 - 1
