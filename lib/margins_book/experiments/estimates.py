"""Estimates with their 95 % confidence intervals: shares, means, and medians where the tails are heavy."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

__all__ = ["Estimate", "mean", "median", "share"]

NORMAL_QUANTILE = 1.959964  # 97.5 % of the standard normal distribution lie below it


class Estimate(NamedTuple):
    """A number and its 95 % confidence interval, NaN where there is none.

    (book: The paper in a minute, What ran)

    >>> print(Estimate(0.52, 0.48, 0.56))
    0.520 (0.480 to 0.560)
    """

    value: float
    low: float = np.nan
    high: float = np.nan

    def __str__(self) -> str:
        """The number and its interval, to two digits of the interval's length."""
        if not self.high > self.low:
            return f"{self.value:.3g}"
        decimals = int(np.clip(1 - np.floor(np.log10(self.high - self.low)), 0, 6))
        if decimals == 6:
            return f"{self.value:.1e} ({self.low:.1e} to {self.high:.1e})"
        return f"{self.value:.{decimals}f} ({self.low:.{decimals}f} to {self.high:.{decimals}f})"


Settings: TypeAlias = dict[str, Any]  # numbers, texts and lists of them, as JSON has them
Cell: TypeAlias = dict[str, Any]  # what distinguishes one measurement of an experiment from the others
Row: TypeAlias = dict[str, Any]  # one line of a table: a number or a text a column
Table: TypeAlias = dict[str, NDArray]  # columns of equal length
Estimates: TypeAlias = list[tuple[Cell, dict[str, Estimate]]]  # of settings


def share(hits: ArrayLike) -> Estimate:
    """The share of true `hits` with Wilson's binomial interval, which stays inside [0, 1].

    (book: The paper in a minute, What ran)

    >>> print(share([True] * 9 + [False]))
    0.90 (0.60 to 0.98)
    """
    hits = np.asarray(hits)
    count, p = len(hits), np.mean(hits) if len(hits) else np.nan
    if not count:
        return Estimate(np.nan)
    z2 = NORMAL_QUANTILE**2 / count
    middle, half = p + z2 / 2, np.sqrt(z2 * (p * (1 - p) + z2 / 4))
    return Estimate(float(p), float(max(0.0, (middle - half) / (1 + z2))), float((middle + half) / (1 + z2)))


def mean(values: ArrayLike) -> Estimate:
    """The mean of `values` and Student's interval, which is exact if they are normal.

    (book: The paper in a minute, What ran)

    >>> print(mean([1.0, 2.0, 3.0, 4.0]))
    2.5 (0.4 to 4.6)
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return Estimate(float(values[0]) if len(values) else np.nan)
    half = stdtrit(len(values) - 1, 0.975) * values.std(ddof=1) / np.sqrt(len(values))
    return Estimate(float(values.mean()), float(values.mean() - half), float(values.mean() + half))


def median(values: ArrayLike) -> Estimate:
    """The median of `values` between two of them, whose ranks depend on no distribution.

    Fewer than k values lie below the median with a binomial probability, so that order statistics k-th from
    either end enclose it (book: The paper in a minute, What ran).

    >>> print(median(range(1, 10)))  # from the second to the second but last
    5.0 (2.0 to 8.0)
    """
    ordered = np.sort(np.asarray(values, dtype=float))
    if not len(ordered):
        return Estimate(np.nan)
    k = _fair_quantile(len(ordered)) - 1
    if k < 0:
        return Estimate(float(np.median(ordered)))
    return Estimate(float(np.median(ordered)), float(ordered[k]), float(ordered[-1 - k]))


def _fair_quantile(n: int) -> int:
    """The least k such that n fair coins show at most k heads with a probability of 2.5 % at least."""
    k, ways, at_most, all_ways = 0, 1, 1, 2**n
    while 40 * at_most < all_ways:
        k += 1
        ways = ways * (n - k + 1) // k
        at_most += ways
    return k
