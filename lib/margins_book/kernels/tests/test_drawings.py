"""The drawings of the chapter on kernels: points, boundaries, curves, entries lie where the numbers say."""

import numpy as np

from margins_book.kernels import drawings as draw
from tests.margins_book.drawn import data, marks_by_key
from tests.margins_book.samples import ALPHA, X, Y


def test_the_lift_puts_points_on_the_parabola_and_its_answer_on_the_line():
    x, y, alpha = np.array([0.3, -1.0, 2.0, -1.8]), Y, ALPHA
    w, b = np.array([0.2, -0.8]), 1.5
    drawing = draw.lift_drawing(x, y, alpha, w, b, top=2)
    found, panel = marks_by_key(drawing), drawing.panels[0]
    for i, place in enumerate(x):
        np.testing.assert_allclose(data(panel, found[f"point {i}"]["n"][:2])[0], [place, place**2], atol=0.01)
    ends = data(panel, found["answered +1"]["n"])
    np.testing.assert_allclose(w[0] * ends[:, 0] + w[1] * ends[:, 0] ** 2 + b, 0, atol=0.02)
    np.testing.assert_allclose(ends[:, 1], 0, atol=0.02)
    assert "answered +1" not in marks_by_key(draw.lift_drawing(x, y, alpha, top=2))


def test_the_boundary_of_a_machine_is_where_its_field_vanishes():
    columns, rows = np.linspace(-1.5, 2.5, 41), np.linspace(-1.1, 1.6, 28)
    field = np.add.outer(rows, 0.5 * columns) - 0.3  # f = x_2 + x_1 / 2 - 0.3
    counts = {name: (np.geomspace(0.01, 30, 30), np.arange(30)) for name in ("Gaussian", "Laplacian")}
    drawing = draw.machine_drawing(X / 2, Y, ALPHA, 1.0, (columns, rows, field), counts, ("Gaussian", 1.0))
    line = data(drawing.panels[0], marks_by_key(drawing)["boundary 0"]["n"])
    np.testing.assert_allclose(line[:, 1] + line[:, 0] / 2, 0.3, atol=0.01)
    assert marks_by_key(drawing)["now"]["told"] == [["support vectors", 300, -2]]


def test_errors_and_dimensions_are_told_where_the_control_stands():
    penalties = np.geomspace(1e-4, 100, 61)
    errors = penalties, np.full(61, 0.2), np.linspace(0.3, 0.9, 61)
    curves = np.array([0.0, 1.0]), np.zeros(2), np.ones(2)
    found = marks_by_key(draw.ridge_drawing(X[:, 0], Y, curves, errors, penalties[30], 0.9))
    assert found["training now"]["told"] == [["error", 200, -3]]
    assert found["leave one out now"]["told"] == [["error", 600, -3]]
    shares, sigma = np.geomspace(1e-4, 0.3, 41), np.geomspace(1, 1e-6, 30)
    sizes = {name: np.linspace(20, 1, 41) for name in ("Gaussian", "Laplacian")}
    drawing = draw.spectrum_drawing(dict.fromkeys(sizes, sigma), shares[20], shares, sizes)
    assert marks_by_key(drawing)["Gaussian now"]["told"] == [["dimension", 105, -1]]
    assert marks_by_key(drawing)["Laplacian 1"]["told"] == [["eigenvalue", 100, -2]]


def test_points_tell_their_entries_in_the_row_and_are_hollow_where_these_are_negative():
    K = X @ X.T
    drawing = draw.gram_drawing(X, Y, K, row=1)
    found = marks_by_key(drawing)
    for i, entry in enumerate(K[1]):
        ((name, digits, power),) = found[f"point {i}"]["told"]
        assert name == "entry"
        assert abs(digits * 10.0**power - entry) < 1e-2 * max(1, abs(entry))
    hollow = [i for i in range(len(X)) if found[f"point {i}"]["s"]["fill"] == "paper"]
    assert hollow == np.flatnonzero(K[1] <= 0).tolist() != []


def test_vectors_stand_at_their_angle_and_the_dot_on_the_line():
    drawing = draw.angles_drawing(np.pi / 3, 0.5, 1 - 0.5**0.5)
    found, (plane, panel) = marks_by_key(drawing), drawing.panels
    ends = [data(plane, found[f"vector {i}"]["n"])[1] for i in (1, 2, 3)]
    np.testing.assert_allclose(ends, [[-(0.75**0.5), 0.5], [0, 1], [0.75**0.5, 0.5]], atol=0.01)
    np.testing.assert_allclose(data(panel, found["now"]["n"][:2])[0], [0.5, 1 - 0.5**0.5], atol=0.01)


def test_the_inner_product_of_bumps_is_a_height():
    x = np.linspace(-3, 7, 101)
    first, second = np.exp(-np.abs(x)), np.exp(-np.abs(x - 1))
    drawing = draw.bumps_drawing(x, first, second, 1.0, np.exp(-1))
    found, panel = marks_by_key(drawing), drawing.panels[0]
    np.testing.assert_allclose(data(panel, found["inner product"]["n"][:2])[0], [1, np.exp(-1)], atol=0.02)
    curve = data(drawing.panels[1], found["difference"]["n"])
    np.testing.assert_allclose(np.interp(0.5, *curve.T), 0, atol=0.03)
