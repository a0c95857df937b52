import numpy as np


def parts(X, Z, Y, v, W):
    """Weights, scores, and their averages."""
    logits = np.einsum("ntd,de,ne->nt", X, W, Z)
    s = np.exp(logits - logits.max(axis=1, keepdims=True))
    s /= s.sum(axis=1, keepdims=True)
    scores = Y[:, None] * (X @ v)
    return s, scores, (s * scores).sum(axis=1, keepdims=True)


def own_pulls(s, scores, average):
    return s * (scores - average) / (1 + np.exp(average))


def gradient_by(X, Z, Y, v, W, pulls=own_pulls):
    return -np.einsum("nt,ntd,ne->de", pulls(*parts(X, Z, Y, v, W)), X, Z) / len(Y)


# wrong: the slope of the loss left out
def attention_gradient(X, Z, Y, v, W):
    return gradient_by(X, Z, Y, v, W, lambda s, scores, average: s * (scores - average))


# wrong: the average not subtracted
def attention_gradient(X, Z, Y, v, W):
    return gradient_by(X, Z, Y, v, W, lambda s, scores, average: s * scores / (1 + np.exp(average)))


# wrong: queries and tokens exchanged in the logits
def attention_gradient(X, Z, Y, v, W):
    return gradient_by(X, Z, Y, v, W.T)


# wrong: exponentials that overflow
def attention_gradient(X, Z, Y, v, W):
    with np.errstate(all="ignore"):
        masses = np.exp(np.einsum("ntd,de,ne->nt", X, W, Z))
        s = masses / masses.sum(axis=1, keepdims=True)
        scores = Y[:, None] * (X @ v)
        q = own_pulls(s, scores, (s * scores).sum(axis=1, keepdims=True))
        return -np.einsum("nt,ntd,ne->de", q, X, Z) / len(Y)


# wrong: the loss of the average score, not the mean of the losses
def attention_gradient(X, Z, Y, v, W):
    return gradient_by(X, Z, Y, v, W, lambda s, scores, m: s * (scores - m) / (1 + np.exp(m.mean())))
