"""The drawings of chapter 9: discs, bars, lines and balls lie where the numbers say."""

import numpy as np
import pytest

from margins_book.sequences_and_data import drawings as draw
from margins_book.sequences_and_data import idle_tokens as idle
from tests.margins_book.drawn import data, marks, points

TOKENS = np.array([[1.2, 1.0], [0.4, -1.6], [-1.4, 0.9]])
LABELS, HEAD = np.array([1, -1, 1]), np.array([1.0, 0])
PAST = np.tril(np.ones((3, 3), dtype=bool))
PAIR = np.array([[[-3, 3], [3, 0], [-1, 1]], [[-2, 2], [2, 0], [3, 3.0]]])
PAIR_LABELS = np.array([[-1, -1, -1], [-1, 1, 1]])
FIRST, _ = idle.PROBLEMS["creates a trap"]
PATH = np.array([[0.0, 3.0], [2.0, 4.0], [8.0, 6.0]])


def test_bars_are_the_margins_of_both_masks():
    drawing = draw.counterexample_drawing(
        np.array([TOKENS, -TOKENS]), np.ones((2, 3)), (0, 1), (0.25, 0.1), np.ones((2, 2)), (-1, 1, -1, 1)
    )
    found = marks(drawing)
    for name, value in (("full margin", 0.25), ("causal margin", 0.1)):
        end = data(drawing.panels[1], found[1, name]["n"][2:])[0, 0]
        assert end == pytest.approx(value, abs=5e-3)


def test_the_margin_now_lies_on_the_curve_of_its_kind():
    distances = np.geomspace(0.01, 1, 21)
    margins = {"the selected": distances, "a support": 0.9 + 0 * distances, "a far": 1 + 0 * distances}
    drawing = draw.twin_drawing(
        TOKENS, TOKENS[0] - 0.1, 0, np.array([1.0, 0.5]), distances, margins, ("the selected", 7)
    )
    found = marks(drawing)
    curve = np.reshape(found[1, "twin of the selected"]["n"], (-1, 2))
    np.testing.assert_allclose(found[1, "margin now"]["n"][:2], curve[7], atol=1)
    np.testing.assert_allclose(points(drawing, 0, "twin")[0], TOKENS[0] - 0.1, atol=0.02)
    street = points(drawing, 0, "margin")
    np.testing.assert_allclose(street @ [1.0, 0.5], TOKENS[0] @ [1.0, 0.5], atol=0.05)


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


def test_layers_show_the_first_query_alone_above_and_bars_are_correlations():
    correlations = {"layer 1, all queries": 0.7, "layer 1, those asked": 0.95, "layer 2": 0.9}
    drawing = draw.layers_drawing(np.full((3, 3), 1 / 3), np.eye(3), correlations)
    found = marks(drawing)
    assert (1, "query 1 on token 1") in found
    assert (1, "query 2 hides token 1") in found
    for name, value in correlations.items():
        assert data(drawing.panels[2], found[2, name]["n"][2:])[0, 0] == pytest.approx(value, abs=0.01)


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


def test_discs_lie_on_their_patches_row_by_row():
    weights = np.linspace(0.1, 1, 16)
    drawing = draw.digit_drawing(np.eye(8), weights, np.arange(16.0) - 8, (-9, 9))
    for t in (0, 3, 5, 15):
        x, y = points(drawing, 0, f"patch {t + 1}")[0]
        assert (y // 2, x // 2) == (t // 4, t % 4)
        at = points(drawing, 1, f"patch {t + 1} among the scores")[0]
        np.testing.assert_allclose(at, [t - 8, weights[t]], atol=0.05)


def test_a_text_has_a_row_a_word_with_attention_and_score():
    words, weights, scores = ("fit", "the", "model"), np.array([0.2, 0.1, 0.7]), np.array([1.0, -2.0, 3.0])
    drawing = draw.sentence_drawing(words, weights, scores, (-4, 4))
    found = marks(drawing)
    for t, word in enumerate(words):
        bar = found[0, f"{t + 1} {word}"]["n"]
        assert data(drawing.panels[0], bar[2:])[0, 0] == pytest.approx(weights[t], abs=0.01)
        score = found[1, f"score of {t + 1} {word}"]["n"]
        assert data(drawing.panels[1], score[2:])[0, 0] == pytest.approx(scores[t], abs=0.05)


def test_the_plane_follows_tokens_that_lie_outside():
    weights = np.full((3, 3), 1 / 3)
    near, far = (
        draw.triangle_drawing(X, LABELS, (weights, PAST, np.outer(LABELS, X @ HEAD)), 1, (HEAD, HEAD), HEAD)
        for X in (TOKENS, 4 * TOKENS)
    )
    assert near.panels[0].x.limits == (-3.4, 3.4)
    assert far.panels[0].x.limits[1] > 6.4  # the plane is 1.5 times as wide as high
