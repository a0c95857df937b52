def sample(rng):
    """One to six tokens, with ties among whole numbers."""
    T = int(rng.integers(1, 7))
    values = rng.normal(size=T) if rng.integers(2) else rng.integers(-2, 3, size=T).astype(float)
    return values, rng.choice([-1.0, 1.0], size=T)
