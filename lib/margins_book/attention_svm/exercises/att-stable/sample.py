import numpy as np


def sample(rng):
    """Logits that are alike, apart, or very far apart, and scores that differ."""
    size = rng.choice([0.5, 20.0, 1500.0])
    return size * rng.normal(size=5), rng.permutation(5) + rng.uniform(0, 0.5, size=5)


def essence(answer, logits, scores):
    """The pulls in units of the largest, and the logarithm of that: how both share the size is free."""
    q, c = np.asarray(answer[0], dtype=float), float(answer[1])
    largest = np.abs(q).max()
    return [q / largest, c + np.log(largest), bool(1e-6 < largest < 1e6)]
