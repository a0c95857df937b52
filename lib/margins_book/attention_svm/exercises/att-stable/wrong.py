# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


def masses_of(logits):
    lead = logits.argmax()
    gaps = logits - logits[lead]
    gaps[lead] = -np.inf
    return lead, gaps, gaps.max()


# wrong: the textbook
def stable_pulls(logits, scores):
    s = np.exp(logits - logits.max())
    s /= s.sum()
    return s * (scores - s @ scores), 0.0


# wrong: the textbook, scaled up afterwards
def stable_pulls(logits, scores):
    s = np.exp(logits - logits.max())
    s /= s.sum()
    q = s * (scores - s @ scores)
    largest = np.abs(q).max()
    return (q / largest, np.log(largest)) if largest > 0 else (q, 0.0)


# wrong: the leader's pull is left at zero
def stable_pulls(logits, scores):
    lead, gaps, c = masses_of(logits)
    masses = np.exp(gaps - c)
    total = 1 + np.exp(c) * masses.sum()
    average = (scores[lead] + np.exp(c) * (masses @ scores)) / total
    return masses * (scores - average) / total, c


# wrong: the weights of the others are not divided by the total
def stable_pulls(logits, scores):
    lead, gaps, c = masses_of(logits)
    masses = np.exp(gaps - c)
    total = 1 + np.exp(c) * masses.sum()
    q = masses * (scores - (scores[lead] + np.exp(c) * (masses @ scores)) / total)
    q[lead] = -q.sum()
    return q, c


# wrong: the average taken to be the leader's score
def stable_pulls(logits, scores):
    lead, gaps, c = masses_of(logits)
    masses = np.exp(gaps - c)
    q = masses * (scores - scores[lead]) / (1 + np.exp(c) * masses.sum())
    q[lead] = -q.sum()
    return q, c


# wrong: the sign of the exponent
def stable_pulls(logits, scores):
    lead, gaps, c = masses_of(logits)
    masses = np.exp(gaps - c)
    total = 1 + np.exp(c) * masses.sum()
    q = masses * (scores - (scores[lead] + np.exp(c) * (masses @ scores)) / total) / total
    q[lead] = -q.sum()
    return q, -c


# wrong: the best token is taken to lead
def stable_pulls(logits, scores):
    lead = scores.argmax()
    gaps = logits - logits[lead]
    gaps[lead] = -np.inf
    c = gaps.max()
    with np.errstate(all="ignore"):
        masses = np.exp(gaps - c)
        total = 1 + np.exp(c) * masses.sum()
        q = masses * (scores - (scores[lead] + np.exp(c) * (masses @ scores)) / total) / total
    q[lead] = -q.sum()
    return q, c
