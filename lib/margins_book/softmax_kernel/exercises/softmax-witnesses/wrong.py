# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


def largest_difference(M):
    return np.unravel_index(np.abs(M - M.T).argmax(), M.shape)


# wrong: asks for equal matrices
def two_tokens(W_Q, W_K):
    if np.array_equal(W_Q, W_K):
        return None
    M = W_Q @ W_K.T
    i, j = largest_difference(M)
    if abs(M[i, j] - M[j, i]) > 1e-10 * np.abs(M).max():
        return np.eye(len(M))[[i, j]]
    u = np.linalg.eigh(M)[1][:, 0]
    return np.stack([u, -u])


# wrong: symmetry alone
def two_tokens(W_Q, W_K):
    M = W_Q @ W_K.T
    i, j = largest_difference(M)
    return np.eye(len(M))[[i, j]] if abs(M[i, j] - M[j, i]) > 1e-10 * np.abs(M).max() else None


# wrong: the eigenvalues of the symmetric part alone
def two_tokens(W_Q, W_K):
    M = W_Q @ W_K.T
    values, vectors = np.linalg.eigh(M + M.T)
    u = vectors[:, 0]
    return None if values[0] >= -1e-10 * np.abs(M).max() else np.stack([u, -u])


# wrong: singular matrices are refused
def two_tokens(W_Q, W_K):
    M = W_Q @ W_K.T
    i, j = largest_difference(M)
    if abs(M[i, j] - M[j, i]) > 1e-10 * np.abs(M).max():
        return np.eye(len(M))[[i, j]]
    values, vectors = np.linalg.eigh(M)
    return None if values[0] > 0 else np.stack([vectors[:, 0], -vectors[:, 0]])


# wrong: a threshold that does not know the size of the matrix
def two_tokens(W_Q, W_K):
    M = W_Q @ W_K.T
    i, j = largest_difference(M)
    if abs(M[i, j] - M[j, i]) > 1e-6:
        return np.eye(len(M))[[i, j]]
    values, vectors = np.linalg.eigh((M + M.T) / 2)
    return None if values[0] >= -1e-6 else np.stack([vectors[:, 0], -vectors[:, 0]])


# wrong: the token twice
def two_tokens(W_Q, W_K):
    M = W_Q @ W_K.T
    i, j = largest_difference(M)
    if abs(M[i, j] - M[j, i]) > 1e-10 * np.abs(M).max():
        return np.eye(len(M))[[i, j]]
    values, vectors = np.linalg.eigh((M + M.T) / 2)
    return None if values[0] >= -1e-10 * np.abs(M).max() else np.stack([vectors[:, 0], vectors[:, 0]])


# wrong: the unit vectors of the largest entry
def two_tokens(W_Q, W_K):
    M = W_Q @ W_K.T
    i, j = np.unravel_index(np.abs(M).argmax(), M.shape)
    if not np.allclose(M, M.T, rtol=0, atol=1e-10 * np.abs(M).max()):
        return np.eye(len(M))[[i, j]]
    values, vectors = np.linalg.eigh((M + M.T) / 2)
    return None if values[0] >= -1e-10 * np.abs(M).max() else np.stack([vectors[:, 0], -vectors[:, 0]])


# wrong: the product the other way round
def two_tokens(W_Q, W_K):
    M = W_Q.T @ W_K
    i, j = largest_difference(M)
    if abs(M[i, j] - M[j, i]) > 1e-10 * np.abs(M).max():
        return np.eye(len(M))[[i, j]]
    values, vectors = np.linalg.eigh((M + M.T) / 2)
    return None if values[0] >= -1e-10 * np.abs(M).max() else np.stack([vectors[:, 0], -vectors[:, 0]])
