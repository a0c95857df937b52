import numpy as np


# wrong: the nearest matrix of the line
def best_coefficient(F, M, G):
    return np.vdot(M, G - F) / np.vdot(M, M)


# wrong: as if F and M were at right angles
def best_coefficient(F, M, G):
    FG, MG = np.vdot(F, G), np.vdot(M, G)
    return MG * np.vdot(F, F) / (FG * np.vdot(M, M)) if FG > 0 else np.nan


# wrong: a minimum is given out as a maximum
def best_coefficient(F, M, G):
    factors = np.linalg.lstsq(np.c_[F.ravel(), M.ravel()], G.ravel(), rcond=None)[0]
    return factors[1] / factors[0] if factors[0] != 0 else np.nan


# wrong: no negative coefficient
def best_coefficient(F, M, G):
    factors = np.linalg.lstsq(np.c_[F.ravel(), M.ravel()], G.ravel(), rcond=None)[0]
    return max(factors[1] / factors[0], 0.0) if factors[0] > 1e-12 else np.nan
