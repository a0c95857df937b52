def sample(rng):
    """Three values."""
    return (10 * rng.normal(size=3),)
