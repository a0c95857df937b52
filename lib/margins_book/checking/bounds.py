"""Bounds that are not only true but near: what a page measures against what it proves.

A check that `measured <= bound` passes a bound many times too large. `bounded` also asserts how near the
bound comes at least once, and prints it (book: How to read and run this book, Reading).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

ROUNDING = 1e-12  # of the largest number involved: what sums in floating point may lose
SHARP = 1.05  # a slack up to which a bound is called sharp


def bounded(measured: ArrayLike, bound: ArrayLike, *, slack: float, what: str = "measured") -> None:
    """An AssertionError, unless measured <= bound, and somewhere bound <= slack * measured.

    Both are numbers or arrays that broadcast; `what` names the measured quantity. For a lower bound the two
    change places: `bounded(proved, measured, slack=2)`. The `slack` is the factor by which the bound may
    exceed what was measured where it comes nearest: 1.05 and less for a case of equality. Prints the
    smallest and the largest ratio (book: How to read and run this book, Reading).

    >>> x = np.linspace(0, 1, 5)
    >>> bounded(np.sin(x), x, slack=1.02, what="sin x")
    sin x: bound over measured from 1.01 to 1.19, sharp (slack 1.02)
    >>> bounded(np.sin(x), 3 * x, slack=1.5, what="sin x")
    Traceback (most recent call last):
    ...
    AssertionError: sin x: the bound is at least 3.03 times too large, but the slack declared is 1.5; find a \
sharper bound or an example that comes nearer to it, or declare the slack
    """
    below, above = _broadcast(measured, bound)
    if not slack >= 1:
        raise ValueError(f"slack must be a number >= 1, but got {slack!r}")
    excess = below - above
    if not (excess <= ROUNDING * max(np.abs(below).max(), np.abs(above).max())).all():
        worst = np.unravel_index(np.argmax(np.where(np.isnan(excess), np.inf, excess)), excess.shape)
        raise AssertionError(f"{what}: {below[worst]:.6g} exceeds its bound {above[worst]:.6g}{_at(worst)}")
    least, most = _ratios(below, above, what)
    if least > slack * (1 + ROUNDING):
        raise AssertionError(
            f"{what}: the bound is at least {least:.3g} times too large, but the slack declared is "
            f"{slack:g}; find a sharper bound or an example that comes nearer to it, or declare the slack"
        )
    sharp = ", sharp" if slack <= SHARP else ""
    print(f"{what}: bound over measured from {least:.3g} to {most:.3g}{sharp} (slack {slack:g})")


def _broadcast(measured: ArrayLike, bound: ArrayLike) -> tuple[NDArray, NDArray]:
    arrays = np.broadcast_arrays(np.asarray(measured, dtype=float), np.asarray(bound, dtype=float))
    if arrays[0].size == 0:
        raise ValueError("measured and bound must have entries to compare, but got no entry")
    return arrays[0], arrays[1]


def _ratios(below: NDArray, above: NDArray, what: str) -> tuple[float, float]:
    """The least and the largest ratio where the measured number is positive and more than rounding."""
    counted = below > ROUNDING * np.abs(above).max()
    if not counted.any():
        raise ValueError(
            f"{what}: no measured number is positive, so there is no ratio of bound and measured; "
            "compare amounts that are positive, or use a plain assertion"
        )
    ratios = above[counted] / below[counted]
    return float(ratios.min()), float(ratios.max())


def _at(index: tuple[np.intp, ...]) -> str:
    return f" at {', '.join(map(str, map(int, index)))}" if index else ""
