# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np

from margins import svm


# wrong: the bound itself
def leave_one_out(X, y):
    return int((svm.smo(X @ X.T, y).alpha > 1e-9).sum())


# wrong: the training error
def leave_one_out(X, y):
    fit = svm.smo(X @ X.T, y)
    return int((y * (X @ ((fit.alpha * y) @ X) + fit.b) <= 0).sum())


# wrong: all points judged after each omission
def leave_one_out(X, y):
    errors = 0
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        if len(set(y[rest])) < 2:
            errors += 1
            continue
        fit = svm.smo(X[rest] @ X[rest].T, y[rest])
        f = X[rest] @ ((fit.alpha * y[rest]) @ X[rest]) + fit.b
        errors += int((y[rest] * f <= 0).sum())
    return errors


# wrong: the intercept of all points kept
def leave_one_out(X, y):
    everyone = svm.smo(X @ X.T, y)
    errors = 0
    for i in np.flatnonzero(everyone.alpha > 1e-9):
        rest = np.arange(len(y)) != i
        if len(set(y[rest])) < 2:
            errors += 1
            continue
        fit = svm.smo(X[rest] @ X[rest].T, y[rest])
        errors += int(y[i] * (X[i] @ ((fit.alpha * y[rest]) @ X[rest]) + everyone.b) <= 0)
    return errors


# wrong: its multiplier is dropped, but nothing is trained again
def leave_one_out(X, y):
    fit = svm.smo(X @ X.T, y)
    errors = 0
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        errors += int(y[i] * (X[i] @ ((fit.alpha * y)[rest] @ X[rest]) + fit.b) <= 0)
    return errors


# wrong: a point alone in its class is passed over
def leave_one_out(X, y):
    errors = 0
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        if len(set(y[rest])) == 2:
            fit = svm.smo(X[rest] @ X[rest].T, y[rest])
            errors += int(y[i] * (X[i] @ ((fit.alpha * y[rest]) @ X[rest]) + fit.b) <= 0)
    return errors
