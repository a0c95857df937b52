import numpy as np


def bounds_by(
    X, Z, tokens, W, multipliers, kind, norms=None, *, of_chosen=np.inf, least=np.min, signed=False
):
    """Both bounds, with what a mistake changes; `norms` above and below the fraction lines."""
    places = np.arange(len(tokens))
    differences = X[places, tokens][:, None] - X
    margins = np.einsum("ntd,de,ne->nt", differences, W, Z)
    margins[places, tokens] = of_chosen
    S = np.einsum("nt,ntd,ne->de", multipliers, differences, Z)
    above, below = norms or (("nuc", 2) if kind == "nuclear" else ("fro", "fro"))
    with np.errstate(all="ignore"):
        high = np.linalg.norm(W, above) / least(margins) if signed or margins.min() > 0 else np.inf
        return multipliers.sum() / np.linalg.norm(S, below), high


# wrong: the nuclear norm below the fraction line
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    return bounds_by(X, Z, tokens, W, multipliers, kind, 2 * ["nuc" if kind == "nuclear" else "fro"])


# wrong: the margin of the chosen token, 0, is among the margins
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    return bounds_by(X, Z, tokens, W, multipliers, kind, of_chosen=0.0)


# wrong: a negative margin gives a negative bound
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    return bounds_by(X, Z, tokens, W, multipliers, kind, signed=True)


# wrong: the mean margin
def norm_bounds(X, Z, tokens, W, multipliers, kind):
    return bounds_by(X, Z, tokens, W, multipliers, kind, least=lambda m: m[np.isfinite(m)].mean())
