import numpy as np

from margins.attention_svm import least_distance


def product_by(queries, scores, v, gap=lambda s: (s[:, -1] - s[:, -2]).min()):
    """The margin of the queries times a gap of the sorted scores over |v|, 0 where there is no u."""
    u = least_distance(queries).point
    return 0.0 if u is None else gap(np.sort(scores, axis=1)) / np.linalg.norm(u) / np.linalg.norm(v)


def signed_by(X, Z, Y, v):
    return Y[:, None] * Z, Y[:, None] * (X @ v)


# wrong: the mean gap
def margin_bound(X, Z, Y, v):
    return product_by(*signed_by(X, Z, Y, v), v, lambda scores: (scores[:, -1] - scores[:, -2]).mean())


# wrong: labels forgotten in the queries
def margin_bound(X, Z, Y, v):
    return product_by(Z, Y[:, None] * (X @ v), v)


# wrong: the smallest gap between any two tokens
def margin_bound(X, Z, Y, v):
    return product_by(*signed_by(X, Z, Y, v), v, lambda scores: np.diff(scores, axis=1).min())
