"""The drawings of the chapter on kernels: points, boundaries, curves, entries lie where the numbers say."""

import numpy as np

from margins_book.kernels import drawings as draw
from tests.margins_book.drawn import data, marks_by_key
from tests.margins_book.plane_points import ALPHA, X, Y


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


def test_weights_of_a_witness_have_their_sign_without_colour():
    places, u = np.linspace(-1, 1, 3), np.array([0.5, -0.7, 0.5])
    drawing = draw.offset_drawing([-1, 0, 1], [-0.5, 0, 0], -0.5, places, u)
    found, panel = marks_by_key(drawing), drawing.panels[1]
    tops = [found[f"weight {i}"]["n"][3] / 10 for i in range(3)]
    np.testing.assert_allclose(tops, panel.y.pixels(u), atol=0.06)
    assert found["now"]["told"] == [["share", -250, -3]]


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


def test_a_curve_that_leaves_its_panel_is_named_where_it_is_seen():
    shares, sigma = np.geomspace(1e-4, 0.3, 41), np.geomspace(1, 1e-6, 30)
    sizes = {"Gaussian": np.linspace(20, 1, 41), "Laplacian": np.linspace(80, 3, 41)}
    drawing = draw.spectrum_drawing(dict.fromkeys(sizes, sigma), shares[20], shares, sizes)
    below_the_title = drawing.panels[1].box[1] + 8
    for name in sizes:
        assert marks_by_key(drawing)[f"name of {name}"]["n"][1] / 10 > below_the_title


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


def test_the_vector_of_the_point_waits_for_the_text():
    drawing = draw.gram_drawing(X, Y, X @ X.T, row=2)
    arrow = marks_by_key(drawing)["vector of the row's point"]
    assert arrow["a"] == "vector"
    np.testing.assert_allclose(data(drawing.panels[0], arrow["n"]), [[0, 0], X[2]], atol=0.02)


def test_the_frame_lies_around_the_row():
    drawing = draw.gram_drawing(X, Y, X @ X.T, row=2)
    corners = data(drawing.panels[1], marks_by_key(drawing)["row"]["n"])
    np.testing.assert_allclose([corners[:, 1].min(), corners[:, 1].max()], [1.5, 2.5], atol=0.02)


def test_the_curves_lie_where_they_are_and_the_norm_is_told():
    heights, places = np.linspace(-0.4, 0.4, 33), np.linspace(-2, 2, 5)
    norms = {"Gaussian": (heights, 2 + heights**2), "Laplacian": (heights, 1 + heights**2)}
    flat, bent = (places, 0 * places), (places, places**2 / 4)
    drawing = draw.detour_drawing(flat, flat, bent, norms, ("Laplacian", 0.2), 2.2)
    found, panel = marks_by_key(drawing), drawing.panels[0]
    np.testing.assert_allclose(data(panel, found["with detours"]["n"])[:, 1], bent[1], atol=0.02)
    np.testing.assert_allclose(data(panel, found["without detours"]["n"])[:, 1], 0, atol=0.02)
    assert found["now"]["told"] == [["norm", 104, -2]]


def test_axes_follow_points_that_lie_outside():
    x, alpha = np.array([0.3, -1.0, 7.0, -1.8]), np.zeros(4)
    lift = draw.lift_drawing(x, Y, alpha, top=2).panels[0]
    assert lift.x.limits[0] == -2.6 < 7 < lift.x.limits[1]
    assert lift.y.limits[1] > 49
    places = np.linspace(-2.8, 7.4, 5)
    curve, y = (places, places), np.array([1.0, 2.0, 5.0, 0.0])
    function, bars = draw.interpolant_drawing(x, y, alpha, 3, curve, curve, largest=20.0).panels
    assert [function.x.limits, function.y.limits] == [(-2.8, 7.4), (-2.1, 5.25)]
    assert bars.x.limits == (-22, 22)
