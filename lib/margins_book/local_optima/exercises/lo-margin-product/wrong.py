# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np

from margins.attention_svm import least_distance


def parts(X, Z, Y, v):
    """The shortest u or None, and the sorted scores."""
    return least_distance(Y[:, None] * Z).point, np.sort(Y[:, None] * (X @ v), axis=1)


# wrong: the best ahead of the worst
def margin_bound(X, Z, Y, v):
    u, scores = parts(X, Z, Y, v)
    if u is None:
        return 0.0
    return (scores[:, -1] - scores[:, 0]).min() / np.linalg.norm(u) / np.linalg.norm(v)


# wrong: the length of u for the margin
def margin_bound(X, Z, Y, v):
    u, scores = parts(X, Z, Y, v)
    return 0.0 if u is None else (scores[:, -1] - scores[:, -2]).min() * np.linalg.norm(u) / np.linalg.norm(v)


# wrong: the mean gap
def margin_bound(X, Z, Y, v):
    u, scores = parts(X, Z, Y, v)
    if u is None:
        return 0.0
    return (scores[:, -1] - scores[:, -2]).mean() / np.linalg.norm(u) / np.linalg.norm(v)


# wrong: the length of v forgotten
def margin_bound(X, Z, Y, v):
    u, scores = parts(X, Z, Y, v)
    return 0.0 if u is None else (scores[:, -1] - scores[:, -2]).min() / np.linalg.norm(u)


# wrong: labels forgotten in the scores
def margin_bound(X, Z, Y, v):
    u, scores = least_distance(Y[:, None] * Z).point, np.sort(X @ v, axis=1)
    if u is None:
        return 0.0
    return (scores[:, -1] - scores[:, -2]).min() / np.linalg.norm(u) / np.linalg.norm(v)


# wrong: labels forgotten in the queries
def margin_bound(X, Z, Y, v):
    u, scores = least_distance(Z).point, np.sort(Y[:, None] * (X @ v), axis=1)
    if u is None:
        return 0.0
    return (scores[:, -1] - scores[:, -2]).min() / np.linalg.norm(u) / np.linalg.norm(v)


# wrong: the smallest gap between any two tokens
def margin_bound(X, Z, Y, v):
    u, scores = parts(X, Z, Y, v)
    return 0.0 if u is None else np.diff(scores, axis=1).min() / np.linalg.norm(u) / np.linalg.norm(v)
