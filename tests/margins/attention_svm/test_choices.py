"""All choices of tokens, each with its verdict."""

import numpy as np

from margins.attention_svm import TokenData, all_choices, judged_choice
from tests.margins.attention_svm.draws import PLANE, draw


def test_board_of_choices():
    verdicts = [choice.verdict for choice in all_choices(PLANE)]
    assert verdicts == ["optimal", "unstable", "unstable", "unstable", "infeasible"]
    assert [c.tokens.tolist() for c in all_choices(draw(2, 2, 3))] == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_one_choice_is_judged_from_a_list():
    assert [judged_choice(PLANE, [t]).verdict for t in (0, 3, 4)] == ["optimal", "unstable", "infeasible"]
    assert judged_choice(PLANE, [3]).tokens.tolist() == [3]


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


def test_masked_tokens_are_no_choice():
    data = draw(2, 3, 3)
    mask = np.array([[True, True, False], [True, True, True]])
    assert len(all_choices(TokenData(data.X, data.Z, data.Y, data.v, mask))) == 6
