import numpy as np


def best(G, g_q, noise, prior):
    """The best coefficients at this variance of the noise, and their error."""
    c = G.T @ (prior * g_q)
    a = np.linalg.solve((prior * G.T) @ G + noise * np.eye(G.shape[1]), c)
    return a, prior @ g_q**2 - c @ a


# wrong: every task equally likely
def linear_risk(G, g_q, sigma, prior):
    return best(G, g_q, sigma**2, np.full(len(G), 1 / len(G)))[1]


# wrong: means subtracted, as with an intercept
def linear_risk(G, g_q, sigma, prior):
    return best(G - prior @ G, g_q - prior @ g_q, sigma**2, prior)[1]


# wrong: the noise is not squared
def linear_risk(G, g_q, sigma, prior):
    return best(G, g_q, sigma, prior)[1]


# wrong: the error of values without noise
def linear_risk(G, g_q, sigma, prior):
    root = np.sqrt(prior)
    a = np.linalg.lstsq(root[:, None] * G, root * g_q)[0]
    return prior @ (g_q - G @ a) ** 2


# wrong: the coefficients are right, but the noise in the answer is forgotten
def linear_risk(G, g_q, sigma, prior):
    return prior @ (g_q - G @ best(G, g_q, sigma**2, prior)[0]) ** 2
