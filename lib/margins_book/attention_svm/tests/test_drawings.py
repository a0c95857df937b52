"""The drawings of the attention SVM: rays, streets, marks and curves lie where the numbers say."""

import numpy as np
import pytest

from margins.attention_svm import TokenData, frobenius_svm
from margins_book.attention_svm import drawings as draw
from tests.margins_book.drawn import data, marks

TOKENS = np.array([[0.5, 0.0], [2.3, 0.2], [1.9, 1.3], [-0.9, -0.3], [-1.5, -1.4], [-2.2, -0.5]])
QUERIES = np.array([[1.0, 0.0], [-0.6, 0.8]])
DATA = TokenData(TOKENS.reshape(2, 3, 2), QUERIES, [1, -1], [2, 1])


def machine():
    return frobenius_svm(DATA, DATA.optimal_tokens)


def test_arrows_and_rays_have_the_directions_of_w_z():
    steps, angles = np.array([1, 10, 100]), np.array([1.0, 0.3, 0.05])
    towards, rays = np.array([[1.0, -2], [1, 0.5]]), machine().W @ QUERIES.T
    weights = np.array([0.2, 0.3, 0.5, 0.1, 0.1, 0.8])
    drawing = draw.trajectory_drawing(TOKENS, weights, towards, rays, steps, angles, 1, best=[1, 4])
    found = marks(drawing)
    for i, name in enumerate(("circles", "squares")):
        for key, way in ((name, towards[:, i]), (f"ray of {name}", rays[:, i])):
            ends = data(drawing.panels[0], found[0, key]["n"])[[0, -1]]
            way = way / np.linalg.norm(way)
            turned = ends[1] - ends[0]
            assert turned @ way == pytest.approx(np.linalg.norm(turned), rel=1e-3)
    areas = np.array([found[0, f"attention on token {k}"]["n"][2] for k in range(6)]) ** 2.0
    np.testing.assert_allclose(areas / areas[5], weights / 0.8, atol=0.02)
    now = data(drawing.panels[1], found[1, "now"]["n"][:2])[0]
    np.testing.assert_allclose(now, [10, 0.3], rtol=0.02)


def test_before_the_first_step_there_is_no_arrow_and_no_dot():
    drawing = draw.trajectory_drawing(
        TOKENS,
        np.full(6, 1 / 3),
        np.zeros((2, 2)),
        np.eye(2),
        np.array([1, 2]),
        np.ones(2),
        -1,
        best=[1, 4],
    )
    keys = {key for _, key in marks(drawing)}
    assert not keys & {"circles", "squares", "now", "angle so far"}
    assert {"ray of circles", "angle to come"} <= keys


def test_the_best_tokens_have_rings_and_paths_a_curve_each():
    lags = {
        "W": np.array([2.0, 1.0, 1.2]),
        "edge": np.array([2.0, 5.0, 8.0]),
        "K and Q": np.array([1.0, 0.5, 0.4]),
    }
    rays = machine().W @ QUERIES.T
    drawing = draw.path_drawing(
        TOKENS, np.full(6, 1 / 3), rays, rays, [1, 10, 100], lags, "edge", 1, best=[1, 4]
    )
    found = marks(drawing)
    for token in (1, 4):
        centre = data(drawing.panels[0], found[0, f"ring of token {token}"]["n"][:2])[0]
        np.testing.assert_allclose(centre, TOKENS[token], atol=0.05)
    for name, values in lags.items():
        curve = data(drawing.panels[1], found[1, f"lag of {name}"]["n"])
        np.testing.assert_allclose(curve[:, 1], values, atol=0.1)
    np.testing.assert_allclose(data(drawing.panels[1], found[1, "now"]["n"][:2])[0], [10, 5], rtol=0.03)


def test_a_street_reaches_from_the_chosen_token_to_its_support():
    solved = machine()
    drawing = draw.streets_drawing(TOKENS, solved, QUERIES, held=1)
    found = marks(drawing)
    for i, name in enumerate(("circles", "squares")):
        w, chosen = solved.W @ QUERIES[i], TOKENS[3 * i + DATA.optimal_tokens[i]]
        for key, level in ((f"level of the chosen of {name}", 0.0), (f"level of the others of {name}", -1.0)):
            line = data(drawing.panels[i], found[i, key]["n"])
            np.testing.assert_allclose((line - chosen) @ w, level, atol=0.02 * np.linalg.norm(w))
    multipliers = draw.multipliers_of(solved)
    assert multipliers.sum() == pytest.approx(np.sum(solved.W**2))
    for k in range(6):
        bar = found[2, f"bar of token {k}"]
        assert bar["l"] == f"token {k}"
        end = data(drawing.panels[2], bar["n"][2:])[0, 0]
        assert end == pytest.approx(min(multipliers[k], 12), abs=0.1)


def test_without_a_solution_the_tokens_stand_alone():
    inside = TOKENS.copy()
    inside[2] = inside[:2].mean(axis=0)
    moved = TokenData(inside.reshape(2, 3, 2), QUERIES, DATA.Y, DATA.v)
    refused = frobenius_svm(moved, np.array([2, 2]))
    assert not refused.feasible
    found = marks(draw.streets_drawing(inside, refused, QUERIES, held=2))
    assert not any("street" in key or "level" in key for _, key in found)
    assert (draw.multipliers_of(refused) == 0).all()


def test_angles_between_columns_are_in_degrees_and_right_beside_a_column_of_zeros():
    towards, rays = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[2.0, 1.0], [0.0, 3.0]])
    np.testing.assert_allclose(draw.column_angles(towards, rays), [45, 90])


@pytest.mark.parametrize(("chosen", "expected"), [((2, 0), True), ((0.5, 0.5), False), ((1, 1), False)])
def test_a_corner_has_all_others_strictly_on_one_side(chosen, expected):
    assert draw.is_corner(np.array([chosen, (0, 0), (1, 1), (0, 2), (1, -1)], dtype=float), 0) == expected


def test_bars_and_marks_are_singular_values_and_dots_lie_on_their_curves():
    reaches = np.geomspace(3, 1000, 8)
    curves = {"nuclear": 1 / reaches, "Frobenius": 0.3 + 0.1 / reaches}
    shares = np.array([0.7, 0.3])
    drawing = draw.limits_drawing(shares, {"nuclear": shares, "Frobenius": 1.3 * shares}, reaches, curves, 4)
    found = marks(drawing)
    for k in range(2):
        top = data(drawing.panels[0], found[0, f"value {k + 1}"]["n"][2:])[0, 1]
        assert top == pytest.approx(shares[k], abs=0.01)
        crossed = data(drawing.panels[0], found[0, f"Frobenius {k + 1}"]["n"][:2])[0, 1]
        assert crossed == pytest.approx(1.3 * shares[k], abs=0.01)
    for name, values in curves.items():
        dot = data(drawing.panels[1], found[1, f"{name} now"]["n"][:2])[0]
        np.testing.assert_allclose(dot, [reaches[4], values[4]], rtol=0.02)


def test_spectra_stand_beside_those_of_their_machines():
    found_values, goal = np.array([1.0, 0.5, 0.2]), np.array([1.0, 0.4, 0.0])
    drawing = draw.spectra_drawing({"W": (found_values, goal), "KQ": (found_values**2, goal**2)})
    found = marks(drawing)
    for panel, power in enumerate((1, 2)):
        for k in range(3):
            top = data(drawing.panels[panel], found[panel, f"value {k + 1}"]["n"][2:])[0, 1]
            mark = data(drawing.panels[panel], found[panel, f"SVM {k + 1}"]["n"][:2])[0, 1]
            assert (top, mark) == pytest.approx((found_values[k] ** power, goal[k] ** power), abs=0.01)


def test_the_trap_shows_both_angles_and_the_sum_of_the_pulls():
    steps = np.array([10, 100, 1000])
    angles = {"stable": np.array([0.3, 0.03, 0.003]), "textbook": np.array([0.3, 0.1, 0.9])}
    drawing = draw.trap_drawing(steps, angles, np.array([0.0, 1e-6, 1.0]), 1)
    found = marks(drawing)
    for name, values in angles.items():
        dot = data(drawing.panels[0], found[0, f"{name} now"]["n"][:2])[0]
        np.testing.assert_allclose(dot, [100, values[1]], rtol=0.02)
    np.testing.assert_allclose(
        data(drawing.panels[1], found[1, "sum now"]["n"][:2])[0], [100, 1e-6], rtol=0.1
    )


def test_mean_ranks_have_intervals_of_two_standard_errors():
    ranks = {"Frobenius": np.array([[5, 5], [10, 10]]), "nuclear": np.array([[3, 5], [4, 4]])}
    ranks["counted"] = np.array([[5, 5], [9, 9]])
    (axes,) = draw.ranks_figure((5, 10), ranks).axes
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_marker() in "os"]
    np.testing.assert_allclose(lines[1].get_ydata(), [4, 4])
    bars = axes.containers[1].lines[2][0].get_segments()
    assert bars[0][1, 1] - 4 == pytest.approx(1.96 * 1.0)


def test_arrows_of_normalisers_have_their_directions_and_a_missing_machine_no_ray():
    tokens = np.array([[0.5, 0.0], [2.3, 0.2], [1.9, 1.3], [-0.9, -0.3]])
    ways = {"exp": np.array([1.0, 1.0]), "softplus": np.array([0.0, -2.0])}
    aims = {"exp": np.array([3.0, 3.0]), "softplus": None}
    drawing = draw.shift_drawing(tokens, ways, aims, {"exp": 1.0, "softplus": 0.4})
    found = marks(drawing)
    tip = data(drawing.panels[0], found[0, "softplus"]["n"])[-1]
    np.testing.assert_allclose(tip / np.linalg.norm(tip), [0, -1], atol=0.01)
    assert (0, "machine of exp") in found
    assert (0, "machine of softplus") not in found
    end = data(drawing.panels[1], found[1, "attention of softplus"]["n"][2:])[0, 0]
    assert end == pytest.approx(0.4, abs=0.01)


def test_a_direction_fits_where_the_best_leads_and_the_others_are_negative():
    tokens = np.array([[1.0, 0.0], [-0.5, 0.5], [-0.5, -0.5]])
    assert draw.some_way_fits(tokens)
    assert not draw.some_way_fits(np.vstack([tokens, [[0.5, 0.0]]]))  # the origin lies among the others
    above = np.array([[0.0, 2.0], [-0.1, 1.0], [0.1, 1.0]])  # what is below them has the others ahead
    assert not draw.some_way_fits(above)
    assert draw.some_way_fits(above - [[0, 1.5], [0, 0], [0, 0]])
