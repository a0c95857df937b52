"""Does descent on W end at the Frobenius SVM of the tokens it selects, and on (K, Q) at the nuclear one?

Cross-attention on tokens of the unit sphere, n = 6, T = 8, d = 10; normalised descent with step 0.1 from the
entries a linear layer starts with; five forms of descent on the same problems. For every recorded number of
steps: the correlation of W (or K Q') with both SVMs of the tokens selected in the end, and the mean of the
largest weights. "ridge" adds 2.2e-16 (||K||^2 + ||Q||^2), "textbook" differentiates softmax as books do.
(book: Attention converges to an SVM, Local convergence)
"""

import numpy as np

from margins.attention_svm import correlation, frobenius_svm, nuclear_svm, train
from margins.experiments.draws import draw_problems, draw_starts
from margins.experiments.report import beside, groups, lines, where
from margins.experiments.sweep import Sweep

EPS = float(np.finfo(float).eps)
FORMS = {
    "W": {},
    "W textbook": {"gradient": "textbook", "guard": EPS},
    "KQ": {},
    "KQ ridge": {"ridge": EPS},
    "KQ textbook": {"gradient": "textbook", "guard": EPS},
}
SETTINGS = {"n": 6, "T": 8, "d": 10, "step": 0.1, "record": [100, 200, 400, 1000, 2000], "block": 50}
SEEDS = 100
# an earlier run of 100 seeds: form, iteration -> (column, mean, standard deviation, None where not recorded)
KNOWN = {
    ("W", 100): [("frobenius", 0.743, 0.080), ("nuclear", 0.691, 0.077), ("top", 0.729, 0.065)],
    ("W", 200): [("frobenius", 0.882, 0.072), ("nuclear", 0.796, 0.073), ("top", 0.962, 0.034)],
    ("W", 400): [("frobenius", 0.957, 0.047), ("nuclear", 0.846, 0.057), ("top", 0.9995, None)],
    ("W", 1000): [("frobenius", 0.989, 0.027), ("nuclear", 0.860, 0.048), ("top", 0.999997, None)],
    ("W", 2000): [("nuclear", 0.863, 0.045)],
    ("W textbook", 2000): [("frobenius", 0.9960, 0.0037)],
    ("KQ ridge", 100): [("nuclear", 0.866, None)],
    ("KQ ridge", 200): [("nuclear", 0.947, None)],
    ("KQ ridge", 400): [("nuclear", 0.981, None)],
    ("KQ ridge", 1000): [("nuclear", 0.993, None)],
    ("KQ ridge", 2000): [("nuclear", 0.9964, 0.0026), ("frobenius", 0.848, None)],
    ("KQ", 2000): [("nuclear", 0.974, None)],
    ("KQ textbook", 2000): [("nuclear", 0.825, None)],
}
OPTIMAL = {"W": 0.68, "KQ ridge": 0.74}


def sweep(seeds=SEEDS):
    """The sweep over `seeds` problems in blocks."""
    cells = [{"seed": first} for first in range(0, seeds, SETTINGS["block"])]
    return Sweep("local-convergence", measure, cells, SETTINGS)


def measure(settings, *, seed):
    """The rows of the problems `seed`, ..., `seed` + block - 1 for all forms of descent."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(*(settings[name] for name in ("n", "T", "d")), seeds)
    starts = {"W": draw_starts(data, generators), "KQ": draw_starts(data, generators, settings["d"])}
    rows = []
    for form, options in FORMS.items():
        run = train(
            data, starts[form.split()[0]], step=settings["step"], record=settings["record"], **options
        )
        rows += _rows(data, seeds, form, run)
    return rows


def _rows(data, seeds, form, run):
    """One row for each problem and recorded number of steps."""
    frobenius = np.array([solution.W for solution in frobenius_svm(data, run.tokens)])  # (B, d, d)
    nuclear = np.array([solution.W for solution in nuclear_svm(data, run.tokens)])
    optimal = (run.tokens == data.optimal_tokens).all(axis=1).astype(int)
    columns = {
        "frobenius": correlation(run.W, frobenius),  # (R, B)
        "nuclear": correlation(run.W, nuclear),
        "top": run.weights.max(axis=-1).mean(axis=-1),
    }
    ceiling = correlation(frobenius, nuclear)
    return [
        {"seed": seed, "form": form, "iteration": int(iteration)}
        | {name: float(column[k, b]) for name, column in columns.items()}
        | {"ceiling": float(ceiling[b]), "optimal": int(optimal[b])}
        for b, seed in enumerate(seeds)
        for k, iteration in enumerate(run.iterations)
    ]


def report(table):
    """Mean correlations and their errors, beside those of an earlier run."""
    rows = []
    for (form, iteration), part in groups(table, "form", "iteration"):
        known = {name: rest for name, *rest in KNOWN.get((form, iteration), [])}
        texts = [_beside(part[name], known.get(name)) for name in ("frobenius", "nuclear", "top")]
        rows.append([form, iteration, *texts])
    text = lines(["form", "steps", "corr. Frobenius SVM", "corr. nuclear SVM", "largest weight"], rows)
    last = where(table, iteration=SETTINGS["record"][-1])
    for form, share in OPTIMAL.items():
        part = where(last, form=form)
        text.append(f"{form}: all tokens optimal in {beside(part['optimal'], share)} of the runs")
    ceiling = where(last, form="W")["ceiling"]
    return [*text, f"correlation of the two SVMs with one another: {beside(ceiling, 0.858)}"]


def _beside(values, known):
    if known is None:
        return beside(values, None)
    mean, deviation = known
    return beside(values, mean, (values.std() if deviation is None else deviation) / np.sqrt(100))
