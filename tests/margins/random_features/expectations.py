"""Expectations over normal projections by quadrature, and what each projection estimates alone."""

import itertools

import numpy as np
from numpy.polynomial.hermite_e import hermegauss


def gauss_hermite(d, nodes=60):
    """Points (nodes^d, d) and weights of the expectation over N(0, I_d)."""
    x, w = hermegauss(nodes)
    w = w / w.sum()
    grid = np.array(list(itertools.product(x, repeat=d)))
    return grid, np.prod(list(itertools.product(w, repeat=d)), axis=1)


def one_by_one(phi_x, phi_y, m):
    """The estimates (m,) that each of the m projections makes of k(x, y) alone."""
    return m * (phi_x * phi_y).reshape(-1, m).sum(axis=0)
