"""The story of the chapter on local optima runs, and is short; `test_text.py` holds most of its numbers."""

import numpy as np

from margins import attention_svm as att
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401

A, D, E = 0, 3, 4


@quotes(
    "Now A is exactly 1 behind, a neighbour that scores more",
    "descent from the start that led to E goes to A",
    "From length 40 it does so too, only later",
)
def test_without_its_shield(one):
    X = one.X.copy()
    X[0, D] = 0.5, 0
    bare, machine = att.TokenData(X, one.Z, one.Y, one.v), att.frobenius_svm(one, [E])
    judged = att.judged_choice(bare, np.array([E]))
    assert (judged.verdict, judged.solution.support[0, A]) == ("unstable", True)
    runs = [
        att.train(bare, length * machine.margin * machine.W, iterations=1000, record=[300, 1000])
        for length in (5, 40)
    ]
    assert [run.weights[:, 0].argmax(axis=1).tolist() for run in runs] == [[A, A], [E, A]]
