import numpy as np


def gap_of(keys, j):
    """The largest gap between the directions from key j to the keys elsewhere."""
    towards = np.delete(keys, j, axis=0) - keys[j]
    towards = towards[np.abs(towards).max(axis=1) > 0]
    angles = np.sort(np.arctan2(towards[:, 1], towards[:, 0]))
    return np.diff(np.append(angles, angles[:1] + 2 * np.pi)).max() if len(angles) else 2 * np.pi


# wrong: sixty-four queries are asked
def winners(keys):
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    products = np.c_[np.cos(angles), np.sin(angles)] @ keys.T
    found = np.zeros(len(keys), dtype=bool)
    found[products.argmax(axis=1)] = True
    return found


# wrong: each key is asked whether it wins its own query
def winners(keys):
    products = keys @ keys.T
    return np.diag(products) >= products.max(axis=1)


# wrong: keys on the sides of the hull, which only tie
def winners(keys):
    return np.array([gap_of(keys, j) >= np.pi - 1e-9 for j in range(len(keys))])


# wrong: twins count as winners
def winners(keys):
    return np.array([gap_of(keys, j) > np.pi + 1e-9 for j in range(len(keys))])


# wrong: of twins the first wins
def winners(keys):
    first = np.array([not (keys[:j] == keys[j]).all(axis=1).any() for j in range(len(keys))])
    return first & np.array([gap_of(keys, j) > np.pi + 1e-9 for j in range(len(keys))])


# wrong: the hull by a program that stops where all keys are on a line
def winners(keys):
    from scipy.spatial import ConvexHull

    found = np.zeros(len(keys), dtype=bool)
    found[ConvexHull(keys).vertices] = True
    return found
