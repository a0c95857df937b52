def sample(rng):
    """A few points, separable or not, and few steps, sometimes none."""
    Z = rng.normal(size=(rng.integers(1, 7), 2)) + rng.choice([0.0, 2.0])
    return Z, int(rng.choice([0, 1, 2, 15]))
