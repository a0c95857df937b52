import numpy as np


def pull(Z, w):
    return 1 / (1 + np.exp(Z @ w))


def descended(Z, steps, eta, of=lambda gradient: gradient, force=pull):
    w = np.zeros(Z.shape[1])
    for _ in range(steps):
        w = w + eta * of(force(Z, w) @ Z)
    return w


def step_length(Z):
    return 4 / np.linalg.norm(Z, 2) ** 2


def shared(q):
    return q / q.sum()


# wrong: the exponential loss
def pulls(Z, steps):
    def force(Z, w):
        return np.exp(-Z @ w)

    w = descended(Z, steps, step_length(Z), force=force)
    return w, shared(force(Z, w))


# wrong: normalised steps
def pulls(Z, steps):
    w = descended(Z, steps, step_length(Z), of=lambda gradient: gradient / np.linalg.norm(gradient))
    return w, shared(pull(Z, w))


# wrong: the shares of the last step taken, one step too early
def pulls(Z, steps):
    eta = step_length(Z)
    return descended(Z, steps, eta), shared(pull(Z, descended(Z, max(steps - 1, 0), eta)))


# wrong: shares of the lengths q_i |z_i|
def pulls(Z, steps):
    w = descended(Z, steps, step_length(Z))
    return w, shared(pull(Z, w) * np.linalg.norm(Z, axis=1))
