"""The drawings of Nadaraya-Watson regression: bars, answers, cells and lines lie where the numbers say."""

import numpy as np
import pytest

from margins.attention import attention_weights, softmax_attention
from margins.kernels import band_mask
from margins_book.nadaraya_watson import drawings as draw
from margins_book.nadaraya_watson.drawings import CORNERS, cell, padded, pair_drawing, stairs
from margins_book.nadaraya_watson.figures import local_lines
from tests.margins_book.drawn import data, marks

KEYS = np.array([[1.3, 0.2], [-0.4, 1.0], [-1.1, -0.6], [0.5, -1.4], [0.1, 0.1]])
WINDOW = np.array([[-3.0, -2.0], [3, -2], [3, 2], [-3, 2]])
DISTANCES = [2.0, 1.5, 0.8, 0.1]


def area(corners):
    """The area of a polygon, by the shoelace formula."""
    x, y = corners.T if len(corners) else np.zeros((2, 1))
    return abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


@pytest.mark.parametrize("offsets", [np.zeros(5), -np.square(KEYS).sum(axis=1) / 2])
def test_cells_tile_the_window_and_hold_where_their_function_is_the_largest(offsets):
    cells = [cell(KEYS, offsets, j, WINDOW) for j in range(5)]
    assert sum(map(area, cells)) == pytest.approx(area(WINDOW))
    for j, corners in enumerate(cells):
        if len(corners):
            heights = KEYS @ corners.mean(axis=0) + offsets
            assert heights.argmax() == j
            assert len(padded(corners)) == CORNERS


def test_boundaries_are_zero_lines_and_bars_the_values_of_the_head():
    x, y = np.linspace(-3, 3, 31), np.linspace(-2, 2, 21)
    f = np.add.outer(y, x - 0.5)  # zero where y = 0.5 - x
    stored = np.array([1.0, -2.0, 0.5])
    labels, alpha = np.array([1.0, -1]), np.array([1.0, 2])
    drawing = draw.compiled_drawing(KEYS[:2], labels, alpha, (x, y), f, -f, stored, ["0", "1", "$b$"])
    found = marks(drawing)
    for name in ("machine 0", "head 0"):
        line = data(drawing.panels[0], found[0, name]["n"])
        np.testing.assert_allclose(line.sum(axis=1), 0.5, atol=0.02)
    for name, value in zip(("0", "1", "b"), stored, strict=True):
        end = data(drawing.panels[1], found[1, f"value {name}"]["n"][2:])[0, 0]
        assert end == pytest.approx(value, abs=0.02)


def test_crosses_stand_where_attention_is_not_allowed():
    allowed = band_mask(np.arange(4.0), width=1)
    weights = attention_weights(np.eye(4), np.eye(4), mask=allowed)
    found = marks(draw.mask_drawing(allowed, weights, 2))
    crosses = {key.removeprefix("masked ") for _, key in found if key.startswith("masked")}
    assert crosses == {f"{i} {j}" for i, j in zip(*np.nonzero(~allowed), strict=True)}
    assert [found[1, f"key {j}"]["told"][0][1:] == [0, 0] for j in range(4)] == [True, False, False, False]


def test_stairs_lead_from_distance_to_distance():
    corners = stairs(DISTANCES, 3)
    assert corners[::2].tolist() == [[d, d] for d in DISTANCES]
    assert corners[1::2].tolist() == [[2.0, 1.5], [1.5, 0.8], [0.8, 0.1]]
    assert (stairs(DISTANCES, 1)[2:] == 1.5).all()


@pytest.mark.parametrize("distance", [0.4, 1.0, 2.5])
def test_the_curve_is_one_layer_of_attention(distance):
    drawing = pair_drawing(DISTANCES, 0)
    curve = data(drawing.panels[1], marks(drawing)[1, "after a layer"]["n"])
    two = np.array([[-distance / 2], [distance / 2]])
    after = np.ptp(softmax_attention(two, two, two, scale=1.0))
    assert np.interp(distance, *curve.T) == pytest.approx(after, abs=0.02)


def test_lines_at_queries_are_those_of_weighted_least_squares():
    keys, values, queries = KEYS[:, 0], KEYS[:, 1], np.array([-2.0, 0.3, 1.5])
    s, w, slopes = local_lines(queries, keys, values, 0.8)
    for i, q in enumerate(queries):
        roots = np.sqrt(s[i])
        height, slope = np.linalg.lstsq(np.c_[roots, roots * (keys - q)], roots * values)[0]
        assert (w[i] @ values, slopes[i]) == (pytest.approx(height), pytest.approx(slope))
        assert w[i] @ keys == pytest.approx(q)
