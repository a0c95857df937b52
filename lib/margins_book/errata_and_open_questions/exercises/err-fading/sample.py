def sample(rng):
    """Two tokens and a query; one token may be zero."""
    x1, x2, z = rng.normal(size=(3, 3))
    return (x1, 0 * x2, z) if rng.integers(4) == 0 else (x1, x2, z)
