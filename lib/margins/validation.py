"""Checks of arguments: each error names the argument, the value given and what was expected."""

from __future__ import annotations

import numbers
import reprlib
from collections.abc import Collection, Sized
from typing import Any

import numpy as np

from margins._types import Array


def finite_array(
    name: str,
    value: object,
    *,
    ndim: int | tuple[int, ...] | None = None,
    dtype: Any = None,
    min_rows: int = 1,
    allow_empty: bool = False,
) -> Array:
    """The array behind `value`: real, finite, with at least `min_rows` rows, or none at all if `allow_empty`.

    It has `ndim` axes, or as many as one of the numbers in `ndim`. float32 and float64 are kept as they come,
    everything else becomes float64; `dtype` forces one.
    """
    array = real_array(name, value)
    _require_axes(name, array, ndim)
    if not allow_empty:
        _require_entries(name, array, min_rows)
    if not np.isfinite(array).all():
        first = np.argwhere(~np.isfinite(array))[0].tolist()
        raise ValueError(f"{name} contains NaN or infinity, first at index {first}; expected finite numbers")
    return array if dtype is None else array.astype(dtype, copy=False)


def _require_entries(name, array, min_rows):
    """A refusal, unless a vector or a matrix has `min_rows` rows and no array is empty."""
    if array.ndim in (1, 2) and array.shape[0] < min_rows:
        rows = f"{min_rows} row{'' if min_rows == 1 else 's'}"
        raise ValueError(f"{name} must have at least {rows}, but its shape is {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} is empty: its shape is {array.shape}")


def _require_axes(name, array, ndim):
    """A refusal, unless the array has `ndim` axes, or as many as one of the numbers in `ndim`."""
    allowed = (ndim,) if isinstance(ndim, int) else ndim
    if allowed is None or array.ndim in allowed:
        return
    axes = f"{' or '.join(map(str, allowed))} {'axis' if allowed[-1] == 1 else 'axes'}"
    expected = "be a single number" if allowed == (0,) else f"have {axes}"
    raise ValueError(f"{name} must {expected}, but its shape is {array.shape}")


def real_array(name: str, value: object) -> Array:
    """`value` as float32 or float64, without judging its entries."""
    try:
        array = np.asarray(value)
        _require_numbers(array)
        if np.ma.is_masked(value):
            raise TypeError("some of its entries are masked")
        if array.dtype not in (np.float32, np.float64):
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as reason:
        kind = type(value).__name__
        raise ValueError(f"{name} must be an array of real numbers, but got a {kind}: {reason}") from None
    return array


def _require_numbers(array):
    """A refusal of entries that are no real numbers or Booleans: dates, words that look like numbers."""
    if np.iscomplexobj(array):
        raise TypeError("it is complex")
    if array.dtype.kind not in "biufO":
        raise TypeError(f"its entries are {array.dtype}")
    strangers = [x for x in array.flat if not isinstance(x, numbers.Real)] if array.dtype.kind == "O" else []
    if strangers:
        raise TypeError(f"{strangers[0]!r} is among its entries")


def finite_product(names: str, A: Array, B: Array) -> Array:
    """The product A B of the matrices of these `names`, refused where it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        AB = A @ B
    if not np.isfinite(AB).all():
        raise ValueError(f"the product {names} overflows {AB.dtype}; rescale its factors")
    return AB


def summable_squares(name: str, array: Array) -> Array:
    """`array`, refused where the squares of its rows, or of differences between them, overflow."""
    largest = float(np.abs(array).max(initial=0))
    if not largest < np.sqrt(np.finfo(array.dtype).max / (8 * max(array.size, 1))):
        raise ValueError(f"{name} has entries up to {largest:.1e}, whose squares overflow; rescale them")
    return array


def squarable(name: str, array: Array) -> Array:
    """`array`, refused where the squares of its rows overflow or all of them vanish."""
    largest, limits = float(np.abs(summable_squares(name, array)).max(initial=0)), np.finfo(array.dtype)
    if 0 < largest < np.sqrt(limits.tiny / limits.eps):
        raise ValueError(f"{name} has no entry above {largest:.1e}, whose square vanishes; rescale them")
    return array


def positive(name: str, value: object, *, allow_zero: bool = False, allow_infinity: bool = False) -> float:
    """`value` as a float that is > 0 (or >= 0), finite unless infinity is allowed."""
    expected = ("a number >= 0" if allow_zero else "a number > 0") + (" or inf" if allow_infinity else "")
    number = _as_float(value)
    if not number >= 0 or (number == 0 and not allow_zero) or (number == np.inf and not allow_infinity):
        raise ValueError(f"{name} must be {expected}, but got {value!r}")
    return number


def _as_float(value: object) -> float:
    """A real number, or an array of no axes that holds one, as a float; NaN for everything else."""
    value = _scalar(value)
    if not isinstance(value, numbers.Real) or isinstance(value, bool | np.bool_):
        return np.nan
    try:
        return float(value)
    except OverflowError:  # an integer or a fraction beyond the floats
        return np.nan


def _scalar(value: object) -> object:
    """The entry of an array of no axes; anything else as it is."""
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value


def count(name: str, value: object, *, at_least: int = 1) -> int:
    """`value` as an integer that is at least `at_least`."""
    value = _scalar(value)
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or int(value) < at_least:
        raise ValueError(f"{name} must be an integer >= {at_least}, but got {value!r}")
    if int(value) > np.iinfo(np.int64).max:
        raise ValueError(f"{name} must be an integer of 64 bits, but got {reprlib.repr(int(value))}")
    return int(value)


def generator(name: str, value: object) -> np.random.Generator:
    """The NumPy generator behind `value`: a generator as it comes, or a seed, an integer >= 0."""
    if isinstance(value, np.random.Generator):
        return value
    seed = _scalar(value)
    if not isinstance(seed, numbers.Integral) or isinstance(seed, bool | np.bool_) or seed < 0:
        raise ValueError(f"{name} must be a NumPy generator or a seed, an integer >= 0, but got {value!r}")
    return np.random.default_rng(int(seed))


def one_of(name: str, value: object, allowed: Collection[str]) -> str:
    """`value` if it is among the words `allowed`, else a message that lists them."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, but got {value!r}")
    return value


def instance(name: str, value: object, kind: type, examples: str) -> Any:
    """`value` if it is of the class `kind`, else a message that names `examples` of it."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        got = reprlib.repr(value)
        raise ValueError(f"{name} must be {article} {kind.__name__}, {examples}, but got {got}")
    return value


def same_length(**arrays: Sized) -> None:
    """A refusal with every length, unless all the named arrays have equally many rows."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        got = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"expected equally many rows, but {got}")


def signs(name: str, y: object) -> Array:
    """Labels as a float vector of -1 and +1 with both classes present."""
    y = finite_array(name, y, ndim=1, dtype=np.float64)
    values = np.unique(y)
    if not np.isin(values, (-1.0, 1.0)).all():
        raise ValueError(f"{name} must hold the labels -1 and +1, but it holds {values[:5].tolist()}")
    if len(values) < 2:
        raise ValueError(f"{name} must hold both classes, but every label is {values[0]:+g}")
    return y


def ascending_counts(name: str, values: Any, *, at_most: int | None = None) -> list[int]:
    """`values` as a list of integers >= 0 in ascending order, none above `at_most`."""
    limit = "" if at_most is None else f", none above {at_most}"
    if np.ndim(values) != 1:
        raise ValueError(f"{name} must be ascending integers{limit}, but got {values!r}")
    values = [count(name, value, at_least=0) for value in values]
    if not values or values != sorted(values) or (at_most is not None and values[-1] > at_most):
        raise ValueError(f"{name} must be ascending integers{limit}, but got {values}")
    return values
