"""Random problems of an experiment: each from its own seed, so that no result depends on its neighbours.

(book: The paper in a minute, What ran)
"""

import numpy as np

from margins.attention_svm import random_start
from margins.attention_svm.data import data_of_draws, normal_draws


def cells_in_blocks(shapes, dimensions, seeds, block):
    """The cells of a sweep over (n, T) and d: one for each `block` of the first `seeds` seeds."""
    return [
        {"n": n, "T": T, "d": d, "seed": first}
        for n, T in shapes
        for d in dimensions
        for first in range(0, seeds, block)
    ]


def draw_problems(n, T, d, seeds):
    """Token data with one leading axis, set k drawn from `seeds`[k], and the generators for what follows.

    Each set is that of `random_token_data`; all are put on spheres and checked at once.
    """
    generators = [np.random.default_rng([n, T, d, seed]) for seed in seeds]
    draws = [normal_draws(n, T, d, rng) for rng in generators]
    return data_of_draws(*map(np.stack, zip(*draws, strict=True))), generators


def draw_starts(data, generators, width=None):
    """Starting values of each problem, from its own generator: W, or a pair (K, Q) of m = `width` columns."""
    one = data[0]  # a start depends on its sizes alone
    starts = [random_start(one, rng=rng, width=width) for rng in generators]
    return np.stack(starts) if width is None else tuple(map(np.stack, zip(*starts, strict=True)))
