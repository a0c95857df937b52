"""Pair steps for many points: those of `margins.svm.smo.pair_steps`, on rows of K that may be made on demand.

(book: SVM duality, Sequential minimal optimisation)

Everything here is in the signed multipliers beta_i = alpha_i y_i, in which the dual reads: maximise
y'beta - 1/2 beta'K beta with sum beta = 0 and low_i <= beta_i <= high_i, where (low, high) is (0, C) for
the label +1 and (-C, 0) for -1. Its gradient is v = y - K beta. The point is optimal iff some b has
v_i <= b where beta_i may still grow and v_i >= b where it may still shrink.
"""

import numpy as np


class PairAscent:
    """The dual over the points of one Gram matrix, climbed pair by pair from a feasible beta.

    The dual gains (v_i - v_j)^2 / d_ij with d_ij = K_ii + K_jj - 2 K_ij by a step. When i is met for the
    first time, j is simply the point with the smallest v_j: most multipliers go to C in one step, and for
    them the d_ij are not worth computing.
    """

    def __init__(self, gram, low, high):
        self.gradients = np.empty((2, len(low)), gram.dtype)  # (2, n)
        self.rows = gram.rows(self.gradients)
        self.low, self.high = low.tolist(), high.tolist()
        self.diagonal = gram.diagonal().tolist()
        self.half_diagonal = gram.diagonal() / 2  # (n,)
        precision = np.finfo(gram.dtype)
        self.rounding = max(8 * float(precision.eps) * max(map(abs, self.diagonal)), float(precision.tiny))
        self.weights = {}  # i -> (d_ij / 2)^(-1/2) for all j, or () when i has only been met

    def start(self, beta, gradient):
        """Begins at the feasible `beta` with its `gradient`."""
        self.beta = beta.tolist()
        # The gradient twice, each copy with the points that cannot move that way masked out.
        self.gradients[0] = np.where(beta < self.high, gradient, -np.inf)
        self.gradients[1] = np.where(beta > self.low, gradient, np.inf)

    def climb(self, tolerance, steps):
        """The number of steps made: `steps`, or fewer if no violating pair exceeds `tolerance` any more."""
        growing, shrinking = self.gradients
        change = np.empty_like(growing)
        for step in range(steps):
            i = int(growing.argmax())
            top = growing.item(i)
            j = self.partner(i, top, change)
            violation = top - shrinking.item(j)
            if violation <= tolerance:
                j = int(shrinking.argmin())
                violation = top - shrinking.item(j)
                if violation <= tolerance:
                    return step
            row = self.rows[i]
            np.subtract(row, self.rows[j], out=change)
            np.multiply(change, self._exchange(i, j, violation, row.item(j)), out=change)
            np.subtract(growing, change, out=growing)
            np.subtract(shrinking, change, out=shrinking)
            self._remask(i, j)
        return steps

    def gradient(self):
        """The gradient v at the current beta (n,)."""
        return np.where(np.isinf(self.gradients[0]), self.gradients[1], self.gradients[0])

    def partner(self, i, top, scratch):
        """The j that gives to beta_i, whose v_i is `top`: first the smallest v_j, later the largest gain.

        Ordering by (v_i - v_j) d_ij^(-1/2) gives the same j as by its square, and with d_ij kept clear
        of zero there is no 0 / 0, which in float32 would win every argmax.
        """
        shrinking = self.gradients[1]
        weights = self.weights.get(i)
        if weights is None:
            self.weights[i] = ()
            return int(shrinking.argmin())
        if len(weights) == 0:
            weights = self.weights[i] = self.partner_weights(i)
        np.subtract(top, shrinking, out=scratch)
        np.multiply(scratch, weights, out=scratch)
        return int(scratch.argmax())

    def partner_weights(self, i):
        """The weights (d_ij / 2)^(-1/2) of every j as a partner for i (n,)."""
        weights = self.half_diagonal - self.rows[i]
        weights += self.half_diagonal[i]
        np.maximum(weights, self.rounding, out=weights)
        np.sqrt(weights, out=weights)
        return np.divide(1, weights, out=weights)

    def _exchange(self, i, j, violation, product):
        """The amount moved from beta_j to beta_i: the optimum of the pair, or as far as its bounds allow.

        `product` is K_ij.
        """
        beta = self.beta
        distance = self.diagonal[i] + self.diagonal[j] - 2 * product
        if distance < -16 * self.rounding:
            what = f"K_ii + K_jj - 2 K_ij = {distance:.3g} for some i and j"
            raise ValueError(f"K must be positive semi-definite, but {what}")
        room_i, room_j = self.high[i] - beta[i], beta[j] - self.low[j]
        amount = min(violation / max(distance, self.rounding), room_i, room_j)
        beta[i] = self.high[i] if amount == room_i else beta[i] + amount
        beta[j] = self.low[j] if amount == room_j else beta[j] - amount
        return amount

    def _remask(self, i, j):
        """Lets i shrink and j grow from now on, and stops those that have met a bound."""
        growing, shrinking = self.gradients
        shrinking[i] = growing.item(i)
        growing[j] = shrinking.item(j)
        if self.beta[i] == self.high[i]:
            growing[i] = -np.inf
        if self.beta[j] == self.low[j]:
            shrinking[j] = np.inf
