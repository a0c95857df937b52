"""What the story of the chapter on attention as regression says about numbers: each test quotes the words."""

import numpy as np

from margins import attention
from margins.data import trained_heads
from margins_book.nadaraya_watson.tests import test_text as chapter
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401

test_two_bandwidths = quotes(
    "the plus, beside circle 2, asks this point and hardly any other, and the answer is 1.00",
    "one over the sum of the squared weights, which counts equal weights, is 10. The answer is 0.39",
)(chapter.two_bandwidths)


test_a_long_key_beats_a_nearer_one = quotes(
    "key 0 has the largest weight, 3.3 times that of key 5. For nearness it gets only 0.068 times as much. "
    "But it is four and a half times as long, and its bonus is larger by a factor of 49",
    "move all keys by one vector, and both factors can change, while the 3.3 stays",
)(chapter.a_longer_key_wins_beside_key_5)


@quotes(
    "The machine uses nine points, so this attention has ten keys",
    "the same keys give the machine's label at 94 per cent of the places drawn",
)
def test_a_machine_is_a_head(compiled):
    machine, customary = (compiled.function(gamma=0.5, scale=scale)[2] for scale in ("1", "1/√d"))
    assert (machine["keys"], machine["share"], round(customary["share"], 2)) == (9 + 1, 1, 0.94)


@quotes(
    "one head of eight is nearly hard on a sample of text",
    "In the other seven the median letter asks 1.9 to 7.8 keys in effect",
)
def test_trained_heads():
    heads, medians = trained_heads(), []
    for tokens, of_query, of_key in zip(heads.tokens, heads.W_Q, heads.W_K, strict=False):
        for W_Q, W_K in zip(of_query, of_key, strict=True):
            weights = attention.attention_weights(tokens @ W_Q, tokens @ W_K, causal=True)
            medians.append(np.median(chapter.asked(weights)[31:64]))  # the letters of the second line
    nearly_hard, *others = sorted(medians)
    assert (round(nearly_hard, 1), len(others)) == (1.1, 7)
    assert (round(others[0], 1), round(others[-1], 1)) == (1.9, 7.8)
