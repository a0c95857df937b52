"""A bound that is too small, or too large for its declared slack, is refused; a sharp one passes."""

import doctest

import numpy as np
import pytest

from margins_book.checking import bounds
from margins_book.checking.bounds import bounded

HALVES = np.array([0.5, 1.0, 2.0])


def test_the_example_of_the_docstring_runs():
    found = doctest.testmod(bounds, extraglobs={"np": np})
    assert found.attempted >= 3
    assert found.failed == 0


@pytest.mark.parametrize("factor", [25, 1.6])
def test_a_bound_that_is_too_large_fails_where_a_plain_comparison_passes(factor):
    assert (factor * HALVES >= HALVES).all()
    with pytest.raises(AssertionError, match=rf"{factor} times too large, but the slack declared is 1.5"):
        bounded(HALVES, factor * HALVES, slack=1.5)


@pytest.mark.parametrize("wrong", [[0.5, 0.9, 2.0], [0.5, 1.0, np.nan]])
def test_what_exceeds_its_bound_fails_with_its_place(wrong):
    with pytest.raises(AssertionError, match=r"exceeds its bound .* at [12]"):
        bounded(HALVES, wrong, slack=10)


def test_rounding_passes_and_more_does_not():
    bounded(1 + 1e-14, 1.0, slack=1)
    with pytest.raises(AssertionError, match="exceeds"):
        bounded(1 + 1e-10, 1.0, slack=1)


def test_entries_that_are_zero_but_for_rounding_have_no_ratio(capsys):
    bounded([0.0, 1e-17, 1.0], [1.0, 1.0, 1.0], slack=1)
    assert "from 1 to 1, sharp" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([-1.0], [2.0], 3), "no measured number is positive"),
        (([], [], 3), "but got no entry"),
        (([1.0], [2.0], 0.5), "slack must be a number >= 1, but got 0.5"),
    ],
)
def test_what_has_no_ratio_is_refused_in_words(arguments, message):
    measured, bound, slack = arguments
    with pytest.raises(ValueError, match=message):
        bounded(measured, bound, slack=slack)
