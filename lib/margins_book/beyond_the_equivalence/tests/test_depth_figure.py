"""The drawing of what layers leave: curve, maximum and the maxima of all kinds lie where the numbers say."""

import numpy as np

from margins_book.beyond_the_equivalence import depth, depth_figure
from tests.margins_book.drawn import marks, points


def test_the_curve_its_maximum_and_all_maxima_lie_where_the_numbers_say():
    s, kinds = depth.eigenvalues(1.0, 30.0), depth.left_after(1.0, 30.0)
    worst = {key: sizes.max() for key, sizes in kinds.items()}
    left = kinds["inputs, overwritten", 2]
    drawing = depth_figure.depth_drawing(s, left, worst, 2, "inputs, overwritten")
    found = marks(drawing)
    curve = points(drawing, 0, "left")
    np.testing.assert_allclose(curve[:, 0], s[::12], atol=0.1)
    np.testing.assert_allclose(
        np.log(curve[:, 1]), np.log(np.maximum(left[::12], depth_figure.FLOOR)), atol=0.05
    )
    np.testing.assert_allclose(np.log(points(drawing, 0, "maximum")[:, 1]), np.log(left.max()), atol=0.02)
    for kind, layers in worst:
        (spot,) = points(drawing, 1, f"{kind} {layers}")
        np.testing.assert_allclose(
            [spot[0], np.log(spot[1])], [layers, np.log(worst[kind, layers])], atol=0.03
        )
    sizes = {key: found[1, f"{key[0]} {key[1]}"]["n"][2] for key in worst}
    assert max(sizes, key=sizes.get) == ("inputs, overwritten", 2)
    assert len(set(sizes.values())) == 2
