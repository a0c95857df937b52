def sample(rng):
    """A state of a few old tokens, or of none, and new tokens with positive features."""
    phi_q, phi_k = rng.uniform(0.1, 2, size=(2, 5, 3))
    return rng.choice([0.0, 1.0]) * rng.uniform(0.5, 2, size=(3, 3)), phi_q, phi_k, rng.normal(size=(5, 2))
