import numpy as np


def factors(K, Q, p, q, right_of=np.transpose):
    """The singular vectors of K Q' times powers p and q of the values, in as many columns as K has."""
    U, values, Vt = np.linalg.svd(K @ Q.T)
    r, left, right = min(K.shape), np.zeros(K.shape), np.zeros(Q.shape)
    left[:, :r], right[:, :r] = U[:, :r] * values[:r] ** p, right_of(Vt)[:, :r] * values[:r] ** q
    return left, right


# wrong: equal norms are not equal squares
def balance(K, Q):
    ratio = np.sqrt(max(np.linalg.norm(Q), 1e-300) / max(np.linalg.norm(K), 1e-300))
    return K * ratio, Q / ratio


# wrong: all singular values on one side
def balance(K, Q):
    return factors(K, Q, 1, 0)


# wrong: d columns instead of m
def balance(K, Q):
    U, values, Vt = np.linalg.svd(K @ Q.T)
    return U * np.sqrt(values), Vt.T * np.sqrt(values)


# wrong: the right singular vectors are not transposed back
def balance(K, Q):
    return factors(K, Q, 0.5, 0.5, right_of=lambda Vt: Vt)


# wrong: column by column
def balance(K, Q):
    with np.errstate(all="ignore"):
        ratio = np.sqrt(np.linalg.norm(Q, axis=0) / np.linalg.norm(K, axis=0))
    ratio = np.where(np.isfinite(ratio) & (ratio > 0), ratio, 1.0)
    return K * ratio, Q / ratio
