import numpy as np


def three_at(w, n, places, shortest=2):
    """A vector with 1/2, -1/sqrt 2, 1/2 at three places; None below the length w + `shortest`."""
    if w == 0 or n < w + shortest:
        return None
    u = np.zeros(n)
    u[places] = np.array([1, -np.sqrt(2), 1]) / 2
    return u


# wrong: positions 0, w and 2 w, which short sequences do not have
def witness(w, n):
    return three_at(w, n, [0, w, 2 * w])


# wrong: three neighbours, whatever the width
def witness(w, n):
    return None if n < 3 else three_at(w, n, [0, 1, 2])


# wrong: a vector where there is no witness
def witness(w, n):
    position = np.arange(n)
    return np.linalg.eigh((np.abs(position[:, None] - position) <= w).astype(float))[1][:, 0]


# wrong: None for the shortest sequence that has one
def witness(w, n):
    return three_at(w, n, [0, w, w + 1], shortest=3)
