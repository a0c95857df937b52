"""The drawing of an idle token: the path and the ties lie where the numbers say."""

import numpy as np

from margins_book.sequences_and_data import idle_tokens as idle
from margins_book.sequences_and_data import pruning_figure as draw
from tests.margins_book.drawn import data, marks, points

FIRST, _ = idle.PROBLEMS["creates a trap"]
PATH = np.array([[0.0, 3.0], [2.0, 4.0], [8.0, 6.0]])


def drawn(count):
    return draw.pruning_drawing(PATH, FIRST[:count], np.full((3, count), 1 / count), np.array([2.0, 1.0]), 12)


def test_the_path_ends_at_its_dot_and_the_ties_have_equal_logits():
    drawing = drawn(3)
    np.testing.assert_allclose(points(drawing, 0, "path of w"), PATH, atol=0.05)
    np.testing.assert_allclose(points(drawing, 0, "end of the path")[0], PATH[-1], atol=0.05)
    for name, token in zip("tr", FIRST[1:], strict=True):
        np.testing.assert_allclose(
            points(drawing, 0, f"tie of o and {name}") @ (FIRST[0] - token), 0, atol=0.2
        )


def test_a_dropped_token_has_neither_tie_nor_attention():
    found = marks(drawn(2))
    assert {"tie of o and t"} == {key for _, key in found if key.startswith("tie of")}
    drawing = drawn(2)
    np.testing.assert_allclose(data(drawing.panels[1], found[1, "attention on t"]["n"])[:, 1], 0.5, atol=0.01)
