"""Exact attention against torch, in time and in memory; leave-one-out bandwidths; keys that can win.

Needs the bench extra (torch, statsmodels). Every row first asserts that both sides agree.
"""

import dataclasses
import json
import subprocess
import sys
import textwrap

import numpy as np

from benchmarks.harness import Row, compare
from margins.attention import loo_errors, softmax_attention, winning_keys

WIDTH = 64
MEMORY_GOAL = 32  # megabytes beyond the arguments, at 32768 tokens


def rows():
    """The rows of the speed table for exact attention, Nadaraya-Watson regression and winning keys."""
    yield _exact(4096, goal=1.5)
    yield _exact(16384, goal=1.5)
    yield _exact(4096, size=8.0)
    yield _memory(32768)
    yield _leave_one_out(1, goal=1 / 120)
    yield _leave_one_out(3)
    yield _winning_keys(1000, 5)


def _exact(n, *, size=1.0, goal=None):
    """Exact attention in single precision; long queries (size 8) take the path with the online maximum."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    Q, K, V = (rng.standard_normal((n, WIDTH), dtype=np.float32) for _ in range(3))
    Q *= size
    q, k, v = (torch.from_numpy(x)[None, None] for x in (Q, K, V))
    truth = softmax_attention(Q[:256].astype(float), K.astype(float), V.astype(float))

    def accuracy(ours, theirs):
        errors = [np.abs(x[:256] - truth).max() for x in (ours, theirs[0, 0].numpy())]
        assert max(errors) < 1e-4 * size, errors
        return f"largest error {errors[0]:.0e} against {errors[1]:.0e}"

    job = f"exact attention n={n} d={WIDTH} float32" + (f", logits x{size:g}" if size != 1 else "")
    return compare(
        job,
        "torch scaled_dot_product_attention",
        lambda: softmax_attention(Q, K, V),
        lambda: scaled_dot_product_attention(q, k, v),
        accuracy=accuracy,
        goal=goal,
    )


MEASURE = """
    import json, sys, time
    from benchmarks import harness
    import numpy as np
    {prepare}
    Q, K, V = (np.random.default_rng(s).standard_normal(({n}, {width}), dtype=np.float32) for s in range(3))

    def resident(kind):
        with open("/proc/self/status") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(kind)) / 1024

    def attend(Q, K, V):
        return {call}

    attend(*(x[:64] for x in (Q, K, V)))
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")  # the high-water mark starts again from here
    before = resident("VmRSS:")
    seconds, answer = harness.cpu_seconds(lambda: attend(Q, K, V))
    print(json.dumps({{"seconds": seconds, "megabytes": resident("VmHWM:") - before}}))
"""
OURS = {"prepare": "from margins.attention import softmax_attention", "call": "softmax_attention(Q, K, V)"}
TORCH = {
    "prepare": "import torch; torch.set_num_threads(1)",
    "call": "torch.nn.functional.scaled_dot_product_attention("
    "*(torch.from_numpy(x)[None, None] for x in (Q, K, V)))",
}


def _memory(n):
    """The resident memory beyond the arguments of exact attention, each side in a fresh process (Linux)."""
    ours, theirs = (_measured(**side, n=n, width=WIDTH) for side in (OURS, TORCH))
    verdict = "met" if ours["megabytes"] <= MEMORY_GOAL else "MISSED"
    memory = f"{ours['megabytes']:.0f} MB against {theirs['megabytes']:.0f} MB beyond the arguments"
    return Row(
        f"exact attention n={n} d={WIDTH} float32, memory",
        "torch scaled_dot_product_attention",
        ours["seconds"],
        theirs["seconds"],
        None,
        f"{memory} (goal {MEMORY_GOAL} MB: {verdict}; the answer takes {n * WIDTH * 4 / 2**20:.0f} MB)",
    )


def _measured(**parts):
    program = textwrap.dedent(MEASURE).format(**parts)
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def _winning_keys(m, d):
    """Which of m normal keys win some query; qhull finds the same vertices, and all facets besides."""
    from scipy.spatial import ConvexHull

    keys = np.random.default_rng(0).normal(size=(m, d))

    def accuracy(ours, theirs):
        assert np.array_equal(np.flatnonzero(ours), np.sort(theirs))
        return f"the same {len(theirs)} vertices"

    return compare(
        f"winning keys, m={m} d={d}",
        "scipy ConvexHull",
        lambda: winning_keys(keys),
        lambda: ConvexHull(keys).vertices,
        accuracy=accuracy,
        repeats=3,
    )


def _leave_one_out(d, goal=None):
    """100 bandwidths on one side; on the other one, whose time is multiplied by 100."""
    from statsmodels.nonparametric.kernel_regression import KernelReg

    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (2000, d))
    y = np.sin(3 * X[:, 0]) + 0.3 * rng.standard_normal(len(X))
    peer = KernelReg(y, X, "c" * d, reg_type="lc", bw=[0.2] * d)
    bandwidths, _ = loo_errors(X, y)
    middle = int(np.argmin(np.abs(bandwidths - 0.2)))  # the peer is slower still at smaller ones
    h = bandwidths[middle]

    def accuracy(ours, theirs):
        difference = abs(ours[1][middle] - theirs)
        assert difference < 1e-10, difference
        return f"errors at the bandwidth {h:.3f} differ by {difference:.0e}"

    row = compare(
        f"leave-one-out, 100 bandwidths, n=2000 d={d}",
        "statsmodels cv_loo, 100 times",
        lambda: loo_errors(X, y),
        lambda: float(np.squeeze(peer.cv_loo(np.full(d, h), peer.est["lc"]))),
        accuracy=accuracy,
        goal=goal,
    )
    return dataclasses.replace(row, peer_seconds=100 * row.peer_seconds)
