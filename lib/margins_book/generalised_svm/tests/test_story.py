"""The story of the chapter on nonlinear heads runs, and is short; `test_text.py` holds its other numbers."""

import numpy as np

from margins import attention_svm as engine
from margins.attention_svm import generalised_svm, sparsemax
from margins_book.generalised_svm import descent, figures
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401


@quotes(
    "tokens 3 and 4 still have 0.27 of the attention together",
    "After $R=4.5$ such steps tokens 3 and 4 are down to 0.0009",
)
def test_the_two_parts(plane_tokens):
    data = engine.TokenData(plane_tokens[None], np.eye(2)[:1], [1], np.zeros(2))
    svm = generalised_svm(data, np.arange(4)[None] < 2, np.array([[0.8, 0.2, 0, 0]]))
    weights = [engine.softmax_weights(data, svm.equivalent(R))[0] for R in (0, 4.5)]
    assert np.allclose([s[0] / s[1] for s in weights], 4)
    assert [round(weights[0][2:].sum(), 2), round(weights[1][2:].sum(), 4)] == [0.27, 0.0009]


@quotes("The dotted lines are those of tokens 4 and 5")
def test_the_laws_of_left_out_tokens(gamma):
    seen, laws, _ = descent.parts_in_training(gamma, 0.7, figures.moments)
    assert np.flatnonzero(laws).tolist() == [3, 4]
    assert np.allclose(seen[-1, 3:] * figures.moments[-1], laws[3:], rtol=0.05)


@quotes("If every token has a share, as here, a finite matrix can make it, and the logits come to rest")
def test_all_five_come_to_rest(gamma):
    wanted = sparsemax(gamma / 5)
    assert wanted.min() > 0
    assert np.allclose(descent.descend(gamma, 2.5, (1000,))[0], wanted, atol=1e-4)
