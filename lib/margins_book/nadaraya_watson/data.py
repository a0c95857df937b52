"""Noisy measurements of a curve, which cells of the chapter, its figures and its exercises draw.

(book: Attention as Nadaraya-Watson regression)
"""

import numpy as np
from numpy.typing import NDArray

line = np.linspace(-3, 3, 121)  # places at which curves are drawn and compared


def noisy_sine(m: int, seed: int, noise: float = 0.3) -> tuple[NDArray, NDArray]:
    """`m` keys on [-3, 3] in order, and their values sin(2k) plus noise.

    (book: Attention as Nadaraya-Watson regression)

    >>> keys, values = noisy_sine(20, seed=198)
    >>> keys.shape, bool(keys.min() > -3 and keys.max() < 3)
    ((20,), True)
    """
    rng = np.random.default_rng(seed)
    keys = np.sort(rng.uniform(-3, 3, m))
    return keys, np.sin(2 * keys) + noise * rng.standard_normal(m)
