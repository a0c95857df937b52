"""Random projections: the matrices omega from which random features are computed.

(book: Random features and linear attention, Drawing the projections)
"""

from __future__ import annotations

import numpy as np

from margins._types import Array, Seed
from margins.validation import count, generator


def projections(m: int, d: int, *, rng: Seed, orthogonal: bool = False) -> Array:
    """The matrix omega (m, d) of `m` projections, every row distributed as N(0, I_d).

    `orthogonal` rows are orthogonal within blocks of d; blocks are independent. Row lengths are drawn from
    chi_d, as a Gaussian row's are: with fixed length sqrt(d) the features would be biased. `rng` is a NumPy
    generator or a seed (book: Random features and linear attention, Orthogonal projections).

    >>> omega = projections(3, 3, rng=0, orthogonal=True)
    >>> gram = omega @ omega.T
    >>> np.allclose(gram, np.diag(np.diag(gram)))
    True
    """
    m, d, rng = count("m", m), count("d", d), generator("rng", rng)
    gaussian = rng.standard_normal((m, d))
    if not orthogonal:
        return gaussian
    directions = np.concatenate([_haar(d, rng) for _ in range(-(-m // d))])[:m]
    return directions * np.linalg.norm(gaussian, axis=1, keepdims=True)


def _haar(d, rng):
    """A uniformly distributed orthogonal matrix (d, d).

    A bare QR decomposition is not uniform: its first row of directions would always lie in
    the same half-space. The signs of the diagonal of R repair that.
    """
    Q, R = np.linalg.qr(rng.standard_normal((d, d)))
    return (Q * np.sign(np.diag(R))).T


def cauchy_projections(m: int, d: int, *, rng: Seed) -> Array:
    """The matrix (m, d) of standard Cauchy entries, the spectral measure of exp(-|x - y|_1).

    (book: Random features and linear attention, Bochner's theorem)

    >>> omega = cauchy_projections(4000, 1, rng=0)
    >>> np.cos(omega * 0.5).mean().round(1)  # exp(-0.5)
    np.float64(0.6)
    """
    return generator("rng", rng).standard_cauchy((count("m", m), count("d", d)))
