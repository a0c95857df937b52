"""The drawings of the softmax kernel: borders, heat maps, letters and fractions say what the numbers say."""

import numpy as np
import pytest

from margins_book.softmax_kernel import drawings as draw
from margins_book.softmax_kernel.drawings import ACROSS, STEPS, by_hand_drawing, head_drawing
from tests.margins_book.drawn import data, marks, points

SHARES = np.array([0.5, 0.3, 0.2])


def test_errors_below_the_axis_are_cut_at_its_foot_and_told_as_they_are():
    x, errors = np.linspace(-1, 1, 5), np.array([1.0, 1e-3, 2e-9])
    drawing = draw.prefactor_drawing(x, (x, x, x), 0.5, errors, 1, prefactor=False)
    found, panel = marks(drawing), drawing.panels[1]
    assert found[1, "degree 2"]["n"][1] / 10 == pytest.approx(panel.y.ends[0], abs=0.06)
    assert found[1, "degree 2"]["told"] == [["largest error", 200, -11]]
    fills = [found[1, f"degree {p}"]["s"]["fill"] for p in range(3)]
    assert [fill == "paper" for fill in fills] == [True, False, True]


def test_heat_maps_have_their_first_row_at_the_top():
    values = np.array([[1.0, 0.0], [0.0, -1.0]])
    drawing = draw.spectrum_drawing(values, np.array([1.0, 0.0]), np.array([1.0, -1.0]))
    found = marks(drawing)
    left, top, right, bottom, *strength = found[0, "heat map of the attention"]["n"]
    assert left < right
    assert top < bottom
    assert strength == [200, 0, 0, -200]


TEXT = "explicit is better than."
WEIGHTS = np.arange(len(TEXT)) / np.arange(len(TEXT)).sum()
PRIOR = WEIGHTS[::-1]
TEMPERATURES = np.array([0.5, 1.0, 2.0, 4.0])
ATTENDED = np.outer([1.0, 2.0, 3.0, 4.0], np.linspace(1, 2, 10))  # of the last ten letters


def drawn():
    return head_drawing(TEXT, 20, WEIGHTS, PRIOR, TEMPERATURES, ATTENDED, 2.0)


def test_the_letter_that_asks_stands_in_its_line():
    x, y = points(drawn(), 0, "query")[0]
    np.testing.assert_allclose([x, y], [20 - ACROSS, 1], atol=0.01)


def test_spaces_are_dots_and_letters_themselves():
    found = marks(drawn())
    shown = [
        "".join(part for part, _ in found[0, f"name of letter {k}"]["s"]["runs"]) for k in range(len(TEXT))
    ]
    assert "".join(shown) == TEXT.replace(" ", "·")


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


def test_bonus_and_distance_end_where_the_mark_is():
    bonus, distance = np.array([1.0, 0.6, 0.5]), np.array([0.5, 2.0, 1.5])
    drawing = draw.three_terms_drawing(KEYS, np.array([0.5, 0.1]), SHARES, bonus, distance)
    found, panel = marks(drawing), drawing.panels[1]
    for j in range(3):
        over, back = (data(panel, found[1, f"{name} {j}"]["n"])[:, 0] for name in ("bonus", "distance"))
        mark = data(panel, found[1, f"left {j}"]["n"][:2])[0]
        np.testing.assert_allclose(over, [0, bonus[j]], atol=0.02)
        np.testing.assert_allclose(back, [bonus[j], bonus[j] - distance[j]], atol=0.02)
        np.testing.assert_allclose(mark, [bonus[j] - distance[j], j], atol=0.02)


def test_strokes_begin_at_their_words_and_end_at_the_one_that_asks():
    drawing = draw.sentence_drawing(["a", "b", "c"], 2, SHARES)
    found = marks(drawing)
    for i in range(3):
        ends = data(drawing.panels[0], found[0, f"stroke to word {i}"]["n"])
        np.testing.assert_allclose(ends[:, 1], [i, 2], atol=0.02)
    widths = [found[0, f"stroke to word {i}"]["s"]["width"] for i in range(3)]
    assert widths == sorted(widths, reverse=True)


def test_the_frame_is_around_queries_with_keys():
    drawing = draw.four_blocks_drawing(np.eye(6))
    corners = data(drawing.panels[0], marks(drawing)[0, "block of attention"]["n"])
    np.testing.assert_allclose(
        [corners.min(axis=0), corners.max(axis=0)], [[2.5, -0.5], [5.5, 2.5]], atol=0.02
    )


def test_dots_lie_on_the_curves_and_tell_their_weights():
    lengths = np.array([2.0, 20.0, 200.0])
    curves = {"wanted key": 1 / lengths, "others together": 1 - 1 / lengths, "sink": 0 * lengths}
    shares = {name: curve[1] for name, curve in curves.items()}
    drawing = draw.dispersion_drawing(lengths, curves, 20.0, shares)
    for name in ("wanted key", "others together"):
        line, dot = points(drawing, 0, name), points(drawing, 0, f"{name} now")
        np.testing.assert_allclose(dot[0], line[1], rtol=0.02)
