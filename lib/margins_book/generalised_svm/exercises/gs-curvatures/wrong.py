import numpy as np


def ends(gamma, m, half=2.0):
    """Both ends of the theorem, divided by `half`."""
    ordered = np.sort(gamma)[::-1]
    low = np.sum(ordered[:m] - ordered[m - 1]) / half
    return low, np.sum(ordered[:m] - ordered[m]) / half if m < len(gamma) else np.inf


# wrong: the bounds of 2 lambda
def sharing_range(gamma, m):
    return ends(gamma, m, half=1.0)


# wrong: the scores as they come
def sharing_range(gamma, m):
    low = np.sum(gamma[:m] - gamma[m - 1]) / 2
    return low, np.sum(gamma[:m] - gamma[m]) / 2 if m < len(gamma) else np.inf


# wrong: the gap to the next score, not the sum of gaps
def sharing_range(gamma, m):
    ordered = np.append(np.sort(gamma)[::-1], -np.inf)
    return (ordered[0] - ordered[m - 1]) / 2, (ordered[0] - ordered[m]) / 2


# wrong: counted from zero
def sharing_range(gamma, m):
    return ends(gamma, m + 1) if m < len(gamma) else ends(gamma, m)


# wrong: the sum over all tokens
def sharing_range(gamma, m):
    ordered = np.sort(gamma)[::-1]
    low = np.maximum(ordered - ordered[m - 1], 0).sum() / 2
    return low, np.abs(ordered - ordered[m]).sum() / 2 if m < len(gamma) else np.inf


# wrong: all tokens have an upper end
def sharing_range(gamma, m):
    low, high = ends(gamma, m)
    return low, min(high, np.ptp(gamma) * len(gamma))
