"""Gaussian support vector machines fitted by `SVMClassifier` and by libsvm in scikit-learn's `SVC`.

Both sides start from the points, so the Gram matrix counts. The accuracy is the largest violation of the
optimality conditions, in units of the margin, of both answers on one float64 Gram matrix; libsvm keeps its
kernel rows in float32 and so cannot come closer than that, whatever its tolerance.

A pair step in Python costs some ten microseconds whatever n is, ten times as much as one in C++ on so few
points: where n = 2000 and steps are many, that decides. The rows that start with "Gram alone" show how much
of libsvm's time the whole Gram matrix would take, which we make only where many steps are to be expected.
The hard margin has no peer that ends, so its peer is the budget; the memory of the last row is what a fresh
process needs at its peak (Linux).
"""

import json
import subprocess
import sys
import textwrap
from functools import partial

import numpy as np
from sklearn.datasets import make_classification, make_moons
from sklearn.svm import SVC

from benchmarks.harness import Row, compare, cpu_seconds
from margins.estimators import SVMClassifier
from margins.kernels import gaussian, linear
from margins.svm import kkt_report


def rows():
    """The rows of the speed table for support vector machines."""
    for data in (moons, classes):
        for n, C in ((2000, 0.1), (2000, 1.0), (5000, 0.1), (5000, 1.0)):
            for dtype, goal in ((np.float32, 0.65 if (n, C) == (2000, 1.0) else 0.5), (np.float64, 0.8)):
                yield _row("easy", data, n, C=C, tol=1e-3, peer_tol=1e-3, goal=goal, dtype=dtype)
        yield _gram_alone(data, 5000)
    for data in (moons, classes):
        for C in (10.0, 100.0):
            yield _row("hard", data, 2000, C=C, tol=1e-3, peer_tol=1e-3, goal=2.0)
    for data in (moons, classes):
        for C in (1.0, 10.0, 100.0):
            goal = 1.15 if (data, C) == (moons, 10.0) else 1.0
            yield _row("exact", data, 2000, C=C, tol=1e-10, peer_tol=1e-8, goal=goal)
    yield _linear(2000, 100.0)
    yield _hard_margin(3000)
    yield _crowd(50_000)


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


def _linear(n, C):
    """A linear machine of overlapping classes at a large C; what was asked is seconds."""
    X, y, _ = classes(n)
    ours, peer = SVMClassifier(C=C), SVC(C=C, kernel="linear", cache_size=500)
    return compare(
        f"linear (asked: 30 ms): classes n={n} d={X.shape[1]} C={C:g} float64, stop 1e-10",
        "SVC, stop 0.001",
        lambda: ours.fit(X, y),
        lambda: peer.fit(X, y),
        accuracy=partial(_violations, linear(X), y),
        repeats=3,
    )


def _hard_margin(n):
    """Noisy labels and a wide kernel: hundreds of support vectors, multipliers in the millions."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 5))
    y = np.sign(X[:, 0] + 0.3 * rng.normal(size=n))
    ours = SVMClassifier(C=np.inf, kernel="gaussian", gamma=0.2, tol=1e-7)
    seconds, _ = cpu_seconds(lambda: ours.fit(X, y))
    report = kkt_report(gaussian(X, gamma=0.2), y, ours.alpha_, ours.intercept_[0])
    gap = f"KKT {report.violation:.0e}, gap {report.gap / report.dual_objective:.0e} of the objective"
    return Row(f"hard margin: n={n} float64, stop 1e-07", "budget", seconds, 8.0, 1.0, gap)


CROWD = """
    import json, time
    from benchmarks.svm import classes
    from {module} import {name}
    X, y, gamma = classes({n})
    X = X.astype("float32")
    machine = {name}({arguments}, C=1.0, gamma=gamma, tol=1e-3)
    start = time.process_time()
    machine.fit(X, y)
    seconds = time.process_time() - start
    with open("/proc/self/status") as lines:  # the peak of getrusage would begin with that of the parent
        megabytes = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024
    print(json.dumps(dict(seconds=seconds, megabytes=megabytes, support=len(machine.support_))))
"""
OURS = {"module": "margins.estimators", "name": "SVMClassifier", "arguments": 'kernel="gaussian"'}
LIBSVM = {"module": "sklearn.svm", "name": "SVC", "arguments": "cache_size=500"}


def _crowd(n):
    """A Gaussian machine of points whose matrix would take gigabytes, each side in a process of its own."""
    ours, theirs = (_measured(**side, n=n) for side in (OURS, LIBSVM))
    verdict = "met" if ours["megabytes"] <= 250 else "MISSED"
    return Row(
        f"crowd: classes n={n} C=1 float32, stop 0.001",
        "SVC, stop 0.001",
        ours["seconds"],
        theirs["seconds"],
        0.3,
        f"{ours['megabytes']:.0f} MB (goal 250: {verdict}) against {theirs['megabytes']:.0f} MB, "
        f"{ours['support']} against {theirs['support']} support vectors",
    )


def _measured(**parts):
    program = textwrap.dedent(CROWD).format(**parts)
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def _violations(K, y, ours, peer):
    """The largest violations of both answers."""
    alpha = np.zeros(len(y))
    alpha[peer.support_] = np.abs(peer.dual_coef_[0])
    answers = (ours.alpha_, ours.intercept_[0]), (alpha, peer.intercept_[0])
    found = [kkt_report(K, y, alpha, b, ours.C).violation for alpha, b in answers]
    return f"KKT {found[0]:.0e} against {found[1]:.0e}"
