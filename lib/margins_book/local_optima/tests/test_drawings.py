"""The drawings of local optima: verdicts, margins, shares and paths lie where the numbers say."""

import numpy as np
import pytest

from explorable.palette import BLUE, VERMILION
from margins.attention_svm import TokenData, all_choices, judged_choice
from margins_book.local_optima import drawings as draw
from tests.margins_book.drawn import data, marks

SIX = np.array([[1.3, 1.2], [-0.1, -1.2], [-1.3, 0.6], [1.1, 0], [1.7, -1.2], [-1.1, -0.5]])
ONE = TokenData([SIX], [[1, 0]], [1], [1, 0.4])


def chosen(letter):
    return judged_choice(ONE, np.array(["ABCDEF".index(letter)])).solution


def test_lines_run_through_the_chosen_token_and_through_its_neighbours():
    path = np.outer(np.arange(5.0), [1, -1])
    drawing = draw.choice_drawing(SIX, ONE.scores[0], 4, chosen("E"), path, 2, head=ONE.v)
    found, w = marks(drawing), chosen("E").W[:, 0]
    for name, height in (("line of the chosen", w @ SIX[4]), ("line of the neighbours", w @ SIX[4] - 1)):
        ends = data(drawing.panels[0], found[0, name]["n"])
        np.testing.assert_allclose(ends @ w, height, atol=0.02)
    large = [t for t in range(6) if found[0, f"token {'ABCDEF'[t]}"]["n"][2] > 55]
    assert large == np.flatnonzero(chosen("E").support[0]).tolist()


def test_triangles_point_up_where_a_token_scores_more_than_the_chosen_one():
    found = marks(draw.choice_drawing(SIX, ONE.scores[0], 4, chosen("E"), np.zeros((3, 2)), 0, head=ONE.v))
    shapes = [found[0, f"token {letter}"]["s"]["marker"] for letter in "ABCDEF"]
    expected = np.where(ONE.scores[0] > ONE.scores[0, 4], "^", "v")
    expected[4] = "o"
    assert shapes == expected.tolist()


def test_the_dot_walks_along_the_path():
    path = np.outer(np.arange(5.0), [2, -1])
    drawing = draw.choice_drawing(SIX, ONE.scores[0], 4, chosen("E"), path, 3, head=ONE.v)
    found = marks(drawing)
    np.testing.assert_allclose(data(drawing.panels[1], found[1, "now"]["n"][:2])[0], path[3], atol=0.1)
    walked = data(drawing.panels[1], found[1, "walked"]["n"])
    np.testing.assert_allclose(walked, path[:4], atol=0.1)


def test_a_token_inside_the_hull_has_neither_machine_nor_path():
    found = marks(draw.choice_drawing(SIX, ONE.scores[0], 3, chosen("D"), None, 0, head=ONE.v))
    assert (0, "direction") not in found
    assert (1, "walked") not in found


def test_bars_are_distances_behind_the_chosen_token():
    drawing = draw.Drawing()
    panel = draw.distances_panel(drawing, SIX, 4, chosen("E"), top=4)
    found, direction = marks(drawing), chosen("E").W[:, 0] * chosen("E").margin
    for t in (0, 1, 3, 5):
        end = (found[0, f"bar {'ABCDEF'[t]}"]["n"][2] / 10 - panel.x.line[0]) / panel.x.line[1]
        assert end == pytest.approx((SIX[4] - SIX[t]) @ direction, abs=0.02)


def test_the_board_shows_every_verdict_at_the_ranks_of_its_tokens():
    X = np.round(np.random.default_rng(122).normal(size=(2, 5, 2)), 1)
    problem = TokenData(X, np.eye(2), [1, 1], [1, 0.4])
    verdicts = {tuple(map(int, c.tokens)): c.verdict for c in all_choices(problem)}
    drawing = draw.verdicts_drawing(X, problem.Z, verdicts, problem.scores)
    found = marks(drawing)
    assert (1, "optimal 1 1") in found
    spurious = [key for panel, key in found if panel == 1 and key.startswith("spurious")]
    assert len(spurious) == list(verdicts.values()).count("spurious") > 0
    place = data(drawing.panels[1], found[1, spurious[0]]["n"][:2])[0]
    rank_1, rank_2 = map(int, spurious[0].split()[1:])
    np.testing.assert_allclose(place, [rank_2 - 1, rank_1 - 1], atol=0.05)


def test_areas_are_shares_and_lines_stand_at_n_equal_to_d_and_2_d():
    counts, lengths = (1, 2, 4, 8), (2, 5)
    shares = np.array([[1, 1, 0.5, 0.25], [1, 0.5, 0, 0]])
    drawing = draw.phase_drawing(counts, lengths, shares, [shares[0], shares[1]], 3)
    found = marks(drawing)
    radii = [found[0, f"n = {n}, T = 2"]["n"][2] for n in counts]
    np.testing.assert_allclose(np.square(radii) / radii[0] ** 2, shares[0], atol=0.02)
    at = [data(drawing.panels[1], found[1, name]["n"])[0, 0] for name in ("n = d", "n = 2d")]
    np.testing.assert_allclose(at, [1.5, 2.5], atol=0.02)  # between 2 and 4, between 4 and 8


AXIS = np.linspace(-12, 12, 9)
PATH = np.array([[1.0, 2.0], [3.0, 4.0], [9.0, 1.0], [10.0, 0.0]])
MOMENTS = np.array([0, 9, 99, 999])
LEADS = np.array([[-1.0, 1.0], [-2.0, 2.0], [-3.0, 3.0], [-80.0, 80.0]])
PULLS = np.array([[0.0, -0.02], [0.1, 0.0]])
RAYS = np.array([[1.0, 0.0], [0.6, 0.8]])


def valleys():
    return draw.valleys_drawing(AXIS, AXIS[:, None] ** 2 + AXIS**2, PATH, MOMENTS, LEADS, PULLS, RAYS)


def test_the_path_and_its_start_are_drawn_where_they_are():
    drawing = valleys()
    found = marks(drawing)
    np.testing.assert_allclose(data(drawing.panels[0], found[0, "path"]["n"]), PATH, atol=0.1)
    np.testing.assert_allclose(data(drawing.panels[0], found[0, "start"]["n"][:2])[0], PATH[0], atol=0.1)


def test_the_direction_at_the_end_waits_for_the_text():
    drawing = valleys()
    arrow = marks(drawing)[0, "direction at the end"]
    assert arrow["a"] == "end"
    plane = drawing.panels[0]
    assert abs(plane.x.line[1] + plane.y.line[1]) < 0.01, "angles would not be drawn as they are"
    np.testing.assert_allclose(data(drawing.panels[0], arrow["n"]), [[0, 0], [6, 0]], atol=0.1)


def test_leads_beyond_the_panel_end_at_its_edge():
    drawing = valleys()
    a, b = drawing.panels[1].y.line
    heights = (np.array(marks(drawing)[1, "lead of sequence 1"]["n"][1::2]) / 10 - a) / b
    np.testing.assert_allclose(heights, np.clip(LEADS[:, 0], -25, 25), atol=0.2)


def test_negative_multipliers_are_vermilion():
    drawing = draw.gram_drawing(np.eye(3), np.array([0.5, -0.2, 0.3]), 0.25)
    fills = [marks(drawing)[1, f"multipliers {k}"]["s"]["fill"] for k in (1, 2, 3)]
    assert fills[0] == fills[2] != fills[1]
    assert VERMILION != BLUE


def test_the_detour_is_drawn_at_its_height_and_its_peak_on_the_curve():
    heights, peaks = np.linspace(0, 10, 11), np.linspace(0.8, 0.4, 11)
    way = np.array([0.5, 0.45, peaks[4], 0.42])
    drawing = draw.detour_drawing(way, 4.0, heights, peaks, 0.5)
    found = marks(drawing)
    np.testing.assert_allclose(data(drawing.panels[0], found[0, "loss"]["n"])[:, 1], way, atol=2e-3)
    curve = np.reshape(found[1, "highest"]["n"], (-1, 2))
    np.testing.assert_allclose(found[1, "now"]["n"][:2], curve[4], atol=1)


def test_intervals_enclose_their_shares_and_only_the_asked_dimension_is_filled():
    whole = [(0.3, 0.2, 0.4), (0.6, 0.5, 0.7), (0.9, 0.8, 0.95)]
    drawing = draw.shares_drawing((2, 5, 10), whole, [0.8, 0.9, 0.99], 5, 9)
    found = marks(drawing)
    for d, (share, low, high) in zip((2, 5, 10), whole, strict=True):
        a, b = drawing.panels[0].y.line
        place = (found[0, f"runs at d = {d}"]["n"][1] / 10 - a) / b
        ends = (np.array(found[0, f"interval at d = {d}"]["n"][1::2]) / 10 - a) / b
        assert place == pytest.approx(share, abs=5e-3)
        np.testing.assert_allclose(sorted(ends), [low, high], atol=5e-3)
    fills = [found[0, f"runs at d = {d}"]["s"]["fill"] for d in (2, 5, 10)]
    assert fills[0] == fills[2] != fills[1]


def test_weights_end_where_their_names_stand():
    steps, weights = np.array([1, 10, 100]), np.array([[0.4, 0.3, 0.3], [0.5, 0.4, 0.1], [0.7, 0.25, 0.05]])
    drawing = draw.token_weights_drawing(steps, weights, ("one", "two", "bad"))
    found, (a, b) = marks(drawing), drawing.panels[0].y.line
    for k, name in enumerate(("one", "two", "bad")):
        drawn = (np.array(found[0, name]["n"][1::2]) / 10 - a) / b
        np.testing.assert_allclose(drawn, weights[:, k], atol=5e-3)


def test_level_lines_and_the_minimum_are_in_the_still_figure():
    grid = np.linspace(-1, 1, 21)
    figure = draw.local_minimum_figure(grid, grid, np.add.outer(grid**2, grid**2), np.array([0.0, 0.0]))
    (axes,) = figure.axes
    assert axes.collections
    np.testing.assert_array_equal(axes.lines[0].get_xydata(), [[0, 0]])


def test_the_plane_grows_with_tokens_that_lie_outside():
    far = SIX.copy()
    far[2] = -6, 3
    drawing = draw.shield_drawing(far, ONE.scores[0], 4, chosen("E"), dragged=3)
    assert drawing.panels[0].x.limits[1] > 6
    unmoved = draw.shield_drawing(SIX, ONE.scores[0], 4, chosen("E"), dragged=3)
    assert unmoved.panels[0].x.limits == (-3.2, 3.2)
