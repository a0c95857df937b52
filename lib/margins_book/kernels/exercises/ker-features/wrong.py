import numpy as np


def features_by(K, least=-1e-9, *, symmetric=True, tiny=1e-9, root=True):
    """Features from the eigenvalues above `tiny`, if none is below `least`, in units of the largest."""
    values, vectors = np.linalg.eigh(K)
    largest = np.abs(values).max()
    if (symmetric and not np.array_equal(K, K.T)) or values[0] < least * largest:
        return None
    kept = values > tiny * largest
    sizes = np.maximum(values[kept], 0)
    return vectors[:, kept] * (np.sqrt(sizes) if root else sizes)


# wrong: Cholesky, which needs full rank
def features(K):
    try:
        return np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        return None


# wrong: negative eigenvalues are dropped in silence
def features(K):
    return features_by(K, least=-9.0)


# wrong: only one triangle of the matrix is read
def features(K):
    return features_by(K, symmetric=False)


# wrong: a fixed threshold, whatever the size of the entries
def features(K):
    values, vectors = np.linalg.eigh(K)
    if np.abs(K - K.T).max() > 1e-9 or values[0] < -1e-9:
        return None
    return vectors[:, values > 1e-5] * np.sqrt(values[values > 1e-5])


# wrong: rounding counts as negative
def features(K):
    return None if np.linalg.eigvalsh(K)[0] < 0 else features_by(K)


# wrong: eigenvalues instead of their roots
def features(K):
    return features_by(K, root=False)


# wrong: a nonnegative table passes for a Gram matrix
def features(K):
    return None if (np.diagonal(K) < 0).any() else features_by(K, least=-9.0)


# wrong: all n columns, zeros included
def features(K):
    return features_by(K, tiny=-1.0)


# wrong: eigenvalues down to -1e-3 pass for rounding
def features(K):
    return features_by(K, least=-1e-3)
