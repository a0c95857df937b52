import numpy as np


def slack(alpha, i, j, y, C):
    low_i, high_i = sorted([0, C * y[i]])
    low_j, high_j = sorted([0, C * y[j]])
    beta_i, beta_j = alpha[i] * y[i], alpha[j] * y[j]
    return max(low_i - beta_i, beta_j - high_j), min(high_i - beta_i, beta_j - low_j)


def curved(K, i, j):
    return max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)


def stepped(alpha, i, j, K, y, curvature, walls):
    """The pair moved up to the top of the parabola, between the walls."""
    v, new = y - K @ (alpha * y), alpha.copy()
    t = np.clip((v[i] - v[j]) / curvature, *walls)
    new[i] += y[i] * t
    new[j] -= y[j] * t
    return new


# wrong: never cut back to the box
def pair_step(alpha, i, j, K, y, C):
    return stepped(alpha, i, j, K, y, (K[i, i] + K[j, j] - 2 * K[i, j]) or np.inf, (-np.inf, np.inf))


# wrong: the two results cut one by one
def pair_step(alpha, i, j, K, y, C):
    return np.clip(stepped(alpha, i, j, K, y, curved(K, i, j), (-np.inf, np.inf)), 0, C)


# wrong: labels forgotten, both multipliers move alike
def pair_step(alpha, i, j, K, y, C):
    v = y - K @ (alpha * y)
    t = (v[i] - v[j]) / curved(K, i, j)
    new = alpha.copy()
    new[[i, j]] += np.clip(t, -min(alpha[i], alpha[j]), C - max(alpha[i], alpha[j]))
    return new


# wrong: stands still on equal points
def pair_step(alpha, i, j, K, y, C):
    if K[i, i] + K[j, j] - 2 * K[i, j] <= 1e-12:
        return alpha.copy()
    return stepped(alpha, i, j, K, y, curved(K, i, j), slack(alpha, i, j, y, C))


# wrong: only the wall of alpha_i
def pair_step(alpha, i, j, K, y, C):
    return stepped(alpha, i, j, K, y, curved(K, i, j), sorted([-alpha[i] * y[i], (C - alpha[i]) * y[i]]))
