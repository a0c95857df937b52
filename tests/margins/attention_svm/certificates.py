"""The evidence for machines of attention, checked by plain loops."""

import numpy as np


def explicit_rows(data, tokens):
    """The constraints as documented, in plain loops: i, then t without the chosen token."""
    pairs = [(i, t) for i in range(len(tokens)) for t in range(data.sizes[1]) if t != tokens[i]]
    return np.array([np.outer(data.X[i, tokens[i]] - data.X[i, t], data.Z[i]) for i, t in pairs])


def nuclear(W):
    return np.linalg.norm(W, "nuc")


def check_optimal(solution, data, tokens, gap=1e-9):
    """Primal feasibility, dual feasibility of a nuclear-norm machine, and the gap between them."""
    rows = explicit_rows(data, tokens)
    S = np.tensordot(solution.multipliers, rows, axes=1)
    assert np.einsum("cij,ij->c", rows, solution.W).min() > 1 - 1e-12
    assert solution.multipliers.min() >= 0
    lower = solution.multipliers.sum() / np.linalg.norm(S, 2)
    assert lower <= nuclear(solution.W) * (1 + 1e-13)
    assert 1 - lower / nuclear(solution.W) < gap
    np.testing.assert_allclose(S / np.linalg.norm(S, 2), solution.subgradient, atol=1e-12)
