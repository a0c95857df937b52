"""The drawings of masked queries: hidden tokens are crossed, discs grow, arrows are differences."""

import numpy as np
import pytest

from margins_book.sequences_and_data import mask_figures as draw
from tests.margins_book.drawn import marks, points

TOKENS, LABELS, HEAD = (
    np.array([[1.2, 1.0], [0.4, -1.6], [-1.4, 0.9]]),
    np.array([1, -1, 1]),
    np.array([1.0, 0]),
)
PAST = np.tril(np.ones((3, 3), dtype=bool))
PAIR = np.array([[[-3, 3], [3, 0], [-1, 1]], [[-2, 2], [2, 0], [3, 3.0]]])
PAIR_LABELS = np.array([[-1, -1, -1], [-1, 1, 1]])


def triangle(weights, asked, towards, ray):
    scores = np.outer(LABELS, TOKENS @ HEAD)
    return draw.triangle_drawing(
        TOKENS, LABELS, (weights, PAST, scores), asked, (np.array(towards), np.array(ray)), HEAD
    )


def test_hidden_tokens_are_crossed_and_discs_grow_with_attention():
    weights = np.array([[1.0, 0, 0], [0.2, 0.8, 0], [0.5, 0.3, 0.2]])
    drawing = triangle(
        weights, 1, [0.0, 2.0], [-1.0, 0]
    )  # token 2 asks, with the label -: its own score is best
    found = marks(drawing)
    assert (1, "query 2 hides token 3") in found
    assert (1, "query 3 hides token 3") not in found
    areas = [found[1, f"query 3 on token {t + 1}"]["n"][2] ** 2.0 for t in range(3)]
    np.testing.assert_allclose(areas / np.sum(areas), weights[2], atol=0.03)
    ends = points(drawing, 0, "margin")  # across the ray, through the best token
    np.testing.assert_allclose(ends[:, 0], TOKENS[1, 0], atol=0.03)
    np.testing.assert_allclose(points(drawing, 0, "edge of the others")[:, 0], TOKENS[0, 0], atol=0.03)
    np.testing.assert_allclose(points(drawing, 0, "query")[1], [0, 1.7], atol=0.03)


def test_scores_are_told_of_the_tokens_that_are_seen():
    found = marks(triangle(PAST / PAST.sum(axis=1, keepdims=True), 1, [0.0, 2.0], [-1.0, 0]))
    texts = {key: mark for (_, key), mark in found.items() if key.startswith("score of")}
    assert set(texts) == {"score of token 1", "score of token 2"}


def test_a_query_that_sees_itself_alone_has_no_hyperplane():
    drawing = triangle(np.eye(3), 0, [0.0, 0], [1.0, 0])
    assert not {"margin", "ray", "query"} & {key for _, key in marks(drawing)}


@pytest.mark.parametrize(("i", "k", "arrows"), [(0, 1, [[-6, 3]]), (1, 1, [[4, -2]]), (0, 0, [])])
def test_arrows_of_a_small_problem_lead_from_the_others_to_the_best(i, k, arrows):
    axes = draw.six_problems_figure(PAIR, PAIR_LABELS, HEAD).axes[3 * i + k]
    drawn = [np.subtract(a.xyann, a.xy) for a in axes.texts if a.arrowprops]
    np.testing.assert_allclose(np.reshape(drawn, (-1, 2)), -np.reshape(arrows, (-1, 2)))
    np.testing.assert_allclose(axes.lines[0].get_xydata(), [[0, 0], PAIR[i, k]])  # the query
