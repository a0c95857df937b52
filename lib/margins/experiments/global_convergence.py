"""How does the probability that descent selects all optimal tokens depend on n, T and d?

Cross-attention, 1000 steps of normalised descent with step 0.1, in W and in (K, Q) with the ridge of 2.2e-16,
from the entries a linear layer starts with; 200 problems for every n, T and d. The share of sequences whose
token is optimal is much higher than the share of runs in which all are. The trend with d is tested by the
correlation of d with success (Cochran and Armitage): z above 2 says that it is no accident.
(book: Local optima and feasibility, Global convergence in practice)
"""

import numpy as np

from margins.attention_svm import train
from margins.experiments.draws import cells_in_blocks, draw_problems, draw_starts
from margins.experiments.report import groups, lines, mean_and_error, where
from margins.experiments.sweep import Sweep

SETTINGS = {"step": 0.1, "iterations": 1000, "ridge": float(np.finfo(float).eps), "block": 100}
SEEDS = 200
SHAPES = ((5, 5), (10, 5), (15, 5), (5, 10), (5, 15))
DIMENSIONS = (2, 5, 10, 20, 40)
FORMS = ("W", "KQ")
# an earlier run of 20 problems each
KNOWN = {
    (5, 5, "W"): {2: 0.40, 5: 0.60, 10: 0.75, 20: 0.90},
    (5, 5, "KQ"): {2: 0.45, 5: 0.65, 10: 0.95, 20: 1.0},
    (15, 5, "W"): {2: 0.0, 5: 0.0, 10: 0.30, 20: 0.80},
    (5, 10, "W"): {2: 0.20, 5: 0.40, 10: 0.60},
}


def sweep(seeds=SEEDS):
    """The sweep over shapes and dimensions, `seeds` problems each in blocks."""
    cells = cells_in_blocks(SHAPES, DIMENSIONS, seeds, SETTINGS["block"])
    return Sweep("global-convergence", measure, cells, SETTINGS)


def measure(settings, *, n, T, d, seed):
    """Which tokens the problems `seed`, ..., `seed` + block - 1 select, in both forms of descent."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(n, T, d, seeds)
    starts = {"W": draw_starts(data, generators), "KQ": draw_starts(data, generators, d)}
    rows = []
    for form in FORMS:
        run = train(
            data,
            starts[form],
            step=settings["step"],
            iterations=settings["iterations"],
            ridge=settings["ridge"] if form == "KQ" else 0.0,
            record=1,
        )
        hits = run.tokens == data.optimal_tokens  # (B, n)
        rows += [
            {"n": n, "T": T, "d": d, "seed": s, "form": form}
            | {"all_optimal": int(hit.all()), "token_accuracy": float(hit.mean())}
            for s, hit in zip(seeds, hits, strict=True)
        ]
    return rows


def report(table):
    """Success by dimension for every shape and form, and the test of its trend."""
    rows = []
    for (n, T, form), part in groups(table, "n", "T", "form"):
        known = KNOWN.get((n, T, form), {})
        texts = [_text(where(part, d=d), known.get(d)) for d in DIMENSIONS]
        rows.append([n, T, form, *texts, f"{trend(part['d'], part['all_optimal']):+.1f}"])
    header = ["n", "T", "form", *(f"d = {d}" for d in DIMENSIONS), "trend z"]
    return [*lines(header, rows), "all tokens optimal / share of tokens optimal (20 earlier runs)"]


def trend(levels, successes):
    """The standardised covariance of log levels with success, standard normal if there is no trend.

    (book: Local optima and feasibility, Global convergence in practice)
    """
    x, p = np.log(levels), successes.mean()
    if p in (0.0, 1.0) or len(np.unique(levels)) < 2:
        return 0.0
    return float(((x - x.mean()) * successes).sum() / np.sqrt(p * (1 - p) * ((x - x.mean()) ** 2).sum()))


def _text(part, known):
    text = " / ".join(f"{mean_and_error(part[name])[0]:.2f}" for name in ("all_optimal", "token_accuracy"))
    return text if known is None else f"{text} ({known:.2f})"
