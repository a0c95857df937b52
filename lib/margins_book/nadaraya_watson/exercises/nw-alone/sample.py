def sample(rng):
    """A largest distance, small or large, and up to four random heads."""
    d, d_k = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    heads = [
        (rng.normal(size=(d, d_k)), rng.normal(size=(d, d_k)), rng.normal(size=(d, d)))
        for _ in range(int(rng.integers(0, 5)))
    ]
    return 10.0 ** rng.uniform(-1, 1), heads
