"""How well does the generalised SVM describe descent with a head that wants several tokens?

Head h(x) = sum_p max(0, V_p . x) with a random V (d, d) of norm 1, cross-attention, n = 3, T = 4, normalised
descent with step 0.1 and 2001 steps. Candidates are problems with some label -1. One is accepted if no
probability lies between 1e-6 and 1e-3, some token is suppressed, and the generalised SVM of the mixture found
is feasible; the share that is thrown away belongs to the result. For each: 1 - correlation of W with W^fin +
C W^mm, with W^mm and with the SVM of the most probable tokens. By Pythagoras the first is never larger than
the second, whatever W is; so `across` measures what is not automatic, W without its part along W^fin against
W^mm.
(book: Nonlinear heads, The study of several tokens)
"""

import numpy as np

from margins.attention_svm import (
    correlation,
    frobenius_svm,
    generalised_svm,
    relu_head,
    selected_tokens,
    train,
)
from margins.experiments.draws import draw_problems, draw_starts
from margins.experiments.report import groups, lines, mean_and_error, where
from margins.experiments.sweep import Sweep

EPS = float(np.finfo(float).eps)
SETTINGS = {"n": 3, "T": 4, "step": 0.1, "iterations": 2001, "kept": 1e-3, "suppressed": 1e-6, "block": 100}
CANDIDATES = {4: 2800, 6: 6000, 8: 12500, 10: 27000}  # about 500 accepted each
COLUMNS = ("equivalent", "directional", "single")
# the published figure, and an earlier run: mean, its error, accepted, candidates, median of the first column
PUBLISHED = {
    4: (0.034, 0.071, 0.156),
    6: (0.0165, 0.043, 0.142),
    8: (0.011, 0.015, 0.135),
    10: (0.0056, 0.0087, 0.124),
}
KNOWN = {
    4: (((0.040, 0.003), (0.074, 0.008), (0.159, 0.009)), 400, 1927, 4.8e-3),
    6: (((0.0144, 0.002), (0.039, 0.009), (0.137, 0.009)), 240, 2260, 2.6e-3),
    8: (((0.0105, 0.002), (0.0131, 0.002), (0.150, 0.010)), 178, 3510, 2.4e-3),
    10: (((0.0060, 0.0016), (0.0073, 0.0017), (0.133, 0.010)), 80, 4348, 2.1e-3),
}


def sweep(seeds=None):
    """The sweep over dimensions; `seeds` candidates each, or as many as give about 500 accepted ones."""
    cells = [
        {"d": d, "seed": first}
        for d, count in CANDIDATES.items()
        for first in range(0, count if seeds is None else seeds, SETTINGS["block"])
    ]
    return Sweep("several-tokens", measure, cells, SETTINGS)


def measure(settings, *, d, seed):
    """The rows of the candidates `seed`, ..., `seed` + block - 1."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(settings["n"], settings["T"], d, seeds)
    V = np.stack([rng.normal(size=(d, d)) for rng in generators])  # (B, d, d)
    V /= np.linalg.norm(V, axis=(1, 2), keepdims=True)
    run = train(
        data,
        draw_starts(data, generators),
        head=relu_head(V),
        step=settings["step"],
        iterations=settings["iterations"],
        gradient="textbook",
        guard=EPS,
        record=1,
    )
    masks = {"kept": settings["kept"], "suppressed": settings["suppressed"]}
    selected, clear = selected_tokens(run.weights[-1], **masks)
    return [
        {"d": d, "seed": s} | _verdict(data[b], run.W[-1, b], run.weights[-1, b], selected[b], clear[b])
        for b, s in enumerate(seeds)
    ]


def _verdict(data, W, weights, selected, clear):
    """Why a candidate was thrown away, or how well the SVMs describe it."""
    row = {"verdict": "accepted", "selected": int(selected.sum())} | dict.fromkeys(
        (*COLUMNS, "across"), np.nan
    )
    if (data.Y > 0).all():
        return row | {"verdict": "labels"}
    if not clear:
        return row | {"verdict": "unclear"}
    generalised = generalised_svm(data, selected, weights)
    if generalised.status != "optimal":
        return row | {"verdict": generalised.status}
    M, F = generalised.directional.W, generalised.finite
    single = frobenius_svm(data, weights.argmax(axis=1)).W
    rest = W - F * (np.vdot(F, W) / np.vdot(F, F) if F.any() else 0.0)
    matrices = (generalised.equivalent(generalised.coefficient(W)), M, single)
    values = [float(1 - correlation(W, A)) for A in matrices]
    return row | dict(zip(COLUMNS, values, strict=True)) | {"across": float(1 - correlation(rest, M))}


def report(table):
    """Means, medians and shares of accepted candidates beside the published figure and an earlier run."""
    rows, reasons = [], []
    for (d,), part in groups(table, "d"):
        accepted = where(part, verdict="accepted")
        means, *counts, median = KNOWN[d]
        texts = [_beside(accepted[name], means[k], PUBLISHED[d][k]) for k, name in enumerate(COLUMNS)]
        kept, candidates = len(accepted["d"]), (part["verdict"] != "labels").sum()
        share = f"{kept}/{candidates} = {kept / max(candidates, 1):.3f} ({counts[0] / counts[1]:.3f})"
        medians = [f"{np.median(accepted[name]):.1e}" if kept else "" for name in ("equivalent", "across")]
        rows.append([d, share, *texts, f"{medians[0]} ({median:.1e})", medians[1]])
        reasons.append(f"d = {d}: {_reasons(part['verdict'])}")
    header = [
        "d",
        "accepted",
        "1 - corr. W^fin + C W^mm",
        "1 - corr. W^mm",
        "1 - corr. single tokens",
        "median of the first",
        "median across",
    ]
    return [*lines(header, rows), *reasons]


def _beside(values, known, published):
    mean, error = mean_and_error(values)
    z = (mean - known[0]) / np.hypot(error, known[1])
    return f"{mean:.4f} +- {error:.4f} ({known[0]:g}, z = {z:+.1f}; figure {published:g})"


def _reasons(verdicts):
    names, counts = np.unique(verdicts, return_counts=True)
    return ", ".join(f"{name} {count}" for name, count in zip(names, counts, strict=True))
