"""All choices of tokens, each with its verdict."""

import numpy as np

from margins.attention_svm import all_choices
from tests.margins.attention_svm.draws import PLANE, draw


def test_board_of_choices():
    verdicts = [choice.verdict for choice in all_choices(PLANE)]
    assert verdicts == ["optimal", "unstable", "unstable", "unstable", "infeasible"]
    assert [c.tokens.tolist() for c in all_choices(draw(2, 2, 3))] == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_board_counts_a_spurious_choice():
    spurious = [
        (data, choice)
        for data in (draw(2, 3, 2, seed) for seed in range(10))
        for choice in all_choices(data)
        if choice.verdict == "spurious"
    ]
    assert spurious
    for data, choice in spurious:
        assert (choice.tokens != data.optimal_tokens).any()
        scores = np.take_along_axis(data.scores, choice.tokens[:, None], axis=1)
        assert (scores > data.scores)[choice.solution.support].all()
