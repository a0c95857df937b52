"""Marks: their JSON in tenths of a pixel, reported values to three digits, and arguments for many marks."""

import numpy as np
import pytest

from explorable.marks import Mark, in_tenths, interleaved, resampled, stroke_style, three_digits
from explorable.palette import BLUE


def mark(key, numbers):
    return Mark(key, "line", {}, numbers, 0)


def test_coordinates_are_whole_tenths_of_a_pixel_and_lines_resampled_at_equal_distances():
    assert in_tenths([mark("a", [1.04, 2.06]), mark("b", [3.0])]) == [[10, 21], [30]]
    corner = np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 1.0]])
    np.testing.assert_allclose(resampled(corner, 5), [[0, 0], [1, 0], [2, 0], [3, 0], [3, 1]])
    assert interleaved(corner[:, 0], corner[:, 1]) == [0, 0, 3, 0, 3, 1]


@pytest.mark.parametrize(
    ("value", "digits"),
    [(0.12345, [123, -3]), (99.96, [100, 0]), (-1234.5, [-123, 1]), (1e-12, [0, 0]), (np.nan, [0, 0])],
)
def test_reported_values_have_three_digits(value, digits):
    whole, power = three_digits(value)
    assert whole * 10.0**power == pytest.approx(digits[0] * 10.0 ** digits[1])
    assert abs(whole) < 1000


def test_equal_styles_are_one_object_and_styles_of_2_and_2_0_are_two():
    assert stroke_style(BLUE, "-", 2, 1) is stroke_style(BLUE, "-", 2, 1)
    assert stroke_style(BLUE, "-", 2, 1) is not stroke_style(BLUE, "-", 2.0, 1)
