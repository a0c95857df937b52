import numpy as np


# wrong: the sequences exchanged
def traps(a1, a2):
    back = -np.dot(a1, a2)
    return back > np.dot(a1, a1), back > np.dot(a2, a2)


# wrong: the sign of the inner product forgotten
def traps(a1, a2):
    ahead = np.dot(a1, a2)
    return ahead > np.dot(a2, a2), ahead > np.dot(a1, a1)


# wrong: lengths instead of their squares
def traps(a1, a2):
    back = -np.dot(a1, a2)
    return back > np.linalg.norm(a2), back > np.linalg.norm(a1)


# wrong: any row that is pulled back is lost
def traps(a1, a2):
    back = -np.dot(a1, a2)
    return back > 0, back > 0


# wrong: one verdict for both
def traps(a1, a2):
    back = -np.dot(a1, a2)
    lost = back > min(np.dot(a1, a1), np.dot(a2, a2))
    return lost, lost


# wrong: lost at the border, too
def traps(a1, a2):
    back = -np.dot(a1, a2)
    return back >= np.dot(a2, a2), back >= np.dot(a1, a1)
