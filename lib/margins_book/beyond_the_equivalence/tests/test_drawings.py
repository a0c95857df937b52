"""The drawings beyond the equivalence: curves, bars, ellipses and dots lie where the numbers say."""

import numpy as np
import pytest

from margins_book.beyond_the_equivalence import depth
from margins_book.beyond_the_equivalence import drawings as draw
from margins_book.experiments.estimates import Estimate
from tests.margins_book.drawn import data, marks, points

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


def test_the_curve_its_maximum_and_all_maxima_lie_where_the_numbers_say():
    s, kinds = depth.eigenvalues(1.0, 30.0), depth.left_after(1.0, 30.0)
    worst = {key: sizes.max() for key, sizes in kinds.items()}
    left = kinds["inputs, overwritten", 2]
    drawing = draw.depth_drawing(s, left, worst, 2, "inputs, overwritten")
    found = marks(drawing)
    curve = points(drawing, 0, "left")
    np.testing.assert_allclose(curve[:, 0], s[::12], atol=0.1)
    np.testing.assert_allclose(np.log(curve[:, 1]), np.log(np.maximum(left[::12], draw.FLOOR)), atol=0.05)
    np.testing.assert_allclose(np.log(points(drawing, 0, "maximum")[:, 1]), np.log(left.max()), atol=0.02)
    for kind, layers in worst:
        (spot,) = points(drawing, 1, f"{kind} {layers}")
        np.testing.assert_allclose(
            [spot[0], np.log(spot[1])], [layers, np.log(worst[kind, layers])], atol=0.03
        )
    sizes = {key: found[1, f"{key[0]} {key[1]}"]["n"][2] for key in worst}
    assert max(sizes, key=sizes.get) == ("inputs, overwritten", 2)
    assert len(set(sizes.values())) == 2


def line(*values):
    return [Estimate(value, 0.9 * value, 1.1 * value) for value in values]


def test_the_error_now_lies_on_the_curve():
    steps, errors = np.array([1, 10, 100]), np.array([1.1, 0.8, 0.4])
    drawing = draw.trained_heads_drawing(np.zeros((2, 4, 4)), steps, errors, 1, {"one head": 0.6})
    np.testing.assert_allclose(points(drawing, 2, "error now")[0], [10, 0.8], rtol=0.03)


def test_frames_of_training_lie_over_each_other():
    steps, errors = np.array([1, 10, 100]), np.array([1.1, 0.8, 0.4])
    frames = [
        draw.trained_heads_drawing(np.full((2, 4, 4), k), steps, errors, k, {"one head": 0.6}).frame("")
        for k in (0, 2)
    ]
    assert frames[0]["panels"] == frames[1]["panels"]


def test_errors_lie_over_their_numbers_of_tasks():
    learners = {name: line(0.1, 0.5) for name in draw.STYLES}
    drawing = draw.trained_tasks_drawing((2, 1024), learners, {name: line(1.0, 0.2) for name in draw.STYLES})
    np.testing.assert_allclose(points(drawing, 0, "ridge 1")[0], [1024, 0.5], rtol=0.05)
    np.testing.assert_allclose(points(drawing, 1, "network 0")[0], [2, 1.0], rtol=0.05)


def test_intervals_reach_from_low_to_high():
    learners = {name: line(0.1, 0.5) for name in draw.STYLES}
    drawing = draw.trained_tasks_drawing((2, 1024), learners, learners)
    np.testing.assert_allclose(points(drawing, 0, "interval 1 of ridge")[:, 1], [0.45, 0.55], rtol=0.05)


def test_widths_and_transfer_show_their_numbers():
    two = {name: line(0.2, 0.1) for name in ("trained", "not trained")}
    drawing = draw.widths_drawing((4, 256), two, {name: line(20, 60) for name in two}, 1, 0.28)
    np.testing.assert_allclose(points(drawing, 1, "trained 1")[0], [256, 60], rtol=0.05)
    errors = {name: line(0.9, 0.3) for name in draw.SOURCES}
    machines = {name: (Estimate(20.0), Estimate(0.7)) for name in draw.SOURCES}
    drawing = draw.transfer_drawing((10, 1000), errors, machines)
    np.testing.assert_allclose(points(drawing, 0, "2 tasks 1")[0], [1000, 0.3], rtol=0.05)
    np.testing.assert_allclose(points(drawing, 1, "machine of 16 tasks")[0], [20, 0.7], rtol=0.05)
