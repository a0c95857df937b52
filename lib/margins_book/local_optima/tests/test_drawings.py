"""The drawings of local optima: verdicts, margins, shares and paths lie where the numbers say."""

import numpy as np
import pytest

from margins.attention_svm import TokenData, all_choices, judged_choice
from margins_book.local_optima import drawings as draw
from tests.margins_book.drawn import data, marks, points
from tests.margins_book.samples import SIX

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


def test_the_output_less_its_limit_is_drawn_below_a_half_with_its_lowest_point():
    drawing = draw.excess_drawing(np.arange(4.0), np.array([0.7, 0.2, -0.1, 0]), (2.2, -0.12))
    found, panel = marks(drawing), drawing.panels[0]
    np.testing.assert_allclose(data(panel, found[0, "output"]["n"]), [(1, 0.2), (2, -0.1), (3, 0)], atol=0.01)
    np.testing.assert_allclose(data(panel, found[0, "lowest"]["n"][:2]), [(2.2, -0.12)], atol=0.01)
    assert (0, "lowest") not in marks(draw.excess_drawing(np.arange(2.0), np.array([0.2, 0.1]), None))


def test_queries_on_the_side_of_u_are_blue():
    signed = np.array([[1.0, 0.5], [-0.5, 1.0], [0.2, -1.0]])
    found = marks(draw.signed_queries_drawing(signed, np.array([1, -1, 1]), np.array([1.0, 0])))
    fills = [found[0, f"query {i}"]["s"]["fill"] for i in (1, 2, 3)]
    assert fills[0] == fills[2] != fills[1]


def test_triangles_point_up_where_a_token_scores_more_than_the_chosen_one():
    found = marks(draw.choice_drawing(SIX, ONE.scores[0], 4, chosen("E"), np.zeros((3, 2)), 0, head=ONE.v))
    shapes = [found[0, f"token {letter}"]["s"]["marker"] for letter in "ABCDEF"]
    expected = np.where(ONE.scores[0] > ONE.scores[0, 4], "^", "v")
    expected[4] = "o"
    assert shapes == expected.tolist()


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


def test_negative_multipliers_are_vermilion():
    drawing = draw.gram_drawing(np.eye(3), np.array([0.5, -0.2, 0.3]), 0.25)
    fills = [marks(drawing)[1, f"multipliers {k}"]["s"]["fill"] for k in (1, 2, 3)]
    assert fills[0] == fills[2] != fills[1]


def test_intervals_enclose_their_shares_and_only_the_asked_dimension_is_filled():
    whole = [(0.3, 0.2, 0.4), (0.6, 0.5, 0.7), (0.9, 0.8, 0.95)]
    drawing = draw.shares_drawing((2, 5, 10), whole, [0.8, 0.9, 0.99], 5, 9)
    found = marks(drawing)
    for d, (share, low, high) in zip((2, 5, 10), whole, strict=True):
        place = points(drawing, 0, f"runs at d = {d}")[0, 1]
        ends = points(drawing, 0, f"interval at d = {d}")[:, 1]
        assert place == pytest.approx(share, abs=5e-3)
        np.testing.assert_allclose(sorted(ends), [low, high], atol=5e-3)
    fills = [found[0, f"runs at d = {d}"]["s"]["fill"] for d in (2, 5, 10)]
    assert fills[0] == fills[2] != fills[1]
