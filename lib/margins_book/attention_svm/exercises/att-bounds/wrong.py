# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


def parts(X, Z, tokens, W, multipliers):
    """The combination S of the constraints, and their margins, infinite at the chosen tokens."""
    places = np.arange(len(tokens))
    differences = X[places, tokens][:, None] - X
    margins = np.einsum("ntd,de,ne->nt", differences, W, Z)
    margins[places, tokens] = np.inf
    return np.einsum("nt,ntd,ne->de", multipliers, differences, Z), margins


def bounded(S, W, margins, multipliers, below, above):
    high = np.linalg.norm(W, above) / margins.min() if margins.min() > 0 else np.inf
    return multipliers.sum() / np.linalg.norm(S, below), high


# wrong: the nuclear norm below the fraction line
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    S, margins = parts(X, Z, tokens, W, multipliers)
    norm = "nuc" if kind == "nuclear" else "fro"
    return bounded(S, W, margins, multipliers, norm, norm)


# wrong: the Frobenius norm for both kinds
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    S, margins = parts(X, Z, tokens, W, multipliers)
    return bounded(S, W, margins, multipliers, "fro", "fro")


# wrong: W not divided by its smallest margin
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    S, margins = parts(X, Z, tokens, W, multipliers)
    own, dual = ("nuc", 2) if kind == "nuclear" else ("fro", "fro")
    low, _ = bounded(S, W, margins, multipliers, dual, own)
    return low, np.linalg.norm(W, own) if margins.min() > 0 else np.inf


# wrong: the margin of the chosen token, 0, is among the margins
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    S, margins = parts(X, Z, tokens, W, multipliers)
    margins[np.isinf(margins)] = 0
    own, dual = ("nuc", 2) if kind == "nuclear" else ("fro", "fro")
    return bounded(S, W, margins, multipliers, dual, own)


# wrong: a negative margin gives a negative bound
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    S, margins = parts(X, Z, tokens, W, multipliers)
    own, dual = ("nuc", 2) if kind == "nuclear" else ("fro", "fro")
    with np.errstate(all="ignore"):
        return multipliers.sum() / np.linalg.norm(S, dual), np.linalg.norm(W, own) / margins.min()


# wrong: the mean margin
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    S, margins = parts(X, Z, tokens, W, multipliers)
    own, dual = ("nuc", 2) if kind == "nuclear" else ("fro", "fro")
    middle = margins[np.isfinite(margins)].mean()
    high = np.linalg.norm(W, own) / middle if margins.min() > 0 else np.inf
    return multipliers.sum() / np.linalg.norm(S, dual), high


# wrong: the dual objective's value instead of the ratio
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    S, margins = parts(X, Z, tokens, W, multipliers)
    own = "nuc" if kind == "nuclear" else "fro"
    _, high = bounded(S, W, margins, multipliers, 2, own)
    return multipliers.sum() - np.linalg.norm(S) ** 2 / 2, high
