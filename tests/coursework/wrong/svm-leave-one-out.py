# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np

from margins import svm


def soft(X, y):
    fit = svm.smo(X @ X.T, y, 1.0)
    return fit.alpha, fit.b


def errors_among(candidates, X, y, train, alone=1, wrong=lambda margin: margin <= 0):
    """How many of the candidates are wrong left out."""
    errors = 0
    for i in candidates:
        rest = np.arange(len(y)) != i
        if len(set(y[rest])) < 2:
            errors += alone
            continue
        alpha, b = train(X[rest], y[rest])
        errors += int(wrong(y[i] * (X[i] @ ((alpha * y[rest]) @ X[rest]) + b)))
    return errors


# wrong: the bound itself
def leave_one_out(X, y, train):
    return int((train(X, y)[0] > 1e-9).sum())


# wrong: the training error
def leave_one_out(X, y, train):
    alpha, b = train(X, y)
    return int((y * (X @ ((alpha * y) @ X) + b) <= 0).sum())


# wrong: all points judged after each omission
def leave_one_out(X, y, train):
    errors = 0
    for i in np.flatnonzero(train(X, y)[0] > 1e-9):
        rest = np.arange(len(y)) != i
        if len(set(y[rest])) < 2:
            errors += 1
            continue
        alpha, b = train(X[rest], y[rest])
        errors += int((y[rest] * (X[rest] @ ((alpha * y[rest]) @ X[rest]) + b) <= 0).sum())
    return errors


# wrong: the intercept of all points kept
def leave_one_out(X, y, train):
    everyone, b = train(X, y)
    return errors_among(np.flatnonzero(everyone > 1e-9), X, y, lambda X, y: (train(X, y)[0], b))


# wrong: its multiplier is dropped, but nothing is trained again
def leave_one_out(X, y, train):
    alpha, b = train(X, y)
    errors = 0
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        errors += int(y[i] * (X[i] @ ((alpha * y)[rest] @ X[rest]) + b) <= 0)
    return errors


# wrong: a point alone in its class is passed over
def leave_one_out(X, y, train):
    return errors_among(np.flatnonzero(train(X, y)[0] > 1e-9), X, y, train, alone=0)


# wrong: a point on the line itself counts as right
def leave_one_out(X, y, train):
    support = np.flatnonzero(train(X, y)[0] > 1e-9)
    return errors_among(support, X, y, train, wrong=lambda margin: margin < 0)


# wrong: a soft margin with C = 1 in place of the hard one
def leave_one_out(X, y, train):
    return errors_among(np.flatnonzero(soft(X, y)[0] > 1e-9), X, y, soft)


# wrong: trained once for every point, idle or not
def leave_one_out(X, y, train):
    return errors_among(range(len(y)), X, y, train)
