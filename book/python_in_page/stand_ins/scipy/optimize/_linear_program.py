"""Linear programs by the simplex method in two phases."""

from types import SimpleNamespace

import numpy as np

BOUNDS = ((0, None), (None, None))
MESSAGES = {0: "optimal", 2: "infeasible", 3: "unbounded"}


def linprog(c, A_ub=None, b_ub=None, A_eq=None, b_eq=None, bounds=(0, None)):
    """min c.x over A_ub x <= b_ub, A_eq x = b_eq and x >= 0, or any x with the bounds (None, None)."""
    if bounds not in BOUNDS:
        raise NotImplementedError(f"linprog in the page takes the bounds {BOUNDS}, but got {bounds!r}")
    c = np.asarray(c, float)
    A, b, slacks = _rows(A_ub, b_ub, A_eq, b_eq)
    if bounds == (None, None):  # the difference of two numbers >= 0
        A, c = np.hstack([A, -A]), np.concatenate([c, -c])
    n = A.shape[1]
    z, prices, status = _solved(
        np.hstack([A, np.eye(len(A))[:, :slacks]]), b, np.concatenate([c, np.zeros(slacks)])
    )
    if status:
        return SimpleNamespace(x=None, fun=None, status=status, success=False, message=MESSAGES[status])
    x = z[:n] if bounds == (0, None) else z[: n // 2] - z[n // 2 : n]
    loose = SimpleNamespace(residual=z[n:], marginals=-prices[n:])  # a slack's price is that of its row
    return SimpleNamespace(
        x=x, fun=float(c @ z[:n]), ineqlin=loose, status=0, success=True, message=MESSAGES[0]
    )


def _rows(A_ub, b_ub, A_eq, b_eq):
    """All constraints as rows, the inequalities first, and how many of these there are."""
    rows, right, slacks = [], [], 0
    if A_ub is not None:
        rows, right, slacks = [np.asarray(A_ub, float)], [np.asarray(b_ub, float)], len(A_ub)
    if A_eq is not None:
        rows, right = [*rows, np.asarray(A_eq, float)], [*right, np.asarray(b_eq, float)]
    return np.vstack(rows), np.concatenate(right), slacks


def _solved(A, b, cost):
    """The z >= 0 with A z = b and the least cost, reduced costs, and the status: 0, or 2 or 3 without a z."""
    sign = np.where(b < 0, -1.0, 1.0)
    width = A.shape[1]
    table = np.hstack([A * sign[:, None], np.eye(len(A)), (b * sign)[:, None]])
    base = list(range(width, width + len(A)))  # one artificial variable a row
    _simplex(table, base, np.r_[np.zeros(width), np.ones(len(A))])
    if sum(table[i, -1] for i, j in enumerate(base) if j >= width) > 1e-8 * max(1.0, np.abs(b).max()):
        return None, None, 2
    for i, j in enumerate(base):  # an artificial variable that stays at zero leaves, or its row is void
        if j >= width and np.abs(table[i, :width]).max() > 1e-9:
            _pivot(table, base, i, int(np.abs(table[i, :width]).argmax()))
    kept = [i for i, j in enumerate(base) if j < width]
    table, base = np.delete(table[kept], np.s_[width:-1], axis=1), [base[i] for i in kept]
    if not _simplex(table, base, cost):
        return None, None, 3
    z = np.zeros(width)
    z[base] = table[:, -1]
    return z, cost - cost[base] @ table[:, :-1], 0


def _simplex(table, base, cost):
    """Improves a basis in place until nothing is gained, by Bland's rule; False if there is no end of it."""
    for _ in range(100 * sum(table.shape)):
        reduced = cost - cost[base] @ table[:, :-1]
        entering = np.flatnonzero(reduced < -1e-10 * max(1.0, np.abs(cost).max()))
        if not len(entering):
            return True
        j = int(entering[0])
        rows = np.flatnonzero(table[:, j] > 1e-10)
        if not len(rows):
            return False
        ratios = table[rows, -1] / table[rows, j]
        ties = rows[ratios <= ratios.min() + 1e-12]
        _pivot(table, base, int(min(ties, key=lambda i: base[i])), j)
    raise RuntimeError("the simplex method did not end")


def _pivot(table, base, i, j):
    """Column j enters the basis in row i."""
    table[i] /= table[i, j]
    for k in range(len(table)):
        if k != i:
            table[k] -= table[k, j] * table[i]
    base[i] = j
