"""The exponential kernel on tokens: what W_Q != W_K does to symmetry and definiteness.

Attention compares x and x' by
kappa(x, x') = exp(scale x'A x), A = W_Q W_K'. On all of R^d that is a positive definite
kernel iff A is symmetric and PSD, so W_Q = W_K suffices, and W_K = 2 W_Q does too.
"""

from __future__ import annotations

import math

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.kernels import asymmetry, exponential, psd_witness, smallest_eigenvalue, symmetric_part
from margins.kernels.diagnostics import is_symmetric, symmetric_matrix
from margins.validation import finite_array, finite_product, positive


@frozen
class TokenVerdict:
    """Whether exp(x'Ax') is a positive definite kernel on R^d, with two tokens that show it is not.

    (book: The softmax kernel, On tokens)

    >>> token_verdict(np.eye(2), -np.eye(2)).positive_definite
    False
    """

    symmetric: bool
    positive_definite: bool
    tokens: Array | None  # (2, d): their 2 x 2 matrix kappa is asymmetric or has a negative determinant


def token_metric(W_Q: ArrayLike, W_K: ArrayLike) -> Array:
    """The matrix A = W_Q W_K', (d, d), through which attention compares two tokens, x'A x'.

    (book: The softmax kernel, On tokens)

    >>> token_metric([[1.0], [2.0]], [[3.0], [4.0]])
    array([[3., 4.],
           [6., 8.]])
    """
    W_Q, W_K = finite_array("W_Q", W_Q, ndim=2), finite_array("W_K", W_K, ndim=2)
    if W_Q.shape != W_K.shape:
        raise ValueError(f"W_Q and W_K must have one shape, but W_Q has {W_Q.shape}, W_K has {W_K.shape}")
    return finite_product("W_Q W_K'", W_Q, W_K.T)


def token_kernel(X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike, *, scale: float | None = None) -> Array:
    """The matrix kappa_ij = exp(scale x_i' W_Q W_K' x_j), (n, n); scale None is 1/sqrt(d_k).

    (book: The softmax kernel, On tokens)

    >>> token_kernel([[0.0], [1.0]], [[1.0]], [[2.0]]).round(3)
    array([[1.   , 1.   ],
           [1.   , 7.389]])
    """
    X, A = finite_array("X", X, ndim=2), token_metric(W_Q, W_K)
    if X.shape[1] != len(A):
        raise ValueError(f"X must have as many columns as W_Q has rows, {len(A)}, but its shape is {X.shape}")
    scale = 1 / math.sqrt(np.shape(W_Q)[1]) if scale is None else positive("scale", scale)
    return exponential(finite_product("X W_Q W_K'", X, A), X, gamma=scale)


def token_verdict(W_Q: ArrayLike, W_K: ArrayLike) -> TokenVerdict:
    """The verdict on exp(x' W_Q W_K' x') as a kernel on all of R^d, proved by two tokens where it fails.

    If u'Au < 0 the tokens u, -u have the determinant e^{2a} - e^{-2a} < 0 with a = u'Au; if A
    is not symmetric, two unit vectors e_i, e_j have kappa_ij != kappa_ji. Conversely A = BB'
    makes kappa the exponential kernel of the features B'x (book: The softmax kernel, On tokens).

    >>> W = np.array([[1.0, 0.0], [2.0, 1.0]])
    >>> token_verdict(W, W).positive_definite, token_verdict(W, np.eye(2)).symmetric
    (True, False)
    """
    A = token_metric(W_Q, W_K)
    if not is_symmetric(A):
        i, j = np.unravel_index(np.argmax(np.abs(A - A.T)), A.shape)
        return TokenVerdict(False, False, np.eye(len(A), dtype=A.dtype)[[i, j]])
    u = psd_witness(symmetric_part(A))
    return TokenVerdict(True, u is None, None if u is None else np.stack([u, -u]))


def token_report(
    X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike, *, scale: float | None = None
) -> tuple[float, float]:
    """The asymmetry of kappa on the tokens X and the smallest eigenvalue of its symmetric part.

    An eigenvalue below zero by more than rounding proves that kappa is no kernel; a positive
    one speaks for these tokens only (book: The softmax kernel, On tokens).

    >>> asymmetric, smallest = token_report(np.eye(2), [[1.0], [0.0]], [[1.0], [1.0]])
    >>> round(asymmetric, 3), round(smallest, 3)
    (1.718, -0.189)
    """
    kappa = token_kernel(X, W_Q, W_K, scale=scale)
    return asymmetry(kappa), smallest_eigenvalue(symmetric_part(kappa))


def attention_of(K: ArrayLike) -> Array:
    """The attention matrix D^-1 K, D = diag(K 1): the rows of a kernel with positive sums, normalised.

    (book: The softmax kernel, The spectrum of tied attention)

    >>> attention_of([[3.0, 1.0], [1.0, 1.0]])
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    K = finite_array("K", K, ndim=2)
    return K / _positive_sums(K)[:, None]


def tied_attention_spectrum(K: ArrayLike) -> Array:
    """The eigenvalues of D^-1 K, largest first: real, in [0, 1] and led by 1 for a PSD K >= 0.

    D^-1 K is similar to the symmetric D^-1/2 K D^-1/2, although it is not symmetric itself
    (book: The softmax kernel, The spectrum of tied attention).

    >>> tied_attention_spectrum([[3.0, 1.0], [1.0, 1.0]]).round(3)
    array([1.  , 0.25])
    """
    K = symmetric_matrix("K", K)
    if K.min() < 0:
        raise ValueError(f"K must have entries >= 0, but its smallest is {K.min():g}")
    root = np.sqrt(_positive_sums(K))
    return np.linalg.eigvalsh(K / root[:, None] / root)[::-1]


def _positive_sums(K):
    """The row sums of K, (n,), all positive and finite."""
    with np.errstate(over="ignore"):
        sums = K.sum(axis=1)
    if not (sums.min() > 0 and sums.max() < np.inf):
        wrong = int(np.argmax(~((sums > 0) & (sums < np.inf))))
        raise ValueError(f"every row of K must have a finite sum > 0, but row {wrong} has {sums[wrong]:g}")
    return sums
