import numpy as np


def sample(rng):
    """Rows of very different sizes from one sample to the next; for a third of them there is no w."""
    Z = rng.normal(size=(7, 3)) + rng.choice([0.0, 2.5, 4.0]) * np.array([0.6, -0.5, 0.6])
    return (10.0 ** rng.uniform(-9, 3) * Z,)
