"""The drawings beyond the equivalence: curves, bars and ellipses lie where the numbers say."""

import numpy as np
import pytest

from margins.figures import beyond_the_equivalence as draw
from tests.test_figures import data

LINE = np.linspace(-2, 2, 5)


def marks(drawing):
    """Marks by panel and key: what panels share has the same key in each."""
    return {(mark["p"], mark["k"]): mark for mark in drawing.frame("said")["marks"]}


def places(drawing, found, panel, key):
    """The data coordinates of a line, or of a dot's middle."""
    numbers = found[panel, key]["n"]
    return data(drawing.panels[panel], numbers[:2] if len(numbers) == 3 else numbers)


def test_coefficients_stand_over_their_example_and_are_linked_to_it():
    x, y = np.array([-1.0, 0, 1]), np.array([0.5, -0.5, 1])
    lines = {name: (LINE, k * LINE / 4) for k, name in enumerate(draw.LEARNERS)}
    coefficients = {name: np.array([0.1, 0.2, 0.7]) * (1 - k) for k, name in enumerate(draw.LEARNERS)}
    drawing = draw.prompt_drawing(x, y, 1, lines, 0.6, coefficients)
    found = marks(drawing)
    for k, name in enumerate(draw.LEARNERS):
        np.testing.assert_allclose(
            places(drawing, found, 0, f"curve of {name}"), np.c_[LINE, k * LINE / 4], atol=0.01
        )
        spots = np.vstack([places(drawing, found, 1, f"{name} {j}") for j in range(3)])
        np.testing.assert_allclose(spots[:, 1], np.clip(coefficients[name], -0.5, 1.05), atol=0.01)
        assert [found[1, f"{name} {j}"]["l"] for j in range(3)] == ["example 0", "example 1", "example 2"]
    assert found[0, "example 1"]["n"][2] > found[0, "example 0"]["n"][2]


def test_read_outs_stand_on_their_rows_now_and_at_the_start():
    tokens = np.array([[1.0, 0.3], [0.5, 1], [1, -1], [-1, 0.5]])
    start, now = np.array([0.3, 0.1, 1.4, 2.0]), np.array([0.2, 0.1, 1.4, 9.0])
    drawing = draw.swap_drawing(tokens, list("qklc"), 3, start, now)
    found = marks(drawing)
    for name, values in (("start", start), ("now", now)):
        spots = np.vstack([places(drawing, found, 1, f"{name} {i}") for i in range(4)])
        np.testing.assert_allclose(spots, np.c_[np.minimum(values, 3.6), [3, 2, 1, 0]], atol=0.02)
    assert found[1, "now 1"]["n"][:2] == found[1, "start 1"]["n"][:2]
    assert found[1, "now 3"]["told"][0][1] == 900  # told as it is, in hundredths, though drawn at the edge


def test_level_lines_are_levels_and_the_weights_lie_on_their_way():
    hessian, bottom = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([1.0, 0.5])
    path = np.array([[0.0, 0], [0.5, 0.2], [0.8, 0.4]])
    drawing = draw.layers_drawing(path, bottom, hessian, [0, 1, 1.2], [0, 1, 0.8], (1.4, 0.7), 1)
    found = marks(drawing)
    ring = places(drawing, found, 0, "level 1") - bottom
    np.testing.assert_allclose(np.einsum("ni,ij,nj->n", ring, hessian, ring), 1, atol=0.03)
    np.testing.assert_allclose(places(drawing, found, 0, "weights now"), path[1:2], atol=0.01)
    assert found[1, "masked now"]["n"][:2] == found[1, "not masked now"]["n"][:2]
    for name, limit in (("masked", 1.4), ("not masked", 0.7)):
        assert places(drawing, found, 1, f"limit {name}")[0, 1] == pytest.approx(limit, abs=0.02)


def test_answers_now_lie_on_both_replies():
    sweep = np.linspace(-2, 2, 9)
    replies = {"attention over tasks": np.tanh(sweep), "best linear": sweep / 2}
    curves = {"attention over tasks": LINE / 2, "best linear": LINE / 4}
    x, y = np.array([0.1, 0.7]), np.array([0.2, 1.0])
    tasks = {"g": LINE, "−g": -LINE}
    drawing = draw.tasks_drawing(LINE, tasks, curves, x, y, 1, 1.5, sweep, replies, (0.8, 0.2))
    found = marks(drawing)
    for name, value in (("attention over tasks", np.tanh(1)), ("best linear", 0.5)):
        np.testing.assert_allclose(places(drawing, found, 1, f"{name} now")[0], [1, value], atol=0.02)
        np.testing.assert_allclose(
            places(drawing, found, 1, f"reply of {name}")[:, 1], replies[name], atol=0.02
        )
    assert (0, "task −g") in found


def test_the_marked_query_lies_on_mixture_and_smoother():
    keys, values = np.array([-1.0, 1]), np.array([0.5, -0.5])
    heads = [0.2 * LINE, -0.1 * LINE]
    shares = [np.full(5, 0.5), np.linspace(0.1, 0.9, 5)]
    drawing = draw.heads_drawing(keys, values, LINE, heads, 0.1 * LINE, -0.2 * LINE, 3, shares)
    found = marks(drawing)
    np.testing.assert_allclose(places(drawing, found, 0, "mixture now")[0], [1, 0.1], atol=0.02)
    np.testing.assert_allclose(places(drawing, found, 0, "kernel now")[0], [1, -0.2], atol=0.02)
    np.testing.assert_allclose(places(drawing, found, 1, "kernel now")[0], [1, 0.7], atol=0.02)


def test_the_ellipse_has_length_one_in_the_metric():
    rng = np.random.default_rng(0)
    X, A = rng.normal(size=(6, 2)), np.array([[2.0, 1.0], [-0.5, 1.5]])
    y, angles = np.array([1.0, -1, 2, -2, 1, -1]), np.linspace(-90, 90, 7)
    errors = np.linspace(0.1, 0.7, 7)
    drawing = draw.metric_drawing(X, y, A, np.array([1.0, 0]), errors, angles, 2, 0.3)
    found = marks(drawing)
    ring = places(drawing, found, 0, "edge of the neighbourhood")
    np.testing.assert_allclose(np.linalg.norm(ring @ A.T, axis=1), 1, atol=0.03)
    assert sum(key.startswith("high") for _, key in found) == 3
    np.testing.assert_allclose(places(drawing, found, 1, "error now")[0], [angles[2], errors[2]], atol=0.5)
