def sample(rng):
    """Points of a plane, targets far from zero, a penalty between weak and strong."""
    points = rng.normal(size=(7, 2)) + 3
    return points @ points.T, rng.normal(size=7) + 10 * rng.normal(), 10.0 ** rng.uniform(-2, 2)
