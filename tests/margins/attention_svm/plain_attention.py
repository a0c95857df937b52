"""Attention training written out sequence by sequence, with complex steps for derivatives: an oracle."""

import numpy as np


def exponential(a):
    return np.exp(a - a.real.max())


def logistic(u):
    return np.log(1 + np.exp(-u))


def linear(v):
    return lambda x: v @ x


def plain_loss(data, W, *, head=None, loss=logistic, phi=exponential):
    """The mean of l(Y_i h(X_i' s_i)) over the sequences of one set of data; W may be complex."""
    head = linear(data.v) if head is None else head
    total = 0
    for X, z, y, allowed in zip(data.X, data.Z, data.Y, data.allowed, strict=True):
        tokens = X[allowed]
        masses = phi(tokens @ W @ z)
        total = total + loss(y * head(masses / masses.sum() @ tokens))
    return total / len(data.Y)


def complex_step(function, at):
    """The gradient of a real function that is analytic, without any subtraction."""
    gradient = np.empty(at.shape)
    for index in np.ndindex(at.shape):
        moved = at.astype(complex)
        moved[index] += 1e-30j
        gradient[index] = function(moved).imag / 1e-30
    return gradient


def plain_descent(data, start, *, iterations, step, normalised, ridge=0.0, **choices):
    """The W that descent reaches from W or from a pair (K, Q)."""
    parts = [np.array(part, dtype=float) for part in (start if isinstance(start, tuple) else (start,))]

    def product(parts):
        return parts[0] if len(parts) == 1 else parts[0] @ parts[1].T

    def gradient(parts, index):
        def value(moved):
            changed = [*parts[:index], moved, *parts[index + 1 :]]
            return plain_loss(data, product(changed), **choices) + ridge * (moved * moved).sum()

        slope = complex_step(value, parts[index])
        return slope / np.linalg.norm(slope) if normalised else slope

    for _ in range(iterations):
        slopes = [gradient(parts, index) for index in range(len(parts))]
        parts = [part - step * slope for part, slope in zip(parts, slopes, strict=True)]
    return product(parts)
