import numpy as np


def slots_by(X, y, x_q, eta, layers, heard):
    """The slots when the first tokens are `heard`, as many as that."""
    tokens, slots = np.vstack([X, x_q]), np.append(y, 0.0)
    for _ in range(layers):
        slots = slots - eta * tokens @ (tokens[:heard].T @ slots[:heard])
    return slots


# wrong: the query hears itself
def slots_after(X, y, x_q, eta, layers):
    return slots_by(X, y, x_q, eta, layers, heard=len(X) + 1)


# wrong: the answer instead of what stands in the slot
def slots_after(X, y, x_q, eta, layers):
    slots = slots_by(X, y, x_q, eta, layers, heard=len(X))
    return np.append(slots[:-1], -slots[-1])


# wrong: the examples write first, and the query reads what is new
def slots_after(X, y, x_q, eta, layers):
    r, r_q = np.array(y, float), 0.0
    for _ in range(layers):
        r = r - eta * X @ (X.T @ r)
        r_q = r_q - eta * x_q @ (X.T @ r)
    return np.append(r, r_q)


# wrong: the mean over the examples instead of the sum
def slots_after(X, y, x_q, eta, layers):
    return slots_by(X, y, x_q, eta / len(y), layers, heard=len(X))


# wrong: always the values at first, never the residuals
def slots_after(X, y, x_q, eta, layers):
    tokens = np.vstack([X, x_q])
    return np.append(y, 0.0) - layers * eta * tokens @ (X.T @ y)
