"""Several kernels at once: their alignment with each other and with the labels, and the best mixture."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable

import numpy as np

from margins._extras import extra
from margins._types import Array, ArrayLike
from margins.kernels.diagnostics import doubly_centred, symmetric_matrix
from margins.validation import finite_array, same_length, squarable


def combine(grams: Iterable[ArrayLike], weights: ArrayLike) -> Array:
    """The Gram matrix sum_m beta_m K_m, beta >= 0, of the features sqrt(beta_m) phi_m side by side.

    (book: Kernels, Many kernels)

    >>> combine([np.eye(2), np.ones((2, 2))], [3, 0.5])
    array([[3.5, 0.5],
           [0.5, 3.5]])
    """
    grams, weights = _grams(grams), finite_array("weights", weights, ndim=1, dtype=np.float64)
    if weights.min() < 0:
        raise ValueError(f"weights must be >= 0, but {weights.min():g} is among them")
    same_length(grams=grams, weights=weights)
    total = float(weights[0]) * grams[0]
    for K, weight in zip(grams[1:], weights[1:].tolist(), strict=True):
        total += weight * K
    return total


def alignment(K: ArrayLike, L: ArrayLike) -> float:
    """The cosine <HKH, HLH> / (||HKH|| ||HLH||) between two centred Gram matrices, 0 if one vanishes.

    With L = y y' it measures how well a kernel separates the labels; the centring keeps a
    constant added to a kernel from counting (book: Kernels, Many kernels).

    >>> y = np.array([1.0, 1.0, -1.0, -1.0])
    >>> alignment(linear([[1.0], [2.0], [-1.0], [-2.0]]), np.outer(y, y))
    0.9
    """
    K, L = map(_centred_or_zero, _grams({"K": K, "L": L}))
    norms = np.linalg.norm(K) * np.linalg.norm(L)
    return float(np.vdot(K, L) / norms) if norms > 0 else 0.0


def alignment_weights(grams: Iterable[ArrayLike], y: ArrayLike) -> Array:
    """The weights beta >= 0, sum 1, of the mixture best aligned with the labels.

    beta is proportional to the least-squares solution of sum_m beta_m H K_m H = H y y' H over
    beta >= 0 (book: Kernels, Many kernels). A ValueError says so if no kernel helps.

    >>> X = np.array([[1.0, 0.3], [2.0, -0.5], [-1.0, 0.4], [-2.0, -0.2]])
    >>> grams = [linear(X[:, [0]]), linear(X[:, [1]])]
    >>> alignment_weights(grams, [1, 1, -1, -1]).round(3)
    array([1., 0.])
    """
    with extra("solvers", "margins.kernels.alignment_weights"):
        from scipy.optimize import nnls  # the only need of scipy here

    grams = _grams(grams)
    y = squarable("y", finite_array("y", y, ndim=1, dtype=np.float64))
    same_length(K=grams[0], y=y)
    labels: Array = y - y.mean()
    grams = [_centred_or_zero(K) for K in grams]
    norms = np.array([np.linalg.norm(K) or 1.0 for K in grams])  # (p,)
    units = [K / norm for K, norm in zip(grams, norms, strict=True)]  # a kernel's size does not matter
    M = np.array([[np.vdot(K, L) for L in units] for K in units])  # (p, p)
    a = np.array([labels @ K @ labels for K in units])  # (p,)
    if not (a > len(y) * np.finfo(np.float64).eps * (labels @ labels)).any():
        raise ValueError("no kernel among grams is positively aligned with y")
    eigenvalues, vectors = np.linalg.eigh(M)
    kept = eigenvalues > len(M) * np.finfo(np.float64).eps * eigenvalues[-1]
    root = np.sqrt(eigenvalues[kept])[:, None] * vectors[:, kept].T  # (r, p), root' root = M
    beta, _ = nnls(root, (vectors[:, kept].T @ a) / np.sqrt(eigenvalues[kept]))
    return beta / norms / (beta / norms).sum()


def _centred_or_zero(K: Array) -> Array:
    """The centred Gram matrix, exactly 0 where K is constant up to rounding."""
    centre = doubly_centred(K)
    rounding = len(K) * np.finfo(K.dtype).eps * np.abs(K).max()
    return centre if np.abs(centre).max() > rounding else np.zeros_like(K)


def _grams(grams: Iterable[ArrayLike] | dict[str, ArrayLike]) -> list[Array]:
    """At least one symmetric matrix, all of one size; by their names, or as a list `grams`."""
    if not isinstance(grams, Iterable):
        raise ValueError(f"grams must be a list of Gram matrices, but got {reprlib.repr(grams)}")
    named = grams if isinstance(grams, dict) else {f"grams[{m}]": K for m, K in enumerate(grams)}
    checked = {name: squarable(name, symmetric_matrix(name, K)) for name, K in named.items()}
    if not checked:
        raise ValueError("grams must hold at least one Gram matrix, but it is empty")
    same_length(**checked)
    return list(checked.values())
