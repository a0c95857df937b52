"""The figure of a Gram matrix tells the entries of the chosen row, at the points and in the matrix."""

import numpy as np

from margins_book.kernels.gram_figures import gram_drawing
from tests.margins_book.drawn import data, marks_by_key
from tests.margins_book.plane_points import X, Y


def test_points_tell_their_entries_in_the_row_and_are_hollow_where_these_are_negative():
    K = X @ X.T
    drawing = gram_drawing(X, Y, K, row=1)
    found = marks_by_key(drawing)
    for i, entry in enumerate(K[1]):
        ((name, digits, power),) = found[f"point {i}"]["told"]
        assert name == "entry"
        assert abs(digits * 10.0**power - entry) < 1e-2 * max(1, abs(entry))
    hollow = [i for i in range(len(X)) if found[f"point {i}"]["s"]["fill"] == "paper"]
    assert hollow == np.flatnonzero(K[1] <= 0).tolist() != []


def test_the_vector_of_the_point_waits_for_the_text():
    drawing = gram_drawing(X, Y, X @ X.T, row=2)
    arrow = marks_by_key(drawing)["vector of the row's point"]
    assert arrow["a"] == "vector"
    np.testing.assert_allclose(data(drawing.panels[0], arrow["n"]), [[0, 0], X[2]], atol=0.02)


def test_the_frame_lies_around_the_row():
    drawing = gram_drawing(X, Y, X @ X.T, row=2)
    corners = data(drawing.panels[1], marks_by_key(drawing)["row"]["n"])
    np.testing.assert_allclose([corners[:, 1].min(), corners[:, 1].max()], [1.5, 2.5], atol=0.02)
