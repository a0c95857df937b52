import numpy as np


def attended(logits, tau):
    p = np.exp((logits - logits.max()) / tau)
    p = p[p > 0] / p.sum()
    return float(np.exp(-p @ np.log(p)))


def bisected(rises, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(np.exp(middle)) else (low, middle)
    return float(np.exp((low + high) / 2))


# wrong: one over the sum of squares instead of e^H
def temperature_for(logits, wanted):
    def too_few(tau):
        weights = np.exp((logits - logits.max()) / tau)
        return weights.sum() ** 2 / (weights**2).sum() < wanted

    return bisected(too_few, np.log(np.ptp(logits)) - 40, np.log(np.ptp(logits)) + 40)


# wrong: the largest logit is not subtracted
def temperature_for(logits, wanted):
    def too_few(tau):
        weights = np.exp(logits / tau)
        weights = weights / weights.sum()
        return np.exp(-(weights * np.log(weights)).sum()) < wanted

    with np.errstate(all="ignore"):
        return bisected(too_few, np.log(np.ptp(logits)) - 40, np.log(np.ptp(logits)) + 40)


# wrong: looks between a hundredth and a hundred only
def temperature_for(logits, wanted):
    return bisected(lambda tau: attended(logits, tau) < wanted, np.log(0.01), np.log(100))


# wrong: a guess from the variance, as for many normal logits
def temperature_for(logits, wanted):
    return float(np.std(logits) / np.sqrt(2 * np.log(len(logits) / wanted)))
