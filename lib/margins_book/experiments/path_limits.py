"""Where do the regularisation paths of W and of (K, Q) end, and how fast do they get there?

n = 3, T = 4, d = 3, problems whose optimal tokens are feasible; radii R in units of the norm of the SVM, so
that R Gamma is the margin reached. The W path is compared with W^mm/||W^mm||_F, the (K, Q) path with the
nuclear SVM divided by its nuclear norm (`own`) and by its Frobenius norm (`other`), as a poster prints it:
that distance must settle at 1 - ||W||_F/||W||_nuclear.
(book: Attention converges to an SVM, The regularisation path)
"""

import numpy as np
from numpy.typing import NDArray

from margins.attention_svm import AttentionSVM, TokenData, frobenius_svm, nuclear_svm, regularisation_path
from margins_book.experiments.estimates import Cell, Estimate, Estimates, Row, Settings, Table, median
from margins_book.experiments.problems import draw_problems
from margins_book.experiments.report import groups, where

SETTINGS: Settings = {
    "n": 3,
    "T": 4,
    "d": 3,
    "radii": [3, 10, 30, 100, 300, 1000, 3000],
    "starts": 8,
    "block": 5,
}
RECORDED: Settings = {"digits": 3}
PROBLEMS: list[tuple[Cell, int]] = [({}, 40)]  # sizes, and how many problems


def measure(settings: Settings, *, seed: int) -> list[Row]:
    """The rows of the problems `seed`, ..., `seed` + block - 1; without an SVM the distances are NaN."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(settings["n"], settings["T"], settings["d"], seeds)
    rows = []
    for k, s in enumerate(seeds):
        for form, solver in (("W", frobenius_svm), ("KQ", nuclear_svm)):
            solution = solver(data[k], data[k].optimal_tokens)
            rows += [
                {"seed": s, "form": form} | row for row in _rows(settings, data[k], solution, generators[k])
            ]
    return rows


def _rows(settings: Settings, data: TokenData, solution: AttentionSVM, rng: np.random.Generator) -> list[Row]:
    """The distances of one path from both candidates for its limit, a row a radius."""
    multiples = np.array(settings["radii"], dtype=float)
    if not solution.feasible:
        return [
            dict.fromkeys(("own", "other", "predicted", "gap"), np.nan)
            | {"radius": m, "status": "infeasible"}
            for m in multiples
        ]
    size = 1 / solution.margin
    width = settings["d"] if solution.norm == "nuclear" else None
    path = regularisation_path(data, multiples * size, rng=rng, width=width, starts=settings["starts"])
    frobenius = np.linalg.norm(solution.W)
    own, other = (
        np.linalg.norm(path.W / path.radii[:, None, None] - solution.W / norm, axis=(1, 2))
        for norm in (size, frobenius)
    )
    return [
        {
            "own": float(own[r]),
            "other": float(other[r]),
            "predicted": float(1 - frobenius / size),
            "gap": solution.gap,
            "radius": multiples[r],
            "status": str(path.status[r]),
        }
        for r in range(len(multiples))
    ]


def estimates(table: Table) -> Estimates:
    """Medians of the distances and of R times them, and the slopes of the last decade."""
    feasible = np.isfinite(table["own"])
    table = {name: column[feasible] for name, column in table.items()}
    found = []
    for (form, radius), part in groups(table, "form", "radius"):
        values = {"distance": median(part["own"]), "times R Gamma": median(part["own"] * radius)}
        if form == "KQ":
            values["other normalisation"] = median(part["other"])
            values["from its prediction"] = Estimate(float(np.abs(part["other"] - part["predicted"]).max()))
        found.append(({"form": form, "R Gamma": f"{radius:g}"}, values))
    return found + [
        ({"form": form, "R Gamma": "300 to 3000"}, {"slope": median(_slopes(table, form))})
        for form in np.unique(table["form"]).tolist()
    ]


def _slopes(table: Table, form: str) -> NDArray:
    """The slopes of log distance against log R between the radii 300 and 3000, one a problem.

    Where one constraint a sequence is enough, the path reaches its limit exponentially fast.
    """
    near, far = (where(table, form=form, radius=radius) for radius in (300, 3000))
    order = [np.argsort(part["seed"], kind="stable") for part in (near, far)]
    return np.log10(far["own"][order[1]] / near["own"][order[0]])
