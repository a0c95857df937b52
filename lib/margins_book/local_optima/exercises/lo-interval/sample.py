def sample(rng):
    """Some hits of some runs, none and all among them, and a level."""
    runs = int(rng.integers(1, 12))
    return int(rng.integers(0, runs + 1)), runs, float(rng.choice([0.5, 0.9, 0.95]))
