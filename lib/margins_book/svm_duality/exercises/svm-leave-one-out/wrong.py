import numpy as np

from margins import svm


def trained(X, y, C=np.inf):
    return svm.smo(X @ X.T, y, C)


def suspected(X, y, C=np.inf):
    return np.flatnonzero(trained(X, y, C).alpha > 1e-9)


def errors_among(suspects, X, y, C=np.inf, alone=True, wrong=lambda m: m <= 0, b=None):
    """The suspects that are wrong left out."""
    errors = []
    for i in suspects:
        rest = np.arange(len(y)) != i
        if len(set(y[rest])) < 2:
            errors += [i] * alone
            continue
        machine = trained(X[rest], y[rest], C)
        f = X[i] @ ((machine.alpha * y[rest]) @ X[rest]) + (machine.b if b is None else b)
        errors += [i] * int(wrong(y[i] * f))
    return np.array(errors, dtype=int)


# wrong: the bound itself
def leave_one_out(X, y):
    return suspected(X, y), suspected(X, y)


# wrong: the training error
def leave_one_out(X, y):
    machine = trained(X, y)
    f = X @ ((machine.alpha * y) @ X) + machine.b
    return suspected(X, y), np.flatnonzero(y * f <= 0)


# wrong: the intercept of all points kept
def leave_one_out(X, y):
    return suspected(X, y), errors_among(suspected(X, y), X, y, b=trained(X, y).b)


# wrong: its multiplier is dropped, but nothing is trained again
def leave_one_out(X, y):
    machine = trained(X, y)
    f = X @ ((machine.alpha * y) @ X) + machine.b - machine.alpha * y * (X**2).sum(axis=1)
    return suspected(X, y), np.flatnonzero(y * f <= 0)


# wrong: a point alone in its class is passed over
def leave_one_out(X, y):
    return suspected(X, y), errors_among(suspected(X, y), X, y, alone=False)


# wrong: a point on the line itself counts as right
def leave_one_out(X, y):
    return suspected(X, y), errors_among(suspected(X, y), X, y, wrong=lambda margin: margin < 0)


# wrong: a soft margin with C = 1 in place of the hard one
def leave_one_out(X, y):
    return suspected(X, y), errors_among(suspected(X, y), X, y, C=1.0)


# wrong: every point on its kerb is a suspect, with a multiplier or without
def leave_one_out(X, y):
    machine = trained(X, y)
    margins = y * (X @ ((machine.alpha * y) @ X) + machine.b)
    suspects = np.flatnonzero(margins < 1 + 1e-6)
    return suspects, errors_among(suspects, X, y)
