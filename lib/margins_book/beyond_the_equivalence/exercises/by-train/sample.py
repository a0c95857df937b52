def sample(rng):
    """Many prompts, or fewer than the matrix has entries."""
    B, n, d = int(rng.integers(1, 20)), int(rng.integers(1, 5)), int(rng.integers(1, 4))
    return rng.normal(size=(B, n, d)), rng.normal(size=(B, n)), rng.normal(size=(B, d)), rng.normal(size=B)
