"""Attention SVMs beside cvxpy."""

from functools import partial

import cvxpy as cp
import numpy as np

from benchmarks.harness import compare
from margins.attention_svm import (
    attention_program,
    frobenius_svm,
    nuclear_svm,
    random_token_data,
    token_margins,
)

PAIRS = "cvxpy, a pair at a time"
EXACT = {"solver": "SCS", "eps_abs": 1e-9, "eps_rel": 1e-9, "max_iters": 100_000}


def rows():
    """Attention SVMs against cvxpy, a pair of tokens at a time as in the paper's code, and vectorised."""
    data = random_token_data(30, 20, 32, rng=np.random.default_rng(0))
    tokens = data.optimal_tokens

    def margins(ours, W):
        below = 1 - ours.margins.min(), 1 - token_margins(data, tokens, W).min()
        return f"gap {ours.gap:.0e}, margins lack {below[0]:.0e} against {below[1]:.0e}"

    calls = partial(frobenius_svm, data, tokens), partial(one_pair_at_a_time, data, tokens, "fro")
    job, goal = "Frobenius (30, 20, 32), 570 constraints", 0.02 / 16.8
    yield compare(job, PAIRS, *calls, accuracy=margins, goal=goal, repeats=3)
    many = random_token_data(6, 8, 10, rng=np.random.default_rng(0), batch=100)
    problems = [(many[k], many.optimal_tokens[k]) for k in range(100)]

    def excess(solutions, matrices):
        pairs = zip(solutions, problems, matrices, strict=True)
        more = [np.linalg.norm(W, "nuc") / token_margins(*p, W).min() * s.margin - 1 for s, p, W in pairs]
        gap = max(s.gap for s in solutions)
        return f"largest gap {gap:.0e} against norms up to {max(more):.0e} too large"

    for peer, solve, goal in (
        (PAIRS, partial(one_pair_at_a_time, norm="nuc"), None),
        (
            "cvxpy vectorised, SCS at 1e-9",
            lambda *p: attention_program(*p, "nuclear", **EXACT).W,
            0.1,
        ),
    ):
        calls = partial(nuclear_svm, many, many.optimal_tokens), lambda s=solve: [s(*p) for p in problems]
        yield compare("nuclear (6, 8, 10), 100 problems", peer, *calls, accuracy=excess, goal=goal, repeats=3)


def one_pair_at_a_time(data, tokens, norm):
    """The W of cvxpy's default solver with one constraint object a pair of tokens."""
    n, T, d = data.sizes
    W, pairs = cp.Variable((d, d)), [(i, t) for i in range(n) for t in range(T) if t != tokens[i]]
    rows = [(data.X[i, t] - data.X[i, tokens[i]]).reshape(1, -1) @ W @ data.Z[i][:, None] for i, t in pairs]
    cp.Problem(cp.Minimize(cp.norm(W, norm)), [row <= -1 for row in rows]).solve()
    return W.value
