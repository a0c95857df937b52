"""Floating-point operations of attention, by the order of its brackets.

(book: Random features and linear attention, Moving the brackets)
"""

from __future__ import annotations

from margins.validation import count


def attention_flops(n: int, d: int, d_v: int | None = None) -> int:
    """Multiplications and additions of exact attention, (QK')V: 2 n^2 (d + d_v), besides n^2 exponentials.

    (book: Random features and linear attention, What it costs)

    >>> attention_flops(1000, 64)
    256000000
    """
    n, d = count("n", n), count("d", d)
    return 2 * n * n * (d + (d if d_v is None else count("d_v", d_v)))


def linear_attention_flops(n: int, d: int, n_features: int, d_v: int | None = None) -> int:
    """Multiplications and additions of linear attention, phi(Q)(phi(K)'V) with projected features.

    4 n D d for the features of queries and keys, 4 n D (d_v + 1) for the two products with
    values and ones (book: Random features and linear attention, Moving the brackets).

    >>> linear_attention_flops(1000, 64, 128) / attention_flops(1000, 64)
    0.258
    """
    n, d, n_features = count("n", n), count("d", d), count("n_features", n_features)
    return 4 * n * n_features * (d + (d if d_v is None else count("d_v", d_v)) + 1)
