import numpy as np


def shared(exponentials):
    exponentials = np.asarray(exponentials, dtype=float)
    return exponentials / exponentials.sum(axis=1, keepdims=True)


# wrong: the sign of the query is lost
def outputs_by_hand(values):
    return shared([[2, 1, 2], [1, 2, 2], [2, 2, 4]]) @ values


# wrong: shared out column by column
def outputs_by_hand(values):
    return shared([[2, 1, 2], [1, 0.5, 0.5], [2, 0.5, 1]]).T @ values


# wrong: not shared out at all
def outputs_by_hand(values):
    return np.array([[2, 1, 2], [1, 0.5, 0.5], [2, 0.5, 1]]) @ values


# wrong: all exponentials divided by one sum
def outputs_by_hand(values):
    return np.array([[2, 1, 2], [1, 0.5, 0.5], [2, 0.5, 1]]) / 10.5 @ values


# wrong: divided by the root
def outputs_by_hand(values):
    logits = np.array([[1, 0, 1], [0, -1, -1], [1, -1, 0]])
    return shared(2 ** (logits / np.sqrt(2))) @ values


# wrong: exponentials of the numbers of log 2
def outputs_by_hand(values):
    return shared(np.exp([[1, 0, 1], [0, -1, -1], [1, -1, 0]])) @ values


# wrong: a negative logit counted as nothing
def outputs_by_hand(values):
    return shared([[2, 1, 2], [1, 0, 0], [2, 0, 1]]) @ values


# wrong: the logits themselves shared out
def outputs_by_hand(values):
    return np.array([[0.5, 0, 0.5], [0, 0.5, 0.5], [1, 0, 0]]) @ values
