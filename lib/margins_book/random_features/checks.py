"""Self-checks of the exercises on random features: answers known by hand, and slow reference computations."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margins_book.checking.verdicts import call, parts, praise, real_array, require, same_array


def rf_go_on(go_on: Callable[..., Any]) -> None:
    """Check of `go_on(state, phi_q, phi_k, V)`: causal answers to new tokens, and the state after them."""
    case = "three tokens whose only feature is 1"
    got = call(
        go_on, np.zeros((1, 2)), np.ones((3, 1)), np.ones((3, 1)), np.array([[3.0], [5], [10]]), case=case)
    answers, state = parts(got, ("answers", "state"), case=case)
    same_array(
        answers, [[3], [4], [6]], case=case,
        hint="equal weights: each answer is the mean of the values so far.")
    same_array(state, [[18, 3]], case=case, hint="the state is the sum of phi(k_j) times (v_j, 1).")
    for seed in range(5):
        rng = np.random.default_rng(seed)
        phi_q, phi_k, V = rng.uniform(0.1, 2, (9, 3)), rng.uniform(0.1, 2, (9, 3)), rng.normal(size=(9, 2))
        ones = np.column_stack([V, np.ones(9)])
        sums = np.tril(phi_q @ phi_k.T) @ ones
        for start, hint in (
            (0, "token t sees itself and what came before it."),
            (4, "begin from the state that is given."),
        ):
            case = f"random tokens {seed}, the first {start} of them already in the state"
            before = phi_k[:start].T @ ones[:start]
            got = call(go_on, before, phi_q[start:], phi_k[start:], V[start:], case=case)
            answers, state = parts(got, ("answers", "state"), case=case)
            same_array(answers, (sums[:, :-1] / sums[:, -1:])[start:], case=case, hint=hint)
            same_array(state, phi_k.T @ ones, case=case, hint="the state must hold all tokens, old and new.")
    praise("Right: a few sums are all that linear attention remembers.")


def rf_projections_needed(projections_needed: Callable[..., Any]) -> None:
    """Check of `projections_needed(q, k, error)`: positive, hyperbolic, trigonometric features."""
    formula = "the variance is error squared times kappa squared."
    cases: tuple[tuple[Any, ...], ...] = (
        ([1.0, 0], [0.0, 1], formula),
        ([1.0, 1], [1.0, 1], "trigonometric features are exact at q = k: one is enough."),
        ([1.0, 1], [-1.0, -1], "the others are exact at q = -k: one is enough."))
    for q, k, hint in cases:
        _judge_needed(projections_needed, np.array(q), np.array(k), 0.1, hint)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        q, k = rng.uniform(-0.9, 0.9, (2, 3))  # the numbers stay below 2^31: `int` has 32 bits in the page
        error = float(rng.uniform(0.05, 0.5))
        hint = "a whole number, the smallest that is enough; take |q + k| or |q - k| as the kind demands."
        _judge_needed(projections_needed, q, k, error, hint)
    praise("Right: you know what a weight costs before you draw.")


def _judge_needed(projections_needed, q, k, error, hint):
    """The smallest numbers of projections by the closed forms: positive, hyperbolic, trigonometric."""
    case = f"q = {q.round(2)}, k = {k.round(2)}, error {error:.3f}"
    got = call(projections_needed, q, k, error, case=case)
    a, b = ((q + k) ** 2).sum(), ((q - k) ** 2).sum()
    relative = np.array([np.expm1(a), np.cosh(a) - 1, np.cosh(b) - 1])
    expected = np.maximum(1, np.ceil(relative / error**2))
    same_array(got, expected, case=case, hint=hint, tolerance=1e-12)


def rf_orthogonal_blocks(orthogonal_blocks: Callable[..., Any]) -> None:
    """Check of `orthogonal_blocks(G, lengths)`: rows of given lengths along uniform orthogonal directions."""
    for d, count in ((2, 50), (5, 20), (3, 6000)):
        rng = np.random.default_rng(d)
        G, lengths = rng.normal(size=(count, d, d)), rng.uniform(0.5, 3, (count, d))
        case = f"{count} Gaussian matrices of size {d}"
        blocks = real_array(call(orthogonal_blocks, G, lengths, case=case), case=case, dims=3)
        require(blocks.shape == G.shape, f"{case}: the answer has shape {blocks.shape}, expected {G.shape}.")
        inner = np.einsum("nik,njk->nij", blocks, blocks)
        across = np.abs(inner - inner * np.eye(d)).max()
        require(
            across < 1e-8, f"{case}: two rows of a block have the inner product {across:.2g}, expected 0.")
        norms = np.sqrt(np.einsum("nii->ni", inner))
        hint = "row r of block i gets lengths[i, r]."
        same_array(norms, lengths, case=f"{case}, lengths of the rows", hint=hint)
    _judge_uniform(blocks / lengths[..., None], case=case)
    praise("Right: orthogonal, of the right lengths, and no direction is preferred.")


def _judge_uniform(directions, *, case):
    """Means and second moments of unit rows (N, 3, 3), against those of the uniform distribution."""
    count = len(directions)
    lean = np.abs(directions.mean(axis=0)).max() * np.sqrt(3 * count)  # in standard errors
    fault = f"{case}: the mean direction is {lean:.0f} standard errors from 0."
    require(lean < 5.5, f"{fault} Hint: a QR decomposition chooses signs of its own.")
    second = np.einsum("nri,nrj->rij", directions, directions) / count
    off = np.abs(second - np.eye(3) / 3).max() * np.sqrt(count / 0.09)
    fault = f"{case}: some directions are more frequent than others."
    require(off < 6, f"{fault} Hint: use all the random matrices that you got.")


def rf_jackknife(jackknife: Callable[..., Any]) -> None:
    """Check of `jackknife(N, Z)`: the quotient of sums with its leading bias removed."""
    case = "N = (1, 4), Z = (1, 2)"
    got = call(jackknife, np.array([[1.0], [4.0]]), np.array([1.0, 2.0]), case=case)
    same_array(got, [11 / 6], case=case, hint="m = 2: twice 5/3, minus the mean of 4/2 and 1/1.")
    case = "N = 3 Z"
    Z = np.array([0.5, 1.0, 4.0])
    same_array(
        call(jackknife, 3 * Z[:, None], Z, case=case), [3.0], case=case,
        hint="a constant quotient has no bias to remove.")
    for seed, m in enumerate((2, 3, 10, 40)):
        rng = np.random.default_rng(seed)
        Z = rng.lognormal(size=m)
        N = Z[:, None] * rng.normal(size=(m, 3))
        case = f"{m} random projections, three coordinates"
        hint = "m e - (m - 1) times the mean of the quotients without one projection."
        same_array(call(jackknife, N, Z, case=case), _jackknife(N, Z), case=case, hint=hint)
    praise("Right: the 1/m of the bias is gone.")


def _jackknife(N, Z):
    """The corrected quotient (d_v,), by leaving out one projection after the other."""
    m = len(Z)
    without = [np.delete(N, r, axis=0).sum(axis=0) / np.delete(Z, r).sum() for r in range(m)]
    return m * N.sum(axis=0) / Z.sum() - (m - 1) * np.mean(without, axis=0)


def rf_no_overflow(performer: Callable[..., Any]) -> None:
    """Check of `performer(Q, K, V, omega)`: attention with positive features at any norm."""
    case = "one key"
    got = call(performer, np.ones((2, 2)), np.ones((1, 2)), np.array([[7.0]]), np.ones((3, 2)), case=case)
    same_array(got, [[7], [7]], case=case, hint="a mean with weights that sum to 1.")
    for size, hint in (
        (0.5, "features exp(omega.x - |x|^2/2), and the quotient of two sums."),
        (60.0, "plain features all vanish here: measure each exponent from the largest one."),
        (
            2000.0,
            "what is subtracted must depend on the feature, the same for all keys, or on the query alone.",
        ),
    ):
        for seed in range(4):
            rng = np.random.default_rng(seed)
            Q, K = size * rng.normal(size=(7, 4)), size * rng.normal(size=(9, 4))
            K[5:] *= 0.1  # short keys have the largest features by far
            V, omega = rng.normal(size=(9, 2)), rng.normal(size=(6, 4))
            case = f"random tokens {seed} of size {size:g}"
            same_array(
                call(performer, Q, K, V, omega, case=case), _in_logarithms(Q, K, V, omega), case=case,
                hint=hint, tolerance=1e-5)
    praise("Right: no norm overflows, and not a digit of the estimate is lost.")


def _in_logarithms(Q, K, V, omega):
    """The estimate with every product of features formed in logarithms, n x n x m numbers at once."""
    on_keys = K @ omega.T - (K**2).sum(axis=1, keepdims=True) / 2
    logits = np.logaddexp.reduce((Q @ omega.T)[:, None] + on_keys[None], axis=-1)  # (n, n)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights @ V / weights.sum(axis=1, keepdims=True)


def rf_witness(witness: Callable[..., Any]) -> None:
    """Check of `witness(w, n)`: a unit vector against the band of width w as a Gram matrix, or None."""
    for w, n in ((1, 3), (1, 10), (2, 4), (2, 5), (3, 5), (5, 7), (5, 30), (8, 10)):
        case, positions = f"w = {w}, n = {n}", np.arange(n)
        band = (np.abs(positions[:, None] - positions) <= w).astype(float)
        got = real_array(call(witness, w, n, case=case), case=case, dims=1)
        require(got.shape == (n,), f"{case}: the answer has shape {got.shape}, expected {(n,)}.")
        same_array(
            np.linalg.norm(got), 1.0, case=f"{case}, length of the witness", hint="a unit vector, please.")
        form = got @ band @ got
        enough = form <= 1 - np.sqrt(2) + 1e-9
        require(
            enough,
            f"{case}: u'Bu = {form:.4f}, but -0.4142 can be had. Hint: three positions are enough.")
    for w, n in ((0, 4), (3, 4), (5, 2)):
        got = call(witness, w, n, case=f"w = {w}, n = {n}")
        require(
            got is None,
            f"w = {w}, n = {n}: this band is positive semi-definite, so None is expected, but got {got!r}.")
    praise("Right: one quadratic form is all that a doubter has to compute.")
