"""The drawings of chapter 9: discs, bars, lines and balls lie where the numbers say."""

import numpy as np
import pytest

from margins_book.sequences_and_data import drawings as draw
from margins_book.sequences_and_data import idle_tokens as idle
from tests.margins_book.drawn import marks, points

TOKENS = np.array([[1.2, 1.0], [0.4, -1.6], [-1.4, 0.9]])
LABELS, HEAD = np.array([1, -1, 1]), np.array([1.0, 0])
PAST = np.tril(np.ones((3, 3), dtype=bool))
PAIR = np.array([[[-3, 3], [3, 0], [-1, 1]], [[-2, 2], [2, 0], [3, 3.0]]])
PAIR_LABELS = np.array([[-1, -1, -1], [-1, 1, 1]])
FIRST, _ = idle.PROBLEMS["creates a trap"]
PATH = np.array([[0.0, 3.0], [2.0, 4.0], [8.0, 6.0]])


@pytest.mark.parametrize("p", [1.3, 2.0, 5.0])
def test_the_ball_passes_through_the_machine_and_crosses_no_constraint(p):
    a, q = np.array([1.0, 0.45]), p / (p - 1)
    w = a ** (q - 1) / (a**q).sum()
    ps, ws = np.array([1.1, 1.5, 2, 3, 4, 5, 6, 8]), np.tile(w, (8, 1))
    drawing = draw.ball_drawing(a[None], w, p, q, (ps, ws))
    ball = points(drawing, 0, "ball")
    sizes = (np.abs(ball) ** p).sum(axis=1) ** (1 / p)
    np.testing.assert_allclose(sizes, (w**p).sum() ** (1 / p), atol=0.02)
    assert (ball @ a).max() < 1 + 0.02
    np.testing.assert_allclose(points(drawing, 0, "constraint 1") @ a, 1, atol=0.03)


def test_hidden_tokens_are_crossed_and_discs_grow_with_attention():
    weights = np.array([[1.0, 0, 0], [0.2, 0.8, 0], [0.5, 0.3, 0.2]])
    table, sent = (
        (weights, PAST, np.outer(LABELS, TOKENS @ HEAD)),
        (np.array([0.0, 2.0]), np.array([-1.0, 0])),
    )
    drawing = draw.triangle_drawing(TOKENS, LABELS, table, 1, sent, HEAD)  # token 2 scores best for itself
    found = marks(drawing)
    assert (1, "query 2 hides token 3") in found
    assert (1, "query 3 hides token 3") not in found
    areas = [found[1, f"query 3 on token {t + 1}"]["n"][2] ** 2.0 for t in range(3)]
    np.testing.assert_allclose(areas / np.sum(areas), weights[2], atol=0.03)
    ends = points(drawing, 0, "margin")  # across the ray, through the best token
    np.testing.assert_allclose(ends[:, 0], TOKENS[1, 0], atol=0.03)
    np.testing.assert_allclose(points(drawing, 0, "edge of the others")[:, 0], TOKENS[0, 0], atol=0.03)
    np.testing.assert_allclose(points(drawing, 0, "query")[1], [0, 1.7], atol=0.03)


@pytest.mark.parametrize(("i", "k", "arrows"), [(0, 1, [[-6, 3]]), (1, 1, [[4, -2]]), (0, 0, [])])
def test_arrows_of_a_small_problem_lead_from_the_others_to_the_best(i, k, arrows):
    axes = draw.six_problems_figure(PAIR, PAIR_LABELS, HEAD).axes[3 * i + k]
    drawn = [np.subtract(a.xyann, a.xy) for a in axes.texts if a.arrowprops]
    np.testing.assert_allclose(np.reshape(drawn, (-1, 2)), -np.reshape(arrows, (-1, 2)))
    np.testing.assert_allclose(axes.lines[0].get_xydata(), [[0, 0], PAIR[i, k]])  # the query


def test_discs_lie_on_their_patches_row_by_row():
    weights = np.linspace(0.1, 1, 16)
    drawing = draw.digit_drawing(np.eye(8), weights, np.arange(16.0) - 8, (-9, 9))
    for t in (0, 3, 5, 15):
        x, y = points(drawing, 0, f"patch {t + 1}")[0]
        assert (y // 2, x // 2) == (t // 4, t % 4)
        at = points(drawing, 1, f"patch {t + 1} among the scores")[0]
        np.testing.assert_allclose(at, [t - 8, weights[t]], atol=0.05)


def test_the_path_ends_at_its_dot_and_the_ties_have_equal_logits():
    weights = np.full((3, 3), 1 / 3)
    drawing = draw.pruning_drawing(PATH, FIRST, weights, np.array([2.0, 1.0]), 12)
    np.testing.assert_allclose(points(drawing, 0, "path of w"), PATH, atol=0.05)
    np.testing.assert_allclose(points(drawing, 0, "end of the path")[0], PATH[-1], atol=0.05)
    for name, token in zip("tr", FIRST[1:], strict=True):
        tie = points(drawing, 0, f"tie of o and {name}")
        np.testing.assert_allclose(tie @ (FIRST[0] - token), 0, atol=0.2)


def test_the_arrow_of_three_leads_is_u():
    drawing = draw.lift_drawing(TOKENS, np.array([0.7, 0.7]), np.array([0.7, 0.7, -1.4]))
    np.testing.assert_allclose(points(drawing, 0, "u")[1], [0.7, 0.7], atol=0.03)


def test_the_path_of_leads_ends_at_the_last():
    leads, chances = np.array([[0.0, 0], [1.2, 2], [1.1, 5]]), np.array([0.75, 0.25, 0])
    drawing = draw.leads_drawing(leads, np.array([0.7, 0.2, 0.1]), chances)
    np.testing.assert_allclose(points(drawing, 0, "path"), leads, atol=0.05)


def test_the_arrow_of_an_optimiser_and_both_rays_have_their_directions():
    way = np.array([2.0, 1.0])
    rays = {"Frobenius norm": np.array([1.0, 0.0]), "max norm": np.array([-1.0, 1.0])}
    angles = {"Frobenius norm": np.array([30.0, 20, 0]), "max norm": np.array([60.0, 2, 1])}
    drawing = draw.optimiser_drawing(TOKENS, np.full(3, 1 / 3), way, rays, [1, 10, 100], angles, 1)
    for key, goal in {"W z": way, **{f"ray of {name}": ray for name, ray in rays.items()}}.items():
        start, end = points(drawing, 0, key)[[0, -1]]
        turn = np.angle(((end - start) @ [1, 1j]) / (goal @ [1, 1j]))
        assert np.degrees(turn) == pytest.approx(0, abs=0.3)
    for name, values in angles.items():
        np.testing.assert_allclose(points(drawing, 1, f"{name} now")[0], [10, values[1]], rtol=0.02)


def test_the_edge_of_the_others_follows_a_twin():
    w, twin, distances = np.array([1.0, 0.5]), np.array([1.0, 1.1]), np.geomspace(0.01, 1, 12)
    margins = dict.fromkeys(("the best", "another", "no"), distances)
    drawing = draw.twin_drawing(TOKENS, twin, 0, w, distances, margins, ("no", 3))
    np.testing.assert_allclose(points(drawing, 0, "edge of the others") @ w, twin @ w, atol=0.03)
