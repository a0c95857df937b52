# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


def parts(X, Z, Y, v, W):
    """Weights, scores, and their averages."""
    logits = np.einsum("ntd,de,ne->nt", X, W, Z)
    s = np.exp(logits - logits.max(axis=1, keepdims=True))
    s /= s.sum(axis=1, keepdims=True)
    scores = Y[:, None] * (X @ v)
    return s, scores, (s * scores).sum(axis=1, keepdims=True)


def assembled(q, X, Z):
    return np.einsum("nt,ntd,ne->de", q, X, Z)


# wrong: the direction of descent
def attention_gradient(X, Z, Y, v, W):
    s, scores, average = parts(X, Z, Y, v, W)
    return assembled(s * (scores - average) / (1 + np.exp(average)), X, Z) / len(Y)


# wrong: the sum over sequences instead of the mean
def attention_gradient(X, Z, Y, v, W):
    s, scores, average = parts(X, Z, Y, v, W)
    return -assembled(s * (scores - average) / (1 + np.exp(average)), X, Z)


# wrong: the slope of the loss left out
def attention_gradient(X, Z, Y, v, W):
    s, scores, average = parts(X, Z, Y, v, W)
    return -assembled(s * (scores - average), X, Z) / len(Y)


# wrong: the average not subtracted
def attention_gradient(X, Z, Y, v, W):
    s, scores, average = parts(X, Z, Y, v, W)
    return -assembled(s * scores / (1 + np.exp(average)), X, Z) / len(Y)


# wrong: z x' instead of x z'
def attention_gradient(X, Z, Y, v, W):
    s, scores, average = parts(X, Z, Y, v, W)
    return -assembled(s * (scores - average) / (1 + np.exp(average)), X, Z).T / len(Y)


# wrong: labels forgotten
def attention_gradient(X, Z, Y, v, W):
    s, scores, average = parts(X, Z, np.ones(len(Y)), v, W)
    return -assembled(s * (scores - average) / (1 + np.exp(average)), X, Z) / len(Y)


# wrong: queries and tokens exchanged in the logits
def attention_gradient(X, Z, Y, v, W):
    s, scores, average = parts(X, Z, Y, v, W.T)
    return -assembled(s * (scores - average) / (1 + np.exp(average)), X, Z) / len(Y)


# wrong: exponentials that overflow
def attention_gradient(X, Z, Y, v, W):
    with np.errstate(all="ignore"):
        masses = np.exp(np.einsum("ntd,de,ne->nt", X, W, Z))
        s = masses / masses.sum(axis=1, keepdims=True)
        scores = Y[:, None] * (X @ v)
        average = (s * scores).sum(axis=1, keepdims=True)
        return -assembled(s * (scores - average) / (1 + np.exp(average)), X, Z) / len(Y)


# wrong: the loss of the average score, not the mean of the losses
def attention_gradient(X, Z, Y, v, W):
    s, scores, average = parts(X, Z, Y, v, W)
    return -assembled(s * (scores - average), X, Z) / len(Y) / (1 + np.exp(average.mean()))
