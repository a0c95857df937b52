"""Where the kernel sees few directions in the points: Newton's method on the primal, its hinge rounded off.

(book: SVM duality, The soft margin)

A factor F of few columns with K = F F', nearly, gives the points few features, in which the primal has few
unknowns: minimise 1/2 ||w||^2 + C sum h(m_i) with the margins m_i = y_i (F_i w + b). Newton's method wants a
hinge h without a kink, so that a parabola of a given width takes its place. The slopes of h are multipliers,
C where m_i <= 1 - width, 0 where m_i >= 1 + width and linear between: the narrower, the closer to the dual's.
"""

import numpy as np

from margins.svm.box import bounds
from margins.svm.low_rank import balanced

FEW = 0.05  # of the number of points: so many columns at most
GLIMPSE, SEEN = 16, 0.5  # columns after which the rest is left alone where they explain less of the kernel
LEFT = 0.003  # of the diagonal of K at C = 1: the factor may lack it
SINGLE = 1e-6  # of it is lost in single precision
NARROWEST, NARROWER = 0.01, 0.3  # the last width, and the share of a width that is left in the next
ROUNDS, LAST = 5, 20  # Newton steps at any width, and at the last
TRIALS = 6  # of lengths of a step
SHALLOW = 0.3  # of the slope at the beginning of a step may be left at its end


def first_guess(gram, y, C):
    """Feasible multipliers (n,) near the optimum, or None where K has many directions or Newton fails."""
    lacking = LEFT / max(C, 1.0)
    factor = partial_factor(gram, int(FEW * len(y)), lacking) if lacking >= SINGLE else None
    if factor is None:
        return None
    hinge = RoundedHinge(y[:, None] * np.column_stack([factor, np.ones(len(y))]), C)
    return balanced(y * hinge.alpha, *bounds(y, C), hinge.curved) if hinge.settle() else None


def partial_factor(gram, most, lacking):
    """The F (n, r), r < most, whose F F' lacks at most `lacking` of every K_ii; None where there is none.

    Cholesky's method, which makes of K only the rows of those points that it has explained worst so far.
    """
    unexplained = gram.diagonal().astype(np.float64)  # (n,)
    columns, total = np.empty((most, len(unexplained))), unexplained.sum()
    for r in range(most):
        worst = int(unexplained.argmax())
        if unexplained[worst] <= lacking:
            # far below 0: K is indefinite at this precision, as one in float32 is at that of float64
            return columns[:r].T if unexplained.min() > -10 * lacking else None
        if r == GLIMPSE and unexplained.sum() > SEEN * total:
            break
        column = gram.full_rows(np.array([worst]))[0] - columns[:r, worst] @ columns[:r]
        columns[r] = column / np.sqrt(unexplained[worst])
        unexplained -= np.square(columns[r])
    return None


class RoundedHinge:
    """The primal at the price C with signed features A (n, r + 1), in w (r + 1,), the last of which is b."""

    def __init__(self, A, C):
        self.A, self.C, self.width = A, C, max(1.0, C)
        self.norm = np.append(np.ones(A.shape[1] - 1), 0.0)  # 1/2 w'norm w leaves b out
        self.w, self.margins = np.zeros(A.shape[1]), np.zeros(len(A))
        self.alpha, self.curved = self.parabola(self.margins), np.ones(len(A), bool)

    def parabola(self, margins):
        """The multipliers that the slopes of the parabola are, beyond their bounds too (n,)."""
        return (self.C / (2 * self.width)) * (1 + self.width - margins)

    def bounded(self, margins):
        """The multipliers that the slopes of the rounded hinge are (n,)."""
        alpha = self.parabola(margins)
        return np.minimum(np.maximum(alpha, 0, out=alpha), self.C, out=alpha)

    def settle(self):
        """Whether Newton's method rests at the narrowest width, each begun where the one before led."""
        while True:
            last = self.width <= NARROWEST
            rested = self.descend(LAST if last else ROUNDS)
            if last:
                return rested
            self.width = max(NARROWER * self.width, NARROWEST)
            self.alpha = np.where(self.curved, self.parabola(self.margins), self.alpha)

    def descend(self, rounds):
        """Whether so many Newton steps, or fewer, end with the points on the parabola with which they began.

        The first, to another width, keeps the points on the parabola, for their margins move to 1 with it.
        """
        for k in range(rounds):
            before, step = self.curved, self.step()
            length = self.length(*step) if k else 1.0
            self.move(*step[:2], length)
            if length == 1 and np.array_equal(self.curved, before):
                return True
        return False

    def step(self):
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
        low, high, length = (0.0, start), None, 1.0
        for _ in range(TRIALS):
            slope = pull + length * spring - self.bounded(self.margins + length * widening) @ widening
            if abs(slope) <= -SHALLOW * start or (slope <= 0 and length == 1):
                break
            low, high = ((length, slope), high) if slope < 0 else (low, (length, slope))
            share = -low[1] / (high[1] - low[1])
            length = low[0] + min(max(share, 0.1), 0.9) * (high[0] - low[0])
        return length
