"""Does descent on W end at the Frobenius SVM of the tokens it selects, and on (K, Q) at the nuclear one?

Cross-attention on tokens of the unit sphere, n = 6, T = 8, d = 10; normalised descent with step 0.1 from the
entries a linear layer starts with; five forms of descent on the same problems. For every recorded number of
steps: the correlation of W (or K Q') with both SVMs of the tokens selected in the end, and the mean of the
largest weights. "ridge" adds 2.2e-16 (||K||^2 + ||Q||^2), "textbook" differentiates softmax as books do.
(book: Attention converges to an SVM, A hundred runs of each)
"""

from typing import Any

import numpy as np

from margins.attention_svm import TokenData, Trajectory, correlation, frobenius_svm, nuclear_svm, train
from margins_book.experiments.estimates import Cell, Estimates, Row, Settings, Table, mean, share
from margins_book.experiments.problems import draw_problems, draw_starts
from margins_book.experiments.report import groups

EPS = float(np.finfo(float).eps)
FORMS: dict[str, dict[str, Any]] = {  # the options of `train` by the name of a form of descent
    "W": {},
    "W textbook": {"gradient": "textbook", "guard": EPS},
    "KQ": {},
    "KQ ridge": {"ridge": EPS},
    "KQ textbook": {"gradient": "textbook", "guard": EPS},
}
SETTINGS: Settings = {
    "n": 6,
    "T": 8,
    "d": 10,
    "step": 0.1,
    "record": [100, 200, 400, 1000, 2000],
    "block": 50,
}
PROBLEMS: list[tuple[Cell, int]] = [({}, 100)]  # sizes, and how many problems


def measure(settings: Settings, *, seed: int) -> list[Row]:
    """The rows of the problems `seed`, ..., `seed` + block - 1 for all forms of descent."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(settings["n"], settings["T"], settings["d"], seeds)
    starts = {"W": draw_starts(data, generators), "KQ": draw_starts(data, generators, settings["d"])}
    rows = []
    for form, options in FORMS.items():
        run = train(
            data, starts[form.split()[0]], step=settings["step"], record=settings["record"], **options
        )
        rows += _rows(data, seeds, form, run)
    return rows


def _rows(data: TokenData, seeds: range, form: str, run: Trajectory) -> list[Row]:
    """One row for each problem and recorded number of steps."""
    solutions = [frobenius_svm(data, run.tokens), nuclear_svm(data, run.tokens)]
    frobenius, nuclear = (np.array([solution.W for solution in kind]) for kind in solutions)  # (B, d, d)
    gap = max(solution.gap for kind in solutions for solution in kind)
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
        | {"ceiling": float(ceiling[b]), "optimal": int(optimal[b]), "gap": gap}
        for b, seed in enumerate(seeds)
        for k, iteration in enumerate(run.iterations)
    ]


def estimates(table: Table) -> Estimates:
    """Mean correlations and largest weights; in the end, the share of runs with all tokens optimal."""
    found = []
    for (form, iteration), part in groups(table, "form", "iteration"):
        values = {name: mean(part[name]) for name in ("frobenius", "nuclear", "top")}
        if iteration == table["iteration"].max():
            values |= {"ceiling": mean(part["ceiling"]), "all optimal": share(part["optimal"])}
        found.append(({"form": form, "iteration": iteration}, values))
    return found
