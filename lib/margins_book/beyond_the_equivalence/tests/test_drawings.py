"""The drawings beyond the equivalence: curves, bars, ellipses and dots lie where the numbers say."""

import numpy as np
import pytest

from margins_book.beyond_the_equivalence import drawings as draw
from tests.margins_book.drawn import data, marks, points


def test_level_lines_are_levels_and_the_weights_lie_on_their_way():
    hessian, bottom = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([1.0, 0.5])
    path = np.array([[0.0, 0], [0.5, 0.2], [0.8, 0.4]])
    drawing = draw.layers_drawing(path, bottom, hessian, [0, 1, 1.2], [0, 1, 0.8], (1.4, 0.7), 1)
    found = marks(drawing)
    ring = points(drawing, 0, "level 1") - bottom
    np.testing.assert_allclose(np.einsum("ni,ij,nj->n", ring, hessian, ring), 1, atol=0.03)
    np.testing.assert_allclose(points(drawing, 0, "weights now"), path[1:2], atol=0.01)
    assert found[1, "masked now"]["n"][:2] == found[1, "not masked now"]["n"][:2]
    for name, limit in (("masked", 1.4), ("not masked", 0.7)):
        assert points(drawing, 1, f"limit {name}")[0, 1] == pytest.approx(limit, abs=0.02)


def test_the_ellipse_has_length_one_in_the_metric():
    rng = np.random.default_rng(0)
    X, A = rng.normal(size=(6, 2)), np.array([[2.0, 1.0], [-0.5, 1.5]])
    y, angles = np.array([1.0, -1, 2, -2, 1, -1]), np.linspace(-90, 90, 7)
    errors = np.linspace(0.1, 0.7, 7)
    drawing = draw.metric_drawing(X, y, A, np.array([1.0, 0]), errors, angles, 2, 0.3)
    found = marks(drawing)
    ring = points(drawing, 0, "edge of the neighbourhood")
    np.testing.assert_allclose(np.linalg.norm(ring @ A.T, axis=1), 1, atol=0.03)
    lengths, arrow = np.linalg.norm(ring, axis=1), found[0, "farthest"]
    start, tip = data(drawing.panels[0], arrow["n"])
    assert arrow["a"] == "farthest"
    assert tip[1] > 0
    np.testing.assert_allclose(start, 0, atol=0.02)
    assert lengths.max() - 0.02 < np.linalg.norm(tip) < lengths.max() + 0.02
    assert min(np.linalg.norm(ring - tip, axis=1)) < 0.1
    assert sum(key.startswith("high") for _, key in found) == 3
    np.testing.assert_allclose(points(drawing, 1, "error now")[0], [angles[2], errors[2]], atol=0.5)


def test_the_guess_lies_at_the_peak_of_what_is_likely_now():
    w, sizes = np.linspace(-3, 5, 33), np.linspace(0.1, 3, 5)
    curves = {name: np.exp(-((w - peak) ** 2)) for name, peak in (("before", 0), ("example", 2), ("now", 1))}
    drawing = draw.guess_drawing(w, curves, 1.0, (sizes, 2 / (1 + sizes**2)), 1.0)
    line = points(drawing, 0, "now")
    np.testing.assert_allclose(line[line[:, 1].argmax()], [1, 1], atol=0.02)
    np.testing.assert_allclose(points(drawing, 0, "guess")[:, 0], 1, atol=0.02)
    np.testing.assert_allclose(points(drawing, 1, "guess now")[0], [1, 1], atol=0.02)


def test_a_stretched_kernel_and_its_errors_lie_where_the_numbers_say():
    line = np.linspace(-2, 2, 9)
    tasks = np.stack([line / 2, np.cos(line), -np.abs(line) / 2])
    drawing = draw.function_drawing(
        line, tasks, 1, (0.5, 0.9), 0.5 * tasks[1], tasks[1], np.array([0.5, 0.2, 0.1])
    )
    np.testing.assert_allclose(points(drawing, 0, "stretched kernel")[:, 1], 0.5 * np.cos(line), atol=0.02)
    np.testing.assert_allclose(points(drawing, 0, "example")[0], [0.5, 0.9], atol=0.02)
    assert sum(key.startswith("error of task") for _, key in marks(drawing)) == 3
