"""The bias of normalised random-feature attention, and the jackknife that removes its leading term."""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.random_features.linear import quotient, with_ones
from margins.validation import count, finite_array, one_of, summable_squares


def attention_bias_coefficient(q: ArrayLike, K: ArrayLike, v: ArrayLike, kind: str = "positive") -> float:
    """The coefficient c_1 of E[estimate] - attention = c_1/m + O(1/m^2) for m independent projections.

    The estimate is N/M with E N = n_0 = sum_j e^(q.k_j) v_j and E M = m_0 = sum_j e^(q.k_j); c_1 = n_0
    Var(M)/m_0^3 - Cov(N, M)/m_0^2 with the moments of a single projection,

        Cov(f_i, f_j) = e^(q.k_i + q.k_j) (e^s - 1),  s = (q + k_i).(q + k_j),

    for positive features, cosh(s) in place of e^s for hyperbolic ones. Trigonometric features have no such
    coefficient: their ratio need not have a mean. The scale of attention is 1, `q` is (d,), `K` (m, d) and
    `v` (m,) (book: Random features and linear attention, Unbiased numerator, biased attention).

    >>> c = attention_bias_coefficient([0.5], [[1.0], [-1.0]], [0.0, 1.0])
    >>> round(c, 4)  # with m positive features the estimate is off by about c / m
    1.2529
    """
    n0, m0, covariance, v = _moments(q, K, v, kind)
    to_denominator = covariance.sum(axis=1)  # covariances with M
    return float(n0 * to_denominator.sum() / m0**3 - v @ to_denominator / m0**2)


def attention_variance_coefficient(q: ArrayLike, K: ArrayLike, v: ArrayLike, kind: str = "positive") -> float:
    """The coefficient c of Var[estimate] = c/m + O(1/m^2): (v - R)'C(v - R)/m_0^2 with R = n_0/m_0.

    It is that of the mean square error too, because the square of the bias is of order 1/m^2.
    Notation and arguments as for `attention_bias_coefficient`
    (book: Random features and linear attention, The error of an answer).

    >>> round(attention_variance_coefficient([0.5], [[1.0], [-1.0]], [0.0, 1.0]), 4)
    0.3799
    """
    n0, m0, covariance, v = _moments(q, K, v, kind)
    centred = v - n0 / m0
    return float(centred @ covariance @ centred / m0**2)


def _moments(q, K, v, kind):
    """n_0, m_0 and Cov(f_i, f_j) of one projection, all divided by the largest e^(q.k), and v."""
    one_of("kind", kind, ("positive", "hyperbolic"))
    named = ("q", q, 1), ("K", K, 2), ("v", v, 1)
    q, K, v = (summable_squares(n, finite_array(n, x, ndim=d, dtype=np.float64)) for n, x, d in named)
    if K.shape != (len(v), len(q)):
        raise ValueError(
            f"expected q (d,), K (m, d) and v (m,), but they have {q.shape}, {K.shape}, {v.shape}"
        )
    logits = K @ q
    weights = np.exp(logits - logits.max())
    inner = (q + K) @ (q + K).T
    with np.errstate(over="ignore", invalid="ignore"):
        growth = np.expm1(inner) if kind == "positive" else 2 * np.sinh(inner / 2) ** 2  # cosh(s) - 1
        covariance = np.outer(weights, weights) * growth
    if not np.isfinite(covariance).all():
        raise ValueError(
            f"the variance of a projection overflows: |q + k|^2 reaches {inner.max():.3g}; rescale"
        )
    return weights @ v, weights.sum(), covariance, v


def jackknife_attention(phi_q: ArrayLike, phi_k: ArrayLike, V: ArrayLike, n_projections: int) -> Array:
    """Random-feature attention with its 1/m bias removed: m e - (m - 1) mean_r e_(-r).

    e is the estimate from all m = n_projections independent projections, e_(-r) the one
    without projection r, which owns the columns r, r + m, ... of the features. The order of
    the bias falls from 1/m to 1/m^2; orthogonal projections are not independent, so for them
    this is no more than a heuristic. `phi_q` is (n, D), `phi_k` (l, D), `V` (l, d_v)
    (book: Random features and linear attention, Unbiased numerator, biased attention).

    >>> omega = projections(64, 2, rng=0)
    >>> Q, K, V = np.eye(2), np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([[1.0], [0.0]])
    >>> jackknife_attention(softmax_features(Q, omega), softmax_features(K, omega), V, 64).shape
    (2, 1)
    """
    named = ("phi_q", phi_q), ("phi_k", phi_k), ("V", V)
    phi_q, phi_k, V = (finite_array(name, x, ndim=2, dtype=np.float64) for name, x in named)
    m = count("n_projections", n_projections, at_least=2)
    if phi_q.shape[1] != phi_k.shape[1] or phi_q.shape[1] % m or len(phi_k) != len(V):
        raise ValueError(
            f"expected phi_q (n, D), phi_k (l, D), V (l, d_v) with D a multiple of {m}, "
            f"but they have {phi_q.shape}, {phi_k.shape}, {V.shape}"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        sums = phi_k.T @ with_ones(V)  # (D, d_v + 1)
        return np.stack([_jackknife_row(row, sums, m) for row in phi_q])


def _jackknife_row(phi, sums, m):
    """The corrected estimate (d_v,) of one query with features `phi` (D,)."""
    parts = (phi[:, None] * sums).reshape(-1, m, sums.shape[1]).sum(axis=0)  # (m, d_v + 1)
    total = parts.sum(axis=0)
    without_one = quotient(total - parts)  # (m, d_v)
    return m * quotient(total[None])[0] - (m - 1) * without_one.mean(axis=0)
