"""The drawings of the generalised SVM: bars, ways, lines and counts lie where the numbers say."""

import numpy as np
import pytest

from margins_book.generalised_svm import drawings as draw
from tests.margins_book.drawn import data, marks

TOKENS = np.array([[1.3, -0.5], [-1.2, -0.7], [-0.1, 1.2]])


def test_borders_leave_each_corner_at_right_angles_to_an_edge_and_outwards():
    drawing = draw.nearest_drawing(TOKENS, TOKENS[0], np.eye(3)[0], np.eye(3)[0], TOKENS[:2])
    found, plane = marks(drawing), drawing.panels[0]
    for t in range(3):
        for side, other in (("a", (t + 1) % 3), ("b", (t + 2) % 3)):
            start, end = data(plane, found[0, f"border {t + 1}{side}"]["n"])
            np.testing.assert_allclose(start, TOKENS[t], atol=0.02)
            assert abs((end - start) @ (TOKENS[other] - TOKENS[t])) < 0.05
            assert (end - start) @ (TOKENS.mean(axis=0) - TOKENS[t]) < 0


def test_the_direction_begins_where_the_finite_part_ends_and_runs_along_the_line():
    tokens = np.array([[1.3, 0.8], [0.5, -0.6], [-1.0, 0.7]])
    across = tokens[0] - tokens[1]
    finite, direction = 1.4 * across / (across @ across), np.array([across[1], -across[0]])
    kept, weights = np.array([True, True, False]), np.array([0.7, 0.2, 0.1])
    drawing = draw.parts_drawing(tokens, kept, weights, finite, direction, 1.5)
    found, w = marks(drawing), drawing.panels[1]
    first, second = data(w, found[1, "finite part"]["n"]), data(w, found[1, "directional part"]["n"])
    np.testing.assert_allclose(first[1], second[0], atol=0.02)
    np.testing.assert_allclose(second[1], finite + 1.5 * direction, atol=0.03)
    line = data(w, found[1, "right ratios"]["n"])
    np.testing.assert_allclose(line @ across, 1.4, atol=0.05)
    circle = data(w, found[1, "circle"]["n"])
    np.testing.assert_allclose(np.linalg.norm(circle, axis=1), np.linalg.norm(finite), atol=0.02)
    assert (circle @ across).max() == pytest.approx(1.4, abs=0.03)  # it touches the line
    areas = np.array([found[0, f"attention on token {t + 1}"]["n"][2] for t in range(3)]) ** 2.0
    np.testing.assert_allclose(areas / areas.sum(), weights, atol=0.02)


def test_the_dots_of_the_logits_lie_where_the_lines_are_at_that_step():
    steps, logits = np.array([1, 10, 100]), np.array([[0.1, -0.1], [1.0, -1.0], [2.5, -2.5]])
    drawing = draw.logits_drawing(steps, logits, 1)
    found, panel = marks(drawing), drawing.panels[0]
    for t in range(2):
        line = data(panel, found[0, f"token {t + 1}"]["n"])
        np.testing.assert_allclose(line[:, 1], logits[:, t], atol=0.03)
        dot = data(panel, found[0, f"token {t + 1} now"]["n"][:2])
        np.testing.assert_allclose(dot.ravel(), line[1], atol=0.03)


def test_the_diamond_of_the_earnings_stands_at_the_best_share():
    grid = np.linspace(0, 1, 11)
    drawing = draw.earnings_drawing((grid, grid - grid**2), (0.2, 0.16), (0.5, 0.25))
    found, panel = marks(drawing), drawing.panels[0]
    curve = data(panel, found[0, "earnings"]["n"])
    most = data(panel, found[0, "most"]["n"][:2]).ravel()
    np.testing.assert_allclose(most, curve[curve[:, 1].argmax()], atol=0.02)
