"""Gram matrices of 5000 points against scikit-learn's, single and double precision."""

from functools import partial

import numpy as np
from sklearn.metrics import pairwise

from benchmarks.harness import compare
from margins import kernels


def rows():
    """The rows of the speed table for Gram matrices; only the Gaussian in a reused buffer has a goal."""
    X = np.random.default_rng(0).standard_normal((5000, 20))
    buffer = np.zeros((5000, 5000))  # zeroed, so that its memory is there before the clock runs
    gaussian, peer = partial(kernels.gaussian, gamma=0.05), partial(pairwise.rbf_kernel, gamma=0.05)
    yield _row("RBF Gram n=5000 d=20, reused buffer", partial(gaussian, X, out=buffer), peer, X, goal=0.4)
    yield _row("RBF Gram n=5000 d=20, fresh memory", partial(gaussian, X), peer, X)
    single = X.astype(np.float32)
    narrow = np.zeros((5000, 5000), np.float32)
    yield _row("RBF Gram n=5000 d=20, float32", partial(gaussian, single, out=narrow), peer, single)
    linear = partial(kernels.linear, X, out=buffer)
    yield _row("linear Gram n=5000 d=20, reused buffer", linear, pairwise.linear_kernel, X)
    cubic = partial(kernels.polynomial, X, gamma=0.05, degree=3, coef0=1.0, out=buffer)
    peer = partial(pairwise.polynomial_kernel, gamma=0.05, degree=3, coef0=1.0)
    yield _row("cubic Gram n=5000 d=20, reused buffer", cubic, peer, X)
    laplacian = partial(kernels.laplacian, X, gamma=0.05, out=buffer)
    peer = partial(pairwise.laplacian_kernel, gamma=0.05)
    yield _row("Laplacian Gram n=5000 d=20, reused buffer", laplacian, peer, X)
    cosine = partial(kernels.normalised(kernels.linear), X[:2000])
    yield _row("normalised linear Gram n=2000 d=20", cosine, pairwise.cosine_similarity, X[:2000])


def _row(job, ours, peer, X, goal=None):
    name = f"scikit-learn {getattr(peer, 'func', peer).__name__}"

    def accuracy(K, L):
        return f"largest difference {np.abs(K - L).max():.1e}"

    return compare(job, name, ours, lambda: peer(X), accuracy=accuracy, goal=goal)
