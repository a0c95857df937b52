import numpy as np


def sample(rng):
    """A few tasks with any probabilities, few or many examples, more noise or less."""
    M, n = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    return rng.normal(size=(M, n)), rng.normal(size=M), float(rng.uniform(0.2, 2)), rng.dirichlet(np.ones(M))
