def sample(rng):
    """A few keys, some of them equal, a value each, and a small degree."""
    m = int(rng.integers(1, 4))
    keys = rng.integers(-2, 3, size=m).astype(float) if rng.integers(2) else rng.normal(size=m)
    return keys, rng.normal(size=m), int(rng.integers(0, 7))
