import numpy as np
from scipy.stats import beta, norm


# wrong: the normal approximation
def exact_interval(hits, runs, level):
    p, z = hits / runs, norm.ppf((1 + level) / 2)
    half = z * np.sqrt(p * (1 - p) / runs)
    return max(0.0, p - half), min(1.0, p + half)


# wrong: Wilson's interval
def exact_interval(hits, runs, level):
    p, z = hits / runs, norm.ppf((1 + level) / 2)
    middle, half = p + z**2 / 2 / runs, z * np.sqrt(p * (1 - p) / runs + z**2 / 4 / runs**2)
    return (middle - half) / (1 + z**2 / runs), (middle + half) / (1 + z**2 / runs)


# wrong: the distribution of p after a flat guess
def exact_interval(hits, runs, level):
    tail = (1 - level) / 2
    return tuple(beta.ppf([tail, 1 - tail], hits + 1, runs - hits + 1))


# wrong: nothing said of the ends
def exact_interval(hits, runs, level):
    tail = (1 - level) / 2
    return beta.ppf(tail, hits, runs - hits + 1), beta.ppf(1 - tail, hits + 1, runs - hits)
