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
from numpy.typing import NDArray

from margins import attention_svm as att
from margins_book.experiments.estimates import Estimates, Row, Settings, Table, mean, median, share
from margins_book.experiments.problems import draw_problems, draw_starts
from margins_book.experiments.report import groups

EPS = float(np.finfo(float).eps)
SETTINGS: Settings = {
    "n": 3,
    "T": 4,
    "step": 0.1,
    "iterations": 2001,
    "kept": 1e-3,
    "suppressed": 1e-6,
    "block": 500,
}
CANDIDATES = {4: 3000, 6: 5500, 8: 11500, 10: 27000}  # about 500 accepted each, as published
PROBLEMS = [({"d": d}, count) for d, count in CANDIDATES.items()]
COLUMNS = ("equivalent", "directional", "single", "across")
RECORDED: Settings = {"in_order": False, "digits": 3}  # how `recorded.packed` writes them


def measure(settings: Settings, *, d: int, seed: int) -> list[Row]:
    """The rows of the candidates `seed`, ..., `seed` + block - 1."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(settings["n"], settings["T"], d, seeds)
    V = np.stack([rng.normal(size=(d, d)) for rng in generators])  # (B, d, d)
    V /= np.linalg.norm(V, axis=(1, 2), keepdims=True)
    rows = {s: _row("labels") for s in seeds}
    mixed = np.flatnonzero((data.Y < 0).any(axis=1))  # the others need no training
    if len(mixed):
        judged = _judged(settings, data[mixed], draw_starts(data, generators)[mixed], V[mixed])
        rows |= {seeds[b]: row for b, row in zip(mixed.tolist(), judged, strict=True)}
    return [{"d": d, "seed": s} | row for s, row in rows.items()]


def _judged(settings: Settings, data: att.TokenData, starts: NDArray, V: NDArray) -> list[Row]:
    """What becomes of candidates with some label -1, one row each."""
    run = att.train(
        data,
        starts,
        head=att.relu_head(V),
        step=settings["step"],
        iterations=settings["iterations"],
        gradient="textbook",
        guard=EPS,
        record=1,
    )
    masks = {"kept": settings["kept"], "suppressed": settings["suppressed"]}
    selected, clear = att.selected_tokens(run.weights[-1], **masks)
    return [
        _verdict(data[b], run.W[-1, b], run.weights[-1, b], selected[b]) if clear[b] else _row("unclear")
        for b in range(len(V))
    ]


def _verdict(data: att.TokenData, W: NDArray, weights: NDArray, selected: NDArray) -> Row:
    """Why a clear candidate was thrown away, or how well the SVMs describe it."""
    generalised = att.generalised_svm(data, selected, weights)
    if generalised.status != "optimal":
        return _row(generalised.status)
    M, F = generalised.directional.W, generalised.finite
    single = att.frobenius_svm(data, weights.argmax(axis=1))
    rest = W - F * (np.vdot(F, W) / np.vdot(F, F) if F.any() else 0.0)
    matrices = (generalised.equivalent(generalised.coefficient(W)), M, single.W)
    values = [float(1 - att.correlation(W, A)) for A in matrices]
    values += [float(1 - att.correlation(rest, M)), max(generalised.directional.gap, single.gap)]
    return _row("accepted", int(selected.sum()), values)


def _row(verdict: str, selected: int = 0, values: list[float] | None = None) -> Row:
    """The columns of a candidate: NaN where it was thrown away."""
    names = (*COLUMNS, "gap")
    measured = [np.nan] * len(names) if values is None else values
    return {"verdict": verdict, "selected": selected} | dict(zip(names, measured, strict=True))


def estimates(table: Table) -> Estimates:
    """The share accepted of candidates with some label -1; means and medians of their 1 - correlation."""
    found = []
    for (d,), part in groups(table, "d"):
        accepted = part["verdict"] == "accepted"
        candidates = part["verdict"] != "labels"
        values = {"accepted": share(accepted[candidates])}
        for name in COLUMNS:
            values[f"mean {name}"] = mean(part[name][accepted])
            values[f"median {name}"] = median(part[name][accepted])
        found.append(({"d": d}, values))
    return found
