"""The solver's climb of the dual, step by step: who may move, both objectives, the best candidate so far.

(book: SVM duality, Sequential minimal optimisation)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margins import svm
from margins.kernels import linear


@dataclass(frozen=True, eq=False)
class Climb:
    """What stands after each step of the solver, from none on."""

    steps: NDArray  # (k,)
    alphas: NDArray  # (k, n), the multipliers
    slopes: NDArray  # (k, n), the v_i
    may_grow: NDArray  # (k, n), whether alpha_i y_i may
    may_shrink: NDArray  # (k, n)
    duals: NDArray  # (k,)
    candidates: NDArray  # (k,), the primal objectives of the candidates
    primals: NDArray  # (k,), the lowest so far
    centres: NDArray  # (k, d), the w of the best candidates so far

    @property
    def gaps(self) -> NDArray:
        """The best primal objective so far less the dual one (k,)."""
        return self.primals - self.duals


def climb(X: NDArray, y: NDArray, C: float, last: int) -> Climb:
    """The first `last` steps of the solver on the soft margin at the price C.

    (book: SVM duality, Sequential minimal optimisation)

    >>> steps = climb(np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), C=0.3, last=1)
    >>> steps.alphas.round(6).tolist(), steps.gaps.round(6).tolist()
    ([[0.0, 0.0], [0.3, 0.3]], [0.6, 0.0])
    """
    K, steps = linear(X), np.arange(last + 1)
    alphas = svm.smo_iterates(K, y, C, at=steps)
    candidates = np.array([candidate(K, y, C, alpha) for alpha in alphas])
    primals = np.minimum.accumulate(candidates)
    best_at = np.maximum.accumulate(np.where(candidates == primals, steps, 0))
    return Climb(
        steps,
        alphas,
        slopes=y - (alphas * y) @ K,
        may_grow=np.where(y > 0, alphas < C, alphas > 0),
        may_shrink=np.where(y > 0, alphas > 0, alphas < C),
        duals=np.array([svm.dual_objective(K, y, alpha) for alpha in alphas]),
        candidates=candidates,
        primals=primals,
        centres=(alphas[best_at] * y) @ X,
    )


def candidate(K: NDArray, y: NDArray, C: float, alpha: NDArray) -> float:
    """The primal objective at w = sum alpha_i y_i x_i with the best b, one of the v_i.

    (book: SVM duality, How far is the answer?)

    >>> x, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    >>> round(candidate(linear(x), y, 0.3, np.zeros(2)), 6)
    0.6
    """
    return min(svm.primal_objective(K, y, alpha, b, C) for b in y - K @ (alpha * y))


def radius(primal: NDArray, dual: NDArray | float) -> NDArray:
    """How far the best w can be from that of a candidate with this primal objective.

    (book: SVM duality, How far is the answer?)

    >>> float(radius(np.array(3.02), 3.0).round(6))
    0.2
    """
    return np.sqrt(2 * np.maximum(primal - dual, 0))
