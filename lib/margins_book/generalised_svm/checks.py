"""Self-checks of the exercises on nonlinear heads: answers known by hand, or from a slower method."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margins.attention_svm import TokenData, generalised_svm, is_silenced
from margins_book.checking.verdicts import call, parts, praise, real_array, require, same_array


def gs_curvatures(sharing_range: Callable[..., Any]) -> None:
    """Check of `sharing_range(gamma, m)`: the lambdas for which exactly m orthonormal tokens share."""
    three, half = [1.0, 0.4, 0.0], "the theorem bounds 2 lambda."
    cases = (
        ("scores 1 and 0, m = 1", [1.0, 0.0], 1, (0.0, 0.5), half),
        ("scores 1 and 0, m = 2", [1.0, 0.0], 2, (0.5, np.inf), "with m = T there is no upper end."),
        ("scores 1, 0.4, 0, m = 1", three, 1, (0.0, 0.3), "one token has all up to half of the gap."),
        ("scores 1, 0.4, 0, m = 2", three, 2, (0.3, 0.7), "sum over the m best, from the m-th and the next."),
        ("scores 1, 0.4, 0, m = 3", three, 3, (0.7, np.inf), "sum over all tokens, from the worst."),
        ("scores 0, 0.4, 1, m = 2", three[::-1], 2, (0.3, 0.7), "the scores come in any order."),
        ("scores 2, 2, 1, m = 1", [2.0, 2.0, 1.0], 1, (0.0, 0.0), "equal scores come in together."),
        ("scores -1, -3, m = 1", [-1.0, -3.0], 1, (0.0, 1.0), "only differences of scores matter."),
        ("a single token", [5.0], 1, (0.0, np.inf), "one token has all, always."))
    for case, gamma, m, expected, hint in cases:
        got = call(sharing_range, np.array(gamma), m, case=case)
        names = ("low", "high")
        for name, end, wanted in zip(names, parts(got, names, case=case), expected, strict=True):
            place = f"{case}, {name}"
            if np.isinf(wanted):
                end = real_array(end, case=place, dims=0, infinite=True)
                require(np.isposinf(end), f"{place}: expected inf. Hint: {hint}")
            else:
                same_array(end, wanted, case=place, hint=hint)
    praise("Right: from half of the first gap up to half of the sum of all.")


def gs_coefficient(best_coefficient: Callable[..., Any]) -> None:
    """Check of `best_coefficient(F, M, G)`: the C at which F + C M correlates most with G, NaN if none."""
    E, O, skew = np.eye(2), np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[1.0, 5.0], [-5.0, -1.0]])
    end = (
        "if the projection of G has a factor <= 0 before F, the correlation grows towards an end of the line."
    )
    cases = (
        ("G = F + 3 M, at right angles", E, O, E + 3 * O, 3.0, "G itself is on the line."),
        ("G = 2 F + 3 M", E, O, 2 * E + 3 * O, 1.5, "length does not matter for a correlation."),
        ("G = F - 2 M", E, O, E - 2 * O, -2.0, "C may be negative."),
        ("F and M not at right angles", E, E + O, 2 * E + O, 1.0, "<F, M> need not be 0: solve."),
        ("part of G off the plane", E, O, E + 2 * O + skew, 2.0, "project G first."),
        ("a long F", 4 * E, O, 4 * E + O, 1.0, "divide by the squared norm of M, not of F."),
        ("small matrices", 0.1 * E, 0.1 * O, 0.1 * (E + 3 * O), 3.0, "only the sign of the factor matters."),
        ("G = M - F", E, O, O - E, np.nan, end),
        ("G = M", E, O, O, np.nan, end))
    for case, F, M, G, expected, hint in cases:
        _judge_coefficient(call(best_coefficient, F, M, G, case=case), expected, case=case, hint=hint)
    for seed in range(6):
        F, M, G = np.random.default_rng(seed).normal(size=(3, 3, 3))
        factors = np.linalg.lstsq(np.c_[F.ravel(), M.ravel()], G.ravel())[0]
        expected = factors[1] / factors[0] if factors[0] > 0 else np.nan
        case = f"random matrices {seed}"
        _judge_coefficient(call(best_coefficient, F, M, G, case=case), expected, case=case, hint=end)
    praise("Right: the line is best where it meets the ray of the projection.")


def _judge_coefficient(got, expected, *, case, hint):
    """A number near the expected one, or NaN where no C is best."""
    got = real_array(got, case=case, dims=0, nan=True)
    message = f"{case}: the answer is {got:.6g}, expected {expected:.6g}. Hint: {hint}"
    require(np.isnan(got) == np.isnan(expected), message)
    require(np.isnan(expected) or abs(got - expected) < 1e-6 * max(1, abs(expected)), message)


def gs_parts(both_parts: Callable[..., Any]) -> None:
    """Check of `both_parts(X, kept, p)`: the shortest w of both systems, None where there is none."""
    corners, line = np.eye(3), np.array([[0.0, 0], [1, 0], [2, 0], [0, 1]])
    third = np.log(3) / 2
    cases: tuple[tuple[Any, ...], ...] = (
        ("three orthonormal tokens, shares 3/4 and 1/4", corners, [1, 1, 0], [0.75, 0.25, 0.0],
         [third, -third, 0], [1 / 3, 1 / 3, -2 / 3], "the kept tokens have equations in both systems."),
        ("one kept token", corners, [0, 1, 0], [0.0, 1.0, 0.0], [0, 0, 0], [-1 / 3, 2 / 3, -1 / 3],
         "with one kept token nothing is asked of the finite part."),
        ("shares that do not sum to 1", corners, [1, 0, 1], [3.0, 0.0, 1.0], [third, 0, -third],
         [1 / 3, -2 / 3, 1 / 3], "only ratios of the shares matter."),
        ("three tokens on a line, middle too small", line, [1, 1, 1, 0], [0.4, 0.2, 0.4, 0.0], None, [0, -1],
         "logits are affine along a line: these shares have no w."),
        ("three tokens on a line, shares that fit", line, [1, 1, 1, 0], [0.2, 0.3, 0.45, 0.0],
         [np.log(1.5), 0], [0, -1], "solve all equations, not two of them."),
        ("the middle of a line left out", line[:3], [1, 0, 1], [0.5, 0.0, 0.5], [0, 0], None,
         "what lies between kept tokens cannot be left out."),
        ("the twin of a kept token left out", corners[[0, 1, 0]], [1, 1, 0], [0.5, 0.5, 0.0], [0, 0, 0], None,
         "twins have the same logit."))
    for case, X, kept, p, finite, direction, hint in cases:
        got = call(both_parts, np.array(X), np.array(kept, dtype=bool), np.array(p), case=case)
        _judge_parts(got, (finite, direction), case=case, hint=hint)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, kept, p = rng.normal(size=(5, 4)), np.arange(5) % 2 == 0, rng.dirichlet(np.ones(5))
        machine = generalised_svm(
            TokenData(X[None], np.eye(4)[:1], np.ones(1), np.ones(4)), kept[None], p[None])
        expected = machine.finite[:, 0], machine.directional.W[:, 0] if machine.directional.feasible else None
        got = call(both_parts, X, kept, np.where(kept, p, 0.0), case=f"random tokens {seed}")
        _judge_parts(
            got, expected, case=f"random tokens {seed}", hint="shortest, and no constraint forgotten.")
    praise("Right: one part sets the shares, the other removes the rest.")


def _judge_parts(got, expected, *, case, hint):
    """Two vectors, or None in the place of what does not exist."""
    names = ("finite part", "direction")
    for name, part, wanted in zip(names, parts(got, names, case=case), expected, strict=True):
        if wanted is None:
            require(
                part is None, f"{case}: there is no {name}; expected None, but got {part!r}. Hint: {hint}")
        else:
            require(part is not None, f"{case}: there is a {name}, but got None. Hint: {hint}")
            same_array(part, wanted, case=f"{case}, {name}", hint=hint, tolerance=1e-5)


def gs_relu_mixture(relu_mixture: Callable[..., Any]) -> None:
    """Check of `relu_mixture(X, V)`: weights on the simplex with the least sum of max(0, V_p . X's)."""
    corners = np.eye(2)
    cases: tuple[tuple[Any, ...], ...] = (
        ("one unit that one token silences", corners, [[1.0, -1.0]], 0.0, "nothing is less than silence."),
        ("two units that only the middle balances", corners, [[1.0, -1.0], [-1.0, 1.0]], 0.0,
         "here both tokens must share alike."),
        ("units that cannot be silenced", corners, [[1.0, 2.0], [3.0, 1.0]], 3.0,
         "minimise the sum over the units, at a corner here."),
        ("a kink inside", corners, [[4.0, -4.0], [-4.0, 4.0], [1.0, 2.0]], 1.5,
         "each unit counts max(0, product): sums of products, or of absolute values, differ."),
        ("a single token", [[2.0, -1.0]], [[1.0, 0.0], [0.0, 1.0]], 2.0, "a single token has the weight 1."))
    for case, X, V, least, hint in cases:
        X, V = np.array(X), np.array(V)
        _judge_mixture(call(relu_mixture, X, V, case=case), X, V, least, case=case, hint=hint)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, V = rng.normal(size=(4, 3)), rng.normal(size=(5, 3))
        case = f"random tokens and units {seed}"
        least = 0.0 if is_silenced(X, V) else _by_corners(X, V)
        _judge_mixture(
            call(relu_mixture, X, V, case=case), X, V, least, case=case, hint="any mixture is allowed.")
    praise("Right: what a ReLU head wants is a linear program away.")


def _judge_mixture(s, X, V, least, *, case, hint):
    """Weights on the simplex whose head is as small as it can be."""
    s = real_array(s, case=case, dims=1)
    require(s.shape == (len(X),), f"{case}: the weights have shape {s.shape}, expected {(len(X),)}.")
    require(s.min() > -1e-7 and abs(s.sum() - 1) < 1e-7, f"{case}: {s.round(4)} is not on the simplex.")
    value = np.maximum(V @ X.T @ s, 0).sum()
    require(value < least + 1e-6, f"{case}: the head is {value:.6g}, it can be {least:.6g}. Hint: {hint}")


def _by_corners(X, V):
    """The least value of a ReLU head, by trying all points where T - 1 of the kinks and edges meet."""
    from itertools import combinations

    T = len(X)
    walls = np.vstack([V @ X.T, np.eye(T)])  # (p + T, T)
    best = np.inf
    for chosen in combinations(range(len(walls)), T - 1):
        system = np.vstack([walls[list(chosen)], np.ones(T)])
        if abs(np.linalg.det(system)) > 1e-12:
            s = np.linalg.solve(system, np.eye(T)[-1])
            if s.min() > -1e-9:
                best = min(best, np.maximum(V @ X.T @ s, 0).sum())
    return best
