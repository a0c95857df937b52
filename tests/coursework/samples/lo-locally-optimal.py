import numpy as np

from margins.attention_svm import TokenData, all_choices, random_token_data


def sample(rng):
    """A feasible choice of random data, or of two sequences with one query, where some have no neighbours."""
    data = random_token_data(2, 3, 2, rng=rng)
    if rng.random() < 0.5:
        data = TokenData(rng.normal(size=(2, 2, 2)), np.ones((2, 2)), [1.0, 1.0], rng.normal(size=2))
    feasible = [choice for choice in all_choices(data) if choice.solution.feasible]
    choice = feasible[rng.integers(len(feasible))]
    scores = data.scores if rng.random() < 0.5 else rng.integers(0, 3, size=data.scores.shape).astype(float)
    return data.X, data.Z, scores, choice.tokens, choice.solution.W


def essence(answer, X, Z, scores, tokens, W):
    """True and False, or 1 and 0."""
    return float(answer)
