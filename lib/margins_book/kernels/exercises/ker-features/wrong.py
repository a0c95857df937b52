# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


def from_eigenvectors(K, tiny=1e-9, root=True):
    """Features from all eigenvalues above `tiny` times the largest."""
    values, vectors = np.linalg.eigh(K)
    kept = values > tiny * np.abs(values).max()
    return vectors[:, kept] * (np.sqrt(values[kept]) if root else values[kept])


# wrong: Cholesky, which needs full rank
def features(K):
    try:
        return np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        return None


# wrong: negative eigenvalues are dropped in silence
def features(K):
    return from_eigenvectors(K) if np.array_equal(K, K.T) else None


# wrong: only one triangle of the matrix is read
def features(K):
    values = np.linalg.eigvalsh(K)
    return from_eigenvectors(K) if values[0] > -1e-9 * np.abs(values).max() else None


# wrong: a fixed threshold, whatever the size of the entries
def features(K):
    values, vectors = np.linalg.eigh(K)
    if np.abs(K - K.T).max() > 1e-9 or values[0] < -1e-9:
        return None
    return vectors[:, values > 1e-5] * np.sqrt(values[values > 1e-5])


# wrong: rounding counts as negative
def features(K):
    values = np.linalg.eigvalsh(K)
    if not np.array_equal(K, K.T) or values[0] < 0:
        return None
    return from_eigenvectors(K)


# wrong: eigenvalues instead of their roots
def features(K):
    values = np.linalg.eigvalsh(K)
    if not np.array_equal(K, K.T) or values[0] < -1e-9 * np.abs(values).max():
        return None
    return from_eigenvectors(K, root=False)


# wrong: a nonnegative table passes for a Gram matrix
def features(K):
    if not np.array_equal(K, K.T) or (np.diagonal(K) < 0).any():
        return None
    return from_eigenvectors(K)


# wrong: all n columns, zeros included
def features(K):
    values, vectors = np.linalg.eigh(K)
    if not np.array_equal(K, K.T) or values[0] < -1e-9 * np.abs(values).max():
        return None
    return vectors * np.sqrt(np.maximum(values, 0))


# wrong: eigenvalues down to -1e-3 pass for rounding
def features(K):
    values = np.linalg.eigvalsh(K)
    if not np.array_equal(K, K.T) or values[0] < -1e-3 * np.abs(values).max():
        return None
    return from_eigenvectors(K)
