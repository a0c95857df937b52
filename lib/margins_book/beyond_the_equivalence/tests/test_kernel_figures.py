"""The figures of several kernels: curves and ellipses lie where the numbers say."""

import numpy as np

from margins_book.beyond_the_equivalence import kernel_figures as draw
from tests.margins_book.drawn import data, marks, points

LINE = np.linspace(-2, 2, 5)


def test_the_marked_query_lies_on_mixture_and_smoother():
    keys, values = np.array([-1.0, 1]), np.array([0.5, -0.5])
    heads = [0.2 * LINE, -0.1 * LINE]
    shares = [np.full(5, 0.5), np.linspace(0.1, 0.9, 5)]
    drawing = draw.heads_drawing(keys, values, LINE, heads, 0.1 * LINE, -0.2 * LINE, 3, shares)
    np.testing.assert_allclose(points(drawing, 0, "mixture now")[0], [1, 0.1], atol=0.02)
    np.testing.assert_allclose(points(drawing, 0, "kernel now")[0], [1, -0.2], atol=0.02)
    np.testing.assert_allclose(points(drawing, 1, "kernel now")[0], [1, 0.7], atol=0.02)


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


def test_a_round_metric_looks_farthest_in_no_direction():
    X, y, angles = np.eye(2), np.array([1.0, -1]), np.linspace(-90, 90, 7)
    drawing = draw.metric_drawing(X, y, 2 * np.eye(2), np.array([1.0, 0]), angles, angles, 2, 0.3)
    assert (0, "farthest") not in marks(drawing)
