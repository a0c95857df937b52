"""Training of the two sequences in the plane, which several figures show.

(book: Attention converges to an SVM)
"""

from functools import cache

import numpy as np

from margins import attention_svm as att

# steps that are shown
RECORD = [0, 1, 2, 3, 5, 8, 13, 20, 30, 50, 80, 130, 200, 300, 500, 800, 1300, 2000, 3000]


@cache
def trained_on(data: att.TokenData) -> dict[str, att.Trajectory]:
    """Training on W, from zero, and on keys and queries, from a small start."""
    small = 0.1 * np.random.default_rng(0).normal(size=(2, 2, 2))
    starts = {"W": np.zeros((2, 2)), "K and Q": tuple(small)}
    return {form: att.train(data, start, iterations=3000, record=RECORD) for form, start in starts.items()}
