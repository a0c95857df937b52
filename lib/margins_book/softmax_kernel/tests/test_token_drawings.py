"""The drawings of attention among tokens: the table's fractions, the sizes of points, the frame."""

import numpy as np
import pytest

from margins_book.softmax_kernel.drawings import STEPS, by_hand_drawing, twelve_drawing
from tests.margins_book.drawn import data, marks
from tests.margins_book.plane_points import X, Y

QUERIES, KEYS = np.array([[1, 0], [0, 1], [1, 1]]), np.array([[0, 0], [1, 0], [1, 1]])
VALUES = np.array([0, 7, 14])


def texts(drawing, name):
    found = marks(drawing)
    runs = [found[1, f"{name} {j}"]["s"]["runs"] for j in range(1, 4)]
    return ["".join(part for part, _ in run) for run in runs]


@pytest.mark.parametrize(
    ("step", "row"),
    list(zip(STEPS, [["0", "1", "2"], ["1", "2", "4"], *2 * [["1/7", "2/7", "4/7"]]], strict=True)),
)
def test_the_last_row_is_what_a_pencil_finds(step, row):
    drawing = by_hand_drawing(QUERIES, KEYS, VALUES, 2, step)
    assert texts(drawing, "entry 3") == row
    assert texts(drawing, "output") == (["8.4", "8.75", "10"] if step == "outputs" else ["?", "?", "?"])


def test_discs_have_the_weights_as_areas_and_the_frame_lies_around_the_row():
    drawing = by_hand_drawing(QUERIES, KEYS, VALUES, 1, "weights")
    found = marks(drawing)
    sizes = np.array([found[0, f"weight on key {j}"]["n"][2] for j in (1, 2, 3)])
    np.testing.assert_allclose(np.square(sizes / sizes[2]), [0.5, 0.5, 1], rtol=0.03)
    corners = data(drawing.panels[1], found[1, "row"]["n"])
    np.testing.assert_allclose([corners[:, 1].min(), corners[:, 1].max()], [0.5, 1.5], atol=0.02)


def test_axes_are_not_named_as_keys_are():
    plane, _ = by_hand_drawing(QUERIES, KEYS, VALUES, 1, "weights").panels
    assert not {plane.xlabel, plane.ylabel} & {f"$k_{j}$" for j in (1, 2, 3)}


def test_tokens_are_as_large_as_their_weights_and_the_one_that_asks_is_filled():
    shares = np.arange(1.0, len(X) + 1) / np.arange(1, len(X) + 1).sum()
    drawing = twelve_drawing(X, Y, 1, shares, shares[::-1])
    found = marks(drawing)
    sizes = np.array([found[0, f"point {i}"]["n"][2] for i in range(len(X))])
    np.testing.assert_allclose(
        np.square(sizes / sizes[0]), (30 + 900 * shares) / (30 + 900 * shares[0]), rtol=0.03
    )
    filled = [i for i in range(len(X)) if found[0, f"point {i}"]["s"]["fill"] != "paper"]
    assert filled == [1]
    mean = found[0, "weighted mean"]
    assert mean["a"] == "mean"
    np.testing.assert_allclose(data(drawing.panels[0], mean["n"])[1], shares @ X, atol=0.02)
    for i in range(len(X)):
        assert data(drawing.panels[1], found[1, f"softmax {i}"]["n"][2:])[0, 0] == pytest.approx(
            shares[i], abs=1e-3
        )
