import numpy as np


def pulls_by(logits, scores, lead=None, *, average=None, sign=1):
    """Pulls in units of e^c, with what a mistake changes."""
    lead = logits.argmax() if lead is None else lead
    gaps = logits - logits[lead]
    gaps[lead] = -np.inf
    c = gaps.max()
    with np.errstate(all="ignore"):
        masses = np.exp(gaps - c)
        total = 1 + np.exp(c) * masses.sum()
        mean = (scores[lead] + np.exp(c) * (masses @ scores)) / total if average is None else average
        q = masses * (scores - mean) / total
    q[lead] = -q.sum()
    return q, sign * c


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


# wrong: the average taken to be the leader's score
def stable_pulls(logits, scores):
    return pulls_by(logits, scores, average=scores[logits.argmax()])


# wrong: the sign of the exponent
def stable_pulls(logits, scores):
    return pulls_by(logits, scores, sign=-1)


# wrong: the best token is taken to lead
def stable_pulls(logits, scores):
    return pulls_by(logits, scores, lead=scores.argmax())
