def sample(rng):
    """A query and a key, equal or opposite now and then, and an error."""
    q, k = rng.uniform(-0.9, 0.9, size=(2, 3))  # the numbers stay below 2^31
    return q, [k, q, -q][rng.choice(3, p=[0.6, 0.2, 0.2])], rng.uniform(0.05, 0.5)
