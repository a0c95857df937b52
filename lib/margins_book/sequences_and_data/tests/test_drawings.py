"""The drawings of chapter 9: discs, bars, lines and balls lie where the numbers say."""

import numpy as np
import pytest

from margins_book.sequences_and_data import drawings as draw
from tests.margins_book.drawn import data, marks, points

TOKENS = np.array([[1.2, 1.0], [0.4, -1.6], [-1.4, 0.9]])


def test_bars_are_the_margins_of_both_masks():
    drawing = draw.counterexample_drawing(
        np.array([TOKENS, -TOKENS]), np.ones((2, 3)), (0, 1), (0.25, 0.1), np.ones((2, 2)), (-1, 1, -1, 1)
    )
    found = marks(drawing)
    for name, value in (("full margin", 0.25), ("causal margin", 0.1)):
        end = data(drawing.panels[1], found[1, name]["n"][2:])[0, 0]
        assert end == pytest.approx(value, abs=5e-3)


def test_the_margin_now_lies_on_the_curve_of_its_kind():
    distances = np.geomspace(0.01, 1, 21)
    margins = {"the selected": distances, "a support": 0.9 + 0 * distances, "a far": 1 + 0 * distances}
    drawing = draw.twin_drawing(
        TOKENS, TOKENS[0] - 0.1, 0, np.array([1.0, 0.5]), distances, margins, ("the selected", 7)
    )
    found = marks(drawing)
    curve = np.reshape(found[1, "twin of the selected"]["n"], (-1, 2))
    np.testing.assert_allclose(found[1, "margin now"]["n"][:2], curve[7], atol=1)
    np.testing.assert_allclose(points(drawing, 0, "twin")[0], TOKENS[0] - 0.1, atol=0.02)
    street = points(drawing, 0, "margin")
    np.testing.assert_allclose(street @ [1.0, 0.5], TOKENS[0] @ [1.0, 0.5], atol=0.05)


@pytest.mark.parametrize("p", [1.3, 2.0, 5.0])
def test_the_ball_passes_through_the_machine_and_crosses_no_constraint(p):
    a, q = np.array([1.0, 0.45]), p / (p - 1)
    w = a ** (q - 1) / (a**q).sum()
    ps, ws = np.array([1.1, 1.5, 2, 3, 4, 5, 6, 8]), np.tile(w, (8, 1))
    drawing = draw.ball_drawing(a[None], w, p, q, (ps, ws))
    ball = points(drawing, 0, "ball")
    sizes = (np.abs(ball) ** p).sum(axis=1) ** (1 / p)
    np.testing.assert_allclose(sizes, (w**p).sum() ** (1 / p), atol=0.02)
    assert (ball @ a).max() < 1 + 0.02
    np.testing.assert_allclose(points(drawing, 0, "constraint 1") @ a, 1, atol=0.03)


def test_layers_show_the_first_query_alone_above_and_bars_are_correlations():
    correlations = {"layer 1, all queries": 0.7, "layer 1, those asked": 0.95, "layer 2": 0.9}
    drawing = draw.layers_drawing(np.full((3, 3), 1 / 3), np.eye(3), correlations)
    found = marks(drawing)
    assert (1, "query 1 on token 1") in found
    assert (1, "query 2 hides token 1") in found
    for name, value in correlations.items():
        assert data(drawing.panels[2], found[2, name]["n"][2:])[0, 0] == pytest.approx(value, abs=0.01)
