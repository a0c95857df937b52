"""Random problems with Gaussian tokens, how many of them are feasible, and the interval of a counted share.

(book: Local optima, feasibility and over-parameterisation)
"""

from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from margins.attention_svm import TokenData, is_feasible


def interval(hits: int, runs: int) -> NDArray:
    """The exact 95 % interval of a share, of Clopper and Pearson.

    >>> interval(18, 20).round(2)
    array([0.68, 0.99])
    """
    return np.array(binomtest(int(hits), int(runs)).proportion_ci(method="exact"))


def gaussian_data(n: int, T: int, d: int, seed: int) -> TokenData:
    """Gaussian tokens, queries and head, fair labels.

    >>> gaussian_data(2, 6, 3, seed=0).sizes
    (2, 6, 3)
    """
    rng = np.random.default_rng([n, T, d, seed])
    X, Z, v = rng.normal(size=(n, T, d)), rng.normal(size=(n, d)), rng.normal(size=d)
    return TokenData(X, Z, rng.choice([-1.0, 1.0], size=n), v)


def feasible_share(n: int, T: int, d: int, kind: str, draws: int = 20) -> float:
    """The share of Gaussian problems whose tokens are feasible: the "optimal" ones, or else the first ones.

    >>> feasible_share(2, 3, 4, "arbitrary")
    1.0
    """
    problems = [gaussian_data(n, T, d, seed) for seed in range(draws)]
    first = np.zeros(n, dtype=int)
    return float(
        np.mean([is_feasible(p, p.optimal_tokens if kind == "optimal" else first) for p in problems])
    )


def cover(n: int, D: int) -> float:
    """Cover's count C(n, D): how probably fair labels of n points in general position of R^D are separable.

    >>> cover(4, 2), cover(3, 5)
    (0.5, 1.0)
    """
    return sum(comb(n - 1, k) for k in range(min(D, n))) / 2 ** (n - 1)
