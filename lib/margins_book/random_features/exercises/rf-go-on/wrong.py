# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


def with_ones(V):
    return np.column_stack([V, np.ones(len(V))])


# wrong: the state that came is forgotten
def go_on(state, phi_q, phi_k, V):
    sums = np.tril(phi_q @ phi_k.T) @ with_ones(V)
    return sums[:, :-1] / sums[:, -1:], phi_k.T @ with_ones(V)


# wrong: every token sees the whole sequence
def go_on(state, phi_q, phi_k, V):
    state = state + phi_k.T @ with_ones(V)
    sums = phi_q @ state
    return sums[:, :-1] / sums[:, -1:], state


# wrong: a token does not see itself
def go_on(state, phi_q, phi_k, V):
    answers = np.zeros(V.shape)
    for t in range(len(V)):
        sums = phi_q[t] @ state
        answers[t] = sums[:-1] / sums[-1] if sums[-1] else V[t]
        state = state + np.outer(phi_k[t], np.append(V[t], 1.0))
    return answers, state


# wrong: divided by the number of tokens instead of the sum of the weights
def go_on(state, phi_q, phi_k, V):
    answers = np.empty(V.shape)
    for t in range(len(V)):
        state = state + np.outer(phi_k[t], np.append(V[t], 1.0))
        answers[t] = (phi_q[t] @ state)[:-1] / (t + 1)
    return answers, state


# wrong: features of the query are written
def go_on(state, phi_q, phi_k, V):
    answers = np.empty(V.shape)
    for t in range(len(V)):
        state = state + np.outer(phi_q[t], np.append(V[t], 1.0))
        sums = phi_k[t] @ state
        answers[t] = sums[:-1] / sums[-1]
    return answers, state


# wrong: the state that came is changed in place
def go_on(state, phi_q, phi_k, V):
    answers = np.empty(V.shape)
    for t in range(len(V)):
        state += np.outer(phi_k[t], np.append(V[t], 1.0))
        sums = phi_q[t] @ state
        answers[t] = sums[:-1] / sums[-1]
    return answers, state
