import numpy as np


def lines(queries, keys, values, roots, at):
    """The values c + c' at(query) of lines c + c' k fitted with the square roots of weights `roots`."""
    fits = [np.linalg.lstsq(np.c_[r, r * keys], r * values)[0] for r in roots]
    return np.array([c + slope * at(q) for (c, slope), q in zip(fits, queries, strict=True)])


def kernel(queries, keys, h):
    return np.exp(-((queries[:, None] - keys) ** 2) / (2 * h**2))


# wrong: the constant again
def local_line(queries, keys, values, h):
    K = kernel(queries, keys, h)
    return K @ values / K.sum(axis=1)


# wrong: one line for all queries
def local_line(queries, keys, values, h):
    slope, c = np.polyfit(keys, values, 1)
    return c + slope * queries


# wrong: weights applied to the residuals, so squared
def local_line(queries, keys, values, h):
    return lines(queries, keys, values, kernel(queries, keys, h), lambda q: q)


# wrong: the line's value at 0 instead of at the query
def local_line(queries, keys, values, h):
    return lines(queries, keys, values, np.sqrt(kernel(queries, keys, h)), lambda q: 0.0)


# wrong: the slope has the wrong sign
def local_line(queries, keys, values, h):
    offsets, K = keys - queries[:, None], kernel(queries, keys, h)
    T_0, T_1, T_2 = (np.sum(K * offsets**r, axis=1) for r in range(3))
    return (K * (T_2[:, None] + T_1[:, None] * offsets)) @ values / (T_0 * T_2 + T_1**2)


# wrong: the slope is corrected by the values' own mean, without weights
def local_line(queries, keys, values, h):
    K = kernel(queries, keys, h)
    s = K / K.sum(axis=1, keepdims=True)
    slope = np.polyfit(keys, values, 1)[0]
    return s @ values - slope * (s @ keys - queries)
