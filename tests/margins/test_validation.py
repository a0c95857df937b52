"""Refusals name the argument, what came and what was expected."""

from fractions import Fraction

import numpy as np
import pytest

from margins.validation import (
    ascending_counts,
    count,
    finite_array,
    generator,
    positive,
    signs,
    squarable,
)

NO_ARRAY = "X must be an array of real numbers, but got a list"


@pytest.mark.parametrize(
    ("value", "options", "words"),
    [
        ([[1.0, np.nan]], {}, r"X contains NaN or infinity, first at index \[0, 1\]"),
        ([1.0, 2.0], {}, r"X must have 2 axes, but its shape is \(2,\)"),
        (np.empty((0, 3)), {}, "X must have at least 1 row,"),
        (np.empty((3, 0)), {}, r"X is empty: its shape is \(3, 0\)"),
        ([["a"]], {}, NO_ARRAY),
        ([[1j]], {}, f"{NO_ARRAY}: it is complex"),
        ([[1.0], [1.0, 2.0]], {}, "X must be an array of real numbers"),
        ([["1.5"]], {}, f"{NO_ARRAY}: its entries are <U3"),
        (np.array([["1.5"]], object), {}, "X must be .* real numbers, .*: '1.5' is among its entries"),
        (np.array([["2026-01-01"]], "datetime64[D]"), {}, r"X must be .*: its entries are datetime64\[D\]"),
        (np.array([[3]], "timedelta64[s]"), {}, r"X must be .*: its entries are timedelta64\[s\]"),
        ([[10**400]], {}, "X must be an array of real numbers, .* too large"),
        ([[1.0]], {"ndim": 1}, "X must have 1 axis, but its shape"),
        (1.0, {"ndim": (1, 2)}, "X must have 1 or 2 axes, but its shape"),
        ([1.0], {"ndim": 0}, r"X must be a single number, but its shape is \(1,\)"),
        ([1.0], {"ndim": 1, "min_rows": 2}, r"X must have at least 2 rows, but its shape is \(1,\)"),
        (np.ones((0, 3, 2)), {"ndim": None}, r"X is empty: its shape is \(0, 3, 2\)"),
    ],
)
def test_array_refused(value, options, words):
    with pytest.raises(ValueError, match=words):
        finite_array("X", value, **{"ndim": 2} | options)


@pytest.mark.parametrize(
    ("check", "values", "words"),
    [
        (positive, [0, -1.0, np.nan, np.inf, "1", True, None, np.array([0.5]), 10**400], "a number > 0, but"),
        (count, [0, 1.5, "2", True], "x must be an integer >= 1"),
        (signs, [[0, 1]], "must hold the labels -1 and"),
        (signs, [[[1], [-1]]], "1 axis"),
        (
            generator,
            [None, -1, 0.5, True, "3", [3], np.random.RandomState(3)],
            "x must be a NumPy generator or a seed, an integer >= 0, but",
        ),
        (ascending_counts, [5], "x must be ascending integers, but got"),
        (ascending_counts, [[-1]], "x must be an integer >= 0"),
        (
            squarable,
            [np.array([[size, 0.0]]) for size in (1e-148, 1e-300, 1e154, 1e300)],
            "x has .* rescale them",
        ),
    ],
)
def test_what_is_refused_is_named(check, values, words):
    for value in values:
        with pytest.raises(ValueError, match=words):
            check("x", value)


def test_numbers_of_all_kinds_are_taken():
    half = [Fraction(1, 2), np.array(0.5), np.float32(0.5)]
    assert [positive("C", value) for value in half] == [0.5] * 3
    assert positive("C", np.inf, allow_infinity=True) == np.inf
    assert positive("C", 0, allow_zero=True) == 0.0
    assert count("D", np.array(3)) == 3
    assert ascending_counts("at", range(3)) == [0, 1, 2]
    assert ascending_counts("at", [0, 5], at_most=5) == [0, 5]
    assert finite_array("X", [Fraction(1, 2), 1]).tolist() == [0.5, 1.0]
    assert finite_array("X", np.ones((2, 2), np.float32)).dtype == np.float32
    assert finite_array("X", np.ones((2, 2), int)).dtype == np.float64


def test_a_generator_comes_from_itself_or_from_a_seed():
    rng, expected = np.random.default_rng(3), np.random.default_rng(3).random()
    assert generator("rng", rng) is rng
    for seed in (3, np.int64(3), np.array(3)):
        assert generator("rng", seed).random() == expected
