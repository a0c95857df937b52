import numpy as np


def with_ones(V):
    return np.column_stack([V, np.ones(len(V))])


def token_by_token(state, read, written, V):
    """The answers to the features `read`, and the state behind those `written`."""
    answers = np.empty(V.shape)
    for t in range(len(V)):
        state = state + np.outer(written[t], np.append(V[t], 1.0))
        sums = read[t] @ state
        answers[t] = sums[:-1] / sums[-1]
    return answers, state


# wrong: the state that was given is forgotten
def go_on(state, phi_q, phi_k, V):
    return token_by_token(np.zeros(state.shape), phi_q, phi_k, V)


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


# wrong: features of the query are written
def go_on(state, phi_q, phi_k, V):
    return token_by_token(state, phi_k, phi_q, V)


# wrong: the state that was given is changed in place
def go_on(state, phi_q, phi_k, V):
    answers, state[:] = token_by_token(state, phi_q, phi_k, V)
    return answers, state
