"""Symbols of formulas are found where they stand alone, and not inside of commands."""

import pytest

from extensions.mathematics.pointing_symbols import places_of


@pytest.mark.parametrize(
    ("symbol", "tex", "places"),
    [
        ("s_i", r"\cos_i+Us_i", [8]),
        ("W", "a&=0,\\\\\nW&=1", [8]),  # a line of the formula begins with it
        (r"\gamma", r"2\gamma", [1]),
    ],
)
def test_places_of_a_symbol(symbol, tex, places):
    assert places_of(symbol, tex) == places
