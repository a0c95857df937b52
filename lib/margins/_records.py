"""Data classes that hold arrays, and their short representations."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import FunctionType
from typing import TypeVar, dataclass_transform

import numpy as np

T = TypeVar("T")
SHOWN_ENTRIES = 6  # a vector of at most so many entries is shown in full


@dataclass_transform(frozen_default=True, eq_default=False)
def frozen(cls: type[T]) -> type[T]:
    """The frozen data class of `cls`: compared by identity, as arrays must be, and shown in a line."""
    cls.__repr__ = _short_repr  # type: ignore[method-assign]
    return dataclass(frozen=True, eq=False, repr=False)(cls)


def _short_repr(record):
    """A data class and its fields, arrays summarised."""
    names = (field.name for field in fields(record))
    shown = (f"{name}={summary(getattr(record, name))}" for name in names)
    return f"{type(record).__name__}({', '.join(shown)})"


def summary(value: object) -> str:
    """One value in a few words: an array by shape and range, a list by its length, a function by its name."""
    if isinstance(value, np.ndarray):
        return _array_summary(value)
    if isinstance(value, list | tuple) and any(isinstance(item, np.ndarray) for item in value):
        return f"[{len(value)} arrays, first {summary(value[0])}]"
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, float):
        return f"{value:.6g}"
    return value.__name__ if isinstance(value, FunctionType | np.ufunc) else repr(value)


def _array_summary(array: np.ndarray) -> str:
    """The entries of a short vector; else the shape and the range, or the number of True entries."""
    if array.ndim <= 1 and array.size <= SHOWN_ENTRIES:
        return np.array2string(array, precision=4, separator=", ", max_line_width=1000)
    if array.dtype == np.bool_:
        return f"array(shape={array.shape}, {np.count_nonzero(array)} True)"
    if array.dtype.kind not in "biuf" or not array.size:
        return f"array(shape={array.shape}, dtype={array.dtype})"
    if np.isnan(array).all():
        return f"array(shape={array.shape}, all NaN)"
    some_nan = ", some NaN" if np.isnan(array).any() else ""
    return f"array(shape={array.shape}, from {np.nanmin(array):.4g} to {np.nanmax(array):.4g}{some_nan})"
