import numpy as np


# wrong: sums of different origins are added
def merge(left, right):
    return max(left[0], right[0]), left[1] + right[1], left[2] + right[2]


# wrong: everything counted from zero, which overflows
def merge(left, right):
    with np.errstate(all="ignore"):
        peak = max(left[0], right[0])
        total = np.exp(left[0]) * left[1] + np.exp(right[0]) * right[1]
        weighted = np.exp(left[0]) * left[2] + np.exp(right[0]) * right[2]
        return peak, total / np.exp(peak), weighted / np.exp(peak)


# wrong: no keys twice give NaN
def merge(left, right):
    with np.errstate(all="ignore"):
        peak = max(left[0], right[0])
        a, b = np.exp(left[0] - peak), np.exp(right[0] - peak)
        return peak, a * left[1] + b * right[1], a * left[2] + b * right[2]


# wrong: the right state is taken to have the smaller peak
def merge(left, right):
    with np.errstate(all="ignore"):
        shrink = np.exp(right[0] - left[0]) if right[0] > -np.inf else 0.0
        return max(left[0], right[0]), left[1] + shrink * right[1], left[2] + shrink * right[2]
