"""Gaussian support vector machines fitted by `SVMClassifier` and by libsvm in scikit-learn's `SVC`.

Both sides start from the points, so the Gram matrix counts. The accuracy is the largest violation of the
optimality conditions, in units of the margin, of both answers on one float64 Gram matrix; libsvm keeps its
kernel rows in float32 and so cannot come closer than that, whatever its tolerance.

Where a goal is missed the Gram matrix is in the way: we compute all of it, and libsvm only the rows of
support vectors, on the moons every fifth. The rows that start with "Gram alone" show its share. On top of
it we pay for a few hundred pair steps in Python, each some ten times as dear as one in C++ on so few points.
"""

from functools import partial

import numpy as np
from sklearn.datasets import make_classification, make_moons
from sklearn.svm import SVC

from benchmarks.harness import compare
from margins.estimators import SVMClassifier
from margins.kernels import gaussian
from margins.svm import kkt_report


def rows():
    """The rows of the speed table for support vector machines."""
    for data in (moons, classes):
        for n, C in ((2000, 0.1), (2000, 1.0), (5000, 0.1), (5000, 1.0)):
            for dtype, goal in ((np.float32, 0.5), (np.float64, 1.0)):
                yield _row("easy", data, n, C=C, tol=1e-3, peer_tol=1e-3, goal=goal, dtype=dtype)
        yield _gram_alone(data, 5000)
    for data in (moons, classes):
        for C in (10.0, 100.0):
            yield _row("hard", data, 2000, C=C, tol=1e-3, peer_tol=1e-3, goal=2.0)
    for data in (moons, classes):
        for C in (1.0, 10.0, 100.0):
            yield _row("exact", data, 2000, C=C, tol=1e-10, peer_tol=1e-8, goal=1.0)


def moons(n):
    """Two noisy half-moons in the plane: few support vectors, hardly any of them free."""
    X, y = make_moons(n, noise=0.3, random_state=0)
    return X, 2.0 * y - 1, 1.0


def classes(n):
    """Two classes of several clusters in 20 dimensions: many support vectors, most of them free."""
    X, y = make_classification(n, 20, n_informative=10, class_sep=0.8, random_state=0)
    return (X - X.mean(axis=0)) / X.std(axis=0), 2.0 * y - 1, 1 / 20


def _row(kind, data, n, *, C, tol, peer_tol, goal, dtype=np.float64):
    X, y, gamma = data(n)
    X = X.astype(dtype)
    ours = SVMClassifier(C=C, kernel="gaussian", gamma=gamma, tol=tol)
    peer = SVC(C=C, gamma=gamma, tol=peer_tol, cache_size=500)
    return compare(
        f"{kind}: {data.__name__} n={n} C={C:g} {np.dtype(dtype).name}, stop {tol:g}",
        f"SVC, stop {peer_tol:g}",
        lambda: ours.fit(X, y),
        lambda: peer.fit(X, y),
        accuracy=partial(_violations, gaussian(X.astype(np.float64), gamma=gamma), y),
        goal=goal,
        repeats=7,
    )


def _gram_alone(data, n):
    """What part of libsvm's whole time our Gram matrix takes."""
    X, y, gamma = data(n)
    X = X.astype(np.float32)
    peer = SVC(C=1.0, gamma=gamma, cache_size=500)
    return compare(
        f"Gram alone: {data.__name__} n={n} float32",
        "all of SVC, C=1, stop 0.001",
        lambda: gaussian(X, gamma=gamma),
        lambda: peer.fit(X, y),
        accuracy=lambda K, peer: f"{len(peer.support_)} of {n} rows belong to support vectors",
        repeats=7,
    )


def _violations(K, y, ours, peer):
    """The largest violations of both answers."""
    alpha = np.zeros(len(y))
    alpha[peer.support_] = np.abs(peer.dual_coef_[0])
    answers = (ours.alpha_, ours.intercept_), (alpha, peer.intercept_[0])
    found = [kkt_report(K, y, alpha, b, ours.C).violation for alpha, b in answers]
    return f"KKT {found[0]:.0e} against {found[1]:.0e}"
