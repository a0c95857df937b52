import numpy as np


def sample(rng):
    """Two states, their peaks far apart, near, or equal; now and then of no keys."""
    peaks = rng.choice([1.0, 1000.0]) * np.round(rng.normal(size=2), 1)
    states = [(float(peak), rng.uniform(1, 5), rng.normal(size=2)) for peak in peaks]
    if rng.random() < 0.3:
        states[1] = (states[0][0], *states[1][1:])
    for place in (0, 1):
        if rng.random() < 0.4:
            states[place] = (-np.inf, 0.0, np.zeros(2))
    return tuple(states)
