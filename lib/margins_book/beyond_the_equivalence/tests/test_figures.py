"""The drawings beyond the equivalence: curves, bars and ellipses lie where the numbers say."""

import numpy as np
import pytest

from margins_book.beyond_the_equivalence import figures as draw
from tests.margins_book.drawn import marks, points

LINE = np.linspace(-2, 2, 5)


def test_coefficients_stand_over_their_example_and_are_linked_to_it():
    x, y = np.array([-1.0, 0, 1]), np.array([0.5, -0.5, 1])
    lines = {name: (LINE, k * LINE / 4) for k, name in enumerate(draw.LEARNERS)}
    coefficients = {name: np.array([0.1, 0.2, 0.7]) * (1 - k) for k, name in enumerate(draw.LEARNERS)}
    drawing = draw.prompt_drawing(x, y, 1, lines, 0.6, coefficients)
    found = marks(drawing)
    for k, name in enumerate(draw.LEARNERS):
        np.testing.assert_allclose(
            points(drawing, 0, f"curve of {name}"), np.c_[LINE, k * LINE / 4], atol=0.01
        )
        spots = np.vstack([points(drawing, 1, f"{name} {j}") for j in range(3)])
        np.testing.assert_allclose(spots[:, 1], np.clip(coefficients[name], -0.5, 1.05), atol=0.01)
        assert [found[1, f"{name} {j}"]["l"] for j in range(3)] == ["example 0", "example 1", "example 2"]
    assert found[0, "example 1"]["n"][2] > found[0, "example 0"]["n"][2]


def test_read_outs_stand_on_their_rows_now_and_at_the_start():
    tokens = np.array([[1.0, 0.3], [0.5, 1], [1, -1], [-1, 0.5]])
    start, now = np.array([0.3, 0.1, 1.4, 2.0]), np.array([0.2, 0.1, 1.4, 9.0])
    drawing = draw.swap_drawing(tokens, list("qklc"), 3, start, now)
    found = marks(drawing)
    for name, values in (("start", start), ("now", now)):
        spots = np.vstack([points(drawing, 1, f"{name} {i}") for i in range(4)])
        np.testing.assert_allclose(spots, np.c_[np.minimum(values, 3.6), [3, 2, 1, 0]], atol=0.02)
    assert found[1, "now 1"]["n"][:2] == found[1, "start 1"]["n"][:2]
    assert found[1, "now 3"]["told"][0][1] == 900  # told as it is, in hundredths, though drawn at the edge


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


def test_answers_now_lie_on_both_replies():
    sweep = np.linspace(-2, 2, 9)
    replies = {"attention over tasks": np.tanh(sweep), "best linear": sweep / 2}
    curves = {"attention over tasks": LINE / 2, "best linear": LINE / 4}
    x, y = np.array([0.1, 0.7]), np.array([0.2, 1.0])
    tasks = {"g": LINE, "−g": -LINE}
    drawing = draw.tasks_drawing(LINE, tasks, curves, x, y, 1, 1.5, sweep, replies, (0.8, 0.2))
    found = marks(drawing)
    for name, value in (("attention over tasks", np.tanh(1)), ("best linear", 0.5)):
        np.testing.assert_allclose(points(drawing, 1, f"{name} now")[0], [1, value], atol=0.02)
        np.testing.assert_allclose(points(drawing, 1, f"reply of {name}")[:, 1], replies[name], atol=0.02)
    assert (0, "task −g") in found
