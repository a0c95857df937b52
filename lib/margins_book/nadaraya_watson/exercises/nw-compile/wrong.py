import numpy as np


def head(S, gamma, factor=1.0, curve=-1.0, last=True):
    """Keys of a head, with the logits gamma (2 s.x + curve |x|^2 - |s|^2) at scale `factor`/sqrt(d_k)."""
    n, d = S.shape
    keys = np.column_stack([2 * gamma * S, np.full(n, curve * gamma), -gamma * (S**2).sum(axis=1)])
    keys = np.vstack([keys, np.zeros(d + 2)]) if last else keys
    return factor * keys


# wrong: keys for the scale 1
def head_of(S, a, b, gamma):
    return head(S, gamma), np.append(a, b)


# wrong: the root of d instead of d + 2
def head_of(S, a, b, gamma):
    return head(S, gamma, np.sqrt(S.shape[1])), np.append(a, b)


# wrong: no key for b
def head_of(S, a, b, gamma):
    return head(S, gamma, np.sqrt(S.shape[1] + 2), last=False), a


# wrong: b added to every value
def head_of(S, a, b, gamma):
    return head(S, gamma, np.sqrt(S.shape[1] + 2), last=False), a + b


# wrong: the squared norm of the query left out, so that b is not in proportion
def head_of(S, a, b, gamma):
    return head(S, gamma, np.sqrt(S.shape[1] + 2), curve=0.0), np.append(a, b)


# wrong: keys a thousandth too long
def head_of(S, a, b, gamma):
    return head(S, gamma, 1.001 * np.sqrt(S.shape[1] + 2)), np.append(a, b)
