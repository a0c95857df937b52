def sample(rng):
    """Logits of any size and place, two of them equal, and a number of keys between one and all."""
    logits = 10.0 ** rng.uniform(-6, 5) * (rng.normal(size=8) + 10 * rng.normal())
    logits[1] = logits[2]
    return logits, rng.uniform(2.2, 7.8)
