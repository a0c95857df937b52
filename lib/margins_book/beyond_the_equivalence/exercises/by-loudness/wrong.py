import numpy as np


# wrong: the normalisers are forgotten
def loud_enough(k1, k2, v, target):
    f1, f2 = k1 @ v / k1.sum(), k2 @ v / k2.sum()
    above, below = target - f1, f2 - target
    return above / below if above * below > 0 else np.nan


# wrong: a kernel may not be negative
def loud_enough(k1, k2, v, target):
    above, below = k1 @ (target - v), k2 @ (v - target)
    return above / below if below else np.nan


# wrong: the first head's answer is no target, its factor would be zero
def loud_enough(k1, k2, v, target):
    above, below = k1 @ (target - v), k2 @ (v - target)
    return above / below if below and above / below >= 0 else np.nan
