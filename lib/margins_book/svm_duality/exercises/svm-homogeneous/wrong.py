import numpy as np
from scipy.optimize import nnls


def residual(Z):
    stacked = np.vstack([Z.T, np.ones(len(Z))])
    goal = np.r_[np.zeros(Z.shape[1]), 1.0]
    return stacked @ nnls(stacked, goal)[0] - goal


# wrong: the sign
def homogeneous_svm(Z):
    r = residual(Z)
    return r[:-1] / r[-1] if r[-1] < -1e-12 else None


# wrong: not divided by the last residual
def homogeneous_svm(Z):
    r = residual(Z)
    return r[:-1] if r[-1] < -1e-12 else None


# wrong: least squares, all margins equal to one
def homogeneous_svm(Z):
    w = np.linalg.pinv(Z) @ np.ones(len(Z))
    return w if (Z @ w > 0).all() else None


# wrong: the mean of the points, scaled until the nearest has margin one
def homogeneous_svm(Z):
    w = Z.mean(axis=0)
    return w / (Z @ w).min() if (Z @ w).min() > 1e-12 else None


# wrong: a unit vector
def homogeneous_svm(Z):
    r = residual(Z)
    return -r[:-1] / np.linalg.norm(r[:-1]) if r[-1] < -1e-12 else None


# wrong: an answer where there is none
def homogeneous_svm(Z):
    r = residual(Z)
    return -r[:-1] / min(r[-1], -1e-12)


# wrong: scaled until the first row has margin one
def homogeneous_svm(Z):
    r = residual(Z)
    return r[:-1] / (Z @ r[:-1])[0] if r[-1] < -1e-12 else None


# wrong: gives up once w is longer than a million
def homogeneous_svm(Z):
    r = residual(Z)
    return -r[:-1] / r[-1] if r[-1] < -1e-12 else None
