import numpy as np


def sample(rng):
    """One to five tokens in one to three dimensions, with gentle or steep logits."""
    T, d = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    size = rng.choice([1.0, 1.0, 1000.0])
    W = size * rng.normal(size=(d, d))
    return rng.normal(size=(T, d)), rng.choice([-1.0, 1.0], size=T), rng.normal(size=d), W


def essence(answer, *arguments):
    """The gradient to nine digits after the point."""
    return (np.round(answer, 9) + 0.0).tolist()
