"""The drawing of two tokens under attention alone: places, stairs, and the curve that they climb down."""

import numpy as np
import pytest

from margins.attention import softmax_attention
from margins_book.nadaraya_watson.collapse_figure import pair_drawing, stairs
from tests.margins_book.drawn import data, marks

DISTANCES = [2.0, 1.5, 0.8, 0.1]


def test_two_tokens_lie_at_half_their_distance_up_to_the_layer():
    drawing = pair_drawing(DISTANCES, 2)
    found = marks(drawing)
    for number in range(3):
        places = [
            data(drawing.panels[0], found[0, f"{side} after {number}"]["n"][:2])[0]
            for side in ("left", "right")
        ]
        half = DISTANCES[number] / 2
        np.testing.assert_allclose(places, [[-half, number], [half, number]], atol=0.03)
    assert (0, "left after 3") not in found


def test_stairs_lead_from_distance_to_distance():
    corners = stairs(DISTANCES, 3)
    assert corners[::2].tolist() == [[d, d] for d in DISTANCES]
    assert corners[1::2].tolist() == [[2.0, 1.5], [1.5, 0.8], [0.8, 0.1]]
    assert (stairs(DISTANCES, 1)[2:] == 1.5).all()


@pytest.mark.parametrize("distance", [0.4, 1.0, 2.5])
def test_the_curve_is_one_layer_of_attention(distance):
    drawing = pair_drawing(DISTANCES, 0)
    curve = data(drawing.panels[1], marks(drawing)[1, "after a layer"]["n"])
    two = np.array([[-distance / 2], [distance / 2]])
    after = np.ptp(softmax_attention(two, two, two, scale=1.0))
    assert np.interp(distance, *curve.T) == pytest.approx(after, abs=0.02)
