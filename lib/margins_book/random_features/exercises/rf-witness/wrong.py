# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


# wrong: positions 0, w and 2 w, which short sequences do not have
def witness(w, n):
    if w == 0 or n <= w + 1:
        return None
    u = np.zeros(n)
    u[[0, w, 2 * w]] = np.array([1, -np.sqrt(2), 1]) / 2
    return u


# wrong: three neighbours, whatever the width
def witness(w, n):
    if n < 3 or w == 0 or n <= w + 1:
        return None
    u = np.zeros(n)
    u[:3] = np.array([1, -np.sqrt(2), 1]) / 2
    return u


# wrong: the eigenvector of 1 + sqrt 2
def witness(w, n):
    if w == 0 or n <= w + 1:
        return None
    u = np.zeros(n)
    u[[0, w, w + 1]] = np.array([1, np.sqrt(2), 1]) / 2
    return u


# wrong: not of length 1
def witness(w, n):
    if w == 0 or n <= w + 1:
        return None
    u = np.zeros(n)
    u[[0, w, w + 1]] = 1, -np.sqrt(2), 1
    return u


# wrong: a vector where there is no witness
def witness(w, n):
    position = np.arange(n)
    return np.linalg.eigh((np.abs(position[:, None] - position) <= w).astype(float))[1][:, 0]


# wrong: None for the shortest sequence that has one
def witness(w, n):
    if w == 0 or n <= w + 2:
        return None
    u = np.zeros(n)
    u[[0, w, w + 1]] = np.array([1, -np.sqrt(2), 1]) / 2
    return u
