"""The figures of support vectors: the point left out has a ring and a verdict."""

import pytest

from margins_book.svm_duality.drawings import left_out_drawing
from tests.margins_book.drawn import marks_by_key
from tests.margins_book.plane_points import ALPHA, B, W, X, Y


@pytest.mark.parametrize(
    ("out", "verdict"), [(-1, None), (1, "left out, still right"), (3, "left out: an error")]
)
def test_the_point_left_out_has_a_ring_and_a_verdict(out, verdict):
    now = W, 0.6  # margins 3.6, 1.85, 0.9, -0.4
    found = marks_by_key(left_out_drawing(X, Y, (W, B), now, ALPHA, out))
    assert ("left out" in found, "verdict" in found) == (out >= 0, out >= 0)
    if verdict:
        assert found["left out"]["n"][:2] == found[f"point {out}"]["n"][:2]
        assert found["verdict"]["s"]["runs"] == ((verdict, ""),)
