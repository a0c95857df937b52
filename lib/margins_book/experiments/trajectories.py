"""Where do the paths of descent on W and on (K, Q) point in the plane, of which one draws pictures?

Two sequences with labels +1, d = 2, cross-attention. "clusters": three tokens each, around (-1, 0) and (1, 0)
with deviation .3. "fan": a token at (1, 1/2) or (1, -1/2) and four around (-1, 0) with deviation .5. Then
2000 steps of normalised descent with step .1: W from 0, (K, Q) from Q = 0 and a normal K of deviation .1,
with the ridge of 2.2e-16. `own` is 1 - the correlation with the SVM of the tokens selected in the end, of
least Frobenius norm for W and of least nuclear norm for (K, Q), `other` that with the SVM of the other norm.
(book: Attention converges to an SVM, Descent)
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from margins.attention_svm import TokenData, Trajectory, correlation, frobenius_svm, nuclear_svm, train
from margins_book.experiments.estimates import Estimates, Row, Settings, Table, median, share
from margins_book.experiments.report import groups

EPS = float(np.finfo(float).eps)
SETTINGS: Settings = {"step": 0.1, "iterations": 2000, "start": 0.1, "block": 100}
PICTURES = ("clusters", "fan")
FORMS = ("W", "KQ")
RECORDED: Settings = {"digits": 3}
PROBLEMS = [({"picture": picture}, 100) for picture in PICTURES]


def measure(settings: Settings, *, picture: str, seed: int) -> list[Row]:
    """Where the problems `seed`, ..., `seed` + block - 1 end, in both forms of descent."""
    seeds = range(seed, seed + settings["block"])
    generators = [np.random.default_rng([PICTURES.index(picture), s]) for s in seeds]
    sets = [picture_problem(picture, rng) for rng in generators]
    data = TokenData(*(np.stack([getattr(one, name) for one in sets]) for name in ("X", "Z", "Y", "v")))
    rows = []
    for form in FORMS:
        run = descent(settings, data, form, generators)
        columns = _ends(data, run, form)
        rows += [
            {"picture": picture, "seed": s, "form": form} | {name: c[b] for name, c in columns.items()}
            for b, s in enumerate(seeds)
        ]
    return rows


def picture_problem(picture: str, rng: np.random.Generator) -> TokenData:
    """The token data of one `picture` (book: Attention converges to an SVM, Descent)."""
    v = _unit(rng.normal(size=2))
    if picture == "clusters":
        X = 0.3 * rng.normal(size=(2, 3, 2)) + [[[-1.0, 0.0]], [[1.0, 0.0]]]  # (n, T, d)
    else:
        X = 0.5 * rng.normal(size=(2, 5, 2)) - [1.0, 0.0]
        X[:, 0] = [[1.0, 0.5], [1.0, -0.5]]
    return TokenData(X, _unit(rng.normal(size=(2, 2))), np.ones(2), v)


def descent(
    settings: Settings,
    data: TokenData,
    form: str,
    generators: Sequence[np.random.Generator],
    record: int = 1,
) -> Trajectory:
    """The trajectory of one form of descent from the starts of the pictures."""
    numbers = {"step": settings["step"], "iterations": settings["iterations"], "record": record}
    if form == "W":
        return train(data, np.zeros((2, 2)), **numbers)
    keys = settings["start"] * np.stack([rng.normal(size=(2, 2)) for rng in generators])  # (B, d, d)
    return train(data, (keys, np.zeros_like(keys)), ridge=EPS, guard=EPS, **numbers)


def _ends(data: TokenData, run: Trajectory, form: str) -> dict[str, list]:
    """The columns of the last matrices: how far they are from both SVMs, optimal tokens, gaps."""
    solutions = [frobenius_svm(data, run.tokens), nuclear_svm(data, run.tokens)]
    distances = [1 - correlation(run.W[-1], np.array([one.W for one in kind])) for kind in solutions]
    own, other = distances if form == "W" else distances[::-1]  # (B,) each
    optimal = (run.tokens == data.optimal_tokens).all(axis=1).astype(int)
    gaps = [max(pair[0].gap, pair[1].gap) for pair in zip(*solutions, strict=True)]
    return {"own": own.tolist(), "other": other.tolist(), "optimal": optimal.tolist(), "gap": gaps}


def estimates(table: Table) -> Estimates:
    """Medians of 1 - correlation with either SVM, and the shares of runs with all tokens optimal."""
    found = []
    for (picture, form), part in groups(table, "picture", "form"):
        values = {f"1 - corr. {name}": median(part[name]) for name in ("own", "other")}
        found.append(({"picture": picture, "form": form}, values | {"all optimal": share(part["optimal"])}))
    return found


def _unit(rows: NDArray) -> NDArray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)
