"""A small sweep of random means, for the tests of what sweeps write and read."""

import numpy as np

from margins_book.experiments import Sweep


def measure(settings, **cell):
    """Three rows with an average each, slow enough for a worker to be stopped while it measures."""
    rng = np.random.default_rng([cell["n"], cell["seed"]])
    return [cell | {"k": k, "mean": float(rng.normal(size=settings["draws"]).mean())} for k in range(3)]


def sweep(seeds=8, draws=1000):
    return Sweep(
        "toy", measure, [{"n": n, "seed": s} for n in (2, 3) for s in range(seeds)], {"draws": draws}
    )


def contents(results):
    """The rows without their order, which depends on who finished first."""
    return sorted(tuple((row | {"seconds": ""}).items()) for row in results.rows)
