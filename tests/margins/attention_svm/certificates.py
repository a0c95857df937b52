"""The certificate of a nuclear-norm machine, checked by plain loops."""

import numpy as np


def nuclear(W):
    return np.linalg.norm(W, "nuc")


def check_optimal(solution, data, tokens, gap=1e-9):
    """Primal feasibility, dual feasibility and the gap between them, from plain loops."""
    S, lowest, c = np.zeros_like(solution.W), np.inf, 0
    for i, chosen in enumerate(tokens):
        for t in range(data.sizes[1]):
            if t != chosen:
                row = np.outer(data.X[i, chosen] - data.X[i, t], data.Z[i])
                S += solution.multipliers[c] * row
                lowest = min(lowest, np.vdot(row, solution.W))
                c += 1
    assert lowest > 1 - 1e-12
    assert solution.multipliers.min() >= 0
    lower = solution.multipliers.sum() / np.linalg.norm(S, 2)
    assert lower <= nuclear(solution.W) * (1 + 1e-13)
    assert 1 - lower / nuclear(solution.W) < gap
    np.testing.assert_allclose(S / np.linalg.norm(S, 2), solution.subgradient, atol=1e-12)
