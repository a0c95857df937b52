"""Newton's method on the primal with a smoothed hinge, where K has few large eigenvalues: a first guess.

(book: SVM duality, The soft margin)

A factor F of few columns with K = F F', nearly, gives the points few features, in which the primal has few
unknowns: minimise 1/2 ||w||^2 + C sum h(m_i) with the margins m_i = y_i (F_i w + b). Newton's method needs a
hinge h without a kink, so a parabola of a given width replaces the kink. The slopes of h are multipliers:
C where m_i <= 1 - width, 0 where m_i >= 1 + width and linear between. The narrower the parabola, the closer
they are to those of the dual.
"""

import numpy as np

from margins._types import Array
from margins.svm.large import constants
from margins.svm.large.low_rank import balanced, incomplete_cholesky
from margins.svm.problem import bounds


def first_guess(gram, y, C):
    """Feasible multipliers (n,) near the optimum; None where K has many large eigenvalues or Newton fails.

    None too where the points have different C_i, or C is so large that float32 does not resolve the factor.
    """
    if np.ndim(C) > 0:
        return None
    lack = constants.GUESS_LACK / max(C, 1.0)
    most = int(constants.GUESS_RANK_SHARE * len(y))
    is_resolved = lack >= constants.FLOAT32_LACK
    factor = incomplete_cholesky(gram, most, lack, glimpse=True) if is_resolved else None
    if factor is None:
        return None
    hinge = SmoothedHinge(y[:, None] * np.column_stack([factor, np.ones(len(y))]), C)
    return balanced(y * hinge.alpha, *bounds(y, C), hinge.curved) if hinge.minimise() else None


class SmoothedHinge:
    """The primal with the bound C and signed features A (n, r + 1), in w (r + 1,), the last of which is b."""

    def __init__(self, A, C):
        self.A, self.C, self.width = A, C, max(1.0, C)
        self.norm = np.append(np.ones(A.shape[1] - 1), 0.0)  # 1/2 w'norm w leaves b out
        self.w, self.margins = np.zeros(A.shape[1]), np.zeros(len(A))
        self.alpha, self.curved = self.parabola(self.margins), np.ones(len(A), bool)

    def parabola(self, margins):
        """The multipliers that the slopes of the parabola are, beyond their bounds too (n,)."""
        return (self.C / (2 * self.width)) * (1 + self.width - margins)

    def bounded(self, margins):
        """The multipliers that the slopes of the smoothed hinge are (n,)."""
        alpha = self.parabola(margins)
        return np.minimum(np.maximum(alpha, 0, out=alpha), self.C, out=alpha)

    def minimise(self):
        """Whether Newton's method converges at the narrowest width, each width begun where the last ended."""
        while True:
            last = self.width <= constants.NARROWEST_PARABOLA
            converged = self.descend(constants.STEPS_AT_LAST_WIDTH if last else constants.STEPS_PER_WIDTH)
            if last:
                return converged
            self.width = max(constants.NARROWING * self.width, constants.NARROWEST_PARABOLA)
            self.alpha = np.where(self.curved, self.parabola(self.margins), self.alpha)

    def descend(self, rounds):
        """Whether so many Newton steps, or fewer, find a minimum: the points on the parabola stay the same.

        The first, to another width, keeps the points on the parabola, for their margins move to 1 with it.
        """
        for k in range(rounds):
            before, (change, widening, slope) = self.curved, self.step()
            length = self.length(change, widening, slope) if k else 1.0
            self.move(change, widening, length)
            if length == 1 and np.array_equal(self.curved, before):
                return True
        return False

    def step(self) -> tuple[Array, Array, float]:
        """The changes of w and margins to the minimum of the present parabola, and the slope at first."""
        part = self.A[self.curved]
        curvature = (self.C / (2 * self.width)) * (part.T @ part)  # (r + 1, r + 1)
        curvature[np.diag_indices(len(self.w))] += self.norm + 1e-12 * len(self.A)
        descent = self.alpha @ self.A - self.norm * self.w
        change = np.linalg.solve(curvature, descent)
        return change, self.A @ change, -float(descent @ change)

    def move(self, change, widening, length):
        """Takes w along a share of its change, the margins along theirs, and what depends on them."""
        self.w, self.margins = self.w + length * change, self.margins + length * widening
        self.alpha = self.bounded(self.margins)
        self.curved = (self.alpha > 0) & (self.alpha < self.C)

    def length(self, change, widening, start):
        """The share of a step, at most 1, that leaves little of its slope `start`, by false position."""
        pull, spring = (self.norm * self.w) @ change, (self.norm * change) @ change
        low, high, length = (0.0, start), (1.0, 0.0), 1.0
        for _ in range(constants.MOST_LENGTHS):
            slope = pull + length * spring - self.bounded(self.margins + length * widening) @ widening
            if abs(slope) <= -constants.FLAT_SLOPE * start or (slope <= 0 and length == 1):
                break
            low, high = ((length, slope), high) if slope < 0 else (low, (length, slope))
            share = -low[1] / (high[1] - low[1])
            length = low[0] + min(max(share, 0.1), 0.9) * (high[0] - low[0])
        return length
