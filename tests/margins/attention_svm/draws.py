"""Token data that several tests share, and the constraints of their machines."""

import numpy as np

from margins.attention_svm import TokenData, random_token_data

# One sequence in the plane: 1 and 2 lie between the best token 0 and its opposite 3; 4 is inside the hull.
PLANE = TokenData([[[2.0, 0], [1, 1], [1, -1], [0, 0], [0.5, 0.2]]], [[1.0, 0]], [1], [1.0, 0.1])


def draw(n=4, T=5, d=4, seed=0, **options):
    """Random token data: n sequences of T tokens in d dimensions."""
    return random_token_data(n, T, d, rng=np.random.default_rng(seed), **options)


def small(seed=0, batch=(), n=3, T=4, d=3, **options):
    """Random token data of the size that loops and complex steps are quick on, by their seed."""
    return draw(n, T, d, seed, batch=batch, **options)


def explicit_rows(data, tokens):
    """The constraints as documented, in plain loops: i, then t without the chosen token."""
    pairs = [(i, t) for i in range(len(tokens)) for t in range(data.sizes[1]) if t != tokens[i]]
    return np.array([np.outer(data.X[i, tokens[i]] - data.X[i, t], data.Z[i]) for i, t in pairs])
