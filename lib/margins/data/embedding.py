"""Frozen embeddings: of patches by random Fourier features, of words by hashed n-grams of their letters.

Nothing here is learnt, and everything is made from a seed or a checksum.
(book: Sequences, causality, depth and real data, Real data)
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from margins._types import Array, ArrayLike, Seed
from margins.random_features import fourier_features, projections
from margins.validation import count, finite_array, positive

LENGTHS = (3, 4)  # of n-grams, in letters


def embed_patches(patches: ArrayLike, d: int, *, rng: Seed, reach: float = 1.0) -> Array:
    """Tokens (N, T, d) of length 1: Fourier features of a patch's pixels and of its place in the image.

    Inner products estimate exp(-reach^2 ||difference||^2 / 2); places are those of a square grid of side 2
    (book: Sequences, causality, depth and real data, Digits).

    >>> tokens = embed_patches(np.zeros((1, 4, 4)), 16, rng=0)
    >>> tokens.shape, np.allclose(np.linalg.norm(tokens, axis=-1), 1)
    ((1, 4, 16), True)
    """
    patches = finite_array("patches", patches, ndim=3, dtype=np.float64)
    side = round(patches.shape[1] ** 0.5)
    if side**2 != patches.shape[1]:
        raise ValueError(
            f"patches must be (N, T, pixels) with T a square, but their shape is {patches.shape}"
        )
    if count("d", d) % 2:
        raise ValueError(f"d must be even, a cosine and a sine each, but got {d}")
    grid = np.stack(np.meshgrid(*2 * [np.linspace(-1, 1, side)], indexing="ij"), axis=-1).reshape(-1, 2)
    seen = np.concatenate([patches, np.broadcast_to(grid, (*patches.shape[:2], 2))], axis=-1)
    omega = positive("reach", reach) * projections(d // 2, seen.shape[-1], rng=rng)
    return fourier_features(seen.reshape(-1, seen.shape[-1]), omega).reshape(*patches.shape[:2], -1)


def hashed_ngrams(word: str, d: int) -> Array:
    """The token (d,) of a word: each n-gram of <word> adds +-1 at a place, both from its checksum; length 1.

    (book: Sequences, causality, depth and real data, Words)

    >>> kernel, kernels, margin = (hashed_ngrams(word, 64) for word in ("kernel", "kernels", "margin"))
    >>> bool(kernel @ kernels > kernel @ margin)
    True
    """
    token, marked = np.zeros(count("d", d)), f"<{word}>"
    for n in LENGTHS:
        for start in range(max(1, len(marked) - n + 1)):
            checksum = crc32(marked[start : start + n].encode())
            token[checksum // 2 % d] += 1 - 2 * (checksum % 2)
    norm = np.linalg.norm(token)
    return token / norm if norm else token


def embed_words(texts: Sequence[Sequence[str]], d: int) -> Array:
    """Texts of T words each as tokens (N, T, d) (book: Sequences, causality, depth and real data, Words).

    >>> embed_words([("support", "vector"), ("soft", "margin")], 32).shape
    (2, 2, 32)
    """
    known = {word: hashed_ngrams(word, d) for word in sorted(set().union(*texts))}
    return np.array([[known[word] for word in text] for text in texts])
