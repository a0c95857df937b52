def sample(rng):
    """One to four layers of two to five tokens; some weights are a little below a thousandth, some above."""
    L, T = int(rng.integers(1, 5)), int(rng.integers(2, 6))
    weights = rng.choice([0.0, 0.0009, 0.0011, 0.1, 0.2], size=(L, T, T))
    weights[..., 0] = 1 - weights[..., 1:].sum(axis=-1)
    return weights, bool(rng.integers(2))
