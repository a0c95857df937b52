"""The experiment on global convergence: the test for a trend with the dimension."""

import numpy as np
import pytest

from margins_book.experiments.global_convergence import trend


def test_trend_is_the_statistic_of_cochran_and_armitage_with_logarithmic_levels():
    """T = sum_i t_i (N_1i R_2 - N_2i R_1) over the root of its variance, from the counts of each level."""
    levels, sizes, hits = np.array([2, 5, 40]), np.array([30, 50, 40]), np.array([6, 20, 25])
    t, N, R1 = np.log(levels), sizes.sum(), hits.sum()
    R2 = N - R1
    T = (t * (hits * R2 - (sizes - hits) * R1)).sum()
    cross = sum(t[i] * t[j] * sizes[i] * sizes[j] for i in range(3) for j in range(i + 1, 3))
    variance = R1 * R2 / N * ((t**2 * sizes * (N - sizes)).sum() - 2 * cross)
    successes = np.concatenate([np.arange(n) < k for n, k in zip(sizes, hits, strict=True)])
    found = trend(np.repeat(levels, sizes), successes)
    assert found == pytest.approx(T / np.sqrt(variance))
    assert found > 2
    assert trend(np.repeat(levels, sizes), ~successes) == pytest.approx(-found)
    assert trend(np.full(10, 2), np.arange(10) < 5) == 0.0
    assert trend(np.repeat(levels, sizes), np.zeros(N)) == 0.0
