"""The drawings of the generalised SVM: bars, ways, lines and counts lie where the numbers say."""

import numpy as np
import pytest

from margins.attention_svm import nearest_mixture, sparsemax
from margins_book.generalised_svm import drawings as draw
from tests.margins_book.drawn import data, marks

TOKENS = np.array([[1.3, -0.5], [-1.2, -0.7], [-0.1, 1.2]])


def test_bars_are_attention_and_diamonds_the_wanted_shares_under_the_line():
    curvatures = np.geomspace(0.1, 3, 41)
    shares = sparsemax(np.array([1.0, 0.6, 0.1]) / (2 * curvatures[:, None]))
    weights = np.array([0.5, 0.3, 0.2])
    drawing = draw.sparsemax_drawing(weights, shares[30], curvatures[30], curvatures, shares)
    found = marks(drawing)
    for t in range(3):
        bar = found[0, f"token {t + 1}"]
        assert data(drawing.panels[0], bar["n"][2:])[0, 1] == pytest.approx(weights[t], abs=2e-3)
        diamond = found[0, f"wanted share {t + 1}"]
        assert data(drawing.panels[0], diamond["n"][:2])[0, 1] == pytest.approx(shares[30, t], abs=2e-3)
        assert "l" not in diamond  # so that words of the page can point at the diamonds alone
        assert found[1, f"share of token {t + 1}"]["l"] == f"token {t + 1}"
        curve = np.reshape(found[1, f"share of token {t + 1}"]["n"], (-1, 2))
        now = np.reshape(found[1, "λ now"]["n"], (-1, 2))
        assert curve[30, 0] == pytest.approx(now[0, 0], abs=1)


@pytest.mark.parametrize("point", [(1.8, 1.6), (0.0, 0.0), (2.0, -1.2)])
def test_the_way_ends_at_the_output_and_the_dashed_line_at_the_nearest_point(point):
    point = np.array(point)
    wanted = nearest_mixture(TOKENS, point)
    outputs = np.linspace(TOKENS.mean(axis=0), wanted @ TOKENS, 9)
    drawing = draw.nearest_drawing(TOKENS, point, wanted, wanted, outputs)
    found, plane = marks(drawing), drawing.panels[0]
    way = np.reshape(found[0, "way of the output"]["n"], (-1, 2))
    np.testing.assert_allclose(found[0, "output"]["n"][:2], way[-1], atol=1)
    ends = data(plane, found[0, "way to the hull"]["n"])
    np.testing.assert_allclose(ends, [point, wanted @ TOKENS], atol=0.02)
    outside = np.linalg.norm(point - wanted @ TOKENS) > 1e-9
    assert ((0, "way from the goal") in found) == outside
    if outside:
        arrow = found[0, "way from the goal"]
        assert arrow["a"] == "way"
        np.testing.assert_allclose(data(plane, arrow["n"]), [point, wanted @ TOKENS], atol=0.02)


def test_borders_leave_each_corner_at_right_angles_to_an_edge_and_outwards():
    drawing = draw.nearest_drawing(TOKENS, TOKENS[0], np.eye(3)[0], np.eye(3)[0], TOKENS[:2])
    found, plane = marks(drawing), drawing.panels[0]
    for t in range(3):
        for side, other in (("a", (t + 1) % 3), ("b", (t + 2) % 3)):
            start, end = data(plane, found[0, f"border {t + 1}{side}"]["n"])
            np.testing.assert_allclose(start, TOKENS[t], atol=0.02)
            assert abs((end - start) @ (TOKENS[other] - TOKENS[t])) < 0.05
            assert (end - start) @ (TOKENS.mean(axis=0) - TOKENS[t]) < 0


def test_the_direction_begins_where_the_finite_part_ends_and_runs_along_the_line():
    tokens = np.array([[1.3, 0.8], [0.5, -0.6], [-1.0, 0.7]])
    across = tokens[0] - tokens[1]
    finite, direction = 1.4 * across / (across @ across), np.array([across[1], -across[0]])
    kept, weights = np.array([True, True, False]), np.array([0.7, 0.2, 0.1])
    drawing = draw.parts_drawing(tokens, kept, weights, finite, direction, 1.5)
    found, w = marks(drawing), drawing.panels[1]
    first, second = data(w, found[1, "finite part"]["n"]), data(w, found[1, "directional part"]["n"])
    np.testing.assert_allclose(first[1], second[0], atol=0.02)
    np.testing.assert_allclose(second[1], finite + 1.5 * direction, atol=0.03)
    line = data(w, found[1, "right ratios"]["n"])
    np.testing.assert_allclose(line @ across, 1.4, atol=0.05)
    circle = data(w, found[1, "circle"]["n"])
    np.testing.assert_allclose(np.linalg.norm(circle, axis=1), np.linalg.norm(finite), atol=0.02)
    assert (circle @ across).max() == pytest.approx(1.4, abs=0.03)  # it touches the line
    areas = np.array([found[0, f"attention on token {t + 1}"]["n"][2] for t in range(3)]) ** 2.0
    np.testing.assert_allclose(areas / areas.sum(), weights, atol=0.02)


def test_marked_moments_lie_on_their_curves_and_laws_only_where_there_are_some():
    steps = np.array([1, 3, 10, 30, 100, 300, 1000, 2000, 3000, 4000, 5000])
    weights = np.column_stack([1 - 0.3 / steps, 0.3 / steps])
    parts = np.column_stack([np.ones(11), np.log(steps + 1), 0.5 * np.ones(11)])
    drawing = draw.decomposition_drawing(steps, weights, np.array([0.0, 0.3]), parts, 4)
    found = marks(drawing)
    assert (0, "law of token 1") not in found
    law, curve = (np.reshape(found[0, name]["n"], (-1, 2)) for name in ("law of token 2", "token 2"))
    np.testing.assert_allclose(law, curve[1:], atol=1)
    for panel, line, dot in ((0, "token 1", "token 1 now"), (1, "rest", "rest now")):
        np.testing.assert_allclose(
            found[panel, dot]["n"][:2], np.reshape(found[panel, line]["n"], (-1, 2))[4], atol=1
        )


def test_the_best_coefficient_is_marked_in_both_panels():
    ratios = np.linspace(0, 3, 31)
    rivals = 1 - (ratios - 1) ** 2 / 20, ratios / 3, (ratios - 1) ** 2 / 2
    drawing = draw.coefficient_drawing(ratios, rivals, 1.0, [values[10] for values in rivals])
    found = marks(drawing)
    for panel, name in ((0, "correlation"), (1, "squared distance"), (1, "inner product")):
        curve = np.reshape(found[panel, name]["n"], (-1, 2))
        np.testing.assert_allclose(found[panel, f"{name} now"]["n"][:2], curve[10], atol=1)
        assert found[panel, f"{name} now"]["n"][0] == pytest.approx(found[panel, "C*"]["n"][0], abs=1)


def test_bars_count_candidates_and_thresholds_stand_at_their_powers():
    edges, counts = np.linspace(-15, 0, 31), np.arange(30)
    reasons = {"accepted": 12, "a weight between": 20, "none left out": 3, "no such matrix": 0}
    drawing = draw.discarded_candidates_drawing(edges, counts, 1e-6, 1e-3, reasons)
    found = marks(drawing)
    for name, count in reasons.items():
        assert data(drawing.panels[1], found[1, name]["n"][2:])[0, 0] == pytest.approx(count, abs=0.1)
    for name, power in (("suppressed below", -6), ("kept above", -3)):
        assert data(drawing.panels[0], found[0, name]["n"])[0, 0] == pytest.approx(power, abs=0.02)
