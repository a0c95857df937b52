import numpy as np


def solved(Q, logits):
    return np.linalg.lstsq(Q, logits, rcond=None)[0].T


# wrong: the normaliser stays in
def keys_from_weights(Q, A):
    return np.sqrt(Q.shape[1]) * solved(Q, np.log(A))


# wrong: centred after the solution only
def keys_from_weights(Q, A):
    keys = np.sqrt(Q.shape[1]) * solved(Q, np.log(A))
    return keys - keys.mean()


# wrong: the mean over the queries is taken out
def keys_from_weights(Q, A):
    logits = np.log(A) - np.log(A).mean(axis=0)
    return np.sqrt(Q.shape[1]) * solved(Q - Q.mean(axis=0), logits)


# wrong: the first key is put at zero instead of the mean
def keys_from_weights(Q, A):
    logits = np.log(A)
    return np.sqrt(Q.shape[1]) * solved(Q, logits - logits[:, :1])


# wrong: a key in each column
def keys_from_weights(Q, A):
    logits = np.log(A)
    return np.sqrt(Q.shape[1]) * solved(Q, logits - logits.mean(axis=1, keepdims=True)).T
