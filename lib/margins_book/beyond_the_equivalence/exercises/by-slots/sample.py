def sample(rng):
    """A prompt, small steps, and up to five layers, none among them."""
    n, d = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    return rng.normal(size=(n, d)), rng.normal(size=n), rng.normal(size=d), 0.1, int(rng.integers(0, 6))
