import numpy as np


def gram_of(X, Z, tokens):
    rows = [
        np.outer(x[chosen] - x[t], z).ravel()
        for x, z, chosen in zip(X, Z, tokens, strict=True)
        for t in range(len(x))
        if t != chosen
    ]
    return np.array(rows) @ np.array(rows).T


# wrong: all margins can be 1, whatever the signs of the multipliers
def all_support(X, Z, tokens):
    gram = gram_of(X, Z, tokens)
    multipliers = np.linalg.lstsq(gram, np.ones(len(gram)))[0]
    return bool(np.allclose(gram @ multipliers, 1, atol=1e-6))


# wrong: the Gram matrix taken to be invertible
def all_support(X, Z, tokens):
    gram = gram_of(X, Z, tokens)
    return bool((np.linalg.solve(gram, np.ones(len(gram))) >= 0).all())


# wrong: multipliers of least squares, whether they solve the equations or not
def all_support(X, Z, tokens):
    gram = gram_of(X, Z, tokens)
    return bool((np.linalg.lstsq(gram, np.ones(len(gram)))[0] >= -1e-9).all())


# wrong: every sequence judged alone
def all_support(X, Z, tokens):
    for i in range(len(X)):
        gram = gram_of(X[i : i + 1], Z[i : i + 1], tokens[i : i + 1])
        multipliers = np.linalg.lstsq(gram, np.ones(len(gram)))[0]
        if not np.allclose(gram @ multipliers, 1, atol=1e-6) or (multipliers < -1e-9).any():
            return False
    return True


# wrong: the queries forgotten
def all_support(X, Z, tokens):
    from scipy.optimize import nnls

    gram = gram_of(X, np.ones((len(X), 1)), tokens)
    return nnls(gram / gram.max(), np.ones(len(gram)))[1] < 1e-7


# wrong: enough dimensions
def all_support(X, Z, tokens):
    n, T, d = X.shape
    return d >= max(T - 1, n)
