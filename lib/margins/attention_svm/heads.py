"""Heads h that read the attention output: linear, increasing, concave, ReLU and other two-layer networks.

Training sees a head through the tokens alone: its output h(x) at x = sum_t s_t x_t and the slopes
x_t . grad h(x), which for a linear head are the values v.x_t. Arrays hold tokens first, problems last.
(book: Nonlinear heads and the generalised SVM)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from margins._records import summary
from margins._types import Array, ArrayLike
from margins.validation import finite_array, positive


class Head(NamedTuple):
    """A head as two functions: what it keeps of the tokens, and its outputs and slopes at given weights."""

    prepare: Callable[..., tuple[Array, ...]]  # X (d, T, n, B), v (d, B) -> arrays, problems last
    respond: Callable[..., tuple[Array, Array]]  # weights (T, n, B), these -> outputs, slopes (T, n, B)
    name: str = "a head of your own"

    def __repr__(self) -> str:
        return self.name


def _values(X, v):
    return (np.einsum("etnb,eb->tnb", X, v),)


def _linear_response(weights, kept):
    (values,) = kept
    return (weights * values).sum(axis=0), values


LINEAR = Head(_values, _linear_response, "LINEAR")


def increasing_head(link: Callable[[Array], Array], slope: Callable[[Array], Array]) -> Head:
    """The head h(x) = g(v.x) with the increasing function g = `link` and its derivative `slope`.

    It keeps the order of scores, so that one token is still selected (book: Nonlinear heads, One token).

    >>> head = increasing_head(np.tanh, lambda s: 1 / np.cosh(s) ** 2)
    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> train(data, head=head, iterations=10).status
    array('moving', dtype='<U10')
    """

    def respond(weights, kept):
        (values,) = kept
        inner = (weights * values).sum(axis=0)  # (n, B)
        return link(inner), slope(inner) * values

    return Head(_values, respond, f"increasing_head({summary(link)}, {summary(slope)})")


def concave_head(curvature: float) -> Head:
    """The head h(x) = v.x - lambda ||x||^2, lambda = `curvature`, best served by several tokens.

    For one sequence of orthonormal tokens the best weights are sparsemax(gamma / 2 lambda)
    (book: Nonlinear heads, A concave square wants the nearest point).

    >>> data = TokenData(X=[np.eye(2)], Z=[[1.0, 0.0]], Y=[1.0], v=[1.0, 1.0])
    >>> train(data, head=concave_head(1.0), iterations=100).weights[-1].round(3)  # a mixture of both
    array([[0.5, 0.5]])
    """
    curvature = positive("curvature", curvature)

    def respond(weights, kept):
        values, X = kept
        x = np.einsum("etnb,tnb->enb", X, weights)
        outputs = (weights * values).sum(axis=0) - curvature * (x * x).sum(axis=0)
        return outputs, values - 2 * curvature * np.einsum("etnb,enb->tnb", X, x)

    return Head(lambda X, v: (*_values(X, v), X), respond, f"concave_head({curvature:g})")


def relu_head(V: ArrayLike) -> Head:
    """The head h(x) = sum_p max(0, V_p . x); V is (p, d) for all problems, or (..., p, d) with one each.

    It is convex, so that it mixes tokens only where the label is -1 (book: Nonlinear heads, The ReLU head).

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> train(data, head=relu_head(np.eye(4)), iterations=10).losses.shape
    (11,)
    """
    V = _checked_units(V)

    def respond(weights, kept):
        (activity,) = kept
        before = np.einsum("tnb,ptnb->pnb", weights, activity)
        active = (before > 0).astype(float)  # (p, n, B)
        return np.einsum("pnb,pnb->nb", active, before), np.einsum("pnb,ptnb->tnb", active, activity)

    return Head(lambda X, v: (_activity(V, X),), respond, f"relu_head({summary(V)})")


def mlp_head(
    V: ArrayLike, outward: ArrayLike, activation: Callable[[Array], Array], *, slope: Callable[[Array], Array]
) -> Head:
    """The head h(x) = sum_p u_p g(V_p . x) with g = `activation`, its derivative `slope`, u = `outward`.

    V is (p, d) and u is (p,) for all problems, or (..., p, d) and (..., p) with one each
    (book: Nonlinear heads, Where the theory stops).

    >>> units, outward = np.eye(4), np.ones(4)
    >>> head = mlp_head(units, outward, np.tanh, slope=lambda s: 1 / np.cosh(s) ** 2)
    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> loss_gradient(data, np.zeros((4, 4)), head=head).shape
    (4, 4)
    """
    V, outward = _checked_units(V), finite_array("outward", outward, dtype=np.float64)
    if outward.shape != V.shape[:-1]:
        raise ValueError(f"outward must be {V.shape[:-1]} beside V of {V.shape}, but it is {outward.shape}")

    def prepare(X, v):
        B = X.shape[-1]
        signs = np.broadcast_to(outward.reshape(-1, V.shape[-2]), (B, V.shape[-2])).T[:, None]  # (p, 1, B)
        return _activity(V, X), signs

    def respond(weights, kept):
        activity, signs = kept
        before = np.einsum("tnb,ptnb->pnb", weights, activity)
        slopes = np.einsum("pnb,ptnb->tnb", signs * slope(before), activity)
        return (signs * activation(before)).sum(axis=0), slopes

    return Head(prepare, respond, f"mlp_head({summary(V)}, {summary(outward)}, {summary(activation)})")


def _activity(V: Array, X: Array) -> Array:
    """The numbers V_p . x_it (p, T, n, B) of tokens X (d, T, n, B)."""
    d, _, _, B = X.shape
    if V.shape[-1] != d or (V.ndim > 2 and V[..., 0, 0].size != B):
        raise ValueError(f"V must be (..., units, {d}), one for each of {B} problems, but it is {V.shape}")
    units = np.broadcast_to(V.reshape(-1, *V.shape[-2:]), (B, *V.shape[-2:]))
    return np.einsum("bpe,etnb->ptnb", units, X, order="C")  # problems last, or training takes twice as long


def _checked_units(V: ArrayLike) -> Array:
    """The rows V_p of one head or of several, as numbers."""
    V = finite_array("V", V, dtype=np.float64)
    if V.ndim < 2:
        raise ValueError(f"V must be (..., units, d), but its shape is {V.shape}")
    return V
