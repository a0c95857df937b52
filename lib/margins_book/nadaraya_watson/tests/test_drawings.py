"""The drawings of Nadaraya-Watson regression: bars, answers, cells and lines lie where the numbers say."""

import numpy as np
import pytest

from margins.attention import attention_weights, nadaraya_watson, softmax_attention
from margins.kernels import band_mask
from margins_book.drawing.cells import CORNERS, cell, padded
from margins_book.nadaraya_watson import drawings as draw
from margins_book.nadaraya_watson.drawings import LARGEST, SMALLEST, pair_drawing, smoothed_drawing, stairs
from tests.margins_book.drawn import data, marks

KEYS = np.array([[1.3, 0.2], [-0.4, 1.0], [-1.1, -0.6], [0.5, -1.4], [0.1, 0.1]])
WINDOW = np.array([[-3.0, -2.0], [3, -2], [3, 2], [-3, 2]])
POINTS = np.array([[1.0, 0.0], [0.5, 1.0], [-1.0, 0.0], [-0.5, -1.0]])
LABELS = np.array([1.0, 1.0, -1.0, -1.0])
WEIGHTS = np.array([0.5, 0.25, 0.15, 0.1])
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


def test_a_key_inside_the_hull_has_no_cell_without_its_correction():
    assert len(cell(KEYS, np.zeros(5), 4, WINDOW)) == 0
    found = marks(draw.partitions_drawing(KEYS, np.zeros(5), WINDOW))
    assert (0, "cell 4") in found
    assert (1, "cell 4") not in found


def test_bars_are_weights_and_the_diamond_lies_on_the_curve():
    keys, values = KEYS[:, 0], KEYS[:, 1]
    line = np.linspace(-2, 2, 41)
    curve = nadaraya_watson(line, keys, values, 0.5)
    weights = np.array([0.5, 0.2, 0.1, 0.15, 0.05])
    drawing = draw.query_drawing(keys, values, weights, line[17], curve[17], (line, curve))
    found = marks(drawing)
    for j in range(5):
        bar = found[1, f"weight of key {j}"]
        assert data(drawing.panels[1], bar["n"][2:])[0, 1] == pytest.approx(weights[j], abs=2e-3)
        assert bar["l"] == f"key {j}"
    drawn = np.reshape(found[0, "estimate"]["n"], (-1, 2))
    np.testing.assert_allclose(found[0, "answer"]["n"][:2], drawn[17], atol=1)


def test_areas_are_weights_and_the_answer_lies_in_the_hull_drawn():
    weights = attention_weights(np.array([[0.3, 0.4]]), KEYS)[0]
    values = np.roll(KEYS, 1, axis=0)
    drawing = draw.hull_drawing(KEYS, values, (0.3, 0.4), weights, weights @ values)
    found = marks(drawing)
    sizes = np.array([found[0, f"key {j}"]["n"][2] for j in range(5)]) ** 2.0
    np.testing.assert_allclose(np.argsort(sizes), np.argsort(weights))
    ring = data(drawing.panels[1], found[1, "hull of the values"]["n"])
    answer = data(drawing.panels[1], found[1, "answer"]["n"][:2])[0]
    edges = np.roll(ring, -1, axis=0) - ring
    turns = edges[:, 0] * (answer - ring)[:, 1] - edges[:, 1] * (answer - ring)[:, 0]
    assert (turns > 0).all() or (turns < 0).all()
    way = found[1, "way of the answer"]
    assert way["a"] == "way"
    start, tip = data(drawing.panels[1], way["n"])
    np.testing.assert_allclose(start, values.mean(axis=0), atol=0.02)
    length = np.linalg.norm(answer - start)
    np.testing.assert_allclose(tip - start, 1.5 * (answer - start) / length, atol=0.05)


def test_the_marked_bandwidth_lies_on_both_curves():
    keys, values, h = KEYS[:, 0], KEYS[:, 1], np.geomspace(0.1, 2, 21)
    left_out, training = np.linspace(0.6, 0.2, 21), np.linspace(0, 0.5, 21)
    line = np.linspace(-2, 2, 5)
    drawing = draw.bandwidth_drawing(keys, values, (line, line), (line, line), h, left_out, training, 7)
    found = marks(drawing)
    for name in ("left out", "training"):
        curve = np.reshape(found[1, f"{name} curve"]["n"], (-1, 2))
        np.testing.assert_allclose(found[1, f"{name} now"]["n"][:2], curve[7], atol=1)


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


def test_tokens_are_drawn_in_units_of_the_longest_and_the_spread_where_it_is():
    drawing = draw.depth_drawing(3 * KEYS, np.array([1.0, 0.1, 1e-20]), 1)
    found = marks(drawing)
    places = np.vstack([data(drawing.panels[0], found[0, f"token {j}"]["n"][:2]) for j in range(5)])
    assert np.linalg.norm(places, axis=1).max() == pytest.approx(1, abs=5e-3)
    curve = np.reshape(found[1, "to come"]["n"], (-1, 2))
    np.testing.assert_allclose(found[1, "now"]["n"][:2], curve[1], atol=1)
    assert curve[2, 1] == pytest.approx(10 * drawing.panels[1].y.ends[0], abs=1)  # cut at the foot


@pytest.fixture(scope="module")
def smoothed():
    x, y = np.linspace(-3, 3, 31), np.linspace(-2, 2, 21)
    field = np.add.outer(0 * y, x - 0.5)  # zero where x = 0.5
    return smoothed_drawing(POINTS, LABELS, WEIGHTS, np.array([0.8, 0.2]), (x, y), field)


def test_areas_of_points_are_weights(smoothed):
    found = marks(smoothed)
    radii = np.array([found[0, f"point {j}"]["n"][2] for j in range(4)])
    areas = SMALLEST + (LARGEST - SMALLEST) * WEIGHTS
    np.testing.assert_allclose(radii**2 / radii[0] ** 2, areas / areas[0], rtol=0.03)


def test_the_dashed_line_is_where_the_answer_is_0(smoothed):
    line = data(smoothed.panels[0], marks(smoothed)[0, "answer 0 0"]["n"])
    np.testing.assert_allclose(line[:, 0], 0.5, atol=0.02)


def test_the_query_stands_at_its_place(smoothed):
    query = marks(smoothed)[0, "query"]
    np.testing.assert_allclose(data(smoothed.panels[0], query["n"][:2])[0], [0.8, 0.2], atol=0.02)


def test_opposite_labels_cancel_half_way():
    middle = nadaraya_watson(np.zeros((1, 2)), POINTS, LABELS, 0.7)
    assert abs(middle[0]) < 1e-15


def test_two_tokens_lie_at_half_their_distance_up_to_the_layer():
    drawing = pair_drawing(DISTANCES, 2)
    found = marks(drawing)
    for number in range(3):
        places = [
            data(drawing.panels[0], found[0, f"{side} after {number}"]["n"][:2])[0]
            for side in ("left", "right")
        ]
        half = DISTANCES[number] / 2
        np.testing.assert_allclose(places, [[-half, number], [half, number]], atol=0.03)
    assert (0, "left after 3") not in found


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
