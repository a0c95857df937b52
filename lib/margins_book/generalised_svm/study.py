"""Candidates of the published study of several tokens: random problems, trained as in the authors' code.

(book: Nonlinear heads and the generalised SVM, The study of several tokens)
"""

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

from margins import attention_svm as engine


def silenceable(X: NDArray, V: NDArray) -> NDArray:
    """Which sequences (B, n) of tokens X (B, n, T, d) have a mixture that silences the units V (B, J, d).

    A mixture s silences the units if <V_j, X's> <= 0 for all of them.
    (book: Nonlinear heads and the generalised SVM, Silence)
    """
    return np.array(
        [[engine.is_silenced(x, units) for x in sequences] for sequences, units in zip(X, V, strict=True)]
    )


def candidates(
    d: int, count: int, steps: int = 2001, seed: int = 0
) -> tuple[engine.TokenData, NDArray, NDArray, NDArray]:
    """Problems with some label -1 among `count` random ones, and how training ends.

    The data, the units V (B, d, d), the weights (B, 3, 4) and the matrices W (B, d, d) after `steps` steps of
    normalised descent with the head sum_j max(0, <V_j, x>).
    (book: Nonlinear heads and the generalised SVM, What the study leaves out)
    """
    rng = np.random.default_rng([d, seed])
    data = engine.random_token_data(3, 4, d, rng=rng, batch=count)
    V, start = rng.normal(size=(count, d, d)), engine.random_start(data, rng=rng)
    some = (data.Y < 0).any(axis=1)
    V /= norm(V, axis=(1, 2), keepdims=True)
    run = engine.train(
        data[some], start[some], head=engine.relu_head(V[some]), iterations=steps,
        gradient="textbook", guard=2.2e-16, record=1,
    )  # fmt: skip
    return data[some], V[some], run.weights[-1], run.W[-1]


def with_silence(found: tuple[engine.TokenData, NDArray, NDArray, NDArray]) -> dict[str, NDArray]:
    """Of `candidates`: which runs are accepted, by silence, and what is true of these and their mixtures.

    Each part is an array of truth values, a value for each run or mixture that it speaks of.
    (book: Nonlinear heads and the generalised SVM, What the study leaves out)
    """
    data, V, s, _ = found
    selected, clear = engine.selected_tokens(s)
    can = silenceable(data.X, V)  # (B, 3)
    quiet = np.all(can | (data.Y > 0), axis=1)  # every label -1 can be silenced
    heard = np.maximum(np.einsum("bpd,bntd,bnt->bnp", V, data.X, s), 0).sum(axis=2)
    mixed = clear[:, None] & (selected.sum(axis=2) > 1)  # (B, 3)
    return {
        "accepted, with silence": clear[quiet],
        "accepted, without": clear[~quiet],
        "accepted runs in which all labels -1 have silence": quiet[clear],
        "mixtures in accepted runs with label -1": data.Y[mixed] < 0,
        "mixtures at which the head is exactly 0": heard[mixed] == 0,
        "other mixtures just outside of silence": (can & (data.Y < 0) & (heard < 0.02))[mixed & (heard > 0)],
    }
