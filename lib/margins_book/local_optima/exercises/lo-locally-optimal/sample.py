import numpy as np

from margins.attention_svm import TokenData, all_choices, frobenius_svm, random_token_data

LONELY = np.array([[[0.5, -4], [0, 0]], [[0.5, 1], [0, 0]]])  # token 1 of sequence 0 has no neighbours


def sample(rng):
    """A feasible choice of random data, or one in which a sequence has no neighbours."""
    scores = rng.integers(0, 3, size=(2, 3)).astype(float)
    if rng.random() < 0.3:
        data = TokenData(rng.uniform(0.5, 2) * LONELY, [[1, 0], [1, 0]], [1, 1], [1, 0])
        tokens = np.array([1, 0])
        return data.X, data.Z, scores[:, :2], tokens, frobenius_svm(data, tokens).W
    data = random_token_data(2, 3, 2, rng=rng)
    feasible = [choice for choice in all_choices(data) if choice.solution.feasible]
    choice = feasible[rng.integers(len(feasible))]
    return data.X, data.Z, data.scores if rng.random() < 0.5 else scores, choice.tokens, choice.solution.W


def essence(answer, X, Z, scores, tokens, W):
    """True and False, or 1 and 0."""
    return float(answer)
