"""What many tests share: random arguments, expectations over them, a linear program, the memory of a call."""

import itertools
import tracemalloc

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.optimize import linprog


def normal(*shape, seed=0, dtype=np.float64):
    """An array of standard normal numbers."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def separable(rows):
    """Whether a linear program finds w with A w >= 1."""
    m, dimension = rows.shape
    return linprog(np.zeros(dimension), A_ub=-rows, b_ub=-np.ones(m), bounds=(None, None)).status == 0


def with_peak(call):
    """What a call gives, and how much memory it takes at most beyond what is in use."""
    tracemalloc.start()
    given = call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return given, peak


def gauss_hermite(d, nodes=60):
    """Points (nodes^d, d) and weights of the expectation over N(0, I_d)."""
    x, w = hermegauss(nodes)
    w = w / w.sum()
    grid = np.array(list(itertools.product(x, repeat=d)))
    return grid, np.prod(list(itertools.product(w, repeat=d)), axis=1)


def one_by_one(phi_x, phi_y, m):
    """The estimates (m,) that each of the m projections makes of k(x, y) alone."""
    return m * (phi_x * phi_y).reshape(-1, m).sum(axis=0)
