"""The checks of chapter 1 accept other right answers than the reference's."""

import numpy as np

from margins import svm
from margins_book.svm_duality import checks
from tests.margins_book.accepted import accepted_by


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


@accepted_by(checks.svm_intercept)
def test_the_intercept_may_come_from_the_solver_s_interval(alpha, X, y, C):
    v, growing = y - X @ ((alpha * y) @ X), np.where(y > 0, alpha < C, alpha > 0)
    shrinking = np.where(y > 0, alpha > 0, alpha < C)
    return (v[growing].max() + v[shrinking].min()) / 2
