"""Refusals name the argument, what came and what was expected."""

from fractions import Fraction

import numpy as np
import pytest

from margins import validation
from margins.validation import squarable


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([[1.0, np.nan]], r"X contains NaN or infinity, first at index \[0, 1\]"),
        ([1.0, 2.0], r"X must have 2 axes, but its shape is \(2,\)"),
        (np.empty((0, 3)), "X must have at least 1 row,"),
        (np.empty((3, 0)), r"X is empty: its shape is \(3, 0\)"),
        ([["a"]], "X must be an array of real numbers, but got a list"),
        ([[1j]], "X must be an array of real numbers, but got a list: it is complex"),
        ([[1.0], [1.0, 2.0]], "X must be an array of real numbers"),
        ([["1.5"]], "X must be an array of real numbers, but got a list: its entries are <U3"),
        (np.array([["1.5"]], object), "X must be .* real numbers, .*: '1.5' is among its entries"),
        (np.array([["2026-01-01"]], "datetime64[D]"), r"X must be .*: its entries are datetime64\[D\]"),
        (np.array([[3]], "timedelta64[s]"), r"X must be .*: its entries are timedelta64\[s\]"),
        ([[10**400]], "X must be an array of real numbers, .* too large"),
    ],
)
def test_array_refused(value, words):
    with pytest.raises(ValueError, match=words):
        validation.finite_array("X", value, ndim=2)


def test_array_kept_in_single_precision():
    assert validation.finite_array("X", np.ones((2, 2), np.float32)).dtype == np.float32
    assert validation.finite_array("X", np.ones((2, 2), int)).dtype == np.float64


def test_words_for_axes_and_rows():
    assert validation.finite_array("X", [Fraction(1, 2), 1]).tolist() == [0.5, 1.0]
    with pytest.raises(ValueError, match="X must have 1 axis, but its shape"):
        validation.finite_array("X", [[1.0]], ndim=1)
    with pytest.raises(ValueError, match="X must have 1 or 2 axes, but its shape"):
        validation.finite_array("X", 1.0, ndim=(1, 2))
    with pytest.raises(ValueError, match=r"X must be a single number, but its shape is \(1,\)"):
        validation.finite_array("X", [1.0], ndim=0)
    with pytest.raises(ValueError, match=r"X must have at least 2 rows, but its shape is \(1,\)"):
        validation.finite_array("X", [1.0], min_rows=2)
    with pytest.raises(ValueError, match=r"X is empty: its shape is \(0, 3, 2\)"):
        validation.finite_array("X", np.ones((0, 3, 2)))


def test_numbers_of_other_kinds_are_numbers():
    assert validation.positive("C", Fraction(1, 2)) == 0.5
    assert validation.positive("C", np.array(0.5)) == 0.5
    assert validation.positive("C", np.float32(0.5)) == 0.5
    assert validation.count("D", np.array(3)) == 3
    with pytest.raises(ValueError, match="C must be a number > 0 or inf"):
        validation.positive("C", 10**400, allow_infinity=True)
    with pytest.raises(ValueError, match="C must be a number > 0"):
        validation.positive("C", np.array([0.5]))


@pytest.mark.parametrize("value", [0, -1.0, np.nan, np.inf, "1", True, None])
def test_positive_refused(value):
    with pytest.raises(ValueError, match="C must be a number > 0, but"):
        validation.positive("C", value)


def test_positive_limits_allowed_when_asked_for():
    assert validation.positive("C", np.inf, allow_infinity=True) == np.inf
    assert validation.positive("C", 0, allow_zero=True) == 0.0


@pytest.mark.parametrize("value", [0, 1.5, "2", True])
def test_count_refused(value):
    with pytest.raises(ValueError, match="D must be an integer >= 1"):
        validation.count("D", value)


@pytest.mark.parametrize(
    ("labels", "words"),
    [([1, 1], "must hold both classes"), ([0, 1], "must hold the labels -1 and"), ([[1], [-1]], "1 axis")],
)
def test_signs_refused(labels, words):
    with pytest.raises(ValueError, match=words):
        validation.signs("y", labels)


def test_a_generator_comes_from_itself_or_from_a_seed():
    rng = np.random.default_rng(3)
    assert validation.generator("rng", rng) is rng
    expected = np.random.default_rng(3).random()
    assert [validation.generator("rng", seed).random() for seed in (3, np.int64(3), np.array(3))] == [
        expected
    ] * 3


@pytest.mark.parametrize("value", [None, -1, 0.5, True, "3", [3], np.random.RandomState(3)])
def test_generator_refused(value):
    with pytest.raises(ValueError, match="rng must be a NumPy generator or a seed, an integer >= 0, but"):
        validation.generator("rng", value)


def test_same_length_lists_every_length():
    with pytest.raises(ValueError, match="X has 2, y has 3"):
        validation.same_length(X=[1, 2], y=[1, 2, 3])


def test_one_of_lists_what_is_allowed():
    with pytest.raises(ValueError, match="kind must be one of 'a', 'b', but got 'c'"):
        validation.one_of("kind", "c", ("a", "b"))


def test_ascending_counts():
    assert validation.ascending_counts("at", range(3)) == [0, 1, 2]
    assert validation.ascending_counts("at", [0, 5], at_most=5) == [0, 5]
    with pytest.raises(ValueError, match="at must be ascending integers, none above 5"):
        validation.ascending_counts("at", [0, 7], at_most=5)
    with pytest.raises(ValueError, match="at must be ascending integers, but got 5"):
        validation.ascending_counts("at", 5)
    with pytest.raises(ValueError, match="at must be an integer >= 0"):
        validation.ascending_counts("at", [-1])


@pytest.mark.parametrize("size", [1e-148, 1e-300, 1e154, 1e300])
def test_entries_whose_squares_leave_the_range_are_refused(size):
    with pytest.raises(ValueError, match=r"X has .* rescale them"):
        squarable("X", np.array([[size, 0.0]]))
