"""Sequential minimal optimisation: climbing the dual two multipliers at a time.

(book: SVM duality, Sequential minimal optimisation)

Everything here is in the signed multipliers beta_i = alpha_i y_i, in which the dual reads: maximise
y'beta - 1/2 beta'K beta with sum beta = 0 and low_i <= beta_i <= high_i, where (low, high) is (0, C) for
the label +1 and (-C, 0) for -1. Its gradient is v = y - K beta. The point is optimal iff some b has
v_i <= b where beta_i may still grow and v_i >= b where it may still shrink.
"""

import numpy as np


class PairAscent:
    """The dual over the points of one Gram matrix, climbed pair by pair from a feasible beta.

    Each step takes the i that may grow with the largest v_i, and the j that may shrink for which the
    pair promises most, (v_i - v_j)^2 / d_ij with d_ij = K_ii + K_jj - 2 K_ij, and moves both to their
    joint optimum.
    """

    def __init__(self, K, beta, gradient, low, high):
        self.rows = list(K)  # n views of (n,): a list is quicker to index than an array
        self.beta, self.low, self.high = beta.tolist(), low.tolist(), high.tolist()
        # The gradient twice, each copy with the points that cannot move that way masked out.
        self.gradients = np.empty((2, len(K)), K.dtype)  # (2, n)
        self.gradients[0] = np.where(beta < high, gradient, -np.inf)
        self.gradients[1] = np.where(beta > low, gradient, np.inf)
        self.diagonal = np.ascontiguousarray(np.diagonal(K))  # (n,)
        precision = np.finfo(K.dtype)
        self.rounding = float(max(4 * precision.eps * np.abs(self.diagonal).max(), precision.tiny))
        self.preferences = {}  # i -> d_ij^(-1/2) for all j

    def climb(self, tolerance, steps):
        """The number of steps made: `steps`, or fewer if no violating pair exceeds `tolerance` any more."""
        growing, shrinking = self.gradients
        gain, change = np.empty_like(growing), np.empty_like(growing)
        for step in range(steps):
            i = int(growing.argmax())
            top = growing.item(i)
            np.subtract(top, shrinking, out=gain)
            # argmax of (v_i - v_j) d_ij^(-1/2): the same j as for its square, without -inf * 0 or 0 / 0
            np.multiply(gain, self._preference(i), out=gain)
            j = int(gain.argmax())
            violation = top - shrinking.item(j)
            if violation <= tolerance:
                j = int(shrinking.argmin())
                violation = top - shrinking.item(j)
                if violation <= tolerance:
                    return step
            np.subtract(self.rows[i], self.rows[j], out=change)
            np.multiply(change, self._exchange(i, j, violation), out=change)
            np.subtract(self.gradients, change, out=self.gradients)
            self._remask(i, j)
        return steps

    def gradient(self):
        """The gradient v at the current beta (n,)."""
        return np.where(np.isinf(self.gradients[0]), self.gradients[1], self.gradients[0])

    def _preference(self, i):
        """The weights d_ij^(-1/2) of every j as a partner for i, with d_ij kept clear of zero (n,)."""
        if i not in self.preferences:
            distances = self.diagonal + self.diagonal[i] - 2 * self.rows[i]
            closest = distances.min()
            if closest < -16 * self.rounding:
                refuse_indefinite(closest, i, int(distances.argmin()))
            np.maximum(distances, self.rounding, out=distances)
            self.preferences[i] = 1 / np.sqrt(distances)
        return self.preferences[i]

    def _exchange(self, i, j, violation):
        """The amount moved from beta_j to beta_i: the optimum of the pair, or as far as its bounds allow."""
        beta, diagonal = self.beta, self.diagonal
        distance = diagonal.item(i) + diagonal.item(j) - 2 * self.rows[i].item(j)
        room_i, room_j = self.high[i] - beta[i], beta[j] - self.low[j]
        amount = min(violation / max(distance, self.rounding), room_i, room_j)
        beta[i] = self.high[i] if amount == room_i else beta[i] + amount
        beta[j] = self.low[j] if amount == room_j else beta[j] - amount
        return amount

    def _remask(self, i, j):
        """Nothing: i may now shrink and j grow, unless a bound stops them from going on as they did."""
        growing, shrinking = self.gradients
        shrinking[i] = growing.item(i)
        growing[j] = shrinking.item(j)
        if self.beta[i] == self.high[i]:
            growing[i] = -np.inf
        if self.beta[j] == self.low[j]:
            shrinking[j] = np.inf


def refuse_indefinite(distance, i, j):
    """Nothing but the refusal of a matrix whose feature vectors would have an imaginary distance."""
    raise ValueError(
        f"K must be positive semi-definite, but K_ii + K_jj - 2 K_ij = {distance:.3g} for i = {i}, j = {j}"
    )
