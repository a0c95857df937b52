import numpy as np


# wrong: rows and columns exchanged
def trained(prompts, values, queries, answers):
    g = np.einsum("bnd,bn->bd", prompts, values)
    features = np.einsum("ba,bd->bda", queries, g).reshape(len(g), -1)
    return np.linalg.lstsq(features, answers)[0].reshape(g.shape[1], -1)


# wrong: the mean of the examples instead of their sum
def trained(prompts, values, queries, answers):
    g = np.einsum("bnd,bn->bd", prompts, values) / values.shape[1]
    features = np.einsum("ba,bd->bad", queries, g).reshape(len(g), -1)
    return np.linalg.lstsq(features, answers)[0].reshape(g.shape[1], -1)


# wrong: a multiple of the identity only
def trained(prompts, values, queries, answers):
    g = np.einsum("bnd,bn->bd", prompts, values)
    feature = (queries * g).sum(axis=1)
    return feature @ answers / (feature @ feature) * np.eye(g.shape[1])


# wrong: a diagonal matrix only
def trained(prompts, values, queries, answers):
    g = np.einsum("bnd,bn->bd", prompts, values)
    return np.diag(np.linalg.lstsq(queries * g, answers)[0])


# wrong: the normal equations, which have no solution for few prompts
def trained(prompts, values, queries, answers):
    g = np.einsum("bnd,bn->bd", prompts, values)
    features = np.einsum("ba,bd->bad", queries, g).reshape(len(g), -1)
    return np.linalg.solve(features.T @ features, features.T @ answers).reshape(g.shape[1], -1)
