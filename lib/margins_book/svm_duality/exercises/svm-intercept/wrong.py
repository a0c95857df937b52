import numpy as np


# wrong: the first support vector, even at the bound
def intercept(alpha, X, y, C):
    w = (alpha * y) @ X
    s = np.flatnonzero(alpha > 0)[0]
    return y[s] - X[s] @ w


# wrong: the mean over all support vectors
def intercept(alpha, X, y, C):
    w = (alpha * y) @ X
    on = alpha > 0
    return (y[on] - X[on] @ w).mean()


# wrong: half way between the classes, which is the hard margin's rule
def intercept(alpha, X, y, C):
    f = X @ ((alpha * y) @ X)
    return -(f[y > 0].min() + f[y < 0].max()) / 2


# wrong: NaN without a free multiplier
def intercept(alpha, X, y, C):
    v = y - X @ ((alpha * y) @ X)
    free = (alpha > 1e-9) & (alpha < C - 1e-9)
    return v[free].mean() if free.any() else np.nan


# wrong: the lower end of the interval
def intercept(alpha, X, y, C):
    v = y - X @ ((alpha * y) @ X)
    free = (alpha > 1e-9) & (alpha < C - 1e-9)
    below = ((alpha <= 1e-9) & (y > 0)) | ((alpha >= C - 1e-9) & (y < 0))
    return v[free].mean() if free.any() else v[below].max()


# wrong: points with alpha = 0 forgotten in the interval
def intercept(alpha, X, y, C):
    v = y - X @ ((alpha * y) @ X)
    free = (alpha > 1e-9) & (alpha < C - 1e-9)
    bound = alpha >= C - 1e-9
    return v[free].mean() if free.any() else (v[bound & (y < 0)].max() + v[bound & (y > 0)].min()) / 2
