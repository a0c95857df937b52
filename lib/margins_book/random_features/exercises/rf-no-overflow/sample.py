def sample(rng):
    """Tokens of small and of very large norm."""
    size = 10.0 ** rng.uniform(-1, 2.5)
    return *(size * rng.normal(size=(n, 4)) for n in (5, 7)), rng.normal(size=(7, 2)), rng.normal(size=(8, 4))
