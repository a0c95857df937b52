def sample(rng):
    """Contributions of a few projections to the numerator and to the denominator."""
    m = int(rng.integers(2, 9))
    return rng.normal(size=(m, 2)), rng.uniform(0.2, 3, size=m)
