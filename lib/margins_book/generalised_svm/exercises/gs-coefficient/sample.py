import numpy as np


def sample(rng):
    """Three square matrices; G anywhere, on the line, or opposite to F."""
    F, M, G = rng.normal(size=(3, 2, 2))
    kinds = [G, F + rng.normal() * M, M - F, 2 * F - M]
    return F, M, kinds[rng.integers(4)]


def essence(answer, F, M, G):
    """The coefficient to six digits, NaN as a word."""
    return "none" if np.isnan(answer) else float(f"{answer:.6g}")
