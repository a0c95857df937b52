"""Where do runs of descent on W end: at the optimal tokens, at other locally optimal ones, or nowhere yet?

Cross-attention, n = 4, T = 6, dimensions from 2 to 64, 3000 steps of normalised descent with step 0.1 from
the entries a linear layer starts with. A run is "global" if all selected tokens are optimal and "local" if
not; "not converged" if a winning probability is below 1 - 1e-6 or the correlation of W with the SVM of its
tokens is below .99.
(book: Local optima and feasibility, Where runs end)
"""

import numpy as np

from margins.attention_svm import classify_run, train
from margins.experiments.draws import draw_problems, draw_starts
from margins.experiments.report import groups, lines
from margins.experiments.sweep import Sweep

SETTINGS = {"n": 4, "T": 6, "step": 0.1, "iterations": 3000, "block": 50}
SEEDS = 100
KINDS = ("global", "local", "not converged")
KNOWN = {
    2: (22, 15, 63),
    4: (69, 29, 2),
    8: (85, 15, 0),
    16: (97, 3, 0),
    64: (99, 1, 0),
}  # of 100 earlier runs


def sweep(seeds=SEEDS):
    """The sweep over dimensions, `seeds` problems each in blocks."""
    cells = [{"d": d, "seed": first} for d in KNOWN for first in range(0, seeds, SETTINGS["block"])]
    return Sweep("run-classes", measure, cells, SETTINGS)


def measure(settings, *, d, seed):
    """The verdicts on the problems `seed`, ..., `seed` + block - 1."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(settings["n"], settings["T"], d, seeds)
    run = train(
        data,
        draw_starts(data, generators),
        step=settings["step"],
        iterations=settings["iterations"],
        record=1,
    )
    return [
        {
            "d": d,
            "seed": s,
            "kind": verdict.kind,
            "probability": verdict.probability,
            "correlation": verdict.correlation,
            "token_accuracy": verdict.token_accuracy,
        }
        for s, verdict in zip(seeds, classify_run(data, run.W[-1]), strict=True)
    ]


def report(table):
    """The shares of the three ends, with binomial errors, beside 100 earlier runs."""
    rows = []
    for (d,), part in groups(table, "d"):
        texts = [
            _share(part["kind"] == kind, earlier / 100) for kind, earlier in zip(KINDS, KNOWN[d], strict=True)
        ]
        rows.append([d, len(part["seed"]), *texts, f"{part['token_accuracy'].mean():.3f}"])
    return lines(["d", "runs", *KINDS, "share of tokens optimal"], rows)


def _share(hits, known):
    """`share (earlier, z)` with the joint binomial error of both samples."""
    share, count = hits.mean(), len(hits)
    pooled = (hits.sum() + 100 * known) / (count + 100)
    joint = np.sqrt(pooled * (1 - pooled) * (1 / count + 1 / 100))
    z = (share - known) / joint if joint else 0.0
    return f"{share:.2f} ({known:.2f}, z = {z:+.1f})"
