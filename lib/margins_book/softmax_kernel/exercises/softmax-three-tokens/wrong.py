import numpy as np


def shared(exponentials):
    exponentials = np.asarray(exponentials, dtype=float)
    return exponentials / exponentials.sum(axis=1, keepdims=True)


# wrong: shared out column by column
def outputs_by_hand(values):
    return shared([[2, 1, 2], [1, 0.5, 0.5], [2, 0.5, 1]]).T @ values


# wrong: not shared out at all
def outputs_by_hand(values):
    return np.array([[2, 1, 2], [1, 0.5, 0.5], [2, 0.5, 1]]) @ values


# wrong: all exponentials divided by one sum
def outputs_by_hand(values):
    return np.array([[2, 1, 2], [1, 0.5, 0.5], [2, 0.5, 1]]) / 10.5 @ values


# wrong: a negative logit counted as nothing
def outputs_by_hand(values):
    return shared([[2, 1, 2], [1, 0, 0], [2, 0, 1]]) @ values


# wrong: the logits themselves shared out
def outputs_by_hand(values):
    return np.array([[0.5, 0, 0.5], [0, 0.5, 0.5], [1, 0, 0]]) @ values
