"""The checks of chapter 1 accept right answers that come by other ways than the reference's."""

import numpy as np

from margins import svm
from margins_book.svm_duality import checks
from tests.margins_book.accepted import accepted_by


def hinge_optimum(X, y, C):
    return svm.smo(X @ X.T, y, C).primal_objective


@accepted_by(checks.svm_smallest_c)
def test_smallest_c_may_be_found_by_bisection_on_the_objective(X, y):
    hard, low, high = svm.smo(X @ X.T, y).primal_objective, 0.0, 100.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        reached = hinge_optimum(X, y, middle) > hard - 1e-9
        low, high = (low, middle) if reached else (middle, high)
    return high


@accepted_by(checks.svm_leave_one_out)
def test_leave_one_out_may_train_a_machine_of_its_own(X, y):
    machine = svm.primal_qp(X, y)
    suspects = [i for i in range(len(y)) if machine.alpha[i] > 1e-6]
    errors = []
    for i in suspects:
        rest = np.arange(len(y)) != i
        if len(set(y[rest])) < 2:
            errors.append(i)
            continue
        machine = svm.primal_qp(X[rest], y[rest])
        errors += [i] * int(y[i] * (X[i] @ machine.w + machine.b) <= 1e-6)
    return suspects[::-1], errors


@accepted_by(checks.svm_homogeneous)
def test_the_homogeneous_machine_may_come_from_the_mirrored_points(Z):
    mirrored, labels = np.concatenate([Z, -Z]), np.repeat([1.0, -1.0], len(Z))
    try:
        machine = svm.smo(mirrored @ mirrored.T / np.abs(Z).max() ** 2, labels)
    except svm.NotSeparableError:
        return None
    return (machine.alpha * labels) @ mirrored / np.abs(Z).max() ** 2


@accepted_by(checks.svm_intercept)
def test_the_intercept_may_come_from_the_solver_s_interval(alpha, X, y, C):
    v, growing = y - X @ ((alpha * y) @ X), np.where(y > 0, alpha < C, alpha > 0)
    shrinking = np.where(y > 0, alpha > 0, alpha < C)
    return (v[growing].max() + v[shrinking].min()) / 2
