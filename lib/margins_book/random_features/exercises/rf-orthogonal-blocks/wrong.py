import numpy as np


# wrong: a bare QR decomposition
def orthogonal_blocks(G, lengths):
    Q, _ = np.linalg.qr(G)
    return np.swapaxes(Q, 1, 2) * lengths[:, :, None]


# wrong: rows made to length, not orthogonal
def orthogonal_blocks(G, lengths):
    return G / np.linalg.norm(G, axis=2, keepdims=True) * lengths[:, :, None]


# wrong: columns instead of rows get the lengths
def orthogonal_blocks(G, lengths):
    Q, R = np.linalg.qr(G)
    return np.swapaxes(Q * np.sign(np.einsum("nii->ni", R))[:, None], 1, 2) * lengths[:, None, :]


# wrong: the axes themselves with random signs
def orthogonal_blocks(G, lengths):
    signs = np.sign(np.einsum("nii->ni", G))
    return np.eye(G.shape[1]) * (signs * lengths)[:, :, None]


# wrong: one rotation for all blocks
def orthogonal_blocks(G, lengths):
    Q, _ = np.linalg.qr(G[0])
    return Q.T * lengths[:, :, None]
