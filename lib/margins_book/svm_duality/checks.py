"""Self-checks of the exercises on SVM duality: answers known by hand, or conditions of optimality."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margins.descent import logistic_descent
from margins_book.checking.verdicts import call, parts, praise, real_array, require, same_array


def svm_intercept(intercept: Callable[..., Any]) -> None:
    """Check of `intercept(alpha, X, y, C)`: the b that belongs to optimal multipliers."""
    free = "a multiplier strictly between 0 and C puts its point on the kerb, y (w.x + b) = 1."
    bound = "no multiplier is free, so each point bounds b from one side; give the middle of the interval."
    mixed, labels = np.array([18, 13, 18, 13]) / 72, [1.0, 1, -1, -1]
    small = "multipliers are small where points are large: call them zero by comparison with the largest."
    cases = (
        ("hard margin", [0.0, 2, 2], [3.0, 2, 1], [1.0, 1, -1], np.inf, -3, free),
        ("C = 1/4", mixed, [-0.5, 1, -1, -2], labels, 1 / 4, 1 / 3, free),
        ("C = 2.5e-13", 1e-12 * mixed, [-5e5, 1e6, -1e6, -2e6], labels, 2.5e-13, 1 / 3, small),
        ("C = 0.1, all at C", [0.1, 0.1], [5.0, 3], [1.0, -1], 0.1, -0.8, bound),
        ("C = 0.1, x = 9 at 0", [0.1, 0.1, 0], [5.0, 3, 9], [1.0, -1, 1], 0.1, -0.4, bound),
        ("C = 0.1, x = -1 at 0", [0.1, 0.1, 0], [5.0, 3, -1], [1.0, -1, -1], 0.1, -1.2, bound))
    for case, alpha, x, y, C, expected, hint in cases:
        X = np.array(x)[:, None]  # (n, 1)
        got = call(intercept, np.array(alpha), X, np.array(y), C, case=case)
        same_array(got, expected, case=case, hint=hint)
    praise("Right: a free multiplier tells b; without one, b is the middle of an interval.")


def svm_pair_step(pair_step: Callable[..., Any]) -> None:
    """Check of `pair_step(alpha, i, j, K, y, C)`: the dual's maximum over two multipliers."""
    K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, 1.0])
    for C, expected in ((np.inf, [0.5, 0.5]), (0.3, [0.3, 0.3])):
        case = f"x = -1 and x = 1 from alpha = 0, C = {C}"
        got = call(pair_step, np.zeros(2), 1, 0, K, y, C, case=case)
        same_array(got, expected, case=case, hint="both move, and stop where the first meets its bound.")
    twins = np.ones((2, 2))
    for start in ([0.0, 0.0], [0.2, 0.2]):
        for i, j in ((1, 0), (0, 1)):
            case = f"two equal points, labels -1 and 1, from alpha = {start}, i = {i}, j = {j}, C = 0.7"
            got = call(pair_step, np.array(start), i, j, twins, y, 0.7, case=case)
            same_array(
                got, [0.7, 0.7], case=case, hint="without curvature the slope decides: go to the wall.")
    case, alpha = "two equal points of one class, C = 0.7", np.array([0.1, 0.2, 0.3])
    signs = np.array([1.0, 1, -1])
    got = call(pair_step, alpha, 0, 1, np.ones((3, 3)), signs, 0.7, case=case)
    _judge_pair(got, alpha, 0, 1, np.ones((3, 3)), signs, 0.7, case=case)
    rng = np.random.default_rng(1)
    for trial in range(20):
        X, y = rng.normal(size=(6, 2)), np.where(np.arange(6) % 2, 1.0, -1.0)
        C = 0.5 + trial % 3
        alpha = C * (np.full(6, 0.4) if trial < 10 else np.array([0, 0, 0.4, 1, 1, 0.6]))
        i, j = map(int, rng.choice(6, size=2, replace=False))
        case = f"random points {trial}, i = {i}, j = {j}, C = {C}"
        got = call(pair_step, alpha, i, j, X @ X.T, y, C, case=case)
        _judge_pair(got, alpha, i, j, X @ X.T, y, C, case=case)
    praise("Right: the step is feasible, and no further step on this pair would gain.")


def _judge_pair(got, alpha, i, j, K, y, C, *, case):
    """Feasible, only i and j moved, and the dual's slope along the pair is zero or points out of the box."""
    got = real_array(got, case=case, dims=1)
    require(got.shape == alpha.shape, f"{case}: the answer has shape {got.shape}, expected {alpha.shape}.")
    others = np.delete(np.arange(len(y)), [i, j])
    require(np.array_equal(got[others], alpha[others]), f"{case}: a multiplier other than i and j changed.")
    drift = abs(y @ got - y @ alpha)
    require(drift < 1e-9, f"{case}: y.alpha moved by {drift:.2g}. Hint: which way must alpha_j go?")
    inside = got.min() > -1e-9 and got.max() < C + 1e-9
    require(inside, f"{case}: {got[[i, j]]} leaves [0, {C}]. Hint: cut the step, not its two results.")
    gradient = y - K @ (got * y)
    slope = gradient[i] - gradient[j]  # of the dual, while alpha_i y_i grows and alpha_j y_j shrinks
    slack = min(C - got[i] if y[i] > 0 else got[i], got[j] if y[j] > 0 else C - got[j])
    back = min(got[i] if y[i] > 0 else C - got[i], C - got[j] if y[j] > 0 else got[j])
    fault = f"{case}: the dual still changes at the rate {slope:.3g} along the pair."
    require(slope < 1e-7 or slack < 1e-9, f"{fault} Hint: too short; the curvature is K_ii + K_jj - 2 K_ij.")
    require(slope > -1e-7 or back < 1e-9, f"{fault} Hint: you went too far, or the wrong way.")


def svm_smallest_c(smallest_c: Callable[..., Any]) -> None:
    """Check of `smallest_c(X, y)`: the least C at which the soft margin is the hard one."""
    hint = "C must reach every entry of one optimal alpha; choose the one whose largest entry is least."
    fan = [[1.0, 0], [1, 1], [1, 3], [-1, 1], [-1, 1], [-1, 1]]
    cases = (
        ("x = -1 and x = 1", [[-1.0], [1.0]], [-1.0, 1], 1 / 2),
        ("x = 1, 2, 3", [[1.0], [2], [3]], [-1.0, 1, 1], 2.0),
        ("x = -1 and x = 1, both twice", [[-1.0], [-1], [1], [1]], [-1.0, -1, 1, 1], 1 / 4),
        ("a fan of three against three equal points", fan, [1.0, 1, 1, -1, -1, -1], 1 / 5))
    for case, X, y, expected in cases:
        got = call(smallest_c, np.array(X), np.array(y), case=case)
        same_array(got, expected, case=case, hint=hint, tolerance=1e-3)
    praise("Right: the least bound that some optimal alpha respects.")


def svm_leave_one_out(leave_one_out: Callable[..., Any]) -> None:
    """Check of `leave_one_out(X, y)`: the support vectors, and those a machine gets wrong without them."""
    without = "fit without the point, then judge that point alone."
    cases: tuple[tuple[Any, ...], ...] = (
        ([-2.0, -1, 1, 2], 2, [1, 2], [], "a support vector left out may still be right."),
        ([-9.0, -8, 0, 1, 9], 2, [1, 2], [], without),
        ([-2.0, -1, 1, 9], 2, [1, 2], [2], without),
        ([-5.0, -1, 1, 9], 2, [1, 2], [1, 2], without),
        ([-0.9, -0.9, -0.8, -0.4, -0.4, 0, 0.3], 2, [1, 2], [2], "take the hard margin."),
        ([-3.0, -1, 1], 2, [1, 2], [1, 2], "f = 0 is an error, too: on the line there is no label."),
        ([-1.0, 1, 3], 1, [0, 1], [0, 1], "f = 0 is an error, too: on the line there is no label."),
        ([-1.0, 0.9, 1], 1, [0, 1], [0], "with one class left there is no SVM: count an error."))
    for x, negative, suspects, errors, hint in cases:
        case = f"x = {x}, the first {negative} of them negative"
        X, y = np.array(x)[:, None], np.where(np.arange(len(x)) < negative, -1.0, 1.0)
        got = call(leave_one_out, X, y, case=case)
        got = parts(got, ("suspects", "errors"), case=case)
        _same_points(got[0], suspects, X, "suspects", case=case, hint="whose alpha is above 0?")
        _same_points(got[1], errors, X, "errors", case=case, hint=hint)
    _leave_out_a_kerb(leave_one_out)
    praise("Right: and only the support vectors had to be left out to know it.")


def _leave_out_a_kerb(leave_one_out: Callable[..., Any]) -> None:
    """A failure if a point that stands on the kerb without a multiplier counts as a suspect."""
    X, y = np.array([[1.0, 0.0], [1.0, 3.0], [-1.0, 0.0]]), np.array([1.0, 1.0, -1.0])
    case = "points (1, 0), (1, 3) against (-1, 0)"
    got = parts(call(leave_one_out, X, y, case=case), ("suspects", "errors"), case=case)
    hint = "all three stand on a kerb, but one has alpha = 0."
    _same_points(got[0], [0, 2], X, "suspects", case=case, hint=hint)
    _same_points(got[1], [0, 2], X, "errors", case=case, hint="one of the classes is gone without point 2.")


def _same_points(got, expected, X, role, *, case, hint):
    """A failure unless these are the expected points, in any order; of equal points one, or all."""
    indices = real_array(got, case=f"{case}, {role}", dims=1, empty=True)
    known = np.isin(indices, np.arange(len(X)))
    require(known.all(), f"{case}: the {role} {got} are not indices from 0 to {len(X) - 1}.")
    places, wanted = (sorted({tuple(X[int(i)].tolist()) for i in part}) for part in (indices, expected))
    if X.shape[1] == 1:
        places, wanted = ([x for (x,) in part] for part in (places, wanted))
    message = f"the {role} are at x = {places}, expected {wanted}"
    require(places == wanted, f"{case}: {message}. Hint: {hint}")


def svm_pulls(pulls: Callable[..., Any]) -> None:
    """Check of `pulls(Z, steps)`: where plain descent ends, and the shares of the pulls there."""
    far = 1 / (1 + np.exp([0.8, 2.4]))  # the pulls of two points at w = 0.8
    cases: tuple[tuple[Any, ...], ...] = (
        ([1.0, 3], 0, [0], [1 / 2, 1 / 2], "at w = 0 every point pulls with 1/2."),
        ([2.0], 1, [1], [1], "the step is eta times the sum of q_i z_i, and eta = 1 here."),
        ([1.0, 3], 1, [0.8], far / far.sum(), "the shares are those at the last w."))
    for z, steps, w, shares, hint in cases:
        case = f"z = {z}, {steps} steps"
        got = parts(call(pulls, np.array(z)[:, None], steps, case=case), ("w", "shares"), case=case)
        same_array(got[0], w, case=f"{case}, w", hint=hint)
        same_array(got[1], shares, case=f"{case}, shares", hint=hint)
    signs = np.resize([1.0, -1.0], 6)
    for seed in range(3):
        Z, case = np.random.default_rng(seed).normal(size=(6, 2)) + 1.5, f"six random points {seed}, 40 steps"
        w = logistic_descent(signs[:, None] * Z, signs, 40, record=[40]).weights[-1]
        pull = 1 / (1 + np.exp(Z @ w))
        got = parts(call(pulls, Z, 40, case=case), ("w", "shares"), case=case)
        same_array(got[0], w, case=f"{case}, w", hint="plain steps, all of the same eta.")
        same_array(got[1], pull / pull.sum(), case=f"{case}, shares", hint="q_i = 1 / (1 + exp(w.z_i)).")
    praise("Right: the points of small margin have most of the pull, and more with every step.")


def svm_homogeneous(homogeneous_svm: Callable[..., Any]) -> None:
    """Check of `homogeneous_svm(Z)`: the shortest w with Z w >= 1, or None."""
    for sign in (1.0, -1.0):
        case = f"one row {sign:g} (3, 4)"
        got = call(homogeneous_svm, sign * np.array([[3.0, 4.0]]), case=case)
        same_array(got, [sign * 0.12, sign * 0.16], case=case, hint="one row z: w = z / ||z||^2.")
    for seed, size in enumerate((1.0, 1.0, 1.0, 1e-12, 1e9)):
        Z, w = _known_optimum(np.random.default_rng(seed), size)
        case = f"{len(Z)} random rows of size {size:g}, seed {seed}"
        got = real_array(call(homogeneous_svm, Z, case=case), case=case, dims=1)
        if got.shape == w.shape:
            least = (Z @ got).min()
            require(least > 1 - 1e-6, f"{case}: min z.w = {least:.4g} < 1. Hint: mind the last residual.")
        same_array(got, w, case=case, hint="w is feasible but not the shortest.")
    case = "one row (3e-9, 4e-9)"
    got = call(homogeneous_svm, np.array([[3e-9, 4e-9]]), case=case)
    require(got is not None, f"{case}: w = (1.2e8, 1.6e8) is long, but got it exists; None.")
    same_array(got, [1.2e8, 1.6e8], case=case, hint="small points, long w: divide by their size.")
    for second in ([-1.0, 0.0], [0.0, 0.0]):
        case = f"rows (1, 0) and ({second[0]:g}, 0)"
        got = call(homogeneous_svm, np.array([[1.0, 0.0], second]), case=case)
        require(got is None, f"{case}: no w has z.w >= 1 for both, so None is expected, but got {got!r}.")
    praise("Right: the residual of one least-squares problem points to the widest margin.")


def _known_optimum(rng, size):
    """Rows Z (9, 4) and the w (4,) that is optimal for them: three rows hold it, the other six come first."""
    w = rng.normal(size=4)
    across = rng.normal(size=(9, 4))
    across -= np.outer(across @ w, w) / (w @ w)
    across[2] = -(across[0] + 2 * across[1]) / 3  # so that 1, 2, 3 times them cancel
    heights = np.r_[1, 1, 1, rng.uniform(1.2, 3, size=6)]
    return size * (np.outer(heights, w) / (w @ w) + across)[::-1], w / size
