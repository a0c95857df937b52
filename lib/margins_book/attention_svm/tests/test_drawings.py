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


def test_a_street_reaches_from_the_chosen_token_to_its_support():
    solved = machine()
    drawing = draw.streets_drawing(TOKENS, solved, QUERIES, dragged=1)
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


def test_angles_between_columns_are_in_degrees_and_right_beside_a_column_of_zeros():
    towards, rays = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[2.0, 1.0], [0.0, 3.0]])
    np.testing.assert_allclose(draw.column_angles(towards, rays), [45, 90])


def test_mean_ranks_have_student_s_intervals():
    ranks = {"Frobenius": np.array([[5, 5], [10, 10]]), "nuclear": np.array([[3, 5], [4, 4]])}
    ranks["counted"] = np.array([[5, 5], [9, 9]])
    (axes,) = draw.ranks_figure((5, 10), ranks).axes
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_marker() in "os"]
    np.testing.assert_allclose(lines[1].get_ydata(), [4, 4])
    bars = axes.containers[1].lines[2][0].get_segments()
    assert bars[0][1, 1] - 4 == pytest.approx(12.706, abs=0.001)  # standard errors, for two


def test_tokens_above_the_average_point_up_and_the_others_down():
    scores, pulls = np.array([1.0, 4.0, 5.0]), np.array([-0.2, -0.05, 0.25])
    drawing = draw.bar_drawing([1, 10, 100], np.array([2.0, 3.0, 4.5]), scores, pulls, 1)
    shapes = [marks(drawing)[0, f"token {t}"]["s"]["marker"] for t in range(3)]
    assert shapes == ["v", "v", "^"]
    average = data(drawing.panels[0], marks(drawing)[0, "average"]["n"])
    np.testing.assert_allclose(average, [[1, 2], [10, 3]], rtol=0.02)


def test_a_walk_beside_its_ray_is_drawn_in_units_of_its_length():
    ray = np.array([[3.0, 0.0], [0.0, 4.0]])
    u, across = ray / 5, np.array([[0.8, 0.0], [0.0, -0.6]])
    walk = draw.beside_the_ray(np.array([2 * u + across, 20 * u + across]), ray)
    np.testing.assert_allclose(walk, [[2, 20], [1, 1]])
    drawing = draw.rails_drawing([1, 10], {"W": walk}, "W", 1)
    path = data(drawing.panels[0], marks(drawing)[0, "path"]["n"])
    np.testing.assert_allclose(path, np.array([[2, 1], [20, 1]]) / np.sqrt(401), atol=0.01)
    now = data(drawing.panels[1], marks(drawing)[1, "now"]["n"][:2])[0]
    np.testing.assert_allclose(now, [10, 1], rtol=0.03)


def test_the_words_of_a_review_have_its_attention():
    weights = np.array([[0.25, 0.75], [0.5, 0.5]])
    drawing = draw.reviews_drawing([["dull", "fine"], ["long", "bad"]], weights, np.ones((2, 2)))
    ends = [data(drawing.panels[0], marks(drawing)[0, word]["n"][2:])[0, 0] for word in ("dull", "fine")]
    np.testing.assert_allclose(ends, weights[0], atol=0.01)
