def sample(rng):
    """A few scores, some equal, and a number of tokens."""
    T = int(rng.integers(1, 6))
    gamma = rng.normal(size=T) if rng.integers(2) else rng.integers(-2, 3, size=T).astype(float)
    return gamma, int(rng.integers(1, T + 1))
