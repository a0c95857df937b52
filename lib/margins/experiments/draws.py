"""Random problems of an experiment: each from its own seed, so that no result depends on its neighbours.

(book: The paper in a minute, What ran)
"""

import numpy as np

from margins.attention_svm import TokenData, random_start, random_token_data


def cells_in_blocks(shapes, dimensions, seeds, block):
    """The cells of a sweep over (n, T) and d: one for each `block` of the first `seeds` seeds."""
    return [
        {"n": n, "T": T, "d": d, "seed": first}
        for n, T in shapes
        for d in dimensions
        for first in range(0, seeds, block)
    ]


def draw_problems(n, T, d, seeds, **options):
    """Token data with one leading axis, set k drawn from `seeds`[k], and the generators for what follows."""
    generators = [np.random.default_rng([n, T, d, seed]) for seed in seeds]
    sets = [random_token_data(n, T, d, rng=rng, **options) for rng in generators]
    arrays = (np.stack([getattr(data, name) for data in sets]) for name in ("X", "Z", "Y", "v"))
    return TokenData(*arrays), generators


def draw_starts(data, generators, width=None):
    """Starting values of each problem, from its own generator: W, or a pair (K, Q) of m = `width` columns."""
    starts = [random_start(data[k], rng=rng, width=width) for k, rng in enumerate(generators)]
    return np.stack(starts) if width is None else tuple(map(np.stack, zip(*starts, strict=True)))
