import numpy as np
from scipy.optimize import nnls


def shortest(rows):
    """The shortest vector with products >= 1, or None."""
    size = np.abs(rows).max()
    if size == 0:
        return None
    stacked = np.vstack([rows.T / size, np.ones(len(rows))])
    direction = stacked[:-1] @ nnls(stacked, np.append(np.zeros(rows.shape[1]), 1.0))[0]
    least = (rows @ direction).min()
    return direction / least if least > 0 else None


def rows_of(X, Z, tokens):
    return np.array(
        [
            np.outer(X[i, a] - x, Z[i]).ravel()
            for i, a in enumerate(tokens)
            for x in np.delete(X[i], a, axis=0)
        ]
    )


def shaped(point, d):
    return None if point is None else point.reshape(d, d)


# wrong: the chosen token compared with itself, a row of zeros
def attention_svm(X, Z, tokens):
    rows = np.array([np.outer(X[i, a] - x, Z[i]).ravel() for i, a in enumerate(tokens) for x in X[i]])
    return shaped(shortest(rows), Z.shape[1])


# wrong: the token of the first sequence for all
def attention_svm(X, Z, tokens):
    return shaped(shortest(rows_of(X, Z, np.full(len(tokens), tokens[0]))), Z.shape[1])


# wrong: chosen tokens ahead of all tokens of all sequences
def attention_svm(X, Z, tokens):
    rows = [
        np.outer(X[i, a] - X[j, t], Z[i]).ravel()
        for i, a in enumerate(tokens)
        for j in range(len(X))
        for t in range(X.shape[1])
        if (j, t) != (i, a)
    ]
    return shaped(shortest(np.array(rows)), Z.shape[1])


# wrong: some W with positive margins, not the shortest
def attention_svm(X, Z, tokens):
    rows = rows_of(X, Z, tokens)
    if shortest(rows) is None:
        return None
    point = shortest(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300))
    return shaped(point / (rows @ point).min(), Z.shape[1])


# wrong: infeasible problems get an answer, too
def attention_svm(X, Z, tokens):
    rows = rows_of(X, Z, tokens)
    return shaped(np.linalg.lstsq(rows, np.ones(len(rows)))[0], Z.shape[1])


# wrong: a fixed threshold says that no W exists
def attention_svm(X, Z, tokens):
    rows = rows_of(X, Z, tokens)
    stacked = np.vstack([rows.T, np.ones(len(rows))])
    goal = np.append(np.zeros(rows.shape[1]), 1.0)
    residual = stacked @ nnls(stacked, goal)[0] - goal
    return shaped(-residual[:-1] / residual[-1], Z.shape[1]) if -residual[-1] > 1e-4 else None
