"""The experiment on global convergence: the test for a trend with the dimension."""

import numpy as np
import pytest

from margins_book.experiments.global_convergence import trend


def test_trend_is_the_test_of_cochran_and_armitage():
    """Its square is the Pearson statistic where there are two levels only."""
    levels, hits = np.repeat([2, 8], 50), np.r_[np.arange(50) < 20, np.arange(50) < 35]
    table = np.array([[20, 30], [35, 15]])
    expected = np.outer(table.sum(1), table.sum(0)) / 100
    assert trend(levels, hits) ** 2 == pytest.approx(((table - expected) ** 2 / expected).sum())
    assert trend(levels, np.zeros(100)) == 0.0


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
