import numpy as np


def inverses(K, penalties):
    return [np.linalg.inv(K + penalty * np.eye(len(K))) for penalty in penalties]


# wrong: the training error
def leave_one_out_path(K, y, penalties):
    parts = zip(inverses(K, penalties), penalties, strict=True)
    return np.array([np.mean((penalty * G @ y) ** 2) for G, penalty in parts])


# wrong: the diagonal is replaced by its mean, as generalised cross-validation does
def leave_one_out_path(K, y, penalties):
    return np.array([np.mean((G @ y / (np.trace(G) / len(y))) ** 2) for G in inverses(K, penalties)])


# wrong: the penalties are put in order first
def leave_one_out_path(K, y, penalties):
    return np.array([np.mean((G @ y / np.diagonal(G)) ** 2) for G in inverses(K, np.sort(penalties))])


# wrong: the coefficient of the point is struck out, but nothing is fitted again
def leave_one_out_path(K, y, penalties):
    errors = []
    for G in inverses(K, penalties):
        a = G @ y
        errors.append(np.mean((y - K @ a + np.diagonal(K) * a) ** 2))
    return np.array(errors)
