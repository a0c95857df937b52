"""Values of checks are told in few words."""

import numpy as np
import pytest

from tests.check_cells.shown import shown


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1 / 3, "0.3333"),
        (7, "7"),
        (True, "True"),
        (np.array([1.0, -2.0]), "(2,) from -2 to 1"),
        (np.array([True, False, True]), "2 of 3 true"),
        (np.zeros((0, 2)), "an array (0, 2)"),
        ("word", "'word'"),
        ([[1], [2, 3]], "[[1], [2, 3]]"),
        ("x" * 60, "'" + "x" * 36 + "..."),
    ],
)
def test_a_value_is_told_in_few_words(value, words):
    assert shown(value) == words


def test_an_address_in_memory_is_left_out():
    assert "0x" not in shown(object())
