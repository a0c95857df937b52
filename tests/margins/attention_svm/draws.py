"""Token data that several tests share."""

import numpy as np

from margins.attention_svm import random_token_data


def draw(n=4, T=5, d=4, seed=0, **options):
    """Random token data: n sequences of T tokens in d dimensions."""
    return random_token_data(n, T, d, rng=np.random.default_rng(seed), **options)


def small(seed=0, batch=(), n=3, T=4, d=3, **options):
    """Random token data of the size that loops and complex steps are quick on, by their seed."""
    return draw(n, T, d, seed, batch=batch, **options)
