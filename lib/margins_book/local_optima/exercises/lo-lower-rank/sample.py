import numpy as np


def sample(rng):
    """The identity, with some pairs that bound entries off its diagonal, rows and columns turned."""
    d = int(rng.integers(2, 6))
    rows = [*np.eye(d)]
    for _ in range(int(rng.integers(0, 4))):
        i, j = rng.choice(d, size=2, replace=False)
        rows.append(np.eye(d)[i] + rng.choice([-1.0, 1.0]) * np.eye(d)[j])
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return turn, np.array(rows) @ turn.T, np.array(rows)


def essence(answer, W, a, z):
    """Whether the matrix is feasible, as short as W, and of a rank that its pairs allow."""
    answer = np.asarray(answer, dtype=float)
    margins, sizes = ((a @ answer) * z).sum(axis=1), np.linalg.svd(answer, compute_uv=False)
    r, k = (sizes > 1e-5 * sizes[0]).sum(), (margins < 1 + 1e-5).sum()
    short = sizes.sum() < np.linalg.norm(W, "nuc") * (1 + 1e-5)
    return np.array([margins.min() > 1 - 1e-5, short, r * (r + 1) <= 2 * k], dtype=float)
