# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


def slack(alpha, i, j, y, C):
    low_i, high_i = sorted([0, C * y[i]])
    low_j, high_j = sorted([0, C * y[j]])
    beta_i, beta_j = alpha[i] * y[i], alpha[j] * y[j]
    return max(low_i - beta_i, beta_j - high_j), min(high_i - beta_i, beta_j - low_j)


def moved(alpha, i, j, y, t):
    new = alpha.copy()
    new[i] += y[i] * t
    new[j] -= y[j] * t
    return new


# wrong: never cut back to the box
def pair_step(alpha, i, j, K, y, C):
    v = y - K @ (alpha * y)
    curvature = K[i, i] + K[j, j] - 2 * K[i, j]
    return moved(alpha, i, j, y, (v[i] - v[j]) / curvature if curvature else 0.0)


# wrong: the two results cut one by one
def pair_step(alpha, i, j, K, y, C):
    v = y - K @ (alpha * y)
    curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
    return np.clip(moved(alpha, i, j, y, (v[i] - v[j]) / curvature), 0, C)


# wrong: the curvature without its mixed term
def pair_step(alpha, i, j, K, y, C):
    v = y - K @ (alpha * y)
    shortest, longest = slack(alpha, i, j, y, C)
    return moved(alpha, i, j, y, np.clip((v[i] - v[j]) / (K[i, i] + K[j, j]), shortest, longest))


# wrong: the mixed term added
def pair_step(alpha, i, j, K, y, C):
    v = y - K @ (alpha * y)
    shortest, longest = slack(alpha, i, j, y, C)
    t = (v[i] - v[j]) / max(K[i, i] + K[j, j] + 2 * K[i, j], 1e-12)
    return moved(alpha, i, j, y, np.clip(t, shortest, longest))


# wrong: downhill
def pair_step(alpha, i, j, K, y, C):
    v = y - K @ (alpha * y)
    shortest, longest = slack(alpha, i, j, y, C)
    curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
    return moved(alpha, i, j, y, np.clip((v[j] - v[i]) / curvature, shortest, longest))


# wrong: labels forgotten, both multipliers move alike
def pair_step(alpha, i, j, K, y, C):
    v = y - K @ (alpha * y)
    curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
    t = np.clip((v[i] - v[j]) / curvature, -min(alpha[i], alpha[j]), C - max(alpha[i], alpha[j]))
    new = alpha.copy()
    new[[i, j]] += t
    return new


# wrong: stands still on equal points
def pair_step(alpha, i, j, K, y, C):
    v = y - K @ (alpha * y)
    shortest, longest = slack(alpha, i, j, y, C)
    curvature = K[i, i] + K[j, j] - 2 * K[i, j]
    if curvature <= 1e-12:
        return alpha.copy()
    return moved(alpha, i, j, y, np.clip((v[i] - v[j]) / curvature, shortest, longest))


# wrong: only the wall of alpha_i
def pair_step(alpha, i, j, K, y, C):
    v = y - K @ (alpha * y)
    low, high = sorted([-alpha[i] * y[i], (C - alpha[i]) * y[i]])
    curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
    return moved(alpha, i, j, y, np.clip((v[i] - v[j]) / curvature, low, high))
