"""How near the values of a head are to those that would make it a kernel principal component analysis."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

DRAWS = 5  # of shuffled and of random values, the means of which are the two baselines


def principal_values(k: NDArray, width: int) -> tuple[NDArray, NDArray]:
    """Values (n, width) with which attention to `k` projects on principal axes, up to lengths; eigenvectors.

    The kernel of two keys is e^<k, k'>, divided by both normalisers h; the values of an axis are the entries
    of its eigenvector, divided by h (book: Errata and open questions, Attention as kernel principal
    components).
    """
    logits = k @ k.T
    log_h = np.logaddexp.reduce(logits, axis=1)  # (n,)
    log_gram = logits - log_h[:, None] - log_h
    gram = centred(centred(np.exp(log_gram - log_gram.max())).T)
    vectors = np.linalg.eigh(gram)[1][:, : -1 - width : -1]  # of the largest eigenvalues
    vectors = vectors * np.where(vectors[0] < 0, -1, 1)
    return np.exp(log_h.min() - log_h)[:, None] * vectors, vectors


def alignments(v: NDArray, u: NDArray) -> dict[str, float]:
    """Three numbers from 0 to 1 for the columns of `v` and `u`, both centred; they are 1 for v = u.

    `cosine` is the mean of the absolute cosines of columns, paired as well as can be; `cka` is the linear
    centred kernel alignment; `overlap` is the mean of the squared cosines between the spans, which no
    invertible mixing of columns changes (book: Errata and open questions, Attention as kernel principal
    components).
    """
    v, u = centred(v), centred(u)
    cosines = np.abs((v / np.linalg.norm(v, axis=0)).T @ (u / np.linalg.norm(u, axis=0)))
    bases = [np.linalg.qr(each)[0] for each in (v, u)]
    sizes = np.linalg.norm(v.T @ v) * np.linalg.norm(u.T @ u)
    return {
        "cosine": float(cosines[linear_sum_assignment(-cosines)].mean()),
        "cka": float(np.linalg.norm(v.T @ u) ** 2 / sizes),
        "overlap": float(np.linalg.norm(bases[0].T @ bases[1]) ** 2 / v.shape[1]),
    }


def of_principal_axes(X: NDArray, W_K: NDArray, W_V: NDArray) -> dict[str, float]:
    """Means over the texts `X` (texts, n, d) of how a head's values are aligned with those of principal axes.

    `shuffled` are the head's values in another order of the letters, `random` values with the same singular
    values and random directions, `linear` the head's own, compared with plain principal components of the
    keys (book: Errata and open questions, Attention as kernel principal components).
    """
    found = []
    for number, x in enumerate(X):
        rng = np.random.default_rng(number)
        found.append(on_one_text(x @ W_K / W_K.shape[1] ** 0.25, x @ W_V, rng))
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}


def on_one_text(k: NDArray, v: NDArray, rng: np.random.Generator) -> dict[str, float]:
    """The alignments of values with those of the principal axes of the keys, and with what they may be."""
    u, _ = principal_values(k, v.shape[1])
    found = alignments(v, u)
    for name, draw in (("shuffled", rng.permutation), ("random", lambda v: of_same_spectrum(v, rng))):
        drawn = [alignments(draw(v), u) for _ in range(DRAWS)]
        found |= {f"{name}_{of}": float(np.mean([one[of] for one in drawn])) for of in drawn[0]}
    linear = np.linalg.svd(centred(k), full_matrices=False)[0]
    return found | {f"linear_{of}": value for of, value in alignments(v, linear).items()}


def of_same_spectrum(v: NDArray, rng: np.random.Generator) -> NDArray:
    """Random values whose centred matrix has the singular values of that of `v`."""
    _, spread, turn = np.linalg.svd(centred(v), full_matrices=False)
    return np.linalg.qr(centred(rng.normal(size=v.shape)))[0] * spread @ turn


def centred(x: NDArray) -> NDArray:
    """The columns with mean 0."""
    return x - x.mean(axis=0)
