"""How fast does descent on W turn to its SVM, and how fast does it silence the other tokens?

Cross-attention, n = 3, T = 4, d = 6, up to 20,000 steps from W = 0 with the stable gradient: normalised
descent with step .1 and plain descent with step 3. For every recorded number of steps: 1 - the correlation of
W with the Frobenius SVM of the tokens selected in the end, and the smallest logit gap g of a selected token:
the mass of the other tokens is at most (T - 1) e^-g.
(book: Attention converges to an SVM, How fast)
"""

import numpy as np
from numpy.typing import NDArray

from margins.attention_svm import TokenData, Trajectory, correlation, frobenius_svm, token_margins, train
from margins_book.experiments.estimates import Cell, Estimates, Row, Settings, Table, median
from margins_book.experiments.problems import draw_problems
from margins_book.experiments.report import groups, where

RECORD = [1000, 3000, 10000, 20000]
SETTINGS: Settings = {"n": 3, "T": 4, "d": 6, "record": RECORD, "normalised": 0.1, "plain": 3.0, "block": 50}
FORMS = ("normalised", "plain")
RECORDED: Settings = {"digits": 3}
PROBLEMS: list[tuple[Cell, int]] = [({}, 50)]  # sizes, and how many problems


def measure(settings: Settings, *, seed: int) -> list[Row]:
    """The rows of the problems `seed`, ..., `seed` + block - 1 for both forms of descent."""
    seeds = range(seed, seed + settings["block"])
    data, _ = draw_problems(settings["n"], settings["T"], settings["d"], seeds)
    rows = []
    for form in FORMS:
        numbers = {"record": settings["record"], "iterations": settings["record"][-1]}
        run = train(data, step=settings[form], normalised=form == "normalised", **numbers)
        rows += _rows(data, seeds, form, run)
    return rows


def _rows(data: TokenData, seeds: range, form: str, run: Trajectory) -> list[Row]:
    """One row for each problem and recorded number of steps; NaN where no W selects the tokens."""
    solutions = frobenius_svm(data, run.tokens)
    aligned = correlation(run.W, np.array([solution.W for solution in solutions]))  # (R, B)
    return [
        {"seed": s, "form": form, "iteration": int(iteration)}
        | {"distance": float(1 - aligned[k, b])}
        | {"logit gap": float(token_margins(data[b], run.tokens[b], run.W[k, b]).min())}
        | {"gap": solutions[b].gap if solutions[b].feasible else np.nan}
        for b, s in enumerate(seeds)
        for k, iteration in enumerate(run.iterations)
    ]


def estimates(table: Table) -> Estimates:
    """Medians over the problems that an SVM describes, and the exponents of the last tenfold of steps."""
    known = {name: column[np.isfinite(table["distance"])] for name, column in table.items()}
    found = []
    for (form, iteration), part in groups(known, "form", "iteration"):
        values = {name: median(part[name]) for name in ("distance", "logit gap")}
        if iteration == known["iteration"].max():
            values["exponent of distance"] = median(_exponents(known, form, iteration))
        found.append(({"form": form, "iteration": iteration}, values))
    return found


def _exponents(table: Table, form: str, last: int) -> NDArray:
    """The slopes of log(1 - correlation) against log k from a tenth of the steps on, one a problem."""
    firsts = np.unique(table["iteration"])
    first = int(firsts[np.abs(np.log(firsts * 10 / last)).argmin()])
    early, late = (where(table, form=form, iteration=k) for k in (first, last))
    order = [np.argsort(part["seed"], kind="stable") for part in (early, late)]
    distances = early["distance"][order[0]], late["distance"][order[1]]
    return np.log(distances[1] / distances[0]) / np.log(last / first)
