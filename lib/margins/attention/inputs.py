"""Checks that all forms of attention share: shapes that fit, a mask that broadcasts, logits that stay finite.

(book: Attention as Nadaraya-Watson regression, The master equation)
"""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.validation import finite_array, positive


def rows_that_fit(**arrays: ArrayLike) -> list[Array]:
    """Checked queries (..., n, d_k), keys (..., m, d_k) and, if given, values (..., m, d_v), by their names.

    They are in one precision, and their leading axes can be broadcast.
    """
    checked = {name: stack_of_rows(name, value) for name, value in arrays.items()}
    (q, Q), (k, K), *values = checked.items()
    require_rows(**dict([(k, K), *values]))
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(
            f"{q} and {k} must have equally many columns, but {q} has shape {Q.shape}, {k} has {K.shape}"
        )
    for v, V in values:
        if K.shape[-2] != V.shape[-2]:
            raise ValueError(
                f"{k} and {v} must have equally many rows, but {k} has shape {K.shape}, {v} has {V.shape}"
            )
    try:
        np.broadcast_shapes(*(array.shape[:-2] for array in checked.values()))
    except ValueError:
        got = ", ".join(f"{name} has shape {array.shape}" for name, array in checked.items())
        raise ValueError(f"the leading axes must broadcast, but {got}") from None
    dtype = np.result_type(*checked.values())
    return [array.astype(dtype, copy=False) for array in checked.values()]


def broadcast_rows(**arrays: ArrayLike) -> list[Array]:
    """What `rows_that_fit` gives, leading axes broadcast against each other (as views)."""
    fitting = rows_that_fit(**arrays)
    leading = np.broadcast_shapes(*(array.shape[:-2] for array in fitting))
    return [np.broadcast_to(array, leading + array.shape[-2:]) for array in fitting]


def stack_of_rows(name: str, value: ArrayLike) -> Array:
    """A finite array whose last two axes are rows and columns; it may hold no problem or no row."""
    array = finite_array(name, value, allow_empty=True)
    if array.ndim < 2:
        raise ValueError(f"{name} must have at least 2 axes (rows, columns), but its shape is {array.shape}")
    if array.shape[-1] == 0:
        raise ValueError(f"{name} must have at least 1 column, but its shape is {array.shape}")
    return array


def require_rows(**keys: Array) -> None:
    """A refusal, unless every array has a row: without a key there is no weight to give."""
    for name, array in keys.items():
        if array.shape[-2] == 0:
            raise ValueError(f"{name} must have at least 1 row, but its shape is {array.shape}")


def logit_scale(scale: float | None, Q: Array, K: Array, *, names: str = "Q and K") -> float:
    """The factor on the logits, by default 1/sqrt(d_k), refused where a logit of `names` could overflow."""
    width = Q.shape[-1]
    scale = 1 / math.sqrt(width) if scale is None else positive("scale", scale, allow_zero=True)
    highest = float(np.finfo(Q.dtype).max) / 4  # a quarter, because logits are subtracted from one another
    largest = largest_entry(Q) * max(scale, 1.0) * width * largest_entry(K)
    if not largest < highest:
        raise ValueError(
            f"the logits of {names} may reach {largest:.1e}, which overflows {Q.dtype}; rescale them"
        )
    return scale


def refuse_large_values(V: Array) -> None:
    """A refusal where a sum of all the rows of `V` could leave the number range."""
    largest = largest_entry(V) * V.shape[-2]
    if not largest < float(np.finfo(V.dtype).max):
        raise ValueError(f"sums of values V may reach {largest:.1e}, which overflows {V.dtype}; rescale V")


def largest_entry(X: Array) -> float:
    """The largest |entry| of `X`, found without a copy of `X`."""
    return max(float(X.max(initial=0)), -float(X.min(initial=0)))


def allowed_pairs(mask: ArrayLike | None, causal: bool, Q: Array, K: Array) -> list[Array]:
    """Boolean views (..., n, m), none, one or two: query i may attend to key j where all of them are True."""
    masks = [] if mask is None else [mask_view(mask, Q, K)]
    if causal:
        require_as_many(Q=Q, K=K)
        masks.append(np.broadcast_to(_past(Q.shape[-2]), (*Q.shape[:-1], K.shape[-2])))
    return masks


def require_as_many(**two: Array) -> None:
    """A refusal, unless there are as many queries as keys, without which causality has no meaning."""
    (q, Q), (k, K) = two.items()
    if Q.shape[-2] != K.shape[-2]:
        got = f"{q} has {Q.shape}, {k} has {K.shape}"
        raise ValueError(f"causal attention needs as many queries as keys, but {got}")


def _past(n):
    """The mask j <= i (n, n), each row a window of one line of 2n - 1 entries: it takes little room."""
    line = np.arange(2 * n - 1) < n
    return np.lib.stride_tricks.sliding_window_view(line, n)[::-1]


def mask_view(mask: ArrayLike, Q: Array, K: Array) -> Array:
    """The mask as a Boolean view of shape (..., n, m), True where query i may attend to key j."""
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise ValueError(f"mask must be Boolean (True = may attend), but its entries are {mask.dtype}")
    shape = (*Q.shape[:-1], K.shape[-2])
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"mask must broadcast to (..., n, m) = {shape}, but its shape is {mask.shape}"
        ) from None
