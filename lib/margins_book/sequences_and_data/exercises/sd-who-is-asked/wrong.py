import numpy as np


def climb_down(weights, residual, below):
    """The queries asked, from the top, where `below(s, above)` says whom the weights s ask."""
    found = [np.arange(weights.shape[1]) == 0]
    for s in weights[:0:-1]:
        found.append(below(s, found[-1]) | (found[-1] & residual))
    return np.array(found[::-1])


# wrong: the residual connection asks position 1 alone
def asked_queries(weights, residual):
    found = climb_down(weights, False, lambda s, above: (s[above] > 1e-3).any(axis=0))
    found[:, 0] |= residual
    return found


# wrong: only the position with the largest weight
def asked_queries(weights, residual):
    count = weights.shape[1]
    return climb_down(weights, residual, lambda s, above: np.isin(np.arange(count), s[above].argmax(axis=1)))


# wrong: the rows of all queries
def asked_queries(weights, residual):
    return climb_down(weights, residual, lambda s, above: (s > 1e-3).any(axis=0))


# wrong: rows and columns exchanged
def asked_queries(weights, residual):
    return climb_down(weights, residual, lambda s, above: (s[:, above] > 1e-3).any(axis=1))


# wrong: every positive weight counts
def asked_queries(weights, residual):
    return climb_down(weights, residual, lambda s, above: (s[above] > 0).any(axis=0))


# wrong: the lower layers in the order from below
def asked_queries(weights, residual):
    turned = np.concatenate([weights[:1], weights[:0:-1]])
    return climb_down(turned, residual, lambda s, above: (s[above] > 1e-3).any(axis=0))


# wrong: the layers from the top
def asked_queries(weights, residual):
    return climb_down(weights, residual, lambda s, above: (s[above] > 1e-3).any(axis=0))[::-1]
