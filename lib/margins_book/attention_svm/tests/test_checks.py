"""The checks of chapter 6 accept right answers that come by other ways than the reference's."""

import numpy as np
from scipy.linalg import sqrtm

from margins.attention_svm import TokenData, attention_program, frobenius_svm, loss_gradient
from margins_book.attention_svm import checks
from tests.margins_book.accepted import accepted_by


def test_the_gradient_may_come_from_the_library_or_from_jacobians():
    def by_the_library(X, Z, Y, v, W):
        return loss_gradient(TokenData(X, Z, Y, v), W)

    def by_jacobians(X, Z, Y, v, W):
        total = np.zeros(W.shape)
        for x, z, y in zip(X, Z, Y, strict=True):
            a = x @ W @ z
            s = np.exp(a - a.max())
            s /= s.sum()
            jacobian = np.diag(s) - np.outer(s, s)
            total -= y / (1 + np.exp(y * (s @ x @ v))) * np.outer(x.T @ jacobian @ x @ v, z)
        return total / len(Y)

    checks.att_slopes(by_the_library)
    checks.att_slopes(by_jacobians)


def test_the_machine_may_come_from_the_library_or_a_general_solver():
    def by_the_library(X, Z, tokens):
        solution = frobenius_svm(TokenData(X, Z, np.ones(len(Z)), np.ones(Z.shape[1])), tokens)
        return solution.W if solution.feasible else None

    def by_a_program(X, Z, tokens):
        size = np.abs(X).max()
        data = TokenData(X / size, Z, np.ones(len(Z)), np.ones(Z.shape[1]))
        if not frobenius_svm(data, tokens).feasible:
            return None
        return attention_program(data, tokens).W / size

    checks.att_machine(by_the_library)
    checks.att_machine(by_a_program)


@accepted_by(checks.att_bounds)
def test_bounds_may_be_summed_constraint_by_constraint(X, Z, tokens, W, multipliers, kind):
    S, margins = np.zeros(W.shape), []
    for i, chosen in enumerate(tokens):
        for t in range(X.shape[1]):
            if t != chosen:
                A = np.outer(X[i, chosen] - X[i, t], Z[i])
                S += multipliers[i, t] * A
                margins.append(np.sum(A * W))
    values, dual = (np.linalg.svd(M, compute_uv=False) for M in (W, S))
    size = values.sum() if kind == "nuclear" else np.hypot.reduce(values)
    other = dual[0] if kind == "nuclear" else np.hypot.reduce(dual)
    return [multipliers.sum() / other, size / min(margins) if min(margins) > 0 else float("inf")]


def test_balanced_factors_may_be_turned():
    def balance(K, Q):
        U, values, Vt = np.linalg.svd(K @ Q.T)
        d, m = K.shape
        root = np.zeros((d, m))
        np.fill_diagonal(root, np.sqrt(values))
        turn = np.linalg.qr(np.random.default_rng(0).normal(size=(m, m)))[0]
        return U @ root @ turn, Vt.T @ root @ turn

    def by_roots(K, Q):
        """Where both squares are invertible: the geometric mean of K'K and the inverse of Q'Q."""
        if K.shape[0] < K.shape[1] or min(np.linalg.svd(K, compute_uv=False)) < 1e-9:
            return balance(K, Q)
        A, B = K.T @ K, Q.T @ Q
        half = sqrtm(A).real
        back = np.linalg.inv(half)
        P = back @ sqrtm(half @ B @ half).real @ back  # P A P = B
        root = sqrtm(P).real
        return K @ root, Q @ np.linalg.inv(root)

    checks.att_balance(balance)
    checks.att_balance(by_roots)


@accepted_by(checks.att_stable)
def test_pulls_may_be_summed_over_pairs_or_scaled_otherwise(logits, scores):
    lead = logits.argmax()
    c = np.delete(logits, lead).max() - logits[lead]
    log_s = logits - np.logaddexp.reduce(logits)
    sums = log_s[:, None] + log_s - c  # (T, T)
    np.fill_diagonal(sums, -np.inf)
    pairs = np.exp(sums) * (scores[:, None] - scores)  # s_t s_tau / e^c times the difference of scores
    return 2 * pairs.sum(axis=1), c - np.log(2)
