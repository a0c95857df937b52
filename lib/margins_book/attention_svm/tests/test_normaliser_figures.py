"""The drawing of two normalisers: arrows, rays and bars lie where the numbers say."""

import numpy as np
import pytest

from margins_book.attention_svm import normaliser_figures as draw
from tests.margins_book.drawn import data, marks


def test_arrows_of_normalisers_have_their_directions_and_a_missing_machine_no_ray():
    tokens = np.array([[0.5, 0.0], [2.3, 0.2], [1.9, 1.3], [-0.9, -0.3]])
    ways = {"exp": np.array([1.0, 1.0]), "softplus": np.array([0.0, -2.0])}
    aims = {"exp": np.array([3.0, 3.0]), "softplus": None}
    drawing = draw.shift_drawing(tokens, ways, aims, {"exp": 1.0, "softplus": 0.4})
    found = marks(drawing)
    tip = data(drawing.panels[0], found[0, "softplus"]["n"])[-1]
    np.testing.assert_allclose(tip / np.linalg.norm(tip), [0, -1], atol=0.01)
    assert (0, "machine of exp") in found
    assert (0, "machine of softplus") not in found
    end = data(drawing.panels[1], found[1, "attention of softplus"]["n"][2:])[0, 0]
    assert end == pytest.approx(0.4, abs=0.01)


def test_a_direction_fits_where_the_best_leads_and_the_others_are_negative():
    tokens = np.array([[1.0, 0.0], [-0.5, 0.5], [-0.5, -0.5]])
    assert draw.some_way_fits(tokens)
    assert not draw.some_way_fits(np.vstack([tokens, [[0.5, 0.0]]]))  # the origin lies among the others
    above = np.array([[0.0, 2.0], [-0.1, 1.0], [0.1, 1.0]])  # what is below them has the others ahead
    assert not draw.some_way_fits(above)
    assert draw.some_way_fits(above - [[0, 1.5], [0, 0], [0, 0]])
