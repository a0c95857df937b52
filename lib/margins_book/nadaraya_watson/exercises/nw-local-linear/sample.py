def sample(rng):
    """Keys and values on a line, queries among them and a little outside."""
    return (
        rng.uniform(-0.2, 2.2, size=6),
        rng.uniform(0, 2, size=15),
        rng.normal(size=15),
        rng.uniform(0.3, 1),
    )
