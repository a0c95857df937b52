"""The beta and multinomial distributions, and two exact tests."""

import math
from collections import namedtuple
from types import SimpleNamespace

import numpy as np

from . import names_missing_from

__all__ = ["beta", "binomtest", "fisher_exact", "multinomial"]
__getattr__ = names_missing_from(__name__)
Interval = namedtuple("Interval", "low high")


class beta:  # noqa: N801 - SciPy's name
    """The beta distribution with parameters a and b."""

    @staticmethod
    def cdf(x, a, b):
        """The regularised incomplete beta function."""
        if x <= 0 or x >= 1:
            return float(x >= 1)
        if x > (a + 1) / (a + b + 2):  # where the continued fraction of the other end is shorter
            return 1 - beta.cdf(1 - x, b, a)
        scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        return math.exp(a * math.log(x) + b * math.log1p(-x) + scale) * _continued_fraction(x, a, b) / a

    @staticmethod
    def ppf(q, a, b):
        """The quantile, by bisection."""
        low, high = 0.0, 1.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if beta.cdf(middle, a, b) < q else (low, middle)
        return np.float64((low + high) / 2)


def _continued_fraction(x, a, b):
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, 1000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for top in (even, odd):
            d, c = 1 / (1 + top * d), 1 + top / c
            total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return total


class multinomial:  # noqa: N801 - SciPy's name
    """The multinomial distribution of n draws with chances p."""

    @staticmethod
    def pmf(x, n, p):
        """The probability of counts, along the last axis."""
        x, p = np.asarray(x), np.asarray(p, float)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(x > 0, x * np.log(p), 0.0).sum(axis=-1)
        ways = math.lgamma(n + 1) - np.vectorize(math.lgamma)(x + 1.0).sum(axis=-1)
        return np.where(x.sum(axis=-1) == n, np.exp(logs + ways), 0.0)[()]


def binomtest(k, n, p=0.5):
    """The exact test of k hits in n tries against the chance p: `pvalue` of both sides, `proportion_ci`."""
    chances = multinomial.pmf(np.stack([np.arange(n + 1), n - np.arange(n + 1)], axis=-1), n, [p, 1 - p])
    return SimpleNamespace(
        statistic=k / n,
        pvalue=min(1.0, float(chances[chances <= chances[k] * (1 + 1e-7)].sum())),
        proportion_ci=lambda confidence_level=0.95, method="exact": _interval(k, n, confidence_level, method),
    )


def _interval(k, n, level, method):
    """Clopper and Pearson's interval of a proportion, as a pair with names."""
    if method != "exact":
        raise NotImplementedError(f"proportion_ci in the page knows the method 'exact', but got {method!r}")
    tail = (1 - level) / 2
    low = beta.ppf(tail, k, n - k + 1) if k > 0 else np.float64(0)
    return Interval(low, beta.ppf(1 - tail, k + 1, n - k) if k < n else np.float64(1))


def fisher_exact(table):
    """Fisher's exact test of a table of two rows and columns: `statistic`, the odds ratio, and `pvalue`."""
    (a, b), (c, d) = ([int(cell) for cell in row] for row in table)
    first, hits, total = a + b, a + c, a + b + c + d
    found = range(max(0, first + hits - total), min(first, hits) + 1)
    chances = np.array([math.comb(hits, k) * math.comb(total - hits, first - k) for k in found], object)
    here = chances[a - found[0]]
    pvalue = sum(chance for chance in chances if chance <= here) / math.comb(total, first)
    return SimpleNamespace(statistic=a * d / (b * c) if b * c else math.inf, pvalue=float(pvalue))
