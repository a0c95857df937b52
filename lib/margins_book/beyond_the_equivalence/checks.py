"""Self-checks of the exercises beyond the equivalence: answers known by hand, or from another method."""

from collections.abc import Callable
from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np

from margins_book.checking.verdicts import call, praise, real_array, require, same_array


def by_slots(slots_after: Callable[..., Any]) -> None:
    """Check of `slots_after(X, y, x_q, eta, layers)`: all slots after masked layers, the query's last."""
    one, y = np.array([[1.0]]), np.array([2.0])
    cases = (
        ("no layer", 0, [2.0, 0.0], "at first the query's slot is 0."),
        ("one layer", 1, [1.0, -3.0], "2 - 0.5 * 2 and 0 - 0.5 * 3 * 2: the query reads the old slot."),
        ("two layers", 2, [0.5, -4.5], "the query is no key: it does not hear itself."))
    for case, layers, expected, hint in cases:
        case = f"x = 1, y = 2, x_q = 3, eta = 1/2, {case}"
        got = call(slots_after, one, y, np.array([3.0]), 0.5, layers, case=case)
        same_array(got, expected, case=case, hint=hint)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y, x_q = rng.normal(size=(6, 4)), rng.normal(size=6), rng.normal(size=4)
        step = np.eye(6) - 0.04 * X @ X.T
        residuals = np.linalg.matrix_power(step, 5) @ y
        w = 0.04 * X.T @ sum(np.linalg.matrix_power(step, k) @ y for k in range(5))
        got = call(slots_after, X, y, x_q, 0.04, 5, case=f"random prompt {seed}")
        hint = "every layer reads all old slots of the examples before it writes."
        same_array(got, [*residuals, -x_q @ w], case=f"random prompt {seed}", hint=hint)
    praise("Right: residuals in the slots of the examples, minus the answer in the query's.")


def by_train(trained: Callable[..., Any]) -> None:
    """Check of `trained(prompts, values, queries, answers)`: the matrix of the best single layer."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        M = rng.normal(size=(3, 3))
        prompts, values = rng.normal(size=(40, 5, 3)), rng.normal(size=(40, 5))
        queries = rng.normal(size=(40, 3))
        answers = np.einsum("ba,ad,bnd,bn->b", queries, M, prompts, values)
        case = f"answers made by a matrix {seed}"
        got = call(trained, prompts, values, queries, answers, case=case)
        hint = "it must be found as it is: rows belong to the query, columns to X'y, which is a sum."
        same_array(got, M, case=case, hint=hint)
    case = "a single prompt, d = 2, X'y = (0, 2), x_q = (1, 0), answer 4"
    got = call(
        trained, np.array([[[0.0, 1.0]]]), np.array([[2.0]]), np.array([[1.0, 0]]), np.array([4.0]), case=case
    )
    same_array(
        got, [[0, 2], [0, 0]], case=case, hint="of several best matrices take the smallest: lstsq does.")
    praise("Right: least squares in the entries of M.")


def by_linear_risk(linear_risk: Callable[..., Any]) -> None:
    """Check of `linear_risk(G, g_q, sigma, prior)`: the least error of coefficients fixed in advance."""
    half = np.array([0.5, 0.5])
    cases: tuple[tuple[Any, ...], ...] = (
        ("tasks +-1, one example, sigma 1", [[1.0], [-1.0]], [1.0, -1.0], 1.0, half, 0.5, "nu / (1 + nu)."),
        ("tasks +-1, one example, sigma 2", [[1.0], [-1.0]], [1.0, -1.0], 2.0, half, 0.8, "square sigma."),
        ("tasks +-1, 3 at the query", [[1.0], [-1.0]], [3.0, -3.0], 1.0, half, 4.5, "times g(x_q)^2."),
        ("one task only", [[1.0]], [1.0], 1.0, np.ones(1), 0.5, "means are not subtracted: no intercept."),
        ("two examples", [[1.0, 2.0], [-1.0, -2.0]], [1.0, -1.0], 1.0, half, 1 / 6, "nu is sigma^2 / |G|^2."),
        ("uneven prior", [[1.0], [0.0]], [1.0, 0.0], 0.5, np.array([0.2, 0.8]), 0.2 - 0.04 / 0.45, "weigh."))
    for case, G, g_q, sigma, prior, expected, hint in cases:
        got = call(linear_risk, np.array(G), np.array(g_q), sigma, prior, case=case)
        same_array(got, expected, case=case, hint=hint)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        G, g_q, prior = rng.normal(size=(5, 3)), rng.normal(size=5), rng.dirichlet(np.ones(5))
        rows = np.vstack([np.sqrt(prior)[:, None] * G, 0.3 * np.eye(3)])
        goal = np.append(np.sqrt(prior) * g_q, np.zeros(3))
        expected = np.sum((goal - rows @ np.linalg.lstsq(rows, goal)[0]) ** 2)
        case = f"five random tasks {seed}"
        got = call(linear_risk, G, g_q, 0.3, prior, case=case)
        same_array(got, expected, case=case, hint="E yy' = sum_k pi_k G_k G_k' + sigma^2 I.")
    praise("Right: what no fixed coefficients can do better.")


def by_loudness(loud_enough: Callable[..., Any]) -> None:
    """Check of `loud_enough(k1, k2, v, target)`: the factor on the second kernel, NaN if none."""
    even, odd = np.array([1.0, 1.0]), np.array([0.1, 9.9])
    v, no = np.array([1.0, 0.0]), "the smoother stays strictly between the two heads' answers."
    cases = (
        ("target of the mixed kernel", even, odd, v, 0.55 / 6, 1.0, "at c = 1 the kernel is (1.1, 10.9)."),
        ("target midway", even, odd, v, 0.255, 0.2, "Z_1 (t - f_1) = c Z_2 (f_2 - t)."),
        ("heads exchanged", odd, even, v, 0.255, 5.0, "the factor is on the second."),
        ("values moved by 3", even, odd, v + 3, 3.255, 0.2, "only differences to the target count."),
        ("target above both", even, odd, v, 0.7, np.nan, no),
        ("target below both", even, odd, v, 0.001, np.nan, no),
        ("target at the first head", even, odd, v, 0.5, np.nan, no),
        ("target at the second head", odd, even, v, 0.5, np.nan, no),
        ("the same head, louder", even, 3 * even, v, 0.5, np.nan, "heads that agree: NaN."))
    for case, k1, k2, values, target, expected, hint in cases:
        got = real_array(call(loud_enough, k1, k2, values, target, case=case), case=case, dims=0, nan=True)
        message = f"{case}: the answer is {got:.6g}, expected {expected:.6g}. Hint: {hint}"
        require(np.isnan(got) == np.isnan(expected), message)
        require(np.isnan(expected) or abs(got - expected) < 1e-6 * max(1, expected), message)
    praise("Right: the louder kernel pulls, and never arrives.")


def by_outside(partial_squares: Callable[..., Any]) -> None:
    """Check of `partial_squares(keys, values, degree)`: partial sums of m! a_m^2."""
    cases: tuple[tuple[Any, ...], ...] = (
        ("one key", [2], [3], 3, [9.0] * 4, "one key answers its value, a constant."),
        ("tanh", [1, -1], [1, -1], 3, [0, 1, 1, 5 / 3], "q - q^3/3: 1 + 3!/9."),
        ("tanh plus 1", [1, -1], [2, 0], 3, [1, 2, 2, 8 / 3], "values 2 and 0 answer 1 + tanh."),
        ("keys 0 and 2", [0, 2], [-1, 1], 3, [0, 1, 1, 5 / 3], "a shift of the keys changes nothing."),
        ("keys 2 and -2", [2, -2], [1, -1], 1, [0, 4], "tanh(2 q): the coefficients scale like 2^m."),
        ("two keys at one place", [0, 0, 1], [0, 2, 1], 2, [1.0] * 3, "values 0 and 2 at one key are 1."),
        ("only the constant", [1, -1], [1, 2], 0, [2.25], "degree 0 is one number, the mean value squared."))
    for case, keys, values, degree, expected, hint in cases:
        got = call(partial_squares, np.array(keys, float), np.array(values, float), degree, case=case)
        same_array(got, expected, case=case, hint=hint)
    bernoulli: dict[int, Any] = {
        1: 1, 3: Fraction(-1, 3), 5: Fraction(2, 15), 7: Fraction(-17, 315), 9: Fraction(62, 2835)}
    expected = np.cumsum([float(factorial(m) * bernoulli.get(m, 0) ** 2) for m in range(11)])
    got = call(partial_squares, np.array([1.0, -1]), np.array([1.0, -1]), 10, case="tanh to degree 10")
    same_array(
        got, expected, case="tanh to degree 10", hint="a_m from all N_m and Z_m up to m.", tolerance=1e-9)
    praise("Right: the sums grow without bound, as soon as the head answers two different things.")
