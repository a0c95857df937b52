"""What chapters 3 and 4 ask of a head: its logits, the keys attended, the prior, definiteness, winners."""

import numpy as np
from numpy.typing import NDArray

from margins.attention import winning_keys
from margins.kernels import symmetric_part
from margins.softmax_kernel import token_metric


def measures(X: NDArray, W_Q: NDArray, W_K: NDArray) -> dict[str, float]:
    """The numbers of one causal head on the rows `X` (texts, n, d) that it sees.

    The scale is divided between queries and keys. Means are over the queries of the second halves of the
    texts, which may ask n / 2 keys and more.
    """
    root = W_Q.shape[1] ** 0.25
    q, k = X @ W_Q / root, X @ W_K / root  # (texts, n, d_k)
    found = [on_one_text(*pair) for pair in zip(q, k, strict=True)]
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]} | of_metric(W_Q, W_K)


def on_one_text(q: NDArray, k: NDArray) -> dict[str, float]:
    """The means over the queries of the second half of one text."""
    n = len(q)
    allowed = np.tri(n, dtype=bool)
    late = slice(n // 2, n)
    logits = np.where(allowed, q @ k.T, -np.inf)
    A, number = softened(logits), allowed.sum(axis=1)
    winners = A.argmax(axis=1)
    centred = k - k.mean(axis=0)
    return {
        "spread": np.mean([logits[i, : i + 1].std() for i in range(n)[late]]),
        "attended": keys_attended(A)[late].mean(),
        "share": (keys_attended(A) / number)[late].mean(),
        "asked": (1 / (A**2).sum(axis=1))[late].mean(),
        "over_nine_tenths": (A.max(axis=1) > 0.9)[late].mean(),
        "previous": np.diag(A, -1)[n // 2 - 1 :].mean(),
        "of_smoothing": apart(A, smoothed(q, k, allowed))[late].mean(),
        "of_smoothing_centred": apart(A, smoothed(q, centred, allowed))[late].mean(),
        "of_prior": apart(A, prior(k, allowed))[late].mean(),
        "of_equal": apart(A, allowed / number[:, None])[late].mean(),
        "nearest": (smoothed(q, k, allowed).argmax(axis=1) == winners)[late].mean(),
        "nearest_centred": (smoothed(q, centred, allowed).argmax(axis=1) == winners)[late].mean(),
        "longest": (prior(k, allowed).argmax(axis=1) == winners)[late].mean(),
        "can_win": winning_keys(k).mean(),
        "win": len(set(winners)) / n,
    }


def softened(logits: NDArray) -> NDArray:
    """The softmax over the last axis; -inf where a key may not be asked."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def keys_attended(A: NDArray) -> NDArray:
    """The effective number of keys, e^H, of each row (book: The softmax kernel, Why the square root)."""
    return np.exp(-np.sum(A * np.log(np.where(A > 0, A, 1)), axis=-1))


def smoothed(q: NDArray, k: NDArray, allowed: NDArray) -> NDArray:
    """The weights of Gaussian smoothing with bandwidth 1."""
    squares = ((q[:, None] - k) ** 2).sum(axis=-1)
    return softened(np.where(allowed, -squares / 2, -np.inf))


def prior(k: NDArray, allowed: NDArray) -> NDArray:
    """The weights that the keys' lengths alone give (book: The softmax kernel, What a long key does)."""
    return softened(np.where(allowed, (k**2).sum(axis=-1) / 2, -np.inf))


def apart(A: NDArray, B: NDArray) -> NDArray:
    """The share of the attention that must be moved to make one row of the other, half of sum |A - B|."""
    return np.abs(A - B).sum(axis=-1) / 2


def of_metric(W_Q: NDArray, W_K: NDArray) -> dict[str, float]:
    """How far M = W_Q W_K' is from a kernel: asymmetry, and the negative share of its symmetric part.

    Both are 0 for a kernel; for matrices that know nothing of each other they are about 1 and 1/2.
    """
    M = token_metric(W_Q, W_K)
    eigenvalues = np.linalg.eigvalsh(symmetric_part(M))
    negative = np.abs(eigenvalues[eigenvalues < 0]).sum() / np.abs(eigenvalues).sum()
    return {
        "asymmetry": float(np.linalg.norm(M - M.T) / np.linalg.norm(M + M.T)),
        "negative": float(negative),
    }
