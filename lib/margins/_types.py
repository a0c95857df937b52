"""Names for the types of the public functions."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[Any]  # of floats, in single or double precision
Seed: TypeAlias = np.random.Generator | int  # a generator as it is, or the seed of a new one
Kernel: TypeAlias = Callable[..., Array]  # k(X, Y) -> (n, m) for X (n, d), Y (m, d)
Tile: TypeAlias = Callable[[slice, slice, Array], object]  # (rows, columns, into): fills a part of a matrix

__all__ = ["Array", "ArrayLike", "Kernel", "Seed", "Tile"]
