from margins.attention_svm import random_token_data


def sample(rng):
    """Random data in few or many dimensions with their best tokens or with any; some tokens come twice."""
    data = random_token_data(2, 3, int(rng.choice([2, 4, 10, 40])), rng=rng)
    tokens = data.optimal_tokens if rng.random() < 0.7 else rng.integers(3, size=2)
    X = data.X.copy()
    if rng.random() < 0.4:
        X[:, (tokens[0] + 1) % 3] = X[:, (tokens[0] + 2) % 3]
    return X, data.Z, tokens


def essence(answer, X, Z, tokens):
    """True and False, or 1 and 0."""
    return float(answer)
