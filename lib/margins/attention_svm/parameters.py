"""The trained parameters: W, K and Q with W = K Q', the vectors W z or the logits; the rule of descent.

A parametrisation turns itself into logits and takes steps along a gradient given by the logits.
(book: Attention converges to an SVM, Two parametrisations)
"""

from __future__ import annotations

import numpy as np

from margins._types import Array


def logits(X: Array, U: Array) -> Array:
    """The logits x_it . u_i from tokens (d, T, n, B) and the vectors u_i = W z_i (B, d, n)."""
    return np.einsum("etnb,enb->tnb", X, np.ascontiguousarray(U.transpose(1, 2, 0)))


def pulls(X: Array, q: Array) -> Array:
    """The sums g_i = sum_t q_it x_it, (B, d, n): the gradient by W is sum_i g_i z_i'."""
    return np.ascontiguousarray(np.einsum("etnb,tnb->enb", X, q).transpose(2, 0, 1))


class FullMatrix:
    """The parameter W (B, d, d), with the gradient sum_i g_i z_i'."""

    def __init__(self, X: Array, Z: Array, W: Array) -> None:
        self.X, self.Z, self.Zt = X, Z, np.ascontiguousarray(Z.transpose(0, 2, 1))
        self.W = W.copy()

    def logits(self) -> Array:
        return logits(self.X, self.W @ self.Zt)

    def descend(self, q: Array, rule: Descent) -> Array:
        return rule(self.W, pulls(self.X, q) @ self.Z)

    def arrays(self) -> dict[str, Array]:
        return {"W": self.W}


class KeysQueries:
    """The parameters K, Q (B, d, m) with W = K Q'; gradients G Q and G' K, each normalised by itself."""

    def __init__(self, X: Array, Z: Array, K: Array, Q: Array) -> None:
        self.X, self.Z, self.Zt = X, Z, np.ascontiguousarray(Z.transpose(0, 2, 1))
        self.K, self.Q = K.copy(), Q.copy()

    def logits(self) -> Array:
        self._queries = self.Z @ self.Q  # (B, n, m)
        return logits(self.X, self.K @ self._queries.transpose(0, 2, 1))

    def descend(self, q: Array, rule: Descent) -> Array:
        pull = pulls(self.X, q)  # (B, d, n)
        to_queries = self.Zt @ (pull.transpose(0, 2, 1) @ self.K)  # before K moves
        moved_keys = rule(self.K, pull @ self._queries)
        return rule(self.Q, to_queries) | moved_keys

    def arrays(self) -> dict[str, Array]:
        return {"W": self.K @ self.Q.transpose(0, 2, 1), "K": self.K, "Q": self.Q}


class LogitSpace:
    """The parameter W seen through its logits alone: a step along q moves them by C q.

    C holds the products (x_it . x_js)(z_i . z_j); W = W_0 + sum c_it x_it z_i' needs only the coefficients c.
    This is the dual form of training, as the Gram matrix is of the support vector machine
    (book: Attention converges to an SVM, Descent).
    """

    def __init__(self, X: Array, Z: Array, W: Array) -> None:
        d, T, n, B = X.shape
        self.X, self.Z, self.start = X, Z, W
        tokens = X.transpose(3, 1, 2, 0).reshape(B, T * n, d)
        gram = (tokens @ tokens.transpose(0, 2, 1)).reshape(B, T, n, T, n)
        gram *= (Z @ Z.transpose(0, 2, 1))[:, None, :, None, :]
        self.C = gram.reshape(B, T * n, T * n)
        self._logits = logits(X, W @ Z.transpose(0, 2, 1))
        self.coefficients = np.zeros((B, T * n, 1))

    def logits(self) -> Array:
        return self._logits

    def descend(self, q: Array, rule: Descent) -> Array:
        q = np.ascontiguousarray(q.reshape(-1, q.shape[-1]).T)[..., None]  # (B, T n, 1)
        moves = self.C @ q
        norm = np.sqrt(np.maximum(np.einsum("bcu,bcu->b", q, moves), 0.0))
        step = rule.length(norm)[:, None, None]
        self.coefficients -= step * q
        self._logits -= (step * moves)[..., 0].T.reshape(self._logits.shape)
        return norm > 0

    def arrays(self) -> dict[str, Array]:
        _, T, n, B = self.X.shape
        c = self.coefficients[..., 0].T.reshape(T, n, B)
        return {"W": self.start + pulls(self.X, c) @ self.Z}


class QuerySpace:
    """The parameter W seen through the vectors u_i = W z_i: a step along sum_i g_i z_i' moves them by K g.

    K holds the products z_i . z_j; W = W_0 + sum_i c_i z_i' needs only the vectors c_i. Neither W nor a Gram
    matrix of all tokens is formed, which is what takes time where both are large
    (book: Attention converges to an SVM, Descent).
    """

    def __init__(self, X: Array, Z: Array, W: Array) -> None:
        self.tokens = np.ascontiguousarray(X.transpose(3, 2, 1, 0))  # (B, n, T, d)
        self.Z, self.start, self.K = Z, W, Z @ Z.transpose(0, 2, 1)
        self.U = Z @ W.transpose(0, 2, 1)  # (B, n, d)
        self.coefficients = np.zeros_like(self.U)

    def logits(self) -> Array:
        return np.ascontiguousarray((self.tokens @ self.U[..., None])[..., 0].transpose(2, 1, 0))

    def descend(self, q: Array, rule: Descent) -> Array:
        pull = (np.ascontiguousarray(q.transpose(2, 1, 0))[:, :, None] @ self.tokens)[:, :, 0]  # (B, n, d)
        moves = self.K @ pull
        squares = np.vecdot(pull.reshape(len(pull), -1), moves.reshape(len(pull), -1))
        norm = np.sqrt(np.maximum(squares, 0.0))
        step = rule.length(norm)[:, None, None]
        self.coefficients -= np.multiply(step, pull, out=pull)
        self.U -= np.multiply(step, moves, out=moves)
        return norm > 0

    def arrays(self) -> dict[str, Array]:
        return {"W": self.start + self.coefficients.transpose(0, 2, 1) @ self.Z}


class Descent:
    """The rule theta <- theta - eta (G + 2 r theta), or that direction divided by its Frobenius norm.

    A gradient that is exactly zero moves nothing; whatever comes is used up, for large stacks are bound by
    memory (book: Attention converges to an SVM, Descent).
    """

    def __init__(self, step: float, *, normalised: bool, ridge: float = 0.0, guard: float = 0.0) -> None:
        self.step, self.normalised, self.ridge, self.guard = step, normalised, ridge, guard

    def __call__(self, parameter: Array, gradient: Array) -> Array:
        if self.ridge:
            gradient += 2 * self.ridge * parameter
        norm = np.sqrt(np.einsum("bij,bij->b", gradient, gradient))
        gradient *= self.length(norm)[:, None, None]
        parameter -= gradient
        return norm > 0

    def length(self, norm: Array) -> Array:
        """The factors (B,) on gradients of Frobenius norms `norm`."""
        if not self.normalised:
            return np.full_like(norm, self.step)
        return self.step / np.where(norm > 0, norm + self.guard, np.inf)

    @property
    def forgets_scale(self) -> bool:
        """True where a common factor of the gradient cancels."""
        return self.normalised and not self.ridge and not self.guard
