"""Small problems: least squares with signs, linear programs, smooth minima, roots."""

from .. import names_missing_from
from ._linear_program import linprog
from ._minimum import minimize
from ._nonnegative import nnls
from ._root import brentq

__all__ = ["brentq", "linprog", "minimize", "nnls"]
__getattr__ = names_missing_from(__name__)
