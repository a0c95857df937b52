import numpy as np


# wrong: no mask
def prefix_best(values, labels):
    return (labels[:, None] * values).argmax(axis=1)


# wrong: the token itself is hidden
def prefix_best(values, labels):
    scores = np.where(np.tril(np.ones((len(values),) * 2), k=-1) > 0, labels[:, None] * values, -np.inf)
    return scores.argmax(axis=1)


# wrong: hidden tokens have score 0
def prefix_best(values, labels):
    return np.tril(labels[:, None] * values).argmax(axis=1)


# wrong: the label of the token that is seen
def prefix_best(values, labels):
    scores = np.where(np.tril(np.ones((len(values),) * 2)) > 0, (labels * values)[None, :], -np.inf)
    return scores.argmax(axis=1)


# wrong: the later of equal tokens
def prefix_best(values, labels):
    best = []
    for k in range(len(values)):
        scores = labels[k] * values[: k + 1]
        best.append(int(np.flatnonzero(scores == scores.max())[-1]))
    return best
