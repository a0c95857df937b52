# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


# wrong: every task equally likely
def linear_risk(G, g_q, sigma, prior):
    S = G.T @ G / len(G) + sigma**2 * np.eye(G.shape[1])
    c = G.T @ g_q / len(G)
    return np.mean(g_q**2) - c @ np.linalg.solve(S, c)


# wrong: means subtracted, as with an intercept
def linear_risk(G, g_q, sigma, prior):
    G, g_q = G - prior @ G, g_q - prior @ g_q
    S = (prior * G.T) @ G + sigma**2 * np.eye(G.shape[1])
    c = G.T @ (prior * g_q)
    return prior @ g_q**2 - c @ np.linalg.solve(S, c)


# wrong: the noise is not squared
def linear_risk(G, g_q, sigma, prior):
    S = (prior * G.T) @ G + sigma * np.eye(G.shape[1])
    c = G.T @ (prior * g_q)
    return prior @ g_q**2 - c @ np.linalg.solve(S, c)


# wrong: the error of values without noise
def linear_risk(G, g_q, sigma, prior):
    root = np.sqrt(prior)
    a = np.linalg.lstsq(root[:, None] * G, root * g_q)[0]
    return prior @ (g_q - G @ a) ** 2


# wrong: the coefficients are right, but the noise in the answer is forgotten
def linear_risk(G, g_q, sigma, prior):
    S = (prior * G.T) @ G + sigma**2 * np.eye(G.shape[1])
    a = np.linalg.solve(S, G.T @ (prior * g_q))
    return prior @ (g_q - G @ a) ** 2
