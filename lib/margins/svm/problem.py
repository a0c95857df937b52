"""The support vector machine as a problem: its two objectives at any multipliers, and what it refuses."""

from typing import Any

import numpy as np

from margins._types import Array, ArrayLike
from margins.kernels.diagnostics import doubly_centred
from margins.kernels.gram import slices
from margins.validation import finite_array, positive, same_length, signs

ROWS_COMPARED = 8  # of K with its columns at once: a cache line holds as many entries


def checked_problem(K: ArrayLike, y: ArrayLike, C: ArrayLike) -> tuple[Array, Array, Any]:
    """A Gram matrix (n, n), its labels of -1 and +1 (n,) and 0 < C <= inf, refused if malformed."""
    y = signs("y", y)
    return checked_gram(K, len(y)), y, checked_bound(C, len(y))


def checked_bound(C: ArrayLike, n: int, *, allow_infinity: bool = True) -> Any:
    """The upper bound of the multipliers: a number > 0, or one a point (n,), of which none may be inf."""
    if np.ndim(C) == 0:
        return positive("C", C, allow_infinity=allow_infinity)
    C = finite_array("C", C, ndim=1, dtype=np.float64)
    if len(C) != n:
        raise ValueError(f"C must be one number or one a point, {n} in all, but got {len(C)}")
    if not C.min() > 0:
        i = int(C.argmin())
        raise ValueError(f"every C_i must be > 0, but C[{i}] = {C[i]:g}; leave out points of weight 0")
    return C


def checked_intercept(b: Any) -> float:
    """The intercept as a float; an array of one number, such as scikit-learn's `intercept_`, will do."""
    return float(finite_array("b", b.item() if np.size(b) == 1 and isinstance(b, np.ndarray) else b, ndim=0))


def bounds(y: Array, C: Any) -> tuple[Array, Array]:
    """The least and the largest signed multiplier of every point, (0, C_i) or (-C_i, 0) by its label."""
    return np.minimum(C * y, 0), np.maximum(C * y, 0)


def checked_gram(K: ArrayLike, n: int) -> Array:
    """A finite symmetric matrix (n, n), or a refusal."""
    K = finite_array("K", K, ndim=2)
    if K.shape != (n, n):
        raise ValueError(f"K must be ({n}, {n}), one row and one column a label, but it is {K.shape}")
    skew = max(np.abs(K[rows] - K[:, rows].T).max() for rows in slices(n, ROWS_COMPARED))
    if skew > np.sqrt(np.finfo(np.float32).eps) * max(K.max(), -K.min()):
        raise ValueError(f"K must be symmetric, but K and its transpose differ by up to {skew:.3g}")
    return K


def checked_multipliers(alpha: ArrayLike, y: Array) -> Array:
    """Multipliers (n,) in float64, one a label."""
    alpha = finite_array("alpha", alpha, ndim=1, dtype=np.float64)
    same_length(alpha=alpha, y=y)
    return alpha


def require_psd(K, *, on_zero_sums=False):
    """A refusal, unless u'Ku >= 0 up to single-precision rounding for all u (or all u of sum 0).

    Where it is not, the dual is not concave, and what a solver calls optimal need not be. The sums
    y'alpha = 0 let the dual see K on zero sums only, which is why kernels that are merely
    conditionally positive definite, such as -||x - y||, are allowed there (book: Kernels).
    """
    wide = doubly_centred(K.astype(np.float64, copy=False)) if on_zero_sums else K.astype(np.float64)
    size = max(np.abs(np.diagonal(wide)).max(), np.abs(np.diagonal(K)).max())
    tolerance = len(K) * np.finfo(np.float32).eps * max(size, np.finfo(np.float32).tiny)
    wide[np.diag_indices(len(K))] += tolerance  # in place: another matrix may be more than there is room for
    try:
        np.linalg.cholesky(wide)
    except np.linalg.LinAlgError:
        smallest = np.linalg.eigvalsh(wide)[0] - tolerance
        if smallest < -tolerance:
            where = " on vectors of sum zero" if on_zero_sums else ""
            raise ValueError(
                f"K must be positive semi-definite{where}, but its smallest eigenvalue is {smallest:.3g}"
            ) from None


def exceeds_on_zero_sums(K, least=0.0, relative=0.0):
    """Whether u'Ku > (least + relative s) u'u for all u of sum 0, where s is the largest centred K_ii."""
    centre = doubly_centred(K.astype(np.float64, copy=False))
    size = max(np.abs(np.diagonal(centre)).max(), np.finfo(np.float64).tiny)
    centre += size / len(K)  # 11'/n lifts the constants
    centre[np.diag_indices(len(K))] -= least + relative * size
    try:
        np.linalg.cholesky(centre)
    except np.linalg.LinAlgError:
        return False
    return True


def variance(K):
    """The mean squared distance of the features from their mean, kept clear of 0."""
    spread = float(np.trace(K, dtype=np.float64)) / len(K) - float(K.mean(dtype=np.float64))
    if not np.isfinite(spread):
        raise ValueError("K must be finite, and so its sum, but it holds NaN, infinity or too large numbers")
    return max(spread, float(np.finfo(np.float64).tiny))


def weighted_rows(K, beta):
    """The product K beta in float64, touching only the rows where beta is not zero (n,)."""
    support = np.flatnonzero(beta)
    total = np.zeros(K.shape[1])
    for start in range(0, len(support), 512):
        rows = support[start : start + 512]
        total += beta[rows] @ K[rows].astype(np.float64, copy=False)  # (n,)
    return total


def dual_objective(K: ArrayLike, y: ArrayLike, alpha: ArrayLike) -> float:
    """The dual objective sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij.

    (book: SVM duality, The dual)

    >>> K = np.array([[1.0, -1.0], [-1.0, 1.0]])  # the points 1 and -1
    >>> dual_objective(K, [1, -1], [0.5, 0.5])
    0.5
    """
    K, y, _ = checked_problem(K, y, np.inf)
    alpha = checked_multipliers(alpha, y)
    return dual_value(checked_scores(K, y, alpha), y, alpha)


def primal_objective(K: ArrayLike, y: ArrayLike, alpha: ArrayLike, b: float, C: ArrayLike = np.inf) -> float:
    """The primal objective at w = sum alpha_i y_i phi(x_i): 1/2 ||w||^2 + C sum max(0, 1 - y_i f(x_i)).

    `C` is one number, or one a point, C_i. The hard margin (C = inf) allows no slack, so w and b are first
    enlarged until the closest point reaches y_i f(x_i) = 1; the value is inf if (w, b) does not separate.
    It is never below the dual optimum (book: SVM duality, Weak and strong duality).

    >>> K = np.array([[1.0, -1.0], [-1.0, 1.0]])
    >>> primal_objective(K, [1, -1], [0.5, 0.5], b=0.0)  # equal to the dual: both are optimal
    0.5
    """
    K, y, C = checked_problem(K, y, C)
    alpha = checked_multipliers(alpha, y)
    b = checked_intercept(b)
    return primal_value(checked_scores(K, y, alpha), y, alpha, b, C)


def checked_scores(K, y, alpha):
    """The products K (alpha y) (n,), refused where the objectives that they go into overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        scores = weighted_rows(K, alpha * y)
        fits = np.isfinite((alpha * y) @ scores) and np.isfinite(alpha.sum())
    if not fits:
        largest = f"{np.abs(alpha).max():.1e}"
        raise ValueError(f"alpha has entries up to {largest}, with which the objectives overflow; rescale")
    return scores


def dual_value(scores, y, alpha):
    """The dual objective, given scores = K (alpha y)."""
    return float(alpha.sum() - (alpha * y) @ scores / 2)


def primal_value(scores, y, alpha, b, C):
    """The primal objective, given scores = K (alpha y)."""
    half_norm = max((alpha * y) @ scores, 0.0) / 2
    margins = y * (scores + b)
    if np.isfinite(C).all():
        slack = np.maximum(0, 1 - margins)
        return float(half_norm + (C * slack.sum() if np.ndim(C) == 0 else C @ slack))
    smallest = margins.min()  # with margins above it, a norm of 0 is one too small for floats
    return float(half_norm / smallest / smallest) if smallest > 0 and half_norm > 0 else np.inf
