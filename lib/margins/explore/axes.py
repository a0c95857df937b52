"""From data to pixels: linear and logarithmic axes, and the numbers that stand along them."""

import functools
import math
from dataclasses import dataclass

import numpy as np

from margins.explore.errors import ExplorableError

SCALES = ("linear", "log")


@dataclass(frozen=True)
class Axis:
    """The map that carries `limits` to the pixels `ends`: v lies at a + b v, or a + b log10(v)."""

    limits: tuple
    ends: tuple
    log: bool = False

    @functools.cached_property
    def line(self):
        """(a, b): where 0 (on a logarithmic axis 1) lies, and the pixels of a unit (of a decade)."""
        low, high = map(math.log10, self.limits) if self.log else self.limits
        slope = (self.ends[1] - self.ends[0]) / (high - low)
        return self.ends[0] - slope * low, slope

    def pixels(self, values):
        """Where `values` lie; not finite where they have no place on this axis."""
        start, slope = self.line
        if not self.log:
            return start + slope * np.asarray(values, float)
        with np.errstate(divide="ignore", invalid="ignore"):
            return start + slope * np.log10(np.asarray(values, float))

    def pixel(self, value):
        """Where one value lies."""
        start, slope = self.line
        return float(self.pixels(value)) if self.log else start + slope * float(value)

    def ticks(self, at=None):
        """The texts along the axis by their values: `at` as asked for, or round numbers."""
        if isinstance(at, dict):
            return at
        if at is None:
            low, high = sorted(self.limits)
            at = decades(low, high) if self.log and high >= 10 * low else round_numbers(low, high)
        return {float(v): named(v, power=self.log) for v in at}


def new_axis(name, limits, ends, scale):
    """The axis of these limits, if there is one."""
    if scale not in SCALES:
        raise ExplorableError(f"{name}scale: expected one of {list(SCALES)}, but {scale!r} came")
    low, high = map(float, limits) if np.shape(limits) == (2,) else (math.nan, math.nan)
    if not (math.isfinite(low) and math.isfinite(high) and low != high):
        raise ExplorableError(f"{name}lim: expected two finite numbers that differ, but {limits!r} came")
    if scale == "log" and min(low, high) <= 0:
        raise ExplorableError(f"{name}lim: expected numbers > 0 on a log axis, but {limits!r} came")
    return Axis((low, high), ends, scale == "log")


def round_numbers(low, high, about=5):
    """Multiples of 1, 2, 2.5 or 5 times a power of ten from `low` to `high`, about so many."""
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = power * next(m for m in (1, 2, 2.5, 5, 10) if m * power >= 0.9 * raw)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def decades(low, high, at_most=5):
    """Powers of ten from `low` to `high`, every second or third of them if there are many."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0**k for k in range(first, last + 1, math.ceil((last - first + 1) / at_most))]


def named(value, *, power=False):
    """A number as it stands beside a tick; far powers of ten as powers."""
    exponent = round(math.log10(value)) if power else 0
    if abs(exponent) > 2:
        return f"$10^{{{exponent}}}$"
    return f"{value:g}".replace("-", "\N{MINUS SIGN}")
