"""The figures of trained matrices: bars are singular values, dots lie on their curves."""

import numpy as np
import pytest

from margins_book.attention_svm import matrix_figures as draw
from tests.margins_book.drawn import data, marks


def test_bars_and_marks_are_singular_values_and_dots_lie_on_their_curves():
    reaches = np.geomspace(3, 1000, 8)
    curves = {"nuclear": 1 / reaches, "Frobenius": 0.3 + 0.1 / reaches}
    shares = np.array([0.7, 0.3])
    drawing = draw.limits_drawing(shares, {"nuclear": shares, "Frobenius": 1.3 * shares}, reaches, curves, 4)
    found = marks(drawing)
    for k in range(2):
        top = data(drawing.panels[0], found[0, f"value {k + 1}"]["n"][2:])[0, 1]
        assert top == pytest.approx(shares[k], abs=0.01)
        crossed = data(drawing.panels[0], found[0, f"Frobenius {k + 1}"]["n"][:2])[0, 1]
        assert crossed == pytest.approx(1.3 * shares[k], abs=0.01)
    for name, values in curves.items():
        dot = data(drawing.panels[1], found[1, f"{name} now"]["n"][:2])[0]
        np.testing.assert_allclose(dot, [reaches[4], values[4]], rtol=0.02)


def test_spectra_stand_beside_those_of_their_machines():
    found_values, goal = np.array([1.0, 0.5, 0.2]), np.array([1.0, 0.4, 0.0])
    drawing = draw.spectra_drawing({"W": (found_values, goal), "KQ": (found_values**2, goal**2)})
    found = marks(drawing)
    for panel, power in enumerate((1, 2)):
        for k in range(3):
            top = data(drawing.panels[panel], found[panel, f"value {k + 1}"]["n"][2:])[0, 1]
            mark = data(drawing.panels[panel], found[panel, f"SVM {k + 1}"]["n"][:2])[0, 1]
            assert (top, mark) == pytest.approx((found_values[k] ** power, goal[k] ** power), abs=0.01)


def test_the_trap_shows_both_angles_and_the_sum_of_the_pulls():
    steps = np.array([10, 100, 1000])
    angles = {"stable": np.array([0.3, 0.03, 0.003]), "textbook": np.array([0.3, 0.1, 0.9])}
    drawing = draw.trap_drawing(steps, angles, np.array([0.0, 1e-6, 1.0]), 1)
    found = marks(drawing)
    for name, values in angles.items():
        dot = data(drawing.panels[0], found[0, f"{name} now"]["n"][:2])[0]
        np.testing.assert_allclose(dot, [100, values[1]], rtol=0.02)
    np.testing.assert_allclose(
        data(drawing.panels[1], found[1, "sum now"]["n"][:2])[0], [100, 1e-6], rtol=0.1
    )


def test_mean_ranks_have_intervals_of_two_standard_errors():
    ranks = {"Frobenius": np.array([[5, 5], [10, 10]]), "nuclear": np.array([[3, 5], [4, 4]])}
    ranks["counted"] = np.array([[5, 5], [9, 9]])
    (axes,) = draw.ranks_figure((5, 10), ranks).axes
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_marker() in "os"]
    np.testing.assert_allclose(lines[1].get_ydata(), [4, 4])
    bars = axes.containers[1].lines[2][0].get_segments()
    assert bars[0][1, 1] - 4 == pytest.approx(1.96 * 1.0)
