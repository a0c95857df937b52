"""Random problems: those of a block are those that their seeds give alone."""

import numpy as np
from numpy.testing import assert_array_equal

from margins.attention_svm import random_start, random_token_data
from margins_book.experiments.problems import draw_problems, draw_starts


def test_problems_of_a_block_are_those_that_their_seeds_give_alone():
    data, generators = draw_problems(3, 4, 5, range(7, 10))
    W, (K, Q) = draw_starts(data, generators), draw_starts(data, generators, 2)
    for k, seed in enumerate(range(7, 10)):
        rng = np.random.default_rng([3, 4, 5, seed])
        one = random_token_data(3, 4, 5, rng=rng)
        for name in ("X", "Z", "Y", "v"):
            assert_array_equal(getattr(data[k], name), getattr(one, name))
        assert_array_equal(W[k], random_start(one, rng=rng))
        assert_array_equal((K[k], Q[k]), random_start(one, rng=rng, width=2))
