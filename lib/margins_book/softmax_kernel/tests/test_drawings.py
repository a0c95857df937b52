"""The drawings of the softmax kernel: bars, strokes, borders and heat maps lie where the numbers say."""

import numpy as np
import pytest

from margins_book.softmax_kernel import drawings as draw
from tests.margins_book.drawn import data, marks

KEYS = np.array([[1.5, 0.5], [-1.0, 0.5], [0.2, -1.0]])
SHARES, SMOOTH = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])


def test_bars_are_softmax_and_strokes_the_gaussian_key_by_key():
    drawing = draw.key_weights_drawing(KEYS, np.array([0.5, 0.1]), SHARES, SMOOTH)
    found, panel = marks(drawing), drawing.panels[1]
    for j in range(3):
        bar, stroke = found[1, f"softmax {j}"], found[1, f"Gaussian {j}"]
        assert data(panel, bar["n"][2:])[0, 0] == pytest.approx(SHARES[j], abs=1e-3)
        assert data(panel, stroke["n"][:2])[0] == pytest.approx([SMOOTH[j], j], abs=2e-2)
        assert bar["l"] == stroke["l"] == found[0, f"weight on key {j}"]["l"] == f"key {j}"
    sizes = [found[0, f"weight on key {j}"]["n"][2] for j in range(3)]
    np.testing.assert_allclose(np.square(sizes) / np.square(sizes[0]), SHARES / SHARES[0], rtol=0.03)


def test_the_bar_of_the_key_is_no_bar_of_the_data():
    drawing = draw.key_weights_drawing(KEYS, np.array([0.5, 0.1]), SHARES, SMOOTH)
    found, panel = marks(drawing), drawing.panels[1]
    sample = data(panel, found[1, "bar in the key"]["n"])
    assert sample[:, 0].min() > 0.3
    assert sample[:, 1].min() > len(KEYS) - 0.5


def test_the_border_is_at_right_angles_to_key_0_and_winners_are_told_without_colour():
    queries = np.array([[1.0, 1.0], [-1.0, 0.0]])
    drawing = draw.long_key_drawing(KEYS, queries, SHARES, np.array([0, 1]), SMOOTH)
    found = marks(drawing)
    ends = data(drawing.panels[0], found[0, "border"]["n"])
    np.testing.assert_allclose(ends @ KEYS[0], 0, atol=0.05)
    assert found[0, "query 0"]["s"]["fill"] != "paper"
    assert found[0, "query 1"]["s"]["fill"] == "paper"


def test_the_point_of_now_lies_on_the_curve_of_keys_attended():
    temperatures = np.geomspace(0.1, 10, 21)
    attended = np.linspace([1, 1], [3, 2], 21)  # of two draws
    drawing = draw.temperature_drawing(SHARES, temperatures, attended, temperatures[7], 2.0)
    found, panel = marks(drawing), drawing.panels[1]
    curve = np.reshape(found[1, "keys attended"]["n"], (-1, 2))
    np.testing.assert_allclose(found[1, "now"]["n"][:2], curve[7], atol=1)
    mean = np.reshape(found[1, "mean of the draws"]["n"], (-1, 2))
    np.testing.assert_allclose(panel.y.pixels(attended.mean(axis=1)), mean[:, 1] / 10, atol=0.06)
    assert found[1, "root of the dimension"]["n"][0] / 10 == pytest.approx(
        float(panel.x.pixels(2.0)), abs=0.06
    )


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


def test_frames_lie_over_each_other():
    eye = np.eye(4)
    frames = [draw.positions_drawing(share * eye, share * np.ones(3)).frame("") for share in (0.2, 1.0)]
    assert frames[0]["panels"] == frames[1]["panels"]


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


def test_bars_of_what_is_shared_out_grow_and_the_shares_stay():
    small, large = (
        draw.hidden_factor_drawing(factor * np.array([1, 2, 4]), np.array([1, 2, 4]) / 7) for factor in (1, 9)
    )
    assert marks(small)[0, "what is shared out 2"] != marks(large)[0, "what is shared out 2"]
    for j, share in enumerate((1 / 7, 2 / 7, 4 / 7)):
        bars = [marks(drawing)[1, f"weights {j}"] for drawing in (small, large)]
        assert bars[0] == bars[1]
        assert data(small.panels[1], bars[0]["n"][:2])[0, 1] == pytest.approx(share, abs=0.01) or data(
            small.panels[1], bars[0]["n"][2:]
        )[0, 1] == pytest.approx(share, abs=0.01)
