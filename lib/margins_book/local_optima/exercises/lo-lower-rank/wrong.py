import numpy as np


def steps_down(W, a, z, *, watch=True, traceless=True, most=50):
    """The algorithm, with what a mistake changes in it."""
    for _ in range(most):
        U, sizes, Vt = np.linalg.svd(W)
        r = int((sizes > 1e-7 * sizes[0]).sum())
        margins = ((a @ W) * z).sum(axis=1)
        touching = margins < 1 + 1e-7
        if r * (r + 1) / 2 <= touching.sum():
            return W
        p, q, (i, j) = a @ U[:, :r], z @ Vt[:r].T, np.triu_indices(r)
        pairs = (p[:, i] * q[:, j] + p[:, j] * q[:, i]) / (1.0 + (i == j))
        equations = np.vstack([pairs[touching], 1.0 * (i == j)]) if traceless else pairs[:1]
        D = np.zeros((r, r))
        D[i, j] = D[j, i] = direction = np.linalg.svd(equations)[2][-1]
        root = np.sqrt(sizes[:r])
        slope = pairs @ direction
        falling = watch & ~touching & (slope < -1e-12)
        steps = [-1 / np.linalg.eigvalsh(D / np.outer(root, root))[0], *((1 - margins) / slope)[falling]]
        W = U[:, :r] @ (np.diag(sizes[:r]) + min(steps) * D) @ Vt[:r]
    return W


# wrong: W as it came
def lower_rank(W, a, z):
    return W


# wrong: the small singular values cut off
def lower_rank(W, a, z):
    U, sizes, Vt = np.linalg.svd(W)
    r = int((np.sqrt(8 * len(a) + 1) - 1) / 2)
    return (U[:, :r] * sizes[:r]) @ Vt[:r]


# wrong: inactive pairs are not watched
def lower_rank(W, a, z):
    return steps_down(W, a, z, watch=False)


# wrong: one step only
def lower_rank(W, a, z):
    return steps_down(W, a, z, most=1)


# wrong: pairs of margin 1 are not kept
def lower_rank(W, a, z):
    return steps_down(W, a, z, traceless=False)


# wrong: the constraints stretched afterwards, and the norm with them
def lower_rank(W, a, z):
    U, sizes, Vt = np.linalg.svd(W)
    low = sizes[0] * np.outer(U[:, 0], Vt[0])
    least = ((a @ low) * z).sum(axis=1).min()
    return low / least if least > 1e-9 else W
