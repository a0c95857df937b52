"""The figures of trained networks: dots lie where the estimates are, and frames over each other."""

import numpy as np

from margins_book.beyond_the_equivalence import trained_figures as draw
from margins_book.experiments.estimates import Estimate
from tests.margins_book.drawn import points


def line(*values):
    return [Estimate(value, 0.9 * value, 1.1 * value) for value in values]


def test_the_error_now_lies_on_the_curve():
    steps, errors = np.array([1, 10, 100]), np.array([1.1, 0.8, 0.4])
    drawing = draw.heads_drawing(np.zeros((2, 4, 4)), steps, errors, 1, {"one head": 0.6})
    np.testing.assert_allclose(points(drawing, 2, "error now")[0], [10, 0.8], rtol=0.03)


def test_frames_of_training_lie_over_each_other():
    steps, errors = np.array([1, 10, 100]), np.array([1.1, 0.8, 0.4])
    frames = [
        draw.heads_drawing(np.full((2, 4, 4), k), steps, errors, k, {"one head": 0.6}).frame("")
        for k in (0, 2)
    ]
    assert frames[0]["panels"] == frames[1]["panels"]


def test_errors_lie_over_their_numbers_of_tasks():
    learners = {name: line(0.1, 0.5) for name in draw.STYLES}
    drawing = draw.tasks_drawing((2, 1024), learners, {name: line(1.0, 0.2) for name in draw.STYLES})
    np.testing.assert_allclose(points(drawing, 0, "ridge 1")[0], [1024, 0.5], rtol=0.05)
    np.testing.assert_allclose(points(drawing, 1, "network 0")[0], [2, 1.0], rtol=0.05)


def test_intervals_reach_from_low_to_high():
    learners = {name: line(0.1, 0.5) for name in draw.STYLES}
    drawing = draw.tasks_drawing((2, 1024), learners, learners)
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
