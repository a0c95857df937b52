import numpy as np


def finite_of(X, kept, p, tolerance=1e-7):
    """The shortest solution of the equations, None if there is none."""
    first, others = np.flatnonzero(kept)[0], np.flatnonzero(kept)[1:]
    A, asked = X[first] - X[others], np.log(p[first] / p[others])
    finite = np.linalg.pinv(A) @ asked
    return finite if np.abs(A @ finite - asked).max(initial=0.0) < tolerance else None


def direction_of(X, kept, project=True, scaled=True):
    """The shortest solution of equalities and inequalities, None if there is none."""
    from scipy.optimize import nnls

    first = np.flatnonzero(kept)[0]
    A, rows = X[first] - X[kept], X[first] - X[~kept]
    rows = rows - (rows @ np.linalg.pinv(A)) @ A if project else rows
    size = np.abs(rows).max()
    if size < 1e-9:
        return None
    u = nnls(np.vstack([rows.T / size, np.ones(len(rows))]), np.append(np.zeros(X.shape[1]), 1.0))[0]
    along = rows.T @ u
    least = (rows @ along).min()
    if least < 1e-9 * size**2:
        return None
    return along / least if scaled else along / np.linalg.norm(along)


# wrong: the direction without the equations
def both_parts(X, kept, p):
    return finite_of(X, kept, p), direction_of(X, kept, project=False)


# wrong: a direction of length one
def both_parts(X, kept, p):
    return finite_of(X, kept, p), direction_of(X, kept, scaled=False)


# wrong: shares that no vector has get the nearest ones
def both_parts(X, kept, p):
    return finite_of(X, kept, p, tolerance=np.inf), direction_of(X, kept)


# wrong: the sign of the log ratios
def both_parts(X, kept, p):
    finite = finite_of(X, kept, p)
    return None if finite is None else -finite, direction_of(X, kept)


# wrong: ratios instead of their logarithms
def both_parts(X, kept, p):
    return finite_of(X, kept, np.exp(p)), direction_of(X, kept)


# wrong: the mean of the differences, which need not keep every margin
def both_parts(X, kept, p):
    first = np.flatnonzero(kept)[0]
    A, rows = X[first] - X[kept], X[first] - X[~kept]
    rows = rows - (rows @ np.linalg.pinv(A)) @ A
    along = rows.mean(axis=0)
    least = (rows @ along).min()
    return finite_of(X, kept, p), along / least if least > 1e-9 else None


# wrong: nothing is said where there is no direction
def both_parts(X, kept, p):
    direction = direction_of(X, kept)
    return finite_of(X, kept, p), np.zeros(X.shape[1]) if direction is None else direction
