"""The figures of real data: attention lies on its patch or beside its word."""

import numpy as np
import pytest

from margins_book.sequences_and_data import real_data_figures as draw
from tests.margins_book.drawn import data, marks, points


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
