"""Two routines of LAPACK."""

import numpy as np

from .. import names_missing_from
from . import cho_factor, cho_solve

__all__ = ["dpotrf", "dpotrs"]
__getattr__ = names_missing_from(__name__)


def dpotrf(a, lower=0, clean=1, overwrite_a=0):
    """The Cholesky factor, and 0, or 1 if there is none."""
    try:
        return cho_factor(a, bool(lower))[0], 0
    except np.linalg.LinAlgError:
        return a, 1


def dpotrs(c, b, lower=0, overwrite_b=0):
    """The solution from the factor, and 0."""
    return cho_solve((c, bool(lower)), b), 0
