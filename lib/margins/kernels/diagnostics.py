"""Diagnostics of a Gram matrix: is it positive semi-definite, of what rank, and what shows that it is not."""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.validation import finite_array, positive


def symmetric_matrix(name: str, K: ArrayLike) -> Array:
    """`K` as a square matrix that equals its transpose up to rounding."""
    K = square_matrix(name, K)
    if not is_symmetric(K):
        i, j = np.unravel_index(np.argmax(np.abs(K - K.T)), K.shape)
        got = f"{name}[{i}, {j}] is {K[i, j]:g} and {name}[{j}, {i}] is {K[j, i]:g}"
        raise ValueError(f"{name} must be symmetric, but {got}")
    return K


def square_matrix(name: str, K: ArrayLike) -> Array:
    """`K` as a finite square matrix."""
    K = finite_array(name, K, ndim=2)
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"{name} must be square, but its shape is {K.shape}")
    return K


def asymmetry(K: ArrayLike) -> float:
    """The largest |K_ij - K_ji|, zero for a symmetric kernel (book: The softmax kernel, On tokens).

    >>> asymmetry([[1.0, 2.0], [0.5, 1.0]])
    1.5
    """
    K = square_matrix("K", K)
    return float(np.abs(K - K.T).max())


def is_symmetric(K: Array) -> bool:
    """Whether K equals its transpose up to rounding, a thousand times that of its largest entry."""
    return bool(np.abs(K - K.T).max() <= 1e3 * np.finfo(K.dtype).eps * np.abs(K).max())


def symmetric_part(K: ArrayLike) -> Array:
    """The matrix (K + K')/2, which has the same quadratic form u'Ku (book: The softmax kernel, On tokens).

    >>> symmetric_part([[1.0, 2.0], [0.0, 1.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    K = square_matrix("K", K)
    return (K + K.T) / 2


def spectrum(K: ArrayLike) -> Array:
    """The eigenvalues of a symmetric matrix, largest first (book: Kernels, Spectra).

    >>> spectrum([[2.0, 1.0], [1.0, 2.0]]).round(6)
    array([3., 1.])
    """
    return np.linalg.eigvalsh(symmetric_matrix("K", K))[::-1]


def smallest_eigenvalue(K: ArrayLike) -> float:
    """The smallest value of u'Ku over unit vectors u: negative iff K is no Gram matrix.

    (book: Kernels, Which matrices are Gram matrices)

    >>> round(smallest_eigenvalue([[1.0, 2.0], [2.0, 1.0]]), 6)
    -1.0
    """
    return float(spectrum(K)[-1])


def rounding_level(K: Array) -> float:
    """The size n * eps * |lambda|_max below which an eigenvalue of K is indistinguishable from zero."""
    return _rounding_level(spectrum(K))


def numerical_rank(K: ArrayLike, *, tolerance: float | None = None) -> int:
    """The number of eigenvalues larger in modulus than `tolerance` (None: the rounding level).

    (book: Kernels, Spectra)

    >>> numerical_rank(linear([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    2
    """
    eigenvalues = spectrum(K)
    return int((np.abs(eigenvalues) > _tolerance(tolerance, eigenvalues)).sum())


def psd_witness(K: ArrayLike, *, tolerance: float | None = None) -> Array | None:
    """A unit vector u with u'Ku < -tolerance (None: the rounding level), or None where K is PSD.

    It is the eigenvector of the smallest eigenvalue; its quadratic form proves that K is no
    Gram matrix (book: Kernels, Which matrices are Gram matrices).

    >>> K = np.array([[1.0, 2.0], [2.0, 1.0]])
    >>> u = psd_witness(K)
    >>> round(float(u @ K @ u), 6)
    -1.0
    >>> psd_witness(np.eye(2)) is None
    True
    """
    eigenvalues, vectors = np.linalg.eigh(symmetric_matrix("K", K))
    return vectors[:, 0] if eigenvalues[0] < -_tolerance(tolerance, eigenvalues) else None


def _tolerance(tolerance, eigenvalues):
    """The caller's tolerance, or the rounding level of these eigenvalues where None came."""
    if tolerance is None:
        return _rounding_level(eigenvalues)
    return positive("tolerance", tolerance, allow_zero=True)


def _rounding_level(eigenvalues):
    return len(eigenvalues) * float(np.finfo(eigenvalues.dtype).eps) * float(np.abs(eigenvalues).max())


def is_psd(K: ArrayLike, *, tolerance: float | None = None) -> bool:
    """Whether the symmetric matrix K has no eigenvalue below -tolerance (None: the rounding level).

    (book: Kernels, Which matrices are Gram matrices)

    >>> is_psd([[1.0, 0.5], [0.5, 1.0]]), is_psd([[1.0, 2.0], [2.0, 1.0]])
    (True, False)
    """
    return psd_witness(K, tolerance=tolerance) is None


def centred(K: ArrayLike) -> Array:
    """The Gram matrix HKH, H = I - 11'/n, of features moved to mean zero.

    All that an SVM with a bias ever sees: it is PSD for the conditionally positive
    definite kernels too, such as -||x - y|| (book: Kernels, More kernels than PSD ones).

    >>> centred(linear([[0.0], [2.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return doubly_centred(symmetric_matrix("K", K))


def doubly_centred(K: Array) -> Array:
    """The matrix HKH of a symmetric K, without looking at it (book: Kernels, More kernels than PSD ones)."""
    means = K.mean(axis=0)  # (n,)
    return K - means - means[:, None] + means.mean()
