import numpy as np


def judged_by(X, Z, scores, tokens, W, *, near=lambda m: m < 1 + 1e-6, bad=np.any):
    """Whether each chosen token beats its neighbours, with what a mistake changes."""
    for x, z, gamma, chosen in zip(X, Z, scores, tokens, strict=True):
        others = np.arange(len(x)) != chosen
        margins = (x[chosen] - x) @ (W @ z)
        rivals = gamma[others][near(margins[others])]
        if len(rivals) and bad(rivals >= gamma[chosen]):
            return False
    return True


# wrong: better than all other tokens
def locally_optimal(X, Z, scores, tokens, W):
    return bool((scores.argmax(axis=1) == tokens).all())


# wrong: better than the tokens at the next positions
def locally_optimal(X, Z, scores, tokens, W):
    for gamma, chosen in zip(scores, tokens, strict=True):
        beside = [t for t in (chosen - 1, chosen + 1) if 0 <= t < len(gamma)]
        if any(gamma[t] >= gamma[chosen] for t in beside):
            return False
    return True


# wrong: margins compared exactly
def locally_optimal(X, Z, scores, tokens, W):
    return judged_by(X, Z, scores, tokens, W, near=lambda margins: margins <= 1)


# wrong: one good neighbour is enough
def locally_optimal(X, Z, scores, tokens, W):
    return judged_by(X, Z, scores, tokens, W, bad=np.all)


# wrong: the matrix turned round
def locally_optimal(X, Z, scores, tokens, W):
    return judged_by(X, Z, scores, tokens, W.T)


# wrong: the nearest token of every sequence counts as a neighbour
def locally_optimal(X, Z, scores, tokens, W):
    return judged_by(X, Z, scores, tokens, W, near=lambda margins: margins < margins.min() + 1e-6)
