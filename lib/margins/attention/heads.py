"""Several heads of self-attention side by side, and what stacking does to the tokens."""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention import inputs
from margins.attention.softmax import attend
from margins.validation import finite_array, finite_product, squarable


def multi_head_attention(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    W_O: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    causal: bool = False,
) -> Array:
    """Multi-head self-attention Concat_h(Attention(X W_Q^h, X W_K^h, X W_V^h)) W_O.

    `X` is (..., n, d), `W_Q` and `W_K` are (H, d, d_k), `W_V` is (H, d, d_v) and `W_O` is (H d_v, d_out);
    `mask` broadcasts to (..., n, n), `causal` lets a token attend to itself and its past, and both hold for
    all heads (book: Attention as Nadaraya-Watson regression, From one head to a layer).

    >>> X, W = np.array([[1.0], [2.0]]), np.ones((2, 1, 1))  # two heads
    >>> multi_head_attention(X, W, W, W, [[1.0], [1.0]], scale=1.0).round(3)
    array([[3.462],
           [3.762]])
    """
    X = inputs.stack_of_rows("X", X)
    inputs.require_rows(X=X)
    W_Q, W_K, W_V = (finite_array(f"W_{n}", W, ndim=3) for n, W in zip("QKV", (W_Q, W_K, W_V), strict=True))
    W_O = finite_array("W_O", W_O, ndim=2)
    _refuse_misfits(X, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O)
    tokens = X[..., None, :, :]  # (..., 1, n, d)
    Q, K, V = (finite_product(f"X W_{n}", tokens, W) for n, W in zip("QKV", (W_Q, W_K, W_V), strict=True))
    scale = inputs.logit_scale(scale, Q, K, names="X W_Q and X W_K")
    inputs.refuse_large_values(V)
    mask = None if mask is None else inputs.mask_view(mask, X, X)[..., None, :, :]
    heads = attend(Q, K, V, scale, inputs.allowed_pairs(mask, causal, Q, K))
    side_by_side = np.moveaxis(heads, -3, -2)  # (..., n, H, d_v)
    side_by_side = side_by_side.reshape(*X.shape[:-1], len(W_O))
    return finite_product("of heads and W_O", side_by_side, W_O)  # (..., n, d_out)


def _refuse_misfits(X, *, W_Q, W_K, W_V, W_O):
    """A refusal with every shape, where the weights do not fit the tokens or one another."""
    heads, width = len(W_Q), X.shape[-1]
    fits = len(W_K) == len(W_V) == heads and all(W.shape[1] == width for W in (W_Q, W_K, W_V))
    if not (fits and W_Q.shape[2] == W_K.shape[2] and len(W_O) == heads * W_V.shape[2]):
        raise ValueError(
            "expected X (..., n, d), W_Q and W_K (H, d, d_k), W_V (H, d, d_v), W_O (H d_v, d_out), but "
            f"got X {X.shape}, W_Q {W_Q.shape}, W_K {W_K.shape}, W_V {W_V.shape}, W_O {W_O.shape}"
        )


def token_spread(X: ArrayLike) -> Array:
    """The relative distance ||X - 1 mean(X)'|| / ||X|| of the tokens (..., n, d) from their mean.

    Attention layers without residual connection drive it to 0: the rank of the output
    collapses to one (book: Attention as Nadaraya-Watson regression, Why layers need residual connections).

    >>> token_spread([[[1.0], [1.0]], [[1.0], [-1.0]]]).round(6)  # two equal tokens, two opposite ones
    array([0., 1.])
    """
    X = squarable("X", inputs.stack_of_rows("X", X))
    inputs.require_rows(X=X)
    size = np.linalg.norm(X, axis=(-2, -1))
    spread = np.linalg.norm(X - X.mean(axis=-2, keepdims=True), axis=(-2, -1))
    return spread / np.where(size == 0, 1, size)
