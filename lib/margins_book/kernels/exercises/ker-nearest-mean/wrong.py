import numpy as np


def label_of(y, closeness):
    """The label of the class with the larger closeness(points of the class), +1 at a tie."""
    return np.where(closeness(y == 1) >= closeness(y == -1), 1.0, -1.0)


# wrong: the lengths of the means are forgotten
def nearest_mean(K, y, K_new):
    return label_of(y, lambda of: K_new[of].mean(axis=0))


# wrong: the mean of the squared lengths, not the squared length of the mean
def nearest_mean(K, y, K_new):
    return label_of(y, lambda of: K_new[of].mean(axis=0) - np.diagonal(K)[of].mean() / 2)


# wrong: the most similar single point decides
def nearest_mean(K, y, K_new):
    return y[np.argmax(K_new - np.diagonal(K)[:, None] / 2, axis=0)]


# wrong: the share of the labels stands for the intercept
def nearest_mean(K, y, K_new):
    f = (y / np.where(y > 0, (y > 0).sum(), (y < 0).sum())) @ K_new + np.log((y > 0).sum() / (y < 0).sum())
    return np.where(f >= 0, 1.0, -1.0)
