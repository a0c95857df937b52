"""Estimates: intervals of shares, means and medians are those of other programs."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom, binomtest, t

from margins_book.experiments.estimates import mean, median, share


def test_intervals_are_those_of_other_programs():
    hits = np.arange(50) < 37
    known = binomtest(37, 50).proportion_ci(method="wilson")
    assert_allclose(share(hits), (0.74, known.low, known.high), rtol=1e-6)
    for values in ([1.0, 2.0, 3.0, 4.0], [0.2, 0.7], np.arange(100.0) ** 2):
        size = np.std(values, ddof=1) / len(values) ** 0.5
        ends = t.interval(0.95, len(values) - 1, np.mean(values), size)
        assert_allclose(mean(values), (np.mean(values), *ends), rtol=1e-12)
    assert np.isnan(share([]).value)
    assert_array_equal(median([3.0]), (3.0, np.nan, np.nan))
    for n in (6, 9, 80, 501, 2000):  # whose values are their own ranks
        k = binom.ppf(0.025, n, 0.5) - 1
        assert_array_equal(median(np.arange(n)), ((n - 1) / 2, k, n - 1 - k))
